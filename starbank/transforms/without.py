"""Treebanks from which forms of a kind are taken away: what the ablations of Ravfogel et al. (2018) stand on."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.suffixes import KEPT, Suffixes, find_suffixes
from starbank.morphology.words import covering
from starbank.transforms.derived import Derived, Part
from starbank.transforms.respell import respell
from starbank.treebanks import Treebank, parts_of
from starbank.treebanks.arrays import integers, mask, numbers, put, take, text, truths
from starbank.treebanks.metadata import FULL_TEXT, read_number, with_comment

# What stands for a word of which nothing is to be seen.
BLANK = "_"


def without_endings(treebank: Treebank, form: str, lemma: str = "lemma") -> Derived:
    """Return the treebank with other forms and lemmas of all words, by SQL expressions.

    They know a word's columns, its `suffix` (null for none), the `stem` before it, and the number `told` by it, see
    `Suffixes`. MISC keeps the suffix. A treebank whose suffixes were taken away already is as it is.
    """
    suffixes = find_suffixes(treebank)
    if suffixes.kept or not suffixes.cells:
        why = "its suffixes have been taken away already" if suffixes.kept else "no word of it has Case and Number"
        return Derived((Part(part.tokens, part.sentences) for part in parts_of(treebank)), notes=(why,))
    misc = f"if(suffix is null, misc, concat_ws('|', misc, '{KEPT}=' || suffix))"
    sql = f"""
        select {form} as form, {lemma} as lemma, {misc} as misc from (
            select *, form[:length(form) - coalesce(length(suffix), 0)] as stem,
                $numbers[list_position($endings, suffix)] as told
            from (select *, {suffixes.sql()} as suffix from tokens)
        ) order by node
    """
    return Derived(_changed(treebank, sql, suffixes), about={"suffixes": sorted(suffixes.numbers)})


def without_words(treebank: Treebank, where: str, instead: str) -> Derived:
    """Return the treebank with `instead` for the form and lemma of each word that the SQL `where` is true of."""
    form, lemma = (f"if({where}, '{instead}', {name})" for name in ("form", "lemma"))
    return Derived(_changed(treebank, f"select {form} as form, {lemma} as lemma, misc from tokens order by node"))


def _changed(treebank: Treebank, sql: str, suffixes: Suffixes | None = None) -> Iterator[Part]:
    told = suffixes.numbers if suffixes else {}
    parameters = {"endings": list(told), "numbers": list(told.values())} if told else None
    for part in parts_of(treebank):
        with duckdb.connect() as connection:
            connection.register("tokens", part.tokens)
            rows = connection.sql(sql, params=parameters).to_arrow_table()
        columns = {name: rows[name].combine_chunks() for name in rows.column_names}
        tokens, sentences = respell(part, columns | {"form": _whole_tokens(part.tokens, columns["form"])})
        yield Part(tokens, _with_full_text(part.sentences, sentences))


def _with_full_text(before: pa.Table, sentences: pa.Table) -> pa.Table:
    """Return sentences that tell their text as it was: others may be the same without what was taken away."""
    known = read_number(before, FULL_TEXT)
    if known.null_count < len(known):
        return sentences
    with duckdb.connect() as connection:
        connection.register("sentences", before)
        sums = connection.sql("select (md5_number_lower(text) >> 1)::bigint as sum from sentences order by sent")
        return with_comment(sentences, FULL_TEXT, numbers(sums.to_arrow_table()["sum"]))


def _whole_tokens(tokens: pa.Table, form: pa.StringArray) -> pa.StringArray:
    """Return forms in which a multiword token with a changed word is its words, one after the other, and any other is
    as it was."""
    cover = covering(tokens)
    inside = np.flatnonzero(cover >= 0)
    if not len(inside):
        return form
    old = tokens["form"].combine_chunks()
    places, first = np.unique(cover[inside], return_index=True)
    borders = integers(np.append(first, len(inside)).astype(np.int32))
    joined = pc.binary_join(pa.ListArray.from_arrays(borders, take(form, inside)), text(""))
    changed = np.logical_or.reduceat(mask(pc.not_equal(form, old))[inside], first)
    return put(form, places, pc.if_else(truths(changed), joined, take(old, places)))
