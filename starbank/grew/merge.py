"""Several clauses about one node -> one, as Grew unifies them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from starbank.grew.request import Alternatives
from starbank.grew.syntax import Absent, FeatureTest, Matches, Name, OneOf, Otherwise, Present

Bracket = tuple[FeatureTest, ...]
MOST_ALTERNATIVES = 1_000


class Contradiction(Exception):
    """The clauses cannot hold together."""


class TooManyAlternatives(Exception):
    """The clauses have more alternatives, multiplied by one another, than can be searched."""


class Unmergeable(Exception):
    """Two clauses about one feature, of which one is a regular expression or `f=a/g=b`: Grew refuses these."""

    def __init__(self, feature: Name) -> None:
        """Remember the feature."""
        super().__init__(feature.text)
        self.feature = feature


def merge_clauses(clauses: Sequence[Alternatives]) -> Alternatives:
    """Return the conjunction of `clauses`, each a disjunction of brackets, as one disjunction.

    Raises `Contradiction` where nothing can satisfy it, `Unmergeable`, and `TooManyAlternatives`. A bracket that no
    word can satisfy because it names a feature twice makes no contradiction: the result may be the empty disjunction.
    """
    merged: dict[Bracket, None] = dict.fromkeys([()])
    for brackets in clauses:
        merged = dict.fromkeys(_conjunctions(merged, dict.fromkeys(brackets)))
        if not merged:
            raise Contradiction
        if len(merged) > MOST_ALTERNATIVES:
            raise TooManyAlternatives
    return tuple(dict.fromkeys(bracket for bracket in map(_once, merged) if bracket is not None))


def _conjunctions(first: Iterable[Bracket], second: Iterable[Bracket]) -> Iterator[Bracket]:
    for left, right in product(first, second):
        with suppress(Contradiction):
            yield _conjunction(left, right)


def _conjunction(left: Bracket, right: Bracket) -> Bracket:
    """Return the tests of both brackets; where both test a feature, the first tests of each are joined, and so on."""
    waiting = {name: [test for test in right if test.feature == name] for name in (test.feature for test in right)}
    joined = [_both(test, waiting[test.feature].pop(0)) if waiting.get(test.feature) else test for test in left]
    return (*joined, *(test for tests in waiting.values() for test in tests))


def _once(bracket: Bracket) -> Bracket | None:
    """Return a bracket that holds where Grew's holds and tests no feature twice; None where it never holds.

    Once a feature has been found, Grew looks for it among those that come later in the alphabet, and it is not there.
    """
    names: set[Name] = set()
    tests = []
    for test in bracket:
        if test.feature not in names:
            names.add(test.feature)
            tests.append(test)
        elif isinstance(test, Otherwise):
            tests.append(OneOf(test.fallback, (test.fallback_value,)))
        elif not isinstance(test, Absent):
            return None
    return tuple(tests)


def _both(first: FeatureTest, second: FeatureTest) -> FeatureTest:
    """Return the test that holds where both hold."""
    if isinstance(first, Matches | Otherwise) or isinstance(second, Matches | Otherwise):
        raise Unmergeable(second.feature)
    if isinstance(first, Absent) or isinstance(second, Absent):
        if isinstance(first, Absent) and isinstance(second, Absent):
            return first
        raise Contradiction
    lists = [test for test in (first, second) if isinstance(test, OneOf)]
    excluded = dict.fromkeys(value for test in lists if test.negated for value in test.values)
    allowed = [test for test in lists if not test.negated]
    if not allowed:
        return OneOf(first.feature, tuple(excluded), negated=True) if excluded else Present(first.feature)
    common = set.intersection(*(set(test.values) for test in allowed))
    values = tuple(value for value in allowed[0].values if value in common and value not in excluded)
    if not values:
        raise Contradiction
    return OneOf(allowed[0].feature, values)
