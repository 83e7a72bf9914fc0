"""What governors govern: the values that their targets have in a treebank, and what these tell of another one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from starbank.guards.thresholds import CERTAIN_CASES, ENOUGH_CASES, RARER
from starbank.treebanks.features import canonical, changed, is_compatible, parse_features

# A share of one in so many may be slips of annotation, and so many cases rule out a use of one in twenty.
SLIP = RARER * ENOUGH_CASES

_POSSESSORS = ("Number[psor]", "Person[psor]")

# A governor, the features of a target, the cases that it may as well be of, and how often.
Observed = tuple[str, str, Sequence[str], int]


class Government:
    """The values that targets have, by governor, and what they tell of a starred one."""

    def __init__(
        self,
        observed: Iterable[Observed],
        features: Iterable[str],
        bare: Mapping[str, int],
        kinds: Collection[str],
    ) -> None:
        """Learn from governors, or kinds of them (`kinds`), with the features of their targets, for those that vary.

        `bare` says how often nominals have a case without an adposition.
        """
        self._kinds = kinds
        self._features = tuple(features)
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        # Of those that do not show what varies, though they inflect: Romanian plurals without an article.
        self._unmarked: dict[str, Counter[str]] = defaultdict(Counter)
        open_cases = []
        for governor, feats, also, count in observed:
            features = parse_features(feats)
            if also:
                open_cases.append((governor, features, also, count))
            elif not features.keys().isdisjoint(self._features):
                self._counts[governor][feats] += count
            elif "Number" in features:
                self._unmarked[governor][feats] += count
        self._add_open(open_cases)
        # Governors and cells are few, matches many.
        self.doubt, self.cells = cache(self._doubt), cache(self._cells)
        self._count = cache(self._count_targets)
        self._bare = bare
        self._ungoverned = cache(self._find_ungoverned)

    def _add_open(self, cases: Iterable[tuple[str, Mapping[str, str], Sequence[str], int]]) -> None:
        """Count what may be of one case or another as what its governor mostly has."""
        shown: dict[str, Counter[str]] = defaultdict(Counter)
        for governor, counts in self._counts.items():
            for feats, count in counts.items():
                shown[governor][parse_features(feats).get("Case", "")] += count
        for governor, features, also, count in cases:
            case = max([features["Case"], *also], key=lambda value: shown[governor][value])
            self._counts[governor][canonical({**features, "Case": case})] += count

    def _doubt(self, governor: str, own: str, starred: str) -> str | None:
        """Return why the starred features may go with a governor that has its own, None where they do not."""
        if own == starred:
            return None
        values = self._telling(own, starred)
        counts = self._counts[governor]
        total, seen = counts.total(), self._count(governor, _items(values))
        here = self._telling(starred, own)
        usual = self._count(governor, _items(here))
        if governor not in self._kinds and total >= CERTAIN_CASES and usual * SLIP <= total:
            return f"{governor} has {_text(here)} in {usual} of {total}"
        if total >= CERTAIN_CASES and seen * SLIP <= total:
            ungoverned = "Case" in values and self._ungoverned(values["Case"])
            return f"nothing governs {_text(values)}" if ungoverned else None
        return f"{governor} has {_text(values)} in {seen} of {total}"

    def allows(self, governor: str, reading: str) -> bool:
        """Tell whether a governor has targets of the value, and the case, that a reading of a form has, or of none."""
        values = {name: value for name, value in parse_features(reading).items() if name in {"Case", *self._features}}
        marked, unmarked = self._counts[governor].total(), self._unmarked[governor].total()
        if not values:
            return unmarked * SLIP > marked + unmarked
        named = all(name in values for name in self._features)
        return named and self._count(governor, _items(values)) * SLIP > marked

    def _cells(self, governor: str, own: str) -> list[str]:
        """Return the cells, other than its own, that a word of such features could have beside a governor."""
        features = parse_features(own)
        names = ("Case", "Number", *self._features, *_POSSESSORS)
        values_seen: list[dict[str, str | None]] = []
        for seen in map(parse_features, self._counts[governor]):
            values_seen.append({name: seen[name] for name in names if name in seen})
        for seen in map(parse_features, self._unmarked[governor]):
            values_seen.append({**dict.fromkeys(self._features), "Number": seen["Number"]})
        # Any noun may have a possessor, which is one more ending.
        shown = features.keys() | set(_POSSESSORS)
        cells = {canonical(changed(features, values)) for values in values_seen if values.keys() <= shown}
        return sorted(cell for cell in cells - {own} if self.allows(governor, cell))

    def _telling(self, own: str, starred: str) -> Mapping[str, str]:
        """Return the starred values that tell two cells apart, of the features that both have."""
        here, there = parse_features(own), parse_features(starred)
        names = [name for name in self._features if name in here and name in there and here[name] != there[name]]
        return {name: there[name] for name in names}

    def _find_ungoverned(self, case: str) -> bool:
        """Tell whether nouns have a case mostly with governors, and none of these has it mostly: Irish datives."""
        counts = [(self._count(key, (("Case", case),)), self._counts[key].total()) for key in list(self._counts)]
        return sum(count for count, _ in counts) > self._bare.get(case, 0) and not any(
            2 * count > total for count, total in counts
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
