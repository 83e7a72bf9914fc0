"""Guards about cases that look alike, of words and of the nouns beside them.

They read `compared`, what `find_rivals` makes, and the tables of `find_alike`:

- `alike_cases`: of words of a kind (`upos`, and `rest`, what features they have beside the case) the `share` of those
  seen in two cases, `own` and `other`, that have one form for both;
- `alike_endings`: such words that nearly all have one form for both, whatever its `ending` ('') or with that letter;
- `alike_genders`: the two genders, `own` and `other`, that nearly all adjectives have one form for which end alike.
"""

from __future__ import annotations

import duckdb

from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, FIRM, MOSTLY, RARER
from starbank.treebanks.features import CASE, NUMBER, UNCASED, UNGENDERED, VALUE

_MODIFIERS = ("ADJ", "DET")
_GENDER = VALUE.replace("{name}", "Gender")


def _compatible(name: str) -> str:
    """Return the condition that a word and a noun do not contradict each other in a feature."""
    values = [f"string_split({side}.{name}, ',')" for side in ("word", "noun")]
    return f"(word.{name} = '' or noun.{name} = '' or list_has_any({', '.join(values)}))"


def _columns(feats: str) -> str:
    return f"{_GENDER.format(feats=feats)} as gender, {NUMBER.format(feats=feats)} as number"


GUARDS = (
    Guard(
        "variant form",
        "Where nearly all words have one form in two cases, another form is a variant of it: Greek παλιό and παλαιό.",
        f"""
        select row, name, min(changed.form || ' is a variant of ' || opposite)
        from (
            select filled.row, filled.name, filled.upos, filled.form, word.form as opposite, word.feats as own,
                filled.feats as other
            from filled join cells using (row, name, node) join words as word using (row, node)
            where cells.starred and small(filled.form) <> small(word.form)
        ) as changed
            left join alike_endings as alike
                on alike.upos = changed.upos and alike.rest = {UNCASED.format(feats="changed.own")}
                and alike.rest = {UNCASED.format(feats="changed.other")}
                and (ending = '' or ending = right(small(opposite), 1) and ending = right(small(changed.form), 1))
                and alike.own = {CASE.format(feats="changed.own")}
                and alike.other = {CASE.format(feats="changed.other")}
        group by row, name having bool_and(alike.rest is not null and changed.upos in {_MODIFIERS})
        """,
        by_condition=True,
        upos=(*_MODIFIERS, "NOUN", "PROPN"),
    ),
    Guard(
        "agrees in another case",
        "Where no case varies, word and noun may both be of another one, in which they agree: what is wrong with "
        "German mit den Hund is the case alone.",
        f"""
        with modified as (
            select distinct row, form, upos, feats, attested, {CASE.format(feats="feats")} as "case"
            from controllers where modifies and contains(feats, 'Case=')
        ),
        nouns as (
            select row, modified.form, {CASE.format(feats="reading.feats")} as "case", {_columns("reading.feats")}
            from modified join controller_readings as reading using (form)
            where reading.upos = modified.upos and {CASE.format(feats="reading.feats")} <> modified."case"
                and (reading.common or {RARER} * reading.count > attested)
            union
            select row, form, alike.other, {_columns("feats")}
            from modified join alike_cases as alike
                on alike.upos = modified.upos and alike.own = modified."case"
                    and alike.rest = {UNCASED.format(feats="modified.feats")}
            where share > {MOSTLY}
        ),
        words as (
            select distinct row, name, {CASE.format(feats="reading.feats")} as "case", {_columns("reading.feats")}
            from readings_of as reading join cells using (row, name) join modified using (row)
            where {CASE.format(feats="cells.feats")} in ('', modified."case")
        )
        select distinct row, name, noun.form || ' may be ' || noun."case" || ', too'
        from words as word join nouns as noun using (row, "case")
        where {_compatible("gender")} and {_compatible("number")}
        """,
        by_condition=True,
        upos=_MODIFIERS,
    ),
)

_FORMS = f"""
    create temp table case_forms as
    select distinct lemma, upos, {UNCASED.format(feats="feats")} as rest, {CASE.format(feats="feats")} as "case",
        small(form) as form
    from (
        select distinct lemma, upos, feats, form from corpus
        where upos in ('NOUN', 'PROPN', 'ADJ', 'DET') and contains(feats, 'Case=')
    )
"""
_ALIKE = f"""
    create temp table alike_cases as
    select upos, rest, one."case" as own, two."case" as other, avg((one.form = two.form)::int) as share
    from case_forms as one join case_forms as two using (lemma, upos, rest)
    where one."case" <> two."case"
    group by all having count(*) >= {ENOUGH_CASES}
"""
# The same of words that end alike in the first case: Greek learned adjectives have a nominative of their own.
_ALIKE_ENDINGS = f"""
    create temp table alike_endings as
    select upos, rest, own, other, '' as ending from alike_cases where share > {FIRM}
    union all
    select upos, rest, one."case", two."case", right(one.form, 1) as ending
    from case_forms as one join case_forms as two using (lemma, upos, rest)
    where one."case" <> two."case"
    group by all having count(*) >= {ENOUGH_CASES} and avg((one.form = two.form)::int) > {FIRM}
"""
# Whether an adjective tells genders apart, its ending says: Portuguese bonito and bonita, but grande.
_ALIKE_GENDERS = f"""
    create temp table alike_genders as
    with forms as (
        select distinct lemma, {UNGENDERED.format(feats="feats")} as rest, {_GENDER.format(feats="feats")} as gender,
            small(form) as form
        from (select distinct lemma, feats, form from corpus where upos = 'ADJ' and contains(feats, 'Gender='))
    )
    select rest, right(one.form, 2) as ending, one.gender as own, two.gender as other
    from forms as one join forms as two using (lemma, rest)
    where one.gender <> two.gender
    group by all having count(*) >= {ENOUGH_CASES} and avg((one.form = two.form)::int) > {FIRM}
"""


def find_alike(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables `alike_cases` and `alike_endings`, `case_forms` of which they are made, and `alike_genders`."""
    for query in (_FORMS, _ALIKE, _ALIKE_ENDINGS, _ALIKE_GENDERS):
        connection.execute(query)
