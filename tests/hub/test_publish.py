"""A dataset folder holds all that its suites say, loads with `datasets`, and claims no licence that it has not."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from starbank.errors import SuiteError
from starbank.files import read_metadata
from starbank.hub import publish
from tests.hub.suites import GEORGIAN, HEBREW, card, contents, front_matter, item, write

TABLES = ("items", "rejected")

# The folder


def test_the_folder_has_data_licences_and_a_card(suites, tmp_path):
    (tmp_path / "treebanks" / "UD_Georgian-GLC").mkdir(parents=True)
    (tmp_path / "treebanks" / "UD_Georgian-GLC" / "LICENSE.txt").write_text("Attribution, ShareAlike\n")
    output = publish([suites], tmp_path / "georgian", treebanks=tmp_path / "treebanks")
    assert list(contents(output)) == [
        "CITATION.cff",
        "LICENSE",
        "LICENSES/UD_Georgian-GLC.txt",
        "README.md",
        "blimp/erg-subj.jsonl",
        "blimp/nom-subj.jsonl",
        "data/erg-subj/items.parquet",
        "data/erg-subj/pairs.parquet",
        "data/erg-subj/rejected.parquet",
        "data/nom-subj/items.parquet",
        "data/nom-subj/pairs.parquet",
        "data/nom-subj/rejected.parquet",
        "lm_eval/_items",
        "lm_eval/_pairs",
        "lm_eval/erg-subj-items.yaml",
        "lm_eval/erg-subj-pairs.yaml",
        "lm_eval/nom-subj-items.yaml",
        "lm_eval/nom-subj-pairs.yaml",
        "lm_eval/starbank_georgian.yaml",
        "lm_eval/tables.py",
        "minicons/erg-subj.csv",
        "minicons/nom-subj.csv",
        "suites/erg-subj.json",
    ]
    assert (output / "LICENSES" / "UD_Georgian-GLC.txt").read_text() == "Attribution, ShareAlike\n"


def test_the_tables_are_those_of_the_suite_with_their_provenance_and_the_licence_of_each_row(suites, tmp_path):
    output = publish([suites], tmp_path / "georgian")
    for name in ("items", "pairs", "rejected"):
        made, published = suites / "nom-subj" / f"{name}.parquet", output / "data" / "nom-subj" / f"{name}.parquet"
        table = pq.read_table(published)
        assert table.drop_columns("license").equals(pq.read_table(made))
        assert table["license"].unique().to_pylist() == ["CC-BY-SA-4.0"]
        assert read_metadata(published) == read_metadata(made)


def test_the_same_suites_give_the_same_bytes(suites, tmp_path):
    first = contents(publish([suites], tmp_path / "one" / "georgian"))
    assert contents(publish([suites], tmp_path / "one" / "georgian")) == first
    assert contents(publish([suites / "nom-subj", suites / "erg-subj"], tmp_path / "two" / "georgian")) == first


def test_what_an_earlier_build_left_is_removed_and_what_others_put_there_stays(suites, tmp_path):
    output = publish([suites], tmp_path / "georgian")
    (output / "data" / "old-suite").mkdir()
    (output / "data" / "old-suite" / "items.parquet").write_text("old")
    (output / "LICENSES").mkdir()
    (output / "LICENSES" / "UD_Old-X.txt").write_text("old")
    (output / ".git").mkdir()
    publish([suites / "nom-subj"], output)
    assert [path.name for path in (output / "data").iterdir()] == ["nom-subj"]
    assert not (output / "LICENSES").exists()
    assert (output / ".git").is_dir()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == [".georgian.files.json"]


def test_of_a_suite_that_is_still_the_same_the_files_of_the_last_build_are_kept(suites, tmp_path):
    output = publish([suites], tmp_path / "georgian")
    first = inodes(output)
    erg = {"Erg": ("", "ქალმა", " მოდის."), "Nom": ("", "ქალი", " მოდის.")}
    write(suites / "erg-subj", [item(4, "erg-subj", "UD_Georgian-GLC", erg, 3)], [], [GEORGIAN])
    second = inodes(publish([suites], output))
    same_files = {path for path in first if second[path] == first[path]}
    assert same_files == {path for path in first if "nom-subj" in path}
    assert "ქალმა" in (output / "blimp" / "erg-subj.jsonl").read_text()


def test_a_file_that_somebody_has_changed_is_not_kept(suites, tmp_path):
    output = publish([suites], tmp_path / "georgian")
    file = output / "blimp" / "nom-subj.jsonl"
    text = file.read_text()
    file.write_text(text + "mine")
    publish([suites], output)
    assert file.read_text() == text


def inodes(output: Path) -> dict[str, int]:
    """Return the number that the file system has for each file of a suite."""
    files = [file for folder in ("data", "blimp", "minicons", "suites") for file in (output / folder).rglob("*.*")]
    return {str(file.relative_to(output)): file.stat().st_ino for file in files}


# Loading


def test_every_config_loads_with_datasets(suites, tmp_path, load):
    output = publish([suites], tmp_path / "georgian")
    loaded = {config["config_name"]: load(output, config["config_name"]) for config in front_matter(output)["configs"]}
    assert {name: list(splits) for name, splits in loaded.items()} == {name: ["test"] for name in loaded}
    assert {name: splits["test"].num_rows for name, splits in loaded.items()} == {
        "all": 3,
        "pairs": 4,
        "erg-subj": 1,
        "erg-subj-pairs": 1,
        "nom-subj": 2,
        "nom-subj-pairs": 3,
        "rejected": 3,
    }
    assert loaded["nom-subj-pairs"]["test"][1]["sentence_good"] == "კაცი მოდის."
    assert loaded["nom-subj-pairs"]["test"][1]["sentence_bad"] == "კაცმა მოდის."
    conditions = loaded["nom-subj"]["test"][1]["conditions"]
    assert [(condition["name"], "".join(condition["regions"])) for condition in conditions] == [
        ("Nom", "კაცი მოდის."),
        ("Erg", "კაცმა მოდის."),
        ("Dat", "კაცს მოდის."),
    ]


def test_without_a_config_all_items_load(suites, tmp_path, load):
    assert load(publish([suites], tmp_path / "georgian"))["test"].num_rows == 3


def test_a_suite_without_items_is_told_and_does_not_keep_the_others_from_loading(suites, tmp_path, load):
    write(suites / "dat-subj", [], ["no form"], [GEORGIAN])
    output = publish([suites], tmp_path / "georgian")
    assert load(output, "all")["test"].num_rows == 3
    assert [path.name for path in (output / "data" / "dat-subj").iterdir()] == ["rejected.parquet"]
    assert "dat-subj" not in [config["config_name"] for config in front_matter(output)["configs"]]
    assert "left out here: `dat-subj` (1 match)." in card(output)


def test_a_folder_that_was_made_anew_loads_its_new_rows(suites, tmp_path, load):
    output = publish([suites], tmp_path / "georgian")
    assert load(output, "erg-subj")["test"].num_rows == 1
    erg = {"Erg": ("", "ქალმა", " მოდის."), "Nom": ("", "ქალი", " მოდის.")}
    write(suites / "erg-subj", [item(n, "erg-subj", "UD_Georgian-GLC", erg, 3) for n in (4, 5)], [], [GEORGIAN])
    assert load(publish([suites], output), "erg-subj")["test"].num_rows == 2


def test_suites_with_different_covariates_load_as_one(suites, tmp_path, load):
    file = suites / "nom-subj" / "items.parquet"
    table = pq.read_table(file)
    pq.write_table(table.append_column("novelty", pa.array([1, 2], pa.int32())), file)
    output = publish([suites], tmp_path / "georgian")
    assert load(output, "all")["test"]["novelty"][:] == [None, 1, 2]


def test_a_dataset_without_any_item_still_has_a_card(tmp_path):
    write(tmp_path / "suites" / "dat-subj", [], ["no form"], [GEORGIAN])
    output = publish([tmp_path / "suites"], tmp_path / "georgian")
    assert front_matter(output)["configs"] == []
    assert "No match of any suite became an item" in card(output)


# Several languages


def test_suites_of_several_languages_are_named_by_them_and_load_by_them(suites, tmp_path, load):
    forms = {"Sing": ("", "הילד", " הולך."), "Plur": ("", "הילדים", " הולך.")}
    other = tmp_path / "other"
    write(other / "nom-subj", [item(9, "nom-subj", "UD_Hebrew-HTB", forms, 2)], [], [HEBREW], language="heb")
    output = publish([suites, other], tmp_path / "two")
    assert "\n# Hebrew and Georgian case alignment\n" in card(output)
    assert load(output, "kat")["test"].num_rows == 3
    assert load(output, "heb-pairs")["test"]["sentence_good"][:] == ["הילד הולך."]
    assert load(output, "kat-nom-subj")["test"].num_rows == 2


def test_a_suite_of_several_languages_is_taken_apart(tmp_path, load):
    write_two_languages(tmp_path / "suites" / "number")
    output = publish([tmp_path / "suites"], tmp_path / "two")
    assert sorted(path.name for path in (output / "data").iterdir()) == ["heb-number", "kat-number"]
    assert load(output, "kat-number")["test"]["language"][:] == ["kat"]


def test_the_files_of_a_language_are_kept_where_another_one_has_changed(tmp_path):
    first, second = around_a_change_of_hebrew(tmp_path, inodes)
    assert {path for path in first if second[path] == first[path]} == {path for path in first if "kat-" in path}


def test_a_config_has_a_new_version_only_where_its_own_rows_are_others(tmp_path):
    first, second = around_a_change_of_hebrew(tmp_path, versions)
    assert {name for name in first if second[name] != first[name]} == {"rejected"}


def around_a_change_of_hebrew(folder: Path, describe: Callable[[Path], dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return what describes a dataset before and after the rejected matches of one of its two languages change."""
    descriptions = []
    for reason in ("no form", "syncretic form"):
        write_two_languages(folder / "suites" / "number", reason=reason)
        descriptions.append(describe(publish([folder / "suites"], folder / "two")))
    return tuple(descriptions)


