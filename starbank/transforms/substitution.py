"""Colorless green treebanks: content words replaced by others that are alike where it matters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from starbank.morphology.letters import mix
from starbank.transforms.derived import Derived
from starbank.transforms.gender import SUFFIXES, Exchange, balance, find_exchanges
from starbank.transforms.pools import ContentWords, find_words
from starbank.transforms.presets import Preset
from starbank.transforms.replace import inflections, replacements
from starbank.transforms.report import report
from starbank.transforms.respell import copy_sentences, respell, sentence_sizes
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import numbers, texts

_NOTHING = Exchange(np.zeros(0, dtype=np.int64), texts([]), texts([]), pa.table({}))


def colour_out(
    treebank: Treebank, preset: Preset, donors: str, variants: int, genders: Sequence[str], seed: int
) -> Derived:
    """Return the treebank with its content words replaced, in `variants` copies of each sentence.

    With `genders` there are so many copies for each of these `MODES`. The tables tell of each content word what became
    of it, and of each noun whether it changed gender.
    """
    connection, words = find_words(treebank, preset, donors)
    exchanges = find_exchanges(connection, treebank, words, list(genders)) if genders else []
    changes = [change for change in exchanges or [_NOTHING] for _ in range(variants)]
    suffixes = _suffixes(genders, variants)
    copies = len(suffixes)
    copied = copy_sentences(treebank, suffixes) if copies > 1 or genders else treebank
    sentence = numbers(treebank.tokens["sent"])[words.row]
    drawn = [
        draw_substitutes(words, words.keys_with(change.row), sentence, preset.itself, mixed)
        for mixed, change in ((int(mix(seed, copy)), change) for copy, change in enumerate(changes))
    ]
    row = np.concatenate([copied_rows(treebank, words.row, copy, copies) for copy in range(copies)])
    donor = np.concatenate(drawn)
    replaced = donor >= 0
    columns = replacements(
        connection, treebank, copied, row[replaced], np.tile(words.row, copies)[replaced], donor[replaced]
    )
    for copy, change in enumerate(changes):
        if len(change.row):
            columns = inflections(copied, columns, copied_rows(treebank, change.row, copy, copies), change)
    tokens, sentences = respell(copied, columns)
    table, notes = report(copied, tokens, row, replaced, pa.concat_arrays([words.reason] * copies))
    tables = {"substitutions": table}
    if exchanges:
        tables["genders"], lines = balance(exchanges, list(genders))
        notes = (*notes, *lines)
    return Derived(tokens, sentences, tables, notes)


def _suffixes(genders: Sequence[str], variants: int) -> list[str]:
    """Return what is added to the `sent_id` of each copy; a single one keeps its name."""
    numbered = [str(number + 1) for number in range(variants)] if variants > 1 or not genders else [""]
    if genders:
        return [f"-{SUFFIXES[gender]}{number}" for gender in genders for number in numbered]
    return [f"-org{number}" for number in numbered] if variants > 1 else [""]


def draw_substitutes(
    words: ContentWords, keys: np.ndarray, sentence: np.ndarray, itself: bool, seed: int
) -> np.ndarray:
    """Return the row of what replaces each word from the pools of `keys`, -1 where nothing does.

    `sentence` tells the words of one sentence from those of others: where chance changed none of them, it is asked
    again for others.
    """
    random = np.random.Generator(np.random.PCG64(seed))
    draws = random.random((2, len(words.row)))
    chosen = words.pools.draw(keys, words.form, draws[0], np.full(len(words.row), itself))
    if not itself:
        return chosen
    by_row = np.full(int(words.row.max(initial=0)) + 1, -1)
    by_row[words.row] = words.form
    changed = (chosen >= 0) & (by_row[chosen] != words.form)
    alike = np.bincount(sentence, weights=changed)[sentence] == 0
    again = words.pools.draw(keys, words.form, draws[1], np.zeros(len(words.row), dtype=bool))
    # A word that only itself could replace is replaced by none.
    return np.where(alike | (again < 0), again, chosen)


def copied_rows(treebank: Treebank, row: np.ndarray, copy: int, copies: int) -> np.ndarray:
    """Return the rows that copies of some rows have after `copy_sentences`."""
    sizes = sentence_sizes(treebank)
    sent = np.repeat(np.arange(len(sizes)), sizes)[row]
    begin, size = (np.cumsum(sizes) - sizes)[sent], sizes[sent]
    copied: np.ndarray = copies * begin + copy * size + row - begin
    return copied
