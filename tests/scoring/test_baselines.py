"""The baselines give the numbers that one gets by hand."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starbank.scoring.baselines import Trigram, Unigram

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
