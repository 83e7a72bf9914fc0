"""Words written in the places of others: forms, lemmas, multiword tokens, and what MISC says of a form."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.casing import decapitalised, upper
from starbank.transforms.described import OF_FORM
from starbank.transforms.gender import Exchange
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, mask, numbers, put, take

# A word at the beginning of a sentence gets the capital of that place, and leaves the one of its own.
_PLACED = """
    with pair as (
        select pairs.place, target.cover + pairs.place - pairs.target as cover_place, target.row as target,
            target.cover, target.raised, kinds.* exclude (kind)
        from pairs
            join targets as target on target.row = pairs.target
            join donors on donors.row = pairs.donor
            join kinds using (kind)
    ),
    placed as (
        select place, target, if(raised, {upper_plain} || plain_form[2:], plain_form) as form, lemma, misc
        from pair
        union all
        select cover_place, cover,
            case when raised then {upper_cover} || cover_form[2:]
                when form <> plain_form then {decapitalised}
                else cover_form
            end, null, cover_misc
        from pair where cover is not null and cover_form is not null
    ),
    kept as (
        select misc, array_to_string(
            list_filter(split(misc, '|'), lambda m: not regexp_full_match(m, '{of_form}')), '|'
        ) as of_place
        from (select distinct misc from misc where misc is not null)
    )
    select place, placed.form, placed.lemma,
        nullif(concat_ws('|', nullif(kept.of_place, ''), nullif(placed.misc, '')), '') as misc
    from placed join misc as own on own.row = target left join kept on kept.misc = own.misc
    order by place
"""


def replacements(
    connection: duckdb.DuckDBPyConnection,
    treebank: Treebank,
    copied: Treebank,
    place: np.ndarray,
    target: np.ndarray,
    donor: np.ndarray,
    first: int = 0,
) -> dict[str, pa.Array]:
    """Return the columns `form`, `lemma` and `misc` of `copied`, whose rows at `place` have other words.

    `target` and `donor` (rows as `place`, of the whole that `treebank` is a part of, which begins with the row `first`)
    are the words that stood there and that stand there now; `connection` has them in the tables `targets`, `donors` and
    `kinds`. The multiword token around a word is that around its donor.
    """
    language = treebank.language
    connection.register("pairs", pa.table([*map(integers, (place, target, donor))], names=["place", "target", "donor"]))
    rows = integers(first + np.arange(len(treebank.tokens)))
    connection.register("misc", pa.table({"row": rows, "misc": treebank.tokens["misc"]}))
    query = _PLACED.format(
        decapitalised=decapitalised("cover_form", language),
        upper_plain=upper("plain_form[1]", language),
        upper_cover=upper("cover_form[1]", language),
        of_form=OF_FORM,
    )
    made = connection.sql(query).to_arrow_table()
    at = numbers(made["place"])
    return {
        name: put(copied.tokens[name].combine_chunks(), at, made[name].combine_chunks())
        for name in ("form", "lemma", "misc")
    }


def inflections(
    copied: Treebank, columns: dict[str, pa.Array], place: np.ndarray, change: Exchange
) -> dict[str, pa.Array]:
    """Return the columns with the forms and features of those words that change gender, which are at `place`.

    What MISC says of such a form is left out.
    """
    feats = columns.get("feats", copied.tokens["feats"].combine_chunks())
    columns = {**columns, "feats": put(feats, place, _or_null(change.feats))}
    formed = np.flatnonzero(mask(change.form.is_valid()))
    place, form = place[formed], take(change.form, formed)
    misc = pc.replace_substring_regex(take(columns["misc"], place), r"(^|\|)" + OF_FORM, "")
    misc = _or_null(pc.utf8_ltrim(misc, "|"))
    return {**columns, "form": put(columns["form"], place, form), "misc": put(columns["misc"], place, misc)}


def _or_null(column: pa.StringArray) -> pa.StringArray:
    """Return the texts, null for the empty one."""
    return pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)
