"""UniMorph's paradigms in the terms of Universal Dependencies, and the forms that they give."""

import logging

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starbank.errors import StarbankError
from starbank.morphology import LEXICON, Lexicon
from starbank.morphology.unimorph import read_tags, read_unimorph
from starbank.treebanks.features import format_features, parse_features

DU = "Mood=Ind|Number[abs]=Sing|Number[erg]=Sing|Person[abs]=3|Person[erg]=3|VerbForm=Fin"
DITU = DU.replace("Number[abs]=Sing", "Number[abs]=Plur")


def attested(language, lemma, upos, feats, form):
    entry = {"language": language, "lemma": lemma, "upos": upos, "feats": feats, "form": form, "use": None}
    entry |= {"count": 1, "source": "treebank", "confidence": 1.0}
    return pa.Table.from_pylist([entry], schema=LEXICON)


@pytest.fixture
def unimorph(tmp_path):
    """Return the lexicon that lines of a UniMorph file make, with what a treebank attests."""

    def unimorph(language, *lines, treebank=None):
        file = tmp_path / language
        columns = ("\t".join((*line.rpartition(" ")[0].split(" ", 1), line.rpartition(" ")[2])) for line in lines)
        file.write_text("\n".join(columns), encoding="utf-8")
        return read_unimorph([file], language, LEXICON.empty_table() if treebank is None else treebank)

    return unimorph


def best(table, lemma, upos, feats, own_form, own_feats, *, use=None):
    """Return the forms of a cell with their sources, none of them predicted."""
    cell = {"lemma": lemma, "upos": upos, "feats": feats, "use": use, "own_form": own_form, "own_feats": own_feats}
    cells = pa.table({"row": [1]} | {name: pa.array([value], pa.string()) for name, value in cell.items()})
    found = Lexicon(table).forms(cells, sources=["treebank", "unimorph"]).to_pylist()
    return [(row["form"], row["source"]) for row in found]


@pytest.mark.parametrize(
    ("language", "tags", "upos", "feats"),
    [
        ("kat", "N;ERG;SG", "NOUN", "Case=Erg|Number=Sing"),
        ("hin", "V;V.PTCP;MASC;PL;IPFV", "VERB", "Aspect=Imp|Gender=Masc|Number=Plur|VerbForm=Part"),
        ("hin", "V;NFIN;LGSPEC2", "VERB", "Case=Acc|VerbForm=Inf"),
        (
            "eus",
            "V;ARGABS3;ARGABSPL;ARGERG3;ARGERGSG;PAST;IND",
            "VERB",
            "Mood=Ind|Number[abs]=Plur|Number[erg]=Sing|Person[abs]=3|Person[erg]=3|Tense=Past|VerbForm=Fin",
        ),
        (
            "eus",
            "V;ARGABS2;ARGABSSG;ARGABS2;ARGABSPL;IND",
            "VERB",
            "Mood=Ind|Number[abs]=Plur|Person[abs]=2|VerbForm=Fin",
        ),
        (
            "eus",
            "V;ARGABS3;ARGABSSG;INFM;FEM;PRES;IND",
            "VERB",
            "Gender[allo]=Fem|Mood=Ind|Number[abs]=Sing|Person[abs]=3|Polite[allo]=Infm|Tense=Pres|VerbForm=Fin",
        ),
        ("swc", "V;FIN;FUT;3;PL;LGSPEC4", "VERB", "NounClass=Bantu8|Number=Plur|Person=3|Tense=Fut|VerbForm=Fin"),
        ("swc", "ADJ;SG;LGSPEC3", "ADJ", "NounClass=Bantu7|Number=Sing"),
        ("fin", "N;IN+ESS;PL", "NOUN", "Case=Ine|Number=Plur"),
        ("deu", "N;NOM/ACC;SG", "NOUN", "Case=Acc,Nom|Number=Sing"),
        ("tur", "N;GEN;SG;PSS1P", "NOUN", "Case=Gen|Number=Sing|Number[psor]=Plur|Person[psor]=1"),
    ],
)
def test_tags_become_upos_and_features(language, tags, upos, feats):
    reading = read_tags(tags, language)
    assert (reading.upos[0], reading.feats, reading.unknown) == (upos, feats, ())


