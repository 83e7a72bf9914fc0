"""What the attested forms say for each form that could fill a cell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from starbank.morphology.counts import Counts
from starbank.morphology.edits import Edits, Rules, find_edits
from starbank.morphology.letters import MISSPELT, Letters, Vowels, Words, mix
from starbank.morphology.paradigms import FOLDS, Paradigms, Queries
from starbank.treebanks.arrays import code, mask, numbers, texts, whole

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

    @property
    def counted(self) -> bool:
        """Whether the number of its examples tells how far to trust a choice."""
        return self.context == "ending" and not self.merged


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
        columns = [lemmas["lemma"], lemmas["target"], forms["lemma"], forms["source"], forms["target"]]
        self._words, (lemma, of_lemma, base, source, target, query_lemma, given) = _number_words(
            *columns, texts(queries.lemma), texts(queries.given)
        )
        self._merged = vowels.merged(self._words)
        self._endings = self._words.endings(_ENDING)
        self._vowel_contexts = vowels.contexts(self._words)
        cells = {name: numbers(forms[name]).astype(np.int64) for name in ("transition", "one", "other")}
        goal = numbers(lemmas["other"]).astype(np.int64)
        wide = paradigms.cells.wide[goal]
        given_pair = mix(cells["one"], cells["other"])
        self._examples = {
            "lemma": _Examples(self._edits(lemma, of_lemma), self._merged, lemmas, goal, wide),
            "given": _Examples(self._edits(source, target), self._merged, forms, given_pair, cells["transition"]),
        }
        self._rules = {source: Rules(examples.edits, examples.rules) for source, examples in self._examples.items()}
        self._query_words = {"lemma": query_lemma, "given": given}
        # Where the lemma itself is the source there is no class to be seen.
        classes = {
            name: self._classes(*pair)
            for name, pair in {"example": (base, source), "query": (query_lemma, given)}.items()
        }
        self._query_contexts = [
            self._contexts(view, self._query_words[view.source], classes["query"], self._groups(view)) for view in VIEWS
        ]
        self._counts = [
            self._count(view, classes["example"], contexts)
            for view, contexts in zip(VIEWS, self._query_contexts, strict=True)
        ]

    def _edits(self, source: np.ndarray, target: np.ndarray) -> Edits:
        return find_edits(self._words, source, self._words, target)

    def _classes(self, lemma: np.ndarray, source: np.ndarray) -> np.ndarray:
        """Return what leads from lemmas to forms, without regard to which vowels and with: hashes, forms by two."""
        edits = self._edits(lemma, source)
        return np.stack([edits.rules(self._merged, self._merged), edits.rules()], axis=1)

    def _count(self, view: View, classes: np.ndarray, asked: np.ndarray) -> Counts:
        """Count the rules that a view shows in the contexts that are asked for."""
        examples = self._examples[view.source]
        rows = np.arange(len(examples.weight)) if view.exact else np.flatnonzero(examples.sampled)
        group = examples.exact if view.exact else examples.wide
        contexts = self._contexts(
            view, examples.edits.word[rows], classes[rows] if view.context == "class" else classes, group[rows]
        )
        kept = _among(contexts, asked)
        rows = np.repeat(rows, kept.sum(axis=1))
        rules = examples.merged_rules if view.merged else examples.rules
        return Counts(contexts[kept], *(column[rows] for column in (rules, examples.weight, examples.fold)))

    def _contexts(self, view: View, word: np.ndarray, classes: np.ndarray, group: np.ndarray) -> np.ndarray:
        """Return the contexts of rows, from coarse to fine, within groups of examples."""
        if view.context == "vowels":
            contexts = self._vowel_contexts[word]
        elif view.context == "class":
            endings = mix(classes[:, 1:], self._endings[word, 1 : _CLASS_ENDING + 1])
            contexts = np.column_stack([np.zeros(len(word), dtype=np.uint64), classes, endings])
        else:
            contexts = self._endings[word]
        return mix(group[:, None], contexts, np.arange(contexts.shape[1])[None, :])

    def _groups(self, view: View) -> np.ndarray:
        """Return which examples each query is to look at."""
        queries = self._queries
        if view.source == "lemma":
            return queries.cell if view.exact else self._paradigms.cells.wide[queries.cell]
        if view.exact:
            return mix(queries.given_cell, queries.cell)
        pairs = zip(queries.given_cell.tolist(), queries.cell.tolist(), strict=True)
        return np.array([self._transitions.get(pair, -1) for pair in pairs], dtype=np.int64)

    def candidates(self) -> tuple[np.ndarray, list[str], np.ndarray]:
        """Return the forms that rules propose: the number of the query, in order, the form, if the lemma shows it."""
        proposed: dict[str, set[tuple[int, str]]] = {}
        for source, rules in self._rules.items():
            rows, numbers = self._proposals(source, rules)
            fits, texts = rules.apply(self._words, self._query_words[source][rows], numbers)
            proposed[source] = set(zip(rows[fits].tolist(), texts, strict=True))
        ordered = sorted(pair for pair in set().union(*proposed.values()) if not _MISSPELT.search(pair[1]))
        of_lemma = np.array([pair in proposed["lemma"] for pair in ordered], dtype=bool)
        return np.array([row for row, _ in ordered], dtype=np.int64), [text for _, text in ordered], of_lemma

    def _proposals(self, source: str, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
        """Return what examples of a source propose: the number of the query, and that of the rule."""
        informed = self._informed(source)
        pairs = [np.zeros(0, dtype=np.int64)]
        for view, contexts, counts in zip(VIEWS, self._query_contexts, self._counts, strict=True):
            if view.source == source and not view.merged:
                for context in contexts.T:
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
        for view, contexts, counts in zip(VIEWS, self._query_contexts, self._counts, strict=True):
            totals = np.stack([counts.total(context, self._queries.fold) for context in contexts.T])
            probability = _interpolated(counts, contexts, totals, row, rules[view.source, view.merged], fold)
            informed = self._informed(view.source)[row]
            columns.append(np.where(informed, np.log(np.maximum(probability, _FLOOR)), 0))
            if view.counted:
                examples.append(np.log1p(totals[0])[row])
        columns += _likeness(self._paradigms, self._vowels).weigh(words, fold)
        return np.stack(columns, axis=1), np.stack(examples, axis=1)


def without_given(weighed: np.ndarray, examples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what `Evidence.weigh` would say of candidates if no form of their lemmas were given."""
    of_lemma = [view.source == "lemma" for view in VIEWS] + [True] * (weighed.shape[1] - len(VIEWS))
    counted = [view.source == "lemma" for view in VIEWS if view.counted]
    return np.where(of_lemma, weighed, 0), np.where(counted, examples, 0)


