"""Which features each word has under each condition, and which conditions are starred."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial

import duckdb

from starbank.morphology import Lexicon
from starbank.queries.conditions import Change, Condition
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import table_of
from starbank.treebanks.features import changed, format_features, is_compatible, parse_features

Features = Mapping[str, str]

# Under `vary`, the condition in which all targets keep what they have is the grammatical one; conditions with names of
# their own say which are starred. A match that no condition finds as it is has no cells, nor has one without a second
# value.
_CELLS = """
    create temp table cells as {queries}
"""

# The features of what a word agrees with: of its controller, or, where it changes along with it, of the target.
_RULED = """
    create temp table ruled as
    select word.row, word.node, coalesce(target.feats, controller.feats) as ruler
    from words as word
        left join controllers as controller using (row)
        left join words as target on word.agreeing and target.row = word.row and target.first
"""

_WITH_KIND = """
    words as word join ruled using (row, node)
        join {kinds} as kind
            on kind.construction = word.construction and kind.node = word.node
            and kind.lemma is not distinct from word.lemma and kind.upos = word.upos
            and kind.feats = word.feats and kind.ruler is not distinct from ruled.ruler
"""

# Most constructions change one word, and what it is under each condition its kind tells: matches are many, kinds few.
_OF_ONE_WORD = f"""
    (with judged as (
        select * replace (if(decided, starred, not kept) as starred)
        from kinds join constructions using (construction) where not several
    ),
    sound as (
        select * replace (dense_rank() over (partition by kind order by starred, place) - 1 as place) from judged
        window same as (partition by kind)
        qualify bool_or(not starred) over same and bool_or(starred) over same
            and count(*) over same = count(distinct name) over same
    )
    select word.row, word.construction, word.node, kind.name, kind.starred, kind.cell as feats, kind.kept, kind.place
    from {_WITH_KIND.format(kinds="sound")})
"""

_OF_SEVERAL = f"""
    (with placed as (
        select word.row, word.construction, word.node, kind.name, kind.place, kind.starred,
            kind.cell as feats, kind.kept
        from {_WITH_KIND.format(kinds="kinds")}
    ),
    judged as (
        select * replace (if(decided, starred, not bool_and(kept) over (partition by row, name)) as starred)
        from placed join constructions using (construction)
            join (select row, count(*) as nodes from words group by row) using (row)
        where several
    )
    select row, construction, node, name, starred, feats, kept,
        -- The grammatical conditions come first.
        dense_rank() over (partition by row order by starred, place) - 1 as place
    from judged
    qualify bool_or(not starred) over (partition by row) and bool_or(starred) over (partition by row)
        and count(*) over (partition by row)
            = any_value(nodes) over (partition by row) * count(distinct name) over (partition by row))
"""

# A starred condition is held against the grammatical one that differs from it in the fewest words, best in the target.
_AGAINST = """
    create temp table against as
    with compared as (
        select starred.row, starred.name, good.name as against, good.place,
            count(*) filter (starred.feats <> good.feats) as differing,
            count(*) filter (starred.feats <> good.feats and not word.critical) as elsewhere
        from cells as starred
            join cells as good on good.row = starred.row and good.node = starred.node and not good.starred
            join words as word on word.row = starred.row and word.node = starred.node
        where starred.starred
        group by all
    )
    select row, name, arg_min(against, (differing, elsewhere, place)) as against from compared group by row, name
"""


_WORDS = """
    select distinct construction, node, lemma, upos, feats, ruler from words join ruled using (row, node) order by all
