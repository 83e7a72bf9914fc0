"""What nominals of the cases of arguments end in: data of their language, or learned from a treebank."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from os.path import commonprefix

import duckdb

from starbank.languages import language_of
from starbank.treebanks import Treebank, parts_of

# Case and Number, each empty where a word does not have it.
Cell = tuple[str, str]

CASE, NUMBER = "Case", "Number"
# Under which name MISC of a derived treebank keeps the suffix that a word had.
KEPT = "Suffix"
_KEPT = f"nullif(regexp_extract(misc, '(^|[|]){KEPT}=([^|]*)', 2), '')"
NONE = "none"
# An ending belongs to a cell where so large a part of its words, and so many of its lemmas, have it.
_SHARE, _LEMMAS = 0.05, 5
# A case is one of arguments where so large a part of one of these relations has it.
_ARGUMENTS = ("nsubj", "obj", "iobj")


@dataclass(frozen=True)
class Suffixes:
    """The endings of cells, by Case and Number, and whether the treebank itself tells what its words ended in."""

    cells: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    kept: bool = False

    @property
    def numbers(self) -> dict[str, str]:
        """What an ending tells of Number, by ending: `sing`, `plur`, …, or `ambiguous`."""
        found = defaultdict(set)
        for (_, number), endings in self.cells.items():
            for ending in endings:
                found[ending].add(number.lower() or "ambiguous")
        return {ending: values.pop() if len(values) == 1 else "ambiguous" for ending, values in found.items()}

    @property
    def syncretic(self) -> list[str]:
        """The endings that do not tell the case."""
        cases = defaultdict(set)
        for (case, _), endings in self.cells.items():
            for ending in endings:
                cases[ending].add(case)
        return sorted(ending for ending, found in cases.items() if len(found) > 1)

    def sql(self) -> str:
        """Return the SQL that tells what a token ends in, null for none; it reads the columns of `columns`."""
        if self.kept:
            return _KEPT
        whens = []
        for (case, number), endings in self.cells.items():
            pattern = _text(f".({'|'.join(sorted(endings, key=len, reverse=True))})$")
            of_cell = f"""coalesce("Case"::varchar, '') = {_text(case)}"""
            of_cell += f""" and coalesce("Number"::varchar, '') = {_text(number)}"""
            whens.append(f"when {of_cell} then nullif(regexp_extract(lower(form), {pattern}, 1), '')")
        if not whens:
            return "null::varchar"
        # The adjectives and participles that are verbs keep theirs, and a word that is its own lemma has none.
        return f"""case when upos in ('VERB', 'AUX') or lower(form) is not distinct from lower(lemma) then null
            {" ".join(whens)} end"""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of tokens that `sql` reads."""
        if self.kept:
            return ("misc",)
        return ("form", "lemma", "upos", *((CASE, NUMBER) if self.cells else ()))


def find_suffixes(treebank: Treebank) -> Suffixes:
    """Return the endings of a treebank's cells of Case and Number.

    A derived treebank whose MISC keeps them has those. Otherwise they are those of its language's file (`suffixes`), or
    else what forms have beyond the beginning that they share with their lemmas, in the cases that subjects, objects and
    indirect objects have: of each cell what at least one word in twenty has, of five lemmas or more.
    """
    columns = _features(treebank)
    if len(columns) < 2:
        return Suffixes()
    rows, kept = _count(treebank, columns)
    if kept:
        return Suffixes({cell: tuple(sorted(endings)) for cell, endings in sorted(kept.items())}, kept=True)
    listed = language_of(treebank.language).suffixes
    if listed:
        return Suffixes({(case, number): ends for case, of in listed.items() for number, ends in of.items()})
    return Suffixes(_learn(rows))


# Case, Number, form, lemma, relation, and how many words there are of them.
Row = tuple[str, str, str, str, str, int]


def _features(treebank: Treebank) -> list[str]:
    return [name for name in (CASE, NUMBER) if name in treebank.columns]


def _count(treebank: Treebank, columns: list[str]) -> tuple[list[Row], dict[Cell, set[str]]]:
    """Return the nominals that have Case, and the suffixes that the treebank keeps of its words."""
    found: Counter[tuple[str, str, str, str, str]] = Counter()
    kept: dict[Cell, set[str]] = defaultdict(set)
    for part in parts_of(treebank, (("sent", "form", "lemma", "upos", "deprel", "misc", *columns), ("sent",))):
        with duckdb.connect() as connection:
            connection.register("tokens", part.tokens)
            cell = """coalesce("Case"::varchar, ''), coalesce("Number"::varchar, '')"""
            endings = f"select distinct {cell}, {_KEPT} from tokens where {_KEPT} is not null"
            for case, number, ending in connection.execute(endings).fetchall():
                kept[case, number].add(ending)
            rows = connection.execute(f"""
                select {cell}, lower(form), lower(lemma), split_part(deprel, ':', 1), count(*)
                from tokens where "Case" is not null and lemma is not null and upos not in ('VERB', 'AUX', 'ADP')
                group by all
            """).fetchall()
        for *key, count in rows:
            found[tuple(key)] += count
    return [(*key, count) for key, count in sorted(found.items())], kept


def _learn(rows: list[Row]) -> dict[Cell, tuple[str, ...]]:
    cases = _cases_of_arguments(rows)
    words: dict[Cell, Counter[str]] = defaultdict(Counter)
    lemmas: dict[tuple[Cell, str], set[str]] = defaultdict(set)
    for case, number, form, lemma, _, count in rows:
        if case in cases:
            ending = form[len(commonprefix([form, lemma])) :]  # noqa: RUF071
            words[case, number][ending] += count
            lemmas[(case, number), ending].add(lemma)
    cells = {}
    for cell, endings in words.items():
        least = _SHARE * endings.total()
        often = sorted(end for end, count in endings.items() if end and count >= least)
        cells[cell] = tuple(end for end in often if len(lemmas[cell, end]) >= _LEMMAS)
    return {cell: endings for cell, endings in sorted(cells.items()) if endings}


def _cases_of_arguments(rows: list[Row]) -> set[str]:
    by_relation: dict[str, Counter[str]] = defaultdict(Counter)
    for case, *_, relation, count in rows:
        by_relation[relation][case] += count
    several = (by_relation[relation] for relation in _ARGUMENTS)
    return {case for cases in several for case, count in cases.items() if count >= _SHARE * cases.total()}


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
