"""The example of docs/syntaxgym.md is what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from starbank.errors import SuiteError
from starbank.queries.imports import read_import
from starbank.sets.imported import tell
from starbank.suites.formulas import parse_formula, show

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "syntaxgym.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```\w*\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def example(tmp_path) -> Path:
    (text,) = [block for block in BLOCKS if block.startswith("{")]
    file = tmp_path / "number.json"
    file.write_text(text)
    return file


def test_the_file_holds_what_is_shown(example):
    (shown,) = [block for block in BLOCKS if block.startswith("number: 1 items")]
    assert tell(read_import(example)) == shown.splitlines()


def test_the_mistake_is_told_as_shown(example):
    (shown,) = [block for block in BLOCKS if block.startswith("starbank import: number.json:")]
    text = example.read_text()
    example.write_text(text.replace('(3;%match_plur%)"', '(3;%match_plur"'))
    with pytest.raises(SuiteError) as raised:
        read_import(example)
    assert str(raised.value).split("number.json", 1)[1] + "\n" == shown.split("number.json", 1)[1]


def test_every_formula_of_the_page_can_be_read():
    text = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    formulas = re.findall(r"^    (\(.*[<>].*)$", text, re.MULTILINE)
    assert [show(parse_formula(formula)) for formula in formulas] == [
        "(3;%mismatch_sing%) > (3;%match_sing%)",
        "(3;%mismatch_sing%) - (3;%match_sing%) - ((3;%mismatch_plur%) - (3;%match_plur%)) > 0",
    ]
