"""Grew itself as an engine, through the package grewpy and its backend (https://grew.fr/usage/python).

Matches come as the same table as from `Engine`; what differs is listed in docs/requests.md.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import RequestError, StarbankError, TreebankError, UsageError
from starbank.grew.clusters import COUNT, TREEBANK, add_up, parse_keys
from starbank.grew.counts import UNDEFINED
from starbank.grew.labels import compact_label
from starbank.grew.parse import block_texts
from starbank.grew.request import Request
from starbank.grew.results import EDGE, match_schema
from starbank.treebanks import Treebank, arrays, write_conllu

INSTALL = (
    "pip install grewpy, then, with opam (https://grew.fr/usage/install): opam remote add grew https://opam.grew.fr; "
    "opam update; opam install grewpy_backend. Without --engine, Starbank's own engine gives the same matches."
)


class GrewpyEngine:
    """A treebank loaded into grewpy's backend; it has the methods of `Engine` but `explain`.

    Raises `StarbankError` where grewpy or its backend is missing, and `TreebankError` where Grew does not read all
    sentences.
    """

    def __init__(self, treebank: Treebank) -> None:
        """Write the treebank for the backend to load."""
        self._grewpy = load_grewpy()
        self._treebank = treebank
        self._corpora = [self._load(sentences) for sentences in _distinct(treebank.sentences["sent_id"].to_pylist())]

    def match(self, request: Request, limit: int | None = None) -> pa.Table:
        """Return the matches of `request` as `Engine.match` does."""
        found: list[tuple[int, dict[str, Any]]] = []
        for corpus in self._corpora:
            matches = self._ask(lambda corpus=corpus: corpus.corpus.search(_Blocks(request)))
            found += [(corpus.sents[match["sent_id"]], match["matching"]) for match in matches]
        return self._table(request, found).slice(0, limit)

    def batches(self, request: Request, limit: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of `match`."""
        yield from self.match(request, limit).combine_chunks().to_batches()

    def count(self, request: Request) -> int:
        """Return the number of different matches of `request`."""
        return self.match(request).num_rows

    def warnings(self, request: Request) -> list[str]:
        """Return what was odd when the request was read."""
        return list(request.warnings)

    def explain(self, request: Request) -> str:
        """Refuse: Grew has no plan to show."""
        raise UsageError("grewpy does not explain how it searches", hint="--explain is for Starbank's own engine.")

    def cluster(self, request: Request, keys: Sequence[str], treebank: str = "") -> pa.Table:
        """Return how many matches have which values of `keys`, counted by Grew, as `Engine.cluster` does."""
        parse_keys(keys, request)
        asked = [_full(key, request) for key in keys if key != TREEBANK]
        tables = []
        for corpus in self._corpora:
            counts = self._ask(lambda corpus=corpus: corpus.corpus.count(_Blocks(request), asked))
            rows = _rows(counts, len(asked))
            columns = iter(zip(*(values for values, _ in rows), strict=True)) if rows else iter([()] * len(asked))
            texts = [[treebank] * len(rows) if key == TREEBANK else next(columns) for key in keys]
            numbers = arrays.integers(np.array([count for _, count in rows], np.int64))
            tables.append(pa.Table.from_arrays([*map(arrays.texts, texts), numbers], [*keys, COUNT]))
        return add_up(tables, keys)

    def _load(self, sentences: np.ndarray) -> _Corpus:
        """Load some sentences (places in the table of sentences), no two with the same `sent_id`."""
        table = self._treebank.sentences.take(arrays.integers(sentences))
        tokens = self._treebank.tokens.filter(
            pc.is_in(self._treebank.tokens["sent"], value_set=table["sent"].combine_chunks())
        )
        with tempfile.TemporaryDirectory(prefix="starbank-") as folder:
            write_conllu(replace(self._treebank, tokens=tokens, sentences=table), Path(folder))
            # The files are loaded in the order in which the sentences lie in them.
            names = list(dict.fromkeys(table["file"].to_pylist()))
            corpus = self._ask(lambda: self._grewpy.Corpus([str(Path(folder) / name) for name in names]))
            read = self._ask(corpus.get_sent_ids)
        by_file = sorted(
            zip(table["file"].to_pylist(), table["sent"].to_pylist(), strict=True), key=lambda row: names.index(row[0])
        )
        if len(read) != len(by_file) or len(set(read)) != len(read):
            raise TreebankError(f"Grew read {len(set(read))} of the {len(by_file)} sentences of {self._treebank.name}")
        return _Corpus(corpus, dict(zip(read, (sent for _, sent in by_file), strict=True)))

    def _ask(self, ask: Any) -> Any:
        """Return what the backend answers; what it refuses is a `RequestError`."""
        try:
            return ask()
        except self._grewpy.grew.GrewError as error:
            told = error.value
            message = told["message"] if isinstance(told, dict) else str(told)
            raise RequestError(f"Grew says: {message}") from error
        except (ValueError, OSError) as error:
            hint = "It may have run out of memory; try one treebank at a time."
            raise StarbankError("grewpy's backend ended without an answer", hint=hint) from error

    def _table(self, request: Request, found: Sequence[tuple[int, dict[str, Any]]]) -> pa.Table:
        """Return matches as a table of different rows, by sentence and then by nodes and labels."""
        sents = np.array([sent for sent, _ in found], np.int64)

        def nodes(ids: Sequence[str]) -> np.ndarray:
            return self._numbers(sents, ids)

        columns: dict[str, Any] = {name: nodes([match["nodes"][name] for _, match in found]) for name in request.nodes}
        order = [sents, *columns.values()]
        edges = {name: [match["edges"][name] for _, match in found] for name in request.edges}
        labels = {name: [_label(edge["label"]) for edge in edges[name]] for name in edges}
        for texts in labels.values():
            ranks = {text: rank for rank, text in enumerate(sorted({text or "" for text in texts}))}
            order.append(np.array([ranks[text or ""] for text in texts], np.int64))
        _, rows = np.unique(np.stack(order), axis=1, return_index=True)
        for name, bound in edges.items():
            ends = {end: arrays.integers(nodes([edge[end] for edge in bound])) for end in ("source", "target")}
            parts = [ends["source"], arrays.texts(labels[name]), ends["target"]]
            columns[name] = pa.StructArray.from_arrays(parts, fields=list(EDGE))
        taken = arrays.integers(rows.astype(np.int64))
        sentences = self._treebank.sentences
        of_match = pc.index_in(arrays.integers(sents.astype(np.int32)), value_set=sentences["sent"].combine_chunks())
        parts = [sentences[name].take(of_match).combine_chunks() for name in ("sent", "sent_id")]
        parts += [arrays.integers(column) if isinstance(column, np.ndarray) else column for column in columns.values()]
        return pa.Table.from_arrays([part.take(taken) for part in parts], schema=match_schema(request))

    def _numbers(self, sents: np.ndarray, ids: Sequence[str]) -> np.ndarray:
        """Return the `node` of each CoNLL-U id in its sentence; `0` is the root node."""
        tokens, sentences = self._treebank.tokens, self._treebank.sentences
        places = pc.index_in(
            _keys(arrays.integers(sents), arrays.texts(ids)), value_set=_keys(tokens["sent"], tokens["id"])
        )
        of_sentence = pc.index_in(arrays.integers(sents.astype(np.int32)), value_set=sentences["sent"].combine_chunks())
        found = pc.coalesce(tokens["node"].take(places), sentences["root"].take(of_sentence))
        return arrays.numbers(found.combine_chunks())


