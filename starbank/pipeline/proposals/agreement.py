"""Words that share their values far above chance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import duckdb

from starbank.guards.requests import Clause, request_guards
from starbank.pipeline.proposals.counts import NO_INFLECTION
from starbank.pipeline.proposals.proposal import AGREEMENT, Proposal, exceeds_chance
from starbank.treebanks.features import is_compatible

# Fewer pairs are no evidence; agreement has its exceptions, but not many; and what nearly all words share is none.
LEAST, HOLDS, KAPPA = 15, 0.9, 0.4
# A value that fewer of the targets have, and more values than make one set, are left to the linguist.
RARE, MOST = 0.04, 3

_COUNTED = """
    select shape, pairs.relation, target.upos, target.verb_form, mark.feature, controller.upos,
        mark.value as marked, own.value as owned, count(*)
    from pairs
        join words as target on target.node = pairs.target
        join valued as mark on mark.node = pairs.target
        join inflected on inflected.upos = target.upos and inflected.verb_form = target.verb_form
            and inflected.feature = mark.feature
        join words as controller on controller.node = pairs.controller
        join valued as own on own.node = pairs.controller and own.feature = split_part(mark.feature, '[', 1)
    group by all
    order by all
"""

_ROLE = {"nsubj": "subject", "obj": "object", "iobj": "indirect object"}
_WORD = {
    ("head", "VERB", "Part"): "participle",
    ("head", "VERB", "Inf"): "infinitive",
    ("head", "VERB", "Conv"): "converb",
    ("head", "VERB", ""): "verb",
    ("head", "AUX", ""): "auxiliary",
    ("head", "ADJ", ""): "predicate",
    ("modifier", "DET", ""): "determiner",
    ("modifier", "ADJ", ""): "adjective",
    ("modifier", "NUM", ""): "numeral",
    ("modifier", "PRON", ""): "pronoun",
    ("modifier", "VERB", ""): "participle",
    ("marker", "ADP", ""): "adposition",
}

Key = tuple[str, ...]
Pairs = Counter[tuple[str, str]]


def propose_agreement(connection: duckdb.DuckDBPyConnection) -> list[Proposal]:
    """Return constructions in which a target agrees with a controller, from the tables of `count_words`."""
    # Values of target and controller, by the kind of pair and the controller's UPOS.
    kinds: dict[Key, dict[str, Pairs]] = defaultdict(lambda: defaultdict(Counter))
    for *key, controller, marked, owned, count in connection.sql(_COUNTED).fetchall():
        kinds[tuple(key)][controller][marked, owned] += count
    proposals = []
    for kind, pairs in kinds.items():
        controllers = [upos for upos, counts in sorted(pairs.items()) if _agree(counts)]
        if controllers and kind[-1].partition("[")[0] not in NO_INFLECTION:
            proposals.append(_proposal(kind, controllers, sum((pairs[upos] for upos in controllers), Counter())))
    return [proposal for proposal in proposals if proposal]


def shares(counts: Pairs) -> tuple[int, float, float]:
    """Return the number of pairs, the share of those that agree, and the share that would agree by chance."""
    total = counts.total()
    holds = sum(count for (marked, owned), count in counts.items() if is_compatible(marked, owned)) / total
    targets, controllers = Counter[str](), Counter[str]()
    for (marked, owned), count in counts.items():
        targets[marked] += count
        controllers[owned] += count
    chance = sum(targets[value] * controllers[value] for value in targets) / total**2
    return total, holds, chance


def _agree(counts: Pairs) -> bool:
    """Tell whether targets agree with such controllers as a rule."""
    total, holds, chance = shares(counts)
    return total >= LEAST and holds >= HOLDS and exceeds_chance(holds, chance, KAPPA)


def _proposal(key: Key, controllers: list[str], counts: Pairs) -> Proposal | None:
    shape, relation, upos, verb_form, feature = key
    word = _WORD.get((shape, upos, verb_form)) or _WORD.get((shape, upos, ""))
    if shape == "helper":
        word = "copula" if relation.endswith("cop") else "auxiliary"
    if word is None:
        return None
    total, holds, chance = shares(counts)
    agreeing = Counter[str]()
    for (marked, owned), count in counts.items():
        if is_compatible(marked, owned) and "," not in marked:
            agreeing[marked] += count
    values = [value for value, count in agreeing.most_common() if count >= RARE * total][:MOST]
    if len(values) < 2:
        return None
    role = _ROLE.get(relation.partition(" ")[0], "noun")
    plain = feature.partition("[")[0]
    first, second = (word, role) if role == "noun" else (role, word)
    name = "-".join([first, second, *feature.replace("]", "").split("[")]).replace(" ", "-").lower()
    target, controller = _names(shape, word)
    return Proposal(
        name=name,
        title=f"Agreement of {_article(word)} with its {role} in {plain.lower()}",
        phenomenon=AGREEMENT,
        target=target,
        upos=upos,
        feature=feature,
        values=tuple(values),
        controller=controller,
        decides=controller,
        pattern=tuple(_pattern(key, target, controller, word, role, values, controllers)),
        without=_without(shape, relation, target, controller, controllers),
        cases=total,
        holds=holds,
        chance=chance,
    )


def _article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _names(shape: str, word: str) -> tuple[str, str]:
    """Return names for the nodes of target and controller."""
    verbal = {"auxiliary": "A", "copula": "A", "predicate": "P"}
    nominal = {"determiner": "D", "adjective": "A", "numeral": "M", "pronoun": "P", "adposition": "P"}
    return (verbal.get(word, "V"), "S") if shape in ("head", "helper") else (nominal.get(word, "V"), "N")


def _pattern(
    key: Key, target: str, controller: str, word: str, role: str, values: list[str], controllers: list[str]
) -> Iterable[Clause]:
    shape, relation, upos, verb_form, feature = key
    name = feature.replace("[", "__").replace("]", "")
    form = f", VerbForm={verb_form}" if verb_form else ""
    yield Clause(
        f"{target} [upos={upos}{form}, {name}={'|'.join(values)}]",
        f"The target, {_article(word)}, with one of the values that are to vary.",
    )
    yield Clause(f"{controller} [upos={'|'.join(controllers)}]", f"The {role} that it agrees with.")
    above, _, below = relation.partition(" ")
    if shape == "head":
        yield Clause(
            f"{target} -[1={above}]-> {controller}",
            f"`1={above}` is {above} with any subtype, {above}:pass and the like.",
        )
    elif shape == "helper":
        yield Clause(f"H -[1={above}]-> {controller}", f"In UD, the {word} is no head: both hang on the predicate H.")
        yield Clause(f"H -[1={below}]-> {target}")
    elif shape == "modifier":
        yield Clause(f"{controller} -[1={above}]-> {target}", f"`1={above}` is {above} with any subtype.")
    else:
        yield Clause(
            f"{controller} -[1=nmod]-> X", "The adposition stands at the modifier X, and agrees with what X modifies."
        )
        yield Clause(f"X -[1=case]-> {target}")
    yield Clause(
        f"{target}.{name} = {controller}.{feature.partition('[')[0]}",
        "Where the two differ, something else is at work, or the annotation is wrong.",
    )


def _without(shape: str, relation: str, target: str, controller: str, controllers: list[str]) -> tuple[Clause, ...]:
    clausal = shape in ("head", "helper")
    names = ["pronoun without agreement"] if "PRON" in controllers else []
    names += ["plural of respect", "second target", *(["second controller"] if clausal else [])]
    return request_guards(
        *names,
        target=target,
        controller=controller,
        kind="verb" if clausal else "modifier",
        head="H" if shape == "helper" else target,
        relation=relation.partition(" ")[0],
    )
