"""Tests of features that could never work are errors when a request is read."""

from __future__ import annotations

import difflib

from starbank.grew import syntax
from starbank.grew.names import NUMERIC_FEATURES
from starbank.grew.syntax import Name, Source

EDGE_NUMBERS = ("length", "delta")


def check_feature_test(source: Source, kind: str, test: syntax.FeatureTest) -> None:
    """Raise `RequestError` where a number is tested as if it were text."""
    feature = test.feature
    if feature.text not in NUMERIC_FEATURES:
        return
    if isinstance(test, syntax.Matches):
        hint = "Compare it with = <> < > <= >=."
        raise source.error(feature.place, f"{feature.text} is a number; a regular expression cannot match it", hint)
    values = test.values if isinstance(test, syntax.OneOf) else ()
    if kind == "edge" and feature.text in EDGE_NUMBERS and not values:
        raise source.error(feature.place, f"every edge has a {feature.text}", "Compare it with = <> < > <= >=.")
    for value in values:
        try:
            float(value)
        except ValueError:
            raise source.error(feature.place, f"{feature.text} is a number, and “{value}” is none") from None


def check_presence(source: Source, clause: syntax.FeatureClause) -> None:
    """Raise `RequestError` where `X.f` asks whether a number is there: Grew asks so for text only."""
    feature = clause.test.feature
    if isinstance(clause.test, syntax.Present) and feature.text in NUMERIC_FEATURES:
        node = clause.owner.text
        hint = f"{node} [{feature.text}] asks whether {node} has it."
        raise source.error(feature.place, f"{feature.text} is a number; {node}.{feature.text} asks for text", hint)


def check_attribute_order(source: Source, kind: str, feature: Name) -> None:
    """Raise `RequestError` where `<` or `>` compares something that is not a number."""
    if feature.text in NUMERIC_FEATURES or (kind == "node" and feature.text == "__id__"):
        return
    close = difflib.get_close_matches(feature.text, EDGE_NUMBERS, 1)
    if close and kind == "edge":
        raise source.error(feature.place, f"unknown number of an edge: {feature.text}", f"Did you mean {close[0]}?")
    numbers = "length and delta of an edge" if kind == "edge" else "AlignBegin, AlignEnd, Duration and the like"
    hint = f"Only {numbers} can be ordered; other values compare with = and <>. Word order is X << Y."
    raise source.error(feature.place, f"{feature.text} is text, and text cannot be ordered", hint)
