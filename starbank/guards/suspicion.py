"""Which items may be false: starred sentences for which something at hand says that they are fine.

Each soft guard has a weight, and an item is as suspicious as its signs add up to. The strongest are from the
treebank itself: it says the same words elsewhere, in a sentence that nobody starred.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa

from starbank.grew import Engine
from starbank.guards.registry import Guard
from starbank.guards.signs import IN_SENTENCE, OF_FORM
from starbank.morphology import Lexicon
from starbank.morphology.casing import define_small
from starbank.queries.constructions import Construction, with_values
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import answer, table_of

if TYPE_CHECKING:
    from starbank.grew.grewpy_engine import GrewpyEngine

_CASES = """
    create temp table cases as
    with starred as (
        select item_id, treebank, sent_id, target, distance, attractors, lemma_count, unnest(conditions) as c,
            list_filter(conditions, lambda x: x.grammatical)[1] as good
        from items
    )
    select item_id, treebank, sent_id, target.id as id, target.upos as upos, target.lemma as lemma,
        distance, attractors, lemma_count,
        c.name as name, c.form as form, good.form as good_form, c.form_source as source, c.form_count as count,
        good.form_count as good_count, c.form_confidence as confidence, c.feats as feats,
        array_to_string(c.regions, '') as sentence
    from starred where not c.grammatical
"""

# The words of the matched sentences' treebank, and where each case stands in it: its word, and the word that decides.
_PLACES = """
    create or replace temp table words as
    select node, sent, sent_id, id, position, small(form) as form, form as written, lemma, upos,
        coalesce(feats, '') as feats, head, split_part(deprel, ':', 1) as relation, start, "end"
    from tokens where position is not null
"""
_ANCHORED = """
    create or replace temp table places as
    select cases.*, small(cases.form) as small, small(cases.good_form) as small_good,
        word.node, word.sent, word.position, word.head, word.start,
        list_filter(string_split(changes.changed, '|'), lambda pair: pair <> '') as changed,
        anchors.anchor, anchors.matches, anchor.form as anchor_form, anchor.lemma as anchor_lemma,
        anchor.upos as anchor_upos, anchor.feats as anchor_feats, anchor.head as anchor_head,
        anchor.relation as anchor_relation, anchor.position as anchor_position,
        word.relation as own_relation,
        if(anchor.head = word.node, anchor.relation, if(word.head = anchor.node, word.relation, null)) as edge,
        coalesce(anchor.head = word.node, false) as below, sentences.text
    from cases
        join words as word on word.sent_id = cases.sent_id and word.id = cases.id
        join sentences on sentences.sent = word.sent
        join changes on changes.name = cases.name
        left join anchors on anchors.node = word.node
        left join words as anchor on anchor.node = anchors.anchor
    where cases.treebank = $treebank
"""

# Coordinated words are no evidence: they agree together.
_ALONE = """
    create or replace temp table alone as
    from words
    where relation <> 'conj' and node not in (select head from words where relation = 'conj' and head is not null)
"""


@dataclass(frozen=True)
class Suspicion:
    """A starred condition `name` of an item, how suspicious it is, and why, the strongest reason first."""

    item_id: str
    name: str
    score: float
    reasons: tuple[str, ...]


def find_suspicious(
    construction: Construction,
    items: pa.Table,
    treebanks: Iterable[tuple[Treebank, Engine | GrewpyEngine]],
    lexicon: Lexicon,
) -> list[Suspicion]:
    """Return the starred conditions of `items` (schema `ITEMS`) that show any sign, the most suspicious first.

    `treebanks` are those that the items are from, with what searches them, `lexicon` has the forms of their language.
    Where several words of a sentence change, what is said about one word and its neighbours is not looked at.
    """
    connection = duckdb.connect(":memory:")
    define_small(connection, items["language"][0].as_py() if items.num_rows else None)
    connection.register("items", items)
    connection.execute(_CASES)
    connection.register("readings", lexicon.read(answer(connection, "select form from cases")["form"]))
    connection.execute("create temp table signs (item_id text, name text, weight double, reason text)")
    _add(connection, OF_FORM)
    connection.register("changes", _changes(construction, items))
    if len(construction.nodes) == 1:
        for treebank, engine in treebanks:
            connection.register("tokens", _tokens(treebank))
            connection.register("sentences", treebank.sentences.select(["sent", "sent_id", "text"]))
            connection.register("anchors", _anchors(construction, engine))
            connection.execute(_PLACES)
            connection.execute(_ALONE)
            connection.execute(_ANCHORED, {"treebank": treebank.name})
            anchors = "select distinct written from words join anchors on anchors.anchor = words.node"
            connection.register("anchor_readings", lexicon.read(answer(connection, anchors)["written"]))
            _add(connection, IN_SENTENCE)
    rows = connection.execute(
        """
        select item_id, name, sum(weight) as score, list(reason order by weight desc, reason) as reasons
        from signs group by item_id, name order by score desc, item_id, name
        """
    ).fetchall()
    return [Suspicion(item_id, name, score, tuple(reasons)) for item_id, name, score, reasons in rows]


def _add(connection: duckdb.DuckDBPyConnection, guards: Iterable[Guard]) -> None:
    for guard in guards:
        connection.execute(f"insert into signs {guard.query}")


def _changes(construction: Construction, items: pa.Table) -> pa.Table:
    """Return for each condition by name the features, with their values, that the first target is to have."""
    target = construction.targets[0]
    if construction.asked:
        names = sorted({condition["name"] for listed in items["conditions"].to_pylist() for condition in listed})
        construction = with_values(construction, names)
    changed = {
        condition.name: "|".join(
            f"{feature}={value}" for feature, value in condition.changes.get(target, {}).items() if value
        )
        for condition in construction.conditions
    }
    return table_of(list(changed.items()), name=str, changed=str)


def _tokens(treebank: Treebank) -> pa.Table:
    return treebank.tokens.select(treebank.tokens.column_names[: treebank.tokens.column_names.index("end") + 1])


def _anchors(construction: Construction, engine: Engine | GrewpyEngine) -> pa.Table:
    """Return by target the word that decides its value, if the request tells, and how many matches there are."""
    matches = engine.match(construction.request)
    target, decides = construction.targets[0], deciding_node(construction)
    connection = duckdb.connect(":memory:")
    connection.register("matches", matches)
    anchor = f'any_value("{decides}")' if decides else "null::bigint"
    return answer(
        connection,
        f'select "{target}" as node, {anchor} as anchor, count(*) as matches from matches group by all',
    )


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
