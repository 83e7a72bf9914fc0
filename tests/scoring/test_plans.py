"""What a model is asked: the inputs, and the tokens that are read from them."""

import numpy as np

from starbank.scoring.plans import (
    Frame,
    Plan,
    Tokens,
    causal,
    decoder_sentence,
    decoder_word,
    masked_original,
    masked_sentence,
    masked_together,
    masked_word,
)

CLS, SEP, MASK, START = 101, 102, 103, 104


def tokens(*ids: int, words: tuple[int, ...] = ()) -> Tokens:
    """Tokens of one letter each, with a space before each word; `words` numbers the words (one per token)."""
    word = np.array(words or range(len(ids)))
    start = np.arange(len(ids)) + word
    return Tokens(np.array(ids), start, start + 1, word)


def frame(before: list[int], after: list[int], limit: int | None = None) -> Frame:
    return Frame(np.array(before, np.int64), np.array(after, np.int64), MASK, limit)


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def asked(plan: Plan) -> list[tuple[list[int], int, int]]:
    """Each read as (input, position, token); the input is empty where nothing predicts the token."""
    row, position, token, *_ = plan.columns()
    inputs = [*(ids.tolist() for ids in plan.inputs), []]
    return [(inputs[r], p, t) for r, p, t in zip(row.tolist(), position.tolist(), token.tolist(), strict=True)]


def test_causal_reads_each_token_one_place_before_it() -> None:
    assert asked(causal([tokens(7, 8)], frame([1], []))) == [([1, 7], 0, 7), ([1, 7], 1, 8)]


def test_without_a_beginning_the_first_token_has_no_prediction() -> None:
    assert asked(causal([tokens(7, 8)], frame([], []))) == [([], 0, 7), ([7], 0, 8)]


def test_causal_reads_a_long_text_through_windows_that_overlap_by_half() -> None:
    plan = causal([tokens(5, 6, 7, 8, 9)], frame([1], [], limit=4))
    assert asked(plan) == [
        ([1, 5, 6], 0, 5),
        ([1, 5, 6], 1, 6),
        ([1, 5, 6], 2, 7),
        ([6, 7, 8], 1, 8),
        ([6, 7, 8], 2, 9),
    ]


def test_sentence_masks_a_token_and_the_later_ones_of_its_word() -> None:
    plan = masked_sentence([tokens(7, 8, 9, words=(0, 0, 1))], frame([CLS], [SEP]))
    assert asked(plan) == [
        ([CLS, MASK, MASK, 9, SEP], 1, 7),
        ([CLS, 7, MASK, 9, SEP], 2, 8),
        ([CLS, 7, 8, MASK, SEP], 3, 9),
    ]


def test_word_has_one_mask_for_the_rest_of_the_target() -> None:
    plan = masked_word([tokens(6, 7, 8, 9, words=(0, 1, 1, 2))], [(2, 4)], frame([CLS], [SEP]))
    assert asked(plan) == [([CLS, 6, MASK, 9, SEP], 2, 7), ([CLS, 6, 7, MASK, 9, SEP], 3, 8)]


def test_original_masks_one_token_at_a_time() -> None:
    plan = masked_original([tokens(7, 8, words=(0, 0))], frame([CLS], [SEP]))
    assert asked(plan) == [([CLS, MASK, 8, SEP], 1, 7), ([CLS, 7, MASK, SEP], 2, 8)]


def test_together_has_a_mask_for_each_token_of_the_target() -> None:
    plan = masked_together([tokens(6, 7, 8, 9, words=(0, 1, 1, 2))], [(2, 4)], frame([CLS], [SEP]))
    assert asked(plan) == [([CLS, 6, MASK, MASK, 9, SEP], 2, 7), ([CLS, 6, MASK, MASK, 9, SEP], 3, 8)]


def test_a_decoder_reads_the_sentence_with_nothing_in_the_encoder() -> None:
    plan = decoder_sentence([tokens(7, 8)], Frame(ids(), ids(SEP), MASK, None, ids(START)))
    assert asked(plan) == [([START, 7], 0, 7), ([START, 7], 1, 8)]
    assert [source.tolist() for source in plan.sources] == [[SEP]]


def test_a_decoder_fills_the_gap_that_the_encoder_sees() -> None:
    shape = Frame(ids(), ids(SEP), MASK, None, ids(START), fills=True)
    plan = decoder_word([tokens(6, 7, 8, 9, words=(0, 1, 1, 2))], [(2, 4)], shape)
    assert asked(plan) == [([START, MASK, 7], 1, 7), ([START, MASK, 7], 2, 8)]
    assert [source.tolist() for source in plan.sources] == [[6, MASK, 9, SEP]]


def test_a_decoder_that_repeats_the_text_reads_the_target_in_its_place() -> None:
    plan = decoder_word([tokens(6, 7, 9)], [(2, 3)], Frame(ids(CLS), ids(SEP), MASK, None, ids(SEP, CLS)))
    assert asked(plan) == [([SEP, CLS, 6], 2, 7)]
    assert [source.tolist() for source in plan.sources] == [[CLS, 6, MASK, 9, SEP]]


def test_an_encoder_sees_what_fits_around_the_gap() -> None:
    shape = Frame(ids(), ids(SEP), MASK, 5, ids(START), fills=True)
    plan = decoder_word([tokens(1, 2, 3, 4, 5, 6)], [(6, 7)], shape)
    assert [source.tolist() for source in plan.sources] == [[3, MASK, 5, SEP]]
    plan = decoder_word([tokens(1, 2, 3, 4)], [(0, 1)], shape)
    assert [source.tolist() for source in plan.sources] == [[MASK, 2, 3, SEP]]


def test_conditions_of_one_item_share_the_first_input() -> None:
    conditions = [tokens(6, 7, 9), tokens(6, 8, 9)]
    plan = masked_word(conditions, [(2, 3), (2, 3)], frame([CLS], [SEP]))
    assert len(plan.inputs) == 1
    assert [token for _, _, token in asked(plan)] == [7, 8]


def test_a_long_text_is_read_through_a_window_around_the_mask() -> None:
    plan = masked_sentence([tokens(1, 2, 3, 4, 5)], frame([CLS], [SEP], limit=5))
    assert [ids.tolist() for ids in plan.inputs] == [
        [CLS, MASK, 2, 3, SEP],
        [CLS, 1, MASK, 3, SEP],
        [CLS, 2, MASK, 4, SEP],
        [CLS, 3, MASK, 5, SEP],
        [CLS, 3, 4, MASK, SEP],
    ]


def test_an_empty_text_asks_nothing() -> None:
    for plan in (
        causal([tokens()], frame([1], [])),
        causal([tokens()], frame([], [])),
        masked_sentence([tokens()], frame([], [])),
    ):
        assert asked(plan) == []
