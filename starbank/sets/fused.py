"""The words of multiword tokens: where each shows, what the token has around it, and how other forms are written."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.casing import cased_like
from starbank.morphology.words import covering
from starbank.treebanks.arrays import integers, take, whole

# What texts have less often side by side may be two words that belong to others, or a slip.
_ENOUGH_CASES = 10

# A word shows where the token is its words side by side, or where it is the first and a hyphen follows: iniciou-se.
FUSED = """
    create temp table fused as
    with words as (
        select *, string_agg(form, ' ') over (of_token rows between unbounded preceding and 1 preceding) as first,
            string_agg(form, ' ') over (of_token rows between 1 following and unbounded following) as last
        from covered window of_token as (partition by token order by node)
    ),
    placed as (
        select *, coalesce(start, if(first is null and starts_with(surface, form || '-'), surface_start, null)) as place
        from words
    )
    select node, small(form) as form, lemma, upos, coalesce(feats, '') as feats,
        small(concat_ws(' ', first, '_', last)) as others, place as start, place + length(form) as "end",
        small(surface[: place - surface_start]) as before,
        small(surface[place - surface_start + length(form) + 1 :]) as after,
        token, surface_start as token_start, surface_start + length(surface) as token_end, small(surface) as surface
    from placed
"""

# How texts write a form beside the other words of a token that hides it: as one, or side by side, as they mostly do.
_CONTRACTIONS = f"""
    create temp table contractions as
    with hidden as (
        select distinct fused.others, small(filled.form) as form, filled.upos
        from filled join words using (row, node) join bound using (row, node) join fused on fused.node = bound.token
        where contracted and not kept
    ),
    seen as (
        select others, form, upos, surface, count(*) as count
        from fused semi join hidden using (others, form, upos)
        group by all
    ),
    pairs as (select *, left(others, -2) as one from hidden where regexp_full_match(others, '[^ ]+ _')),
    apart as (
        select pair.others, pair.form, pair.upos, pair.one || ' ' || pair.form as surface, count(*) as count
        from pairs as pair
            join corpus as word on small(word.form) = pair.one
            join corpus as after on after.sent = word.sent and after.position = word.position + 1
                and small(after.form) = pair.form and after.start = word.start + length(word.form) + 1
        group by all
        having count(*) >= {_ENOUGH_CASES}
    )
    select others, form, upos, arg_max(surface, (count, surface)) as surface
    from (from seen union all from apart) group by others, form, upos
"""


def find_fused(connection: duckdb.DuckDBPyConnection, tokens: pa.Table, any_bound: bool) -> None:
    """Make the table `fused` of the words of multiword tokens, of none if no word that is `bound` is one.

    Columns: `node`, `form`, `lemma`, `upos`, `feats`; `others`, the other words of the token, with `_` for this one;
    `start` and `end`, the place in the text, null where the word does not show; `before` and `after`, what the token
    has on both sides of it; the `token` itself, its place, `token_start` and `token_end`, and its form, `surface`.
    Forms are in small letters.
    """
    cover = covering(tokens) if any_bound else np.full(tokens.num_rows, -1)
    words = np.flatnonzero(cover >= 0)
    covered = tokens.select(["node", "form", "lemma", "upos", "feats", "start"]).take(integers(words))
    surface = {"token": "node", "surface": "form", "surface_start": "start"}
    for name, column in surface.items():
        covered = covered.append_column(name, take(whole(tokens[column]), cover[words]))
    connection.register("covered", covered)
    connection.execute(FUSED)


# A word that keeps its features keeps the text's own token.
_WRITTEN = """
    create or replace temp table filled as
    select filled.* replace (
        case
            when not word.contracted then written
            when kept then word.text[word.start + 1 : word."end"]
            else {cased}
        end as written
    )
    from filled left join words as word using (row, node) left join bound using (row, node)
        left join fused on fused.node = bound.token
        left join contractions
            on contractions.others = fused.others and contractions.form = small(filled.form)
            and contractions.upos = filled.upos
"""


def write_contractions(connection: duckdb.DuckDBPyConnection, language: str | None) -> None:
    """Let `written` of the table `filled` be the whole token where that hides the word, null where none is seen.

    A token is `contractions` of a `form` and a `upos` with `others`, or the words side by side: du, and de la.
    """
    ((contracted,),) = connection.execute("select count(*) filter (contracted) from words").fetchall()
    if not contracted:
        return
    connection.execute(_CONTRACTIONS)
    own = 'word.text[word.start + 1 : word."end"]'
    connection.execute(_WRITTEN.format(cased=cased_like(own, "contractions.surface", language)))
