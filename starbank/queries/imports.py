"""Test suites of others -> suites: SyntaxGym's JSON, and the pairs of prefix and ending that BHS are published as.

SyntaxGym (Gauthier et al. 2020) puts one space between regions, also before a comma, and none beside an empty region.
Ours concatenate with nothing added, so the space stands at the end of the region before. BHS (Kryvosheieva & Levy 2025)
are lists of `[[prefix, prefix], [good, bad]]`, joined by a space, too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starbank.documents import SAVE_AS_UTF8, language_code
from starbank.errors import SuiteError, nearest
from starbank.names import require_name
from starbank.queries.heading import Heading
from starbank.suites.formulas import check_formulas

SUFFIX = ".json"
METRICS = ("sum", "mean", "median", "range", "max", "min")
GRAMMATICAL, STARRED = "grammatical", "starred"
_LIKE = "It should be as docs/syntaxgym.md shows."


@dataclass(frozen=True, kw_only=True)
class Import(Heading):
    """A file of another project, read and checked.

    - `metric` says which surprisal of a region its `predictions` are about: the `sum` over its tokens, or another of
      `METRICS`;
    - `region_names`, and for each item its number and the texts of its regions by condition, without spaces between;
    - `grammatical` are the conditions that are known to be grammatical, the others being starred; where it is empty,
      nothing is known of any.
    """

    language: str
    license: str | None = None
    comment: str = ""
    metric: str
    predictions: tuple[str, ...]
    region_names: tuple[str, ...]
    grammatical: tuple[str, ...]
    items: tuple[tuple[int, dict[str, tuple[str, ...]]], ...]

    # A suite of others has no tables.
    tables: tuple[Path, ...] = ()

    @property
    def conditions(self) -> tuple[str, ...]:
        """The names of the conditions, the grammatical ones first."""
        names = self.items[0][1]
        return tuple(sorted(names, key=lambda name: name not in self.grammatical)) if self.grammatical else tuple(names)


def is_import(path: Path) -> bool:
    """Tell whether a file among the queries is a suite of others; what speakers said of a construction is none."""
    return path.suffix == SUFFIX and not path.name.endswith(".reviews.json")


def read_import(
    path: Path,
    *,
    name: str | None = None,
    language: str | None = None,
    grammatical: Sequence[str] = (),
    license: str | None = None,
) -> Import:
    """Read and check a file in the JSON of SyntaxGym or of BHS; what is given goes before what the file says.

    `name` is by default the file's, and `language` (ISO 639-3) that of `meta`, or of the folder that the file is in.
    Raises `SuiteError` or `ConstructionError` that says where the file is not what it should be.
    """
    path = Path(path)
    value = _load(path)
    if isinstance(value, list):
        suite = _read_pairs(value, path)
    elif isinstance(value, dict):
        suite = _read_suite(value, path)
    else:
        raise SuiteError("is no suite: it holds neither an object nor a list", file=path, hint=_LIKE)
    suite = replace(
        suite,
        name=name or suite.name,
        language=_language(language or suite.language, path),
        license=license or suite.license,
        grammatical=tuple(grammatical) or suite.grammatical,
    )
    _check(suite)
    return suite


def _load(path: Path) -> Any:
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
        # An escaped half of a character is JSON, and no text.
        json.dumps(value, ensure_ascii=False).encode()
        return value
    except RecursionError as error:
        raise SuiteError("is no suite: it is nested too deeply", file=path, hint=_LIKE) from error
    except json.JSONDecodeError as error:
        source = error.doc.splitlines()[error.lineno - 1] if error.doc.strip() else None
        source = source if source and len(source) < 200 else None
        column = error.colno if source else None
        raise SuiteError(
            f"is not JSON: {error.msg}", file=path, line=error.lineno, column=column, source=source
        ) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SuiteError("the line is not UTF-8 text", file=path, line=line, hint=SAVE_AS_UTF8) from error
    except (OSError, UnicodeError) as error:
        raise SuiteError(f"cannot be read as UTF-8 text: {error}", file=path) from error
    except ValueError as error:
        raise SuiteError(f"cannot be read: {error}", file=path, hint=_LIKE) from error


def _read_pairs(value: list[Any], path: Path) -> Import:
    """Read `[[[prefix, prefix], [good, bad]], …]`: as published, the mean over the ending's tokens has to be higher."""
    items = []
    for number, entry in enumerate(value, 1):
        shape = isinstance(entry, list) and [len(part) if isinstance(part, list) else 0 for part in entry]
        if shape != [2, 2] or not all(isinstance(text, str) for part in entry for text in part):
            raise SuiteError(f"entry {number} is not [[prefix, prefix], [good, bad]]", file=path, hint=_LIKE)
        texts = (tuple(_spaced(text) for text in texts) for texts in zip(*entry, strict=True))
        items.append((number, dict(zip((GRAMMATICAL, STARRED), texts, strict=True))))
    return Import(
        name=path.stem,
        title=path.stem.replace("_", " "),
        language="",
        phenomenon=path.stem,
        cite="",
        metric="mean",
        predictions=(f"(2;%{STARRED}%) > (2;%{GRAMMATICAL}%)",),
        region_names=("prefix", "target"),
        grammatical=(GRAMMATICAL,),
        items=tuple(items),
        path=path,
    )


