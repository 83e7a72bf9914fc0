"""What the words of a treebank agree as: learned, case by case, from the agreement that it shows.

A controller may have the value itself, another one that agrees as it does (Polish `Ptan` as `Plur`), or none: Dutch
*het* and *iedereen* have no Number, but all their verbs are singular.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from starbank.guards.thresholds import FIRM
from starbank.treebanks.features import is_compatible, parse_features, plain

# Of these, words of one kind agree alike; other pronouns do so one by one.
_ALIKE = re.compile("NOUN|PROPN|PRON .*PronType=(Ind|Neg|Tot)")


@dataclass(frozen=True)
class Controller:
    """A kind of controller: its form counts in small letters."""

    upos: str
    form: str
    feats: str


Pairs = Iterable[tuple[Controller, str, int]]
Varied = Mapping[str, Collection[str]]


class Agreement:
    """The values that controllers agree as, learned from pairs of controllers and targets' features, with counts."""

    def __init__(self, pairs: Pairs, varied: Varied) -> None:
        """Learn for the features that a construction has `varied`, each with its values."""
        self._varied = varied
        self._learned = {name: _learn(pairs, name, varied[name]) for name in varied}

    def value(self, controller: Controller, name: str) -> str | None:
        """Return what a controller agrees as in a varied feature, None where nothing tells."""
        value = parse_features(controller.feats).get(plain(name))
        if value is not None and (value in self._varied[name] or "," in value):
            return value
        learned = self._learned[name]
        return next((learned[key] for key in _keys(controller, value) if key in learned), value)

    def kind(self, controller: Controller) -> str:
        """Return the kind whose agreement is counted together: its own values, and what it agrees as, as text."""
        features = parse_features(controller.feats)
        kinds = [(features.get(plain(name)) or "none", self.value(controller, name)) for name in self._varied]
        return " ".join(value if value == agreeing else f"{value} as {agreeing}" for value, agreeing in kinds)

    def is_varied(self, controller: Controller) -> bool:
        """Tell whether a controller has values that the construction varies, itself."""
        features = parse_features(controller.feats)
        return all(features.get(plain(name)) in values for name, values in self._varied.items())

    def is_open(self, controller: Controller) -> bool:
        """Tell whether a controller agrees as two of the values that vary: `Gender=Fem,Masc`."""
        return any(
            len(set(values) & set((self.value(controller, name) or "").split(","))) > 1
            for name, values in self._varied.items()
        )

    def agrees(self, controller: Controller, target: str) -> bool:
        """Tell whether the values of a target's features go with those of a controller."""
        ruled = parse_features(target)
        values = {name: self.value(controller, name) for name in self._varied}
        return all(value is not None and is_compatible(value, ruled.get(name, "")) for name, value in values.items())

    def same(self, name: str, value: str, other: str) -> bool:
        """Tell whether all of what a value agrees as is among what another does."""
        return set(self._as(name, value)) <= set(self._as(name, other))

    def _as(self, name: str, value: str) -> list[str]:
        return self._learned[name].get(("", "", value), value).split(",")


def _keys(controller: Controller, value: str | None) -> list[tuple[str, str, str]]:
    """Return what a controller's agreement may be learned by, the closest first."""
    if value is not None:
        return [("", "", value)]
    kind = [(controller.upos, "", controller.feats)] if _ALIKE.match(f"{controller.upos} {controller.feats}") else []
    return [(controller.upos, controller.form, ""), *kind]


def _learn(pairs: Pairs, name: str, values: Collection[str]) -> dict[tuple[str, str, str], str]:
    """Return the value that nearly all targets of a kind have, where that is enough to tell."""
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for controller, target, count in pairs:
        value, goal = parse_features(controller.feats).get(plain(name)), parse_features(target).get(name)
        if goal and value not in values:
            for key in _keys(controller, value):
                counts[key][goal] += count
    learned = {}
    for key, goals in counts.items():
        goal, count = goals.most_common(1)[0]
        if count >= FIRM * (goals.total() + 1):
            learned[key] = goal
    return learned
