"""Words written in the places of others: forms, lemmas, multiword tokens, and what MISC says of a form."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.casing import decapitalised, lower
from starbank.transforms.gender import Exchange
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, mask, numbers, take

# What MISC says of a word's form and not of its place: it comes along with the word.
_OF_FORM = r"((L|M|T)?(Translit|Gloss|Seg)(\[[^=]*)?|Vform|Correct(Form|Lemma)|Root|Lang|Proper)(=[^|]*)?"

# A word at the beginning of a sentence gets the capital of that place, and leaves the one of its own.
_PLACED = """
    with pair as (
        select pairs.place, target.cover + pairs.place - pairs.target as cover_place,
            target.cover, donor.cover as source, target.row as target, donor.row as donor,
            target.initial and target.form <> {small_target} as raised, donor.plain_form, donor.form, donor.lemma
        from pairs
            join words as target on target.row = pairs.target
            join words as donor on donor.row = pairs.donor
    ),
    placed as (
        select place, target, donor, if(raised, upper(plain_form[1]) || plain_form[2:], plain_form) as form, lemma
        from pair
        union all
        select cover_place, pair.cover, source,
            case when raised then upper(tokens.form[1]) || tokens.form[2:]
                when pair.form <> pair.plain_form then {decapitalised}
                else tokens.form
            end, null
        from pair join tokens on tokens.row = source where pair.cover is not null
    )
    select place, placed.form, placed.lemma, nullif(array_to_string(
        list_filter(split(coalesce(own.misc, ''), '|'), lambda m: not regexp_full_match(m, '{of_form}'))
        || list_filter(split(coalesce(new.misc, ''), '|'), lambda m: regexp_full_match(m, '{of_form}')),
    '|'), '') as misc
    from placed join misc as own on own.row = target join misc as new on new.row = donor
    order by place
"""


def replacements(
    connection: duckdb.DuckDBPyConnection,
    treebank: Treebank,
    copied: Treebank,
    place: np.ndarray,
    target: np.ndarray,
    donor: np.ndarray,
) -> dict[str, pa.Array]:
    """Return the columns `form`, `lemma` and `misc` of `copied`, whose rows at `place` have other words.

    `target` and `donor` (rows of `treebank`, as `place` int64) are the words that stood there and that stand there now;
    `connection` has the table `words` of `treebank`. The multiword token around a word is that around its donor.
    """
    language = treebank.language
    connection.register("pairs", pa.table([*map(integers, (place, target, donor))], names=["place", "target", "donor"]))
    rows = integers(np.arange(len(treebank.tokens)))
    connection.register("misc", pa.table({"row": rows, "misc": treebank.tokens["misc"]}))
    query = _PLACED.format(
        small_target=lower("target.form", language),
        decapitalised=decapitalised("tokens.form", language),
        of_form=_OF_FORM,
    )
    made = connection.sql(query).to_arrow_table()
    at = numbers(made["place"])
    return {
        name: _put(copied.tokens[name].combine_chunks(), at, made[name].combine_chunks())
        for name in ("form", "lemma", "misc")
    }


def inflections(
    copied: Treebank, columns: dict[str, pa.Array], place: np.ndarray, change: Exchange
) -> dict[str, pa.Array]:
    """Return the columns with the forms and features of those words that change gender, which are at `place`.

    What MISC says of such a form is left out.
    """
    feats = columns.get("feats", copied.tokens["feats"].combine_chunks())
    columns = {**columns, "feats": _put(feats, place, _or_null(change.feats))}
    formed = np.flatnonzero(mask(change.form.is_valid()))
    place, form = place[formed], take(change.form, formed)
    misc = pc.replace_substring_regex(take(columns["misc"], place), r"(^|\|)" + _OF_FORM, "")
    misc = _or_null(pc.utf8_ltrim(misc, "|"))
    return {**columns, "form": _put(columns["form"], place, form), "misc": _put(columns["misc"], place, misc)}


def _or_null(column: pa.StringArray) -> pa.StringArray:
    """Return the texts, null for the empty one."""
    return pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)


def _put(column: pa.StringArray, place: np.ndarray, values: pa.StringArray) -> pa.StringArray:
    source = np.arange(len(column))
    source[place] = len(column) + np.arange(len(place))
    return take(pa.concat_arrays([column, values]), source)
