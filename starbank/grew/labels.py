"""Edge labels: small feature structures with a compact spelling, `nsubj:pass` or `E:obl:from`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starbank.grew import syntax
from starbank.grew.regexps import compile_regexp

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

    compact: tuple[str, ...]
    parts: tuple[Parts, ...]

    @classmethod
    def of(cls, compact: Sequence[str]) -> Labels:
        """Take every label apart."""
        return cls(tuple(compact), tuple(map(parse_label, compact)))

    def value(self, code: int, feature: str) -> str | None:
        """Return a sub-feature of a label, or its compact spelling as `label`; None where it is absent."""
        return (self.compact[code] or None) if feature == "label" else self.parts[code].get(feature)

    def satisfying(self, test: syntax.LabelTest) -> list[int]:
        """Return the codes of the labels that `test` accepts."""
        match test:
            case syntax.AnyLabel():
                return list(range(len(self.compact)))
            case syntax.LabelList(labels, negated):
                wanted = [parse_label(label) for label in labels]
                return [code for code, parts in enumerate(self.parts) if (parts in wanted) != negated]
            case syntax.LabelRegexp(regexp):
                accepts = compile_regexp(regexp)
                return [code for code, label in enumerate(self.compact) if label and accepts(label)]
            case syntax.LabelAtoms(tests):
                return [code for code in range(len(self.compact)) if all(self.holds(code, test) for test in tests)]

    def holds(self, code: int, test: syntax.FeatureTest) -> bool:
        """Tell whether the label satisfies the test of one of its sub-features."""
        return holds(test, lambda feature: self.value(code, feature))


def holds(test: syntax.FeatureTest, value_of: Callable[[str], str | None]) -> bool:
    """Tell whether `test` holds where `value_of` gives the value of each feature, None for an absent one."""
    value = value_of(test.feature.text)
    match test:
        case syntax.Present():
            return value is not None
        case syntax.Absent():
            return value is None
        case syntax.OneOf(_, values):
            return value in values
        case syntax.NoneOf(_, values):
            return value is not None and value not in values
        case syntax.Matches(_, regexp, negated):
            return value is not None and compile_regexp(regexp)(value) != negated
        case syntax.Otherwise(_, wanted, fallback, other):
            return value == wanted if value is not None else value_of(fallback.text) == other
