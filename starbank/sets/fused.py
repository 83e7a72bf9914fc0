"""The words of multiword tokens: where each shows in its token, and what the token has around it."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.words import covering
from starbank.treebanks.arrays import integers, take, whole

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


def find_fused(connection: duckdb.DuckDBPyConnection, tokens: pa.Table) -> None:
    """Make the table `fused` of the words of multiword tokens.

    Columns: `node`, `form`, `lemma`, `upos`, `feats`; `others`, the other words of the token, with `_` for this one;
    `start` and `end`, the place in the text, null where the word does not show; `before` and `after`, what the token
    has on both sides of it; the `token` itself, its place, `token_start` and `token_end`, and its form, `surface`.
    Forms are in small letters.
    """
    cover = covering(tokens)
    words = np.flatnonzero(cover >= 0)
    covered = tokens.select(["node", "form", "lemma", "upos", "feats", "start"]).take(integers(words))
    surface = {"token": "node", "surface": "form", "surface_start": "start"}
    for name, column in surface.items():
        covered = covered.append_column(name, take(whole(tokens[column]), cover[words]))
    connection.register("covered", covered)
    connection.execute(FUSED)