def test_an_unknown_tag_stays_in_the_cell():
    assert read_tags("N;NOM;XYZ+A", "kat").feats == "Case=Nom|UniMorph=XYZ+A"
    assert read_tags("N;NOM;XYZ+A", "kat").unknown == ("XYZ+A",)


KNOWN = ["V", "N", "SG", "PL", "3", "ERG", "NOM/ACC", "IN+ESS", "PSS2S", "ARGABS3", "ARGABSSG", "HYP", "IND", "LGSPEC4"]


@given(st.lists(st.sampled_from(KNOWN) | st.text(max_size=6)), st.sampled_from(["eus", "hin", "swc", "kat"]))
def test_whatever_the_tags_the_features_are_canonical_and_nothing_is_lost(tags, language):
    reading = read_tags(";".join(tags), language)
    features = parse_features(reading.feats)
    assert (format_features(features) or "") == reading.feats
    assert bool(reading.unknown) <= ("UniMorph" in features)
    assert reading.upos
    assert read_tags(";".join([*tags, *tags]), language) == reading


def test_a_line_becomes_a_row_that_no_text_attests(unimorph):
    [row] = unimorph("kat", "კაცი კაცმა N;ERG;SG").to_pylist()
    assert row == {
        "language": "kat",
        "lemma": "კაცი",
        "upos": "NOUN",
        "feats": "Case=Erg|Number=Sing",
        "form": "კაცმა",
        "use": None,
        "count": 0,
        "source": "unimorph",
        "confidence": 1.0,
    }


def test_forms_of_several_words_and_repeated_lines_are_left_out(unimorph):
    lines = ("चलना चलता V;V.PTCP;MASC;SG;IPFV", "चलना चलता है V;3;SG;HAB;PRS;MASC", "चलना चलता V;V.PTCP;MASC;SG;IPFV")
    assert unimorph("hin", *lines)["form"].to_pylist() == ["चलता"]


def test_stems_that_are_no_words_are_left_out(unimorph):
    lines = ("edun lu V;ARGABS3;ARGABSSG;HYP;IND", "edun luke V;ARGABS3;ARGABSSG;HYP;POT")
    [row] = unimorph("eus", *lines).to_pylist()
    assert (row["form"], row["feats"]) == ("luke", "Mood=Cnd|Number[abs]=Sing|Person[abs]=3|VerbForm=Fin")


def test_misspelt_forms_are_left_out(unimorph):
    assert unimorph("hin", "उठाना उठाी V;V.PTCP;FEM;SG;PFV", "उठाना उठाता V;V.PTCP;MASC;SG;IPFV")[
        "form"
    ].to_pylist() == ["उठाता"]


def test_a_verb_is_the_auxiliary_that_the_treebank_calls_it(unimorph):
    lines = ("edun du V;ARGABS3;ARGABSSG;PRES;IND", "jakin daki V;ARGABS3;ARGABSSG;PRES;IND")
    found = unimorph("eus", *lines, treebank=attested("eus", "edun", "AUX", DU, "du"))
    assert list(zip(found["lemma"].to_pylist(), found["upos"].to_pylist(), strict=True)) == [
        ("edun", "AUX"),
        ("jakin", "VERB"),
    ]


def test_unknown_tags_are_told_in_one_warning(unimorph, caplog):
    unimorph("kat", "კაცი კაცმა N;ERG;SG;XYZ", "კაცი კაცს N;DAT;SG;XYZ", "კაცი კაცი N;NOM;SG;ABC")
    [warning] = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert warning == "UniMorph kat has tags that unimorph.tsv does not know: XYZ (2×), ABC (1×)"


