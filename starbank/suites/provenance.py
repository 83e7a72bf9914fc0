"""What a table says of its making, read as what anybody may have written there: types, names and sums are checked."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from starbank import names
from starbank.errors import SuiteError
from starbank.files import read_metadata

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

# Longer values are cut in messages.
_SHOWN = 80
# What it takes to find a treebank again, and to say whose it is.
TREEBANK = ("name", "license", "release", "source", "files")


def read_provenance(file: Path, required: Collection[str] = ()) -> dict[str, Any]:
    """Return what the table at `file` says of its making; what it says has the types and names that it should have.

    `required` are paths of keys, such as `construction.query`, that have to be there. Raises `SuiteError` where the
    file is no Parquet, and where it lacks one of them or has something else in place of what it should say.
    """
    from starbank.suites.provenance_schema import find_mistake  # which imports jsonschema

    try:
        value = read_metadata(file)
        # What cannot be written as UTF-8 was never written by us.
        json.dumps(value, ensure_ascii=False).encode()
        error = find_mistake(value)
    except RecursionError as too_deep:
        raise SuiteError("says of its making what is nested too deeply to be read", file=file) from too_deep
    except (OSError, ValueError, pa.ArrowException) as unreadable:
        raise SuiteError(f"cannot be read as Parquet: {_cut(str(unreadable))}", file=file) from unreadable
    if error is not None:
        hint = names.RULE if error.validator == "format" and error.validator_value == "name" else None
        raise SuiteError(f"says of its making what cannot be: {_message(error)}", file=file, hint=hint)
    require_keys(value, required, file)
    return value


def require_keys(provenance: Mapping[str, Any], paths: Collection[str], file: Path) -> None:
    """Raise `SuiteError` where what the table at `file` says of its making lacks one of these paths of keys.

    All members of a list have to have what is asked for: `treebanks.license` is that of each treebank.
    """
    for path in paths:
        if _lacks(provenance, path.split(".")):
            message = f"does not say where its items come from: it lacks `{path}`"
            raise SuiteError(message, file=file, hint="Generate it again.")


def _lacks(value: Any, keys: Sequence[str]) -> bool:
    if not keys:
        return False
    if isinstance(value, list):
        return any(_lacks(member, keys) for member in value)
    return not isinstance(value, Mapping) or keys[0] not in value or _lacks(value[keys[0]], keys[1:])


def require_names(
    table: pa.Table, file: Path, columns: Collection[str] = ("construction", "language", "treebank")
) -> None:
    """Raise `SuiteError` where one of these columns, which become paths, has something that is no name."""
    for column in columns:
        for value in table[column].unique().to_pylist():
            if value and not names.is_name(value):
                message = f"has {_cut(repr(value))} in the column `{column}`, which is no name"
                raise SuiteError(message, file=file, hint=names.RULE)


def require_table(path: Path, schema: str, columns: pa.Schema, *, hint: str) -> None:
    """Raise `SuiteError` unless the file at `path` is a table of that schema (`scores/1`) and has these columns."""
    try:
        name = read_metadata(path).get("schema")
    except FileNotFoundError:
        raise SuiteError("there is no such file", file=path, hint=hint) from None
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SuiteError(f"cannot be read as Parquet: {error}", file=path, hint=hint) from error
    if name != schema:
        raise SuiteError(f"holds {name or 'no Starbank table'} instead of {schema}", file=path, hint=hint)
    require_columns(pq.read_schema(path), columns, path)


def require_columns(schema: pa.Schema, required: pa.Schema, file: Path) -> None:
    """Raise `SuiteError` where a table with `schema` lacks a column that is `required`, or has it in another type."""
    for field in required:
        place = schema.get_field_index(field.name)
        if place < 0:
            raise SuiteError(f"lacks the column `{field.name}`", file=file, hint="Generate it again.")
        if not _fits(schema.field(place).type, field.type):
            message = f"has the column `{field.name}` as {_cut(str(schema.field(place).type))}, not {field.type}"
            raise SuiteError(message, file=file, hint="Generate it again.")


def _fits(kind: pa.DataType, required: pa.DataType) -> bool:
    """Tell whether a column has a type; one of nulls may have any, and a struct may have more fields."""
    if pa.types.is_null(kind):
        return True
    if pa.types.is_list(required) and pa.types.is_list(kind):
        return _fits(kind.value_type, required.value_type)
    if pa.types.is_struct(required) and pa.types.is_struct(kind):
        fields = {field.name: field.type for field in kind}
        return all(field.name in fields and _fits(fields[field.name], field.type) for field in required)
    return bool(kind == required)


def _message(error: ValidationError) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    is_format = error.validator == "format"
    message = _cut(f"{_cut(repr(error.instance))} is no {error.validator_value}" if is_format else error.message)
    return f"{_cut(place.lstrip('.'))}: {message}" if place else message


def _cut(text: str) -> str:
    """Return a text for a message: on one line, and not too long."""
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return line if len(line) <= 2 * _SHOWN else f"{line[:_SHOWN]} … {line[-_SHOWN:]}"
