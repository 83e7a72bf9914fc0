"""Edge labels: small feature structures with a compact spelling, `nsubj:pass` or `E:obl:from`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from starbank.grew import syntax
from starbank.grew.regexps import compile_regexp
from starbank.treebanks import arrays

Parts = dict[str, str]


def parse_label(text: str) -> Parts:
    """Take a label apart: `E:obl:in:loc` is {1: obl, 2: in:loc, enhanced: yes}.

    The first colon ends `1`; the first slash after it begins `type`; `E:` in front means an enhanced edge. An
    empty string is the label of an edge without DEPREL. The long form (`1=nsubj,enhanced=yes`) is read as well.
    """
    if not text:
        return {}
    bare = text.removeprefix("E:")
    parts: Parts = {} if bare == text else {"enhanced": "yes"}
    if "=" in bare:
        return parts | dict(part.split("=", 1) for part in bare.split(",") if "=" in part)
    first, colon, rest = bare.partition(":")
    head, slash, kind = (rest if colon else first).partition("/")
    parts |= {"1": first, "2": head} if colon else {"1": head}
    return parts | ({"type": kind} if slash else {})


def compact_label(parts: Parts) -> str:
    """Return the compact spelling of a label, or its long form where it has no compact one."""
    if not parts:
        return ""
    if "1" not in parts or not parts.keys() <= {"1", "2", "type", "enhanced"} or parts.get("enhanced", "yes") != "yes":
        return ",".join(f"{name}={value}" for name, value in sorted(parts.items()))
    second = f":{parts['2']}" if "2" in parts else ""
    kind = f"/{parts['type']}" if "type" in parts else ""
    return ("E:" if "enhanced" in parts else "") + parts["1"] + second + kind


def to_json(compact: str | None) -> str | Parts:
    """Return the label as Grew prints it: plain where `1` is its only part, an object otherwise."""
    parts = parse_label(compact or "")
    return parts["1"] if set(parts) == {"1"} else parts


@dataclass(frozen=True)
class Labels:
    """The labels of a treebank's edges, in alphabetical order; a label's code is its place here."""

    compact: Sequence[str]

    @cached_property
    def parts(self) -> list[Parts]:
        """The labels, taken apart."""
        return list(map(parse_label, self.compact))

    @cached_property
    def columns(self) -> dict[str, list[str | None]]:
        """The values of each sub-feature, and of `label`, of all labels."""
        names = sorted({name for parts in self.parts for name in parts} | {"label"})
        return {name: [self.value(code, name) for code in range(len(self.compact))] for name in names}

    def value(self, code: int, feature: str) -> str | None:
        """Return a sub-feature of a label, or its compact spelling as `label`; None where it is absent.

        As `label`, an edge without one has `_`, as in CoNLL-U.
        """
        return (self.compact[code] or "_") if feature == "label" else self.parts[code].get(feature)

    def satisfying(self, test: syntax.LabelTest) -> list[int]:
        """Return the codes of the labels that `test` accepts."""
        match test:
            case syntax.LabelList(labels, negated):
                listed = [parse_label(label) for label in labels]
                return [code for code, parts in enumerate(self.parts) if (parts in listed) != negated]
            case syntax.LabelRegexp(regexp):
                fits = compile_regexp(regexp).matching(arrays.texts(self.compact))
                return [code for code, label in enumerate(self.compact) if label and fits[code]]
            case syntax.LabelAtoms(tests):
                return np.flatnonzero(np.logical_and.reduce([self.holding(test) for test in tests])).tolist()

    def holding(self, test: syntax.FeatureTest) -> np.ndarray:
        """Tell for each label whether it satisfies the test of one of its sub-features."""
        return holding(test, lambda feature: self.columns.get(feature, [None] * len(self.compact)))


def holding(test: syntax.FeatureTest, values_of: Callable[[str], Sequence[str | None]]) -> np.ndarray:
    """Tell where `test` holds; `values_of` gives the values of each feature, None where it is absent."""
    values = values_of(test.feature.text)
    present = np.array([value is not None for value in values], bool)
    match test:
        case syntax.Present():
            return present
        case syntax.Absent():
            return ~present
        case syntax.OneOf(_, listed, negated):
            fits = np.array([value in listed for value in values], bool)
            return np.asarray(present & (fits != negated))
        case syntax.Matches(_, regexp, negated):
            fits = compile_regexp(regexp).matching(arrays.texts([value or "" for value in values]))
            return np.asarray(present & (fits != negated))
        case syntax.Otherwise(_, value, fallback, fallback_value):
            first = holding(syntax.OneOf(test.feature, (value,)), values_of)
            return np.where(present, first, holding(syntax.OneOf(fallback, (fallback_value,)), values_of))
