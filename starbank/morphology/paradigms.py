"""The forms of a lexicon as examples of what leads from one cell of a paradigm to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.languages import language_of
from starbank.morphology.cells import features_of_lexeme
from starbank.morphology.entries import Entries, Examples
from starbank.morphology.inherent import lexeme_features
from starbank.morphology.letters import Words, mix
from starbank.treebanks.arrays import answer, filled, integers, numbers
from starbank.treebanks.features import parse_features

FOLDS = 5

# A lemma may show its parts: Finnish lähi#oikeus.
LEMMA = "regexp_replace({lemma}, '[#=]', '', 'g')"


def fold_of(lemma: str, deal: int = 0) -> str:
    """Return SQL for the fold that a lemma, the SQL expression `lemma`, is in; each `deal` deals them out anew."""
    return f"(md5_number_lower({lemma} || '{deal or ''}') % {FOLDS})::int"


# Of words that are in a cell so many tell as much of it as all would, with all that is attested of them.
_LEMMAS = 3000
# So many forms tell which letters a language puts beside one another.
_FORMS = 50_000

_ENTRIES = f"""
    create temp table entries as
    with counted as (
        select {LEMMA.format(lemma="lemma")} as lemma, upos, coalesce(feats, '') as feats, "use", form,
            greatest(sum(count), 1) as count, bool_or(source = 'treebank') as attested
        from lexicon
        where source <> 'predicted' and length(form) <= 40 and length(lemma) <= 40
            and not regexp_matches(form, '^[-‐–]|[-‐–]$')
        group by all
    ),
    numbered as (
        select lemma, cell, form, count, attested
        from counted join cells on cells.upos = counted.upos and cells.feats = counted.feats
            and cells."use" is not distinct from counted."use"
    ),
    shown as (
        select lemma, row_number() over (partition by cell order by md5_number_lower(lemma), lemma) as place
        from (select distinct lemma, cell from numbered)
    )
    select lemma, cell, form, count / sum(count) over (partition by lemma, cell) as weight,
        {fold_of("lemma")} as fold, attested
    from numbered
    where lemma in (select lemma from shown where place <= {_LEMMAS})
    order by lemma, cell, form
"""

_SHOWN = f"""
    select * from (
        from (select distinct form, fold from entries) order by md5_number_lower(form), form, fold limit {_FORMS}
    ) order by all
