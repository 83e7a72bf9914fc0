"""One level of a SQL query: relations joined on the ids of node variables, in an order that keeps the rows few.

DuckDB's own join order knows nothing of trees and can be off by orders of magnitude (a range join of all nodes with all
nodes), so the order is fixed here, from exact counts of values and labels, and DuckDB is told to keep it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

import numpy as np

# A longer list of codes is passed as a parameter: the text stays short, and the plan joins with a hash table.
INLINE = 8
OUTER = "m"

# Columns that `nodes` gets when a request first asks for one: name -> the table that has them.
ADDED_COLUMNS = {"first": "spans", "last": "spans"}
ADDED_COLUMNS |= dict.fromkeys(["proj_size", "cont_proj_size", "constituent_size", "height"], "shapes")


class Parameters:
    """What the levels of a query share: the lists that it refers to as `$1`, `$2`, …, its tables, its aliases."""

    def __init__(self) -> None:
        """Start without any."""
        self.lists: list[list[int]] = []
        self.tables: set[str] = set()
        self._numbers = count()

    def alias(self, letter: str) -> str:
        """Return an alias that is not used yet."""
        return f"{letter}{next(self._numbers)}"

    def membership(self, column: str, codes: Iterable[int]) -> str:
        """Return the condition that `column` is one of `codes`."""
        numbers = np.unique(np.fromiter(codes, np.int64))
        if len(numbers) == 0:
            return "FALSE"
        starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 2) > 1)
        if len(starts) <= INLINE // 2 < len(numbers):
            ends = [*starts[1:], len(numbers)]
            runs = [(int(numbers[a]), int(numbers[b - 1])) for a, b in zip(starts, ends, strict=True)]
            return any_of(f"{column} BETWEEN {a} AND {b}" if a < b else f"{column} = {a}" for a, b in runs)
        if len(numbers) > INLINE:
            self.lists.append(numbers.tolist())
            return f"{column} IN (SELECT unnest(${len(self.lists)}))"
        return f"{column} IN ({', '.join(map(str, numbers))})" if len(numbers) > 1 else f"{column} = {numbers[0]}"


@dataclass
class Relation:
    """A table under an alias, with the filters on it alone.

    `keys` gives, for a node variable, the columns that hold its id; `share` estimates the part of the rows that the
    filters leave. A `lookup` is (column, expression): the relation has just one row where they are equal.
    """

    table: str
    alias: str
    filters: list[str] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)
    share: float = 1.0
    lookup: tuple[str, str] | None = None

    def where(self, condition: str, share: float = 1.0) -> None:
        """Add a filter on the relation's own columns, which leaves about `share` of the rows."""
        if condition != "TRUE":
            self.filters.append(condition)
            self.share *= share

    def sql(self) -> str:
        """Return the relation as it stands in FROM; in the place of `@` and its alias belong the columns (`named`)."""
        if not self.filters:
            return f"{self.table} {self.alias}"
        filters = " AND ".join(dict.fromkeys(self.filters))
        return f"(SELECT @{self.alias} FROM {self.table} WHERE {filters}) {self.alias}"


@dataclass(frozen=True)
class Sizes:
    """What the join order needs to know of a treebank: its rows, and how many nodes have dependents."""

    nodes: int
    edges: int
    heads: int
    sentences: int

    def rows(self, relation: Relation) -> float:
        """Estimate the rows of a relation."""
        total = {"nodes": self.nodes, "edges": self.edges, "sentences": self.sentences}.get(relation.table, self.nodes)
        return total * relation.share

    def per_match(self, relation: Relation, bound: set[str]) -> float:
        """Estimate how many rows of `relation` join with one row in which the variables `bound` have values."""
        rows = self.rows(relation)
        columns = [column for variable, columns in relation.keys.items() if variable in bound for column in columns]
        if relation.lookup or not columns:
            return 1.0 if relation.lookup else rows / max(self.sentences, 1)
        for column in columns:
            rows /= max(self.heads if column in ("head", "source") else self.nodes, 1)
        return rows


