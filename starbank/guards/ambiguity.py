"""Guards about a controller with one form for two values, which asks for predictions.

They read what `judge_controllers` makes, of matches without a verdict, and what `find_elsewhere` makes: the controllers
whose form another cell is predicted to have, too (`elsewhere`), or has by what the language's file says (`listed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from starbank.guards.homonyms import cells_alike
from starbank.guards.registry import Guard
from starbank.guards.thresholds import LIKELY, RARER
from starbank.languages import language_of
from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import integers, table_of, texts
from starbank.treebanks.features import NOMINALS, VALUE, canonical, is_compatible, parse_features, plain

GUARDS = (
    Guard(
        "ambiguous controller",
        "The word has one form for both values, attested or predicted: nothing is wrong with either.",
        # Where another word governs the value of the whole phrase, the noun's own form decides nothing.
        f"""
        select row, detail from (
        select controller.row, reading.form || ' is also ' || reading.lemma || ' (' || reading.feats || ')' as detail
        from controllers as controller
            join controller_readings as reading on reading.form = controller.form
            join ambiguities as ambiguity
                on ambiguity.construction = controller.construction and ambiguity.feats = controller.feats
                and ambiguity.reading = reading.feats
        where (reading.upos in {NOMINALS} or reading.upos = 'ADJ' and controller.upos = 'NOUN')
            and {RARER} * reading.count > controller.attested
        union all
        select row, form || ' is ' || kind from controllers where open
        union all
        select row, form || ' is also ' || cell
        from controllers join listed using (construction, lemma, upos, feats, form)
        union all
        select row, controllers.form || ' is likely ' || elsewhere.cell || ', too'
        from controllers join elsewhere
            on elsewhere.construction = controllers.construction and elsewhere.lemma = controllers.lemma
                and elsewhere.upos = controllers.upos and elsewhere.feats = controllers.feats
                and elsewhere.form = controllers.form
        ) anti join governors using (row)
        """,
    ),
)

_ELSEWHERE = """
    create temp table elsewhere as
    select construction, lemma, upos, own_feats as feats, own_form as form, min(other_cells.feats) as cell
    from other_cells join other_forms using (row)
    where rank = 1 and small(other_forms.form) = small(own_form) group by all
"""


def find_elsewhere(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon
) -> None:
    """Make the tables `elsewhere` and `listed`: the controllers that look the same with another value, `cell`.

    The second has what the file of the language says. Their other columns are `construction`, `lemma`, `upos`, `feats`
    and `form`. A noun has no other gender that it could look the same in: what is inherent makes no forms. A name has
    no other number that anybody would think of, unless texts show it. Only matches that have no verdict are asked
    about.
    """
    controllers = connection.execute(
        f"""
        select distinct controllers.construction, controllers.lemma, controllers.upos, controllers.feats,
            controllers.form, {VALUE.format(feats="words.feats", name="Case")}
        from controllers anti join verdicts using (row) join words on words.row = controllers.row and words.first
        order by all
        """
    ).fetchall()
    cells = [
        (number, lemma, upos, feats, form, cell)
        for number, lemma, upos, feats, form, case in controllers
        for name, values in constructions[number].features.items()
        for value in values
        if "predicted" in constructions[number].forms
        and lemma
        and (upos != "PROPN" or plain(name) != "Number")
        and (upos, plain(name)) not in lexicon.inherent
        and parse_features(feats).get(plain(name), value) != value
        # A verb has no case of what it agrees with, and what varies in case is in that of its controller.
        for cell in _cells_elsewhere(
            parse_features(feats) | {plain(name): value}, case if upos in NOMINALS and plain(name) != "Case" else ""
        )
    ]
    connection.register("listed", _listed(controllers, constructions))
    names = dict.fromkeys(("lemma", "upos", "own_feats", "own_form", "feats"), str)
    table = table_of(cells, construction=int, **names)
    rows = integers(np.arange(len(cells)))
    table = table.append_column("row", rows).append_column("use", texts([None] * len(cells)))
    connection.register("other_cells", table)
    connection.register("other_forms", lexicon.forms(table, threshold=LIKELY))
    connection.execute(_ELSEWHERE)


def _listed(controllers: Sequence[tuple[Any, ...]], constructions: Sequence[Construction]) -> pa.Table:
    """Return the controllers that look the same with another value by what the file of the language says."""
    language = language_of(constructions[0].language)
    cells = [
        (number, lemma, upos, feats, form, cell)
        for number, lemma, upos, feats, form, _ in controllers
        if lemma
        for cell in cells_alike(language, form, lemma, upos, feats)
        for here, there in [(parse_features(feats), parse_features(cell))]
        if any(there.get(name) not in (None, here.get(name)) for name in map(plain, constructions[number].features))
    ]
    return table_of(cells, construction=int, **dict.fromkeys(("lemma", "upos", "feats", "form", "cell"), str))


def _cells_elsewhere(features: dict[str, str], case: str) -> set[str]:
    """Return a controller's cell with another value, and that in the case of its target where it shows another one."""
    ruler = features.get("Case", case)
    cases = {ruler} if not case or is_compatible(ruler, case) else {ruler, case}
    return {canonical(features | ({"Case": each} if each else {})) for each in cases}