def _read_suite(value: dict[str, Any], path: Path) -> Import:
    """Read a suite of SyntaxGym; the published ones of Hu et al. (2020) have `string_predictions` in their `meta`."""
    missing = [key for key in ("meta", "region_meta", "predictions", "items") if key not in value]
    if missing:
        raise SuiteError(f"is no suite of SyntaxGym: it lacks {', '.join(missing)}", file=path, hint=_LIKE)
    meta, region_meta = value["meta"], value["region_meta"]
    if not isinstance(meta, dict) or not isinstance(region_meta, dict) or not isinstance(value["items"], list):
        raise SuiteError("`meta` and `region_meta` must be objects and `items` a list", file=path, hint=_LIKE)
    grammatical, licence = meta.get("grammatical") or [], meta.get("license")
    if not isinstance(grammatical, list) or not all(isinstance(name, str) for name in grammatical):
        raise SuiteError("`grammatical` in `meta` must be a list of conditions", file=path, hint=_LIKE)
    if not isinstance(licence, str | None):
        raise SuiteError("`license` in `meta` must be a text", file=path, hint=_LIKE)
    if sorted(region_meta) != sorted(str(number) for number in range(1, len(region_meta) + 1)):
        raise SuiteError("the numbers in `region_meta` do not count from 1 up", file=path)
    names = tuple(str(region_meta[str(number)]) for number in range(1, len(region_meta) + 1))
    name = str(meta.get("name") or path.stem)
    return Import(
        name=path.stem,
        title=str(meta.get("title") or name.replace("_", " ")),
        language=str(meta.get("language") or ""),
        phenomenon=str(meta.get("phenomenon") or name),
        cite=str(meta.get("reference") or ""),
        license=licence,
        comment=str(meta.get("comment") or ""),
        metric=str(meta.get("metric", "sum")),
        predictions=_predictions(value["predictions"] or meta.get("string_predictions") or [], path),
        region_names=names,
        grammatical=tuple(grammatical),
        items=tuple(_read_item(item, place, len(names), path) for place, item in enumerate(value["items"], 1)),
        path=path,
    )


def _predictions(value: Any, path: Path) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise SuiteError("`predictions` must be a list", file=path, hint=_LIKE)
    formulas = []
    for number, prediction in enumerate(value, 1):
        formula = prediction.get("formula") if isinstance(prediction, dict) else prediction
        if not isinstance(formula, str):
            hint = 'Write {"type": "formula", "formula": "(2;%mismatch%) > (2;%match%)"}.'
            raise SuiteError(f"prediction {number} is no formula", file=path, hint=hint)
        formulas.append(" ".join(formula.split()))
    return tuple(formulas)


def _read_item(item: Any, place: int, regions: int, path: Path) -> tuple[int, dict[str, tuple[str, ...]]]:
    where = f"item {item.get('item_number', place) if isinstance(item, dict) else place}"
    try:
        number, conditions = int(item["item_number"]), {}
        for condition in item["conditions"]:
            name = condition["condition_name"]
            if not isinstance(name, str):
                raise TypeError(f"the condition_name {name!r} is no text")
            numbers = [region["region_number"] for region in condition["regions"]]
            if numbers != list(range(1, regions + 1)):
                hint = f"The suite has {regions} regions, and each condition all of them, in order."
                raise SuiteError(f"{where}, condition {name}: has the regions {numbers}", file=path, hint=hint)
            if name in conditions:
                raise SuiteError(f"{where}: has the condition {name} twice", file=path)
            conditions[name] = tuple(_spaced(region["content"]) for region in condition["regions"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SuiteError(f"{where} is not as SyntaxGym has it: {error!r}", file=path, hint=_LIKE) from error
    return number, conditions


def _spaced(text: str) -> str:
    """Return a text with single spaces inside and none around, as SyntaxGym wants it."""
    return " ".join(text.split())


def _language(code: str, path: Path) -> str:
    """Check the language, or take that of the nearest folder whose name is a code."""
    if code:
        try:
            return language_code(code)
        except ValueError as error:
            message, hint = error.args
            raise SuiteError(f"`language` {message}", file=path, hint=hint) from error
    for folder in path.resolve().parent.parts[::-1]:
        with suppress(ValueError):
            return language_code(folder)
    hint = 'Say it: --language eng, or "language": "eng" in `meta`; or put the file into queries/eng/.'
    raise SuiteError("does not say which language it is in", file=path, hint=hint)


def _check(suite: Import) -> None:
    path = suite.path
    require_name(suite.name, "a suite", SuiteError, file=path)
    if not suite.items:
        raise SuiteError("has no items", file=path)
    if suite.metric not in METRICS:
        hint = f"SyntaxGym has, over the tokens of a region, {', '.join(METRICS)}."
        raise SuiteError(f"its predictions are about the metric {suite.metric!r}", file=path, hint=hint)
    first = set(suite.conditions)
    numbers: set[int] = set()
    for number, conditions in suite.items:
        if set(conditions) != first:
            odd = ", ".join(sorted(first ^ set(conditions)))
            raise SuiteError(f"item {number} has other conditions than the first: {odd}", file=path)
        if number in numbers:
            raise SuiteError(f"there are two items {number}", file=path)
        numbers.add(number)
        empty = [name for name, texts in conditions.items() if not any(texts)]
        if empty:
            raise SuiteError(f"item {number}, condition {empty[0]}: has no text", file=path)
    for name in suite.grammatical:
        if name not in first:
            hint = nearest(name, sorted(first))
            raise SuiteError(f"{name}, which is said to be grammatical, is no condition", file=path, hint=hint)
    if first == set(suite.grammatical):
        raise SuiteError("all conditions are said to be grammatical, so none can be starred", file=path)
    check_formulas(suite.predictions, suite.conditions, suite.region_names, path)
