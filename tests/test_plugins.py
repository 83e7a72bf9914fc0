"""Plug-ins are modules of a folder `generators/`, loaded by path."""

import json  # noqa: F401 (which a plug-in of this name must not become)
import sys
from pathlib import Path

import pytest

from starbank.errors import PluginError
from starbank.plugins import load_plugin

DATACLASS = """\
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from starbank.plugins import transform


@dataclass(frozen=True)
class Draw:
    word: str
    known: ClassVar[int] = 1


@transform
def drawn(treebank, *, seed):
    return Draw("word")
"""


@pytest.fixture(autouse=True)
def generators(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("generators").mkdir()
    return Path("generators")


def test_a_plug_in_may_have_dataclasses(generators):
    (generators / "drawn.py").write_text(DATACLASS)
    assert load_plugin("drawn", "transform").function(None, seed=0).word == "word"


def test_a_plug_in_is_no_module_that_anybody_could_import(generators):
    (generators / "json.py").write_text(DATACLASS.replace("def drawn", "def json"))
    before = dict(sys.modules)
    plugin = load_plugin("json", "transform")
    added = sys.modules.keys() - before.keys()
    assert added == {plugin.function.__module__}
    assert plugin.function.__module__.startswith("_starbank_")
    assert sys.modules["json"] is before["json"]


def test_a_plug_in_of_ones_own_and_starbanks_of_the_same_name_are_two_modules(generators):
    shipped = load_plugin("swapped", "transform")
    (generators / "swapped.py").write_text(DATACLASS.replace("def drawn", "def swapped"))
    own = load_plugin("swapped", "transform")
    assert own.function.__module__ != shipped.function.__module__
    assert own.function(None, seed=0).word == "word"


def test_a_plug_in_that_fails_leaves_no_module_behind(generators):
    (generators / "broken.py").write_text("1 / 0")
    before = set(sys.modules)
    with pytest.raises(PluginError, match="cannot be loaded: ZeroDivisionError"):
        load_plugin("broken", "transform")
    assert set(sys.modules) == before
