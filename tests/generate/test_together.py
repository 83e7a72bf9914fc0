"""Constructions that go through a generator together: each suite is as if it were alone."""

from pathlib import Path

import pyarrow.compute as pc
import pytest

from starbank.errors import StarbankError, SuiteError
from starbank.hub.card import Card, render_card
from starbank.hub.suites import read_suites
from starbank.pipeline import sources
from starbank.pipeline.generate import generate, generate_parts, merge_parts
from starbank.suites import read_items
from starbank.treebanks import Parts, ingest, open_treebank, parquet
from tests.generate.small import EVERYWHERE, ONE, TWO, contents, query

pytestmark = pytest.mark.slow

SEVERAL = """
from starbank.plugins import generator, load_plugin

@generator(several=True)
def several(constructions, matches, treebank, lexicon):
    print(len(constructions))
    suites = load_plugin("minimal_sets", "generator").function(constructions, matches, treebank, lexicon)
    return suites[1:] if constructions[-1].name == "too-few" else suites
"""


OF_USAGE = """
from starbank.plugins import generator, load_plugin

@generator(several=True, usage=True)
def of_usage(constructions, matches, treebank, lexicon, *, usage):
    print(type(usage).__name__)
    return load_plugin("minimal_sets", "generator").function(constructions, matches, treebank, lexicon)
"""


FAILS = """
from starbank.plugins import generator

@generator
def fails(construction, matches, treebank, lexicon):
    raise ValueError("oh")
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
        "attested": 3, "controlled": 0, "datives": 0, "governed": 0, "plain": 3, "wary": 3, "whole": 3,
    }  # fmt: skip


def test_a_generator_of_several_constructions_may_ask_what_treebanks_show(home, capsys):
    Path("generators").mkdir()
    Path("generators/of_usage.py").write_text(OF_USAGE)
    generate([query(name, more="generator: of_usage") for name in ("one", "two")], [ONE], Path("out"))
    assert capsys.readouterr().out == "Usage\n"


def test_a_generator_may_take_several_constructions(several, capsys):
    generate([query(name, more="generator: several") for name in ("one", "two")], [ONE], Path("out"))
    assert capsys.readouterr().out == "2\n"


def test_a_generator_that_loses_a_suite_is_told_and_the_others_are_made(several):
    files = [query(name, more="generator: several") for name in ("one", "too-few")]
    with pytest.raises(StarbankError, match=r"several.py: too-few: .* gives 0 suites for 1 construction"):
        generate(files, [ONE], Path("out"))
    assert [folder.name for folder in Path("out").iterdir()] == ["one"]


@pytest.fixture
def large(home, monkeypatch):
    """The folders of two ingested treebanks of 9 sentences each, in which one and three sentences are many."""
    monkeypatch.setattr(parquet, "ROW_GROUP", 1)
    monkeypatch.setattr(sources, "WHOLE", 5)
    monkeypatch.setattr(sources, "Parts", lambda folder, rows=5, **how: Parts(folder, rows=5, **how))
    for name, step in ((ONE, 1), (TWO, 3)):
        treebank = ingest([name], Path("treebanks") / name)
        with parquet.table_file(Path("treebanks") / name / "tokens.parquet", "tokens/1") as tokens:
            for first in range(0, 9, step):
                tokens.add(treebank.tokens.filter(sentences(treebank, first, first + step)))
            tokens.close({})
    return [Path("treebanks") / name for name in (ONE, TWO)]


def sentences(treebank, first, end):
    return pc.and_(pc.greater_equal(treebank.tokens["sent"], first), pc.less(treebank.tokens["sent"], end))


def test_a_large_treebank_is_worked_on_in_parts(large):
    assert [len(sources.Parts(folder)) for folder in large] == [5, 3]
    (whole,) = generate([query("cases")], [ONE], Path("whole"))
    (made,) = generate([query("cases")], large[:1], Path("parts"))
    assert (made.matches, made.items) == (whole.matches, whole.items) == (3, 3)


def test_jobs_may_share_large_treebanks(large):
    files = [everywhere("cases", "nsubj"), everywhere("datives", "obj"), limited("few", 2)]
    made = generate(files, large, Path("direct"))
    assert [(suite.matches, suite.items) for suite in made] == [(12, 12), (6, 6), (5, 2)]
    for number in (1, 2, 3):
        generate_parts(files, large, Path("shares"), share=(number, 3))
    shares = [Path("shares", f"Georgian.{number}of3") for number in "312"]
    assert [str(suite) for suite in merge_parts(files, shares, Path("merged"))] == [str(suite) for suite in made]
    assert contents("merged") == contents("direct")


def limited(name, limit):
    """Write a construction that runs everywhere and wants no more than so many items."""
    file = everywhere(name, "nsubj")
    text = file.read_text(encoding="utf-8").replace("% target", f"% limit: {limit}\n% target")
    file.write_text(text, encoding="utf-8")
    return file


def test_a_large_treebank_is_searched_until_there_are_as_many_items_as_are_wanted(large):
    (all_items, some) = generate([limited("all", 9), limited("some", 2)], large[:1], Path("out"))
    assert str(all_items) == "all: 6 items from 6 matches"
    assert str(some) == f"some: 2 items from 3 matches; 1 beyond the limit; 40.0% of {ONE} was enough"
    card = render_card(Card(read_suites([Path("out/some")]), "Cases", "cases", []))
    assert f"**{ONE} is large.** For some suites it was searched, in stretches from all over it" in card


def test_what_fails_in_a_sample_fails_alone(large):
    Path("generators").mkdir()
    Path("generators/fails.py").write_text(FAILS, encoding="utf-8")
    failing = limited("failing", 9)
    text = failing.read_text(encoding="utf-8").replace("% target", "% generator: fails\n% target")
    failing.write_text(text, encoding="utf-8")
    with pytest.raises(StarbankError, match=r"fails.py:6: failing: .* failed in UD_Georgian-One with ValueError: oh"):
        generate([failing, limited("some", 2)], large[:1], Path("out"))
    assert [folder.name for folder in Path("out").iterdir()] == ["some"]


def test_what_is_sampled_is_in_corpus_order(large):
    generate([limited("all", 9)], large[:1], Path("out"))
    items = read_items([Path("out/all")])["sent_id"].to_pylist()
    assert items == [sent for sent in open_treebank(large[0]).sentences["sent_id"].to_pylist() if sent in items]


def test_each_share_must_be_there_once(large):
    files = [everywhere("cases", "nsubj")]
    for number in (1, 3):
        generate_parts(files, large, Path("shares"), share=(number, 3))
    with pytest.raises(SuiteError, match="of Georgian there are the shares 1/3, 3/3"):
        merge_parts(files, [Path("shares/Georgian.1of3"), Path("shares/Georgian.3of3")], Path("merged"))


def everywhere(name, relation):
    """Write a construction that runs on all treebanks and return its path."""
    text = EVERYWHERE.replace("{Number: [Sing, Plur]}", "{Case: [Nom, Erg, Dat]}").replace("Number", "Case")
    Path(f"{name}.grew").write_text(text.replace("nsubj", relation), encoding="utf-8")
    return Path(f"{name}.grew")
