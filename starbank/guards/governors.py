"""What governors govern: the values that their targets have in a treebank, and what these tell of another one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from starbank.guards.priors import SLIP, more_than_slips, prior
from starbank.guards.thresholds import CERTAIN_CASES, ENOUGH_CASES
from starbank.treebanks.features import canonical, changed, is_compatible, parse_features

_POSSESSORS = ("Number[psor]", "Person[psor]")

# A word that governs, and its kind.
Governor = tuple[str, str]
# A governor, the features of a target, the cases that it may as well be of, and how often.
Observed = tuple[Governor, str, Sequence[str], int]
Values = tuple[tuple[str, str], ...]


class Government:
    """The values that targets have, by governor, and what they tell of a starred one."""

    def __init__(self, observed: Iterable[Observed], features: Iterable[str], bare: Mapping[str, int]) -> None:
        """Learn from governors with the features of their targets, for those that vary.

        `bare` says how often nominals have a case without an adposition.
        """
        self._features = tuple(features)
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        # Of those that do not show what varies, though they inflect: Romanian plurals without an article.
        self._unmarked: dict[str, Counter[str]] = defaultdict(Counter)
        # The governors of a kind.
        self._words: dict[str, set[str]] = defaultdict(set)
        open_cases = []
        for (word, kind), feats, also, count in observed:
            features = parse_features(feats)
            self._words[kind].add(word)
            if also:
                open_cases.append((word, features, also, count))
            elif not features.keys().isdisjoint(self._features):
                self._counts[word][feats] += count
            elif "Number" in features:
                self._unmarked[word][feats] += count
        self._add_open(open_cases)
        # Governors and cells are few, matches many.
        self.doubt, self.cells = cache(self._doubt), cache(self._cells)
        self._count, self._prior = cache(self._count_targets), cache(self._learn_prior)
        self._seen, self._rare = cache(self._list_seen), cache(self._count_rare)
        self._bare = bare
        self._ungoverned = cache(self._find_ungoverned)

    def _add_open(self, cases: Iterable[tuple[str, Mapping[str, str], Sequence[str], int]]) -> None:
        """Count what may be of one case or another as what its governor mostly has."""
        shown: dict[str, Counter[str]] = defaultdict(Counter)
        for word, counts in self._counts.items():
            for feats, count in counts.items():
                shown[word][parse_features(feats).get("Case", "")] += count
        for word, features, also, count in cases:
            case = max([features["Case"], *also], key=lambda value: shown[word][value])
            self._counts[word][canonical({**features, "Case": case})] += count

    def _doubt(self, governor: Governor, own: str, starred: str) -> str | None:
        """Return why the starred features may go with a governor that has its own, None where they do not."""
        if own == starred:
            return None
        word, kind = governor
        total = self._counts[word].total()
        here, values = self._telling(starred, own), self._telling(own, starred)
        usual, seen = (self._count(word, _items(telling)) for telling in (here, values))
        if total >= CERTAIN_CASES and usual * SLIP <= total:
            return f"{word} has {_text(here)} in {usual} of {total}"
        if self._may_have(word, kind, _items(values)):
            if total < ENOUGH_CASES:
                word, (seen, total) = kind, self._rare(kind, _items(values))
            return f"{word} has {_text(values)} in {seen} of {total}"
        ungoverned = "Case" in values and self._ungoverned(values["Case"])
        return f"nothing governs {_text(values)}" if ungoverned else None

    def _may_have(self, word: str, kind: str, values: Values | None) -> bool:
        """Tell whether more than slips of a governor's targets are to be expected with values, or without any."""
        seen, total = self._share(word, values)
        if total >= ENOUGH_CASES:
            return more_than_slips(seen, total, self._prior(kind, values))
        seen, total = self._rare(kind, values)
        return total < CERTAIN_CASES or seen * SLIP > total

    def _count_rare(self, kind: str, values: Values | None) -> tuple[int, int]:
        """Return how many targets of a kind's rare governors have values, and of how many."""
        shares = [self._share(word, values) for word in self._words[kind]]
        rare = [(seen, total) for seen, total in shares if total < CERTAIN_CASES]
        return sum(seen for seen, _ in rare), sum(total for _, total in rare)

    def _learn_prior(self, kind: str, values: Values | None) -> tuple[float, float]:
        """Return how many targets with and without values the governors of a kind are worth."""
        return prior([self._share(word, values) for word in self._words[kind]])

    def _share(self, word: str, values: Values | None) -> tuple[int, int]:
        """Return how many of a governor's targets have values, or show none, and of how many."""
        marked, unmarked = self._counts[word].total(), self._unmarked[word].total()
        return (unmarked, marked + unmarked) if values is None else (self._count(word, values), marked)

    def allows(self, governor: Governor, reading: str) -> bool:
        """Tell whether a governor may have targets of the value, and case, that a reading of a form has, or of none."""
        values = {name: value for name, value in parse_features(reading).items() if name in {"Case", *self._features}}
        named = not values or all(name in values for name in self._features)
        return named and self._may_have(*governor, _items(values) or None)

    def _cells(self, governor: Governor, own: str) -> list[str]:
        """Return the cells, other than its own, that a word of such features could have beside a governor."""
        word, kind = governor
        features, common = parse_features(own), self._counts[word].total() >= CERTAIN_CASES
        # Any noun may have a possessor, which is one more ending.
        shown = features.keys() | set(_POSSESSORS)
        seen = self._seen(word if common else None, kind)
        cells = {canonical(changed(features, values)) for values in seen if values.keys() <= shown}
        return sorted(cell for cell in cells - {own} if self.allows(governor, cell))

    def _list_seen(self, word: str | None, kind: str) -> list[dict[str, str | None]]:
        """Return what the targets of a governor, or of all of a kind, show."""
        words = [word] if word else sorted(self._words[kind])
        names = ("Case", "Number", *self._features, *_POSSESSORS)
        marked, unmarked = (
            dict.fromkeys(feats for word in words for feats in counts[word])
            for counts in (self._counts, self._unmarked)
        )
        shown: list[dict[str, str | None]] = []
        for seen in map(parse_features, marked):
            shown.append({name: seen[name] for name in names if name in seen})
        for seen in map(parse_features, unmarked):
            shown.append({**dict.fromkeys(self._features), "Number": seen["Number"]})
        return shown

    def _telling(self, own: str, starred: str) -> Mapping[str, str]:
        """Return the starred values that tell two cells apart, of the features that both have."""
        here, there = parse_features(own), parse_features(starred)
        names = [name for name in self._features if name in here and name in there and here[name] != there[name]]
        return {name: there[name] for name in names}

    def _find_ungoverned(self, case: str) -> bool:
        """Tell whether nouns have a case mostly with governors, and none of these has it mostly: Irish datives."""
        values = (("Case", case),)
        shares = [self._share(word, values) for word in self._counts]
        # Rare governors of a kind are taken together.
        common = [(seen, total) for seen, total in shares if total >= CERTAIN_CASES]
        mostly = any(2 * seen > total for seen, total in (*common, *(self._rare(kind, values) for kind in self._words)))
        return sum(seen for seen, _ in shares) > self._bare.get(case, 0) and not mostly

    def _count_targets(self, word: str, values: Values) -> int:
        """Count the targets of a governor with such values, perhaps among others (`Nom,Acc`)."""
        return sum(
            count
            for feats, count in self._counts[word].items()
            if all(is_compatible(value, parse_features(feats).get(name, "")) for name, value in values)
        )


def _items(values: Mapping[str, str]) -> Values:
    return tuple(sorted(values.items()))


def _text(values: Mapping[str, str]) -> str:
    return "|".join(f"{name}={value}" for name, value in values.items())
