"""Ways to look at words that something is learned from: what their rules may depend on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from starbank.morphology.edits import Edits, find_edits
from starbank.morphology.letters import Vowels, Words, mix

# The longest ending that rules are told apart by, alone and within a class of inflection.
_ENDING = 6
_CLASS_ENDING = 3


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


class Looks:
    """Words with all that rules may depend on: their endings, their vowels, and what they are without these."""

    def __init__(self, words: Words, vowels: Vowels) -> None:
        self.words, self.merged = words, vowels.merged(words)
        self._endings, self._vowels = words.endings(_ENDING), vowels.contexts(words)

    def edits(self, source: np.ndarray, target: np.ndarray) -> Edits:
        """Return what leads from word to word."""
        return find_edits(self.words, source, self.words, target)

    def classes(self, lemma: np.ndarray, form: np.ndarray) -> np.ndarray:
        """Return what leads from lemmas to forms, without regard to which vowels and with: hashes, forms by two."""
        edits = self.edits(lemma, form)
        return np.stack([edits.rules(self.merged, self.merged), edits.rules()], axis=1)

    def contexts(self, view: View, word: np.ndarray, classes: np.ndarray, group: np.ndarray) -> np.ndarray:
        """Return the contexts of words, from coarse to fine, within groups of examples: hashes.

        Their classes of inflection, as `classes` gives them, matter to views whose context is the class.
        """
        if view.context == "vowels":
            contexts = self._vowels[word]
        elif view.context == "class":
            endings = mix(classes[:, 1:], self._endings[word, 1 : _CLASS_ENDING + 1])
            contexts = np.column_stack([np.zeros(len(word), dtype=np.uint64), classes, endings])
        else:
            contexts = self._endings[word]
        return mix(group[:, None], contexts, np.arange(contexts.shape[1])[None, :])
