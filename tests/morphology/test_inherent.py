"""What a word has for good, and what it inflects for, as a treebank tells."""

import duckdb
import pyarrow as pa

from starbank.morphology import LEXICON, Lexicon
from starbank.morphology.inherent import inherent_values, lexeme_features
from tests.small_treebank import small_treebank


def lexicon_table(*words):
    """Return a table of words given as lemma, UPOS, FEATS and how often."""
    entries = [
        {"language": "pol", "lemma": lemma, "upos": upos, "feats": feats, "form": f"{lemma}{number}", "count": count,
         "source": "treebank", "confidence": 1.0}
        for number, (lemma, upos, feats, count) in enumerate(words)
    ]  # fmt: skip
    return pa.Table.from_pylist(entries, schema=LEXICON)


def lexicon(*words):
    """Return the lexicon of such words."""
    return Lexicon(lexicon_table(*words))


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


def features_of_lexemes(*words):
    connection = duckdb.connect()
    connection.register("lexicon", lexicon_table(*words))
    return lexeme_features(connection)


def test_a_participle_that_is_an_adjective_is_one_for_good():
    words = (
        *(("zajęty", "ADJ", "Gender=Masc|VerbForm=Part", 2), ("zajęty", "ADJ", "Gender=Fem|VerbForm=Part", 3)),
        *(("mały", "ADJ", "Gender=Masc", 4), ("mały", "ADJ", "Gender=Fem", 3)),
    )
    assert features_of_lexemes(*words) == {"ADJ": {"VerbForm"}}


def test_the_voice_of_participles_of_one_lemma_makes_their_forms():
    words = (
        *(("pisać", "ADJ", "Voice=Act", 5), ("pisać", "ADJ", "Voice=Pass", 5)),
        *(("mały", "ADJ", "Degree=Pos", 4), ("mały", "ADJ", "Degree=Cmp", 4)),
    )
    assert features_of_lexemes(*words) == {}


def test_a_gender_that_a_noun_has_for_good_says_which_paradigm_it_has():
    words = (
        *(("kot", "NOUN", "Gender=Masc|Number=Sing", 6), ("kot", "NOUN", "Gender=Masc|Number=Plur", 4)),
        *(("ryba", "NOUN", "Gender=Fem|Number=Sing", 5), ("ryba", "NOUN", "Gender=Fem|Number=Plur", 3)),
    )
    assert features_of_lexemes(*words) == {}
