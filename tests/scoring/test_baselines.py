"""The baselines give the numbers that one gets by hand."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starbank.scoring.baselines import Trigram, Unigram
from starbank.scoring.characters import Characters

SENTENCES = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=8)


def test_unigram_is_relative_frequency_and_an_unknown_word_half_an_occurrence() -> None:
    model = Unigram([["the", "cat"], ["the"]])
    assert model.logprobs([["the", "cat", "dog"]]) == pytest.approx([log(2 / 3.5), log(1 / 3.5), log(0.5 / 3.5)])


def test_trigram_is_interpolated_kneser_ney() -> None:
    # Trained on "a b" and "a c", with the discount 3/4 and the beginnings written s:
    #   p(b)     = (1 - 3/4 + 3/4 * 3 types * 1/4) / 3 bigram types       = 13/48   (x, never seen: 9/48)
    #   p(b|a)   = (1 - 3/4 + 3/4 * 2 followers * 13/48) / 2 trigram types = 21/64   (x: 9/64)
    #   p(b|s a) = (1 - 3/4 + 3/4 * 2 followers * 21/64) / 2 tokens        = 95/256  (x: 27/256)
    #   p(a|s)   = 1 - 3/4 + 3/4 * 13/48 = 29/64;   p(a|s s) = (2 - 3/4 + 3/4 * 29/64) / 2 = 407/512
    model = Trigram([["a", "b"], ["a", "c"]])
    assert model.logprobs([["a", "b"], ["a", "x"]]) == pytest.approx(
        [log(407 / 512), log(95 / 256), log(407 / 512), log(27 / 256)]
    )


def test_a_context_that_was_never_seen_falls_back_to_the_shorter_one() -> None:
    model = Trigram([["a", "b"], ["a", "c"]])
    after_unknown_and_a = model.logprobs([["x", "a", "b"]])[2]
    assert exp(after_unknown_and_a) == pytest.approx(21 / 64)
    after_two_unknown = model.logprobs([["x", "x", "b"]])[2]
    assert exp(after_two_unknown) == pytest.approx(13 / 48)


@given(SENTENCES, st.lists(st.sampled_from("abcdx"), max_size=3))
def test_trigram_probabilities_sum_to_one_in_every_context(sentences: list[list[str]], context: list[str]) -> None:
    vocabulary = sorted({word for sentence in sentences for word in sentence})
    model = Trigram(sentences)
    following = [model.logprobs([[*context, word]])[-1] for word in [*vocabulary, "never seen"]]
    assert np.exp(following).sum() == pytest.approx(1)


@pytest.mark.parametrize("model", [Unigram, Trigram])
def test_forms_that_were_never_seen_tie_exactly(model: type) -> None:
    trained = model([["the", "man", "sees", "the", "dog"]])
    first = trained.logprobs([["the", "wug", "sees", "it"]])
    second = trained.logprobs([["the", "wugs", "sees", "it"]])
    assert first.tolist() == second.tolist()


def test_characters_are_interpolated_witten_bell_of_six() -> None:
    # Trained on "ab", its end written _ and beginnings s: a, b and _ occur once each, each after one context of every
    # length. The lowest order is 1/4 (a, b, _, and one unknown):
    #   p1(a) = (1 + 3 types * 1/4) / (3 tokens + 3 types) = 7/24, and p1(x) = (3 * 1/4) / 6 = 3/24
    #   p2(a|s) = (1 + 1 * 7/24) / (1 + 1), and so on to p6: each order adds half of what is missing to 1
    model = Characters([["ab"]])
    seen = 1 - (1 - 7 / 24) / 2**5
    assert model.logprobs([["ab"]]) == pytest.approx([3 * log(seen)])
    # After an unknown letter b, the context of one letter was never followed by b: p(x|sssss) = 3/24 halved five times,
    # p(a|x) = p(_|a) = p1, but for p(_|a), whose context is known and followed by b: (0 + 1 * 7/24) / 2.
    assert model.logprobs([["xa"]]) == pytest.approx([log(3 / 24 / 2**5) + log(7 / 24) + log(7 / 48)])


@given(SENTENCES, st.lists(st.text("abcdx", min_size=1, max_size=3), max_size=2), st.text("abcdx", max_size=3))
def test_probabilities_of_characters_sum_to_one_in_every_context(
    sentences: list[list[str]], before: list[str], beginning: str
) -> None:
    model = Characters(sentences)
    letters = sorted({letter for sentence in sentences for word in sentence for letter in word})
    going_on = [model.letter_logprobs([[*before, beginning + letter]])[-2] for letter in [*letters, "☃"]]
    ending = model.letter_logprobs([[*before, beginning]])[-1]
    assert np.exp([*going_on, ending]).sum() == pytest.approx(1)


def test_characters_know_the_shapes_of_words_that_they_never_saw() -> None:
    model = Characters([["the", "wugs", "sleep"], ["the", "dogs", "sleep"], ["the", "cat", "sleeps"]])
    plural, singular = model.logprobs([["the", "blicks"], ["the", "blickg"]])[[1, 3]]
    assert plural > singular
