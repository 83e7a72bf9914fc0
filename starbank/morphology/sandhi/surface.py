"""Words beside one another as a reader sees them: multiword tokens that hide their words stand for these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.words import covering
from starbank.treebanks.arrays import mask, numbers, take, whole

# The columns of tokens and of sentences that are read.
READ = (("node", "sent", "id", "position", "form", "lemma", "upos", "feats", "start"), ("sent",))


@dataclass(frozen=True)
class Surface:
    """What stands beside the words of a table of tokens.

    `row` is the row of each word; `previous` and `following` are the rows of what stands beside it in the text, -1 at
    the edge of the sentence: a multiword token where its words do not show, another of its words for one of these;
    `cover` is the row of the multiword token that hides the word, -1 for none. `columns` has the tokens' `node`,
    `form`, `lemma`, `upos`, `feats`.
    """

    row: np.ndarray
    previous: np.ndarray
    following: np.ndarray
    cover: np.ndarray
    columns: dict[str, pa.Array]

    @classmethod
    def of(cls, tokens: pa.Table) -> Surface:
        """Return the surface of a table of tokens."""
        word = mask(pc.ascii_is_decimal(whole(tokens["id"])))
        cover = np.where(mask(whole(tokens["start"]).is_valid()), -1, covering(tokens))
        hidden = word & (cover >= 0)
        shown = word & ~hidden
        shown[cover[hidden]] = True
        sent = numbers(tokens["sent"])
        # Where a word shows, and what shows before and behind that.
        row = np.flatnonzero(word)
        seen = np.where(hidden, cover, np.arange(len(word)))[row]
        shows = np.flatnonzero(shown)
        beside = []
        for step in (-1, 1):
            place = np.searchsorted(shows, seen) + step
            other = np.append(shows, -1)[np.where(place < 0, len(shows), place)]
            other = np.where(sent[other] == sent[row], other, -1)
            sibling = np.roll(row, -step)
            inner = hidden[row] & hidden[sibling] & (cover[sibling] == cover[row]) & ((sibling - row) * step > 0)
            beside.append(np.where(inner, sibling, other))
        columns = {name: whole(tokens[name]) for name in ("node", "form", "lemma", "upos", "feats")}
        return cls(row, beside[0], beside[1], np.where(hidden, cover, -1)[row], columns)

    def words(self, number: np.ndarray | None = None, **other: pa.Array) -> pa.Table:
        """Return all words, or those of some numbers, with what stands beside them; `other` columns stand for these."""
        chosen = slice(None) if number is None else number
        columns = {**self.columns, **other}
        table = {name: take(column, self.row[chosen]) for name, column in columns.items()}
        for side, rows in (("previous", self.previous[chosen]), ("following", self.following[chosen])):
            table[side] = take(columns["form"], rows, rows < 0)
            table[f"{side}_upos"] = take(columns["upos"], rows, rows < 0)
        return pa.table(table)


def surface_words(tokens: pa.Table) -> pa.Table:
    """Return the words of a table of tokens, in corpus order, with what stands beside them.

    Columns: `node`, `form`, `lemma`, `upos`, `feats`, `previous` and `following` (the forms beside the word,
    punctuation and multiword tokens among them, null at the edges of the sentence), `previous_upos`, `following_upos`.
    """
    return Surface.of(tokens).words()
