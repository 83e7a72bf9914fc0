"""The text of a formula -> its typed tree."""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError

from starbank.errors import SuiteError
from starbank.grammars import open_parser
from starbank.suites.formulas import Arithmetic, Comparison, Formula, Logic, Number, Region, Source, Value


def parse(source: Source) -> Formula:
    """Return the tree of a formula; raises `SuiteError`, see `starbank.suites.formulas.parse_formula`."""
    try:
        tree = _Builder(source).transform(_parser().parse(source.text))
    except UnexpectedInput as error:
        raise _explain(error, source) from None
    except (VisitError, RecursionError) as error:
        cause = error.orig_exc if isinstance(error, VisitError) else error
        if isinstance(cause, SuiteError):
            raise cause from None
        if isinstance(cause, RecursionError):
            message = "a prediction is nested too deeply to be read"
            raise SuiteError(message, file=source.file, line=source.line) from None
        raise
    if not isinstance(tree, Formula):
        raise source.error("a prediction compares: this is only a number", tree.column, "Write … > 0, for example.")
    return tree


@cache
def _parser() -> Lark:
    return open_parser("starbank.suites", "formula.lark", start="formula")


def _column(token: Token) -> int:
    return (token.start_pos or 0) + 1


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Builds the typed tree."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source

    def region(self, token: Token) -> Region:
        name, _, condition = (part.strip() for part in token.strip("()").partition(";%"))
        return Region(int(name) if name.isdecimal() else name, condition.rstrip("%").rstrip(), _column(token))

    def number(self, token: Token) -> Number:
        return Number(float(token), _column(token))

    def arithmetic(self, left: Any, sign: Token, right: Any) -> Arithmetic:
        return Arithmetic(*self._sides(left, sign, right, Value, "numbers"))

    def comparison(self, left: Any, sign: Token, right: Any) -> Comparison:
        return Comparison(*self._sides(left, sign, right, Value, "numbers"))

    def logic(self, left: Any, sign: Token, right: Any) -> Logic:
        return Logic(*self._sides(left, sign, right, Formula, "comparisons"))

    def _sides(self, left: Any, sign: Token, right: Any, kind: Any, sides: str) -> tuple[str, Any, Any, int]:
        for side in (left, right):
            if not isinstance(side, kind):
                actual = "a comparison" if isinstance(side, Formula) else "a number"
                hint = "& and | bind less than a comparison, and that less than + and -; parentheses group."
                raise self.source.error(
                    f"“{sign}” wants {sides} on both sides, and here is {actual}", side.column, hint
                )
        return str(sign), left, right, left.column


def _explain(error: UnexpectedInput, source: Source) -> SuiteError:
    column = (error.pos_in_stream or 0) + 1
    tail = source.text[column - 1 :]
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return source.error("the formula ends too early", len(source.text) + 1, "Close what is open, or add its end.")
    if isinstance(error, UnexpectedToken) and error.token.type == "COMPARISON" and "REGION" not in error.expected:
        return source.error("a comparison has two sides", column, "Join two comparisons with &.")
    if isinstance(error, UnexpectedCharacters) and tail[0] in ";%":
        return source.error("this is no region", column, "A region is written (2;%condition%), with its number or *.")
    return source.error(
        f"“{tail[0]}” cannot stand here",
        column,
        "A formula is like (2;%mismatch%) > (2;%match%); it knows + - < > = & |.",
    )
