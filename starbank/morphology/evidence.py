"""What the attested forms say for each form that could fill a cell."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow.compute as pc

from starbank.morphology.counts import Counts
from starbank.morphology.edits import Rules, find_edits
from starbank.morphology.entries import Examples
from starbank.morphology.letters import MISSPELT, Vowels, Words, distinct, mix
from starbank.morphology.likeness import Likeness
from starbank.morphology.paradigms import Paradigms, Queries
from starbank.morphology.views import VIEWS, Looks, View
from starbank.treebanks.arrays import code, mask, texts

# How many rules each ending proposes.
_PROPOSED = 4
# Probabilities are interpolated from coarse contexts to fine ones, each context outweighing the coarser with its count
# against this (Witten and Bell 1991); a rule that was never seen has the first probability.
_PRIOR = 1.0
_UNSEEN = 1 / 200
_FLOOR = 1e-4


class Seen:
    """What all queries look at: the attested forms, and what looks like one."""

    def __init__(self, paradigms: Paradigms, vowels: Vowels) -> None:
        self.paradigms, self.vowels = paradigms, vowels
        self.looks, self.likeness = Looks(paradigms.entries.words, vowels), Likeness(paradigms, vowels)


class Evidence:
    """What there is to learn from for some queries."""

    def __init__(self, seen: Seen, queries: Queries) -> None:
        self._seen, self._queries = seen, queries
        of_lemmas, of_forms, self._transitions = seen.paradigms.examples(queries)
        shown = {"lemma": _Shown(seen.looks, of_lemmas), "given": _Shown(seen.looks, of_forms)}
        self._rules = {source: Rules(examples.edits, examples.rules[False]) for source, examples in shown.items()}
        number, words = code(texts([*queries.lemma, *queries.given]))
        self._asked = Looks(Words(words), seen.vowels)
        lemma, given = number.astype(np.int64).reshape(2, -1)
        self._query_words = {"lemma": lemma, "given": given}
        classes = self._asked.classes(lemma, given)
        self._contexts = [
            self._asked.contexts(view, self._query_words[view.source], classes, self._groups(view)) for view in VIEWS
        ]
        self._counts = [
            shown[view.source].count(view, contexts) for view, contexts in zip(VIEWS, self._contexts, strict=True)
        ]

    def _groups(self, view: View) -> np.ndarray:
        """Return which examples each query is to look at."""
        queries = self._queries
        if view.source == "lemma":
            return queries.cell if view.exact else self._seen.paradigms.cells.wide[queries.cell]
        if view.exact:
            return mix(queries.given_cell, queries.cell)
        return self._transition

    @cached_property
    def _transition(self) -> np.ndarray:
        pairs = zip(self._queries.given_cell.tolist(), self._queries.cell.tolist(), strict=True)
        return np.array([self._transitions.get(pair, -1) for pair in pairs], dtype=np.int64)

    def candidates(self) -> tuple[np.ndarray, list[str], np.ndarray]:
        """Return the forms that rules propose: the number of the query, in order, the form, if the lemma shows it."""
        proposed: dict[str, tuple[np.ndarray, list[str]]] = {}
        for source, rules in self._rules.items():
            rows, numbers = self._proposals(source, rules)
            fits, forms = rules.apply(self._asked.words, self._query_words[source][rows], numbers)
            proposed[source] = rows[fits], forms
        number, words = code(texts([form for _, forms in proposed.values() for form in forms]))
        order = sorted(range(len(words)), key=words.__getitem__)
        rank = np.empty(len(words), dtype=np.int64)
        rank[order] = np.arange(len(words))
        pairs = np.concatenate([rows for rows, _ in proposed.values()]) * len(words) + rank[number]
        misspelt = mask(pc.match_substring_regex(texts(words), MISSPELT))
        found, _, _ = distinct(pairs[~misspelt[number]])
        row, form = np.divmod(found, max(len(words), 1))
        of_lemma = np.isin(found, pairs[: len(proposed["lemma"][0])])
        return row, [words[order[at]] for at in form.tolist()], of_lemma

    def _proposals(self, source: str, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
        """Return what examples of a source propose: the number of the query, and that of the rule."""
        informed = self._informed(source)
        pairs = [np.zeros(0, dtype=np.int64)]
        for view, contexts, counts in zip(VIEWS, self._contexts, self._counts, strict=True):
            if view.source == source and not view.merged:
                for context in contexts.T:
                    row, rule = counts.frequent(context, self._queries.fold, _PROPOSED)
                    number = rules.numbers(rule)
                    proposing = informed[row] & (number >= 0)
                    pairs.append(row[proposing] * len(rules) + number[proposing])
        rows, numbers = np.divmod(distinct(np.concatenate(pairs))[0], max(len(rules), 1))
        return rows, numbers

    def _informed(self, source: str) -> np.ndarray:
        """Tell which queries have something to start from."""
        return (self._queries.given_cell >= 0) | (source == "lemma")

    def weigh(self, row: np.ndarray, forms: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return what speaks for each candidate, and how many examples (the logarithm) that is founded on.

        The first has a column of log-probabilities for each of `VIEWS`, and two of what looks like a word.
        """
        words, goal = Words(forms), np.arange(len(forms))
        merged, fold = self._seen.vowels.merged(words), self._queries.fold[row]
        edits = {
            source: find_edits(self._asked.words, word[row], words, goal) for source, word in self._query_words.items()
        }
        rules = {(source, False): edit.rules() for source, edit in edits.items()}
        rules |= {(source, True): edit.rules(self._asked.merged, merged) for source, edit in edits.items()}
        columns, examples = [], []
        for view, contexts, counts in zip(VIEWS, self._contexts, self._counts, strict=True):
            totals = np.stack([counts.total(context, self._queries.fold) for context in contexts.T])
            probability = _interpolated(counts, contexts, totals, row, rules[view.source, view.merged], fold)
            informed = self._informed(view.source)[row]
            columns.append(np.where(informed, np.log(np.maximum(probability, _FLOOR)), 0))
            if view.counted:
                examples.append(np.log1p(totals[0])[row])
        columns += self._seen.likeness.weigh(words, fold)
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


