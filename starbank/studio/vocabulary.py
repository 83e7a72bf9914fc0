"""What a treebank has to ask for, and what of it goes on with a request at the place of the cursor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from starbank.grew.graph import ROOT_FORM, Graph
from starbank.grew.mistakes import surroundings
from starbank.grew.values import ABSENT
from starbank.queries.constructions import KEYS

SHOWN = 12
# The columns of any treebank that a request may ask for, those with few values first.
COLUMNS = ("upos", "form", "lemma", "xpos")
BLOCKS = ("pattern", "with", "without", "global")

# What the grammar of requests takes without quotes.
_PLAIN = re.compile(r"[A-Za-z_]([A-Za-z0-9_'$-]*[A-Za-z0-9_'$])?")
_VALUE = re.compile(r"(\w+)\s*(?:=|<>)\s*(?:[^\[\],|]*\|)*\s*(\"?[^\",|\[\]]*)")
_FEATURE = re.compile(r"(?:[\[,]\s*!?|^)\s*(\w*)")
_LABEL = re.compile(r"-\[\^?(?:[^\]|]*\|)*((?:E:)?[\w:]*)")
_OF_NODE = re.compile(r"([\w$]+)\.(\w*)")
_WORD = re.compile(r"([\w$]*)")
_SETTING = re.compile(r"%\s*(\w*)")
_NODE = re.compile(r"([\w$]+)\s*(?:\[|->|-\[)|->\s*([\w$]+)")


@dataclass(frozen=True)
class Completion:
    """What may stand at a place: `text` takes the place of what is there from `start` on; `detail` is for people."""

    text: str
    label: str
    detail: str


@dataclass(frozen=True)
class Completions:
    """What may stand from a place of the text on to the cursor, the most frequent first."""

    start: int
    offers: tuple[Completion, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as the page reads it."""
        return {"start": self.start, "offers": [asdict(offer) for offer in self.offers]}


class Vocabulary:
    """The features, values and labels of a treebank, with how often it has them."""

    def __init__(self, graph: Graph) -> None:
        """Look at the treebank when asked."""
        self._graph = graph
        self.values = cache(self._values)
        self.features = [*COLUMNS, *sorted(graph.feats.columns), *sorted({*graph.misc.columns} - {"__RAW_MISC__"})]

    def _values(self, feature: str) -> list[tuple[str, int]]:
        """Return the values of a feature with their counts, the most frequent first; none where there is no such."""
        graph = self._graph
        known = feature in graph.columns or feature in graph.feats.columns
        if not known or (feature in graph.feats.columns and graph.feats.columns[feature].dtype.kind == "f"):
            return []
        counts = graph.counts(feature)
        codes = np.flatnonzero(counts)
        codes = codes[codes != ABSENT]
        ordered = codes[np.argsort(-counts[codes], kind="stable")]
        pairs = zip(graph.values.texts(ordered), counts[ordered].tolist(), strict=True)
        return [(text, int(count)) for text, count in pairs if text != ROOT_FORM]

    @property
    def labels(self) -> list[tuple[str, int]]:
        """The labels of edges with their counts, the most frequent first."""
        counts = self._graph.edges.label_counts
        order = np.argsort(-counts, kind="stable").tolist()
        return [(self._graph.labels.compact[code], int(counts[code])) for code in order if counts[code]]


def complete(text: str, cursor: int, vocabulary: Vocabulary) -> Completions:
    """Return what may stand in a request, or a construction, from the word at the cursor on."""
    before = text[:cursor]
    line = before[before.rfind("\n") + 1 :]
    if line.lstrip().startswith("%"):
        return _named(_SETTING, line, cursor, KEYS) if "% ---" in before else Completions(cursor, ())
    inside, _ = surroundings(before)
    if inside == "bracket":
        return _in_bracket(before[before.rfind("[") :], cursor, vocabulary)
    if inside == "label":
        return _counted(_LABEL, before, cursor, vocabulary.labels, _label)
    # Where nothing has been typed of a word, it would be in the way of the next line.
    begun = before[-1:].isalnum()
    if inside == "request":
        return _named(_WORD, before, cursor, BLOCKS if begun or not before.strip() else ())
    nodes = list(dict.fromkeys(name for pair in _NODE.findall(text) for name in pair if name))
    if match := re.search(rf"{_OF_NODE.pattern}\Z", before):
        return _named(re.compile(r"\.(\w*)"), match[0], cursor, vocabulary.features)
    return _named(_WORD, before, cursor, nodes if begun else ())


def _in_bracket(bracket: str, cursor: int, vocabulary: Vocabulary) -> Completions:
    if match := re.search(rf"{_VALUE.pattern}\Z", bracket):
        return _offers(match[2], cursor, vocabulary.values(match[1]), quoted)
    return _named(_FEATURE, bracket, cursor, vocabulary.features)


def _counted(
    pattern: re.Pattern[str], before: str, cursor: int, values: Sequence[tuple[str, int]], write: Callable[[str], str]
) -> Completions:
    match = re.search(rf"{pattern.pattern}\Z", before)
    return _offers(match[1], cursor, values, write) if match else Completions(cursor, ())


def _named(pattern: re.Pattern[str], before: str, cursor: int, names: Iterable[str]) -> Completions:
    return _counted(pattern, before, cursor, [(name, 0) for name in names], str)


def _offers(typed: str, cursor: int, values: Sequence[tuple[str, int]], write: Callable[[str], str]) -> Completions:
    """Return the values that go on with what was typed; first those in the same letters, then with others' case."""
    bare = typed.lstrip('"')
    begun = [pair for pair in values if pair[0].startswith(bare)]
    folded = bare.casefold()
    begun += [pair for pair in values if pair not in begun and pair[0].casefold().startswith(folded)]
    offers = (Completion(write(text), text, f"{count:,}" if count else "") for text, count in begun[:SHOWN])
    return Completions(cursor - len(typed), tuple(offers))


def quoted(value: str) -> str:
    """Return a value as a request has it: in quotes where it needs them."""
    if _PLAIN.fullmatch(value) and value not in BLOCKS:
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _label(label: str) -> str:
    return label if re.fullmatch(r"[A-Za-z]+(:[A-Za-z_]+)*", label) else quoted(label)
