"""What a treebank tells of words beside one another: a dog, an hour; zu dem, zum."""

import pyarrow as pa
import pytest

from starbank.morphology.sandhi import learn_sandhi, surface_words
from tests.small_treebank import NOUNS, it_was, small_treebank

ARTICLE = "DET Definite=Ind|PronType=Art"


@pytest.fixture(scope="module")
def english(tmp_path_factory):
    return learn_sandhi([small_treebank(tmp_path_factory.mktemp("eng"), *map(it_was, NOUNS), language="eng")])


def articles(*places, form="a"):
    """Return a table of English articles before words."""
    upos, feats = ARTICLE.split()
    rows = [
        {"form": form, "lemma": "a", "upos": upos, "feats": feats, "previous": "was", "following": following}
        for following in places
    ]
    nothing = pa.nulls(len(rows), pa.string())
    return pa.Table.from_pylist(rows).append_column("previous_upos", nothing).append_column("following_upos", nothing)


def test_the_form_that_fits_is_told_by_the_first_letters_of_the_next_word(english):
    assert english.fitting(articles("elephant", "tiger")).to_pylist() == ["an", "a"]
    assert english.fits(articles("elephant", "tiger", form="an")).to_pylist() == [True, False]


def test_the_form_keeps_its_capital(english):
    assert english.fitting(articles("elephant", form="A")).to_pylist() == ["An"]


def test_nothing_is_told_beside_letters_that_are_unknown(english):
    assert english.fits(articles("8", "…")).to_pylist() == [None, None]


def test_nothing_is_told_of_words_with_one_form(english, tmp_path):
    words = surface_words(small_treebank(tmp_path, it_was("owl"), language="eng").tokens)
    assert words["form"].to_pylist() == ["It", "was", "an", "owl", "."]
    assert english.fits(words).to_pylist() == [None, None, True, None, None]


def test_forms_that_their_neighbours_do_not_tell_do_not_alternate(tmp_path):
    """Hebt and hub, of one cell in old texts, are as free before one letter as before another."""
    sentences = [
        f"""
        Er {form} {noun}
        1 Er er PRON _ 2 nsubj
        2 {form} heben VERB Mood=Ind|Tense=Past 0 root
        3 {noun} {noun} NOUN _ 2 obj
        """
        for form in ("hob", "hub")
        for noun in ("Anker", "Eimer", "Hanteln", "Steine", "Truhen")
    ]
    assert len(learn_sandhi([small_treebank(tmp_path, *sentences, language="deu")]).members) == 0


ZUM_HAUS = """
    Er ging zum Haus und zu dem, der kam
    1 Er er PRON _ 2 nsubj
    2 ging gehen VERB _ 0 root
    3-4 zum _ _ _ _ _
    3 zu zu ADP _ 5 case
    4 dem der DET _ 5 det
    5 Haus Haus NOUN _ 2 obl
    6 und und CCONJ _ 8 cc
    7 zu zu ADP _ 8 case
    8 dem der PRON _ 5 conj SpaceAfter=No
    9 , , PUNCT _ 11 punct
    10 der der PRON _ 11 nsubj
    11 kam kommen VERB _ 8 acl
"""


def test_words_that_are_written_as_one(tmp_path):
    sandhi = learn_sandhi([small_treebank(tmp_path, ZUM_HAUS, language="deu")])
    assert sandhi.fusions.to_pylist() == [
        {
            "first": "zu", "first_upos": "ADP", "second": "dem", "second_upos": "DET",
            "surface": "zum", "fused": 1, "adjacent": 1,
        }
    ]  # fmt: skip


def test_a_multiword_token_stands_for_the_words_that_it_hides(tmp_path):
    words = surface_words(small_treebank(tmp_path, ZUM_HAUS, language="deu").tokens)
    beside = words.select(["previous", "form", "following"]).to_pylist()
    assert beside[1:5] == [
        {"previous": "Er", "form": "ging", "following": "zum"},
        {"previous": "ging", "form": "zu", "following": "dem"},
        {"previous": "zu", "form": "dem", "following": "Haus"},
        {"previous": "zum", "form": "Haus", "following": "und"},
    ]


def test_a_word_begins_as_no_other_does_beside_its_neighbour(tmp_path):
    """Irish *sa*, in the, changes no s, though *mo*, my, does: sa chistin, mo shúil, and never sa sholas."""
    in_the = [
        "chistin",
        "chathair",
        "chorcán",
        "bhaile",
        "bhosca",
        "bhanc",
        "pháirc",
        "phictiúr",
        "mhaidin",
        "mhála",
        "gharraí",
        "gheimhreadh",
    ]
    my = [
        "shúil",
        "sheomra",
        "shaol",
        "shagart",
        "shráid",
        "shlat",
        "shlí",
        "shalann",
        "sheaicéad",
        "sheanmháthair",
        "shórt",
        "shuíochán",
    ]
    sentences = [
        f"""
        {word} {noun}
        1 {word} {word} {upos} _ 2 {relation}
        2 {noun} {noun} NOUN Form=Len|Number=Sing 0 root
        """
        for word, upos, relation, nouns in (("sa", "ADP", "case", in_the), ("mo", "DET", "det", my))
        for noun in nouns
    ]
    irish = learn_sandhi([small_treebank(tmp_path, *sentences, language="gle")])
    light = {"form": "sholas", "lemma": "solas", "upos": "NOUN", "feats": "Form=Len|Number=Sing", "following": "."}
    words = pa.Table.from_pylist(
        [
            {**light, "previous": "sa", "previous_upos": "ADP", "following_upos": "PUNCT"},
            {**light, "previous": "mo", "previous_upos": "DET", "following_upos": "PUNCT"},
        ]
    )
    before, after = irish.judge(words).avoids
    assert before.tolist() == [True, False]
    assert after.tolist() == [False, False]
