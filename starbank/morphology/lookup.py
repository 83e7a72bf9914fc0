"""Looking forms up in a lexicon, a whole suite at once."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from starbank.morphology.cells import matching_cells

# Attested forms come first, then the most frequent; of two that are alike in this the shorter wins, so that a plain
# form goes before the same with an emphatic ending, such as the Georgian dative in -სა.
_FORMS = """
    with paradigms as (
        select row, lemma, 0 as distance from cells
        union all
        -- Treebanks, and sometimes one and the same, give pronouns different lemmas: რომელიც stands under რომელი or
        -- under itself. A pronoun with the same form in the same cell shares the rest of its paradigm.
        select distinct cell.row, entry.lemma, 1 as distance
        from cells as cell
            join same on same.upos = cell.upos and same.wanted = cell.own_feats and same.relaxed = 0
            join lexicon as entry on lower(entry.form) = lower(cell.own_form) and entry.feats = same.found
        where cell.upos = 'PRON' and entry.upos = 'PRON' and entry.lemma <> cell.lemma
    ),
    candidates as (
        select cell.row, entry.form, entry.source, same.relaxed, min(paradigm.distance) as distance,
            sum(entry.count)::bigint as count, max(entry.confidence) as confidence,
            if(same.relaxed = 0, any_value(cell.feats), arg_max(entry.feats, (entry.count, entry.feats))) as feats
        from cells as cell
            join paradigms as paradigm using (row)
            join same on same.upos = cell.upos and same.wanted = cell.feats
            join lexicon as entry
                on entry.lemma = paradigm.lemma and entry.upos = cell.upos and entry.feats = same.found
        -- A form that agrees within a noun phrase, or stands as an adverbial, may be cut or extended there.
        where list_contains($sources, entry.source)
            and (entry."use" is not distinct from cell."use" or entry.source <> 'treebank')
        group by cell.row, entry.form, entry.source, same.relaxed
    )
    select row, form, feats, source, count, confidence, row_number() over best as rank
    from candidates
    window best as (
        partition by row
        order by relaxed, distance, list_position($sources, source), count desc, length(form), form, feats
    )
    order by row, rank
"""

_READ = """
    select wanted.form, entry.lemma, entry.upos, entry.feats, entry."use", sum(entry.count)::bigint as count,
        any_value(entry.source order by entry.source) as source
    from wanted join lexicon as entry on lower(entry.form) = lower(wanted.form)
    group by all
    order by all
"""

_FREQUENCIES = """
    select lemma, upos, sum(count)::bigint as count
    from lexicon semi join asked using (lemma, upos) where source = 'treebank' group by all order by all
"""

SOURCES = ("treebank", "unimorph", "predicted")


class Lexicon:
    """The paradigms of one language."""

    def __init__(self, table: pa.Table) -> None:
        """Take the paradigms from `table`, whose schema is `LEXICON`."""
        self._connection = duckdb.cursor()
        self._connection.register("lexicon", table)
        self._cells = self._connection.sql("select distinct upos, feats from lexicon").to_arrow_table()

    def forms(self, cells: pa.Table, *, sources: Sequence[str] = SOURCES, relax: Sequence[str] = ()) -> pa.Table:
        """Return the forms of each cell: `row`, `form`, `feats`, `source`, `count`, `confidence`, `rank` (1: the best).

        `cells` has the columns `row` (any number that names the cell), `lemma`, `upos`, `feats` and `use` (as
        `describe_words` gives it), and a form of the lemma that is known, `own_form`, with its features, `own_feats`.
        A form's cell, `feats`, may differ from the wanted one in the features of `relax`; the closest cells come first,
        then the sources in the order given.
        """
        self._connection.register("cells", cells)
        wanted = self._connection.sql(
            "select upos, feats from cells union select upos, own_feats from cells"
        ).to_arrow_table()
        self._connection.register("same", matching_cells(wanted, self._cells, relax))
        return self._connection.sql(_FORMS, params={"sources": list(sources)}).to_arrow_table()

    def frequencies(self, lemmas: pa.Table) -> pa.Table:
        """Return how often lemmas (`lemma`, `upos`) are attested: these columns, once each, and `count`."""
        self._connection.register("asked", lemmas)
        return self._connection.sql(_FREQUENCIES).to_arrow_table()

    def read(self, forms: pa.Array | pa.ChunkedArray) -> pa.Table:
        """Return all readings of the forms, capitals aside.

        Columns: `form` (as asked), `lemma`, `upos`, `feats`, `use`, `count`, `source`.
        """
        self._connection.register("wanted", pa.table({"form": forms.unique()}))
        return self._connection.sql(_READ).to_arrow_table()
