"""What governors govern: the values that their targets have in a treebank, and what these tell of another one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from starbank.guards.thresholds import CERTAIN_CASES, ENOUGH_CASES, RARER
from starbank.treebanks.features import format_features, is_compatible, parse_features

# A share of one in so many may be slips of annotation, and so many cases rule out a use of one in twenty.
SLIP = RARER * ENOUGH_CASES


class Government:
    """The values that targets have, by governor, and what they tell of a starred one."""

    def __init__(self, observed: Iterable[tuple[str, str]], features: Iterable[str], lemmas: Collection[str]) -> None:
        """Learn from governors, `lemmas` or kinds, with the features of their targets, for those that vary."""
        self._features = tuple(features)
        self._lemmas = lemmas
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        for governor, feats in observed:
            if not parse_features(feats).keys().isdisjoint(self._features):
                self._counts[governor][feats] += 1
        # Governors and cells are few, matches many.
        self.doubt, self.cells = cache(self._doubt), cache(self._cells)
        self._count = cache(self._count_targets)

    def _doubt(self, governor: str, own: str, starred: str) -> str | None:
        """Return why the starred features may go with a governor that has its own, None where they do not."""
        if own == starred:
            return None
        value, other = self._telling(own, starred)
        counts = self._counts[governor]
        total, seen = counts.total(), self._count(governor, _items(other))
        alternates = self._alternates(value, other, governor)
        if total >= (SLIP if alternates else CERTAIN_CASES) and (
            seen == 0 or (not alternates and seen * SLIP <= total)
        ):
            return None
        return f"{governor} has {_text(other)} in {seen} of {total}"

    def allows(self, governor: str, reading: str) -> bool:
        """Tell whether a governor has targets of the value, and the case, that a reading of a form has."""
        values = {name: value for name, value in parse_features(reading).items() if name in {"Case", *self._features}}
        named = all(name in values for name in self._features)
        return named and self._count(governor, _items(values)) * SLIP > self._counts[governor].total()

    def _cells(self, governor: str, own: str) -> list[str]:
        """Return the cells, other than its own, that a word of such features could have beside a governor."""
        features = parse_features(own)
        values_seen = [
            {name: seen[name] for name in ("Case", "Number", *self._features) if name in seen}
            for seen in map(parse_features, self._counts[governor])
        ]
        cells = {format_features(features | values) or "" for values in values_seen if values.keys() <= features.keys()}
        return sorted(cell for cell in cells - {own} if self.allows(governor, cell))

    def _telling(self, own: str, starred: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the values that tell two cells apart, of the features that both have."""
        here, there = parse_features(own), parse_features(starred)
        names = [name for name in self._features if name in here and name in there and here[name] != there[name]]
        return {name: here[name] for name in names}, {name: there[name] for name in names}

    def _alternates(self, value: Mapping[str, str], other: Mapping[str, str], governor: str) -> bool:
        """Tell whether some other governor has both values."""
        return any(
            min(self._count(key, _items(value)), self._count(key, _items(other))) * SLIP
            > counts.total()
            >= ENOUGH_CASES
            for key, counts in self._counts.items()
            if key != governor and key in self._lemmas
        )

    def _count_targets(self, governor: str, values: tuple[tuple[str, str], ...]) -> int:
        """Count the targets of a governor with such values, perhaps among others (`Nom,Acc`)."""
        return sum(
            count
            for feats, count in self._counts[governor].items()
            if all(is_compatible(value, parse_features(feats).get(name, "")) for name, value in values)
        )


def _items(values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(values.items()))


def _text(values: Mapping[str, str]) -> str:
    return "|".join(f"{name}={value}" for name, value in values.items())
