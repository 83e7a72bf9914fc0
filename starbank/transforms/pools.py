"""The content words of a treebank, and the pools of words that may stand in their places."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.transforms.draws import Pools
from starbank.transforms.frames import find_frames
from starbank.transforms.presets import Preset
from starbank.transforms.sounds import sound
from starbank.transforms.words import collect_words
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import code, mask, numbers, table_of, texts

# The features that must be alike and that words of a UPOS have at all in this treebank, and how many words these are.
_REQUIRED = """
    create temp table required as
    select upos, list(name order by name) as names from (
        select wanted.upos, wanted.name
        from wanted join words using (upos)
        group by wanted.upos, wanted.name
        having avg(list_contains(list_transform(split(feats, '|'), lambda f: split_part(f, '=', 1)), wanted.name)::int)
            >= 0.05
    ) group by upos
"""

# What two words must share, and why a word is left alone. `second` is another pool for the same word.
_KEYED = """
    create temp table keyed as
    with readings as (select upos, form, count(*) as often from words group by upos, form),
    forms as (select form, sum(often) as forms from readings group by form),
    multiword as (
        select cover, count(*) as contents from words where cover is not null and upos in $content group by cover
    ),
    cells as (
        select upos, feats, names, wanted.upos is null as whole,
            if(whole, feats, array_to_string(list_filter(
                split(feats, '|'), lambda f: list_contains(names, split_part(f, '=', 1))
            ), '|')) as features
        from (select distinct upos, feats from words)
            left join required using (upos)
            left join (select distinct upos from wanted) as wanted using (upos)
    ),
    alike as (
        select words.*, frame, obliques, frames.reason as bound, coalesce(usual, true) as usual, names,
            whole, features, often, forms, contents,
            if($capitals, case
                when plain_form = lower(plain_form) then 'small'
                when length(plain_form) > 1 and plain_form = upper(plain_form) then 'capitals'
                else 'initial'
            end, '') as capitals,
            if($sounds, {sound}, '') as sound
        from words
            join cells using (upos, feats)
            join readings using (upos, form)
            join forms using (form)
            left join multiword using (cover)
            left join frames using (row)
        where words.upos in $content
    )
    select row, upos, plain_form,
        case
            when cover is not null and contents > 1 then 'shares a multiword token with another content word'
            when not whole and (names is null or len(names) is distinct from len(split(nullif(features, ''), '|')))
                then 'lacks a feature that must be alike'
            when $plain and not plain then 'misspelt, foreign, abbreviated or written with digits'
            when $plain and (cover is null and glued or hyphenated) then 'joined to another word'
            when $plain and in_name then 'within a name or a fixed expression'
            when bound is not null then bound
        end as reason,
        reason is null and usual and (often > 1 or not $frequent) and (often = forms or not $unambiguous)
            and (often * 2 > forms or not $plain) as donor,
        concat_ws(chr(31), upos, companions, capitals, sound, frame) as base,
        features, coalesce(obliques, '') as obliques, split
    from alike
    order by row
"""


@dataclass(frozen=True)
class ContentWords:
    """The content words of a treebank: one entry per word in each array.

    `row` (int64): its row among the tokens; `reason`: why it is left alone, or null; `keys` (int64, words by choices):
    the pools it may be replaced from, and `other_keys` those of the other gender; `form` (int64): the number of its
    form; `pools`: who may replace it.
    """

    row: np.ndarray
    reason: pa.StringArray
    keys: np.ndarray
    other_keys: np.ndarray
    form: np.ndarray
    pools: Pools

    @property
    def has_other(self) -> np.ndarray:
        """Whether there is a word of the other gender for each."""
        return self.pools.draw(self.other_keys, self.form, np.zeros(len(self.row)), np.zeros(len(self.row), bool)) >= 0

    def keys_with(self, changed: np.ndarray) -> np.ndarray:
        """Return the pools where the words of the rows `changed` have the other gender."""
        return np.where(np.isin(self.row, changed)[:, None], self.other_keys, self.keys)


def find_words(treebank: Treebank, preset: Preset, donors: str) -> tuple[duckdb.DuckDBPyConnection, ContentWords]:
    """Return the content words with the pools that they are replaced from, and the connection that has their table.

    `donors` says from where words may come, see `DONORS`.
    """
    connection = duckdb.connect()
    collect_words(connection, treebank)
    required = [(upos, name) for upos, names in (preset.features or {}).items() for name in names]
    connection.register("wanted", table_of(required, upos=str, name=str))
    connection.execute(_REQUIRED)
    find_frames(connection, treebank.language, preset.syntax)
    settings = {name: getattr(preset, name) for name in ("capitals", "sounds", "frequent", "unambiguous")}
    connection.execute(
        _KEYED.format(sound=sound(treebank.language)),
        {**settings, "content": list(preset.content), "plain": preset.syntax},
    )
    keyed = connection.sql("select * from keyed order by row").to_arrow_table().combine_chunks()
    return connection, _pooled(keyed, donors)


def _pooled(keyed: pa.Table, donors: str) -> ContentWords:
    column = {name: keyed[name].combine_chunks() for name in keyed.column_names}
    count = len(keyed)
    split = pc.fill_null(column["split"], "") if donors == "split" else texts([""] * count)
    features = column["features"]
    for gender, replacement in (("Masc", "\x1f"), ("Fem", "Masc"), ("\x1f", "Fem")):
        features = pc.replace_substring(features, f"Gender={gender}", f"Gender={replacement}")
    obliques = [column["obliques"], texts([""] * count)]
    # A word that asks for no oblique stands beside any.
    exact, bare, exact_other, bare_other = (
        pc.binary_join_element_wise(split, column["base"], values, oblique, "\x1f")
        for values in (column["features"], features)
        for oblique in obliques
    )
    codes, _ = code(pa.concat_arrays([exact, bare, exact_other, bare_other]))
    keys = codes.astype(np.int64).reshape(4, count)
    nouns = mask(pc.is_in(column["upos"], texts(["NOUN", "PROPN"]))) & mask(pc.not_equal(column["features"], features))
    exact_key = keys[0]
    form, _ = code(pc.utf8_lower(column["plain_form"]))
    form = form.astype(np.int64)
    row = numbers(column["row"])
    may = mask(column["donor"])
    if donors not in ("split", "all"):
        may = may & mask(pc.equal(column["split"], donors))
    free = ~mask(column["reason"].is_valid())
    keys_of_word, other_keys = (
        np.stack((keys[place], np.where(keys[place + 1] == keys[place], -1, keys[place + 1])), axis=1)
        for place in (0, 2)
    )
    keys_of_word[~free] = -1
    other_keys[~(free & nouns)] = -1
    return ContentWords(
        row, column["reason"], keys_of_word, other_keys, form, Pools(exact_key[may], form[may], row[may])
    )
