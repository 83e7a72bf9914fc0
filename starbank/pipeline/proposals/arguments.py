"""Cases that compete for an argument of the verb, and what decides between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import duckdb

from starbank.pipeline.proposals.proposal import CASE, Clause, Proposal

LEAST, HOLDS, KAPPA = 20, 0.9, 0.3
# Values that fewer of all arguments have do not compete.
COMPETES, MOST = 0.05, 3
# What of the verb may decide: nothing but the relation, or one of these features.
CONTEXTS = ("VerbForm", "Tense", "Aspect", "Mood", "Voice", "Polarity")

_COUNTED = """
    with arguments as (
        select argument.relation, argument.upos, argument.head, value
        from words as argument join valued on valued.node = argument.node and feature = 'Case'
            join words as verb on verb.node = argument.head and verb.upos = 'VERB'
        where argument.relation in ('nsubj', 'obj', 'iobj') and argument.upos in ('NOUN', 'PRON')
            and exists (from inflected where inflected.upos = argument.upos and inflected.feature = 'Case')
            and argument.node not in (select head from words where relation = 'case' and head is not null)
    )
    select relation, upos, '' as context, value, count(*) from arguments group by all
    union all
    select relation, upos, feature || '=' || verb.value, arguments.value, count(*)
    from arguments join valued as verb on verb.node = arguments.head
    where list_contains($contexts, feature) and not contains(verb.value, ',')
    group by all
    order by all
"""

_ROLE = {"nsubj": "subject", "obj": "object", "iobj": "indirect-object"}
_NODE = {"nsubj": "S", "obj": "O", "iobj": "I"}

Counts = dict[str, Counter[str]]


def propose_cases(connection: duckdb.DuckDBPyConnection) -> list[Proposal]:
    """Return constructions in which an argument has one case where others compete, from the tables of `count_words`."""
    found: dict[tuple[str, str], Counts] = defaultdict(lambda: defaultdict(Counter))
    for relation, upos, context, value, count in connection.sql(
        _COUNTED, params={"contexts": list(CONTEXTS)}
    ).fetchall():
        found[relation, upos][context][value] += count
    proposals = []
    for (relation, upos), counts in found.items():
        usual = sum((other[""] for (_, kind), other in found.items() if kind == upos), Counter[str]())
        for case in counts[""]:
            proposal = _proposal(relation, upos, case, counts, usual)
            proposals += [proposal] if proposal else []
    return proposals


def _proposal(relation: str, upos: str, case: str, counts: Counts, usual: Counter[str]) -> Proposal | None:
    """Propose `case` for the relation, in the context in which it is the rule and most frequent."""
    chance = usual[case] / usual.total()
    contexts = [
        (holding.total(), context)
        for context, holding in counts.items()
        if holding.total() >= LEAST
        and holding[case] >= HOLDS * holding.total()
        and chance < 0.99
        and (holding[case] / holding.total() - chance) / (1 - chance) >= KAPPA
    ]
    if not contexts or "," in case:
        return None
    # Nothing but the relation, if that is enough.
    total, context = max(contexts, key=lambda found: (found[1] == "", found))
    common = [value for value, count in usual.most_common() if count >= COMPETES * usual.total() and "," not in value]
    values = list(dict.fromkeys([case, *common]))[:MOST]
    if len(values) < 2:
        return None
    role, target = _ROLE[relation], _NODE[relation]
    pronoun = "pronoun-" if upos == "PRON" else ""
    where = f"-{context.partition('=')[2]}" if context else ""
    told = f" where the verb has {context}" if context else ""
    return Proposal(
        name=f"{pronoun}{role}-{case}{where}".lower(),
        title=f"{case} case of the {role.replace('-', ' ')}" + told,
        phenomenon=CASE,
        target=target,
        upos=upos,
        feature="Case",
        values=tuple(values),
        controller=None,
        decides="V",
        pattern=tuple(_pattern(relation, upos, case, context, target, role)),
        without=tuple(_guards(relation, target, role)),
        cases=total,
        holds=counts[context][case] / total,
        chance=chance,
    )


def _pattern(relation: str, upos: str, case: str, context: str, target: str, role: str) -> Iterable[Clause]:
    decided = f", {context}" if context else ""
    yield Clause(
        f"V [upos=VERB{decided}]",
        f"A verb with {context}: there {case} is the rule for the {role}." if context else "",
    )
    yield Clause(f"{target} [upos={upos}, Case={case}]", f"The target, its {role}.")
    yield Clause(f"V -[1={relation}]-> {target}", f"`1={relation}` is {relation} with any subtype.")


def _guards(relation: str, target: str, role: str) -> Iterable[Clause]:
    yield Clause(f"{target} -[1=case]-> X", "An adposition, not the verb, governs the case.")
    yield Clause(f"{target} -[1=nummod]-> X", "A numeral may govern the case.")
    yield Clause(f"{target} -[1=conj]-> X", "A coordinated target would change in one of its members only.")
    yield Clause(
        f"{target} -[1=flat|appos]-> X", "The parts of a name, or an apposition, may decline alone or together."
    )
