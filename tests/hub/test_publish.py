"""A dataset folder holds all that its suites say, loads with `datasets`, and claims no licence that it has not."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from pathlib import Path

import jinja2
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from starbank.errors import SuiteError
from starbank.files import read_metadata
from starbank.hub import publish
from starbank.hub.gloss import gloss, short
from starbank.hub.licences import card_licence, rows_licence
from starbank.treebanks import ingest
from tests.hub.suites import GEORGIAN, HEBREW, QUERY, contents, item, write


def front_matter(folder: Path) -> dict:
    return yaml.safe_load((folder / "README.md").read_text(encoding="utf-8").split("---\n")[1])


def card(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


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
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


# Loading


@pytest.fixture
def load(tmp_path, monkeypatch):
    """`datasets.load_dataset` without network and with a cache of the test's own."""
    for name in ("HF_DATASETS_OFFLINE", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "1")
    import datasets

    datasets.disable_progress_bars()
    return lambda folder, config=None: datasets.load_dataset(str(folder), config, cache_dir=str(tmp_path / "cache"))


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
    assert "| [`dat-subj`](#dat-subj) | The suite dat-subj | kat | CC-BY-SA-4.0 | 1 | 0 | 0 | 1 |" in card(output)


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


# The card


def test_the_front_matter_says_what_the_hub_asks(suites, tmp_path):
    told = front_matter(publish([suites], tmp_path / "georgian", title="Georgian: case & agreement"))
    assert all(re.fullmatch(r"0\.0\.[0-9]+", config.pop("version")) for config in told["configs"])
    assert told == {
        "license": "cc-by-sa-4.0",
        "language": ["ka"],
        "pretty_name": "Georgian: case & agreement",
        "size_categories": ["n<1K"],
        "multilinguality": ["monolingual"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["found", "machine-generated"],
        "source_datasets": ["extended|universal_dependencies"],
        "task_categories": ["text-classification"],
        "task_ids": ["acceptability-classification"],
        "tags": ["starbank", "minimal-pairs", "universal-dependencies", "linguistics", "case-alignment"],
        "configs": [
            {
                "config_name": "all",
                "default": True,
                "data_files": [{"split": "test", "path": "data/*/items.parquet"}],
            },
            {"config_name": "pairs", "data_files": [{"split": "test", "path": "data/*/pairs.parquet"}]},
            *(
                {"config_name": f"{suite}{suffix}", "data_files": [{"split": "test", "path": f"data/{suite}/{table}"}]}
                for suite in ("erg-subj", "nom-subj")
                for suffix, table in (("", "items.parquet"), ("-pairs", "pairs.parquet"))
            ),
            {
                "config_name": "rejected",
                "data_files": [{"split": "test", "path": "data/nom-subj/rejected.parquet"}],
            },
        ],
    }


def test_the_title_is_made_of_language_and_phenomenon_unless_given(suites, tmp_path):
    assert "\n# Georgian case alignment\n" in card(publish([suites], tmp_path / "kat"))
    assert "\n# Georgian case alignment, published\n" in card(publish([suites], tmp_path / "kat-published"))
    assert "\n# Case in Georgian\n" in card(publish([suites], tmp_path / "georgian", title="Case in Georgian"))


def test_each_suite_shows_an_item_of_readable_length_with_its_starred_conditions(suites, tmp_path):
    text = card(publish([suites], tmp_path / "georgian"))
    assert (
        "| condition | UD_Georgian-GLC, sentence `s2` | |\n"
        "| --- | --- | --- |\n"
        "| Nom | **კაცი** მოდის. | კაცი-NOM |\n"
        "| Erg | \\***კაცმა** მოდის. | კაცი-ERG |\n"
        "| Dat | \\***კაცს** მოდის. | კაცი-DAT |\n"
    ) in text


def test_signs_that_mean_something_to_markdown_are_shown_as_they_are(suites, tmp_path):
    text = card(publish([suites], tmp_path / "georgian"))
    assert r"| Erg | **კაცმა** \*\_სახლი\_\*\|ააშენა. |" in text


def test_a_script_that_runs_from_right_to_left_does_so_in_the_card(tmp_path):
    conditions = {"Sing": ("", "הילד", " הולך."), "Plur": ("", "הילדים", " הולך.")}
    items = [item(1, "number", "UD_Hebrew-HTB", conditions, 2)]
    write(tmp_path / "suites" / "number", items, [], [HEBREW], language="heb")
    output = publish([tmp_path / "suites"], tmp_path / "hebrew")
    assert '| Plur | <span dir="rtl">\\***הילדים** הולך.</span> |' in card(output)
    assert front_matter(output)["language"] == ["he"]


def test_counts_reasons_request_and_provenance_are_told(suites, tmp_path):
    text = card(publish([suites], tmp_path / "georgian"))
    assert "| [`nom-subj`](#nom-subj) | The suite nom-subj | kat | CC-BY-SA-4.0 | 5 | 2 | 3 | 3 |" in text
    assert "| matches rejected because | |\n| --- | ---: |\n| no form | 2 |\n| syncretic form | 1 |\n" in text
    assert f"\n````\n{QUERY.strip()}\n````\n" in text
    assert f"| UD_Georgian-GLC | 2.18 | local mirror | `ka_glc-ud-test.conllu` | `{'0' * 64}` |" in text
    assert hashlib.sha256(QUERY.encode()).hexdigest() in text
    assert "The starred forms come from: treebank (4)." in text


def test_the_sizes_of_suites_add_up_to_a_category_of_the_hub(tmp_path):
    conditions = {"Nom": ("", "კაცი", " მოდის."), "Dat": ("", "კაცს", " მოდის.")}
    items = [item(number, "many", "UD_Georgian-GLC", conditions, 2) for number in range(1000)]
    write(tmp_path / "suites" / "many", items, [], [GEORGIAN])
    assert front_matter(publish([tmp_path / "suites"], tmp_path / "x"))["size_categories"] == ["1K<n<10K"]


# Licences


def test_treebanks_with_different_licences_make_no_blanket_claim(suites, tmp_path):
    conditions = {"Sing": ("", "הילד", " הולך."), "Plur": ("", "הילדים", " הולך.")}
    write(suites / "number", [item(9, "number", "UD_Hebrew-HTB", conditions, 2)], [], [HEBREW], language="heb")
    output = publish([suites], tmp_path / "mixed")
    head = front_matter(output)
    assert (head["license"], head["license_name"], head["license_link"]) == ("other", "per-treebank", "LICENSE")
    assert head["language"] == ["he", "ka"]
    assert "**The licences differ, so the dataset as a whole has none of them**" in card(output)
    assert "| UD_Georgian-GLC | CC-BY-SA-4.0 |  |" in card(output)
    text = "[LICENSES/UD_Hebrew-HTB.txt](LICENSES/UD_Hebrew-HTB.txt)"
    assert f"| UD_Hebrew-HTB | CC-BY-NC-SA-4.0 | {text} |" in card(output)
    assert (output / "LICENSES" / "UD_Hebrew-HTB.txt").read_text() == "NonCommercial\n"
    assert (
        (output / "LICENSE")
        .read_text()
        .endswith("\nUD_Georgian-GLC: CC-BY-SA-4.0\nUD_Hebrew-HTB: CC-BY-NC-SA-4.0 (LICENSES/UD_Hebrew-HTB.txt)\n")
    )


def test_one_licence_for_all_is_said_without_warnings(suites, tmp_path):
    assert "The licences differ" not in card(publish([suites], tmp_path / "georgian"))


@pytest.mark.parametrize(
    ("licences", "expected"),
    [
        (["CC-BY-SA-4.0", "CC-BY-SA-4.0"], "cc-by-sa-4.0"),
        (["CC-BY-NC-SA-3.0"], "cc-by-nc-sa-3.0"),
        (["GPL-3.0-or-later"], "gpl-3.0"),
        (["LGPLLR"], "lgpl-lr"),
        (["Apache-2.0"], "apache-2.0"),
        (["CC-BY-SA-3.0", "CC-BY-SA-4.0"], "other: per-treebank"),
        (["GPL-3.0-or-later", "GPL-3.0-only"], "other: per-treebank"),
        (["CC-BY-SA-4.0", None], "other: per-treebank"),
        (["CC-BY-NC-SA-2.5"], "other: cc-by-nc-sa-2.5"),
        ([None], "other: not-stated"),
    ],
)
def test_the_licence_of_a_dataset_follows_from_its_treebanks(licences, expected):
    value = card_licence({f"UD_X-{number}": licence for number, licence in enumerate(licences)})
    assert ": ".join([value["license"], *([value["license_name"]] if "license_name" in value else [])]) == expected


def test_each_configuration_has_the_licence_of_its_own_treebanks(suites, tmp_path):
    forms = {"Sing": ("", "הילד", " הולך."), "Plur": ("", "הילדים", " הולך.")}
    write(suites / "number", [item(9, "number", "UD_Hebrew-HTB", forms, 2)], [], [HEBREW], language="heb")
    text = card(publish([suites], tmp_path / "mixed"))
    assert (
        "| configuration, with its pairs | licence |\n"
        "| --- | --- |\n"
        "| `all` | each row its own: CC-BY-NC-SA-4.0, CC-BY-SA-4.0; taken together, for no commercial use |\n"
        "| `heb` | CC-BY-NC-SA-4.0 |\n"
        "| `kat` | CC-BY-SA-4.0 |\n"
        "| `heb-number` | CC-BY-NC-SA-4.0 |\n"
        "| `kat-erg-subj` | CC-BY-SA-4.0 |\n"
        "| `kat-nom-subj` | CC-BY-SA-4.0 |\n"
        "| `rejected` | CC-BY-SA-4.0 |\n"
    ) in text


def test_a_licence_that_forbids_changes_is_told(tmp_path):
    write(tmp_path / "suites" / "x", [], ["no form"], [{**GEORGIAN, "license": "CC-BY-NC-ND-4.0"}])
    text = card(publish([tmp_path / "suites"], tmp_path / "x"))
    assert "**UD_Georgian-GLC may be shared unchanged only (ND)" in text


@pytest.mark.parametrize(
    ("licences", "expected"),
    [
        (["CC-BY-SA-4.0"], "CC-BY-SA-4.0"),
        (["CC-BY-SA-3.0", "CC-BY-SA-4.0"], "each row its own: CC-BY-SA-3.0, CC-BY-SA-4.0"),
        (["MIT", None], "each row its own: MIT, not stated; ask before using the rows whose licence is not stated"),
        ([None], "not stated"),
    ],
)
def test_the_licence_of_rows_in_words(licences, expected):
    assert rows_licence(licences) == expected


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
    forms = {"Sing": ("", "הילד", " הולך."), "Plur": ("", "הילדים", " הולך.")}
    folder = tmp_path / "suites" / "number"
    write(folder, [item(9, "number", "UD_Hebrew-HTB", forms, 2)], ["no form"], [GEORGIAN, HEBREW], language="heb")
    for table in ("items", "rejected"):
        file = folder / f"{table}.parquet"
        made = pq.read_table(file)
        both = [made, replace_column(made, "language", "kat")]
        pq.write_table(pa.concat_tables(both), file)
    output = publish([tmp_path / "suites"], tmp_path / "two")
    assert sorted(path.name for path in (output / "data").iterdir()) == ["heb-number", "kat-number"]
    assert load(output, "kat-number")["test"]["language"][:] == ["kat"]


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


def test_what_to_cite_is_told_to_people_and_machines(suites, tmp_path):
    write(suites / "dat-subj", [], [], [GEORGIAN], cite="Harris, Alice C. (1981). Georgian Syntax.")
    about = {"readme": {"Contributors": "Lobzhanidze, Irina; Tatishvili, Eka"}}
    (tmp_path / "treebanks" / "UD_Georgian-GLC").mkdir(parents=True)
    (tmp_path / "treebanks" / "UD_Georgian-GLC" / "treebank.json").write_text(json.dumps(about))
    output = publish([suites], tmp_path / "georgian", treebanks=tmp_path / "treebanks")
    citation = yaml.safe_load((output / "CITATION.cff").read_text(encoding="utf-8"))
    assert [reference["title"] for reference in citation["references"]] == [
        "Starbank",
        "UD_Georgian-GLC",
        "Harris, Alice C. (1981). Georgian Syntax.",
    ]
    assert citation["references"][1]["authors"] == [
        {"family-names": "Lobzhanidze", "given-names": "Irina"},
        {"family-names": "Tatishvili", "given-names": "Eka"},
    ]
    assert "- UD_Georgian-GLC: Lobzhanidze, Irina; Tatishvili, Eka" in card(output)
    assert "- Harris, Alice C. (1981). Georgian Syntax." in card(output)


def test_the_accuracy_of_models_is_told(suites, tmp_path):
    row = {"dataset": "kat", "construction": "nom-subj", "model": "unigram", "items": 2, "correct": 1}
    numbers = {"accuracy": 0.5, "low": 0.01, "high": 0.99, "chance": 0.42}
    rows = [{**row, **numbers, "level": level} for level in ("sentence", "word")]
    text = card(publish([suites], tmp_path / "georgian", accuracy=pa.Table.from_pylist(rows)))
    assert "| `nom-subj` | unigram | 2 | 0.50 | [0.01, 0.99] | 0.42 |" in text


def test_the_example_is_glossed_where_its_treebank_is_at_hand(sample, tmp_path):
    treebank = ingest([sample / "UD_Georgian-Sample"], tmp_path / "treebanks" / "UD_Georgian-Sample")
    row = treebank.sentences.slice(0, 1).to_pylist()[0]
    told = gloss({"treebank": treebank.name, "sent_id": row["sent_id"], "split": row["split"]}, tmp_path / "treebanks")
    assert told is not None
    assert row["text"].startswith("ბებია")
    assert told["words"][0] == ("ბებია", "ბებია-SG.NOM")
    assert [f"# text_en = {told['translation']}"] == [one for one in row["comments"] if one.startswith("# text_en")]
    assert gloss({"treebank": "UD_Georgian-GLC", "sent_id": "x", "split": None}, tmp_path / "treebanks") is None


@pytest.mark.parametrize(
    ("feats", "expected"),
    [
        ("Case=Erg|Number=Sing", "SG.ERG"),
        ("Aspect=Perf|Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin", "3.PL.PST"),
        ("Gender=Fem|VerbForm=Part", "F.PTCP"),
        (None, ""),
    ],
)
def test_features_are_abbreviated_as_linguists_do(feats, expected):
    assert short(feats) == expected


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
