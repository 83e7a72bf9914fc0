"""The forms of our lexicons: as UniMorph has them, and as grammars do where it has none."""

import re
import shutil
from pathlib import Path

import pytest

from starbank.errors import ConstructionError
from starbank.queries.templates.words import Word, open_lexicon

QUERIES = Path(__file__).resolve().parents[2] / "queries"


def words(language: str, table: str) -> list[Word]:
    return list(open_lexicon(QUERIES / language / "bhs").table(table).words)


def forms(language: str, table: str, lemma: str, **wanted: str) -> list[str]:
    return [
        word.form
        for word in words(language, table)
        if word.lemma == lemma and all(value in word.values(name) for name, value in wanted.items())
    ]


@pytest.fixture(scope="module")
def unimorph(shared):
    """Return the forms of a UniMorph file by lemma and features."""

    def read(language: str) -> dict[tuple[str, frozenset[str]], set[str]]:
        cells: dict[tuple[str, frozenset[str]], set[str]] = {}
        for line in (shared / "unimorph" / language).read_text(encoding="utf-8").splitlines():
            if line.strip():
                lemma, form, features = line.split("\t")
                cells.setdefault((lemma, frozenset(features.split(";"))), set()).add(form)
        return cells

    return read


def test_all_36_auxiliaries_of_the_third_person_are_those_of_unimorph(unimorph):
    cells = unimorph("eus")
    verbs = {"izan": "izan", "edun": "ukan"}
    wanted = {"Mood", "Tense", "lemma", "Number[abs]", "Number[erg]", "Number[dat]"}
    checked = 0
    for word in words("eus", "auxiliaries"):
        if word.lemma not in verbs or not word.attributes.keys() <= wanted or word.values("Mood") != {"Ind"}:
            continue
        features = {"V", "IND", {"Pres": "PRES", "Past": "PAST"}[next(iter(word.values("Tense")))]}
        for case, name in (("abs", "ABS"), ("erg", "ERG"), ("dat", "IO")):
            for number in word.values(f"Number[{case}]") - {"~"}:
                features |= {f"ARG{name}3", f"ARG{name}{ {'Sing': 'SG', 'Plur': 'PL'}[number] }"}
        assert word.form in cells[verbs[word.lemma], frozenset(features)], word
        checked += 1
    assert checked == 36


def test_basque_nouns_drop_their_own_a_and_double_their_r():
    for lemma, expected in {
        "neska": ["neska", "neskak", "neskari", "neskak", "neskek", "neskei"],
        "txakur": ["txakurra", "txakurrak", "txakurrari", "txakurrak", "txakurrek", "txakurrei"],
        "gizon": ["gizona", "gizonak", "gizonari", "gizonak", "gizonek", "gizonei"],
    }.items():
        assert forms("eus", "nouns", lemma) == expected


def test_hindi_participles_are_those_of_unimorph(unimorph):
    cells = unimorph("hin")
    values = {"Imp": "IPFV", "Perf": "PFV", "Masc": "MASC", "Fem": "FEM", "Sing": "SG", "Plur": "PL"}
    checked = 0
    for word in words("hin", "verbs"):
        own = [values[next(iter(word.values(name)))] for name in ("Aspect", "Gender", "Number")]
        known = cells.get((f"{word.lemma}ना", frozenset(["V", "V.PTCP", *own])))
        if known and not any(re.search("ा[ाेी]", form) for form in known):  # A slip of UniMorph's: उठाे.
            # UniMorph has older spellings too: बनायी, पाये.
            older = re.sub("ए$", "ये", re.sub("ई$", "यी", word.form))
            assert {word.form, older} & known, (word.lemma, own, known)
            checked += 1
    assert checked > 100


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [
        ("लड़का", "लड़का लड़के लड़के लड़कों"),
        ("राजा", "राजा राजा राजा राजाओं"),
        ("आदमी", "आदमी आदमी आदमी आदमियों"),
        ("बढ़ई", "बढ़ई बढ़ई बढ़ई बढ़इयों"),
        ("साधु", "साधु साधु साधु साधुओं"),
        ("आलू", "आलू आलू आलू आलुओं"),
        ("कौआ", "कौआ कौए कौए कौओं"),
        ("सेब", "सेब सेब सेब सेबों"),
        ("रोटी", "रोटी रोटियाँ रोटी रोटियों"),
        ("चिड़िया", "चिड़िया चिड़ियाँ चिड़िया चिड़ियों"),
        ("मिठाई", "मिठाई मिठाइयाँ मिठाई मिठाइयों"),
        ("महिला", "महिला महिलाएँ महिला महिलाओं"),
        ("किताब", "किताब किताबें किताब किताबों"),
    ],
)
def test_hindi_nouns_decline(lemma, expected):
    # Direct singular and plural, oblique singular and plural.
    assert forms("hin", "nouns", lemma) == expected.split()


