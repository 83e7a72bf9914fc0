"""The formulas of predictions: text -> typed tree -> text, or SQL over the surprisals of an item.

The language is SyntaxGym's (Gauthier et al. 2020): `(2;%mismatch%) > (2;%match%)` says that region 2 is more surprising
in the condition `mismatch`. A region may also be given by its name, `(target;%Dat%)`, and `*` stands for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from starbank.errors import SuiteError, nearest

ALL_REGIONS = "*"
# What SyntaxGym takes for equal, in bits.
RELATIVE, ABSOLUTE = 1e-5, 1e-3
# How tightly operators bind.
_LOGIC, _COMPARISON, _SUM = range(3)

Side = TypeVar("Side")


@dataclass(frozen=True)
class Region:
    """The surprisal of a region, in bits: `region` is its number from 1, its name, or `*` for the sum over all."""

    region: int | str
    condition: str
    column: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Number:
    """A number, of bits where it is compared with a surprisal."""

    value: float
    column: int = field(default=0, compare=False)


@dataclass(frozen=True)
class _Operation(Generic[Side]):
    sign: str
    left: Side
    right: Side
    column: int = field(default=0, compare=False)


class Arithmetic(_Operation["Value"]):
    """A sum (`+`) or a difference (`-`)."""


class Comparison(_Operation["Value"]):
    """`<`, `>` or `=`; what is nearly equal is equal, see `RELATIVE` and `ABSOLUTE`."""


class Logic(_Operation["Formula"]):
    """Both (`&`) or at least one (`|`)."""


Value = Region | Number | Arithmetic
Formula = Comparison | Logic


def parse_formula(text: str, file: str | Path | None = None, line: int | None = None) -> Formula:
    """Read a formula; `file` and `line` are named in errors.

    Raises `SuiteError` with a caret under the character where the formula cannot be read, or compares what is no
    number, or joins what is true or false of nothing.
    """
    from starbank.suites.formula_parser import parse  # which imports Lark

    return parse(Source(text, file, line))


def show(formula: Formula | Value) -> str:
    """Return a formula as SyntaxGym writes it, with no more parentheses than it takes.

    >>> show(parse_formula("[[(1;%a%)-(1;%b%)]>0]&[(2;%a%)<(2;%b%)]"))
    '(1;%a%) - (1;%b%) > 0 & (2;%a%) < (2;%b%)'
    """
    return _show(formula, _LOGIC)


def regions(formula: Formula | Value) -> Iterator[Region]:
    """Return the regions that a formula refers to, from left to right."""
    if isinstance(formula, Region):
        yield formula
    elif not isinstance(formula, Number):
        yield from regions(formula.left)
        yield from regions(formula.right)


def check_formulas(
    texts: Sequence[str],
    conditions: Sequence[str],
    names: Sequence[str],
    file: str | Path | None = None,
    line: int | None = None,
) -> tuple[str, ...]:
    """Return `texts`, each a formula about these `conditions`, and regions of these `names`.

    Raises `SuiteError` where one cannot be read, see `parse_formula`, or names a condition or region that there is not.
    """
    for text in texts:
        source = Source(text, file, line)
        for region in regions(parse_formula(text, file, line)):
            _check_region(region, conditions, names, source)
    return tuple(texts)


def rename(formula: Any, conditions: Mapping[str, str], names: Sequence[str]) -> Any:
    """Return a formula with other names of conditions, and with numbers in place of the names of regions."""
    if isinstance(formula, Region):
        number = names.index(formula.region) + 1 if formula.region in names else formula.region
        return replace(formula, region=number, condition=conditions.get(formula.condition, formula.condition))
    if isinstance(formula, Number):
        return formula
    sides = {side: rename(getattr(formula, side), conditions, names) for side in ("left", "right")}
    return replace(formula, **sides)


def to_sql(formula: Formula | Value, region: Callable[[Region], str], tie: float = 0.0) -> str:
    """Return a formula as an expression of DuckDB, true or false, or null where a surprisal is null.

    `region` returns the expression for the surprisal of a region; of two that are closer than `tie` none is greater.
    """
    if isinstance(formula, Region):
        return region(formula)
    if isinstance(formula, Number):
        return f"{formula.value!r}::DOUBLE"
    left, right = to_sql(formula.left, region, tie), to_sql(formula.right, region, tie)
    if isinstance(formula, Logic):
        # Of three values: an item of which something is not known does not count, whatever the rest says.
        joined = {"&": "AND", "|": "OR"}[formula.sign]
        return f"CASE WHEN ({left}) IS NOT NULL AND ({right}) IS NOT NULL THEN ({left}) {joined} ({right}) END"
    if formula.sign == "=":
        return f"(abs({left} - {right}) <= {ABSOLUTE!r} + {RELATIVE!r} * abs({right}))"
    if isinstance(formula, Comparison):
        return f"({left} {formula.sign} {right} {'-' if formula.sign == '<' else '+'} {tie!r})"
    return f"({left} {formula.sign} {right})"


@dataclass(frozen=True)
class Source:
    """A formula's text, and where it stands."""

    text: str
    file: str | Path | None
    line: int | None

    def error(self, message: str, column: int, hint: str | None = None) -> SuiteError:
        """Return the error of a mistake at a column of the text, from 1."""
        # Formulas may be broken into lines; the caret is in the one where the mistake is.
        text = re.sub(r"\s", " ", self.text)
        return SuiteError(message, file=self.file, line=self.line, source=text, column=column, hint=hint)


def _check_region(region: Region, conditions: Sequence[str], names: Sequence[str], source: Source) -> None:
    condition, place = region.condition, region.region
    if condition not in conditions:
        raise source.error(f"there is no condition {condition}", region.column, nearest(condition, conditions))
    if isinstance(place, int) and not 1 <= place <= len(names):
        hint = f"There are {len(names)}: " + ", ".join(f"{n} {name}" for n, name in enumerate(names, 1)) + "."
        raise source.error(f"there is no region {place}", region.column, hint)
    if isinstance(place, str) and place not in (ALL_REGIONS, *names):
        raise source.error(f"there is no region {place}", region.column, nearest(place, names))


def _show(formula: Formula | Value, around: int) -> str:
    if isinstance(formula, Region):
        return f"({formula.region};%{formula.condition}%)"
    if isinstance(formula, Number):
        return f"{formula.value:.0f}" if formula.value.is_integer() else repr(formula.value)
    strength = {Logic: _LOGIC, Comparison: _COMPARISON, Arithmetic: _SUM}[type(formula)]
    # Both Logic and Arithmetic group to the left; a comparison has no comparison inside.
    left = _show(formula.left, strength + isinstance(formula, Comparison))
    text = f"{left} {formula.sign} {_show(formula.right, strength + 1)}"
    return f"({text})" if strength < around else text
