"""Grew itself as an engine, through the package grewpy and its backend (https://grew.fr/usage/python).

Matches come as the same table as from `Engine`; what differs is listed in docs/requests.md.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import RequestError, StarbankError, TreebankError, UsageError
from starbank.grew.clusters import TREEBANK, Row, parse_keys, tabulate
from starbank.grew.counts import UNDEFINED
from starbank.grew.labels import compact_label
from starbank.grew.parse import block_texts
from starbank.grew.request import Request
from starbank.grew.results import match_schema
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
        matches: list[tuple[int, dict[str, Any]]] = []
        for corpus in self._corpora:
            answer = self._ask(lambda corpus=corpus: corpus.corpus.search(_Blocks(request)))
            matches += [(corpus.sents[match["sent_id"]], match["matching"]) for match in answer]
        return self._table(request, matches).slice(0, limit)

    def batches(self, request: Request, limit: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of `match`."""
        yield from self.match(request, limit).combine_chunks().to_batches()

    def count(self, request: Request) -> int:
        """Return the number of different matches of `request`."""
        return int(self.match(request).num_rows)

    def warnings(self, request: Request) -> list[str]:
        """Return what was odd when the request was read."""
        return list(request.warnings)

    def explain(self, request: Request) -> str:
        """Refuse: Grew has no plan to show."""
        raise UsageError("grewpy does not explain how it searches", hint="--explain is for Starbank's own engine.")

    def cluster(self, request: Request, keys: Sequence[str], treebank: str = "") -> pa.Table:
        """Return how many matches have which values of `keys`, counted by Grew, as `Engine.cluster` does."""
        parse_keys(keys, request)
        names = [_full(key, request) for key in keys if key != TREEBANK]
        rows = []
        for corpus in self._corpora:
            counts = self._ask(lambda corpus=corpus: corpus.corpus.count(_Blocks(request), names))
            for values, count in _rows(counts, len(names)):
                texts = iter(values)
                rows.append((tuple(treebank if key == TREEBANK else next(texts) for key in keys), count))
        return tabulate(rows, keys)

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
        files = zip(table["file"].to_pylist(), table["sent"].to_pylist(), strict=True)
        sents = [sent for _, sent in sorted(files, key=lambda row: names.index(row[0]))]
        if len(read) != len(sents) or len(set(read)) != len(read):
            raise TreebankError(f"Grew read {len(set(read))} of the {len(sents)} sentences of {self._treebank.name}")
        return _Corpus(corpus, dict(zip(read, sents, strict=True)))

    def _ask(self, ask: Any) -> Any:
        """Return what the backend answers; what it refuses is a `RequestError`."""
        try:
            return ask()
        except self._grewpy.grew.GrewError as error:
            message = error.value["message"] if isinstance(error.value, dict) else str(error.value)
            raise RequestError(f"Grew says: {message}") from error
        except (ValueError, OSError) as error:
            hint = "It may have run out of memory; try one treebank at a time."
            raise StarbankError("grewpy's backend ended without an answer", hint=hint) from error

    def _table(self, request: Request, matches: Sequence[tuple[int, dict[str, Any]]]) -> pa.Table:
        """Return matches as a table of different rows, by sentence and then by nodes and labels."""
        node_of = self._nodes({sent for sent, _ in matches})
        rows = set()
        for sent, match in matches:
            nodes = tuple(node_of[sent, match["nodes"][name]] for name in request.nodes)
            edges = tuple(
                (node_of[sent, edge["source"]], _label(edge["label"]), node_of[sent, edge["target"]])
                for edge in (match["edges"][name] for name in request.edges)
            )
            rows.add((sent, nodes, edges))
        ordered = sorted(rows, key=lambda row: (row[:2], [label or "" for _, label, _ in row[2]]))
        sentences = self._treebank.sentences
        sent_ids = dict(zip(sentences["sent"].to_pylist(), sentences["sent_id"].to_pylist(), strict=True))
        sents = [sent for sent, *_ in ordered]
        columns = [arrays.integers(np.array(sents, np.int32)), arrays.texts([sent_ids[sent] for sent in sents])]
        for place, _ in enumerate(request.nodes):
            columns.append(arrays.integers(np.array([nodes[place] for _, nodes, _ in ordered], np.int64)))
        for place, _ in enumerate(request.edges):
            bound = arrays.table_of([edges[place] for *_, edges in ordered], source=int, label=str, target=int)
            columns.append(bound.to_struct_array().combine_chunks())
        return pa.Table.from_arrays(columns, schema=match_schema(request))

    def _nodes(self, sents: set[int]) -> dict[tuple[int, str], int]:
        """Return the `node` of each CoNLL-U id in the sentences `sents`; `0` is the root node."""
        tokens, sentences = self._treebank.tokens, self._treebank.sentences
        tokens = tokens.filter(pc.is_in(tokens["sent"], value_set=arrays.integers(np.array(sorted(sents), np.int32))))
        roots = zip(sentences["sent"].to_pylist(), sentences["root"].to_pylist(), strict=True)
        words = zip(*(tokens[name].to_pylist() for name in ("sent", "id", "node")), strict=True)
        return {(sent, "0"): root for sent, root in roots} | {(sent, id_): node for sent, id_, node in words}


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
    complaints = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaints):
            grewpy = import_module("grewpy")
            import_module("grewpy.grew")
    except ImportError as error:
        message = "the engine grewpy needs the package grewpy, which is not installed"
        raise StarbankError(message, hint=INSTALL) from error
    except FileNotFoundError as error:
        message = "the engine grewpy needs the program grewpy_backend, which is not on the PATH"
        raise StarbankError(message, hint=INSTALL) from error
    except (SystemExit, ValueError, OSError) as error:
        message = f"grewpy's backend does not start: {complaints.getvalue().strip() or error}"
        raise StarbankError(message, hint=INSTALL) from error
    grewpy.set_config("ud")
    return grewpy


def _distinct(sent_ids: Sequence[str]) -> list[np.ndarray]:
    """Divide sentences into groups in which no id is repeated, since Grew names sentences by their ids."""
    groups: list[list[int]] = []
    repetitions: Counter[str] = Counter()
    for place, sent_id in enumerate(sent_ids):
        if repetitions[sent_id] == len(groups):
            groups.append([])
        groups[repetitions[sent_id]].append(place)
        repetitions[sent_id] += 1
    return [np.array(group, np.int64) for group in groups]


def _label(label: str | dict[str, str] | None) -> str | None:
    return compact_label({"1": label} if isinstance(label, str) else label or {}) or None


def _full(key: str, request: Request) -> str:
    """Return a key as Grew wants it: a lone node is named."""
    return f"{request.nodes[0]}.{key}" if re.fullmatch(r"[\w/]+", key) else key


def _rows(counts: Any, depth: int) -> list[Row]:
    """Return the values and the count of each cluster."""
    if depth == 0:
        return [((), counts)] if counts else []
    keyed = counts.items() if depth > 1 else (((value,), count) for value, count in counts.items())
    return [(tuple(None if value == UNDEFINED else value for value in values), count) for values, count in keyed]
