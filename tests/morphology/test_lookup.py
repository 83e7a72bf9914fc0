"""Which form fills a cell, and what else a form may be."""

import pyarrow as pa
import pytest

from starbank.morphology import LEXICON, Lexicon

ERG = "Case=Erg|Number=Sing"
DAT = "Case=Dat|Number=Sing"


def entry(lemma, feats, form, count=1, *, upos="NOUN", use=None, source="treebank"):
    return {
        "language": "kat",
        "lemma": lemma,
        "upos": upos,
        "feats": feats,
        "form": form,
        "use": use,
        "count": count,
        "source": source,
        "confidence": 1.0,
    }


def lexicon(*entries):
    return Lexicon(pa.Table.from_pylist(list(entries), schema=LEXICON))


@pytest.fixture
def forms():
    """Return the forms of one cell, best first, each with its count."""

    def forms(lexicon, lemma, feats, *, upos="NOUN", use=None, own_form=None, own_feats=None):
        cell = {
            "row": 1,
            "lemma": lemma,
            "upos": upos,
            "feats": feats,
            "use": use,
            "own_form": own_form or lemma,
            "own_feats": own_feats or feats,
        }
        schema = pa.schema({name: pa.int64() if name == "row" else pa.string() for name in cell})
        found = lexicon.forms(pa.Table.from_pylist([cell], schema=schema)).to_pylist()
        assert [row["rank"] for row in found] == list(range(1, len(found) + 1))
        return [(row["form"], row["count"]) for row in found]

    return forms


def test_the_most_frequent_form_wins(forms):
    known = lexicon(entry("ცხენი", ERG, "ცხენმან", 1), entry("ცხენი", ERG, "ცხენმა", 3))
    assert forms(known, "ცხენი", ERG) == [("ცხენმა", 3), ("ცხენმან", 1)]


def test_of_no_cells_there_are_no_forms():
    names = ("lemma", "upos", "feats", "use", "own_form", "own_feats")
    cells = pa.table({"row": pa.array([1]), **{name: pa.array(["Case=Dat"]) for name in names}})
    georgian = lexicon(entry("ცხენი", ERG, "ცხენმა"))
    assert georgian.forms(cells.slice(0, 0)).num_rows == 0
    assert georgian.forms(cells.slice(0, 0)).schema == georgian.forms(cells).schema


def test_of_equals_the_plain_form_goes_before_the_emphatic_one(forms):
    known = lexicon(entry("კაცი", DAT, "კაცსა"), entry("კაცი", DAT, "კაცს"))
    assert forms(known, "კაცი", DAT) == [("კაცს", 1), ("კაცსა", 1)]


def test_of_equals_of_one_length_the_alphabet_decides(forms):
    known = lexicon(entry("x", ERG, "ბ"), entry("x", ERG, "ა"))
    assert forms(known, "x", ERG) == [("ა", 1), ("ბ", 1)]


def test_annotations_of_one_cell_add_up(forms):
    known = lexicon(
        entry("ბანკი", f"Animacy=Inan|{ERG}", "ბანკმა", 2),
        entry("ბანკი", f"Animacy=Anim|{ERG}", "ბანკმა", 1),
        entry("ბანკი", ERG, "ბანკმა", 4),
    )
    assert forms(known, "ბანკი", f"Animacy=Inan|{ERG}") == [("ბანკმა", 7)]


def test_what_looks_like_the_own_form_goes_before_what_is_frequent_where_the_own_cell_has_several_forms(forms):
    past = "Number={}|Person=3|Tense=Past"
    singular, plural = past.format("Sing"), past.format("Plur")
    known = lexicon(
        entry("haber", singular, "ha", 55, upos="AUX"),
        entry("haber", singular, "había", 38, upos="AUX"),
        entry("haber", plural, "han", 19, upos="AUX"),
        entry("haber", plural, "habían", 13, upos="AUX"),
    )
    found = forms(known, "haber", plural, upos="AUX", own_form="había", own_feats=singular)
    assert found == [("habían", 13), ("han", 19)]
    found = forms(known, "haber", plural, upos="AUX", own_form="ha", own_feats=singular)
    assert found == [("han", 19), ("habían", 13)]