def test_a_line_without_tags_is_told(unimorph):
    with pytest.raises(StarbankError, match=r"kat:2: is no line of UniMorph"):
        unimorph("kat", "კაცი კაცმა N;ERG;SG", "კაცი კაცს")


# Which form fills a cell

AUXILIARY = (
    "edun du V;ARGABS3;ARGABSSG;ARGERG3;ARGERGSG;PRES;IND",
    "edun ditu V;ARGABS3;ARGABSPL;ARGERG3;ARGERGSG;PRES;IND",
    "edun zuen V;ARGABS3;ARGABSSG;ARGERG3;ARGERGSG;PAST;IND",
    "edun zituen V;ARGABS3;ARGABSPL;ARGERG3;ARGERGSG;PAST;IND",
)


@pytest.mark.parametrize(("own", "other"), [("du", "ditu"), ("zuen", "zituen"), ("Zuen", "zituen")])
def test_a_form_keeps_its_tense_where_the_treebank_has_none(unimorph, own, other):
    treebank = attested("eus", "edun", "AUX", DU, "du")
    table = pa.concat_tables([treebank, unimorph("eus", *AUXILIARY, treebank=treebank)])
    assert best(table, "edun", "AUX", DITU, own, DU) == [(other, "unimorph")]


def test_a_form_that_unimorph_does_not_know_leaves_the_tense_open(unimorph):
    treebank = attested("eus", "edun", "AUX", DU, "du")
    table = pa.concat_tables([treebank, unimorph("eus", *AUXILIARY, treebank=treebank)])
    assert best(table, "edun", "AUX", DITU, "zuela", DU) == []


def test_what_a_treebank_attests_goes_first(unimorph):
    treebank = attested("eus", "edun", "AUX", DITU, "dituzte")
    table = pa.concat_tables([treebank, unimorph("eus", *AUXILIARY, treebank=treebank)])
    assert best(table, "edun", "AUX", DITU, "du", DU) == [("dituzte", "treebank"), ("ditu", "unimorph")]


def test_what_a_treebank_attests_in_another_tense_does_not_fit(unimorph):
    treebank = attested("eus", "edun", "AUX", DITU, "ditu")
    table = pa.concat_tables([treebank, unimorph("eus", *AUXILIARY, treebank=treebank)])
    assert best(table, "edun", "AUX", DITU, "zuen", DU) == [("zituen", "unimorph")]


def test_a_variant_of_the_same_cell_that_a_treebank_attests_goes_first(unimorph):
    treebank = attested("kat", "კაცი", "NOUN", "Case=Erg|Number=Sing", "კაცმან")
    lines = ("კაცი კაცი N;NOM;SG", "კაცი კაცმა N;ERG;SG", "კაცი კაცმან N;ERG;SG")
    table = pa.concat_tables([treebank, unimorph("kat", *lines)])
    found = best(table, "კაცი", "NOUN", "Case=Erg|Number=Sing", "კაცი", "Case=Nom|Number=Sing")
    assert found == [("კაცმან", "treebank"), ("კაცმა", "unimorph")]


def test_a_form_of_both_sources_is_told_once(unimorph):
    treebank = attested("eus", "edun", "AUX", DITU, "ditu")
    table = pa.concat_tables([treebank, unimorph("eus", *AUXILIARY, treebank=treebank)])
    assert best(table, "edun", "AUX", DITU, "du", DU) == [("ditu", "treebank")]


GEORGIAN = ("კაცი კაცმა N;ERG;SG", "კაცი კაცს N;DAT;SG", "კაცი კაცებს N;DAT;PL")


