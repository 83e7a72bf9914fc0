"""Words with two paradigms: which of their forms go together.

Georgian ინჟინერი "engineer" has the plurals ინჟინერები and ინჟინრები, Spanish haber the pasts ha and había. In another
cell each has its own form, to which it leads as the forms of other words lead there: ინჟინრები to ინჟინრებს, and
ინჟინერები to ინჟინერებს. A form goes with that variant of the text's form from which the step is the more usual one.
"""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from starbank.languages import language_of
from starbank.morphology.edits import find_edits
from starbank.morphology.letters import Words
from starbank.morphology.paradigms import LEMMA, Paradigms, Queries
from starbank.treebanks.arrays import answer, integers, table_of, take

# How much more usual a step must be, and how many times rarer than the text's own form its variant may be; what is
# rarer may be a slip of annotation.
_TIMES = 5

# The variants of a text's own form, `start`, beside itself.
_STARTS = f"""
    with mates as (
        select cell.row, {LEMMA.format(lemma="cell.lemma")} as lemma, cell.upos, cell.feats, cell.own_feats, cell."use",
            small(cell.own_form) as own, entry.small as form, sum(entry.count) as count
        from cells as cell
            join same on same.upos = cell.upos and same.wanted = cell.own_feats and same.relaxed = 0
            join lexicon as entry on entry.lemma = cell.lemma and entry.upos = cell.upos and entry.feats = same.found
                and entry."use" is not distinct from cell."use"
        where entry.source = 'treebank' and cell.feats <> cell.own_feats
        group by all
    ),
    starts as (
        select * exclude (form, count), form as start from mates
        qualify form <> own
            and {_TIMES} * count > coalesce(sum(count) filter (form = own) over (partition by row), 0)
    )
    select * from starts union all by name select distinct * replace (own as start) from starts
"""

# Each with the forms that could fill the cell, `goal`.
_STEPS = """
    select row, lemma, upos, feats, own_feats, "use", start, start = own as is_own, goal
    from starts join (select distinct row, small(form) as goal from fillers) using (row)
    where goal not in (start, own)
    order by all
"""

# The example of the very step that is weighed tells nothing of it.
_STEMS = f"""
    with seen as (
        select distinct transition, rule, lemma, small(source) as start, small(target) as goal from examples
    ),
    usual as (select transition, rule, count(*) as count from seen group by all),
    weighed as (
        select step.row, step.goal, step.is_own, any_value(step.rule) as rule,
            coalesce(any_value(usual.count), 0) - count(seen.lemma) as count
        from steps as step
            left join usual using (transition, rule)
            left join seen on seen.transition = step.transition and seen.lemma = step.lemma
                and seen.start = step.start and seen.goal = step.goal
        group by step.row, step.goal, step.is_own, step.start
    )
    select row, goal, arg_max(rule, count) filter (not is_own) as rule,
        coalesce(max(count) filter (is_own), 0) as own, coalesce(max(count) filter (not is_own), 0) as other,
        case when own > other then 'own' when other > {_TIMES} * own then 'other' end as stem
    from weighed
    group by row, goal having stem is not null
    order by all
"""


NO_STEMS = table_of([], row=int, goal=str, rule=int, stem=str)  # Arrow's own empty tables import pandas.


def find_starts(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return the variants of the text's own forms, where there are any, beside these.

    `connection` has the tables `cells`, `same` and `lexicon` of `Lexicon.forms`.
    """
    return answer(connection, _STARTS)


def find_stems(
    connection: duckdb.DuckDBPyConnection,
    paradigms: Paradigms,
    starts: pa.Table,
    fillers: pa.Table,
    language: str | None,
) -> pa.Table:
    """Tell forms with the stem of the text's own form from those that go with a variant of it.

    The columns are `row`, `goal`, a form in small letters, `stem`, which is `own` or `other`, and `rule`, a hash of the
    step that leads to it from the variant. Forms that no step of other words leads to are left out.

    The forms in question are `fillers` (`row`, `form`); `starts` are as `find_starts` gives them.
    """
    connection.register("starts", starts)
    connection.register("fillers", fillers)
    steps = answer(connection, _STEPS)
    if not steps.num_rows:
        return NO_STEMS
    column = {name: steps[name].to_pylist() for name in steps.column_names}
    cell, start_cell = (
        np.array(
            [paradigms.cells.number(*key) for key in zip(column["upos"], column[feats], column["use"], strict=True)]
        )
        for feats in ("feats", "own_feats")
    )
    queries = Queries(column["lemma"], cell, column["start"], start_cell, np.full(len(cell), -1))
    _, shown, transitions = paradigms.examples(queries)
    words = paradigms.entries.texts
    columns = {name: take(words, getattr(shown, name)[shown.sampled]) for name in ("lemma", "source", "target")}
    examples = pa.table({"transition": integers(shown.wide[shown.sampled].astype(np.int64)), **columns})
    transition = np.array([transitions[pair] for pair in zip(start_cell.tolist(), cell.tolist(), strict=True)])
    connection.register(
        "steps", with_rules(steps, "start", "goal", language).append_column("transition", integers(transition))
    )
    connection.register("examples", with_rules(examples, "source", "target", language))
    return connection.sql(_STEMS).select(*NO_STEMS.column_names).to_arrow_table()


def with_rules(table: pa.Table, source: str, target: str, language: str | None) -> pa.Table:
    """Return `table` with what leads from one form to the other, a hash of the step, in the column `rule`."""
    in_small = language_of(language).small
    starts, goals = (Words([in_small(text) for text in table[name].to_pylist()]) for name in (source, target))
    rows = np.arange(table.num_rows)
    return table.append_column("rule", integers(find_edits(starts, rows, goals, rows).rules().view(np.int64)))