def test_hindi_possessives_end_in_a_only_before_a_masculine_singular_in_the_direct_case():
    assert forms("hin", "possessives", "मेरा", Gender="Masc", Number="Sing", Case="Nom") == ["मेरा"]
    assert forms("hin", "possessives", "मेरा", Gender="Masc", Number="Sing", Case="Acc") == ["मेरे"]
    assert forms("hin", "possessives", "का", Gender="Masc", Number="Plur", Case="Nom") == ["के"]
    assert forms("hin", "possessives", "का", Gender="Fem", Number="Sing", Case="Acc") == ["की"]


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [
        ("kubwa", "mkubwa wakubwa mkubwa mikubwa kubwa makubwa kikubwa vikubwa kubwa kubwa mkubwa"),
        ("dogo", "mdogo wadogo mdogo midogo dogo madogo kidogo vidogo ndogo ndogo mdogo"),
        ("refu", "mrefu warefu mrefu mirefu refu marefu kirefu virefu ndefu ndefu mrefu"),
        ("baya", "mbaya wabaya mbaya mibaya baya mabaya kibaya vibaya mbaya mbaya mbaya"),
        ("pya", "mpya wapya mpya mipya jipya mapya kipya vipya mpya mpya mpya"),
        ("ekundu", "mwekundu wekundu mwekundu myekundu jekundu mekundu chekundu vyekundu nyekundu nyekundu mwekundu"),
        ("safi", "safi safi safi safi safi safi safi safi safi safi safi"),
    ],
)
def test_swahili_adjectives_take_the_prefixes_of_eleven_classes(lemma, expected):
    found = [forms("swa", "adjectives", lemma, **{"class": str(number)}) for number in range(1, 12)]
    assert [form for [form] in found] == expected.split()


@pytest.fixture
def add(tmp_path):
    """Return the forms of a word that somebody adds to a table of a language, in the order of the cells."""

    def add(language: str, table: str, row: str) -> list[str]:
        folder = tmp_path / "lexicon"
        shutil.copytree(QUERIES / language / "lexicon", folder)
        file = folder / f"{table}.tsv"
        file.write_text(f"{file.read_text(encoding='utf-8')}{row}\n", encoding="utf-8")
        return [word.form for word in open_lexicon(tmp_path).table(table).words if word.lemma == row.split("\t")[0]]

    return add


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [
        ("aminifu", "mwaminifu waaminifu"),
        ("ovu", "mwovu waovu"),
        ("ororo", "mwororo mwororo mwororo nyororo nyororo"),
        ("legevu", "mlegevu walegevu mlegevu milegevu legevu malegevu kilegevu vilegevu mlegevu"),
        ("ingi", "mwingi wengi mwingi mingi jingi mengi kingi vingi nyingi nyingi mwingi"),
        ("ema", "mwema wema mwema myema jema mema chema vyema mwema njema njema"),
        ("kali", "mkali wakali mkali mikali kali makali kikali vikali mkali kali kali"),
        ("geni", "mgeni wageni mgeni migeni geni mageni kigeni vigeni mgeni ngeni ngeni"),
    ],
)
def test_a_swahili_adjective_that_is_added_has_the_forms_that_its_beginning_has(add, lemma, expected):
    assert sorted(add("swa", "adjectives", f"{lemma}\tyes\tperson\tgloss")) == sorted(expected.split())


@pytest.mark.parametrize(
    ("language", "table", "row", "expected"),
    [
        ("swa", "verbs", "la\tperson\teat", "kula"),
        ("swa", "verbs", "andika\tperson\twrite", "andika"),
        ("hin", "nouns", "शक्ति\tFem\tregular\ttool\tpower", "शक्ति शक्तियाँ शक्ति शक्तियों"),
        ("hin", "nouns", "वस्तु\tFem\tregular\ttool\tthing", "वस्तु वस्तुएँ वस्तु वस्तुओं"),
        ("hin", "nouns", "प्रक्रिया\tFem\tregular\ttool\tprocess", "प्रक्रिया प्रक्रियाएँ प्रक्रिया प्रक्रियाओं"),
        ("hin", "verbs", "पी\tperson\tfood\tdrink", "पीता पीते पीती पीती पिया पिए पी पी"),
        ("hin", "verbs", "कर\tperson\ttool\tdo", "करता करते करती करती किया किए की की"),
        ("eus", "nouns", "paper\tthing\tpaper", "papera paperak paperari paperak paperek paperei"),
        ("eng", "verbs", "cry\tintransitive", "cry cries"),
        ("eng", "verbs", "play\tintransitive", "play plays"),
    ],
)
def test_another_word_that_is_added_has_the_forms_of_its_stem(add, language, table, row, expected):
    assert add(language, table, row) == expected.split()


