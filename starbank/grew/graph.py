"""Treebank tables -> the tables that compiled requests run on.

Nodes are numbered densely in corpus order, every sentence beginning with its root node (Grew's node 0). So a node's
successor has the next number, and the number of a node minus that of its sentence's root is its position. Strings
are codes (`values.py`), 0 where absent: no column is ever null, and SQL's third truth value stays out.

    nodes       id, sent, head, label (of the basic edge), form, lemma, upos, xpos, textform, wordform, a column for
                each feature of FEATS, misc (the code of a bundle)
    edges       source, target, label, sent: basic and enhanced edges; only where the treebank has enhanced ones
    misc        code, then a column for each feature of MISC
    labels      code, then a column for each sub-feature
    sentences   sent, root (id)
    metadata    sent, then a column for each key of the comment lines
    reach       pair: the dominance that `spans` does not show, as source * (number of nodes) + target

Two more add columns to `nodes`, row by row, when a request first needs them: `spans` (first, last: dominance as a
stretch of a walk through the trees) and `shapes` (a column for each operator on one node).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.bundles import IN_MISC, RAW, Bundles, Pairs, read_bundles, read_feats, read_metadata, read_misc
from starbank.grew.dominance import Dominance, dominance
from starbank.grew.edges import read_edges
from starbank.grew.query import Sizes
from starbank.grew.rows import number_rows
from starbank.grew.syntax import FeatureTest
from starbank.grew.text_forms import text_forms
from starbank.grew.trees import LOOSE, shapes, structure
from starbank.grew.values import Columns, Values, columns_table
from starbank.treebanks import arrays

ROOT_FORM = "__0__"
# Columns that are those of the token table.
PLAIN = ("upos", "xpos", "lemma")
# What is read of a treebank, of tokens and of sentences.
READ = (
    ("node", "sent", "id", "position", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"),
    ("sent", "sent_id", "root", "comments", "file"),
)
CODED = ("form", "lemma", "misc", "deprel", "feats", "xpos", "upos")
SENTENCES_AT_ONCE = 20_000


class Graph:
    """A treebank as Grew sees it, held as arrays; `engine.py` puts them into DuckDB.

    `tokens` and `sentences` are the tables of docs/formats.md. What few requests need is computed on first use.
    """

    def __init__(self, tokens: pa.Table, sentences: pa.Table) -> None:
        """Number the nodes and code the strings."""
        self.sentence_table = sentences
        self.values = values = Values()
        self.rows = rows = number_rows(tokens, sentences)
        self._counts: dict[str, np.ndarray] = {}
        self._in_misc: dict[str, bool] = {}
        # Which codes of a column (of MISC, or not) satisfy a test, as the compiler finds out.
        self.satisfying_codes: dict[tuple[str, bool, FeatureTest], np.ndarray] = {}
        with ThreadPoolExecutor() as pool:
            encoded = pool.map(lambda name: arrays.coded(tokens[name]), CODED)
            coded = dict(zip(CODED, encoded, strict=True))
        self._feats_codes, self._misc_codes = (
            rows.spread(arrays.filled(coded[name].indices, -1) + 1) for name in ("feats", "misc")
        )
        spelling = cache(lambda: text_forms(tokens, rows, self.columns["form"], values))
        self.columns: Mapping[str, np.ndarray] = Columns(
            {name: partial(lambda column: rows.spread(values.encode(column)), coded[name]) for name in PLAIN}
            | {
                "form": lambda: self._forms(coded["form"]),
                "textform": lambda: spelling()[0],
                "wordform": lambda: self._wordforms(spelling()[1]),
            }
        )
        # Columns of few values come first, so that their codes are small.
        self.used("upos")
        pairs = list(map(read_feats, coded["feats"].dictionary.to_pylist()))
        self.feats = read_bundles(pairs, values)
        self._misc_texts = coded["misc"].dictionary
        self._clashing = self._part_clashes(pairs)
        self.edges = read_edges(tokens, rows, coded["deprel"])
        self.labels = self.edges.labels

    def _forms(self, column: pa.DictionaryArray) -> np.ndarray:
        forms = self.rows.spread(self.values.encode(column))
        forms[self.rows.roots] = self.values.add_texts([ROOT_FORM])[0]
        return forms

    def _wordforms(self, wordform: np.ndarray) -> np.ndarray:
        """Return the wordforms, of which MISC may have others."""
        if not pc.any(pc.match_substring(self._misc_texts, "wordform="), min_count=0).as_py():
            return wordform
        if "wordform" not in self.misc.columns:
            return wordform
        annotated = self.misc.columns["wordform"][self._misc_codes]
        return np.where(annotated != 0, annotated, wordform)

    def _part_clashes(self, pairs: list[dict[str, str]]) -> list[str]:
        """Give words whose MISC repeats a name of another column a bundle of their own; return the texts of those."""
        taken = {name.lower() for bundle in pairs for name in bundle} | {"lemma", "upos", "xpos"}
        repeats = rf"(?i)(^|\|)({'|'.join(map(re.escape, sorted(taken)))})="
        suspects = arrays.mask(pc.match_substring_regex(self._misc_texts, repeats))
        if not suspects.any():
            return []
        nodes = np.flatnonzero(np.concatenate([[False], suspects])[self._misc_codes])
        present = {name: self.columns[name][nodes] != 0 for name in ("lemma", "upos", "xpos")}
        # Nodes are many, kinds of them are few.
        kinds = np.column_stack([self._misc_codes[nodes], self._feats_codes[nodes], *present.values()])
        kinds, kind_of = np.unique(kinds, axis=0, return_inverse=True)
        clashing: dict[str, int] = {}
        codes = kinds[:, 0].copy()
        for number, (code, feats, *has) in enumerate(kinds.tolist()):
            text = self._misc_texts[code - 1].as_py()
            names = {name for name, here in zip(present, has, strict=True) if here}
            names |= {name.lower() for name in (pairs[feats - 1] if feats else ())}
            if RAW in read_misc(text, names) and RAW not in read_misc(text):
                codes[number] = clashing.setdefault(text, len(self._misc_texts) + 1 + len(clashing))
        self._misc_codes[nodes] = codes[kind_of]
        return list(clashing)

    # What requests ask about the treebank

    @property
    def node_count(self) -> int:
        """How many nodes there are, roots included."""
        return self.rows.count

    @cached_property
    def sizes(self) -> Sizes:
        """Numbers of rows."""
        edges = self.edges
        heads = np.zeros(self.node_count, bool)
        heads[edges.head[edges.head >= 0]] = True
        return Sizes(self.node_count, int(edges.label_counts.sum()), int(heads.sum()), len(self.rows.roots))

    def counts(self, name: str) -> np.ndarray:
        """Return how often each code occurs in a column of `nodes`, or as the value of a feature of FEATS."""
        if name not in self._counts:
            if name in self.columns:
                self._counts[name] = np.bincount(self.columns[name])
            else:
                nodes = np.bincount(self._feats_codes, minlength=self.feats.size)
                self._counts[name] = np.bincount(self.feats.columns[name], weights=nodes)
        return self._counts[name]

    def used(self, column: str) -> np.ndarray:
        """Return the distinct codes of a column of `nodes`."""
        return np.flatnonzero(self.counts(column))

    def label_share(self, codes: list[int]) -> float:
        """Return the part of all edges that have one of these labels."""
        counts = self.edges.label_counts
        return float(counts[codes].sum() / max(counts.sum(), 1))

    def only_basic(self, codes: list[int]) -> bool:
        """Tell whether edges with these labels are all basic edges."""
        return not self.edges.beyond_basic[codes].any()

    def _misc_pairs(self) -> Iterator[Pairs]:
        yield from map(read_misc, self._misc_texts.to_pylist())
        yield from ({RAW: text} for text in self._clashing)

    @cached_property
    def misc_names(self) -> list[str]:
        """The names that MISC columns have, in order; their values, of which there are many, are not read for that."""
        return sorted({name for pairs in self._misc_pairs() for name in pairs})

    @cached_property
    def misc(self) -> Bundles:
        """The MISC columns, taken apart."""
        return read_bundles(self._misc_pairs(), self.values)

    def bundles(self, feature: str) -> list[Bundles]:
        """Return those of FEATS and MISC that have a feature; MISC is read only where its texts have the name."""
        # Grew's spelling adds to a name at both ends: `__MISC__Number__psor`.
        bare = feature.removeprefix(IN_MISC).partition("__")[0]
        if feature not in self._in_misc:
            self._in_misc[feature] = bool(pc.any(pc.match_substring(self._misc_texts, bare), min_count=0).as_py())
        places = [self.feats, self.misc] if self._in_misc[feature] else [self.feats]
        return [place for place in places if feature in place.columns]

    @cached_property
    def comments(self) -> dict[str, list[str | None]]:
        """The values of the sentences' comment lines, by their key."""
        return read_metadata(self.sentence_table["comments"], self.sentence_table["file"])

    @cached_property
    def metadata(self) -> Bundles:
        """The sentences' comment lines as codes."""
        columns = {key: self.values.add_texts(texts) for key, texts in self.comments.items()}
        return Bundles(columns, len(self.rows.roots), "sent")

    @cached_property
    def label_parts(self) -> Bundles:
        """The labels and the sub-features that occur in them; one row more is for the nodes without an edge."""
        names = ["label", *sorted({name for parts in self.labels.parts for name in parts})]
        codes = range(len(self.labels.compact))
        texts = {name: [*(self.labels.value(code, name) for code in codes), None] for name in names}
        return Bundles({name: self.values.add_texts(column) for name, column in texts.items()}, len(codes) + 1)

    @cached_property
    def _basic_tree(self) -> tuple[np.ndarray, np.ndarray]:
        """Each node's head (-1 where it has none) and relation (the `1` of its label), without enhanced edges."""
        parts = [*self.labels.parts, {}]
        enhanced = np.array(["enhanced" in label for label in parts])[self.edges.label]
        relation = np.array([label.get("1", "") for label in parts])[self.edges.label]
        return np.where(enhanced, -1, self.edges.head).astype(np.int64), np.where(enhanced, "", relation)

    @cached_property
    def structure(self) -> dict[str, np.ndarray]:
        """Projectivity and the like, for each sentence."""
        return structure(self._basic_tree[0], self.rows.sents, len(self.rows.roots))

    @cached_property
    def dominance(self) -> Dominance:
        """Which nodes dominate which."""
        source, target, _ = self.edges.all
        return dominance(self._basic_tree[0], source, target, self.rows.roots)

    # The tables

    def table(self, name: str) -> pa.Table:
        """Return the table `name` for DuckDB; see `nodes_table` for that of nodes."""
        bundles = {"misc": "misc", "metadata": "metadata", "labels": "label_parts"}
        return getattr(self, bundles[name]).table() if name in bundles else getattr(self, f"_{name}_table")()

    @property
    def node_columns(self) -> set[str]:
        """The names of the columns of `nodes`."""
        return {"id", "sent", "head", "label", *self.columns, *map(self.feats.column, self.feats.columns), "misc"}

    def nodes_table(self, names: Collection[str]) -> pa.Table:
        """Return the columns of `nodes` that have one of these names."""
        columns = {"id": np.arange(self.node_count, dtype=np.int32), "sent": self.rows.sents, "head": self.edges.head}
        columns |= {"label": _small(self.edges.label)} if "label" in names else {}
        columns |= {name: _small(self.columns[name]) for name in self.columns if name in names}
        for feature, values in self.feats.columns.items():
            if (name := self.feats.column(feature)) in names:
                values = values if values.dtype.kind == "f" else _small(values)
                columns[name] = values[self._feats_codes]
        columns["misc"] = self._misc_codes
        return columns_table({name: column for name, column in columns.items() if name in names})

    def _edges_table(self) -> pa.Table:
        source, target, label = self.edges.all
        sent = self.rows.sents[target]
        return columns_table({"source": source, "target": target, "label": _small(label), "sent": sent})

    def _sentences_table(self) -> pa.Table:
        roots = self.rows.roots.astype(np.int32)
        return columns_table({"sent": np.arange(len(roots), dtype=np.int32), "root": roots})

    def _spans_table(self) -> pa.Table:
        first, last = (_small(ends) for ends in (self.dominance.first, self.dominance.last))
        return columns_table({"first": first, "last": last})

    def _reach_table(self) -> pa.Table:
        return columns_table({"pair": self.dominance.source * self.node_count + self.dominance.target})

    def _shapes_table(self) -> pa.Table:
        head, relation = self._basic_tree
        counted = ~np.isin(relation, ["", "punct"])
        borders = [*self.rows.roots[::SENTENCES_AT_ONCE].tolist(), self.node_count]
        chunks = [slice(start, end) for start, end in pairwise(borders)]
        return columns_table(shapes(head, counted, np.isin(relation, list(LOOSE)), chunks))


def _small(codes: np.ndarray) -> np.ndarray:
    """Return codes in the smallest integer type that holds them."""
    return codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
