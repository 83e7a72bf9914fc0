"""What the attested forms say for each form that could fill a cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from starbank.morphology.counts import Counts
from starbank.morphology.edits import Edits, Rules, find_edits
from starbank.morphology.letters import MISSPELT, Vowels, Words, mix
from starbank.morphology.paradigms import FOLDS, Paradigms, Queries
from starbank.treebanks.arrays import mask, numbers, whole

# The longest ending that rules are told apart by, alone and within a class of inflection, and how many rules each
# ending proposes.
_ENDING = 6
_CLASS_ENDING = 3
_PROPOSED = 4
# Probabilities are interpolated from coarse contexts to fine ones, each context outweighing the coarser with its count
# against this (Witten and Bell 1991); a rule that was never seen has the first probability.
_PRIOR = 1.0
_UNSEEN = 1 / 200
_FLOOR = 1e-4
_MISSPELT = re.compile(MISSPELT)


@dataclass(frozen=True)
class View:
    """One way to look at examples: what they start from, which cells count as alike, and where rules apply.

    `source` is the lemma or the given form. `exact` examples are of the very cells, others of all cells that differ in
    the same features, in any UPOS. Rules depend on the source's ending, on its `vowels`, or on the `class` of
    inflection that shows in how it differs from its lemma; `merged` ones do not tell vowels apart.
    """

    source: str
    exact: bool
    context: str = "ending"
    merged: bool = False


VIEWS = (
    View("lemma", exact=True),
    View("lemma", exact=False),
    View("lemma", exact=True, context="vowels"),
    View("lemma", exact=False, merged=True),
    View("given", exact=True),
    View("given", exact=False),
    View("given", exact=False, context="vowels"),
    View("given", exact=True, merged=True),
    View("given", exact=False, merged=True),
    View("given", exact=False, context="class"),
)


class LetterModel:
    """An n-gram model of letters, for what looks like a word of the language."""

    def __init__(self, words: Words, fold: np.ndarray, order: int) -> None:
        self._order = order
        row, contexts, letter = self._grams(words)
        self._counts = [Counts(context, letter, np.ones(len(letter)), fold[row]) for context in contexts]
        self._unseen = 1 / max(len(np.unique(letter)), 1)

    def log_probability(self, words: Words, fold: np.ndarray) -> np.ndarray:
        """Return the natural logarithm of each word's probability."""
        row, contexts, letter = self._grams(words)
        # Words are many, letters in their contexts few.
        _, first, gram = np.unique(mix(contexts[-1], letter, fold[row]), return_index=True, return_inverse=True)
        letter, of_fold = letter[first], fold[row[first]]
        probability = np.full(len(letter), self._unseen)
        for context, counts in zip(contexts, self._counts, strict=True):
            count, total = counts.count(context[first], letter, of_fold), counts.total(context[first], of_fold)
            probability = (count + probability) / (total + 1)
        return np.bincount(row, np.log(probability)[gram], len(words.texts))

    def _grams(self, words: Words) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
        """Return for each letter, and each word's end, its word, what goes before it, and the letter."""
        places = words.length + 1
        row = np.repeat(np.arange(len(places)), places)
        place = np.arange(len(row)) - np.repeat(np.cumsum(places) - places, places)
        width = max(words.codes.shape[1], 1)
        letter = np.where(place < words.length[row], words.codes[row, np.minimum(place, width - 1)], 0)
        contexts = [
            mix(words.part(row, np.maximum(place - size, 0), place), np.minimum(place, size), size)
            for size in range(self._order)
        ]
        return row, contexts, letter.astype(np.uint64)


class Harmony:
    """Which vowels a word may have together: front or back ones, round or spread ones."""

    def __init__(self, vowels: Vowels, words: Words, fold: np.ndarray) -> None:
        self._vowels = vowels
        present = vowels.present(words).astype(float)
        count = np.stack(
            [present[fold != part].T @ present[fold != part] for part in range(FOLDS)] + [present.T @ present]
        )
        alone = np.diagonal(count, axis1=1, axis2=2)
        total = np.array([(fold != part).sum() for part in range(FOLDS)] + [len(fold)])[:, None, None]
        # Pointwise mutual information, held towards none by one word of each kind.
        self._bonds = np.log((count + 1) * (total + 1) / ((alone[:, :, None] + 1) * (alone[:, None, :] + 1)))

    def weakest(self, words: Words, fold: np.ndarray) -> np.ndarray:
        """Return for each word how badly its worst pair of vowels goes together: 0 or less."""
        present = self._vowels.present(words)
        worst = np.zeros(len(words.texts))
        for first in range(present.shape[1]):
            for second in range(first):
                both = present[:, first] & present[:, second]
                worst[both] = np.minimum(worst[both], self._bonds[fold[both], first, second])
        return worst


