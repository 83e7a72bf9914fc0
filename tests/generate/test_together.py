"""Constructions that go through a generator together: each suite is as if it were alone."""

from pathlib import Path

import pytest

from starbank.errors import SuiteError
from starbank.pipeline import sources
from starbank.pipeline.generate import generate
from starbank.suites import read_items
from starbank.treebanks import Parts, ingest
from tests.generate.small import ONE, contents, query

pytestmark = pytest.mark.slow

SEVERAL = """
from starbank.plugins import generator, load_plugin

@generator(several=True)
def several(constructions, matches, treebank, lexicon):
    print(len(constructions))
    suites = load_plugin("minimal_sets", "generator").function(constructions, matches, treebank, lexicon)
    return suites[1:] if constructions[-1].name == "too-few" else suites
"""


@pytest.fixture
def several(home):
    Path("generators").mkdir()
    Path("generators/several.py").write_text(SEVERAL)


def queries():
    """Return constructions that differ in all that guards and forms depend on."""
    return [
        query("controlled", more="controller: V"),
        query("governed", more="governor: V"),
        query("plain"),
        query("whole", more="complete: yes"),
        query("wary", more="avoid: კაცმა|ქალს"),
        query("attested", more="forms: [treebank]"),
        query("datives", case="Dat"),
    ]


def test_a_suite_does_not_depend_on_the_others(home):
    together = generate(queries(), [ONE], Path("together"))
    alone = [suite for file in queries() for suite in generate([file], [ONE], Path("alone"))]
    assert [str(suite) for suite in together] == [str(suite) for suite in alone]
    assert contents("together") == contents("alone")
    items = {folder.name: len(read_items([folder])) for folder in sorted(Path("together").iterdir())}
    assert items == {
        "attested": 3, "controlled": 0, "datives": 0, "governed": 0, "plain": 3, "wary": 2, "whole": 3,
    }  # fmt: skip


def test_a_generator_may_take_several_constructions(several, capsys):
    generate([query(name, more="generator: several") for name in ("one", "two")], [ONE], Path("out"))
    assert capsys.readouterr().out == "2\n"


def test_a_generator_that_loses_a_suite_is_told_and_the_others_are_made(several):
    files = [query(name, more="generator: several") for name in ("one", "too-few")]
    with pytest.raises(SuiteError, match=r"several.py: .*too-few: .* gives 0 suites for 1 construction"):
        generate(files, [ONE], Path("out"))
    assert [folder.name for folder in Path("out").iterdir()] == ["one"]


def test_a_large_treebank_is_worked_on_in_parts(home, monkeypatch):
    ingest([ONE], Path("treebanks") / ONE)
    (whole,) = generate([query("cases")], [Path("treebanks") / ONE], Path("whole"))
    monkeypatch.setattr(sources, "WHOLE", 5)
    monkeypatch.setattr(sources, "Parts", lambda folder: Parts(folder, rows=5))
    (made,) = generate([query("cases")], [Path("treebanks") / ONE], Path("parts"))
    assert (made.matches, made.items) == (whole.matches, whole.items) == (3, 3)
