"""Colorless green treebanks: content words replaced by others that are alike where it matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from starbank.cores import cores
from starbank.morphology import Lexicon, build_lexicon
from starbank.morphology.letters import mix
from starbank.morphology.sandhi import READ as SURFACE
from starbank.morphology.sandhi import Sandhi, learn_sandhi
from starbank.morphology.words import READ
from starbank.scratch import scratch
from starbank.transforms.derived import Derived, Part
from starbank.transforms.gender import SUFFIXES, Exchange, Exchanges
from starbank.transforms.neighbours import Neighbours
from starbank.transforms.pools import ContentWords, Vocabulary, find_vocabulary
from starbank.transforms.presets import Preset
from starbank.transforms.replace import inflections, replacements
from starbank.transforms.report import Summary, only, report, shares
from starbank.transforms.respell import copy_sentences, respell, sentence_sizes
from starbank.transforms.words import collect_words
from starbank.treebanks import Treebank, parts_of
from starbank.treebanks.arrays import numbers, texts
from starbank.treebanks.metadata import REPLACED, with_comment
from starbank.treebanks.tables import SENTENCES, TOKENS

# No word changes its gender.
_NOTHING = Exchange(np.zeros(0, dtype=np.int64), texts([]), texts([]))


def colour_out(
    treebank: Treebank,
    preset: Preset,
    donors: str,
    variants: int,
    genders: Sequence[str],
    seed: int,
    min_replaced: float = 0,
) -> Derived:
    """Return the treebank with its content words replaced, in `variants` copies of each sentence.

    With `genders` there are so many copies for each of these `MODES`. The tables tell of each content word what became
    of it, and of each noun whether it changed gender. Sentences of whose content words a smaller share than
    `min_replaced` is replaced are left out.
    """
    summary, exchanges = Summary(), Exchanges(list(genders))
    order = _Order(preset, donors, variants, exchanges, seed, min_replaced, summary)
    return Derived(_coloured(treebank, order), notes=_notes(summary, exchanges))


@dataclass(frozen=True)
class _Order:
    """What is asked for, and what sums up what was done."""

    preset: Preset
    donors: str
    variants: int
    exchanges: Exchanges
    seed: int
    min_replaced: float
    summary: Summary


def _notes(summary: Summary, exchanges: Exchanges) -> Iterator[str]:
    yield from summary.lines()
    yield from exchanges.lines()


def _coloured(treebank: Treebank, order: _Order) -> Iterator[Part]:
    """Yield the parts of the treebank with other words: all are described before the first is written."""
    parts = parts_of(treebank, (tuple(TOKENS), tuple(SENTENCES)))
    if len(parts) == 1:
        # It is read once.
        (treebank,) = parts = [parts[0]]
    lexicon = Lexicon(build_lexicon(parts_of(treebank, READ))) if order.exchanges.modes else None
    with scratch() as connection, ThreadPoolExecutor(1) as thread:
        # What is learned of sounds needs none of the words' pools; but memory and a single core do one thing at a time.
        learning = thread.submit(learn_sandhi, parts_of(treebank, SURFACE)) if order.preset.sounds else None
        if learning and (len(parts) > 1 or cores() == 1):
            wait([learning])
        vocabulary = find_vocabulary(connection, treebank, order.preset, order.donors)
        sandhi = learning.result() if learning else None
        for place, part in enumerate(parts):
            coloured = _colour(part, place, vocabulary, lexicon, sandhi, order)
            order.summary.add(coloured.tables["substitutions"])
            last = place == len(parts) - 1
            genders = {"genders": order.exchanges.table} if order.exchanges.modes and last else {}
            yield replace(coloured, tables={**coloured.tables, **genders})


def _colour(
    part: Treebank,
    place: int,
    vocabulary: Vocabulary,
    lexicon: Lexicon | None,
    sandhi: Sandhi | None,
    order: _Order,
) -> Part:
    first, words = vocabulary.rows[place], vocabulary.words(place, lexicon is not None)
    changes = [_NOTHING]
    if lexicon:
        collect_words(vocabulary.connection, part, first)
        changes = order.exchanges.find(vocabulary.connection, part, lexicon, words)
    changes = [change for change in changes for _ in range(order.variants)]
    suffixes = _suffixes(order.exchanges.modes, order.variants)
    copies = len(suffixes)
    copied = copy_sentences(part, suffixes) if suffixes != [""] else part
    sentence = numbers(part.tokens["sent"])
    sentence = (sentence - sentence[0])[words.row - first]
    neighbours = Neighbours(sandhi, part, words.row - first, vocabulary.written) if sandhi else None
    drawn = [
        draw_substitutes(
            words, words.keys_with(change.row), sentence, order.preset.itself, int(mix(order.seed, copy)),
            vocabulary.counts[place], vocabulary.counts[-1], neighbours, np.isin(words.row, change.row),
        )
        for copy, change in enumerate(changes)
    ]  # fmt: skip
    row = np.concatenate([copied_rows(part, words.row - first, copy, copies) for copy in range(copies)])
    donor = np.concatenate(drawn)
    replaced = donor >= 0
    target = np.tile(words.row, copies)
    columns = replacements(vocabulary.connection, part, copied, row[replaced], target[replaced], donor[replaced], first)
    for copy, change in enumerate(changes):
        if len(change.row):
            columns = inflections(copied, columns, copied_rows(part, change.row - first, copy, copies), change)
    tokens, sentences = respell(copied, columns)
    table = report(copied, tokens, row, replaced, pa.concat_arrays([words.reason] * copies))
    share = shares(numbers(copied.tokens["sent"])[np.sort(row)], table["changed"], numbers(sentences["sent"]))
    sentences = with_comment(sentences, REPLACED, np.floor(100 * share).astype(np.int64))
    kept = (share < 0) | (share >= order.min_replaced)
    order.summary.left_out["sentences"] += int((~kept).sum())
    tokens, sentences, table = only(tokens, sentences, table, kept)
    return Part(tokens, sentences, {"substitutions": table})


def _suffixes(genders: Sequence[str], variants: int) -> list[str]:
    """Return what is added to the `sent_id` of each copy; a single one keeps its name."""
    numbered = [str(number + 1) for number in range(variants)] if variants > 1 or not genders else [""]
    if genders:
        return [f"-{SUFFIXES[gender]}{number}" for gender in genders for number in numbered]
    return [f"-org{number}" for number in numbered] if variants > 1 else [""]


def draw_substitutes(
    words: ContentWords,
    keys: np.ndarray,
    sentence: np.ndarray,
    itself: bool,
    seed: int,
    first: int = 0,
    total: int | None = None,
    neighbours: Neighbours | None = None,
    changing: np.ndarray | None = None,
) -> np.ndarray:
    """Return the row of what replaces each word from the pools of `keys`, -1 where nothing does.

    `sentence` tells the words of one sentence from those of others: where chance changed none of them, it is asked
    again for others, and where it gave words that do not fit beside their `neighbours`. Words that are some of `total`,
    from the one numbered `first`, get what they would get among all. Words that are `changing` their gender are
    replaced by one that does not fit where none does: others agree with it already.
    """
    count = len(words.row)

    def draw(which: np.ndarray, again: int, itself: bool = False) -> np.ndarray:
        chances = _uniform(seed, again * (count if total is None else total) + first, count)
        allowed = np.full(int(which.sum()), itself)
        return words.pools.draw(keys[which], words.form[which], chances[which], allowed)

    every = np.ones(count, dtype=bool)
    chosen = draw(every, 0, itself)
    if itself:
        changed = (chosen >= 0) & (words.pools.forms(chosen) != words.form)
        alike = np.bincount(sentence, weights=changed)[sentence] == 0
        again = draw(every, 1)
        # A word that only itself could replace is replaced by none.
        chosen = np.where(alike | (again < 0), again, chosen)
    if neighbours is None:
        return chosen
    (fitted,) = neighbours.fitted([chosen], lambda _, which, again: draw(which, again + 2))
    return fitted if changing is None else np.where(changing & (fitted < 0), chosen, fitted)


def _uniform(seed: int, first: int, count: int) -> np.ndarray:
    """Return so many numbers of a random sequence from the one at the place `first`."""
    return np.random.Generator(np.random.PCG64(seed).advance(first)).random(count)


def copied_rows(treebank: Treebank, row: np.ndarray, copy: int, copies: int) -> np.ndarray:
    """Return the rows that copies of some rows have after `copy_sentences`."""
    sizes = sentence_sizes(treebank)
    sent = np.repeat(np.arange(len(sizes)), sizes)[row]
    begin, size = (np.cumsum(sizes) - sizes)[sent], sizes[sent]
    copied: np.ndarray = copies * begin + copy * size + row - begin
    return copied