class Likeness:
    """What looks like a word of the language: its letters, and which vowels go together."""

    def __init__(self, paradigms: Paradigms, vowels: Vowels) -> None:
        attested = paradigms.forms()
        words, fold = Words(attested["form"].to_pylist()), numbers(attested["fold"])
        self._letters = LetterModel(words, fold, order=4)
        self._harmony = Harmony(vowels, words, fold)

    def weigh(self, words: Words, fold: np.ndarray) -> list[np.ndarray]:
        """Return what speaks for each word: two columns."""
        return [self._letters.log_probability(words, fold) / 3, self._harmony.weakest(words, fold)]


@lru_cache(maxsize=1)
def _likeness(paradigms: Paradigms, vowels: Vowels) -> Likeness:
    return Likeness(paradigms, vowels)


class Evidence:
    """What there is to learn from for some queries."""

    def __init__(self, paradigms: Paradigms, vowels: Vowels, queries: Queries) -> None:
        self._paradigms, self._vowels, self._queries = paradigms, vowels, queries
        lemmas, forms, self._transitions = paradigms.examples(queries)
        self._words = self._number_words(lemmas, forms)
        self._merged = vowels.merged(self._words)
        self._vowel_contexts = vowels.contexts(self._words)
        cells = {name: numbers(forms[name]).astype(np.int64) for name in ("transition", "one", "other")}
        goal = numbers(lemmas["other"]).astype(np.int64)
        self._examples = {
            "lemma": _Examples(
                self._edits(lemmas["lemma"], lemmas["target"]),
                self._classes(lemmas["lemma"], lemmas["lemma"]),
                lemmas,
                goal,
                paradigms.cells.wide[goal],
            ),
            "given": _Examples(
                self._edits(forms["source"], forms["target"]),
                self._classes(forms["lemma"], forms["source"]),
                forms,
                mix(cells["one"], cells["other"]),
                cells["transition"],
            ),
        }
        self._rules = {source: Rules(examples.edits) for source, examples in self._examples.items()}
        self._counts = [self._count(view) for view in VIEWS]
        sources = {"lemma": queries.lemma, "given": queries.given}
        self._query_words = {source: self._numbers(texts) for source, texts in sources.items()}
        self._query_classes = {source: self._classes(queries.lemma, texts) for source, texts in sources.items()}

    def _number_words(self, lemmas: pa.Table, forms: pa.Table) -> Words:
        columns = (lemmas["lemma"], lemmas["target"], forms["lemma"], forms["source"], forms["target"])
        texts = {text for column in columns for text in column.unique().to_pylist()}
        distinct = sorted(texts | set(self._queries.lemma) | set(self._queries.given))
        self._number = {text: number for number, text in enumerate(distinct)}
        return Words(distinct)

    def _numbers(self, texts: Sequence[str] | pa.ChunkedArray) -> np.ndarray:
        column = texts.to_pylist() if isinstance(texts, pa.ChunkedArray) else texts
        return np.array([self._number[text] for text in column], dtype=np.int64)

    def _edits(self, source: Sequence[str] | pa.ChunkedArray, target: Sequence[str] | pa.ChunkedArray) -> Edits:
        return find_edits(self._words, self._numbers(source), self._words, self._numbers(target))

    def _classes(self, lemma: Sequence[str] | pa.ChunkedArray, source: Sequence[str] | pa.ChunkedArray) -> np.ndarray:
        """Return what leads from lemmas to forms, without regard to which vowels and with: hashes, forms by two."""
        edits = self._edits(lemma, source)
        return np.stack([edits.rules(self._merged, self._merged), edits.rules()], axis=1)

    def _count(self, view: View) -> Counts:
        examples = self._examples[view.source]
        group = examples.exact if view.exact else examples.wide
        contexts = self._contexts(view, examples.edits.word, examples.classes, group)
        rules = examples.edits.rules(self._merged, self._merged) if view.merged else examples.edits.rules()
        rows = slice(None) if view.exact else np.flatnonzero(examples.sampled)
        columns = (np.repeat(column[rows], contexts.shape[1]) for column in (rules, examples.weight, examples.fold))
        return Counts(contexts[rows].ravel(), *columns)

    def _contexts(self, view: View, word: np.ndarray, classes: np.ndarray, group: np.ndarray) -> np.ndarray:
        """Return the contexts of rows, from coarse to fine, within groups of examples."""
        if view.context == "vowels":
            contexts = self._vowel_contexts[word]
        elif view.context == "class":
            endings = [mix(classes[:, 1], self._words.ending(word, size)) for size in range(1, _CLASS_ENDING + 1)]
            contexts = np.column_stack([np.zeros(len(word), dtype=np.uint64), classes, *endings])
        else:
            contexts = np.stack([self._words.ending(word, size) for size in range(_ENDING + 1)], axis=1)
        return mix(group[:, None], contexts, np.arange(contexts.shape[1])[None, :])

    def _query_contexts(self, view: View) -> np.ndarray:
        return self._contexts(
            view, self._query_words[view.source], self._query_classes[view.source], self._groups(view)
        )

    def _groups(self, view: View) -> np.ndarray:
        """Return which examples each query is to look at."""
        queries = self._queries
        if view.source == "lemma":
            return queries.cell if view.exact else self._paradigms.cells.wide[queries.cell]
        if view.exact:
            return mix(queries.given_cell, queries.cell)
        pairs = zip(queries.given_cell.tolist(), queries.cell.tolist(), strict=True)
        return np.array([self._transitions.get(pair, -1) for pair in pairs], dtype=np.int64)

    def candidates(self) -> tuple[np.ndarray, list[str]]:
        """Return the forms that rules propose: the number of the query, in order, and the form."""
        proposed: set[tuple[int, str]] = set()
        for source, rules in self._rules.items():
            rows, numbers = self._proposals(source, rules)
            fits, texts = rules.apply(self._words, self._query_words[source][rows], numbers)
            proposed.update(zip(rows[fits].tolist(), texts, strict=True))
        ordered = sorted(pair for pair in proposed if not _MISSPELT.search(pair[1]))
        return np.array([row for row, _ in ordered], dtype=np.int64), [text for _, text in ordered]

    def _proposals(self, source: str, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
        """Return what examples of a source propose: the number of the query, and that of the rule."""
        informed = self._informed(source)
        pairs = [np.zeros(0, dtype=np.int64)]
        for view, counts in zip(VIEWS, self._counts, strict=True):
            if view.source == source and not view.merged:
                for context in self._query_contexts(view).T:
                    row, rule = counts.frequent(context, self._queries.fold, _PROPOSED)
                    number = rules.numbers(rule)
                    proposing = informed[row] & (number >= 0)
                    pairs.append(row[proposing] * len(rules) + number[proposing])
        rows, numbers = np.divmod(np.unique(np.concatenate(pairs)), max(len(rules), 1))
        return rows, numbers

    def _informed(self, source: str) -> np.ndarray:
        """Tell which queries have something to start from."""
        return (self._queries.given_cell >= 0) | (source == "lemma")

    def weigh(self, row: np.ndarray, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return what speaks for each candidate, and how many examples (the logarithm) that is founded on.

        The first has a column of log-probabilities for each of `VIEWS`, and two of what looks like a word.
        """
        words, goal = Words(texts), np.arange(len(texts))
        merged, fold = self._vowels.merged(words), self._queries.fold[row]
        edits = {source: find_edits(self._words, word[row], words, goal) for source, word in self._query_words.items()}
        rules = {(source, False): edit.rules() for source, edit in edits.items()}
        rules |= {(source, True): edit.rules(self._merged, merged) for source, edit in edits.items()}
        columns, examples = [], []
        for view, counts in zip(VIEWS, self._counts, strict=True):
            contexts = self._query_contexts(view)
            totals = np.stack([counts.total(context, self._queries.fold) for context in contexts.T])
            probability = _interpolated(counts, contexts, totals, row, rules[view.source, view.merged], fold)
            informed = self._informed(view.source)[row]
            columns.append(np.where(informed, np.log(np.maximum(probability, _FLOOR)), 0))
            if view.context == "ending" and not view.merged:
                examples.append(np.log1p(totals[0])[row])
        columns += _likeness(self._paradigms, self._vowels).weigh(words, fold)
        return np.stack(columns, axis=1), np.stack(examples, axis=1)


def _interpolated(
    counts: Counts, contexts: np.ndarray, totals: np.ndarray, row: np.ndarray, rule: np.ndarray, fold: np.ndarray
) -> np.ndarray:
    """Return the probability of each candidate's rule in the contexts of its query, `row`, the coarsest first."""
    probability = np.full(len(row), _UNSEEN)
    for context, total in zip(contexts.T, totals, strict=True):
        count = counts.count(context[row], rule, fold)
        probability = (count + _PRIOR * probability) / (total[row] + _PRIOR)
    return probability


@dataclass(frozen=True)
class _Examples:
    """Edits with the groups that they are counted in."""

    edits: Edits
    classes: np.ndarray
    table: pa.Table
    exact: np.ndarray
    wide: np.ndarray

    @property
    def weight(self) -> np.ndarray:
        return numbers(self.table["weight"])

    @property
    def fold(self) -> np.ndarray:
        return numbers(self.table["fold"])

    @property
    def sampled(self) -> np.ndarray:
        return mask(whole(self.table["sampled"]))