def versions(output: Path) -> dict[str, str]:
    return {config["config_name"]: config["version"] for config in front_matter(output)["configs"]}


def write_two_languages(folder: Path, reason: str = "no form") -> None:
    """Write a suite of Hebrew and Georgian, of one item each; `reason` is why a Hebrew match was rejected."""
    forms = {"Sing": ("", "הילד", " הולך."), "Plur": ("", "הילדים", " הולך.")}
    hebrew = [item(9, "number", "UD_Hebrew-HTB", forms, 2)]
    write(folder, hebrew, ["no form"], [GEORGIAN, HEBREW], language="heb")
    georgian = {name: replace_column(pq.read_table(folder / f"{name}.parquet"), "language", "kat") for name in TABLES}
    write(folder, hebrew, [reason], [GEORGIAN, HEBREW], language="heb")
    for name, table in georgian.items():
        file = folder / f"{name}.parquet"
        pq.write_table(pa.concat_tables([pq.read_table(file), table]), file)


def replace_column(table: pa.Table, name: str, value: str) -> pa.Table:
    place = table.column_names.index(name)
    return table.set_column(place, name, pa.array([value] * table.num_rows))


def test_suites_that_are_from_no_treebank_are_told_by_their_language(tmp_path):
    forms = {"Sing": ("", "paka", " analala."), "Plur": ("", "paka", " wanalala.")}
    write(tmp_path / "suites" / "x", [item(1, "x", "", forms, 2)], [], [], language="swa")
    output = publish([tmp_path / "suites"], tmp_path / "swa")
    assert "\n# swa case alignment\n" in card(output)
    assert front_matter(output)["license_name"] == "not-stated"


