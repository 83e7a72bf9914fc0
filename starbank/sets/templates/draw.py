"""Which sentences of a space to take: all of them, or so many at random, each at most once.

Nothing here is tried again until it fits: a stratum is walked through in a random order that names every number once.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import TypeVar

from starbank.queries.templates.template import Reference
from starbank.sets.templates.choices import Choice
from starbank.sets.templates.sentences import identity
from starbank.sets.templates.space import Space

Drawn = tuple[int, dict[str, Choice]]
Key = TypeVar("Key", bound=Hashable)


def draw(space: Space, limit: int, seed: str) -> list[Drawn]:
    """Return up to `limit` sentences, as their number in the space and their choices by slot, in a random order.

    Sentences of one text are one. Strata are the values of `balance` and `weights`; each
    gets its share of the limit as far as it has so many.
    """
    random = Random(seed)
    template = space.template
    strata = _strata(space, [*template.balance, *template.weights])
    weights = {key: _weight(key[len(template.balance) :], template.weights) for key in strata}
    offsets = [0, *accumulate(space.counts)]
    walks = {key: _walk(space, rows, offsets, random) for key, rows in strata.items() if weights[key] > 0}
    drawn: list[Drawn] = []
    texts: set[tuple[str, ...]] = set()
    while walks and len(drawn) < limit:
        quotas = share(limit - len(drawn), {key: weights[key] for key in walks}, random)
        for key, quota in quotas.items():
            for _ in range(quota):
                for number, choices in walks[key]:
                    text = identity(template, choices)
                    if text not in texts:
                        texts.add(text)
                        drawn.append((number, choices))
                        break
                else:
                    del walks[key]
                    break
    random.shuffle(drawn)
    return drawn


def share(total: int, weights: Mapping[Key, float], random: Random) -> dict[Key, int]:
    """Divide `total` by weights, the remainders going to the largest fractions, or at random where these are equal."""
    whole = sum(weights.values())
    if not whole:
        return dict.fromkeys(weights, 0)
    exact = {key: total * weight / whole for key, weight in weights.items()}
    quotas = {key: int(value) for key, value in exact.items()}
    keys = list(weights)
    random.shuffle(keys)
    keys.sort(key=lambda key: -round(exact[key] - quotas[key], 9))
    for key in keys[: total - sum(quotas.values())]:
        quotas[key] += 1
    return quotas


def shuffled(size: int, random: Random) -> Iterator[int]:
    """Yield the numbers from 0 up to `size`, each once, in a random order, however many they are (Fisher and Yates).

    >>> sorted(shuffled(5, Random(0)))
    [0, 1, 2, 3, 4]
    """
    moved: dict[int, int] = {}
    for place in range(size):
        partner = random.randrange(place, size)
        number = moved.pop(place, place)
        yield number if partner == place else moved.get(partner, partner)
        if partner != place:
            moved[partner] = number


def _strata(space: Space, references: Sequence[Reference]) -> dict[tuple[str, ...], list[int]]:
    """Return the rows of the space by the values that are to be balanced."""
    strata: dict[tuple[str, ...], list[int]] = {}
    columns = [space.values(reference) for reference in references]
    for row in range(len(space.counts)):
        strata.setdefault(tuple(column[row] for column in columns), []).append(row)
    return strata


def _weight(key: Sequence[str], weights: Mapping[Reference, Mapping[str, float]]) -> float:
    return math.prod(by_value.get(value, 1.0) for value, by_value in zip(key, weights.values(), strict=True))


def _walk(space: Space, rows: Sequence[int], offsets: Sequence[int], random: Random) -> Iterator[Drawn]:
    borders = list(accumulate(space.counts[row] for row in rows))
    for number in shuffled(borders[-1], random):
        place = bisect_right(borders, number)
        inside = number - (borders[place - 1] if place else 0)
        yield offsets[rows[place]] + inside, space.choose_in(rows[place], inside)
