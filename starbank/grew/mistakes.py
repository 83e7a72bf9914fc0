"""What went wrong, told to a linguist: parser errors -> `RequestError` with a caret and a hint."""

from __future__ import annotations

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from starbank.errors import RequestError
from starbank.grew.syntax import Place, Source


def error_at(source: Source, place: Place, message: str, hint: str | None = None) -> RequestError:
    """Return the error that points at `place` of `source`."""
    return RequestError(
        message, file=source.file, line=place.line, column=place.column, source=source.line(place.line), hint=hint
    )


def explain(error: UnexpectedInput, source: Source) -> RequestError:
    """Turn a parser error into one that says what is there, what is missing, and what to do."""
    if isinstance(error, UnexpectedCharacters):
        place = Place(error.line, error.column)
        character = source.text[error.pos_in_stream]
        return error_at(source, place, f"unexpected character {character!r}")
    if isinstance(error, UnexpectedToken):
        if error.token.type == "$END":
            return error_at(source, _end(source), "the request ends too early: a closing brace is missing")
        return error_at(source, Place(error.line, error.column), f"unexpected “{error.token}”")
    raise error


def _end(source: Source) -> Place:
    lines = source.text.rstrip().splitlines() or [""]
    return Place(len(lines), len(lines[-1]) + 1)
