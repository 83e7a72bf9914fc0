"""Which cell a word has when a feature changes: that of the language, not that of the features alone."""

import pyarrow as pa
import pytest

from starbank.morphology import LEXICON, Lexicon
from starbank.treebanks.features import format_features, parse_features


@pytest.fixture
def nearest():
    """Return the cell of a word of `upos` and `feats` that changes, in a language of which `cells` are attested."""

    def nearest(cells, feats, change, *, ruler="", lemma=None, of_lemma=(), upos="VERB"):
        words = [(f"lemma{number}", cell) for cell in cells for number in range(4)]
        entries = [
            {"language": "pol", "lemma": word, "upos": upos, "feats": cell, "form": word, "count": 3,
             "source": "treebank", "confidence": 1.0}
            for word, cell in [*words, *((lemma, cell) for cell in of_lemma)]
        ]  # fmt: skip
        attested = Lexicon(pa.Table.from_pylist(entries, schema=LEXICON)).attested_cells
        return format_features(
            dict(attested.nearest(upos, lemma, parse_features(feats), change, parse_features(ruler)))
        )

    return nearest


PAST = ["Gender=Fem|Number=Sing", "Gender=Masc|Number=Sing", "Number=Plur"]


def test_a_cell_that_is_attested_is_taken(nearest):
    assert nearest(PAST, "Gender=Fem|Number=Sing", {"Gender": "Masc"}) == "Gender=Masc|Number=Sing"


def test_the_russian_past_loses_its_gender_in_the_plural(nearest):
    assert nearest(PAST, "Gender=Fem|Number=Sing", {"Number": "Plur"}) == "Number=Plur"


@pytest.mark.parametrize("gender", ["Fem", "Masc"])
def test_in_the_singular_it_has_the_gender_of_its_subject(nearest, gender):
    subject = f"Gender={gender}|Number=Plur"
    assert nearest(PAST, "Number=Plur", {"Number": "Sing"}, ruler=subject) == f"Gender={gender}|Number=Sing"


def test_polish_animacy_is_of_masculines_only(nearest):
    cells = ["Animacy=Hum|Gender=Masc", "Animacy=Inan|Gender=Masc", "Gender=Fem"]
    assert nearest(cells, "Animacy=Hum|Gender=Masc", {"Gender": "Fem"}, upos="ADJ") == "Gender=Fem"


def test_what_a_word_need_not_have_is_kept_though_the_cell_is_rare(nearest):
    # A Basque auxiliary that agrees with a dative, too, does not lose it.
    cells = ["Number[abs]=Sing", "Number[abs]=Plur", "Number[abs]=Sing|Number[dat]=Sing"]
    wanted = nearest(cells, "Number[abs]=Sing|Number[dat]=Sing", {"Number[abs]": "Plur"}, upos="AUX")
    assert wanted == "Number[abs]=Plur|Number[dat]=Sing"


def test_what_the_lemma_has_itself_is_attested(nearest):
    cell = "Gender=Fem|Number=Plur"
    assert nearest(PAST, "Gender=Fem|Number=Sing", {"Number": "Plur"}, lemma="powinien", of_lemma=[cell]) == cell


def test_where_nothing_is_near_the_cell_stays_as_it_is_said(nearest):
    assert nearest(["Number=Sing"], "Number=Sing", {"Number": "Dual"}) == "Number=Dual"


BOTH = ["Gender=Fem|Number=Sing", "Gender=Masc|Number=Sing", "Gender=Fem,Masc|Number=Plur"]


def test_a_cell_of_two_values_has_each_of_them(nearest):
    # The Hebrew past has one plural for both genders.
    assert nearest(BOTH, "Gender=Masc|Number=Sing", {"Number": "Plur"}) == "Gender=Fem,Masc|Number=Plur"


@pytest.mark.parametrize("gender", ["Fem", "Masc"])
def test_of_two_values_the_one_stays_that_the_subject_has(nearest, gender):
    subject = f"Gender={gender}|Number=Plur"
    singular = nearest(BOTH, "Gender=Fem,Masc|Number=Plur", {"Number": "Sing"}, ruler=subject)
    assert singular == f"Gender={gender}|Number=Sing"


def test_a_cell_that_has_the_value_before_too_is_no_change(nearest):
    assert nearest(BOTH, "Gender=Fem|Number=Plur", {"Gender": "Masc"}) == "Gender=Masc|Number=Plur"


def test_a_slip_does_not_attest_a_cell_that_others_have_with_more_values(nearest):
    cells = [*BOTH * 6, "Gender=Masc|Number=Plur"]
    assert nearest(cells, "Gender=Masc|Number=Sing", {"Number": "Plur"}) == "Gender=Fem,Masc|Number=Plur"


def test_what_no_word_of_a_kind_shows_is_not_asked_of_it(nearest):
    # Verbs of some Dutch treebanks show no person.
    cells = ["Number=Sing|VerbForm=Fin", "Number=Plur|VerbForm=Fin", "VerbForm=Inf"]
    change = {"VerbForm": "Fin", "Number": "Sing", "Person": "3"}
    assert nearest(cells, "VerbForm=Inf", change) == "Number=Sing|VerbForm=Fin"
