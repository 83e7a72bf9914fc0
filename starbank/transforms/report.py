"""What became of each content word of a colorless green treebank."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks import Treebank
from starbank.treebanks.arrays import take, truths

NO_DONOR = "no other word like it"
INFLECTED = "agrees with a noun of the other gender"


def report(
    before: Treebank, after: pa.Table, row: np.ndarray, replaced: np.ndarray, reason: pa.StringArray
) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the table `substitutions/1` of docs/formats.md and lines that sum it up.

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
    table = pa.table(
        {
            **{name: take(after[name].combine_chunks(), row) for name in ("split", "sent_id", "id", "upos", "feats")},
            **old,
            "new_form": new["form"],
            "new_lemma": new["lemma"],
            "changed": changed,
            "reason": reasons,
        }
    )
    return table, tuple(_lines(table))


def _lines(table: pa.Table) -> list[str]:
    lines = []
    for upos in sorted(pc.unique(table["upos"]).to_pylist()):
        words = table.filter(pc.equal(table["upos"], upos))
        changed = pc.sum(words["changed"]).as_py() or 0
        lines.append(f"{upos:<6} {len(words):>7} words, {changed / len(words):>6.1%} changed")
    counts = pc.value_counts(pc.drop_null(table["reason"].combine_chunks())).to_pylist()
    for count in sorted(counts, key=lambda entry: (-entry["counts"], entry["values"])):
        lines.append(f"left alone: {count['counts']:>6} {count['values']}")
    return lines
