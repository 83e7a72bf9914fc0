"""What became of each content word of a colorless green treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks import Treebank
from starbank.treebanks.arrays import mask, take, text, truths, whole

NO_DONOR = "no other word like it"
INFLECTED = "agrees with a noun of the other gender"


def report(
    before: Treebank, after: pa.Table, row: np.ndarray, replaced: np.ndarray, reason: pa.StringArray
) -> pa.Table:
    """Return the table `substitutions/1` of docs/formats.md.

    `row` are the content words among the rows of `before` and `after`; `replaced` and `reason` tell of each whether it
    was replaced, and why not, null where there was no word to replace it.
    """
    order = np.argsort(row, kind="stable")
    row, replaced, reason = row[order], replaced[order], take(reason, order)
    old = {name: take(before.tokens[name].combine_chunks(), row) for name in ("form", "lemma")}
    new = {name: take(after[name].combine_chunks(), row) for name in ("form", "lemma")}
    changed = pc.not_equal(old["form"], new["form"])
    alone = pc.if_else(changed, text(INFLECTED), pc.fill_null(reason, text(NO_DONOR)))
    reasons = pc.if_else(truths(replaced), pa.nulls(len(row), pa.string()), alone)
    return pa.table(
        {
            **{name: take(after[name].combine_chunks(), row) for name in ("split", "sent_id", "id", "upos", "feats")},
            **old,
            "new_form": new["form"],
            "new_lemma": new["lemma"],
            "changed": changed,
            "reason": reasons,
        }
    )


def shares(owner: np.ndarray, changed: pa.ChunkedArray, sent: np.ndarray) -> np.ndarray:
    """Return the share of content words that changed in each of the sentences `sent`, -1 where there are none.

    `owner` is the sentence of each content word, `changed` tells whether it changed.
    """
    place = np.searchsorted(sent, owner)
    count = np.bincount(place, minlength=len(sent))
    others = np.bincount(place, weights=mask(whole(changed)), minlength=len(sent))
    return np.where(count > 0, others / np.maximum(count, 1), -1)


def only(
    tokens: pa.Table, sentences: pa.Table, substitutions: pa.Table, kept: np.ndarray
) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Return the rows of tables of tokens, sentences and substitutions that are of sentences which are `kept`."""
    if kept.all():
        return tokens, sentences, substitutions
    chosen = sentences.filter(truths(kept))
    of_kept = (
        table.filter(pc.is_in(table["sent_id"], value_set=whole(chosen["sent_id"])))
        for table in (tokens, substitutions)
    )
    tokens, substitutions = of_kept
    return tokens, chosen, substitutions


@dataclass(frozen=True)
class Summary:
    """How many words of each UPOS there are, how many of them changed, for which reasons how many did not, and how many
    sentences are left out."""

    words: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, table: pa.Table) -> None:
        """Count the rows of a table `substitutions/1`."""
        changed = table["upos"].filter(table["changed"])
        for counts, column in ((self.words, table["upos"]), (self.changed, changed), (self.reasons, table["reason"])):
            counts.update(
                {entry["values"]: entry["counts"] for entry in pc.value_counts(column.drop_null()).to_pylist()}
            )

    def lines(self) -> Iterator[str]:
        """Yield what was counted."""
        for upos, words in sorted(self.words.items()):
            yield f"{upos:<6} {words:>7} words, {self.changed[upos] / words:>6.1%} changed"
        for reason, count in sorted(self.reasons.items(), key=lambda entry: (-entry[1], entry[0])):
            yield f"left alone: {count:>6} {reason}"
        for what, count in self.left_out.items():
            if count:
                yield f"left out: {count:>6} {what} of which too little changed"
