"""All proposals of a treebank, the best first, and what the guards of one of them do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import duckdb

from starbank.grew import Engine, parse_request
from starbank.guards.requests import Clause, request_guards
from starbank.pipeline.proposals.agreement import propose_agreement
from starbank.pipeline.proposals.arguments import propose_cases
from starbank.pipeline.proposals.counts import count_words
from starbank.pipeline.proposals.government import propose_government
from starbank.pipeline.proposals.proposal import Proposal
from starbank.treebanks import Treebank

# A feature comes and goes with the varied one if words have it beside one value and not beside another, or nearly so.
COMES_AND_GOES = 0.8
# A request with fewer matches is no construction.
LEAST_MATCHES = 10

_COMING = """
    with targets as (select node, value from matched join valued using (node) where feature = $feature),
        sizes as (select value, count(*) as size from targets group by value having count(*) >= 5),
        others as (
            select beside.feature, targets.value, count(*) as targets
            from targets join valued as beside using (node) where beside.feature <> $feature group by all
        ),
        shares as (
            select names.feature, coalesce(others.targets, 0) / size as share
            from sizes cross join (select distinct feature from others) as names
                left join others on others.feature = names.feature and others.value = sizes.value
        )
    select feature from shares group by feature having max(share) - min(share) >= $least order by feature
"""

# Of the matched words, how many have a lemma that the treebank attests with all the values, all else equal.
_ATTESTED = """
    with types as (select distinct lemma, upos, feats, lower(form) as form from words where upos = $upos),
        cells as (
            select lemma, feats, form,
                array_to_string(list_filter(string_split(feats, '|'),
                    lambda pair: not list_contains($aside, split_part(pair, '=', 1))), '|') as rest,
                coalesce(array_to_string(list_filter(string_split(feats, '|'),
                    lambda pair: split_part(pair, '=', 1) = $feature), '|'), '') as cell
            from types
        ),
        varying as (
            select lemma, rest from cells where list_contains($values, split_part(cell, '=', 2))
            group by all having count(distinct cell) = len($values) and count(distinct form) > 1
        ),
        attested as (select distinct lemma, feats from cells semi join varying using (lemma, rest))
    select count(*) from matched join words using (node) semi join attested using (lemma, feats)
"""

# Where nearly all lemmas have one form for several values, as English verbs in the past tense, nothing can be starred.
ONE_FORM, LEAST_LEMMAS = 0.95, 10

_ONE_FORM = """
    with cells as (
        select distinct lemma, lower(form) as form, value,
            array_to_string(list_filter(string_split(feats, '|'),
                lambda pair: split_part(pair, '=', 1) <> $feature), '|') as rest
        from words join matched using (node) join valued on valued.node = words.node and feature = $feature
    ),
    paradigms as (
        select lemma, rest, count(distinct form) = 1 as same
        from cells group by all having count(distinct value) > 1
    )
    select pair from (select same, unnest(string_split(rest, '|')) as pair from paradigms)
    where pair <> ''
    group by pair having count(*) >= $least and avg(same::int) >= $share and avg(same::int) > 2 *
        (select coalesce(avg(same::int), 0) from paradigms where not list_contains(string_split(rest, '|'), pair))
    order by pair
"""

# The words from the target to the one that decides, where they are closest.
_EXAMPLE = """
    with ends as (
        select target.sent, least(target.start, ruler.start) as first, greatest(target."end", ruler."end") as last,
            abs(target.position - ruler.position) as distance
        from matches
            join tokens as target on target.node = matches."{target}"
            join tokens as ruler on ruler.node = matches."{decides}"
        where target.start is not null and ruler.start is not null
    )
    select text[first + 1 : last] from ends join sentences using (sent) order by distance, sent, first limit 1
"""


def propose(treebank: Treebank) -> list[Proposal]:
    """Return the constructions that the counts of a treebank suggest, those first that will give most items."""
    connection = count_words(treebank)
    connection.register("sentences", treebank.sentences.select(["sent", "text"]))
    engine = Engine(treebank)
    counted = [*propose_agreement(connection), *propose_government(connection), *propose_cases(connection)]
    measured = [_measured(proposal, engine, connection) for proposal in counted]
    proposals = [proposal for proposal in measured if proposal.matches >= LEAST_MATCHES and proposal.attested]
    return _with_distinct_names(sorted(proposals, key=lambda proposal: (-proposal.worth, proposal.name)))


def _measured(proposal: Proposal, engine: Engine, connection: duckdb.DuckDBPyConnection) -> Proposal:
    """Add what the matches of the request itself show."""
    matches = engine.match(parse_request(proposal.request))
    connection.register("matches", matches)
    connection.execute(
        f'create or replace temp table matched as select distinct "{proposal.target}" as node from matches'
    )
    coming = {"feature": proposal.feature, "least": COMES_AND_GOES}
    relax = tuple(feature for (feature,) in connection.sql(_COMING, params=coming).fetchall())
    parameters = {
        "upos": proposal.upos,
        "feature": proposal.feature,
        "aside": [proposal.feature, *relax],
        "values": [value or "" for value in proposal.values],
    }
    alike = {"feature": proposal.feature, "least": LEAST_LEMMAS, "share": ONE_FORM}
    same = [pair for (pair,) in connection.sql(_ONE_FORM, params=alike).fetchall()]
    if same:
        guards = [guard for pair in same for guard in _one_form(proposal, pair)]
        fewer = replace(proposal, without=(*guards, *proposal.without))
        # The guards change what is matched, and leave nothing more of their kind to be found.
        return _measured(fewer, engine, connection)
    ((attested,),) = connection.sql(_ATTESTED, params=parameters).fetchall()
    examples = connection.sql(_EXAMPLE.format(target=proposal.target, decides=proposal.decides)).fetchall()
    example = examples[0][0] if examples else ""
    return replace(proposal, relax=relax, matches=matches.num_rows, attested=attested, example=example)


def _one_form(proposal: Proposal, pair: str) -> tuple[Clause, ...]:
    """Return the guard against words with a feature value beside which there is nothing to tell apart."""
    feature, _, value = pair.partition("=")
    name = feature.replace("[", "__").replace("]", "")
    return request_guards(
        "one form", target=proposal.target, feature=name, value=value, pair=pair, varied=proposal.feature
    )


def weigh_guards(proposal: Proposal, treebank: Treebank) -> Proposal:
    """Return the proposal with those guards only that leave out matches in `treebank`, each with how many."""
    engine = Engine(treebank)
    guards = []
    for guard in proposal.without:
        count = engine.count(parse_request(f"{proposal.bare_request} with {{ {guard.text} }}"))
        guards += [replace(guard, comment=f"{guard.comment} ({count} left out)")] if count else []
    return replace(proposal, without=tuple(guards))


def _with_distinct_names(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Number those that would have the name of a better one."""
    counts = Counter[str]()
    named = []
    for proposal in proposals:
        counts[proposal.name] += 1
        number = counts[proposal.name]
        named.append(replace(proposal, name=f"{proposal.name}-{number}") if number > 1 else proposal)
    return named
