"""What constructions find in a treebank, and which of it goes through a generator together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.inherent import inherent_values
from starbank.pipeline.generators import with_covariates, with_replaced
from starbank.pipeline.orders import Order
from starbank.pipeline.slips import Absences, find_absences
from starbank.pipeline.sources import Source
from starbank.queries.constructions import Construction, parse_construction, with_values
from starbank.transforms.scripts import require_script
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers, text
from starbank.treebanks.features import is_compatible, parse_features

# What more of its words have than slips of annotation is a value of a part of speech: English pronouns behind
# prepositions are never nominatives, and those are what is wrong there.
_FREQUENT = 0.05
# So many matches at a time, unless one construction has more, keep memory within bounds.
_MATCHES = 200_000


@dataclass(frozen=True)
class Search:
    """What a construction finds in a treebank: the construction as it is there, its matches, and what it goes with."""

    construction: Construction
    matches: pa.Table
    absences: Absences
    key: tuple[Any, ...]


def batches(searches: Iterable[Search]) -> Iterator[list[Search]]:
    """Return searches that can go through a generator together, not too many matches at a time."""
    batches: dict[tuple[Any, ...], list[Search]] = {}
    for search in searches:
        batch = batches.setdefault(search.key, [])
        if batch and sum(each.matches.num_rows for each in (*batch, search)) > _MATCHES:
            yield batches.pop(search.key)
        batches.setdefault(search.key, []).append(search)
    yield from batches.values()


def find(order: Order, source: Source) -> Search:
    """Search a treebank for what a construction asks for; one without a language takes the treebank's."""
    construction, plugin = order.construction, order.generator.plugin
    require_script(construction, [source.treebank])
    if construction.language is None:
        construction = _localised(construction, source.treebank)
    absences = find_absences(construction, source.treebank, source.engine)
    matches = with_covariates(construction, source.engine, order.limit)
    matches = with_replaced(construction, matches, source.treebank)
    if construction.asked:
        construction = _with_values(construction, matches, source.treebank)
    options = json.dumps(dict(construction.options), sort_keys=True) if plugin.several else construction.name
    key = (plugin.name, options, construction.language, *(word.name for word in order.words(source)))
    return Search(construction, matches, absences, key)


def _localised(construction: Construction, treebank: Treebank) -> Construction:
    """Give a construction that runs everywhere a treebank's language and its lists, and the conditions that it has.

    A language may lack a value, such as a neuter; where fewer than two conditions are left, all stay.
    """
    language = treebank.language or "und"
    local = parse_construction(construction.request_text, construction.path, language)
    construction = replace(
        construction,
        language=language,
        request=local.request,
        covariates=local.covariates,
        concord=local.concord,
        avoid=local.avoid,
    )
    if any(condition.rewriting for condition in local.conditions):
        return replace(construction, conditions=local.conditions)
    columns = set(treebank.tokens.column_names).intersection(construction.features)
    pairs = {(name, value) for name in columns for value in treebank.tokens[name].unique().to_pylist()}
    conditions = tuple(
        condition
        for condition in construction.conditions
        if all(pair in pairs for change in condition.changes.values() for pair in change.items() if pair[1])
    )
    return replace(construction, conditions=conditions) if len(conditions) > 1 else construction


def _with_values(construction: Construction, matches: pa.Table, treebank: Treebank) -> Construction:
    """Give a construction the values of its feature that its targets, and words like them, have, and not for good."""
    feature = construction.asked or ""
    nodes = np.unique(np.concatenate([numbers(matches[node]) for node in construction.targets]))
    rows = integers(np.searchsorted(numbers(treebank.tokens["node"]), nodes))
    words = treebank.tokens.select(["upos", "feats"])
    targets = words.take(rows)
    kinds = targets["upos"].drop_null().unique().to_pylist()
    values = _values(_counts(targets, feature))
    for upos in kinds:
        counts = _counts(words.filter(pc.equal(words["upos"], text(upos))), feature)
        del counts[""]
        values |= {value for value in _values(counts) if counts[value] > _FREQUENT * counts.total()}
    return with_values(construction, sorted(values - inherent_values(treebank, kinds, feature)))


def _counts(words: pa.Table, feature: str) -> Counter[str]:
    """Count the values of a feature among some words, an empty one for those without."""
    counts: Counter[str] = Counter()
    for kind in pc.value_counts(words["feats"]).to_pylist():
        counts[parse_features(kind["values"] or "").get(feature, "")] += kind["counts"]
    return counts


def _values(counts: Mapping[str, int]) -> set[str]:
    """Return the values among those of some words; several at once where that is more frequent than each apart."""
    apart = {
        value: sum(count for other, count in counts.items() if other != value and is_compatible(value, other))
        for value in counts
        if "," in value
    }
    return {value for value, count in counts.items() if value and count > apart.get(value, 0)}