"""


def make_cells(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon) -> None:
    """Make the tables `cells` (`place` counts conditions from 0, the grammatical ones first) and `against`.

    `ruled` has for each word the features of its `ruler`, what it agrees with, null where there is none. A cell that
    the language does not have gives way to the nearest one that it has (`AttestedCells`).
    """
    settings = [
        (number, _is_disambiguated(construction), changes_several(construction))
        for number, construction in enumerate(constructions)
    ]
    connection.execute(_RULED)
    connection.register("constructions", table_of(settings, construction=int, decided=bool, several=bool))
    # Words are many, and but for a few lemmas the same becomes of all that look alike.
    conditions = cache(partial(_conditions, constructions, lexicon))
    has_cells = lexicon.attested_cells.has_of_its_own
    kinds = [
        (kind, number, node, lemma, upos, *features, *condition)
        for kind, (number, node, lemma, upos, *features) in enumerate(connection.execute(_WORDS).fetchall())
        for condition in conditions(number, node, lemma if has_cells(upos, lemma) else None, upos, *features)
    ]
    names = ("node", "lemma", "upos", "feats", "ruler", "name")
    columns = {
        "kind": int,
        "construction": int,
        **dict.fromkeys(names, str),
        "place": int,
        "starred": bool,
        "cell": str,
        "kept": bool,
    }
    connection.register("kinds", table_of(kinds, **columns))
    several = {changes_several(construction) for construction in constructions}
    queries = [_OF_SEVERAL if more else _OF_ONE_WORD for more in sorted(several)]
    connection.execute(_CELLS.format(queries=" union all ".join(queries)))
    connection.execute(_AGAINST)


def _is_disambiguated(construction: Construction) -> bool:
    """Tell whether the construction says which of its conditions are starred."""
    return any(condition.starred is not None for condition in construction.conditions)


def changes_several(construction: Construction) -> bool:
    """Tell whether more than one word of a match may change."""
    return len(construction.nodes) > 1 or bool(construction.concord)


def _conditions(
    constructions: Sequence[Construction],
    lexicon: Lexicon,
    number: int,
    node: str,
    lemma: str | None,
    upos: str,
    feats: str,
    ruler: str | None,
) -> list[tuple[str, int, bool, str, bool]]:
    """Return the cell of a word under each condition: its name and place, whether it is starred, the cell, whether it
    is the text's.
    """
    construction = constructions[number]
    # Words in concord with the target, which the request does not bind, change as it does.
    node = node if node in construction.request.nodes else construction.targets[0]
    features, deciding = parse_features(feats), parse_features(ruler or "")
    lexicon_of_cells = None if construction.paradigms else lexicon
    text_cell: Features = features
    conditions = construction.conditions
    if construction.asked:
        text_cell = _disambiguated(features, {condition.name for condition in conditions}, deciding)
        conditions = tuple(_apart(conditions, text_cell.get(construction.asked, "")))
    cells = [
        _cell(lexicon_of_cells, lemma, upos, text_cell, condition, condition.changes.get(node, {}), deciding)
        for condition in conditions
    ]
    if text_cell not in cells and all(condition.starred is None for condition in conditions):
        return []
    return [
        (condition.name, place, bool(condition.starred), format_features(cell) or "", cell == text_cell)
        for place, (condition, cell) in enumerate(zip(conditions, cells, strict=True))
    ]


def _disambiguated(features: Features, values: Collection[str], ruler: Features) -> Features:
    """Return the features of a word, of several values the one that its ruler has: Czech *dívka zpívala*.

    Such as are `values` that vary stay as they are.
    """
    several = {name: value for name, value in features.items() if "," in value and value not in values}
    return changed(features, {name: ruler[name] for name in several if ruler.get(name) in several[name].split(",")})


def _apart(conditions: Sequence[Condition], own: str) -> Sequence[Condition]:
    """Return conditions, each for a value, of which no two say the same of a word, beside its own.

    Of values that overlap, those count that are several, as the word's own is, or else the single ones: Romanian nouns
    have `Acc,Nom` and `Dat,Gen`, where pronouns have four cases.
    """
    if not any("," in condition.name for condition in conditions):
        return conditions
    alike = [condition.name for condition in conditions if ("," in condition.name) == ("," in own)]
    return [
        condition
        for condition in conditions
        if condition.name == own
        or (
            not is_compatible(condition.name, own)
            and (condition.name in alike or not any(is_compatible(condition.name, value) for value in alike))
        )
    ]


def _cell(
    lexicon: Lexicon | None,
    lemma: str | None,
    upos: str,
    features: Features,
    condition: Condition,
    change: Change,
    ruler: Features,
) -> Features:
    """Return the cell that a word has under a condition: of those that are pooled its own, or else the most like it.

    Without a lexicon, where tables of paradigms have the cells, it is the first that the condition says.
    """
    cells = [changed(features, pooled) for pooled in (change, *condition.pooled)]
    if features in cells or lexicon is None:
        return features if features in cells else cells[0]
    nearest = max((change, *condition.pooled), key=lambda pooled: _likeness(features, pooled))
    return lexicon.attested_cells.nearest(upos, lemma, features, nearest, ruler)


def _likeness(features: Features, change: Change) -> tuple[int, list[bool]]:
    """Return how much of a change a word has already; of what it names the first had rather change than the last."""
    alike = [features.get(name) == value for name, value in change.items()]
    return sum(alike), alike[::-1]
