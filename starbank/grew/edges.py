"""HEAD, DEPREL and DEPS columns -> one graph of labelled edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.labels import Labels, compact_label, parse_label
from starbank.grew.rows import Rows


@dataclass(frozen=True)
class Edges:
    """The edges of a treebank, basic and enhanced, without repetitions.

    `head` and `label` give each node's basic edge: the number of its head (-1 where it has none) and the code of the
    label (one more than there are where it has none). `source`, `target` and `labels_of` list all edges; they are None
    where there are no others. `beyond_basic` are the labels that occur among the others; `parallel` tells whether two
    edges ever join the same two nodes.
    """

    labels: Labels
    head: np.ndarray
    label: np.ndarray
    source: np.ndarray
    target: np.ndarray
    label_of: np.ndarray
    enhanced: bool
    beyond_basic: frozenset[int]
    parallel: bool


def read_edges(tokens: pa.Table, rows: Rows) -> Edges:
    """Read the edges of a token table."""
    dense, row_ids = rows.dense(), rows.row_ids()
    heads = tokens["head"].combine_chunks()
    has_head = heads.is_valid().to_numpy(zero_copy_only=False)
    nodes, head_of = row_ids[has_head], dense[heads.drop_null().to_numpy()]
    deprels = tokens["deprel"].combine_chunks().filter(pa.array(has_head))
    from_root = np.isin(head_of, rows.roots) if deprels.null_count else np.zeros(len(head_of), bool)
    # Grew reads HEAD 0 without a DEPREL as a root edge, any other HEAD without one as an edge without a label.
    basic = pc.fill_null(pc.if_else(pa.array(from_root), pc.fill_null(deprels, "root"), deprels), "").dictionary_encode()

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
    if not len(others):
        return Edges(labels, head, label, head_of, nodes, basic_labels, False, frozenset(), False)
    source = np.concatenate([head_of, dense[others.field("head").to_numpy(zero_copy_only=False).astype(np.int64)]])
    target = np.concatenate([nodes, row_ids[pc.list_parent_indices(deps).to_numpy()]])
    keys = (source.astype(np.int64) * rows.count + target) * len(place) + np.concatenate([basic_labels, other_labels])
    keys = np.unique(keys)
    pairs, label_of = np.divmod(keys, len(place))
    source, target = (ends.astype(np.int32) for ends in np.divmod(pairs, rows.count))
    parallel = bool((pairs[1:] == pairs[:-1]).any())
    beyond = frozenset(np.unique(other_labels).tolist())
    return Edges(labels, head, label, source, target, label_of.astype(np.int32), True, beyond, parallel)