"""

_STEPS = """
    with places as (select distinct lemma, upos, cell from entries join cells using (cell))
    select distinct one.cell as one, other.cell as other
    from places as one join places as other using (lemma, upos)
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

    def __init__(self, of_lexemes: Mapping[str, frozenset[str]]) -> None:
        """Take by UPOS what belongs to the lexeme in this language, beside what does everywhere."""
        self._of_lexemes = of_lexemes
        self.keys: list[tuple[str, str, str | None]] = []
        self.features: list[dict[str, str]] = []
        self._numbers: dict[tuple[str, str, str | None], int] = {}
        self._names: dict[str, int] = {}
        self._values: dict[tuple[str, str], int] = {}
        # The features of all cells: the numbers of the name, of the cell, and of the name with its value.
        self._having: list[tuple[int, int, int]] = []
        self._wide: dict[tuple[tuple[str, str], ...], int] = {}
        self._wide_of: list[int] = []

    def number(self, upos: str, feats: str | None, use: str | None) -> int:
        """Return the number of a cell, a new one where it is new."""
        key = (upos, feats or "", use)
        if key not in self._numbers:
            lexeme = features_of_lexeme(upos) | self._of_lexemes.get(upos, frozenset())
            features = {name: value for name, value in parse_features(feats or "").items() if name not in lexeme}
            # A form that may be cut or extended in its place is inflected apart from those that stand free.
            features |= {"use": use} if use else {}
            self._numbers[key] = len(self.keys)
            for name, value in features.items():
                number = self._values.setdefault((name, value), len(self._values) + 1)
                self._having.append((self._names.setdefault(name, len(self._names)), len(self.keys), number))
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
        differing = np.zeros(len(start), dtype=np.int64)
        for value in self._by_name():
            differing += value[start] != value[goal]
        return differing

    def changes(self, start: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """Return for each two cells a hash of what differs between them: features, each with both values."""
        change = np.zeros(len(start), dtype=np.uint64)
        for value in self._by_name():
            before, after = value[start], value[goal]
            change += np.where(before == after, np.uint64(0), mix(before, after))
        return change

    def _by_name(self) -> np.ndarray:
        """Return the number of the value that each feature has in each cell, 0 where it has none: names by cells."""
        name, cell, number = np.array(self._having, dtype=np.int64).reshape(-1, 3).T
        values = np.zeros((len(self._names), len(self.keys)), dtype=np.int64)
        values[name, cell] = number
        return values


class Paradigms:
    """The attested forms of one language."""

    def __init__(self, lexicon: pa.Table) -> None:
        """Take the forms from a table with the schema `LEXICON`, the predicted ones aside."""
        self._language = lexicon["language"][0].as_py() if lexicon.num_rows else None
        self.connection = duckdb.cursor()
        self.connection.register("lexicon", lexicon)
        self.cells, self.size = Cells(lexeme_features(self.connection)), lexicon.num_rows
        keys = answer(
            self.connection,
            "select distinct upos, coalesce(feats, '') as feats, \"use\" from lexicon"
            " where source <> 'predicted' order by all",
        )
        cells = [self.cells.number(*key) for key in zip(*(column.to_pylist() for column in keys.columns), strict=True)]
        self._known = len(cells)
        keys = keys.append_column("cell", integers(np.array(cells, dtype=np.int64)))
        self.connection.register("cells", keys.append_column("wide", integers(self.cells.wide)))
        self.connection.execute(_ENTRIES)

    def forms(self) -> pa.Table:
        """Return forms, enough of them to tell how words look: columns `form` and `fold`."""
        return answer(self.connection, _SHOWN)

    def lemmas(self, cell: np.ndarray) -> np.ndarray:
        """Return how many lemmas show each cell, or one that differs from it in UPOS or features of the lexeme."""
        return np.array([self._lemmas.get(wide, 0) for wide in self.cells.wide[cell].tolist()], dtype=np.int64)

    @cached_property
    def _lemmas(self) -> dict[int, int]:
        query = "select wide, count(distinct lemma) from entries join cells using (cell) group by wide"
        return dict(self.connection.execute(query).fetchall())

    def examples(self, queries: Queries) -> tuple[Examples, Examples, dict[tuple[int, int], int]]:
        """Return what there is to learn from for some queries.

        That is forms by their lemmas, alike if their cells are (`Cells.wide`), and forms by other forms of the lemma,
        alike if they have one transition, and the transition of each pair of cells that is asked for. `exact` is the
        cell, or a hash of both.
        """
        wide = self.cells.wide
        cells = np.flatnonzero(np.isin(wide[: self._known], wide[np.unique(queries.cell)]))
        lemmas = self.entries.of_lemmas(cells, wide[cells], np.isin(cells, queries.cell))
        start, goal = np.unique(np.stack([queries.given_cell, queries.cell])[:, queries.given_cell >= 0], axis=1)
        change = integers(self.cells.changes(start, goal)).dictionary_encode()
        transition = numbers(change.indices)
        one, other, step = self._steps_of(change.dictionary)
        asked = np.isin(mix(one, other), mix(start, goal))
        forms = self.entries.of_forms(one, other, step, asked)
        forms = replace(forms, exact=mix(one, other)[forms.exact])
        pairs = zip(start.tolist(), goal.tolist(), strict=True)
        return lemmas, forms, dict(zip(pairs, transition.tolist(), strict=True))

    @cached_property
    def entries(self) -> Entries:
        """All forms, in columns."""
        return Entries(self.connection, self._known)

    @cached_property
    def small(self) -> Words:
        """The words of `entries` in small letters."""
        in_small = language_of(self._language).small
        return Words([in_small(text) for text in self.entries.words.texts])

    def _steps_of(self, changes: pa.Array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the pairs of cells between which something changes so, and the number of the change, in its order."""
        one, other, change = self._steps
        number = filled(pc.index_in(integers(change), changes), -1)
        found = np.flatnonzero(number >= 0)
        found = found[np.lexsort((other[found], one[found], number[found]))]
        return one[found], other[found], number[found]

    @cached_property
    def _steps(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All pairs of cells of one UPOS that some lemma shows both of, and a hash of what changes between them."""
        one, other = map(numbers, answer(self.connection, _STEPS).columns)
        return one, other, self.cells.changes(one, other)


def sample_queries(paradigms: Paradigms, most: int) -> tuple[Queries, list[set[str]]]:
    """Return forms to learn from by asking for them, at most so many, and the right answers in small letters.

    Each is asked for with another attested form of its lemma, the one whose cell differs least.
    """
    return held_out_queries(paradigms, f"md5_number_lower(lemma || upos || wide) limit {most}")


def held_out_queries(
    paradigms: Paradigms, order: str = "lemma, upos, wide", *, nearest: int = 1
) -> tuple[Queries, list[set[str]]]:
    """Return every attested cell of a lemma that has another one, as `sample_queries` does, in some SQL order.

    With `nearest` 2 each is asked for with the form whose cell differs least but for that one, as far as there is any.
    """
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
    candidates = answer(connection, goals)
    distance = cells.distances(numbers(candidates["given_cell"]), numbers(candidates["cell"]))
    connection.register("candidates", candidates.append_column("distance", integers(distance)))
    pairs = answer(
        connection,
        f"""
        select * from candidates where distance > 0
        qualify row_number() over (partition by lemma, cell order by distance, draw) = {nearest}
        order by lemma, cell
    """,
    )
    columns = {name: numbers(pairs[name]).astype(np.int64) for name in ("cell", "given_cell", "fold")}
    queries = Queries(pairs["lemma"].to_pylist(), given=pairs["given"].to_pylist(), **columns)
    # Not DuckDB's small letters: it makes one character of the Turkish İ, Python two.
    return queries, [{form.lower() for form in forms} for forms in pairs["forms"].to_pylist()]
