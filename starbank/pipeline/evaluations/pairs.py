"""Tables of pairs with what a model gives each sentence of them, as people write them with minicons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from starbank.errors import SuiteError
from starbank.pipeline.evaluations.scored import VALUES, Published, Scored, in_nats, wrong_sign
from starbank.queries.benchmarks import Paradigm, read_header, read_tables, refuse
from starbank.sets.paradigms import make_paradigm
from starbank.suites.schemas import ITEMS

# Published tables that are known by their columns of scores: those of the good sentence and the bad one, and the unit.
KNOWN = (("sen_nll", "wrong_nll", "loss"),)  # MultiBLiMP
# What tables that we wrote tell of a pair: the item that it is of, and what its two conditions are called.
OURS = ("item_id", "condition_good", "condition_bad")
_UNITS = "Say --unit: nats or bits of log-probabilities; loss (nats) or surprisal (bits), not below 0; probability."
_VALUES = """
    WITH conditions AS (
        SELECT id, unnest([
            {{'condition': 'grammatical', 'value': try_cast(good_score AS DOUBLE)}},
            {{'condition': 'starred', 'value': try_cast(bad_score AS DOUBLE)}}
        ], recursive := true) FROM pairs
    )
    SELECT $suite AS suite, id AS item, condition, [NULL, {nats}, NULL] AS logprobs FROM conditions
    WHERE value IS NOT NULL AND NOT isnan(value)
"""
# Pairs of one of our items: the item as it is called in its own suite, and its conditions, too.
_RENAMED = """
    SELECT items.* REPLACE (
        pairs.item_id AS item_id,
        [struct_update(items.conditions[1], name := pairs.condition_good),
         struct_update(items.conditions[2], name := pairs.condition_bad, against := pairs.condition_good)] AS conditions
    ) FROM items JOIN pairs ON pairs.id = items.sent_id
"""
_RENAMED_VALUES = """
    SELECT * REPLACE (if(condition = 'grammatical', condition_good, condition_bad) AS condition)
    FROM "values" JOIN (SELECT id AS item, condition_good, condition_bad FROM pairs) USING (item)
"""


def read_pairs(file: Path, published: Published, model: str | None = None) -> Scored:
    """Read a table of pairs with two columns of scores; the pairs are read as `starbank import` reads them.

    Raises `SuiteError` where a score is no number, or none of its unit, and where nothing tells which columns have it.
    """
    header = read_header(file)
    good, bad, unit = _columns(header, published, file)
    ours = {name: name for name in OURS if set(OURS) <= set(header)}
    also = {"good_score": good, "bad_score": bad, **ours}
    paradigms = read_tables([file], published.columns, language=published.language, **published.about, also=also)
    for paradigm in paradigms:
        _check(paradigm.pairs, {"good_score": good, "bad_score": bad}, unit, file)
    made = [_read(paradigm, unit, bool(ours)) for paradigm in paradigms]
    items, values = (pa.concat_tables(tables) for tables in zip(*made, strict=True))
    return Scored(published.model_of(file, model), items, values)


def _columns(header: Sequence[str], published: Published, file: Path) -> tuple[str, str, str]:
    known = next((columns for columns in KNOWN if {*columns[:2]} <= set(header)), (None, None, None))
    said = (published.good_score, published.bad_score, published.unit)
    good, bad, unit = (mine or theirs for mine, theirs in zip(said, known, strict=True))
    if not good or not bad:
        hint = f"It has the columns {', '.join(header)}. Say which: --good-score and --bad-score."
        raise SuiteError("does not say which columns have the scores", file=file, line=1, hint=hint)
    if not unit:
        raise SuiteError(f"does not say what `{good}` is", file=file, line=1, hint=_UNITS)
    return good, bad, unit


def _check(pairs: pa.Table, names: Mapping[str, str], unit: str, file: Path) -> None:
    """Raise `SuiteError` where a score is no number, or none of its unit; one that is missing is none."""
    for key, name in names.items():
        value = f"try_cast({key} AS DOUBLE)"
        refuse(file, pairs, rf"{value} IS NULL AND regexp_full_match({key}, '.*\S.*')", f"`{name}` is no number")
        refuse(file, pairs, wrong_sign(unit).replace("value", value), f"`{name}` is not in {unit}", _UNITS)


def _read(paradigm: Paradigm, unit: str, ours: bool) -> tuple[pa.Table, pa.Table]:
    connection = duckdb.cursor()
    connection.register("pairs", paradigm.pairs)
    items = make_paradigm(paradigm).items
    connection.register("items", items)
    values = connection.sql(_VALUES.format(nats=in_nats(unit)), params={"suite": paradigm.name}).to_arrow_table()
    if ours:
        connection.register("values", values)
        items, values = (connection.sql(sql).to_arrow_table() for sql in (_RENAMED, _RENAMED_VALUES))
    return items.select(ITEMS.names).cast(ITEMS), values.select(VALUES.names).cast(VALUES)
