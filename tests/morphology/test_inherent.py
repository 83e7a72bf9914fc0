"""What a word has for good, and what it inflects for, as a treebank tells."""

import pyarrow as pa

from starbank.morphology import LEXICON, Lexicon


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