@pytest.mark.parametrize(("count", "expected"), [(4, ["acest", "acesta"]), (7, ["acesta", "acest"])])
def test_of_a_determiner_with_two_forms_that_go_together_the_one_that_looks_most_like_it_goes_first(
    forms, count, expected
):
    """Unless it is much rarer, as a slip is: Greek το beside τον is no reason for το beside ο."""
    feminine, masculine = "Gender=Fem|Number=Sing", "Gender=Masc|Number=Sing"
    romanian = lexicon(
        entry("acest", feminine, "această", 60, upos="DET"),
        entry("acest", feminine, "aceasta", 20, upos="DET"),
        entry("acest", masculine, "acest", 32, upos="DET"),
        entry("acest", masculine, "acesta", count, upos="DET"),
    )
    ranked = forms(romanian, "acest", masculine, upos="DET", own_form="aceasta", own_feats=feminine)
    assert [form for form, _ in ranked] == expected


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("ინჟინერები", [("ინჟინერებს", 1), ("ინჟინრებს", 3)]),
        ("ინჟინრები", [("ინჟინრებს", 3), ("ინჟინერებს", 1)]),
    ],
)
def test_of_a_noun_with_two_stems_the_form_with_that_of_the_own_form_goes_first(forms, own, expected):
    nom, dat = "Case=Nom|Number=Plur", "Case=Dat|Number=Plur"
    known = lexicon(
        entry("ინჟინერი", nom, "ინჟინერები", 1),
        entry("ინჟინერი", nom, "ინჟინრები", 2),
        entry("ინჟინერი", dat, "ინჟინერებს", 1),
        entry("ინჟინერი", dat, "ინჟინრებს", 3),
        entry("კაცი", nom, "კაცები"),
        entry("კაცი", dat, "კაცებს"),
    )
    assert forms(known, "ინჟინერი", dat, own_form=own, own_feats=nom) == expected


def test_a_slip_of_annotation_is_no_second_stem(forms):
    sing, plur = "Number=Sing", "Number=Plur"
    known = lexicon(
        entry("child", sing, "child", 30),
        entry("child", sing, "childer", 1),
        entry("child", plur, "childers", 2),
        entry("child", plur, "childs", 1),
        entry("dog", sing, "dog"),
        entry("dog", plur, "dogs"),
    )
    assert forms(known, "child", plur, own_form="child", own_feats=sing) == [("childers", 2), ("childs", 1)]


def test_another_cell_or_lemma_does_not_help(forms):
    known = lexicon(entry("კაცი", "Case=Erg|Number=Plur", "კაცებმა"), entry("ქალი", ERG, "ქალმა"))
    assert forms(known, "კაცი", ERG) == []


def test_an_attributive_form_does_not_stand_for_an_argument(forms):
    known = lexicon(
        entry("დიდი", "Case=Dat", "დიდ", 9, upos="ADJ", use="attributive"),
        entry("დიდი", "Case=Dat", "დიდს", 1, upos="ADJ"),
    )
    assert forms(known, "დიდი", "Case=Dat", upos="ADJ") == [("დიდს", 1)]
    assert forms(known, "დიდი", "Case=Dat", upos="ADJ", use="attributive") == [("დიდ", 9)]


def test_attested_forms_go_before_predicted_ones(forms):
    known = lexicon(entry("კაცი", ERG, "კაცმან", 1), entry("კაცი", ERG, "კაცმა", 9, source="predicted"))
    assert forms(known, "კაცი", ERG) == [("კაცმან", 1), ("კაცმა", 9)]


def test_a_pronoun_shares_the_paradigm_of_another_lemma_with_its_form(forms):
    nom, erg = "Case=Nom|PronType=Rel", "Case=Erg|PronType=Rel"
    known = lexicon(
        entry("რომელიც", nom, "რომელიც", 8, upos="PRON"),
        entry("რომელი", nom, "რომელიც", 3, upos="PRON"),
        entry("რომელი", erg, "რომელმაც", 2, upos="PRON"),
    )
    assert forms(known, "რომელიც", erg, upos="PRON", own_form="რომელიც", own_feats=nom) == [("რომელმაც", 2)]


def test_a_noun_does_not(forms):
    nom = "Case=Nom|Number=Sing"
    known = lexicon(entry("ბარი", nom, "ბარი"), entry("ბარი2", nom, "ბარი"), entry("ბარი2", ERG, "ბარმა"))
    assert forms(known, "ბარი", ERG, own_form="ბარი", own_feats=nom) == []


def test_readings_are_found_whatever_the_capitals():
    known = lexicon(entry("Bank", "Case=Dat", "Banken", 2), entry("banken", "", "banken", upos="VERB"))
    assert known.read(pa.array(["banken"])).to_pylist() == [
        {
            "form": "banken",
            "lemma": "Bank",
            "upos": "NOUN",
            "feats": "Case=Dat",
            "use": None,
            "count": 2,
            "source": "treebank",
        },
        {
            "form": "banken",
            "lemma": "banken",
            "upos": "VERB",
            "feats": "",
            "use": None,
            "count": 1,
            "source": "treebank",
        },
    ]


