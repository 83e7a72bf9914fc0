"""Treebank tables -> the tables that compiled requests run on.

Nodes are numbered densely in corpus order, every sentence beginning with its root node (Grew's node 0). So a node's
successor has the next number, and the number of a node minus that of its sentence's root is its position. Strings
are codes (`values.py`), 0 where absent: no column is ever null, and SQL's third truth value stays out.

    nodes       id, sent, form, lemma, upos, xpos, textform, wordform (codes), feats, misc (codes of bundles)
    edges       source, target (ids), label (code), sent: basic and enhanced edges, without repetitions
    feats       code, then a column for each feature
    labels      code, then a column for each sub-feature
    sentences   sent, root (id)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.bundles import RAW, Bundles, read_bundles, read_feats, read_misc
from starbank.grew.dominance import Dominance, dominance
from starbank.grew.labels import Labels, compact_label, parse_label
from starbank.grew.metadata import Metadata
from starbank.grew.trees import LOOSE, Structure, shapes, structure
from starbank.grew.values import Values

STRING_COLUMNS = ("upos", "xpos", "lemma", "form")
ROOT_FORM = "__0__"
SENTENCES_AT_ONCE = 20_000


@dataclass
class Rows:
    """Which rows of the token table are nodes, and where they go."""

    words: np.ndarray
    ids: np.ndarray
    sents: np.ndarray
    roots: np.ndarray
    numbers: np.ndarray


class Graph:
    """A treebank as Grew sees it, held as arrays; `engine.py` puts them into DuckDB.

    `tokens` and `sentences` are the tables of docs/formats.md.
    """

    def __init__(self, tokens: pa.Table, sentences: pa.Table) -> None:
        self.tokens = tokens
        self.sentence_table = sentences
        self.values = Values()
        self._used: dict[str, np.ndarray] = {}
        self.rows = _rows(tokens, sentences)
        self.node_count = len(self.rows.numbers)
        self.feats_codes, feats = self._bundle_codes("feats")
        self.misc_codes, self._misc_texts = self._bundle_codes("misc")
        self.columns = {name: self._nodes(self.values.encode(tokens[name])) for name in ("upos", "xpos")}
        feature_pairs = list(map(read_feats, feats.to_pylist()))
        self.feats = read_bundles(feature_pairs, self.values)
        self.columns |= {name: self._nodes(self.values.encode(tokens[name])) for name in ("lemma", "form")}
        self._clashing = self._part_clashes(feature_pairs)
        self.columns["form"][self.rows.roots] = self.values.add(pa.array([ROOT_FORM]))[0]
        self._add_text_forms()
        self._add_edges()

    def _nodes(self, codes: np.ndarray) -> np.ndarray:
        """Spread one code per token row over the nodes; roots get 0."""
        column = np.zeros(self.node_count, np.int32)
        column[self.rows.ids] = codes[self.rows.words]
        return column

    def _bundle_codes(self, name: str) -> tuple[np.ndarray, pa.Array]:
        encoded = self.tokens[name].combine_chunks().dictionary_encode()
        codes = pc.fill_null(pc.add(encoded.indices, 1), 0).to_numpy(zero_copy_only=False)
        return self._nodes(codes), encoded.dictionary

    def _part_clashes(self, feature_pairs: list[dict[str, str]]) -> list[str]:
        """Give the words whose MISC repeats a name of another column a bundle of their own; return those texts."""
        taken = {name.lower() for pairs in feature_pairs for name in pairs} | {"lemma", "upos", "xpos"}
        suspects = pc.match_substring_regex(self._misc_texts, f"(?i)(^|\\|)({'|'.join(map(re.escape, sorted(taken)))})=")
        columns = {name: self.columns[name] for name in ("lemma", "upos", "xpos")}
        clashing: dict[str, int] = {}
        for code in np.flatnonzero(suspects.to_numpy(zero_copy_only=False)) + 1:
            text = self._misc_texts[int(code) - 1].as_py()
            for node in np.flatnonzero(self.misc_codes == code):
                pairs = feature_pairs[self.feats_codes[node] - 1] if self.feats_codes[node] else {}
                names = {name.lower() for name in pairs} | {name for name in columns if columns[name][node]}
                if RAW in read_misc(text, names) and RAW not in read_misc(text):
                    self.misc_codes[node] = clashing.setdefault(text, len(self._misc_texts) + 1 + len(clashing))
        return list(clashing)

    def _add_text_forms(self) -> None:
        """Add `textform` (the surface token on the first word of an MWT, `_` on its others) and `wordform`."""
        tokens, form = self.tokens, self.columns["form"]
        underscore, spelled, empty = self.values.add(pa.array(["_", "UNDERSCORE", "__EMPTY__"]))
        wordform = np.where(form == underscore, spelled, form)
        wordform[self.rows.roots] = 0
        textform = wordform.copy()
        is_empty = pc.match_substring(tokens["id"], ".").to_numpy()
        empty_ids = self.rows.ids[is_empty[self.rows.words]]
        wordform[empty_ids] = empty
        textform[empty_ids] = underscore
        multiword = ~self.rows.words
        if multiword.any():
            first_last = [part.split("-") for part in tokens["id"].filter(pa.array(multiword)).to_pylist()]
            lengths = np.array([int(last) - int(first) + 1 for first, last in first_last])
            plain = self.rows.words & ~is_empty
            starts = np.cumsum(plain)[multiword]
            ranks = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
            plain_ids = self.rows.ids[plain[self.rows.words]]
            textform[plain_ids[ranks]] = underscore
            textform[plain_ids[starts]] = self.values.encode(tokens["form"].filter(pa.array(multiword)))
        self.columns |= {"textform": textform, "wordform": wordform}
        if pc.any(pc.match_substring(self._misc_texts, "wordform=")).as_py() and "wordform" in self.misc.columns:
            given = self.misc.columns["wordform"][self.misc_codes]
            self.columns["wordform"] = np.where(given != 0, given, wordform)

    def _add_edges(self) -> None:
        tokens, rows = self.tokens, self.rows
        dense = np.full(int(rows.numbers.max(initial=0)) + 1, -1, np.int32)
        dense[rows.numbers] = np.arange(self.node_count, dtype=np.int32)
        id_of_row = np.zeros(len(tokens), np.int32)
        id_of_row[rows.words] = rows.ids

        heads = tokens["head"].combine_chunks()
        has_head = heads.is_valid().to_numpy(zero_copy_only=False)
        basic = pc.fill_null(tokens["deprel"].combine_chunks().filter(pa.array(has_head)), "").dictionary_encode()
        sources = [dense[heads.drop_null().to_numpy()]]
        targets = [id_of_row[has_head]]

        deps = tokens["deps"].combine_chunks()
        enhanced = deps.flatten()
        sources.append(dense[enhanced.field("head").to_numpy(zero_copy_only=False).astype(np.int64)])
        targets.append(id_of_row[pc.list_parent_indices(deps).to_numpy()])
        labels = pc.fill_null(enhanced.field("deprel"), "").dictionary_encode()

        names = [
            *basic.dictionary.to_pylist(),
            *(f"E:{label.removeprefix('E:')}" for label in labels.dictionary.to_pylist()),
        ]
        normal = pc.utf8_normalize(pa.array(names, pa.string()), form="NFC").to_pylist()
        normal = [compact_label(parse_label(label)) for label in normal]
        self.labels = Labels.of(sorted(set(normal)))
        place = {label: code for code, label in enumerate(self.labels.compact)}
        codes = np.array([place[label] for label in normal], np.int32)
        label = np.concatenate([
            codes[basic.indices.to_numpy()],
            codes[labels.indices.to_numpy() + len(basic.dictionary)],
        ])  # fmt: skip
        source, target = np.concatenate(sources), np.concatenate(targets)
        self.parallel_edges = False
        if len(enhanced):
            keys = (source.astype(np.int64) * self.node_count + target) * len(normal) + label
            keys = np.unique(keys)
            pairs, label = keys // len(normal), (keys % len(normal)).astype(np.int32)
            source, target = (pairs // self.node_count).astype(np.int32), (pairs % self.node_count).astype(np.int32)
            self.parallel_edges = bool((pairs[1:] == pairs[:-1]).any())
        self.source, self.target, self.label = source, target, label
        self._basic = (id_of_row[has_head], dense[heads.drop_null().to_numpy()], codes[basic.indices.to_numpy()])

    def used(self, column: str) -> np.ndarray:
        """Return the distinct codes of a column of `nodes`."""
        if column not in self._used:
            self._used[column] = np.unique(self.columns[column])
        return self._used[column]

    @cached_property
    def misc(self) -> Bundles:
        """The MISC columns, taken apart when a request first asks for such a feature."""
        texts = [read_misc(text) for text in self._misc_texts.to_pylist()]
        return read_bundles([*texts, *({RAW: text} for text in self._clashing)], self.values)

    @cached_property
    def metadata(self) -> Metadata:
        """The sentences' comment lines."""
        return Metadata(self.sentence_table["comments"], self.values)

    @cached_property
    def basic(self) -> tuple[np.ndarray, np.ndarray]:
        """The basic trees: each node's head (-1 where it has none) and relation (the `1` of its label)."""
        nodes, heads, labels = self._basic
        relations = np.array([parts.get("1", "") for parts in self.labels.parts] or [""], object)
        is_basic = np.array(["enhanced" not in parts for parts in self.labels.parts] or [True])[labels]
        head = np.full(self.node_count, -1, np.int64)
        head[nodes[is_basic]] = heads[is_basic]
        relation = np.full(self.node_count, "", object)
        relation[nodes[is_basic]] = relations[labels[is_basic]]
        return head, relation

    @cached_property
    def structure(self) -> Structure:
        """Projectivity and the like, for each sentence."""
        return structure(self.basic[0], self.rows.sents, len(self.rows.roots))

    @cached_property
    def dominance(self) -> Dominance:
        """Which nodes dominate which."""
        return dominance(self.basic[0], self.source, self.target, self.rows.roots)

    # The tables

    def shapes_table(self) -> pa.Table:
        """Return the table `shapes`: `id`, then a column for each operator on one node."""
        head, relation = self.basic
        counted = ~np.isin(relation, ["", "punct"])
        roots = self.rows.roots
        starts = roots[::SENTENCES_AT_ONCE]
        chunks = [slice(int(a), int(b)) for a, b in zip(starts, [*starts[1:], self.node_count], strict=True)]
        measured = shapes(head, counted, np.isin(relation, list(LOOSE)), chunks)
        return pa.table({"id": np.arange(self.node_count, dtype=np.int32), **vars(measured)})

    def spans_table(self) -> pa.Table:
        """Return the table `spans`: `id`, and its stretch `first` to `last` in a walk through the trees."""
        spans = self.dominance
        return pa.table({"id": np.arange(self.node_count, dtype=np.int32), "first": spans.first, "last": spans.last})

    def reach_table(self) -> pa.Table:
        """Return the table `reach`: the pairs `source`, `target` that dominance has beyond the stretches."""
        return pa.table({"source": self.dominance.source, "target": self.dominance.target})

    def nodes_table(self) -> pa.Table:
        """Return the table `nodes`."""
        columns: dict[str, np.ndarray] = {
            "id": np.arange(self.node_count, dtype=np.int32),
            "sent": self.rows.sents,
            **self.columns,
            "feats": self.feats_codes.astype(np.int32),
            "misc": self.misc_codes.astype(np.int32),
        }
        return pa.table(columns)

    def edges_table(self) -> pa.Table:
        """Return the table `edges`."""
        sent = self.rows.sents[self.target]
        return pa.table({"source": self.source, "target": self.target, "label": self.label, "sent": sent})

    def feats_table(self) -> pa.Table:
        """Return the table `feats`."""
        return self.feats.table()

    def misc_table(self) -> pa.Table:
        """Return the table `misc`."""
        return self.misc.table()

    def metadata_table(self) -> pa.Table:
        """Return the table `metadata`."""
        return self.metadata.table()

    def sentences_table(self) -> pa.Table:
        """Return the table `sentences`."""
        roots = self.rows.roots
        return pa.table({"sent": np.arange(len(roots), dtype=np.int32), "root": roots.astype(np.int32)})

    def labels_table(self) -> pa.Table:
        """Return the table `labels`."""
        names = ["label", *self.label_features]
        columns: dict[str, np.ndarray] = {"code": np.arange(len(self.labels.compact), dtype=np.int32)}
        for number, name in enumerate(names):
            texts = [self.labels.value(code, name) for code in range(len(self.labels.compact))]
            columns[f"f{number}"] = self.values.encode(pa.array(texts, pa.string()))
        return pa.table(columns)

    @cached_property
    def label_features(self) -> list[str]:
        """The sub-features that occur in labels."""
        return sorted({name for parts in self.labels.parts for name in parts})


def _rows(tokens: pa.Table, sentences: pa.Table) -> Rows:
    """Number the nodes: all words and empty nodes, and a root in front of each sentence."""
    words = tokens["position"].combine_chunks().is_valid().to_numpy(zero_copy_only=False)
    sent_numbers = sentences["sent"].to_numpy()
    sent_of_word = np.searchsorted(sent_numbers, tokens["sent"].to_numpy()[words]).astype(np.int32)
    ids = np.arange(len(sent_of_word), dtype=np.int64) + sent_of_word + 1
    sizes = np.bincount(sent_of_word, minlength=len(sent_numbers)) + 1
    roots = np.cumsum(sizes) - sizes
    numbers = np.empty(len(ids) + len(roots), np.int64)
    numbers[ids] = tokens["node"].to_numpy()[words]
    numbers[roots] = sentences["root"].to_numpy()
    sents = np.repeat(np.arange(len(roots), dtype=np.int32), sizes)
    return Rows(words, ids, sents, roots, numbers)
