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
from starbank.morphology.casing import small
from starbank.morphology.edits import find_edits
from starbank.morphology.letters import Words
from starbank.morphology.paradigms import LEMMA, Paradigms, Queries
from starbank.morphology.predictor import Predictor
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
    select row, lemma, transition, start, start = own as is_own, goal
    from starts join (select distinct row, small(form) as goal from fillers) using (row)
    where goal not in (start, own)
    order by all
"""

_SEEN = "create or replace temp table seen as select distinct * from examples"

# The example of the very step that is weighed tells nothing of it.
_STEMS = f"""
    with usual as (select transition, rule, count(*) as count from seen group by all),
    weighed as (
        select step.row, step.goal, step.is_own, any_value(step.rule) as rule,
            coalesce(any_value(usual.count), 0) - count(seen.lemma) as count
        from steps as step
            left join usual using (transition, rule)
            left join seen on seen.transition = step.transition and seen.lemma = step.lemma
                and seen.start = step.start and seen.goal = step.goal
        group by step.row, step.goal, step.is_own, step.start
    ),
    compared as (
        select row, goal, arg_max(rule, (count, rule)) filter (not is_own) as rule,
            coalesce(max(count) filter (is_own), 0) as own, coalesce(max(count) filter (not is_own), 0) as other
        from weighed group by row, goal
    )
    select row, goal, rule, case when own > other then 'own' when other > {_TIMES} * own then 'other' end as stem
    from compared where stem is not null
    order by row, goal
"""

_NO_STEMS = table_of([], row=int, goal=str, rule=int, stem=str)  # Arrow's own empty tables import pandas.


class Variants:
    """The variants of the text's own forms, beside these, where there are any."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, predictor: Predictor, language: str | None) -> None:
        """Look for them; `connection` has the tables `cells`, `same` and `lexicon` of `Lexicon.forms`."""
        self._connection, self._language = connection, language
        starts = answer(connection, _STARTS)
        self.any = bool(starts.num_rows)
        # Without variants there are no paradigms to look at.
        if self.any:
            examples, transition = _examples(predictor.paradigms, starts, language)
            connection.register("starts", starts.append_column("transition", integers(transition)))
            connection.register("examples", examples)
            connection.execute(_SEEN)

    def stems(self, fillers: pa.Table) -> pa.Table:
        """Tell forms with the stem of the text's own form from those that go with a variant of it.

        The columns are `row`, `goal`, a form in small letters, `stem`, which is `own` or `other`, and `rule`, a hash of
        the step that leads to it from the variant. Forms that no step of other words leads to are left out.

        The forms in question are `fillers` (`row`, `form`).
        """
        if not self.any:
            return _NO_STEMS
        self._connection.register("fillers", fillers)
        steps = answer(self._connection, _STEPS)
        if not steps.num_rows:
            return _NO_STEMS
        self._connection.register("steps", with_rules(steps, "start", "goal", self._language))
        return answer(self._connection, _STEMS)


def _examples(paradigms: Paradigms, starts: pa.Table, language: str | None) -> tuple[pa.Table, np.ndarray]:
    """Return what leads other words to the cells that starts are to lead to, and the transition of each start."""
    column = {name: starts[name].to_pylist() for name in ("lemma", "upos", "feats", "own_feats", "use", "start")}
    cell, start_cell = (
        np.array(
            [paradigms.cells.number(*key) for key in zip(column["upos"], column[feats], column["use"], strict=True)]
        )
        for feats in ("feats", "own_feats")
    )
    queries = Queries(column["lemma"], cell, column["start"], start_cell, np.full(len(cell), -1))
    _, shown, transitions = paradigms.examples(queries)
    lemma, source, target = (getattr(shown, name)[shown.sampled] for name in ("lemma", "source", "target"))
    words, texts = paradigms.small, paradigms.entries.texts
    columns = {
        "transition": integers(shown.wide[shown.sampled].astype(np.int64)),
        "rule": integers(find_edits(words, source, words, target).rules().view(np.int64)),
        "lemma": take(texts, lemma),
        "start": small(take(texts, source), language),
        "goal": small(take(texts, target), language),
    }
    pairs = zip(start_cell.tolist(), cell.tolist(), strict=True)
    return pa.table(columns), np.array([transitions[pair] for pair in pairs], dtype=np.int64)


def with_rules(table: pa.Table, source: str, target: str, language: str | None) -> pa.Table:
    """Return `table` with what leads from one form to the other, a hash of the step, in the column `rule`."""
    in_small = language_of(language).small
    starts, goals = (Words([in_small(text) for text in table[name].to_pylist()]) for name in (source, target))
    rows = np.arange(table.num_rows)
    return table.append_column("rule", integers(find_edits(starts, rows, goals, rows).rules().view(np.int64)))
