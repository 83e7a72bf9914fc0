"""Where two sentences are cut: what they share stands in the prefix and the suffix, whole words that differ between."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starbank.sets.cut import cut


def regions(good: str, bad: str) -> tuple[str, str, str, str]:
    """Return what both begin with, what is in the one and the other, and what both end with."""
    first, last = (int(values[0]) for values in cut(pa.chunked_array([[good]]), pa.chunked_array([[bad]])))
    return good[:first], good[first : len(good) - last], bad[first : len(bad) - last], good[len(good) - last :]


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("The key is here.", "The key are here.", ("The key ", "is", "are", " here.")),
        ("The cat sleeps.", "The cat sleep.", ("The cat ", "sleeps", "sleep", ".")),
        ("They weren't here.", "They wasn't here.", ("They ", "weren't", "wasn't", " here.")),
        ("Кот-то спит?", "Кота-то спит?", ("", "Кот-то", "Кота-то", " спит?")),
        # Marks belong to the letter before them.
        ("बच्चा जाता है।", "बच्चा जाती है।", ("बच्चा ", "जाता", "जाती", " है।")),
        # Where words are not written apart, a letter is one.
        ("他吃了苹果。", "他吃着苹果。", ("他吃", "了", "着", "苹果。")),
        # Several words, from the first that differs to the last.
        ("Who did she see?", "Who did see she?", ("Who did ", "she see", "see she", "?")),
        ("a b a b c", "a b d b c", ("a b ", "a", "d", " b c")),
        # A word that is left out has no counterpart.
        ("She sleeps.", "She sleeps well.", ("", "She sleeps.", "She sleeps well.", "")),
        ("Only Bill ever left.", "Bill ever left.", ("", "Only Bill ever left.", "Bill ever left.", "")),
        ("Same.", "Same.", ("", "Same.", "Same.", "")),
        ("", "", ("", "", "", "")),
    ],
)
def test_a_pair_is_cut_where_words_are(good, bad, expected):
    assert regions(good, bad) == expected


def test_many_pairs_at_once_are_cut_as_each_alone():
    good = pa.chunked_array([["a b", "Ein Hund."], ["他吃了"]])
    bad = pa.chunked_array([["a c"], ["Ein Hunde.", "他吃着"]])
    assert [list(values) for values in cut(good, bad)] == [[2, 4, 2], [0, 1, 0]]


def test_no_pairs():
    none = pa.chunked_array([[]], pa.string())
    assert [len(values) for values in cut(none, none)] == [0, 0]


TEXT = st.lists(st.sampled_from(["the", "key", "is", "are", ",", "«კაცი»", "कि", "他", "don't", "é", "."]), max_size=6)


@settings(deadline=None)
@given(TEXT, TEXT, st.sampled_from(["", " "]))
def test_regions_are_the_sentences_again_and_what_differs_is_in_both(one, other, space):
    good, bad = space.join(one), space.join(other)
    prefix, target, changed, suffix = regions(good, bad)
    assert (prefix + target + suffix, prefix + changed + suffix) == (good, bad)
    if prefix or suffix:
        assert target
        assert changed
        # No word is cut: none of the borders has letters of a script with spaces on both sides.
        for text in (target, changed):
            for left, right in ((prefix, text), (text, suffix)):
                latin = [side.isascii() and side.isalpha() for side in (left[-1:], right[:1])]
                assert not all(latin)
