"""Numbering: the rows of a token table -> nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from starbank.treebanks import arrays


@dataclass(frozen=True)
class Rows:
    """Which rows of the token table are nodes, and which numbers they get.

    `words` marks the rows that are words or empty nodes; `ids` are their numbers. `sents` is the place of each node's
    sentence in the sentence table, `roots` the number of each sentence's root node, `numbers` each node's `node` in
    the token table.
    """

    words: np.ndarray
    ids: np.ndarray
    sents: np.ndarray
    roots: np.ndarray
    numbers: np.ndarray

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return len(self.numbers)

    def spread(self, codes: np.ndarray) -> np.ndarray:
        """Give each node the code of its row in the token table (int32); roots get 0."""
        column = np.zeros(self.count, np.int32)
        column[self.ids] = codes[self.words]
        return column

    def row_ids(self) -> np.ndarray:
        """Return the node of each row of the token table; rows that are no nodes have 0."""
        ids = np.zeros(len(self.words), np.int32)
        ids[self.words] = self.ids
        return ids

    def dense(self) -> np.ndarray:
        """Return the array that takes a `node` of the token table to the node's number."""
        numbers = np.full(int(self.numbers.max(initial=-1)) + 1, -1, np.int32)
        numbers[self.numbers] = np.arange(self.count, dtype=np.int32)
        return numbers


def number_rows(tokens: pa.Table, sentences: pa.Table) -> Rows:
    """Number all words and empty nodes in corpus order, with a root in front of each sentence."""
    words = arrays.mask(tokens["position"].combine_chunks().is_valid())
    sent_numbers = column(sentences, "sent")
    places = np.zeros(int(sent_numbers.max(initial=-1)) + 1, np.int32)
    places[sent_numbers] = np.arange(len(sent_numbers))
    sent_of_word = places[column(tokens, "sent")[words]]
    ids = np.arange(len(sent_of_word), dtype=np.int64) + sent_of_word + 1
    sizes = np.bincount(sent_of_word, minlength=len(sentences)) + 1
    roots = np.cumsum(sizes) - sizes
    numbers = np.empty(len(ids) + len(roots), np.int64)
    numbers[ids] = column(tokens, "node")[words]
    numbers[roots] = column(sentences, "root")
    return Rows(words, ids, np.repeat(np.arange(len(roots), dtype=np.int32), sizes), roots, numbers)


def column(table: pa.Table, name: str) -> np.ndarray:
    """Return a column of numbers without nulls."""
    return arrays.numbers(table[name])