class Query:
    """The relations and conditions of one level; `outer` is the query that a `with` or `without` belongs to.

    What an inner query reads of the outer one is exported as a column `m.c0`, `m.c1`, … of the relation `m`.
    """

    def __init__(self, sizes: Sizes, parameters: Parameters, outer: Query | None = None) -> None:
        """Start without relations."""
        self.sizes = sizes
        self.parameters = parameters
        self.outer = outer
        self.relations: list[Relation] = []
        self.conditions: list[str] = []
        self.sentence_filters: list[str] = []
        self.exports: list[str] = []
        self.read: list[str] = []
        self.variables: set[str] = set()
        self.given: dict[str, str] = {}
        self._rows: dict[str, Relation] = {}

    # Relations and columns

    def relation(self, table: str) -> Relation:
        """Join another row of `table`."""
        relation = Relation(table, self.parameters.alias(table[0]))
        self.parameters.tables.add(table)
        self.relations.append(relation)
        return relation

    def row(self, variable: str) -> Relation:
        """Return the row of `nodes` of one of this level's variables, joining it on first use."""
        if variable not in self._rows:
            self._rows[variable] = self.relation("nodes")
            self._rows[variable].keys[variable] = ["id"]
        return self._rows[variable]

    def column(self, variable: str, name: str) -> str:
        """Return a column of the variable's row of `nodes`."""
        if name in ADDED_COLUMNS:
            self.parameters.tables.add(ADDED_COLUMNS[name])
        if variable in self.variables:
            return f"{self.row(variable).alias}.{name}"
        assert self.outer is not None
        return self.export(self.outer.column(variable, name))

    def id(self, variable: str) -> str:
        """Return an expression for the id of a variable."""
        if variable not in self.variables:
            assert self.outer is not None
            return self.export(self.outer.id(variable))
        if variable in self._rows:
            return f"{self._rows[variable].alias}.id"
        if variable in self.given:
            return self.given[variable]
        for relation in self.relations:
            for column in relation.keys.get(variable, ()):
                return f"{relation.alias}.{column}"
        return f"{self.row(variable).alias}.id"

    def sent(self) -> str:
        """Return an expression for the number of the sentence."""
        if self.outer is not None:
            return self.export(self.outer.sent())
        if not self.relations:
            self.relation("sentences")
        return f"{self.relations[0].alias}.sent"

    def lookup(self, table: str, key: str, value: str, column: str) -> str:
        """Return a column of the row of `table` whose `key` is `value`; there must be exactly one."""
        if value.startswith(f"{OUTER}.") and self.outer is not None:
            return self.export(self.outer.lookup(table, key, self.outer.exports[int(value[3:])], column))
        for relation in self.relations:
            if relation.table == table and relation.lookup == (key, value):
                return f"{relation.alias}.{column}"
        relation = self.relation(table)
        relation.lookup = (key, value)
        return f"{relation.alias}.{column}"

    def export(self, expression: str) -> str:
        """Return the name under which this query reads an expression of the outer one."""
        assert self.outer is not None
        if expression not in self.outer.exports:
            self.outer.exports.append(expression)
        name = f"c{self.outer.exports.index(expression)}"
        if name not in self.read:
            self.read.append(name)
        return f"{OUTER}.{name}"

    def where(self, condition: str) -> None:
        """Add a condition, which must hold with all others."""
        if condition != "TRUE" and condition not in self.conditions:
            self.conditions.append(condition)

    @property
    def is_empty(self) -> bool:
        """Whether a filter or condition that it has already leaves no rows."""
        return "FALSE" in self.conditions or any("FALSE" in relation.filters for relation in self.relations)

    # SQL

    def joins(self) -> str:
        """Return what stands in FROM: the outer query's rows first, then this level's relations."""
        mentioned = {variable for relation in self.relations for variable in relation.keys} - self.variables
        bound = self.given | {variable: self.id(variable) for variable in sorted(mentioned)}
        steps, anchor = ([], "") if self.outer is None else ([OUTER], "")
        for relation in self._order(set(bound)):
            links = _links(relation, bound)
            if not steps:
                for condition in self.sentence_filters:
                    relation.where(condition)
                anchor = f"{relation.alias}.sent"
                steps.append(relation.sql())
            else:
                links = links or [f"{relation.alias}.sent = {anchor or self.sent()}"]
                steps.append(f"JOIN {relation.sql()} ON {' AND '.join(links)}")
        return "\n".join(steps)

    def _order(self, bound: set[str]) -> list[Relation]:
        """Put the relations in an order that keeps the estimated rows few; a lookup follows what it refers to."""
        bound, waiting = set(bound), list(self.relations)
        ordered: list[Relation] = []
        while waiting:
            ready = [relation for relation in waiting if self._is_ready(relation, ordered)]
            tied = [relation for relation in ready if relation.lookup or bound & set(relation.keys)]
            if tied:
                chosen = min(tied, key=lambda relation: self.sizes.per_match(relation, bound))
            else:
                chosen = min(ready, key=self.sizes.rows)
            waiting.remove(chosen)
            ordered.append(chosen)
            bound |= set(chosen.keys)
        return ordered

    def _is_ready(self, relation: Relation, ordered: list[Relation]) -> bool:
        if relation.lookup is None:
            return True
        mentioned = set(re.findall(r"\b([a-z]\d+)\.", relation.lookup[1]))
        return mentioned <= {earlier.alias for earlier in ordered}


def named(sql: str) -> str:
    """Name in a whole query the columns that it reads of each relation: a star costs DuckDB time for each that it has.

    >>> named("SELECT n0.id FROM (SELECT @n0 FROM nodes WHERE upos = 3) n0 WHERE n0.id <> n0.head")
    'SELECT n0.id FROM (SELECT head, id FROM nodes WHERE upos = 3) n0 WHERE n0.id <> n0.head'
    """
    read: dict[str, set[str]] = defaultdict(set)
    for alias, column in re.findall(r"\b([a-z]\d+)\.(\w+)", sql):
        read[alias].add(column)
    return re.sub(r"@(\w+)", lambda alias: ", ".join(sorted(read[alias[1]])) or "TRUE", sql)


def _links(relation: Relation, bound: dict[str, str]) -> list[str]:
    """Return the ON conditions that tie `relation` to what is joined already; add its variables to `bound`."""
    links = [] if relation.lookup is None else [f"{relation.alias}.{relation.lookup[0]} = {relation.lookup[1]}"]
    for variable, columns in relation.keys.items():
        for column in columns:
            expression = f"{relation.alias}.{column}"
            if variable in bound:
                links.append(f"{expression} = {bound[variable]}")
            else:
                bound[variable] = expression
    return links


def all_of(conditions: Iterable[str]) -> str:
    """Join conditions with AND."""
    return _joined(conditions, "AND", neutral="TRUE", decisive="FALSE")


def any_of(conditions: Iterable[str]) -> str:
    """Join conditions with OR."""
    return _joined(conditions, "OR", neutral="FALSE", decisive="TRUE")


def _joined(conditions: Iterable[str], operator: str, neutral: str, decisive: str) -> str:
    conditions = [condition for condition in conditions if condition != neutral]
    if decisive in conditions:
        return decisive
    return f"({f' {operator} '.join(conditions)})" if len(conditions) > 1 else "".join(conditions) or neutral
