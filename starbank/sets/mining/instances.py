"""Arcs -> those that are instances of a pattern, and why the others are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from starbank.guards.arcs import GUARDS, LATE_GUARDS
from starbank.guards.registry import find_problems
from starbank.suites import REJECTED
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import answer

_INSTANCES = """
    create temp table instances as
    select arcs.*, patterns."values", length between $shortest and $longest as near
    from arcs left join patterns
        on patterns.pattern = arcs.pattern and patterns.direction = arcs.direction
        and list_contains(patterns."values", arcs.cue_value)
    qualify row_number() over (partition by arcs.row order by patterns."values") = 1
"""

# What stands between the ends of instances, and the ends themselves.
_SPANNED = """
    create temp table spanned as
    select arc.row,
        min(token.form) filter ($listed and token.form not in (select form from vocabulary)) as unknown,
        count(*) filter (
            token.node > arc.cue and token.node < arc.target and token.upos = cue.upos and token.value <> arc.cue_value
        ) as rivals
    from instances as arc
        join tokens as token on token.sent = arc.sent and token.node between arc.cue and arc.target
        join tokens as cue on cue.node = arc.cue
    where arc."values" is not null
    group by arc.row
"""

_JUDGED = """
    select instances.* exclude (near), rivals, reason, detail
    from instances left join spanned using (row) left join problems using (row) order by row
"""

# A version in which the request does not find the arc, because it has words that the request refuses.
_REMATCHED = """
    select arcs.*, if(matched.sent is null, 'no match of the request', null) as reason,
        'with other words, version ' || nonce as detail
    from arcs left join (
        select distinct sent, least("{governor}", "{dependent}") as cue, greatest("{governor}", "{dependent}") as target
        from matches
    ) as matched using (cue, target)
    order by row, nonce
"""

_REJECTED = """
    select $construction as construction, $language as language, $treebank as treebank, token.split, token.sent_id,
        token.id as target_id, token.form, token.lemma, token.feats, reason, detail, sentence.text
    from judged
        join tokens as token on token.node = judged.target
        join sentences as sentence on sentence.sent = token.sent
    where reason is not null order by row
"""

_TOKENS = ["node", "sent", "split", "sent_id", "id", "position", "form", "lemma", "upos", "feats", "head", "deprel"]


def choose(
    arcs: pa.Table,
    patterns: pa.Table,
    treebank: Treebank,
    feature: str,
    vocabulary: pa.Table | None,
    lengths: tuple[int, int],
    provenance: Mapping[str, Any],
) -> tuple[pa.Table, pa.Table]:
    """Return the arcs that are instances of `patterns`, with more columns, and the rejected rows of the others.

    `rivals` are words in between of the cue's UPOS with another value of `feature`. With a `vocabulary` (`form`) only
    arcs all of whose words are in it count. `provenance` names the construction, its language and its treebank.
    """
    connection = _connect(arcs, treebank, feature)
    connection.register("patterns", patterns)
    none = pa.table({"form": pa.nulls(0, pa.string())})
    connection.register("vocabulary", none if vocabulary is None else vocabulary)
    connection.execute(_INSTANCES, dict(zip(("shortest", "longest"), lengths, strict=True)))
    connection.execute(_SPANNED, {"listed": vocabulary is not None})
    problems = find_problems(connection, GUARDS)
    connection.register("problems", problems)
    connection.register("problems", pa.concat_tables([problems, find_problems(connection, LATE_GUARDS)]))
    return _divide(connection, answer(connection, _JUDGED), provenance)


def rematch(
    arcs: pa.Table,
    matches: pa.Table,
    targets: Sequence[str],
    treebank: Treebank,
    provenance: Mapping[str, Any],
) -> tuple[pa.Table, pa.Table]:
    """Return those arcs of nonce sentences that are among the `matches` there, and the rejected rows of the others.

    `targets` are the nodes of governor and dependent.
    """
    connection = _connect(arcs, treebank, None)
    connection.register("matches", matches)
    governor, dependent = targets
    judged = answer(connection, _REMATCHED.format(governor=governor, dependent=dependent))
    return _divide(connection, judged, provenance)


def _connect(arcs: pa.Table, treebank: Treebank, feature: str | None) -> duckdb.DuckDBPyConnection:
    """Return a connection with the arcs, the words, and of these the values of a feature, and the texts."""
    connection = duckdb.cursor()
    tokens = treebank.tokens.select(_TOKENS)
    if feature:
        tokens = tokens.append_column("value", treebank.feature(feature))
    connection.register("arcs", arcs)
    connection.register("tokens", tokens.filter(tokens["position"].is_valid()))
    connection.register("sentences", treebank.sentences.select(["sent", "text"]))
    return connection


def _divide(
    connection: duckdb.DuckDBPyConnection, judged: pa.Table, provenance: Mapping[str, Any]
) -> tuple[pa.Table, pa.Table]:
    connection.register("judged", judged)
    rejected = answer(connection, _REJECTED, params=dict(provenance)).cast(REJECTED)
    instances = answer(connection, "select * exclude (reason, detail) from judged where reason is null order by row")
    return instances, rejected
