"""Suites -> one row per condition, as text with region borders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import SuiteError, UsageError
from starbank.files import read_parquet
from starbank.scoring.words import widen_to_words

ITEMS = "items.parquet"
TARGET = "target"
SENTENCE, WORD = "sentence", "word"
LEVELS = (SENTENCE, WORD)
ITEM_COLUMNS = ("construction", "phenomenon", "language", "treebank", "item_id")
CONDITION_FIELDS = ("name", "grammatical", "regions")
# Null in suites that do not say it.
AGAINST = "against"


@dataclass(frozen=True)
class Text:
    """A sentence cut into regions: what a model is asked about.

    `ends[r]` is the character where region `r` ends; `target` is the number of the region that the level `word`
    scores, or None where the text has no such level.
    """

    text: str
    ends: tuple[int, ...]
    target: int | None

    def has(self, level: str) -> bool:
        """Tell whether the text is scored at `level`: words, and their kin (`word-together`), need a target."""
        return self.target is not None or not level.startswith(WORD)

    @property
    def word_span(self) -> tuple[int, int]:
        """The characters `text[start:end]` that the level `word` scores; none where there is no target.

        It is the target and what is written together with it: whether a token ends where the target begins or ends
        differs from form to form, and only whole words compare like with like.
        """
        if self.target is None:
            return 0, 0
        return widen_to_words(self.text, self.ends[self.target - 1] if self.target else 0, self.ends[self.target])


def find_suites(folders: Sequence[Path]) -> list[tuple[str, Path]]:
    """Return (dataset name, path of `items.parquet`) for every suite in `folders`, in the order of these names.

    A folder is a suite (it holds `items.parquet`; the dataset is the folder above) or a dataset (its folders do).
    Raises `UsageError` where a folder holds neither.
    """
    suites: set[tuple[str, Path]] = set()
    for folder in folders:
        folder = Path(os.path.abspath(folder))  # Not resolved: a link's own name counts.
        if (folder / ITEMS).is_file():
            suites.add((folder.parent.name, folder / ITEMS))
            continue
        paths = list(folder.glob(f"*/{ITEMS}"))
        if not paths:
            hint = "Give a folder that `starbank generate` wrote, or one suite inside it."
            raise UsageError(f"no {ITEMS} here or one folder below", file=folder, hint=hint)
        suites.update((folder.name, path) for path in paths)
    if not suites:
        raise UsageError("no suites to score", hint="Name at least one folder with suites.")
    return sorted(suites)


def read_conditions(folders: Sequence[Path]) -> pa.Table:
    """Return the conditions of all suites in `folders`, one row each, by dataset, suite, item and condition.

    Columns: `dataset`, the item's own, `condition`, `grammatical`, `against`, `regions`, `region_names` as in
    `scores.parquet`, and `sent_id`, `item` (int64: which conditions belong together).
    Raises `UsageError` where there are no suites, `SuiteError` where one is malformed or two have the same name.
    """
    tables: list[pa.Table] = []
    items = 0
    for dataset, path in find_suites(folders):
        table, count = _read_suite(dataset, path, items)
        items += count
        tables.append(table)
    conditions = pa.concat_tables(tables)
    _check_unique(conditions)
    return conditions


def to_texts(conditions: pa.Table) -> list[Text]:
    """Return the text of each row of `conditions`.

    A text has a target where every condition of its item has a region `target` with something in it: an empty
    region has probability 1, and nothing may be compared with that.
    """
    regions = conditions["regions"].to_pylist()
    places = [
        names.index(TARGET) if TARGET in names and parts[names.index(TARGET)].strip() else None
        for names, parts in zip(conditions["region_names"].to_pylist(), regions, strict=True)
    ]
    item = conditions["item"].to_numpy()
    incomplete = set(item[[place is None for place in places]].tolist())
    return [
        Text("".join(parts), tuple(accumulate(map(len, parts))), place if whole else None)
        for parts, place, whole in zip(regions, places, (number not in incomplete for number in item), strict=True)
    ]


def _read_suite(dataset: str, path: Path, first_item: int) -> tuple[pa.Table, int]:
    """Return the conditions of one suite, and how many items it has."""
    try:
        table = read_parquet(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise SuiteError(f"cannot read the suite: {error}", file=path) from error
    _check_columns(table.schema, path)
    listed = table["conditions"].combine_chunks()
    item = pc.list_parent_indices(listed)
    flat = pc.list_flatten(listed)
    name, grammatical, regions = (pc.struct_field(flat, field) for field in CONDITION_FIELDS)
    columns: dict[str, pa.Array | pa.ChunkedArray] = {"dataset": pa.array([dataset] * len(flat), pa.string())}
    columns |= {column: table[column].cast(pa.string()).take(item) for column in ITEM_COLUMNS}
    columns |= {"condition": name, "grammatical": grammatical, "regions": regions.cast(pa.list_(pa.string()))}
    against = pc.struct_field(flat, AGAINST) if flat.type.get_field_index(AGAINST) >= 0 else pa.nulls(len(flat))
    columns[AGAINST] = against.cast(pa.string())
    columns["region_names"] = table["region_names"].cast(pa.list_(pa.string())).take(item)
    columns["sent_id"] = table["sent_id"].cast(pa.string()).take(item)
    columns["item"] = pc.add(item.cast(pa.int64()), first_item)
    conditions = pa.table(columns)
    _check_regions(conditions, path)
    return conditions, len(table)


def _check_columns(schema: pa.Schema, path: Path) -> None:
    needed = (*ITEM_COLUMNS, "sent_id", "region_names", "conditions")
    missing = [column for column in needed if column not in schema.names]
    if not missing:
        inner = schema.field("conditions").type
        fields = [field.name for field in inner.value_type] if pa.types.is_list(inner) else []
        missing = [f"conditions.{field}" for field in CONDITION_FIELDS if field not in fields]
    if missing:
        hint = "The columns of a suite are listed in docs/formats.md."
        raise SuiteError(f"not a suite: no {', '.join(missing)}", file=path, hint=hint)


def _check_regions(conditions: pa.Table, path: Path) -> None:
    lengths = pc.list_value_length(conditions["regions"])
    wrong = pc.fill_null(pc.not_equal(lengths, pc.list_value_length(conditions["region_names"])), True)
    holes = pc.any(pc.is_null(pc.list_flatten(conditions["regions"]))).as_py()
    if pc.any(wrong).as_py() or holes:
        place = pc.index(wrong, True).as_py()
        what = f"item {conditions['item_id'][place]}: {conditions['condition'][place]}" if place >= 0 else "a condition"
        raise SuiteError(f"{what} does not have one text for each of its region names", file=path)


def _check_unique(conditions: pa.Table) -> None:
    """Two suites of the same name would be indistinguishable in the scores."""
    names = conditions.group_by(["dataset", "construction", "item_id", "condition"]).aggregate([([], "count_all")])
    twice = names.filter(pc.greater(names["count_all"], 1))
    if len(twice):
        row = twice.slice(0, 1).to_pylist()[0]
        place = f"{row['dataset']}/{row['construction']}, item {row['item_id']}, condition {row['condition']}"
        hint = "Folders given together need different names, and an item's conditions too."
        raise SuiteError(f"this condition is there {row['count_all']} times: {place}", hint=hint)
