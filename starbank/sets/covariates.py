"""What may make an item hard: distance, attractors, frequency, ambiguity."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import answer, filled, integers, table_of
from starbank.treebanks.features import NOMINALS, is_compatible, parse_features, plain

# The column of a table of matches that holds named covariates: a list of {name, value: 1 where the request holds}.
COVARIATES = "% covariates"
# The one that holds the words in concord with the target, in the order of the text: a list of tokens (`node`).
CONCORD = "% concord"

# Attractors are words of the controller's kind between it and the target that have another value where it has one.
_COVARIATES = """
    create temp table covariates as
    select word.row, word.length, word.position,
        abs(word.position - controller.position)::int as distance,
        edges.edges::int as tree_distance,
        case when controller.row is not null then coalesce(attracting.attractors, 0)::int end as attractors,
        coalesce(lemmas.count, 0) as lemma_count,
        coalesce(ambiguity.readings, 0)::int as readings
    from words as word
        left join controllers as controller using (row)
        left join edges using (row)
        left join (
            select row, count(*) as attractors from between_them
            where (construction, feats, other) in (from attractions) group by row
        ) as attracting using (row)
        left join lemmas on lemmas.lemma = word.lemma and lemmas.upos = word.upos
        left join (
            select form, count(distinct concat_ws(' ', lemma, upos, feats)) as readings
            from own_readings where source = 'treebank' group by form
        ) as ambiguity on ambiguity.form = word.form
    where word.first and word.row not in (select row from problems)
"""

# The nominals between target and controller.
_BETWEEN = f"""
    create temp table between_them as
    select controller.row, controller.construction, controller.feats, coalesce(token.feats, '') as other
    from controllers as controller
        join words as word on word.row = controller.row and word.first
        join tokens as ruler on ruler.node = controller.token
        join tokens as token on token.sent = ruler.sent
            and token.position > least(word.position, controller.position)
            and token.position < greatest(word.position, controller.position)
    where token.upos in {NOMINALS} and regexp_full_match(token.id, '[0-9]+')
        and controller.row not in (select row from problems)
"""


def make_covariates(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon
) -> None:
    """Make the table `covariates`: `length` and `position` in words, and more about each match without a problem.

    - `distance`: how many words on the target is from its controller, and `tree_distance`: how many edges;
    - `attractors`: nominals between the two with another value of the varied features; null without a controller;
    - `lemma_count`: how often the target's lemma is attested; `readings`: how many readings its form has.
    """
    features = [[plain(name) for name in construction.features] for construction in constructions]
    connection.execute(_BETWEEN)
    pairs = connection.execute("select distinct construction, feats, other from between_them").fetchall()
    attractions = [pair for pair in pairs if _attracts(pair[1], pair[2], features[pair[0]])]
    connection.register("attractions", table_of(attractions, construction=int, feats=str, other=str))
    connection.register("edges", _edges(connection))
    first = answer(connection, "select distinct lemma, upos, form from words where first order by all")
    connection.register("lemmas", lexicon.frequencies(first))
    connection.register("own_readings", lexicon.read(first["form"]))
    connection.execute(_COVARIATES)


def _attracts(controller_feats: str, word_feats: str, features: list[str]) -> bool:
    controller, word = parse_features(controller_feats), parse_features(word_feats)
    shared = [name for name in features if name in controller and name in word]
    return any(not is_compatible(controller[name], word[name]) for name in shared)


def _edges(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return how many edges of the basic tree lie between target and controller: columns `row`, `edges`."""
    tokens = answer(connection, "select node, head from tokens where position is not null order by node")
    ends = answer(
        connection,
        """
        select controllers.row, controllers.token as controller, bound.token as target
        from controllers join bound using (row) where bound.first order by row
        """,
    )
    node, head = (filled(tokens[name], -1) for name in ("node", "head"))
    up = np.searchsorted(node, head)
    # The root of each sentence, which has no row of its own, is the row past the last.
    up = np.append(np.where(np.append(node, -2)[np.minimum(up, len(node))] == head, up, len(node)), len(node))
    a, b = (np.searchsorted(node, filled(ends[name], -1)) for name in ("controller", "target"))
    up, depth = _rooted(up)
    edges = np.zeros(len(a), dtype=np.int64)
    while (apart := a != b).any():
        climb_a, climb_b = apart & (depth[a] >= depth[b]), apart & (depth[b] >= depth[a])
        a, b = np.where(climb_a, up[a], a), np.where(climb_b, up[b], b)
        edges += climb_a.astype(np.int64) + climb_b
    return pa.table({"row": ends["row"], "edges": integers(edges)})


def _rooted(up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what each row hangs from, and how many steps up lead to the row past the last.

    What leads there never, since heads form a cycle, hangs from that row itself.
    """
    root = len(up) - 1
    at, depth = up, (np.arange(len(up)) != root).astype(np.int64)
    # Each round doubles the steps.
    for _ in range(len(up).bit_length()):
        depth, at = depth + depth[at], at[at]
    lost = at != root
    return np.where(lost, root, up), np.where(lost, 1, depth)
