"""Colorless green treebanks: content words replaced by others that are alike where it matters."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.letters import mix
from starbank.transforms.derived import Derived
from starbank.transforms.draws import Pools
from starbank.transforms.frames import find_frames
from starbank.transforms.presets import Preset
from starbank.transforms.replace import replacements
from starbank.transforms.report import report
from starbank.transforms.respell import copy_sentences, respell
from starbank.transforms.sounds import sound
from starbank.transforms.words import collect_words
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import code, mask, numbers, texts

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
    with alike as (
        select words.*, frame, obliques, frames.reason as bound, coalesce(usual, true) as usual, names,
            wanted.upos is null as whole,
            if(whole, feats, array_to_string(list_filter(
                split(feats, '|'), lambda f: list_contains(names, split_part(f, '=', 1))
            ), '|')) as features,
            if($capitals, case
                when plain_form = lower(plain_form) then 'small'
                when length(plain_form) > 1 and plain_form = upper(plain_form) then 'capitals'
                else 'initial'
            end, '') as capitals,
            if($sounds, {sound}, '') as sound,
            count(*) filter (words.upos in $content) over (partition by cover) as contents,
            count(*) over (partition by words.upos, form) as often,
            count(*) over (partition by form) as forms
        from words
            left join required using (upos)
            left join (select distinct upos from wanted) as wanted using (upos)
            left join frames using (row)
    )
    select row, upos, plain_form,
        case
            when cover is not null and contents > 1 then 'shares a multiword token with another content word'
            when not whole and (names is null or len(names) is distinct from len(split(nullif(features, ''), '|')))
                then 'lacks a feature that must be alike'
            when $plain and not plain then 'misspelt, foreign, abbreviated or written with digits'
            when $plain and cover is null and glued then 'joined to another word'
            when $plain and in_name then 'within a name or a fixed expression'
            when bound is not null then bound
        end as reason,
        reason is null and usual and (often > 1 or not $frequent) and (often = forms or not $unambiguous)
            and (often * 2 > forms or not $plain) as donor,
        concat_ws(chr(31), upos, companions, capitals, sound, frame) as base,
        features, coalesce(obliques, '') as obliques, split
    from alike where upos in $content
    order by row
"""


@dataclass(frozen=True)
class Words:
    """The content words of a treebank: one entry per word in each array.

    `row` (int64): its row among the tokens; `reason`: why it is left alone, or null; `keys` (int64, words by choices):
    the pools it may be replaced from; `form` (int64): the number of its form; `pools`: who may replace it.
    """

    row: np.ndarray
    reason: pa.StringArray
    keys: np.ndarray
    form: np.ndarray
    pools: Pools


def find_words(treebank: Treebank, preset: Preset, donors: str) -> tuple[duckdb.DuckDBPyConnection, Words]:
    """Return the content words with the pools that they are replaced from, and the connection that has their table.

    `donors` says from where words may come, see `DONORS`.
    """
    connection = duckdb.connect()
    collect_words(connection, treebank)
    wanted = [(upos, name) for upos, names in (preset.features or {}).items() for name in names]
    connection.register(
        "wanted", pa.table({"upos": texts([upos for upos, _ in wanted]), "name": texts([name for _, name in wanted])})
    )
    connection.execute(_REQUIRED)
    find_frames(connection, treebank.language, preset.syntax)
    settings = {name: getattr(preset, name) for name in ("capitals", "sounds", "frequent", "unambiguous")}
    connection.execute(
        _KEYED.format(sound=sound(treebank.language)),
        {**settings, "content": list(preset.content), "plain": preset.syntax},
    )
    keyed = connection.sql("select * from keyed order by row").to_arrow_table().combine_chunks()
    return connection, _pooled(keyed, donors)


