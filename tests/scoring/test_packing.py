"""Inputs that begin alike are laid out as trees, and every token keeps its own ancestors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starbank.scoring.packing import MOST_TOKENS, Rows, pack


def arrays(*inputs: list[int]) -> list[np.ndarray]:
    return [np.array(ids, np.int64) for ids in inputs]


def rows(packed: Rows) -> list[tuple[list[int], list[int], list[int]]]:
    """(ids, depth, end) of each row."""
    spans = zip(packed.first[:-1], packed.first[1:], strict=True)
    return [tuple(column[a:b].tolist() for column in (packed.ids, packed.depth, packed.end)) for a, b in spans]


def read_back(packed: Rows, number: int, length: int) -> list[int]:
    """The ids that the last token of an input sees: its ancestors, in the order of their depths."""
    last = int(packed.places[number, length - 1])
    begin = int(packed.first[np.searchsorted(packed.first, last, side="right") - 1])
    seen = [place for place in range(begin, last + 1) if last - begin < packed.end[place]]
    assert packed.depth[seen].tolist() == list(range(length))
    return packed.ids[seen].tolist()


def test_what_two_inputs_begin_with_is_there_once() -> None:
    packed = pack(arrays([1, 2, 3, 4], [1, 2, 7]), share=True)
    assert rows(packed) == [([1, 2, 3, 4, 7], [0, 1, 2, 3, 2], [5, 5, 4, 4, 5])]
    assert packed.places[0].tolist() == [0, 1, 2, 3]
    assert packed.places[1, :3].tolist() == [0, 1, 4]


def test_inputs_that_begin_differently_stand_side_by_side() -> None:
    assert rows(pack(arrays([1, 2], [3, 4]), share=True)) == [([1, 2, 3, 4], [0, 1, 0, 1], [2, 2, 4, 4])]


def test_a_little_in_common_is_not_worth_a_branch() -> None:
    inputs = arrays([0, *range(10, 18)], [0, *range(20, 28)])
    assert pack(inputs, share=True).lengths.tolist() == [18]


def test_without_sharing_each_input_is_a_row() -> None:
    assert rows(pack(arrays([1, 2], [1, 3]), share=False)) == [([1, 2], [0, 1], [2, 2]), ([1, 3], [0, 1], [2, 2])]


def test_rows_are_filled_so_that_little_is_padded() -> None:
    inputs = arrays(*([number] * 40 for number in range(8)))
    assert pack(inputs, share=True).lengths.tolist() == [120, 120, 80]


def test_a_tree_does_not_grow_without_end() -> None:
    inputs = arrays(*([*range(100), 200 + number, *range(100)] for number in range(20)))
    assert pack(inputs, share=True).lengths.max() <= MOST_TOKENS


@pytest.mark.parametrize("share", [True, False])
@given(inputs=st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=8), min_size=1, max_size=12, unique_by=tuple))
def test_every_token_sees_its_own_input_and_nothing_else(share: bool, inputs: list[list[int]]) -> None:
    packed = pack(arrays(*inputs), share=share)
    for number, ids in enumerate(inputs):
        for length in range(1, len(ids) + 1):
            assert read_back(packed, number, length) == ids[:length]
