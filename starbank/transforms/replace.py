"""Words written in the places of others: forms, lemmas, multiword tokens, and what MISC says of a form."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.casing import decapitalised, lower
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers

# What MISC says of a word's form and not of its place: it comes along with the word.
_OF_FORM = r"((L|M|T)?(Translit|Gloss|Seg)(\[.*)?|Vform|Correct(Form|Lemma)|Root|Lang|Proper)(=.*)?"

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
    source = np.arange(len(copied.tokens))
    source[numbers(made["place"].combine_chunks())] = len(source) + np.arange(len(made))
    indices = integers(source)
    columns = {}
    for name in ("form", "lemma", "misc"):
        columns[name] = pa.concat_arrays([copied.tokens[name].combine_chunks(), made[name].combine_chunks()]).take(
            indices
        )
    return columns