def _pooled(keyed: pa.Table, donors: str) -> Words:
    column = {name: keyed[name].combine_chunks() for name in keyed.column_names}
    count = len(keyed)
    split = pc.fill_null(column["split"], "") if donors == "split" else texts([""] * count)
    base = pc.binary_join_element_wise(split, column["base"], column["features"], "\x1f")
    exact = pc.binary_join_element_wise(base, column["obliques"], "\x1f")
    # A word that asks for no oblique stands beside any.
    bare = pc.binary_join_element_wise(base, "", "\x1f")
    codes, _ = code(pa.concat_arrays([exact, bare]))
    exact_key, bare_key = codes[:count].astype(np.int64), codes[count:].astype(np.int64)
    form, _ = code(pc.utf8_lower(column["plain_form"]))
    form = form.astype(np.int64)
    row = numbers(column["row"])
    may = mask(column["donor"])
    if donors not in ("split", "all"):
        may = may & mask(pc.equal(column["split"], donors))
    free = ~mask(column["reason"].is_valid())
    keys = np.stack((exact_key, np.where(bare_key == exact_key, -1, bare_key)), axis=1)
    keys[~free] = -1
    return Words(row, column["reason"], keys, form, Pools(exact_key[may], form[may], row[may]))


def draw_substitutes(words: Words, sentence: np.ndarray, itself: bool, seed: int) -> np.ndarray:
    """Return the row of what replaces each word, -1 where nothing does.

    `sentence` tells the words of one sentence from those of others: where chance changed none of them, it is asked
    again for others.
    """
    random = np.random.Generator(np.random.PCG64(seed))
    draws = random.random((2, len(words.row)))
    chosen = words.pools.draw(words.keys, words.form, draws[0], np.full(len(words.row), itself))
    if not itself:
        return chosen
    by_row = np.full(int(words.row.max(initial=0)) + 1, -1)
    by_row[words.row] = words.form
    changed = (chosen >= 0) & (by_row[chosen] != words.form)
    alike = np.bincount(sentence, weights=changed)[sentence] == 0
    again = words.pools.draw(words.keys, words.form, draws[1], np.zeros(len(words.row), dtype=bool))
    return np.where(alike & (again >= 0), again, chosen)


def colour_out(treebank: Treebank, preset: Preset, donors: str, variants: int, seed: int) -> Derived:
    """Return the treebank with its content words replaced, in `variants` copies of each sentence.

    The tables tell of each content word what became of it.
    """
    connection, words = find_words(treebank, preset, donors)
    sentence = numbers(treebank.tokens["sent"].combine_chunks())[words.row]
    drawn = [draw_substitutes(words, sentence, preset.itself, int(mix(seed, copy))) for copy in range(variants)]
    suffixes = [f"-org{copy + 1}" for copy in range(variants)] if variants > 1 else [""]
    copied = copy_sentences(treebank, suffixes) if variants > 1 else treebank
    row = np.concatenate([copied_rows(treebank, words.row, copy, variants) for copy in range(variants)])
    donor = np.concatenate(drawn)
    reason = pa.concat_arrays([words.reason] * variants)
    replaced = donor >= 0
    columns = replacements(
        connection, treebank, copied, row[replaced], np.tile(words.row, variants)[replaced], donor[replaced]
    )
    tokens, sentences = respell(copied, columns)
    table, notes = report(copied, tokens, row, replaced, reason)
    return Derived(tokens, sentences, {"substitutions": table}, notes)


def copied_rows(treebank: Treebank, row: np.ndarray, copy: int, copies: int) -> np.ndarray:
    """Return the rows that copies of some rows have after `copy_sentences`."""
    sent = np.searchsorted(
        numbers(treebank.sentences["sent"].combine_chunks()), numbers(treebank.tokens["sent"].combine_chunks())
    )
    count = np.bincount(sent, minlength=len(treebank.sentences))
    begin, own = (np.cumsum(count) - count)[sent[row]], count[sent[row]]
    return copies * begin + copy * own + row - begin
