"""Suites are read condition by condition, and a malformed one is refused."""

from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from starbank.errors import SuiteError, UsageError
from starbank.scoring.conditions import Text, read_conditions, to_texts
from tests.scoring.items import ITEMS, case_item, item, write_suite


def test_one_row_per_condition_with_its_item(suite: Path) -> None:
    conditions = read_conditions([suite])
    assert len(conditions) == 12
    assert conditions.select(["dataset", "construction", "item_id", "condition", "grammatical"]).slice(
        1, 1
    ).to_pylist() == [
        {
            "dataset": "georgian",
            "construction": "ergative",
            "item_id": "0000000000000001",
            "condition": "Nom",
            "grammatical": False,
        }
    ]


def test_a_starred_condition_says_what_it_is_held_against(suite: Path) -> None:
    assert read_conditions([suite])["against"].to_pylist()[:3] == [None, "Erg", "Erg"]


def test_suites_that_do_not_say_so_are_read_too(suite: Path) -> None:
    table = pq.read_table(suite / "items.parquet")
    rows = table["conditions"].to_pylist()
    for condition in chain.from_iterable(rows):
        del condition["against"]
    place = table.schema.get_field_index("conditions")
    pq.write_table(table.set_column(place, "conditions", pa.array(rows)), suite / "items.parquet")
    assert read_conditions([suite])["against"].null_count == 12


def test_a_dataset_is_all_suites_below_the_folder(tmp_path: Path) -> None:
    for name in ("b", "a"):
        write_suite([item(1, (name, True, ["", "x", "y"]))], tmp_path / "mine" / name)
    conditions = read_conditions([tmp_path / "mine"])
    assert conditions["dataset"].to_pylist() == ["mine", "mine"]
    assert conditions["condition"].to_pylist() == ["a", "b"]


def test_a_suite_given_twice_counts_once(suite: Path) -> None:
    assert len(read_conditions([suite, suite.parent])) == 12


def test_a_text_knows_its_borders_and_its_target(suite: Path) -> None:
    text = to_texts(read_conditions([suite]))[3]
    assert text == Text("გუშინ ქალმა წიგნი წაიკითხა, მაგრამ კაცი არ დაინახა.", (6, 11, 51), 1)
    assert text.text[slice(*text.word_span)] == "ქალმა"
    assert text.has("word")


def test_an_item_with_an_empty_target_has_no_word_level(tmp_path: Path) -> None:
    suite = write_suite(
        [case_item(1, "a ", ["b", ""], " c"), case_item(2, "a ", ["b", "d"], " c")], tmp_path / "d" / "s"
    )
    assert [text.has("word") for text in to_texts(read_conditions([suite]))] == [False, False, True, True]


def test_an_empty_suite_has_no_conditions(tmp_path: Path) -> None:
    assert len(read_conditions([write_suite([], tmp_path / "d" / "s")])) == 0


def test_a_folder_without_suites_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no items\.parquet here or one folder below"):
        read_conditions([tmp_path])


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    suite = write_suite(ITEMS, tmp_path / "d" / "s")
    table = pq.read_table(suite / "items.parquet").drop_columns(["phenomenon", "region_names"])
    pq.write_table(table, suite / "items.parquet")
    with pytest.raises(SuiteError, match="not a suite: no phenomenon, region_names"):
        read_conditions([suite])


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    (tmp_path / "items.parquet").write_text("item,condition\n")
    with pytest.raises(SuiteError, match=r"items\.parquet: cannot read the suite"):
        read_conditions([tmp_path])


def test_regions_without_names_are_refused(tmp_path: Path) -> None:
    suite = write_suite([item(7, ("Erg", True, ["a ", "b", " c", " d"]))], tmp_path / "d" / "s")
    with pytest.raises(SuiteError, match="item 0000000000000007: Erg does not have one text for each"):
        read_conditions([suite])


def test_two_datasets_of_one_name_are_refused(tmp_path: Path) -> None:
    for place in ("one", "two"):
        write_suite(ITEMS, tmp_path / place / "georgian" / "ergative")
    with pytest.raises(SuiteError, match="this condition is there 2 times: georgian/ergative, item"):
        read_conditions([tmp_path / "one" / "georgian", tmp_path / "two" / "georgian"])


def test_null_regions_are_refused(tmp_path: Path) -> None:
    suite = write_suite([item(7, ("Erg", True, ["a ", "b", None]))], tmp_path / "d" / "s")  # type: ignore[list-item]
    assert pq.read_schema(suite / "items.parquet").field("conditions").type.value_type.field(
        "regions"
    ).type == pa.list_(pa.string())
    with pytest.raises(SuiteError, match="one text for each of its region names"):
        read_conditions([suite])
