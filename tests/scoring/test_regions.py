"""Tokens fall into the region of their first visible character, and words are counted whole."""

import numpy as np

from starbank.scoring.conditions import Text
from starbank.scoring.regions import TokenScores, by_region


def text(*regions: str, target: int | None = 1) -> Text:
    return Text("".join(regions), tuple(np.cumsum([len(region) for region in regions]).tolist()), target)


def scores(one: Text, *tokens: tuple[int, int, float]) -> TokenScores:
    """Scores of tokens (start, end, ln p) of the text `one`, numbered 0, each from its first visible character."""
    start, end, logprob = (np.array(column) for column in zip(*tokens, strict=True))
    start += [len(one.text[place:]) - len(one.text[place:].lstrip()) for place in start]
    return TokenScores(np.zeros(len(tokens), np.int64), start, np.maximum(end, start + 1), logprob)


def both(one: Text, *tokens: tuple[int, int, float]) -> tuple[list, list]:
    """The log-probabilities by region at the levels `sentence` and `word`."""
    found = [by_region([one], scores(one, *tokens), level)[0].to_pylist()[0] for level in ("sentence", "word")]
    return found[0], found[1]


def test_a_leading_space_goes_with_its_word() -> None:
    one = text("The ", "cat", " sleeps.")
    tokens = (0, 3, -1.0), (3, 7, -2.0), (7, 14, -4.0), (14, 15, -8.0)  # "The", " cat", " sleeps", "."
    assert both(one, *tokens) == ([-1.0, -2.0, -12.0], [None, -2.0, None])


def test_a_space_that_is_a_token_of_its_own_goes_with_the_next_word() -> None:
    one = text("The ", "cat", " sleeps.")
    tokens = (0, 3, -1.0), (3, 4, -2.0), (4, 7, -4.0), (7, 8, -8.0), (8, 15, -16.0)
    assert both(one, *tokens) == ([-1.0, -6.0, -24.0], [None, -6.0, None])


def test_space_at_the_end_belongs_to_the_last_region() -> None:
    assert both(text("a ", "b", " c "), (0, 1, -1.0), (1, 3, -2.0), (3, 5, -4.0), (5, 6, -8.0))[0] == [
        -1.0,
        -2.0,
        -12.0,
    ]


def test_a_token_over_a_border_belongs_to_the_first_region_but_counts_for_the_word() -> None:
    one = text("ha", "kelev", " navax")  # A Hebrew article, its noun, a verb.
    assert both(one, (0, 4, -1.0), (4, 7, -2.0), (7, 13, -4.0)) == ([-1.0, -2.0, -4.0], [None, -3.0, None])


def test_the_word_level_compares_whole_words_whatever_the_tokens() -> None:
    # "saxl|ši" as one token and as two: both count the postposition.
    one = text("is ", "saxl", "ši.")
    assert both(one, (0, 2, -1.0), (2, 9, -2.0), (9, 10, -4.0))[1] == [None, -2.0, None]
    assert both(one, (0, 2, -1.0), (2, 7, -2.0), (7, 9, -8.0), (9, 10, -4.0))[1] == [None, -10.0, None]


def test_pieces_of_one_character_belong_together() -> None:
    one = text("", "ქა", "ლი")  # Byte-level tokens: three bytes a letter, here two tokens a letter.
    tokens = (0, 1, -1.0), (0, 1, -2.0), (1, 2, -4.0), (1, 2, -8.0), (2, 4, -16.0)
    assert both(one, *tokens) == ([0.0, -15.0, -16.0], [None, -31.0, None])


def test_empty_regions_have_probability_one() -> None:
    assert both(text("", "Cats", "", " sleep"), (0, 4, -1.0), (4, 10, -2.0))[0] == [0.0, -1.0, 0.0, -2.0]


def test_a_token_that_nothing_predicts_is_not_counted() -> None:
    one = text("", "Cats", " sleep")
    scored = scores(one, (0, 4, float("nan")), (4, 10, -2.0))
    logprobs, tokens, *_ = by_region([one], scored, "sentence")
    assert (logprobs.to_pylist(), tokens.to_pylist()) == ([[0.0, 0.0, -2.0]], [[0, 0, 1]])
    logprobs, tokens, *_ = by_region([one], scored, "word")
    assert (logprobs.to_pylist(), tokens.to_pylist()) == ([[None, None, None]], [[0, 0, 0]])


def test_the_tokens_behind_a_sum_are_kept_with_their_characters() -> None:
    one = text("is ", "saxl", "ši.")
    scored = scores(one, (0, 2, -1.0), (2, 7, -2.0), (7, 9, -8.0), (9, 10, -4.0))
    *_, logprobs, starts, ends = by_region([one], scored, "sentence")
    assert logprobs.to_pylist() == [[-1.0, -2.0, -8.0, -4.0]]
    assert (starts.to_pylist(), ends.to_pylist()) == ([[0, 3, 7, 9]], [[2, 7, 9, 10]])
    *_, logprobs, starts, ends = by_region([one], scored, "word")
    assert (logprobs.to_pylist(), starts.to_pylist(), ends.to_pylist()) == ([[-2.0, -8.0]], [[3, 7]], [[7, 9]])


def test_several_texts_are_kept_apart() -> None:
    texts = [text("a ", "b"), text("", target=None), text("c ", "d", " e", target=2)]
    flat = TokenScores(
        np.array([0, 0, 2, 2, 2]), np.array([0, 2, 0, 2, 4]), np.array([1, 3, 1, 3, 5]), -(2.0 ** np.arange(5))
    )
    assert by_region(texts, flat, "sentence")[0].to_pylist() == [[-1.0, -2.0], [0.0], [-4.0, -8.0, -16.0]]
    assert by_region(texts, flat, "word")[0].to_pylist() == [[None, -2.0], [None], [None, None, -16.0]]
