"""Words that share their values far above chance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import duckdb

from starbank.pipeline.proposals.counts import NO_INFLECTION
from starbank.pipeline.proposals.proposal import AGREEMENT, Clause, Proposal
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

Key = tuple[str, str, str, str, str]


@dataclass
class _Pairs:
    """What was counted of one kind of pair: values of target and controller, by the controller's UPOS."""

    counts: dict[str, Counter[tuple[str, str]]] = field(default_factory=lambda: defaultdict(Counter))

    def kept(self) -> list[str]:
        """Return the controllers that the target agrees with, as a rule."""
        return [upos for upos, counts in sorted(self.counts.items()) if _agree([counts])]

    def total(self, kept: Iterable[str]) -> Counter[tuple[str, str]]:
        return sum((self.counts[upos] for upos in kept), Counter())


def propose_agreement(connection: duckdb.DuckDBPyConnection) -> list[Proposal]:
    """Return constructions in which a target agrees with a controller, from the tables of `count_words`."""
    found: dict[Key, _Pairs] = defaultdict(_Pairs)
    for row in connection.sql(_COUNTED).fetchall():
        shape, relation, upos, verb_form, feature, controller, marked, owned, count = row
        found[shape, relation, upos, verb_form, feature].counts[controller][marked, owned] += count
    proposals = []
    for key, pairs in found.items():
        kept = pairs.kept()
        if kept and key[-1].partition("[")[0] not in NO_INFLECTION:
            proposal = _proposal(key, kept, pairs.total(kept))
            proposals += [proposal] if proposal else []
    return proposals


def shares(counts: Mapping[tuple[str, str], int]) -> tuple[int, float, float]:
    """Return the number of pairs, the share of those that agree, and the share that would agree by chance."""
    total = sum(counts.values())
    holds = sum(count for (one, other), count in counts.items() if is_compatible(one, other)) / total
    ones, others = Counter[str](), Counter[str]()
    for (one, other), count in counts.items():
        ones[one] += count
        others[other] += count
    chance = sum(ones[value] * others[value] for value in ones) / total**2
    return total, holds, chance


def _agree(several: Iterable[Mapping[tuple[str, str], int]]) -> bool:
    for counts in several:
        total, holds, chance = shares(counts)
        if total < LEAST or holds < HOLDS or chance > 0.99 or (holds - chance) / (1 - chance) < KAPPA:
            return False
    return True


def _proposal(key: Key, controllers: list[str], counts: Counter[tuple[str, str]]) -> Proposal | None:
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
        without=tuple(_guards(shape, relation, target, controller, controllers)),
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


def _guards(shape: str, relation: str, target: str, controller: str, controllers: list[str]) -> Iterable[Clause]:
    if "PRON" in controllers:
        yield Clause(
            f"{controller} [PronType=Rel|Int|Ind|Neg|Tot|Rcp]",
            "Relative, interrogative, indefinite and such pronouns: many of them show nothing of what they stand for.",
        )
    yield Clause(f"{controller} [Polite=Form]", "A plural of respect may be one person.")
    yield Clause(
        f"{target} -[1=conj]-> X",
        f"A second {'verb' if shape in ('head', 'helper') else 'modifier'} beside it may have an agreement of its own.",
    )
    if shape in ("head", "helper"):
        head = target if shape == "head" else "H"
        base = relation.partition(" ")[0]
        yield Clause(
            f"{head} -[1={base}]-> X", f"Two words that are annotated as {base} of one verb: which does it agree with?"
        )