def test_features_that_unimorph_lacks_do_not_matter_unless_they_change(unimorph):
    table = unimorph("kat", *GEORGIAN)
    own = "Animacy=Hum|Case=Nom|Number=Sing"
    assert best(table, "კაცი", "NOUN", "Animacy=Hum|Case=Erg|Number=Sing", "კაც", own) == [("კაცმა", "unimorph")]
    assert best(table, "კაცი", "NOUN", "Case=Nom|Number=Sing|Poss=Yes", "კაცმა", "Case=Nom|Number=Sing") == []


def test_a_cell_that_leaves_open_what_unimorph_tells_apart_has_no_form(unimorph):
    table = unimorph("kat", *GEORGIAN)
    assert best(table, "კაცი", "NOUN", "Case=Dat", "კაცნი", "Case=Nom") == []


def test_a_cut_form_is_not_filled_with_a_whole_one(unimorph):
    table = unimorph("kat", *GEORGIAN)
    asked = ("Case=Erg|Number=Sing", "კაც", "Case=Nom|Number=Sing")
    assert best(table, "კაცი", "NOUN", *asked, use="bound") == []


def test_a_word_may_have_another_lemma_in_the_treebank_but_not_that_of_another_word(unimorph):
    lines = ("करना करता V;V.PTCP;MASC;SG;IPFV", "करना किया V;V.PTCP;MASC;SG;PFV")
    part = "Aspect={}|Gender=Masc|Number=Sing|VerbForm=Part"
    asked = ("VERB", part.format("Imp"), "किया", part.format("Perf"))
    assert best(unimorph("hin", *lines), "कर", *asked) == [("करता", "unimorph")]
    other = attested("hin", "करना", "NOUN", "", "करना")
    assert best(pa.concat_tables([other, unimorph("hin", *lines)]), "कर", *asked) == []


def test_unimorph_gives_readings(unimorph):
    [reading] = Lexicon(unimorph("kat", *GEORGIAN)).read(pa.array(["კაცს"])).to_pylist()
    assert (reading["lemma"], reading["feats"], reading["source"], reading["count"]) == (
        "კაცი",
        "Case=Dat|Number=Sing",
        "unimorph",
        0,
    )


# The real files


@pytest.mark.parametrize(
    ("language", "lemma", "feats", "forms"),
    [
        ("hin", "जाना", "Aspect=Perf|Gender=Masc|Number=Sing|VerbForm=Part", ["गया"]),
        ("hin", "लौटना", "Aspect=Imp|Gender=Fem|Number=Plur|VerbForm=Part", ["लौटती"]),
        (
            "eus",
            "edun",
            "Mood=Ind|Number[abs]=Sing|Number[erg]=Plur|Person[abs]=3|Person[erg]=3|Tense=Pres|VerbForm=Fin",
            ["dute"],
        ),
        ("eus", "izan", "Mood=Ind|Number[abs]=Plur|Person[abs]=2|Tense=Past|VerbForm=Fin", ["zineten"]),
        ("swc", "lala", "Mood=Ind|NounClass=Bantu8|Number=Plur|Person=3|Tense=Fut|VerbForm=Fin", ["vitalala"]),
        ("swc", "kubwa", "NounClass=Bantu7|Number=Sing", ["kikubwa"]),
    ],
)
def test_a_cell_of_the_real_files_has_its_form(shared, language, lemma, feats, forms):
    rows = read_unimorph([shared / "unimorph" / language], language, LEXICON.empty_table()).to_pylist()
    assert [row["form"] for row in rows if (row["lemma"], row["feats"]) == (lemma, feats)] == forms


@pytest.mark.parametrize(
    ("language", "rows", "unknown"), [("hin", 2231, ""), ("eus", 10366, ""), ("swc", 8852, "LGSPEC7 (51×)")]
)
def test_the_real_files_are_read_whole(shared, caplog, language, rows, unknown):
    table = read_unimorph([shared / "unimorph" / language], language, LEXICON.empty_table())
    assert table.num_rows == rows
    assert [record.message.partition(" know: ")[2] for record in caplog.records] == [unknown] * bool(unknown)
