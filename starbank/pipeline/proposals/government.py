"""Words whose case, mood or mutation depends on an adposition or a subordinator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import duckdb

from starbank.guards.requests import Clause, request_guards
from starbank.pipeline.proposals.proposal import GOVERNMENT, Proposal, exceeds_chance

# A word tells what it governs if it is there so often and nearly always with the same value.
LEAST_OF_LEMMA, HOLDS, LEAST, KAPPA = 5, 0.95, 15, 0.5
# What is governed. Where a mutation (`Form`) is due, to lack it is as wrong as to have another one.
GOVERNED, MUTATION = ("Case", "Mood", "Aspect", "Form", "Definite"), "Form"
# A value that fewer of the governed words have in the whole treebank is left to the linguist.
RARE, MOST = 0.04, 3

# A governor of several words (fixed) may govern otherwise, and of two governors at one word nobody knows which does.
_COUNTED = """
    select governor.relation, head.upos, feature, governor.lemma, value, count(*)
    from words as governor
        join words as head on head.node = governor.head
        join valued on valued.node = head.node and list_contains($features, feature)
    where governor.relation in ('case', 'mark') and governor.lemma is not null and governor.lemma <> '_'
        and head.upos in ('NOUN', 'PRON', 'VERB', 'AUX')
        and exists (from inflected where inflected.upos = head.upos and inflected.feature = valued.feature)
        and governor.node not in (select head from words where relation = 'fixed' and head is not null)
        and governor.head not in (
            select head from words where relation = governor.relation and head is not null
            group by head having count(*) > 1
        )
    group by all
    order by all
"""

_USUAL = """
    select upos, feature, value, count(*)
    from words join valued using (node) where list_contains($features, feature) group by all order by all
"""

_GOVERNOR = {"case": "adposition", "mark": "subordinator"}
_GOVERNED = {"NOUN": "noun", "PRON": "pronoun", "VERB": "verb", "AUX": "auxiliary"}
_WHAT = {"Form": "mutation", "Definite": "definiteness"}

Lemmas = dict[str, Counter[str]]


def propose_government(connection: duckdb.DuckDBPyConnection) -> list[Proposal]:
    """Return constructions in which a word governs a feature of its head, from the tables of `count_words`."""
    governors: dict[tuple[str, str, str], Lemmas] = defaultdict(lambda: defaultdict(Counter))
    parameters = {"features": list(GOVERNED)}
    for relation, upos, feature, lemma, value, count in connection.sql(_COUNTED, params=parameters).fetchall():
        governors[relation, upos, feature][lemma][value] += count
    usual: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for upos, feature, value, count in connection.sql(_USUAL, params=parameters).fetchall():
        usual[upos, feature][value] += count
    proposals = (
        _proposal(relation, upos, feature, lemmas, usual[upos, feature])
        for (relation, upos, feature), lemmas in governors.items()
    )
    return [proposal for proposal in proposals if proposal]


def _proposal(relation: str, upos: str, feature: str, lemmas: Lemmas, usual: Counter[str]) -> Proposal | None:
    governors = {
        lemma: value
        for lemma, counts in lemmas.items()
        for value, count in counts.most_common(1)
        if count >= HOLDS * counts.total() and counts.total() >= LEAST_OF_LEMMA and "," not in value
    }
    counted = Counter[str]()
    for lemma, value in governors.items():
        counted[value] += lemmas[lemma].total()
    total = counted.total()
    if total < LEAST:
        return None
    holds = sum(lemmas[lemma][value] for lemma, value in governors.items()) / total
    chance = sum(count * usual[value] for value, count in counted.items()) / total / usual.total()
    common = [value for value, count in usual.most_common() if count >= RARE * usual.total() and "," not in value]
    competing = [] if feature == MUTATION else common
    values = list(dict.fromkeys([*(value for value, _ in counted.most_common()), *competing]))[:MOST]
    if len(values) + (feature == MUTATION) < 2 or not exceeds_chance(holds, chance, KAPPA):
        return None
    governor, governed, what = _GOVERNOR[relation], _GOVERNED[upos], _WHAT.get(feature, feature.lower())
    letter = governed[0].upper()
    return Proposal(
        name=f"{governor}-{governed}-{what}",
        title=f"The {what} of a {governed} depends on its {governor}",
        phenomenon=GOVERNMENT,
        target=letter,
        upos=upos,
        feature=feature,
        values=(*values, None) if feature == MUTATION else tuple(values),
        controller=None,
        decides="G",
        pattern=tuple(_pattern(letter, upos, feature, relation, governed, governor, values, governors)),
        without=tuple(_without(letter, feature, relation, governor, governors)),
        cases=total,
        holds=holds,
        chance=chance,
    )


def quoted(lemmas: Iterable[str]) -> str:
    """Return the lemmas as a request has alternatives."""
    return "|".join('"' + lemma.replace("\\", "\\\\").replace('"', '\\"') + '"' for lemma in sorted(lemmas))


def _pattern(
    target: str, upos: str, feature: str, relation: str, governed: str, governor: str, values: list[str],
    governors: dict[str, str],
) -> Iterable[Clause]:  # fmt: skip
    test = f"{feature}={'|'.join(values)}"
    yield Clause(
        f"{target} [upos={upos}, {test}]", f"The target, a {governed} with one of the values that are to vary."
    )
    yield Clause(
        f"G [lemma={quoted(governors)}]",
        f"Each {governor} that is there {LEAST_OF_LEMMA} times and has one value in {HOLDS:.0%} of them.",
    )
    yield Clause(f"{target} -[1={relation}]-> G")


def _without(target: str, feature: str, relation: str, governor: str, governors: dict[str, str]) -> Iterable[Clause]:
    lemmas: dict[str, list[str]] = defaultdict(list)
    for lemma, value in governors.items():
        lemmas[value].append(lemma)
    parts = {"target": target, "feature": feature, "relation": relation, "governor": governor}
    for value in sorted(lemmas):
        yield from request_guards("another sense", lemmas=quoted(lemmas[value]), value=value, **parts)
    yield from request_guards("coordinated word", "governor of several words", "second governor", **parts)
    if feature == "Case":
        yield from request_guards("name or apposition", "word with a numeral", **parts)
