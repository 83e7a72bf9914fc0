"""Which items may be false: starred sentences for which something at hand says that they are fine.

Each sign of `signs.py` has a weight, and an item is as suspicious as its signs add up to. The strongest are from the
treebank itself: it says the same words elsewhere, in a sentence that nobody starred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from starbank.constructions import Construction
from starbank.grew import Engine
from starbank.morphology import Lexicon
from starbank.sets.tables import text_table
from starbank.signs import ALONE, ANCHORED, ATTESTED, BESIDE, CASES, OF_FORM, PLACES
from starbank.treebanks import Treebank


@dataclass(frozen=True)
class Suspicion:
    """A starred condition `name` of an item, how suspicious it is, and why, the strongest reason first."""

    item_id: str
    name: str
    score: float
    reasons: tuple[str, ...]


def find_suspicious(
    construction: Construction, items: pa.Table, treebanks: Sequence[Treebank], lexicon: Lexicon
) -> list[Suspicion]:
    """Return the starred conditions of `items` (schema `ITEMS`) that show any sign, the most suspicious first.

    `treebanks` are those that the items are from, `lexicon` has the forms of their language. Where several words of a
    sentence change, what is said about one word and its neighbours is not looked at.
    """
    connection = duckdb.connect(":memory:")
    connection.register("items", items)
    connection.execute(CASES)
    connection.register("readings", lexicon.read(connection.sql("select form from cases").to_arrow_table()["form"]))
    connection.execute("create temp table signs (item_id text, name text, weight double, reason text)")
    _add(connection, OF_FORM)
    connection.register("changes", _changes(construction))
    if len(construction.nodes) == 1:
        for treebank in treebanks:
            connection.register("tokens", _tokens(treebank))
            connection.register("sentences", treebank.sentences.select(["sent", "sent_id", "text"]))
            connection.register("anchors", _anchors(construction, treebank))
            connection.execute(PLACES)
            connection.execute(ALONE)
            connection.execute(ANCHORED, {"treebank": treebank.name})
            anchors = "select distinct written from words join anchors on anchors.anchor = words.node"
            connection.register("anchor_readings", lexicon.read(connection.sql(anchors).to_arrow_table()["written"]))
            _add(connection, ATTESTED | BESIDE)
    found = connection.sql(
        """
        select item_id, name, sum(weight) as score, list(reason order by weight desc, reason) as reasons
        from signs group by item_id, name order by score desc, item_id, name
        """
    ).fetchall()
    return [Suspicion(item_id, name, score, tuple(reasons)) for item_id, name, score, reasons in found]


def _add(connection: duckdb.DuckDBPyConnection, signs: Mapping[str, str]) -> None:
    for query in signs.values():
        connection.execute(f"insert into signs {query}")


def _changes(construction: Construction) -> pa.Table:
    """Return for each condition by name the features, with their values, that the first target is to have."""
    target = construction.targets[0]
    changed = {
        condition.name: "|".join(
            f"{feature}={value}" for feature, value in condition.changes.get(target, {}).items() if value
        )
        for condition in construction.conditions
    }
    return text_table(list(changed.items()), ("name", "changed"))


def _tokens(treebank: Treebank) -> pa.Table:
    return treebank.tokens.select(treebank.tokens.column_names[: treebank.tokens.column_names.index("end") + 1])


def _anchors(construction: Construction, treebank: Treebank) -> pa.Table:
    """Return by target the word that decides its value, if the request tells, and how many matches there are."""
    matches = Engine(treebank).match(construction.request)
    target, decides = construction.targets[0], deciding_node(construction)
    connection = duckdb.connect(":memory:")
    connection.register("matches", matches)
    anchor = f'any_value("{decides}")' if decides else "null::bigint"
    return connection.sql(
        f'select "{target}" as node, {anchor} as anchor, count(*) as matches from matches group by all'
    ).to_arrow_table()


def deciding_node(construction: Construction) -> str | None:
    """Return the controller, or else the first node that an edge of the pattern joins with the target."""
    if construction.controller:
        return construction.controller
    target = construction.targets[0]
    for clause in construction.request.pattern.edge_clauses:
        ends = [end.text for end in (clause.source, clause.target) if end is not None]
        if target in ends and len(ends) == 2:
            return ends[1 - ends.index(target)]
    return None
