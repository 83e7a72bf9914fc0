"""The licence of a dataset, of a configuration and of a row follows from its treebanks."""

from __future__ import annotations

import pytest

from starbank.hub import publish
from starbank.hub.licences import card_licence, rows_licence
from tests.hub.suites import GEORGIAN, HEBREW, card, front_matter, item, write


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
