"""The forms of a lexicon as examples of what leads from one cell of a paradigm to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.cells import OF_THE_LEXEME
from starbank.treebanks.arrays import code, integers, numbers, table_of, texts
from starbank.treebanks.features import parse_features

FOLDS = 5
_Cell = tuple[str, frozenset[tuple[str, str]]]
# Enough examples of one transition, or of one cell, to tell what is regular.
_EXAMPLES = 2000

# A lemma may show its parts: Finnish lähi#oikeus.
LEMMA = "regexp_replace({lemma}, '[#=]', '', 'g')"


def fold_of(lemma: str, deal: int = 0) -> str:
    """Return SQL for the fold that a lemma, the SQL expression `lemma`, is in; each `deal` deals them out anew."""
    return f"(md5_number_lower({lemma} || '{deal or ''}') % {FOLDS})::int"


_ENTRIES = f"""
    create temp table entries as
    with counted as (
        select {LEMMA.format(lemma="lemma")} as lemma, upos, coalesce(feats, '') as feats, "use", form,
            greatest(sum(count), 1) as count, bool_or(source = 'treebank') as attested
        from lexicon
        where source <> 'predicted' and length(form) <= 40 and length(lemma) <= 40
            and not regexp_matches(form, '^[-‐–]|[-‐–]$')
        group by all
    )
    select lemma, cell, form, count / sum(count) over (partition by lemma, cell) as weight,
        {fold_of("lemma")} as fold, attested
    from counted join cells on cells.upos = counted.upos and cells.feats = counted.feats
        and cells."use" is not distinct from counted."use"
    order by lemma, cell, form
"""

_TRANSITIONS = """
    select transition, one, other, source.form as source, target.form as target, target.lemma,
        source.weight * target.weight as weight, target.fold,
        row_number() over (partition by transition order by draw, one, other) <= $most as sampled
    from steps
        join entries as source on source.cell = one
        join entries as target on target.cell = other and target.lemma = source.lemma,
        lateral (select md5_number_lower(source.lemma || source.form || target.form) as draw)
    qualify sampled or asked = 1 and row_number() over (partition by one, other order by draw) <= $most
    order by all
"""

_LEMMAS = """
    select entries.cell as other, lemma, form as target, weight, fold,
        row_number() over (partition by asked.wide order by draw, other) <= $most as sampled
    from entries join asked on asked.cell = entries.cell, lateral (select md5_number_lower(lemma || form) as draw)
    qualify sampled or asked.exact = 1 and row_number() over (partition by entries.cell order by draw) <= $most
    order by all
