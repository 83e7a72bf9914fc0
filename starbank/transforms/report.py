"""What became of each content word of a colorless green treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks import Treebank
from starbank.treebanks.arrays import take, truths

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
    alone = pc.if_else(changed, INFLECTED, pc.fill_null(reason, NO_DONOR))
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


@dataclass(frozen=True)
class Summary:
    """How many words of each UPOS there are, how many of them changed, and for which reasons how many did not."""

    words: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

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
