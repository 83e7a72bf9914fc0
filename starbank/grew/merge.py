"""Several clauses about one node -> one, as Grew unifies them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from starbank.grew.request import Alternatives
from starbank.grew.syntax import Absent, FeatureTest, Matches, Name, NoneOf, OneOf, Otherwise, Present

Bracket = tuple[FeatureTest, ...]


class Contradiction(Exception):
    """The clauses cannot hold together."""


class Unmergeable(Exception):
    """Two clauses about one feature, of which one is a regular expression or `f=a/g=b`: Grew refuses these."""

    def __init__(self, feature: Name) -> None:
        """Remember the feature."""
        super().__init__(feature.text)
        self.feature = feature


def merge_clauses(clauses: Sequence[Alternatives]) -> Alternatives:
    """Return the conjunction of `clauses`, each a disjunction of brackets, as one disjunction.

    Raises `Contradiction` where nothing can satisfy it, and `Unmergeable`. A bracket that names a feature twice never
    matches in Grew, whatever it says; it makes no contradiction, and the result may be the empty disjunction.
    """
    never = False
    merged: list[Bracket] = []
    for brackets in product(*clauses):
        if any(_names_twice(bracket) for bracket in brackets):
            never = True
            continue
        try:
            merged.append(_conjunction(brackets))
        except Contradiction:
            continue
    if not merged and not never:
        raise Contradiction
    return tuple(dict.fromkeys(merged))


def _names_twice(bracket: Bracket) -> bool:
    names = [test.feature for test in bracket]
    return len(set(names)) < len(names)


def _conjunction(brackets: Sequence[Bracket]) -> Bracket:
    tests: dict[str, FeatureTest] = {}
    for bracket in brackets:
        for test in bracket:
            known = tests.get(test.feature.text)
            tests[test.feature.text] = test if known is None else _both(known, test)
    return tuple(tests.values())


def _both(first: FeatureTest, second: FeatureTest) -> FeatureTest:
    """Return the test that holds where both hold."""
    if isinstance(first, Matches | Otherwise) or isinstance(second, Matches | Otherwise):
        raise Unmergeable(second.feature)
    if isinstance(first, Absent) or isinstance(second, Absent):
        if isinstance(first, Absent) and isinstance(second, Absent):
            return first
        raise Contradiction
    if isinstance(first, OneOf) or isinstance(second, OneOf):
        allowed, other = (first, second) if isinstance(first, OneOf) else (second, first)
        assert isinstance(allowed, OneOf)
        if isinstance(other, OneOf):
            values = tuple(value for value in allowed.values if value in other.values)
        else:
            values = tuple(value for value in allowed.values if value not in _excluded(other))
        if not values:
            raise Contradiction
        return OneOf(allowed.feature, values)
    excluded = tuple(dict.fromkeys(_excluded(first) + _excluded(second)))
    return NoneOf(first.feature, excluded) if excluded else Present(first.feature)


def _excluded(test: FeatureTest) -> tuple[str, ...]:
    return test.values if isinstance(test, NoneOf) else ()
