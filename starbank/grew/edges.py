"""HEAD, DEPREL and DEPS columns -> one graph of labelled edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.labels import Labels, compact_label, parse_label
from starbank.grew.rows import Rows


@dataclass(frozen=True)
class Edges:
    """The edges of a treebank, basic and enhanced.

    `head` and `label` give each node's basic edge: the number of its head (-1 where it has none) and the code of the
    label (one more than there are where it has none). `source`, `target` and `code` list the enhanced edges.
    """

    labels: Labels
    head: np.ndarray
    label: np.ndarray
    source: np.ndarray
    target: np.ndarray
    code: np.ndarray

    @cached_property
    def label_counts(self) -> np.ndarray:
        """How many edges have each label."""
        return np.bincount(self.label, minlength=len(self.labels.compact))[:-1] + self.beyond_basic

    @cached_property
    def beyond_basic(self) -> np.ndarray:
        """How many enhanced edges have each label."""
        return np.bincount(self.code, minlength=len(self.labels.compact))

    @cached_property
    def all(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sources, targets and label codes of all edges, without repetitions, by source and target."""
        targets = np.flatnonzero(self.head >= 0)
        source = np.concatenate([self.head[targets], self.source]).astype(np.int64)
        target = np.concatenate([targets, self.target])
        code = np.concatenate([self.label[targets], self.code])
        nodes, labels = len(self.head), max(len(self.labels.compact), 1)
        keys = np.sort((source * nodes + target) * labels + code)
        pairs, code = np.divmod(keys[np.append(True, keys[1:] != keys[:-1])[: len(keys)]], labels)
        source, target = np.divmod(pairs, nodes)
        return source.astype(np.int32), target.astype(np.int32), code.astype(np.int32)

    @cached_property
    def parallel(self) -> bool:
        """Whether two edges ever join the same two nodes."""
        source, target, _ = self.all
        return bool(((source[1:] == source[:-1]) & (target[1:] == target[:-1])).any())


def read_edges(tokens: pa.Table, rows: Rows) -> Edges:
    """Read the edges of a token table."""
    dense, row_ids = rows.dense(), rows.row_ids()
    heads = tokens["head"].combine_chunks()
    has_head = heads.is_valid().to_numpy(zero_copy_only=False)
    nodes, head_of = row_ids[has_head], dense[heads.drop_null().to_numpy()]
    deprels = tokens["deprel"].combine_chunks().filter(pa.array(has_head))
    from_root = np.isin(head_of, rows.roots) if deprels.null_count else np.zeros(len(head_of), bool)
    # Grew reads HEAD 0 without a DEPREL as a root edge, any other HEAD without one as an edge without a label.
    deprels = pc.if_else(pa.array(from_root), pc.fill_null(deprels, "root"), pc.fill_null(deprels, ""))
    basic = deprels.dictionary_encode()

    deps = tokens["deps"].combine_chunks()
    others = deps.flatten()
    enhanced = pc.fill_null(others.field("deprel"), "").dictionary_encode()

    spelled = basic.dictionary.to_pylist()
    spelled += [f"E:{label.removeprefix('E:')}" for label in enhanced.dictionary.to_pylist()]
    spelled = pc.utf8_normalize(pa.array(spelled, pa.string()), form="NFC").to_pylist()
    compact = [compact_label(parse_label(label)) for label in spelled]
    labels = Labels.of(sorted(set(compact)))
    place = {label: code for code, label in enumerate(labels.compact)}
    codes = np.array([place[label] for label in compact], np.int32)
    basic_labels = codes[basic.indices.to_numpy()]
    other_labels = codes[enhanced.indices.to_numpy() + len(basic.dictionary)]

    head, label = np.full(rows.count, -1, np.int32), np.full(rows.count, len(place), np.int32)
    head[nodes], label[nodes] = head_of, basic_labels
    source = dense[others.field("head").to_numpy(zero_copy_only=False).astype(np.int64)]
    return Edges(labels, head, label, source, row_ids[pc.list_parent_indices(deps).to_numpy()], other_labels)