@pytest.mark.parametrize(
    ("known", "form", "doubts"),
    [
        (("მუხა", "მუხამ"), "კაცმა", []),
        (("მუხა", "მუხამ"), "კაცმქ", ["კაცმქ: no form of the treebanks has მქ"]),
        (("კაცი", "კაცმან"), "კაცმა", ["კაცმა is predicted, კაცმან attested"]),
        (("კაცი", "კაცმა"), "კაცმა", []),
    ],
)
def test_what_speaks_against_a_predicted_form(known, form, doubts):
    lemma, attested = known
    letters = entry("სხვა", DAT, "კაცმაქ კაცმა")
    other_stems = pa.array([[]], pa.list_(pa.string()))
    predicted = pa.table(
        {"row": [3], "lemma": ["კაცი"], "upos": ["NOUN"], "feats": [ERG], "form": [form], "other_stems": other_stems}
    )
    assert lexicon(letters, entry(lemma, ERG, attested)).doubts(predicted).to_pylist() == [
        {"row": 3, "detail": detail} for detail in doubts
    ]


def test_a_predicted_form_of_the_cell_of_lemmas_is_the_lemma():
    cell = "Gender=Fem|Number=Sing"
    words = ["apă", "casă", "fată", "iarnă", "lună", "masă", "nucă", "oră", "sală", "roată"]
    predicted = pa.table(
        {
            "row": [0, 1], "lemma": ["sat", "sară"], "upos": ["NOUN"] * 2, "feats": [cell] * 2,
            "form": ["sată", "Sară"], "other_stems": pa.array([[], []], pa.list_(pa.string())),
        }
    )  # fmt: skip
    assert lexicon(*(entry(word, cell, word) for word in words)).doubts(predicted).to_pylist() == [
        {"row": 0, "detail": "sată is not the lemma sat"}
    ]


def test_capitals_aside_a_form_is_read_as_its_language_has_small_letters():
    known = lexicon(*(entry(lemma, "", lemma) | {"language": "tur"} for lemma in ("ışık", "insan")))
    readings = known.read(pa.array(["IŞIK", "İnsan", "Insan"])).to_pylist()
    assert [(row["form"], row["lemma"]) for row in readings] == [("IŞIK", "ışık"), ("İnsan", "insan")]


def test_what_some_forms_of_a_cell_end_in_beyond_others():
    known = lexicon(
        entry("olla", "Number=Sing", "on", 9, upos="VERB"),
        entry("olla", "Number=Sing", "Onko", upos="VERB"),
        entry("olla", "Number=Plur", "ovat", upos="VERB"),
        entry("tulla", "Number=Plur", "tulevatko", upos="VERB"),
    )
    assert known.endings.to_pylist() == [{"upos": "VERB", "feats": "Number=Sing", "ending": "ko", "clitic": False}]


def test_an_ending_beyond_others_of_several_cells_is_a_clitic():
    persons = {"1": ("elan", "elangi"), "2": ("elad", "eladki"), "3": ("elab", "elabki")}
    verbs = [
        entry("elama", f"Person={person}", form, upos="VERB") for person, forms in persons.items() for form in forms
    ]
    more = [entry("minema", "Person=1", form, upos="VERB") for form in ("lähen", "lähenki")]
    endings = lexicon(*verbs, *more).endings.to_pylist()
    assert {row["ending"]: row["clitic"] for row in endings} == {"gi": False, "ki": True}


ACC = "Case=Acc|Number=Sing"


def urdu(*lemmas, both=3):
    """Return Urdu nouns in ہ that texts have in the oblique, the first of them in ے as well."""
    forms = [entry(lemma, ACC, lemma) for lemma in lemmas]
    return lexicon(*forms, *(entry(lemma, ACC, lemma[:-1] + "ے") for lemma in lemmas[:both]))


OFFICES = {"form": "ادارے", "lemma": "ادارہ", "upos": "NOUN"}


def test_where_three_nouns_have_two_endings_in_a_cell_a_fourth_may_have_the_other_one():
    nouns = urdu("علاقہ", "مسئلہ", "طریقہ", "ادارہ")
    assert nouns.alternants(pa.Table.from_pylist([OFFICES])).to_pylist() == [OFFICES | {"feats": ACC, "use": None}]


def test_what_one_noun_in_twenty_has_twice_may_be_a_slip():
    others = [f"{first}{second}نہ" for first in "بتجدرسکم" for second in "ابدرسکم"]
    nouns = urdu("علاقہ", "مسئلہ", "طریقہ", *others, "ادارہ")
    assert nouns.alternants(pa.Table.from_pylist([OFFICES])).num_rows == 0


def test_two_nouns_with_two_endings_are_too_few():
    nouns = urdu("علاقہ", "مسئلہ", "ادارہ", both=2)
    assert nouns.alternants(pa.Table.from_pylist([OFFICES])).num_rows == 0
