"""Readings of starred forms that no text shows: what is predicted to look so, and what the file of a language says.

Both have the columns of what a lexicon reads, and the `construction` that they are for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import duckdb
import numpy as np
import pyarrow as pa

from starbank.guards.licences import agree_alike
from starbank.guards.thresholds import LIKELY
from starbank.languages import Language, language_of
from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import answer, integers, table_of, texts
from starbank.treebanks.features import canonical, parse_features, plain

_COLUMNS = {
    **dict.fromkeys(("form", "lemma", "upos", "feats", "use"), str),
    **{"count": int, "source": str, "construction": int},
}

_LOOKING_ALIKE = """
    select distinct compared.form, cell.lemma, cell.upos, cell.feats, null::varchar as "use", 0::bigint as count,
        'predicted' as source, cell.construction
    from grammatical_cells as cell
        join grammatical_forms as made using (row)
        join compared
            on compared.construction = cell.construction and compared.lemma = cell.lemma and compared.upos = cell.upos
            and compared.opposite = cell.own_form and compared.other = cell.own_feats
            and small(compared.form) = small(made.form)
    where starred and rank = 1 and made.source = 'predicted' order by all
"""


def predicted_readings(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon
) -> pa.Table:
    """Return readings that no text shows: cells of the grammatical kind that would look the same.

    Nouns may have them in any number; verbs, of which only persons look alike, in any tense and mood.
    """
    kinds = connection.execute(
        """
        select distinct construction, lemma, upos, own, other, opposite from compared
        where starred and upos in ('NOUN', 'PROPN', 'VERB') and lemma is not null
        """
    ).fetchall()

    # Words are many, pairs of cells are few.
    @cache
    def alike(number: int, upos: str, own: str, other: str) -> list[str]:
        varied = constructions[number].features
        if upos == "VERB" and "Person" not in map(plain, varied):
            return []
        cells = lexicon.attested_cells.alike(upos, own, other, varied, lexicon.inherent)
        return [cell for cell in cells if upos != "VERB" or agree_alike(cell, other)]

    cells = sorted(
        {
            (number, lemma, upos, cell, opposite, other)
            for number, lemma, upos, own, other, opposite in kinds
            if "predicted" in constructions[number].forms
            for cell in alike(number, upos, own, other)
        }
    )
    if not cells:
        return table_of([], **_COLUMNS)
    names = ("lemma", "upos", "feats", "own_form", "own_feats")
    table = table_of(cells, construction=int, **dict.fromkeys(names, str))
    table = table.append_column("row", integers(np.arange(len(cells))))
    table = table.append_column("use", texts([None] * len(cells)))
    connection.register("grammatical_cells", table)
    connection.register("grammatical_forms", lexicon.forms(table, threshold=LIKELY))
    return answer(connection, _LOOKING_ALIKE)


_NOUNS = """
    select distinct form, lemma, upos from compared
    where starred and upos in ('NOUN', 'PROPN') and lemma is not null and small(form) <> small(opposite) order by all
"""


def alternating_readings(connection: duckdb.DuckDBPyConnection, lexicon: Lexicon) -> pa.Table:
    """Return readings that other words have: cells in which the form would be a variant of one that texts show."""
    nouns = answer(connection, _NOUNS)
    if not nouns.num_rows:
        return table_of([], **_COLUMNS)
    connection.register("alternants", lexicon.alternants(nouns))
    return answer(
        connection,
        "select *, 0::bigint as count, 'predicted' as source, null::bigint as construction from alternants",
    )


# What the file of a language says is as frequent as the form.
_STARRED = """
    select distinct filled.construction, form, lemma, upos, cells.feats, greatest(count, 1)
    from filled join cells using (row, name, node)
    where cells.starred and form is not null and lemma is not null order by all
"""


def listed_readings(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction]) -> pa.Table:
    """Return readings that the file of the language has: starred forms that are also those of another cell."""
    language = language_of(constructions[0].language)
    words = connection.execute(_STARRED).fetchall() if language.alike else []
    return table_of(
        [
            (form, lemma, upos, cell, None, count, "language", number)
            for number, form, lemma, upos, feats, count in words
            for cell in cells_alike(language, form, lemma, upos, feats)
        ],
        **_COLUMNS,
    )


def cells_alike(language: Language, form: str, lemma: str, upos: str, feats: str) -> list[str]:
    """Return the cells that a form may be of as well, as the file of the language says."""
    cells = []
    for rule in language.alike:
        features, named, also = map(parse_features, (feats, rule["feats"], rule["also"]))
        # What has an ending for what the other cell adds is no such form.
        if (
            upos == rule["upos"]
            and named.items() <= features.items()
            and features.keys() & also.keys() <= named.keys()
            and re.fullmatch(rule.get("lemma", ".*"), language.small(lemma))
            and re.fullmatch(rule.get("form", ".*"), language.small(form))
        ):
            cells.append(canonical(features | also))
    return cells