# What others read


def test_a_suite_of_one_design_is_written_for_syntaxgym_and_another_is_not(suites, tmp_path):
    output = publish([suites], tmp_path / "georgian")
    suite = json.loads((output / "suites" / "erg-subj.json").read_text(encoding="utf-8"))
    assert suite["meta"]["comment"] == "Rows of UD_Georgian-GLC: CC-BY-SA-4.0"
    assert [one["condition_name"] for one in suite["items"][0]["conditions"]] == ["Erg", "Nom"]
    # Two of its items have two conditions, one has three.
    assert not (output / "suites" / "nom-subj.json").exists()
    assert "`suites/` has erg-subj in the format of" in card(output)


def test_tasks_for_the_harness_read_the_tables(suites, tmp_path):
    output = publish([suites], tmp_path / "georgian")
    # The harness knows a tag that loads a function from beside the file.
    texts = {path.name: path.read_text() for path in (output / "lm_eval").iterdir() if path.suffix != ".py"}
    tasks = {name: yaml.safe_load(text.replace("!function ", "")) for name, text in texts.items()}
    assert tasks["_items"]["custom_dataset"] == "tables.load"
    assert tasks["nom-subj-items.yaml"] == {
        "include": "_items",
        "task": "starbank_georgian_nom-subj",
        "dataset_kwargs": {"suite": "nom-subj", "table": "items"},
    }
    assert tasks["starbank_georgian.yaml"]["task"] == ["starbank_georgian_erg-subj", "starbank_georgian_nom-subj"]
    rows = pq.read_table(output / "data" / "nom-subj" / "items.parquet").to_pylist()
    choices = jinja2.Template(tasks["_items"]["doc_to_choice"]).render(**rows[1])
    assert ast.literal_eval(choices) == ["კაცი მოდის.", "კაცმა მოდის.", "კაცს მოდის."]
    pair = pq.read_table(output / "data" / "nom-subj" / "pairs.parquet").to_pylist()[1]
    assert ast.literal_eval(jinja2.Template(tasks["_pairs"]["doc_to_choice"]).render(**pair)) == choices_of(rows[1])[:2]


