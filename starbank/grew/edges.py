"""HEAD, DEPREL and DEPS columns -> one graph of labelled edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.labels import Labels, compact_label, parse_label
from starbank.grew.rows import Rows
from starbank.grew.values import normal
from starbank.treebanks import arrays


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
        basic = np.bincount(self.label, minlength=len(self.labels.compact))[:-1]
        return np.asarray(basic + self.beyond_basic)

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


def read_edges(tokens: pa.Table, rows: Rows, deprels: pa.DictionaryArray) -> Edges:
    """Read the edges of a token table, whose column `deprel` is given with a dictionary."""
    dense, row_ids = rows.dense(), rows.row_ids()
    heads = tokens["head"].combine_chunks()
    has_head = arrays.mask(heads.is_valid())
    nodes, head_of = row_ids[has_head], dense[arrays.filled(heads, 0)[has_head]]

    deps = tokens["deps"].combine_chunks()
    links = deps.flatten()
    enhanced = links.field("deprel").dictionary_encode()

    # Grew reads HEAD 0 without a DEPREL as a root edge, any other HEAD without one as an edge without a label.
    spelled = [*deprels.dictionary.to_pylist(), "", "root"]
    basic = arrays.filled(deprels.indices, len(spelled) - 2)[has_head]
    bare = np.flatnonzero(basic == len(spelled) - 2)
    basic[bare[np.isin(head_of[bare], rows.roots)]] += 1
    spelled += [f"E:{label.removeprefix('E:')}" for label in [*enhanced.dictionary.to_pylist(), ""]]
    compact = [compact_label(parse_label(label)) for label in normal(arrays.texts(spelled)).to_pylist()]
    further = arrays.filled(enhanced.indices, len(enhanced.dictionary)) + len(deprels.dictionary) + 2
    occurring = np.bincount(basic, minlength=len(spelled)) + np.bincount(further, minlength=len(spelled)) > 0
    labels = Labels(sorted({label for label, occurs in zip(compact, occurring, strict=True) if occurs}))
    place = {label: code for code, label in enumerate(labels.compact)}
    codes = np.array([place.get(label, -1) for label in compact], np.int32)

    head, label = np.full(rows.count, -1, np.int32), np.full(rows.count, len(place), np.int32)
    head[nodes], label[nodes] = head_of, codes[basic]
    source = dense[arrays.filled(links.field("head"), 0)]
    target = np.repeat(row_ids, arrays.filled(pc.list_value_length(deps), 0))
    return Edges(labels, head, label, source, target, codes[further])
