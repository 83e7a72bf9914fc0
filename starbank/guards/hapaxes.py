"""Guards about forms that texts have once: a misspelling or a slip of annotation would have them once, too.

They read `hapaxes`, which `find_hapaxes` makes: starred conditions (`name`) whose form was seen once (`form`), and what
other words lead to in its place (`predicted`).
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from starbank.guards.registry import Guard
from starbank.guards.thresholds import LIKELY
from starbank.morphology import Lexicon
from starbank.treebanks.arrays import answer

GUARDS = (
    Guard(
        "hapax unlike other words",
        "A form that was seen once, where other words lead to another one, may be misspelt or of another cell: Basque "
        "urteak, a plural, annotated once as if it were urtea.",
        "select row, name, form || ' was seen once; other words lead to ' || predicted from hapaxes",
        by_condition=True,
    ),
)

_CELLS = """
    select row_number() over () as row, *
    from (
        select distinct lemma, upos, own as feats, opposite as own_form, other as own_feats from compared
        where starred and source = 'treebank' and count = 1 and lemma is not null and opposite is not null
        order by all
    )
"""
_HAPAXES = f"""
    create temp table hapaxes as
    select compared.row, name, compared.form, min(other_words.form) as predicted
    from compared join lone using (lemma, upos)
        join other_words on other_words.row = lone.row
    where starred and source = 'treebank' and compared.count = 1
        and own = lone.feats and opposite = own_form and other = own_feats
        and confidence > {LIKELY} and small(other_words.form) <> small(compared.form)
    group by all
"""


def find_hapaxes(connection: duckdb.DuckDBPyConnection, lexicon: Lexicon) -> None:
    """Make the table `hapaxes` of `compared`."""
    cells = answer(connection, _CELLS)
    connection.register("lone", cells)
    unseen = pa.nulls(cells.num_rows, pa.string())
    asked = cells.append_column("use", unseen).append_column("avoid", unseen)
    connection.register("other_words", lexicon.predictor.predict_alike(asked))
    connection.execute(_HAPAXES)
