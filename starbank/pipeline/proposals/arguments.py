"""Cases that compete for an argument of the verb, and what decides between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import duckdb

from starbank.guards.requests import Clause, request_guards
from starbank.pipeline.proposals.proposal import CASE, Proposal, exceeds_chance

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
_GUARDS = ("argument of an adposition", "argument with a numeral", "coordinated argument", "name or apposition")
_NODE = {"nsubj": "S", "obj": "O", "iobj": "I"}

Counts = dict[str, Counter[str]]


def propose_cases(connection: duckdb.DuckDBPyConnection) -> list[Proposal]:
    """Return constructions in which an argument has one case where others compete, from the tables of `count_words`."""
    arguments: dict[tuple[str, str], Counts] = defaultdict(lambda: defaultdict(Counter))
    rows = connection.sql(_COUNTED, params={"contexts": list(CONTEXTS)}).fetchall()
    for relation, upos, context, value, count in rows:
        arguments[relation, upos][context][value] += count
    proposals = []
    for (relation, upos), counts in arguments.items():
        usual = sum((cases[""] for (_, kind), cases in arguments.items() if kind == upos), Counter[str]())
        proposals += [_proposal(relation, upos, case, counts, usual) for case in counts[""]]
    return [proposal for proposal in proposals if proposal]


def _proposal(relation: str, upos: str, case: str, counts: Counts, usual: Counter[str]) -> Proposal | None:
    """Propose `case` for the relation, in the context in which it is the rule and most frequent."""
    chance = usual[case] / usual.total()
    contexts = [
        (cases.total(), context)
        for context, cases in counts.items()
        if cases.total() >= LEAST
        and cases[case] >= HOLDS * cases.total()
        and exceeds_chance(cases[case] / cases.total(), chance, KAPPA)
    ]
    if not contexts or "," in case:
        return None
    # Nothing but the relation, if that is enough.
    total, context = max(contexts, key=lambda pair: (pair[1] == "", pair))
    common = [value for value, count in usual.most_common() if count >= COMPETES * usual.total() and "," not in value]
    values = list(dict.fromkeys([case, *common]))[:MOST]
    if len(values) < 2:
        return None
    role, target = _ROLE[relation], _NODE[relation]
    pronoun = "pronoun-" if upos == "PRON" else ""
    where = f"-{context.partition('=')[2]}" if context else ""
    condition = f" where the verb has {context}" if context else ""
    return Proposal(
        name=f"{pronoun}{role}-{case}{where}".lower(),
        title=f"{case} case of the {role.replace('-', ' ')}" + condition,
        phenomenon=CASE,
        target=target,
        upos=upos,
        feature="Case",
        values=tuple(values),
        controller=None,
        decides="V",
        pattern=tuple(_pattern(relation, upos, case, context, target, role)),
        without=request_guards(*_GUARDS, target=target),
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