"""


@dataclass(frozen=True)
class Queries:
    """What is asked for: for each row the form of `lemma` in `cell`.

    `given` is a known form of the lemma with its cell `given_cell`; '' and -1 where none is known. Rows of the fold
    `fold` must not learn from lemmas of that fold; -1 may learn from all.
    """

    lemma: Sequence[str]
    cell: np.ndarray
    given: Sequence[str]
    given_cell: np.ndarray
    fold: np.ndarray

    def __len__(self) -> int:
        return len(self.cell)

    def take(self, rows: np.ndarray) -> Queries:
        """Return some of the rows."""
        pick = rows.tolist()
        return Queries(
            [self.lemma[row] for row in pick],
            self.cell[rows],
            [self.given[row] for row in pick],
            self.given_cell[rows],
            self.fold[rows],
        )

    def without_given(self) -> Queries:
        """Return the same, but for the known forms."""
        return Queries(self.lemma, self.cell, [""] * len(self), np.full(len(self), -1), self.fold)


class Cells:
    """Cells by number. A cell is a UPOS with features and use; features of the lexeme do not make it `wide`."""

    def __init__(self) -> None:
        self.keys: list[tuple[str, str, str | None]] = []
        self.features: list[dict[str, str]] = []
        self._numbers: dict[tuple[str, str, str | None], int] = {}
        self._wide: dict[tuple[tuple[str, str], ...], int] = {}
        self._wide_of: list[int] = []

    def number(self, upos: str, feats: str | None, use: str | None) -> int:
        """Return the number of a cell, a new one where it is new."""
        key = (upos, feats or "", use)
        if key not in self._numbers:
            lexeme = OF_THE_LEXEME.get(upos, ())
            features = {name: value for name, value in parse_features(feats or "").items() if name not in lexeme}
            # A form that may be cut or extended in its place is inflected apart from those that stand free.
            features |= {"use": use} if use else {}
            self._numbers[key] = len(self.keys)
            self.keys.append(key)
            self.features.append(features)
            self._wide_of.append(self._wide.setdefault(tuple(sorted(features.items())), len(self._wide)))
        return self._numbers[key]

    @property
    def wide(self) -> np.ndarray:
        """The number that cells share which differ in nothing but UPOS and features of the lexeme."""
        return np.array(self._wide_of, dtype=np.int64)

    def distances(self, start: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """Return in how many features each two cells differ."""
        names = sorted({name for features in self.features for name in features})
        columns = ([features.get(name, "") for features in self.features] for name in names)
        codes = [code(texts(column))[0] for column in columns]
        differing = np.zeros(len(start), dtype=np.int64)
        for column in codes:
            differing += column[start] != column[goal]
        return differing

    def transition(self, start: int, goal: int) -> tuple[tuple[str, str, str], ...]:
        """Return the features that differ between two cells, as (name, one value, other value)."""
        before, after = self.features[start], self.features[goal]
        names = sorted({name for name, _ in before.items() ^ after.items()})
        return tuple((name, before.get(name, ""), after.get(name, "")) for name in names)


class Paradigms:
    """The attested forms of one language."""

    def __init__(self, lexicon: pa.Table) -> None:
        """Take the forms from a table with the schema `LEXICON`, the predicted ones aside."""
        self.cells, self.size = Cells(), lexicon.num_rows
        self.connection = duckdb.cursor()
        self.connection.register("lexicon", lexicon)
        keys = self.connection.sql(
            "select distinct upos, coalesce(feats, '') as feats, \"use\" from lexicon"
            " where source <> 'predicted' order by all"
        ).to_arrow_table()
        cells = [self.cells.number(*key) for key in zip(*(column.to_pylist() for column in keys.columns), strict=True)]
        self._known = len(cells)
        keys = keys.append_column("cell", integers(np.array(cells, dtype=np.int64)))
        self.connection.register("cells", keys.append_column("wide", integers(self.cells.wide)))
        self.connection.execute(_ENTRIES)
        # One and the same step is asked for again and again.
        self._pairs = cache(self._find_pairs)

    def forms(self) -> pa.Table:
        """Return all forms, columns `form` and `fold`."""
        return self.connection.sql("select distinct form, fold from entries order by all").to_arrow_table()

    def lemmas(self, cell: np.ndarray) -> np.ndarray:
        """Return how many lemmas show each cell, or one that differs from it in UPOS or features of the lexeme."""
        query = "select wide, count(distinct lemma) from entries join cells using (cell) group by wide"
        counts = dict(self.connection.sql(query).fetchall())
        return np.array([counts.get(wide, 0) for wide in self.cells.wide[cell].tolist()], dtype=np.int64)

    def examples(self, queries: Queries) -> tuple[pa.Table, pa.Table, dict[tuple[int, int], int]]:
        """Return what there is to learn from for some queries.

        That is a table of forms by their lemmas (`other`, `lemma`, `target`, `weight`, `fold`, `sampled`), one of
        forms by other forms of the lemma (`transition`, `one`, `other`, `source`, `target`, `lemma`, `weight`, `fold`,
        `sampled`), where `one` and `other` are cells, and the transition of each pair of cells that is asked for. What
        is `sampled` stands for all that is alike, whatever the queries; the rest is of the very cells.
        """
        pairs = {
            (start, goal)
            for start, goal in zip(queries.given_cell.tolist(), queries.cell.tolist(), strict=True)
            if start >= 0
        }
        numbers_: dict[tuple[tuple[str, str, str], ...], int] = {}
        by_pair = {pair: numbers_.setdefault(self.cells.transition(*pair), len(numbers_)) for pair in sorted(pairs)}
        self.connection.register("steps", self._steps(numbers_, by_pair))
        transitions = self.connection.sql(_TRANSITIONS, params={"most": _EXAMPLES}).to_arrow_table()
        self.connection.register("asked", self._cells_like(queries.cell))
        lemmas = self.connection.sql(_LEMMAS, params={"most": _EXAMPLES}).to_arrow_table()
        return lemmas, transitions, by_pair

    def _steps(
        self, transitions: Mapping[tuple[tuple[str, str, str], ...], int], pairs: Mapping[tuple[int, int], int]
    ) -> pa.Table:
        """Return all pairs of known cells that differ as the transitions say."""
        rows = [
            (number, start, goal, (start, goal) in pairs)
            for differences, number in transitions.items()
            for start, goal in self._pairs(differences)
        ]
        return table_of(rows, transition=int, one=int, other=int, asked=int)

    def _find_pairs(self, differences: tuple[tuple[str, str, str], ...]) -> list[tuple[int, int]]:
        """Return the pairs of known cells that differ as a transition says."""
        by_features, having = self._known_cells
        before = frozenset((name, value) for name, value, _ in differences if value)
        after = frozenset((name, value) for name, _, value in differences if value)
        names = {name for name, _, _ in differences}
        sources = set.intersection(*(having.get(feature, set()) for feature in before)) if before else by_features
        pairs = []
        for upos, features in sources:
            goals = by_features.get((upos, (features - before) | after), ())
            if goals and names.isdisjoint(name for name, _ in features - before):
                pairs += [(start, goal) for start in by_features[upos, features] for goal in goals]
        return pairs

    @cached_property
    def _known_cells(self) -> tuple[dict[_Cell, list[int]], dict[tuple[str, str], set[_Cell]]]:
        """The known cells by UPOS and features, and those that have a feature."""
        by_features: dict[_Cell, list[int]] = {}
        having: dict[tuple[str, str], set[_Cell]] = {}
        for cell in range(self._known):
            key = (self.cells.keys[cell][0], frozenset(self.cells.features[cell].items()))
            by_features.setdefault(key, []).append(cell)
            for feature in key[1]:
                having.setdefault(feature, set()).add(key)
        return by_features, having

    def _cells_like(self, queried: np.ndarray) -> pa.Table:
        """Return the known cells that differ from one asked for in nothing but UPOS and features of the lexeme."""
        wide = self.cells.wide
        cells = np.flatnonzero(np.isin(wide[: self._known], wide[np.unique(queried)]))
        columns = (cells, wide[cells], np.isin(cells, queried).astype(np.int64))
        return pa.table([integers(column) for column in columns], names=["cell", "wide", "exact"])


def sample_queries(paradigms: Paradigms, most: int) -> tuple[Queries, list[set[str]]]:
    """Return forms to learn from by asking for them, at most so many, and the right answers in small letters.

    Each is asked for with another attested form of its lemma, the one whose cell differs least.
    """
    return held_out_queries(paradigms, f"md5_number_lower(lemma || upos || wide) limit {most}")


def held_out_queries(paradigms: Paradigms, order: str = "lemma, upos, wide") -> tuple[Queries, list[set[str]]]:
    """Return every attested cell of a lemma that has another one, as `sample_queries` does, in some SQL order."""
    connection, cells = paradigms.connection, paradigms.cells
    goals = f"""
        with goals as (
            select lemma, upos, min(cell) as cell, min(fold) as fold,
                list(distinct form order by form) as forms
            from entries join cells using (cell) where attested group by lemma, upos, wide
            qualify count(*) over (partition by lemma, upos) > 1
            order by {order}
        )
        select goal.lemma, goal.cell, goal.fold, entry.cell as given_cell,
            arg_max(entry.form, (entry.weight, entry.form)) as given, any_value(forms) as forms,
            md5_number_lower(goal.lemma || goal.cell || ' ' || entry.cell)::varchar as draw
        from goals as goal join entries as entry using (lemma) join cells on cells.cell = entry.cell
        where entry.attested and entry.cell <> goal.cell and cells.upos = goal.upos
        group by goal.lemma, goal.cell, goal.fold, entry.cell
        order by all
    """
    candidates = connection.sql(goals).to_arrow_table()
    distance = cells.distances(numbers(candidates["given_cell"]), numbers(candidates["cell"]))
    connection.register("candidates", candidates.append_column("distance", integers(distance)))
    nearest = connection.sql("""
        select * from candidates where distance > 0
        qualify row_number() over (partition by lemma, cell order by distance, draw) = 1
        order by lemma, cell
    """).to_arrow_table()
    columns = {name: numbers(nearest[name]).astype(np.int64) for name in ("cell", "given_cell", "fold")}
    queries = Queries(nearest["lemma"].to_pylist(), given=nearest["given"].to_pylist(), **columns)
    # Not DuckDB's small letters: it makes one character of the Turkish İ, Python two.
    return queries, [{form.lower() for form in forms} for forms in nearest["forms"].to_pylist()]