class _Shown:
    """The rules that examples show, those that do not tell vowels apart, too, by whether they are `merged`."""

    def __init__(self, looks: Looks, examples: Examples) -> None:
        self._looks, self._examples = looks, examples
        self.edits = looks.edits(examples.source, examples.target)
        self.rules = {False: self.edits.rules(), True: self.edits.rules(looks.merged, looks.merged)}

    def count(self, view: View, asked: np.ndarray) -> Counts:
        """Count the rules in the contexts that are asked for."""
        examples = self._examples
        rows = np.arange(len(examples.target)) if view.exact else np.flatnonzero(examples.sampled)
        group = (examples.exact if view.exact else examples.wide)[rows]
        classes = self._classes[rows] if view.context == "class" else np.zeros((0, 2))
        contexts = self._looks.contexts(view, examples.source[rows], classes, group)
        kept = _among(contexts, asked)
        rows = np.repeat(rows, kept.sum(axis=1))
        columns = (self.rules[view.merged], examples.weight, examples.fold)
        return Counts(contexts[kept], *(column[rows] for column in columns))

    @cached_property
    def _classes(self) -> np.ndarray:
        return self._looks.classes(self._examples.lemma, self._examples.source)


def _among(hashes: np.ndarray, sought: np.ndarray) -> np.ndarray:
    """Tell which hashes are sought, and of a few that are not that they were: all have one place in a table of bits."""
    size = 1 << (16 * sought.size).bit_length()
    places = np.uint64(size - 1)
    table = np.zeros(size, dtype=bool)
    table[sought & places] = True
    found: np.ndarray = table[hashes & places]
    return found
