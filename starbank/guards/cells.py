"""Guards about the cells of a set: does the starred one exist, and does it differ in what varies alone?

Where a treebank gives a word less than it has, or more to the words with the other value, the cell that is left to star
it differs in something that nobody chose: Portuguese plurals of the past, which have no tense, become a present. The
guards read `undetermined`, which `find_undetermined` makes: starred conditions (`name`) with such a feature, and those
of a cell that no word has (`missing`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import duckdb

from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, SLIPS
from starbank.morphology.cells import features_of_lexeme
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import is_compatible, parse_features, plain

GUARDS = (
    Guard(
        "cell is not determined",
        "The form differs in one feature more, which the treebank tells of one of the two alone: tense, definiteness.",
        "select row, name, detail from undetermined where not missing",
        by_condition=True,
    ),
    Guard(
        "no such cell",
        "Two frequent values are never together, though others are: Armenian words for things have a locative, those "
        "for persons have none.",
        "select row, name, detail from undetermined where missing",
        by_condition=True,
    ),
)

# The inflectional features that UD calls verbal (universaldependencies.org/u/feat), but for politeness, which is the
# subject's; degree; and variants of a form, such as the Irish mutations.
_VERBAL = frozenset(
    {
        *("VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident"),
        *("Polarity", "Person", "Clusivity", "Degree", "Variant", "Form"),
    }
)
# What treebanks may leave out: a participle that is an adjective need not have a degree.
_UNMARKED = ("Degree", "Pos")
# What words have of others that they agree with, and what has a value of its own wherever it is told.
_AGREEING, _FREE = frozenset({"Gender", "Number"}), frozenset({"Definite", "Degree", "Gender", "Number"})

_KINDS = """
    select distinct cells.construction, word.upos, word.feats, cells.feats, ruler
    from cells join words as word using (row, node) join ruled using (row, node)
    where cells.starred and (word.first or word.agreeing)
    order by all
"""
_UNDETERMINED = """
    create or replace temp table undetermined as
    select distinct cells.row, cells.name, kind.detail, kind.missing
    from cells join words as word using (row, node) join ruled using (row, node)
        join undetermined_kinds as kind
            on kind.construction = cells.construction and kind.upos = word.upos and kind.own = word.feats
            and kind.starred = cells.feats and kind.ruler is not distinct from ruled.ruler
    where cells.starred and (word.first or word.agreeing)
"""

# Pronouns are few, and names of places seldom act.
_OPEN = ("ADJ", "NOUN", "VERB")

Features = Mapping[str, str]


def find_undetermined(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction]) -> None:
    """Make the table `undetermined` of `cells`, `words`, `controllers` and `corpus`."""
    counts: dict[str, list[tuple[Features, int]]] = {}
    for upos, feats, count in connection.execute("select upos, feats, count(*) from corpus group by all").fetchall():
        counts.setdefault(upos, []).append((parse_features(feats or ""), count))

    @cache
    def values(upos: str, name: str, changing: tuple[tuple[str, str], ...]) -> Counter[str | None]:
        """Return how many words with the values that change have each value of a feature, None for none."""
        shares: Counter[str | None] = Counter()
        for features, count in counts.get(upos, ()):
            if all(features.get(key) == value for key, value in changing):
                shares[features.get(name)] += count
        return shares

    def follows(upos: str, name: str, of: Features, other: Features) -> bool:
        """Tell whether what a cell has of a feature, or that it lacks it, goes with the values that change."""
        changing = tuple((key, value) for key, value in of.items() if other.get(key, value) != value)
        shares = values(upos, name, changing)
        return shares[of.get(name)] >= (1 - SLIPS) * shares.total()

    def missing(upos: str, before: Features, after: Features) -> str | None:
        """Return what is to be said of a cell with a new value that words have beside others than one of those kept."""
        if upos not in _OPEN:
            return None
        for name, value in sorted(after.items() - before.items()):
            for other, own in sorted(after.items() & before.items()):
                of_all, beside = values(upos, other, ()), values(upos, other, ((name, value),))
                frequent = beside.total() * of_all[own] >= ENOUGH_CASES * of_all.total()
                if frequent and not beside[own] and beside.keys() - {None, own}:
                    return f"nothing with {other}={own} has {name}={value}"
        return None

    named = [_named(construction) for construction in constructions]
    rows = []
    for number, upos, own, starred, ruler in connection.execute(_KINDS).fetchall():
        before, after = parse_features(own), parse_features(starred)
        if detail := missing(upos, before, after):
            rows.append((number, upos, own, starred, ruler, detail, True))
        elif detail := _undetermined(upos, before, after, ruler, named[number], follows):
            rows.append((number, upos, own, starred, ruler, detail, False))
    columns = dict.fromkeys(("upos", "own", "starred", "ruler", "detail"), str)
    connection.register("undetermined_kinds", table_of(rows, construction=int, **columns, missing=bool))
    connection.execute(_UNDETERMINED)


def _undetermined(
    upos: str,
    before: Features,
    after: Features,
    ruler: str | None,
    named: frozenset[str],
    follows: Callable[[str, str, Features, Features], bool],
) -> str | None:
    """Return what is to be said of a starred cell that differs in a feature more, which nothing decides, if so."""
    if named == {"Gender"} and (detail := _other_number(before, after, ruler)):
        return detail
    for name in sorted((before.keys() ^ after.keys()) - named - features_of_lexeme(upos)):
        value = after.get(name, before.get(name))
        if (
            (name, value) != _UNMARKED
            and _is_open(name, after, ruler)
            and not (follows(upos, name, before, after) and follows(upos, name, after, before))
        ):
            return f"{name}={value} {'comes' if name in after else 'goes'} along"
    return None


def _other_number(before: Features, after: Features, ruler: str | None) -> str | None:
    """Return what is to be said of a starred cell that has not the number of the word which it agrees with, if so."""
    number = parse_features(ruler or "").get("Number")
    if number is None or "Number" not in before:
        return None
    if "Number" not in after:
        return f"Number={before['Number']} goes along"
    return None if is_compatible(after["Number"], number) else f"Number={after['Number']} stands beside Number={number}"


def _named(construction: Construction) -> frozenset[str]:
    """Return the features that a construction speaks of; one of verb forms speaks of all that verbs have."""
    changes = [change for condition in construction.conditions for change in condition.changes.values()]
    names = frozenset(name for change in changes for name in change)
    return names | _VERBAL | _FREE if "VerbForm" in names else names


def _is_open(name: str, after: Features, ruler: str | None) -> bool:
    """Tell whether a feature that comes or goes changes what a form says, and no other word decides it."""
    if plain(name) in _VERBAL:
        return True
    if name not in after:
        return False
    return name in _FREE if ruler is None else name in _AGREEING and name not in parse_features(ruler)
