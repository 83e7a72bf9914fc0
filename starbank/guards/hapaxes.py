"""Guards about forms that texts have once: a misspelling or a slip of annotation would have them once, too.

They speak where a construction asks for more confidence than usual (`confidence`). They read `hapaxes`, which
`find_hapaxes` makes: starred conditions (`name`) whose form was seen once (`form`), and what other words lead to in its
place (`predicted`).
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from starbank.guards.registry import Guard
from starbank.morphology import THRESHOLD, Lexicon
from starbank.morphology.inflection import KNOWN_WORD
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import answer, table_of

GUARDS = (
    Guard(
        "hapax unlike other words",
        "A form that was seen once, where other words lead to another one, may be misspelt or of another cell: Basque "
        "urteak, a plural, annotated once as if it were urtea. Asked where a construction wants more confidence.",
        "select row, name, form || ' was seen once; other words lead to ' || predicted from hapaxes",
        by_condition=True,
    ),
)

_CELLS = """
    select row_number() over () as row, *
    from (
        select distinct lemma, upos, own as feats, opposite as own_form, other as own_feats
        from compared semi join strict using (construction)
        where starred and source = 'treebank' and count = 1 and lemma is not null and opposite is not null
        order by all
    )
"""
_HAPAXES = f"""
    create temp table hapaxes as
    select compared.row, name, compared.form, min(other_words.form) as predicted
    from compared semi join strict using (construction) join lone using (lemma, upos)
        join other_words on other_words.row = lone.row
    where starred and source = 'treebank' and compared.count = 1
        and own = lone.feats and opposite = own_form and other = own_feats
        and confidence >= {KNOWN_WORD} and small(other_words.form) <> small(compared.form)
    group by all
"""


def find_hapaxes(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon
) -> None:
    """Make the table `hapaxes` of `compared`."""
    strict = [(number,) for number, each in enumerate(constructions) if (each.confidence or 0) > THRESHOLD]
    connection.register("strict", table_of(strict, construction=int))
    cells = answer(connection, _CELLS)
    connection.register("lone", cells)
    unseen = pa.nulls(cells.num_rows, pa.string())
    cells = cells.append_column("use", unseen).append_column("avoid", unseen)
    connection.register("other_words", lexicon.predictor.predict_alike(cells))
    connection.execute(_HAPAXES)
