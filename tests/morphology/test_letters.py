"""Hashes of letters and of what is around them."""

import numpy as np

from starbank.morphology.letters import Words, distinct, find_vowels, mix


def test_a_cell_and_an_ending_are_not_exchanged():
    """A letter has a hash of its own, and so has a number: one of them with the other is not the other with the one."""
    letters = Words(["i", "n"])
    i, n = letters.ending(np.array([0, 1]), 1)
    assert mix(ord("n"), i) != mix(ord("i"), n)


def test_what_is_mixed_together_has_one_hash_whatever_else_is_mixed():
    assert mix(np.array([1, 2]), 3)[0] == mix(1, 3)


def test_distinct_numbers_come_in_order_and_tell_where_they_are():
    numbers = np.array([7, 3, 7])
    found, place, which = distinct(numbers)
    assert found.tolist() == numbers[place].tolist() == [3, 7]
    assert which.tolist() == [1, 0, 1]


def test_without_words_there_are_no_vowels():
    assert find_vowels([]) == frozenset()