@pytest.mark.parametrize(
    ("language", "table", "row", "lemma"),
    [
        ("swa", "adjectives", "ume\tyes\tperson\tmale", "ume"),
        ("swa", "adjectives", "ke\tyes\tperson\tfemale", "ke"),
        ("swa", "adjectives", "-zuri\tyes\tperson\tgood", "-zuri"),
        ("swa", "adjectives", "enye\tyes\tperson\thaving", "enye"),
        ("swa", "nouns", "ugonjwa\tmagonjwa\t11/6\tno\tthing\tillness", "ugonjwa"),
        ("hin", "nouns", "रेडियो\tMasc\tregular\ttool\tradio", "रेडियो"),
        ("hin", "verbs", "खे\tperson\ttool\trow", "खे"),
        ("eng", "verbs", "be\tintransitive", "be"),
        ("fra", "nouns", "ami\tMasc\tfriend", "ami"),
        ("fra", "nouns", "cheval\tMasc\thorse", "cheval"),
    ],
)
def test_a_word_that_no_row_of_its_paradigm_fits_is_refused(add, tmp_path, language, table, row, lemma):
    with pytest.raises(ConstructionError) as caught:
        add(language, table, row)
    file, told = tmp_path / "lexicon" / f"{table}.tsv", str(caught.value)
    line = len(file.read_text(encoding="utf-8").splitlines())
    assert told.startswith(f"{file}:{line}: the row has `{lemma}`, for which {table}.paradigm.tsv has no form")
    assert "Add a row for such words there, with the form `-` where they have none, or leave the word out." in told


def test_swahili_adjectives_are_those_of_unimorph(unimorph):
    cells = unimorph("swc")
    pairs = {"1": "SG 1", "2": "PL 1", "3": "SG 2", "4": "PL 2", "5": "SG 7", "6": "PL 7", "7": "SG 3", "8": "PL 3",
             "9": "SG 4", "10": "PL 4", "11": "SG 5"}  # fmt: skip
    checked = 0
    for word in words("swa", "adjectives"):
        number, kind = pairs[next(iter(word.values("class")))].split()
        known = cells.get((word.lemma, frozenset(["ADJ", number, f"LGSPEC{kind}"])))
        if known:
            assert word.form in known, (word.lemma, word.attributes["class"], known)
            checked += 1
    assert checked > 150


def test_swahili_animals_agree_as_persons_do_and_may_look_alike_in_the_plural():
    nouns = [word for word in words("swa", "nouns") if word.lemma == "simba"]
    assert [(word.form, set(word.values("concord")), set(word.values("also"))) for word in nouns] == [
        ("simba", {"1"}, {"2"}),
        ("simba", {"2"}, {"1"}),
    ]


@pytest.mark.parametrize("file", sorted(QUERIES.glob("*/lexicon/nouns.tsv")), ids=lambda file: file.parts[-3])
def test_no_noun_is_listed_twice_or_has_two_forms_in_a_cell(file):
    nouns = open_lexicon(file.parents[1]).table("nouns").words
    cells = [
        (word.lemma, *(word.attributes[name] for name in sorted(word.attributes) if name[0].isupper()))
        for word in nouns
    ]
    assert len(cells) == len(set(cells))


def test_swahili_verbs_put_together_are_those_of_unimorph(unimorph):
    known = {form for (lemma, _), found in unimorph("swc").items() if lemma in ("lala", "safiri") for form in found}
    subjects = {word.form for word in words("swa", "concords") if word.lemma == "subject"}
    assert subjects == {"a", "wa", "u", "i", "li", "ya", "ki", "vi", "zi"}
    made = {f"{subject}{tense}{stem}" for subject in subjects for tense in ("li", "na", "ta")
            for stem in ("lala", "safiri")}  # fmt: skip
    assert made <= known


def test_hindi_participles_are_those_of_the_table_for_treebanks():
    table = words("hin", "participles")
    known = {aspect: {word.form for word in table if aspect in word.values("Aspect")} for aspect in ("Imp", "Perf")}
    lemmas = {word.lemma for word in table}
    ours = [word for word in words("hin", "verbs") if f"{word.lemma}ना" in lemmas]
    assert len({word.lemma for word in ours}) > 5
    for word in ours:
        assert word.form in known[next(iter(word.values("Aspect")))]


def test_all_that_a_basque_noun_names_may_please_interest_or_be_forgotten():
    kinds = frozenset().union(*(word.values("kind") for word in words("eus", "nouns")))
    for lemma in ("gustatu", "interesatu", "ahaztu"):
        assert {word.values("subject") for word in words("eus", "verbs") if word.lemma == lemma} == {kinds}
