"""Every guard speaks against its own example, with the words that it shows, and reads no other tables than it says."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from starbank.grew import Engine
from starbank.guards import ALL_GUARDS, Certainty, Guard, find_suspicious
from starbank.guards.page import to_markdown
from starbank.morphology import Lexicon, build_lexicon
from starbank.pipeline.generate import load_generator, with_covariates
from starbank.queries.constructions import read_construction
from tests.small_treebank import small_treebank

HARD = [guard for guard in ALL_GUARDS if guard.certainty is Certainty.HARD]
SOFT = [guard for guard in ALL_GUARDS if guard.certainty is Certainty.SOFT]


def name(guard: Guard) -> str:
    return f"{guard.name}, {guard.needs[0]}"


@pytest.fixture
def run(tmp_path):
    """Make the suite of a guard's example; returns the construction, the suite, the treebank and the lexicon."""

    def run(guard: Guard):
        example = guard.example
        (tmp_path / "example.grew").write_text(example.construction, encoding="utf-8")
        for file, text in example.files:
            (tmp_path / file).write_text(text, encoding="utf-8")
        construction = read_construction(tmp_path / "example.grew")
        sentences = (example.sentence, *example.beside)
        treebank = small_treebank(tmp_path / "treebank", *sentences, language=example.language)
        lexicon = Lexicon(build_lexicon([treebank]))
        matches = with_covariates(construction, Engine(treebank))
        suite = load_generator(construction).function(construction, matches, treebank, lexicon)
        return construction, suite, treebank, lexicon

    return run


@pytest.mark.parametrize("guard", HARD, ids=name)
def test_a_hard_guard_rejects_its_example(run, guard):
    _, suite, _, _ = run(guard)
    reasons = [(row["reason"], row["detail"]) for row in suite.rejected.to_pylist() if row["sent_id"] == "s1"]
    assert (guard.name, guard.example.detail) in reasons


@pytest.mark.parametrize("guard", SOFT, ids=name)
def test_a_soft_guard_suspects_its_example(run, guard):
    construction, suite, treebank, lexicon = run(guard)
    item, *_ = [item for item in suite.items.to_pylist() if item["sent_id"] == "s1"]
    assert guard.example.starred in [f"*{''.join(c['regions'])}" for c in item["conditions"]]
    suspicions = find_suspicious(construction, suite.items, [treebank], lexicon)
    assert [s for s in suspicions if s.item_id == item["item_id"] and guard.example.detail in s.reasons]


@pytest.mark.parametrize("guard", ALL_GUARDS, ids=name)
def test_a_guard_reads_the_tables_that_it_needs(guard):
    assert duckdb.connect().get_table_names(guard.query) == set(guard.needs)


def test_a_name_is_that_of_one_reason():
    assert len({guard.name for guard in ALL_GUARDS}) == len({(guard.name, guard.why) for guard in ALL_GUARDS})


def test_the_page_is_made_of_the_registry():
    assert (Path(__file__).parents[2] / "docs" / "guards.md").read_text(encoding="utf-8") == to_markdown()