def _interpolated(
    counts: Counts, contexts: np.ndarray, totals: np.ndarray, row: np.ndarray, rule: np.ndarray, fold: np.ndarray
) -> np.ndarray:
    """Return the probability of each candidate's rule in the contexts of its query, `row`, the coarsest first."""
    probability, shown = np.full(len(row), _UNSEEN), np.arange(len(row))
    for context, total in zip(contexts.T, totals, strict=True):
        count = np.zeros(len(row))
        count[shown] = counts.count(context[row[shown]], rule[shown], fold[shown])
        # What is not seen in a context is not seen in a finer one.
        shown = shown[count[shown] > 0]
        probability = (count + _PRIOR * probability) / (total[row] + _PRIOR)
    return probability


class _Examples:
    """Edits with the groups that they are counted in, the `exact` and the `wide` ones."""

    def __init__(self, edits: Edits, merged: Letters, table: pa.Table, exact: np.ndarray, wide: np.ndarray) -> None:
        self.edits, self.exact, self.wide = edits, exact, wide
        self.rules, self.merged_rules = edits.rules(), edits.rules(merged, merged)
        self.weight, self.fold = numbers(table["weight"]), numbers(table["fold"])
        self.sampled = mask(whole(table["sampled"]))


def _number_words(*columns: pa.Array | pa.ChunkedArray) -> tuple[Words, list[np.ndarray]]:
    """Return the distinct words of some columns, and for each column the numbers of its words among these."""
    chunks = [
        chunk for column in columns for chunk in (column.chunks if isinstance(column, pa.ChunkedArray) else [column])
    ]
    numbers, words = code(pa.concat_arrays(chunks))
    return Words(words), np.split(numbers.astype(np.int64), np.cumsum([len(column) for column in columns])[:-1])


def _among(hashes: np.ndarray, sought: np.ndarray) -> np.ndarray:
    """Tell which hashes are sought, and of a few that are not that they were: all have one place in a table of bits."""
    size = 1 << (16 * sought.size).bit_length()
    places = np.uint64(size - 1)
    table = np.zeros(size, dtype=bool)
    table[sought & places] = True
    return table[hashes & places]
