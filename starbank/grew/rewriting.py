"""A rule applied to a treebank: each match with the graphs that its commands make, or why they make none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pyarrow as pa

from starbank.grew.engine import Engine
from starbank.grew.labels import to_json
from starbank.grew.request import Request
from starbank.grew.rewrite import NoRowError, multiplicity, rewrite
from starbank.grew.rules import Rule
from starbank.grew.sentence import ROOT, RewriteError, Sentence, read_sentence, write_sentence
from starbank.treebanks import Treebank, to_conllu


@dataclass(frozen=True)
class Rewriting:
    """What a rule makes of one match: the lines of a graph, as rows of ten columns, or an `error`.

    `nodes` are the IDs that the pattern's names are bound to, `edges` its named edges.
    """

    sent_id: str
    nodes: Mapping[str, str]
    edges: Mapping[str, Mapping[str, Any]]
    rows: Sequence[Sequence[str]] = ()
    comments: Sequence[str] = ()
    error: str | None = None

    @property
    def forms(self) -> list[str]:
        """The forms of the words, without those of multiword tokens and of empty nodes."""
        return [row[1] for row in self.rows if row[0].isdecimal()]

    def conllu(self, sent_id: str | None = None) -> str:
        """Return the graph as CoNLL-U: `# text` is that of its words."""
        header = {"sent_id": sent_id or self.sent_id, "text": text_of(self.rows)}
        lines = [f"# {key} = {value}" for key, value in header.items()]
        lines += [line for line in self.comments if line.removeprefix("#").partition("=")[0].strip() not in header]
        return "\n".join([*lines, *("\t".join(row) for row in self.rows)]) + "\n\n"

    def to_json(self) -> dict[str, Any]:
        """Return the rewriting as `starbank rewrite --jsonl` writes it."""
        about = {"sent_id": self.sent_id, "match": {"nodes": dict(self.nodes), "edges": dict(self.edges)}}
        if self.error is not None:
            return about | {"error": self.error}
        return about | {"forms": self.forms, "conllu": self.conllu()}


@dataclass(frozen=True)
class Match:
    """A match in its sentence: its `row` among all, the IDs of its nodes, and source, label and target of its edges."""

    row: int
    nodes: Mapping[str, str]
    edges: Mapping[str, tuple[str, str, str]]


def rewritings(rule: Rule, treebank: Treebank, engine: Engine) -> Iterator[list[Rewriting]]:
    """Yield, sentence by sentence, what a rule makes of its matches in a treebank, in their order.

    A match that Grew counts several times, since edges without a name lie side by side, is told as often.
    """
    for sent_id, sentence, matches in read_matches(rule.request, engine.match(rule.request), treebank):
        yield [rewriting for match in matches for rewriting in _of_match(rule, sent_id, sentence, match)]


def read_matches(
    request: Request, matches: pa.Table, treebank: Treebank
) -> Iterator[tuple[str, Sentence, list[Match]]]:
    """Yield each sentence that has matches of a request, with its `sent_id` and these; `matches` is in corpus order."""
    if not matches.num_rows:
        return
    chosen = treebank.only(matches["sent"].unique())
    ids = dict(zip(chosen.tokens["node"].to_pylist(), chosen.tokens["id"].to_pylist(), strict=True))
    blocks = to_conllu(chosen).strip("\n").split("\n\n")
    sentences = {
        sent: (sent_id, block)
        for sent, sent_id, block in zip(
            chosen.sentences["sent"].to_pylist(), chosen.sentences["sent_id"].to_pylist(), blocks, strict=True
        )
    }
    columns = [matches[name].to_pylist() for name in ("sent", *request.nodes, *request.edges)]
    rows = enumerate(zip(*columns, strict=True))
    for sent, group in groupby(rows, key=lambda row: row[1][0]):
        sent_id, block = sentences[sent]
        yield sent_id, _sentence(block), [_match(request, row, values, ids) for row, (_, *values) in group]


def _sentence(block: str) -> Sentence:
    lines = block.strip("\n").split("\n")
    comments = [line for line in lines if line.startswith("#")]
    return read_sentence([line.split("\t") for line in lines if not line.startswith("#")], comments)


def _match(request: Request, row: int, values: Sequence[Any], ids: Mapping[int, str]) -> Match:
    nodes, edges = values[: len(request.nodes)], values[len(request.nodes) :]
    return Match(
        row,
        {name: ids.get(node, ROOT) for name, node in zip(request.nodes, nodes, strict=True)},
        {
            name: (ids.get(edge["source"], ROOT), edge["label"] or "", ids.get(edge["target"], ROOT))
            for name, edge in zip(request.edges, edges, strict=True)
        },
    )


def _of_match(rule: Rule, sent_id: str, sentence: Sentence, match: Match) -> list[Rewriting]:
    edges = {
        name: {"source": source, "label": to_json(label), "target": target}
        for name, (source, label, target) in match.edges.items()
    }
    try:
        rows = [write_sentence(state.sentence) for state in rewrite(rule, sentence, match.nodes, match.edges)]
    except NoRowError:
        return []
    except RewriteError as error:
        return [Rewriting(sent_id, match.nodes, edges, error=error.message)]
    made = [Rewriting(sent_id, match.nodes, edges, each, sentence.comments) for each in rows]
    return made * multiplicity(rule, sentence, match.nodes)


def text_of(rows: Sequence[Sequence[str]]) -> str:
    """Return the text that words and multiword tokens make, with blanks but where SpaceAfter=No says otherwise."""
    pieces, covered = [], 0
    for number, form, *_, misc in rows:
        if "." in number or ("-" not in number and int(number) <= covered):
            continue
        if "-" in number:
            covered = int(number.partition("-")[2])
        pieces.append(form + " " * ("SpaceAfter=No" not in misc.split("|")))
    return "".join(pieces).rstrip(" ")