def choices_of(row: dict) -> list[str]:
    return ["".join(condition["regions"]) for condition in row["conditions"]]


# What cannot be published


def test_a_folder_without_suites_is_told(tmp_path):
    with pytest.raises(SuiteError, match="there is no suite here"):
        publish([tmp_path], tmp_path / "georgian")


def test_two_suites_of_one_name_are_told(suites, tmp_path):
    with pytest.raises(SuiteError, match="more than one thing would be loaded by the name 'erg-subj'"):
        publish([suites, suites / "erg-subj"], tmp_path / "georgian")


@pytest.mark.parametrize("name", ["all", "pairs", "rejected", "nom-subj-pairs"])
def test_a_suite_whose_name_is_taken_is_told(suites, tmp_path, name):
    write(suites / name, [], [], [GEORGIAN])
    with pytest.raises(SuiteError, match=f"more than one thing would be loaded by the name '{name}'"):
        publish([suites], tmp_path / "georgian")


def test_a_suite_that_lacks_a_table_or_its_provenance_is_told_and_the_earlier_dataset_stays(suites, tmp_path):
    output = publish([suites], tmp_path / "georgian")
    before = contents(output)
    pq.write_table(
        pq.read_table(suites / "nom-subj" / "items.parquet").replace_schema_metadata(None), suites / "x.parquet"
    )
    (suites / "x.parquet").rename(suites / "nom-subj" / "items.parquet")
    with pytest.raises(SuiteError, match="does not say where its items come from"):
        publish([suites], output)
    (suites / "nom-subj" / "pairs.parquet").unlink()
    with pytest.raises(SuiteError, match="is no whole suite"):
        publish([suites], output)
    assert contents(output) == before
