"""Paradigms written down beside a construction: a word finds its row by its own form, and the change leads on."""

import pyarrow as pa
import pytest

from starbank.errors import StarbankError
from starbank.morphology.paradigm_tables import ParadigmTables, as_determiners

HEADER = "lemma\tupos\tfeats\tform\n"
BASQUE = """\
# The treebank has no tense: du and zuen stand in one cell of it.
lemma\tupos\tfeats\tform
edun\tAUX\tNumber[abs]=Sing|Tense=Pres\tdu
edun\tAUX\tNumber[abs]=Plur|Tense=Pres\tditu
edun\tAUX\tNumber[abs]=Sing|Tense=Past\tzuen
edun\tAUX\tNumber[abs]=Plur|Tense=Past\tzituen
"""
SING = "Number[abs]=Sing|VerbForm=Fin"
PLUR = "Number[abs]=Plur|VerbForm=Fin"


@pytest.fixture
def form(tmp_path):
    """Return the form that a table has for one word."""

    def form(table, own_form, own_feats, feats, *, lemma="edun", upos="AUX"):
        file = tmp_path / "table.tsv"
        file.write_text(table, encoding="utf-8")
        cell = {
            "row": [7],
            "lemma": [lemma],
            "upos": [upos],
            "feats": [feats],
            "own_form": [own_form],
            "own_feats": [own_feats],
        }
        return ParadigmTables([file]).forms(pa.table(cell)).to_pylist()

    return form


@pytest.mark.parametrize(("own", "other"), [("du", "ditu"), ("zuen", "zituen"), ("Zuen", "zituen")])
def test_a_table_may_tell_more_than_the_treebank(form, own, other):
    assert form(BASQUE, own, SING, PLUR) == [{"row": 7, "form": other}]


def test_a_word_whose_features_contradict_the_table_has_no_form(form):
    assert form(BASQUE, "ditu", SING, PLUR) == []


def test_a_form_of_one_word_only_needs_no_lemma(form):
    assert form(BASQUE, "du", SING, PLUR, lemma="ukan") == [{"row": 7, "form": "ditu"}]


def test_verbs_and_auxiliaries_share_their_entries(form):
    assert form(BASQUE, "du", SING, PLUR, lemma="ukan", upos="VERB") == [{"row": 7, "form": "ditu"}]
    assert form(BASQUE, "du", SING, PLUR, upos="NOUN") == []


def test_a_form_that_leads_to_different_forms_leads_nowhere(form):
    ambiguous = BASQUE + "edun\tAUX\tNumber[abs]=Sing|Tense=Fut\tdu\nedun\tAUX\tNumber[abs]=Plur|Tense=Fut\tdituke\n"
    assert form(ambiguous, "du", SING, PLUR) == []


def test_features_that_the_table_does_not_tell_apart_do_not_count(form):
    hindi = HEADER + "करना\tVERB\tAspect=Perf|Gender=Fem\tकी\nकरना\tVERB\tAspect=Imp|Gender=Fem\tकरती\n"
    own, other = "Aspect=Perf|Gender=Fem|Person=3|Tense=Past", "Aspect=Imp|Gender=Fem|Person=3|Tense=Pres"
    assert form(hindi, "की", own, other, lemma="कर", upos="VERB") == [{"row": 7, "form": "करती"}]


def test_letters_may_be_composed_in_another_way(form):
    hindi = HEADER + "पढ़ना\tVERB\tAspect=Perf\tपढ़ा\nपढ़ना\tVERB\tAspect=Imp\tपढ़ता\n"
    composed = "प\u095dा"
    assert form(hindi, composed, "Aspect=Perf", "Aspect=Imp", lemma="पढ़ना", upos="VERB") == [{"row": 7, "form": "पढ़ता"}]


WRONG = {
    "form\tlemma\n": (1, "is no table of paradigms"),
    HEADER + "edun\tAUX\tTense=Past\n": (2, "is no entry of a paradigm"),
    HEADER + "# past\nedun\tAUX\tPast\tzuen\n": (3, "`Past` is no feature"),
}


@pytest.mark.parametrize("table", WRONG)
def test_a_table_with_a_mistake_is_refused_with_its_line(form, table):
    line, message = WRONG[table]
    with pytest.raises(StarbankError) as error:
        form(table, "du", SING, PLUR)
    assert (error.value.line, error.value.message) == (line, message)


MODIFIERS = """\
lemma\tupos\tfeats\tform
ეს\tDET\tCase=Nom\tეს
ეს\tDET\tCase=Erg\tამ
*\tADJ\tCase=Nom\t*ი
*\tADJ\tCase=Erg\t*მა
*\tADJ\tCase=Dat\t*
"""


@pytest.mark.parametrize(
    ("own", "own_case", "case", "other"),
    [("დიდი", "Nom", "Erg", "დიდმა"), ("დიდმა", "Erg", "Dat", "დიდ"), ("დიდ", "Dat", "Nom", "დიდი")],
)
def test_a_row_may_be_about_all_words_with_an_ending(form, own, own_case, case, other):
    found = form(MODIFIERS, own, f"Case={own_case}", f"Case={case}", lemma="დიდი", upos="ADJ")
    assert found == [{"row": 7, "form": other}]


def test_a_word_without_the_ending_has_no_form(form):
    # A stem in a vowel: სამეცნიერო does not change.
    assert form(MODIFIERS, "სამეცნიერო", "Case=Nom", "Case=Erg", lemma="სამეცნიერო", upos="ADJ") == []


def test_a_star_stands_for_the_lemma_and_in_the_form(form):
    with pytest.raises(StarbankError, match="has `\\*` for the lemma or in the form, and not in both"):
        form(HEADER + "დიდი\tADJ\tCase=Nom\t*ი\n", "დიდი", "Case=Nom", "Case=Erg")


@pytest.mark.parametrize(("use", "upos"), [("attributive", "DET"), (None, "PRON")])
def test_a_pronoun_before_a_noun_is_a_determiner(use, upos):
    cells = pa.table({"upos": ["PRON"], "use": pa.array([use], pa.string())})
    assert as_determiners(cells)["upos"].to_pylist() == [upos]
