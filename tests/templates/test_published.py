"""Our paradigms beside three of the published BHS suites: the same good and bad forms, but for the defects told here.

Counts are of the items whose words are all in our lexicons.
"""

import re

import pytest

from tests.conftest import ROOT
from tests.templates import published

pytestmark = pytest.mark.skipif(not published.PUBLISHED.is_dir(), reason="needs the published suites in ../shared")


def test_basque_auxiliaries_agree():
    counts, _ = published.compare_basque()
    assert set(counts) == {published.SAME, published.UNKNOWN}
    assert counts[published.SAME] == 976


def test_hindi_predicates_agree_but_for_a_spelling_and_a_verb_that_refuses_ne():
    counts, _ = published.compare_hindi()
    # Published: cookie, ball and tray are masculine.
    culprits = [f"{published.OTHER_GENDER} ({noun})" for noun in ("कुकी", "गेंद", "परात")]
    assert set(counts) == {published.SAME, published.UNKNOWN, published.GLIDE, published.REFUSES, *culprits}
    assert [counts[name] for name in (published.SAME, published.GLIDE, published.REFUSES)] == [733, 97, 42]
    assert [counts[culprit] for culprit in culprits] == [8, 3, 3]


def test_swahili_concords_agree_but_for_the_class_of_four_nouns():
    # Published: viazi and majarida have a plural that is their singular, malimau and madafu a singular of class 9.
    counts, _ = published.compare_swahili()
    culprits = [f"{published.OTHER_CLASS} ({noun})" for noun in ("kiazi", "jarida", "limau", "dafu")]
    assert set(counts) == {published.SAME, published.UNKNOWN, *culprits}
    assert [counts[published.SAME], *(counts[culprit] for culprit in culprits)] == [740, 12, 2, 6, 9]


@pytest.mark.parametrize(
    ("compare", "known"), [(published.compare_hindi, 927), (published.compare_swahili, 769)], ids=["Hindi", "Swahili"]
)
def test_in_the_published_grammar_all_known_words_give_the_published_forms(compare, known):
    counts, _ = compare(published=True)
    assert counts == {published.SAME: known, published.UNKNOWN: 1000 - known}


@pytest.mark.parametrize(
    ("suite", "compare"),
    [
        ("Basque DO-S_DO_V_AUX", published.compare_basque),
        ("Hindi S_ne_O_V", published.compare_hindi),
        ("Swahili N_of_Poss_V", published.compare_swahili),
    ],
)
def test_the_page_on_templates_tells_these_counts(suite, compare):
    counts, _ = compare()
    page = (ROOT / "docs" / "templates.md").read_text(encoding="utf-8")
    known, same, differing = re.search(rf"^\| {suite} \| (\d+) \| (\d+) \|(.*)\|$", page, re.MULTILINE).groups()
    assert (int(known), int(same)) == (1000 - counts[published.UNKNOWN], counts[published.SAME])
    assert sum(map(int, re.findall(r"\d+", differing))) == int(known) - int(same)
