"""Syntax tree -> checked request: every name bound, every clause meaningful, node clauses merged."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from starbank.errors import RequestError
from starbank.grew import syntax
from starbank.grew.check_features import check_attribute_order, check_feature_test, check_presence
from starbank.grew.merge import Contradiction, TooManyAlternatives, Unmergeable, merge_clauses
from starbank.grew.names import OPERATORS, STRUCTURES
from starbank.grew.parse import parse
from starbank.grew.request import Alternatives, CheckedBlock, Request
from starbank.grew.syntax import Name, Source, declared, mentioned
from starbank.languages import with_words


def parse_request(text: str, file: Path | None = None, language: str | None = None, *, conditions: str = "") -> Request:
    """Read and check the Grew request `text`, with further `conditions`, blocks such as `with { X -[obj]-> Y }`.

    `file` is named in errors. The language is that of https://grew.fr/doc/request (Grew 1.20) as `docs/requests.md`
    describes it, with the lists of `languages/`: those of `language`, or of all.

    Raises `RequestError` with file, line, column, the line itself and a hint.
    """
    return _request(with_words(text, file, language), file, with_words(conditions, file, language))


# Covariates are further conditions of the same request, and what runs everywhere is read again for each language, which
# may have no words for it.
_document = lru_cache(maxsize=512)(parse)


@lru_cache(maxsize=512)
def _request(text: str, file: Path | None, conditions: str) -> Request:
    document = _document(text, file)
    if conditions:
        further = _document(conditions, file)
        # Another engine is sent the text.
        source = replace(document.source, text=f"{document.source.text}\n{further.source.text}")
        document = syntax.Document(source, document.blocks + further.blocks)
    return check(document)


def check(document: syntax.Document) -> Request:
    """Bind the names of `document` and merge its clauses; raise `RequestError` where it makes no sense."""
    source = document.source
    blocks = [block for block in document.blocks if isinstance(block, syntax.Block)]
    pattern_clauses = [clause for block in blocks if block.kind == "pattern" for clause in block.clauses]
    elsewhere = {
        name.text: block
        for block in blocks
        if block.kind != "pattern"
        for clause in block.clauses
        for name in declared(clause)
    }
    pattern = _Checker(source, None, elsewhere).block("pattern", pattern_clauses)
    assert pattern is not None
    conditions, warnings = [], []
    for block in (block for block in blocks if block.kind != "pattern"):
        checked = _Checker(source, pattern).block(block.kind, block.clauses)
        if checked is not None:
            conditions.append(checked)
        else:
            warnings.append(f"line {block.place.line}: this without block contradicts itself and refuses nothing")
    globals_ = [
        clause for block in document.blocks if isinstance(block, syntax.GlobalBlock) for clause in block.clauses
    ]
    for clause in globals_:
        if isinstance(clause, syntax.Structure):
            check_structure(source, clause.name)
    return Request(source, pattern, tuple(conditions), tuple(globals_), tuple(warnings))


def check_structure(source: Source, name: Name) -> None:
    """Raise `RequestError` where `name` is no structural property of a sentence."""
    if name.text not in STRUCTURES:
        message = f"unknown property of a sentence: {name.text}"
        raise source.error(name.place, message, f"Known are {', '.join(STRUCTURES)}.")


class _Checker:
    """Checks one block; `outer` is the pattern, whose names a `with` or `without` shares.

    `elsewhere` gives the names that other blocks declare for themselves.
    """

    def __init__(
        self, source: Source, outer: CheckedBlock | None, elsewhere: Mapping[str, syntax.Block] = MappingProxyType({})
    ) -> None:
        self.source = source
        self.error = source.error
        self.elsewhere = elsewhere
        self.outer_nodes = outer.nodes if outer else ()
        self.outer_edges = outer.edges if outer else ()
        self.nodes: dict[str, None] = {}
        self.edges: dict[str, None] = {}

    def block(self, kind: syntax.Kind, clauses: Iterable[syntax.Clause]) -> CheckedBlock | None:
        """Return the checked block; None for a `without` that contradicts itself."""
        clauses = list(clauses)
        self.declare(clauses)
        for clause in clauses:
            self.check_clause(clause)
        try:
            tests, others = self.merge(kind, clauses)
        except Contradiction:
            return None
        return CheckedBlock(
            kind,
            self.in_order_of_mention(clauses),
            tuple(self.edges),
            tests,
            tuple(clause for clause in others if isinstance(clause, syntax.EdgeClause)),
            tuple(clause for clause in others if not isinstance(clause, syntax.EdgeClause)),
        )

    # Declarations

    def declare(self, clauses: list[syntax.Clause]) -> None:
        """Collect the names that node and edge clauses declare; a clause with `*` declares nothing."""
        for name in (name for clause in clauses for name in declared(clause)):
            self.refuse_meta(name, "node")
            if name.text in self.outer_edges:
                raise self.error(name.place, f"{name.text} is an edge of the pattern and cannot also be a node")
            if name.text not in self.outer_nodes:
                self.nodes[name.text] = None
        for name in (clause.edge for clause in clauses if isinstance(clause, syntax.EdgeClause) and clause.edge):
            self.refuse_meta(name, "edge")
            if self.is_edge(name):
                hint = "Each named edge is declared once; choose another name here."
                raise self.error(name.place, f"the edge {name.text} is declared twice", hint)
            if self.is_node(name):
                raise self.error(name.place, f"{name.text} is a node and cannot also be an edge")
            self.edges[name.text] = None

    def refuse_meta(self, name: Name, kind: str) -> None:
        if name.text == "meta":
            hint = "Choose another name; meta.key asks for a comment line of the sentence."
            raise self.error(name.place, f"meta is the sentence, and cannot be the name of a {kind}", hint)

    def in_order_of_mention(self, clauses: list[syntax.Clause]) -> tuple[str, ...]:
        names = dict.fromkeys(name.text for clause in clauses for name in mentioned(clause))
        return tuple(name for name in names if name in self.nodes)

    # Clauses

    def is_node(self, name: Name) -> bool:
        return name.text in self.nodes or name.text in self.outer_nodes

    def is_edge(self, name: Name) -> bool:
        return name.text in self.edges or name.text in self.outer_edges

    def need_node(self, name: Name) -> None:
        if not self.is_node(name):
            if self.is_edge(name):
                raise self.error(name.place, f"{name.text} is an edge; a node is needed here")
            raise self.unknown(name, "node")

    def need_edge(self, name: Name, hint: str | None = None) -> None:
        if not self.is_edge(name):
            if self.is_node(name):
                raise self.error(name.place, f"{name.text} is a node; a named edge is needed here", hint)
            raise self.unknown(name, "edge")

    def unknown(self, name: Name, kind: str) -> RequestError:
        names = [*self.outer_nodes, *self.nodes, *self.outer_edges, *self.edges]
        close = difflib.get_close_matches(name.text, names, 1)
        if name.text in self.elsewhere:
            block = self.elsewhere[name.text]
            hint = f"The {block.kind} block of line {block.place.line} has a {name.text} of its own, known only there."
        elif close:
            hint = f"Did you mean {close[0]}?"
        elif kind == "edge":
            hint = f"Name an edge where it is described: {name.text}: X -[nsubj]-> Y."
        else:
            hint = f"Declare it with a clause of its own: {name.text} []."
        return self.error(name.place, f"unknown {kind} {name.text}", hint)

    def check_clause(self, clause: syntax.Clause) -> None:
        match clause:
            case syntax.NodeClause():
                for test in (test for bracket in clause.alternatives for test in bracket):
                    check_feature_test(self.source, "node", test)
            case syntax.EdgeClause():
                for name in filter(None, (clause.source, clause.target)):
                    self.need_node(name)
            case syntax.RelationClause():
                self.check_relation(clause)
            case syntax.FeatureClause():
                kind = self.kind(clause.owner)
                if kind == "global":
                    self.check_global(clause)
                else:
                    check_feature_test(self.source, kind, clause.test)
                    check_presence(self.source, clause)
            case syntax.CompareClause():
                for side in (clause.left, clause.right):
                    if isinstance(side, syntax.Measure):
                        self.check_measure(side)
                    elif isinstance(side, syntax.Attribute):
                        self.check_attribute(side, clause.comparison)

    def kind(self, owner: Name) -> str:
        """Return what `owner` is: `node`, `edge`, `meta` or `global`."""
        if self.is_node(owner):
            return "node"
        if self.is_edge(owner):
            return "edge"
        if owner.text in ("meta", "global"):
            return owner.text
        raise self.unknown(owner, "edge" if owner.text[0].islower() else "node")

    def check_attribute(self, attribute: syntax.Attribute, comparison: str) -> None:
        kind = self.kind(attribute.owner)
        if kind == "global":
            raise self.error(attribute.owner.place, "global holds or does not hold; it has no value to compare")
        if comparison not in ("=", "<>"):
            check_attribute_order(self.source, kind, attribute.feature)

    def check_global(self, clause: syntax.FeatureClause) -> None:
        name = clause.test.feature
        if not isinstance(clause.test, syntax.Present):
            raise self.error(name.place, "global holds or does not hold; it has no value to compare",
                             f"Write global.{STRUCTURES[0]}, or global.{STRUCTURES[1]}.")  # fmt: skip
        check_structure(self.source, name)

    def check_measure(self, measure: syntax.Measure) -> None:
        operator = measure.operator
        if operator.text not in OPERATORS:
            raise self.error(operator.place, f"unknown operator {operator.text}", f"Known are {', '.join(OPERATORS)}.")
        if len(measure.nodes) != OPERATORS[operator.text]:
            nodes = "one node" if OPERATORS[operator.text] == 1 else "two nodes"
            raise self.error(operator.place, f"{operator.text} takes {nodes}, not {len(measure.nodes)}")
        for node in measure.nodes:
            self.need_node(node)

    def check_relation(self, clause: syntax.RelationClause) -> None:
        left, right = clause.left, clause.right
        if clause.relation in ("<>", "><"):
            hint = "Two nodes are different anyway; <> and >< compare the spans of two named edges."
            self.need_edge(left, hint)
            self.need_edge(right, hint)
        elif clause.relation == "<<" and self.is_edge(right):
            if not self.is_edge(left):
                self.need_node(left)
        else:
            if clause.relation == "<<" and self.is_edge(left):
                hint = f"{right.text} << {left.text} holds where the node lies inside the span of the edge."
                raise self.error(left.place, "an edge cannot stand before a node", hint)
            self.need_node(left)
            self.need_node(right)

    # Merging

    def merge(
        self, kind: syntax.Kind, clauses: list[syntax.Clause]
    ) -> tuple[tuple[tuple[str, Alternatives], ...], list[syntax.Clause]]:
        """Merge the clauses about each node; return them and the other clauses."""
        by_node: dict[str, list[tuple[Name, Alternatives]]] = {}
        others: list[syntax.Clause] = []
        for clause in clauses:
            if isinstance(clause, syntax.NodeClause):
                by_node.setdefault(clause.node.text, []).append((clause.node, clause.alternatives))
            elif (
                kind == "pattern"
                and isinstance(clause, syntax.FeatureClause)
                and isinstance(clause.test, syntax.OneOf)
                and self.is_node(clause.owner)
            ):
                # Grew reads `X.f = v` and `X.f <> v` as part of the node's clause.
                by_node.setdefault(clause.owner.text, []).append((clause.owner, ((clause.test,),)))
            else:
                others.append(clause)
        merged = []
        for node, mentions in by_node.items():
            place = mentions[-1][0].place
            try:
                merged.append((node, merge_clauses([alternatives for _, alternatives in mentions])))
            except Unmergeable as conflict:
                hint = "A regular expression, or f=a/g=b, stands alone; put another test into with { … }."
                message = f"these tests of {conflict.feature.text} cannot be joined"
                raise self.error(conflict.feature.place, message, hint) from None
            except TooManyAlternatives:
                hint = "Put some of them into with { … }, a block for each clause."
                message = f"the clauses about {node} have too many alternatives, each with each of the others"
                raise self.error(place, message, hint) from None
            except Contradiction:
                if kind == "without":
                    raise
                raise self.error(place, f"the clauses about {node} contradict one another") from None
        return tuple(merged), others
