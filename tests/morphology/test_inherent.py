"""What a word has for good, and what it inflects for, as a treebank tells."""

import pyarrow as pa

from starbank.morphology import LEXICON, Lexicon
from starbank.morphology.inherent import inherent_values
from tests.small_treebank import small_treebank


def lexicon(*words):
    """Return the lexicon of words given as lemma, UPOS, FEATS and how often."""
    entries = [
        {"language": "pol", "lemma": lemma, "upos": upos, "feats": feats, "form": f"{lemma}{number}", "count": count,
         "source": "treebank", "confidence": 1.0}
        for number, (lemma, upos, feats, count) in enumerate(words)
    ]  # fmt: skip
    return Lexicon(pa.Table.from_pylist(entries, schema=LEXICON))


def test_nouns_have_a_gender_and_inflect_for_number():
    nouns = lexicon(
        ("kot", "NOUN", "Gender=Masc|Number=Sing", 6),
        ("kot", "NOUN", "Gender=Masc|Number=Plur", 4),
        ("ryba", "NOUN", "Gender=Fem|Number=Sing", 5),
        ("ryba", "NOUN", "Gender=Fem|Number=Plur", 3),
    )
    assert nouns.inherent == {("NOUN", "Gender")}


def test_adjectives_inflect_for_gender():
    adjectives = lexicon(("mały", "ADJ", "Gender=Masc", 4), ("mały", "ADJ", "Gender=Fem", 3))
    assert adjectives.inherent == frozenset()


def test_a_slip_of_annotation_makes_no_inflection():
    nouns = lexicon(
        ("kot", "NOUN", "Gender=Masc", 30), ("kot", "NOUN", "Gender=Fem", 1), ("ryba", "NOUN", "Gender=Fem", 20)
    )
    assert nouns.inherent == {("NOUN", "Gender")}


def test_a_feature_with_one_value_tells_nothing():
    assert lexicon(("kot", "NOUN", "Gender=Masc", 3)).inherent == frozenset()


def test_words_that_are_there_once_tell_nothing():
    assert lexicon(("kot", "NOUN", "Gender=Masc", 1), ("ryba", "NOUN", "Gender=Fem", 1)).inherent == frozenset()


# Two words of each of these lemmas, one in the singular and one in the plural.
BOTH_NUMBERS = [
    *(("kot", "kot", "Sing"), ("koty", "kot", "Plur")),
    *(("dom", "dom", "Sing"), ("domy", "dom", "Plur")),
    *(("las", "las", "Sing"), ("lasy", "las", "Plur")),
]


def values_for_good(folder, *words):
    """Return the values of Number that nouns, given as form, lemma and number, have for good."""
    sentences = [f"{form}\n1 {form} {lemma} NOUN Number={number} 0 root" for form, lemma, number in words]
    return inherent_values(small_treebank(folder, *sentences, language="pol"), ["NOUN"], "Number")


def test_pluralia_tantum_have_their_number_for_good(tmp_path):
    tantum = [(form, form, "Ptan") for form in ("drzwi", "nożyce", "sanie") for _ in range(2)]
    assert values_for_good(tmp_path, *BOTH_NUMBERS, *tantum) == {"Ptan"}


def test_a_value_that_two_lemmas_have_is_not_judged(tmp_path):
    tantum = [(form, form, "Ptan") for form in ("drzwi", "nożyce") for _ in range(2)]
    assert values_for_good(tmp_path, *BOTH_NUMBERS, *tantum) == set()