@dataclass(frozen=True)
class _Corpus:
    """A corpus of the backend, and the sentence (`sent`) that each of its ids names."""

    corpus: Any
    sents: dict[str, int]


class _Blocks:
    """A request as grewpy sends it; grewpy's own reader divides clauses at semicolons, also in strings."""

    def __init__(self, request: Request) -> None:
        self._blocks = block_texts(request.text)

    def json_data(self) -> list[dict[str, list[str]]]:
        # A comment at the end must not reach the brace that the backend puts there.
        return [{keyword: [f"{text}\n"]} for keyword, text in self._blocks]


def load_grewpy() -> ModuleType:
    """Import grewpy, which starts its backend; raise `StarbankError` where one of the two is missing."""
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told):
            import grewpy
            import grewpy.grew
    except ImportError as error:
        raise StarbankError(
            "the engine grewpy needs the package grewpy, which is not installed", hint=INSTALL
        ) from error
    except FileNotFoundError as error:
        message = "the engine grewpy needs the program grewpy_backend, which is not on the PATH"
        raise StarbankError(message, hint=INSTALL) from error
    except (SystemExit, ValueError, OSError) as error:
        message = f"grewpy's backend does not start: {told.getvalue().strip() or error}"
        raise StarbankError(message, hint=INSTALL) from error
    grewpy.set_config("ud")
    return grewpy


def _distinct(sent_ids: Sequence[str]) -> list[np.ndarray]:
    """Divide sentences into groups in which no id is repeated, since Grew names sentences by their ids."""
    seen: dict[str, int] = {}
    rank = []
    for sent_id in sent_ids:
        rank.append(seen.get(sent_id, 0))
        seen[sent_id] = rank[-1] + 1
    ranks = np.array(rank, np.int64)
    return [np.flatnonzero(ranks == number) for number in range(int(ranks.max(initial=-1)) + 1)]


def _keys(sents: pa.Array, ids: pa.Array) -> pa.Array:
    joined = pc.binary_join_element_wise(pc.cast(sents, pa.string()), ids, " ")
    return joined.combine_chunks() if isinstance(joined, pa.ChunkedArray) else joined


def _label(label: str | dict[str, str] | None) -> str | None:
    return compact_label({"1": label} if isinstance(label, str) else label or {}) or None


def _full(key: str, request: Request) -> str:
    """Return a key as Grew wants it: a lone node is named."""
    return f"{request.nodes[0]}.{key}" if re.fullmatch(r"[\w/]+", key) else key


def _rows(counts: Any, depth: int) -> list[tuple[tuple[str | None, ...], int]]:
    """Return the values and the count of each cluster."""
    if depth == 0:
        return [((), counts)] if counts else []
    keyed = counts.items() if depth > 1 else (((value,), count) for value, count in counts.items())
    return [(tuple(None if value == UNDEFINED else value for value in values), count) for values, count in keyed]
