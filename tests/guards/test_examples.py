"""Every guard has an example, and speaks against it with the words that it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from starbank.grew import Engine
from starbank.guards import ALL_GUARDS, Certainty, find_suspicious
from starbank.guards.examples import read_examples
from starbank.guards.page import to_markdown

EXAMPLES = read_examples()
NAMES = {certainty: {guard.name for guard in ALL_GUARDS if guard.certainty is certainty} for certainty in Certainty}
HARD, SOFT = (
    pytest.mark.parametrize(
        "example",
        [example for example in EXAMPLES if example.guard in NAMES[certainty]],
        ids=lambda example: f"{example.guard}, {example.starred}",
    )
    for certainty in (Certainty.HARD, Certainty.SOFT)
)


@pytest.mark.slow
@HARD
def test_a_hard_guard_rejects_its_example(run, example):
    _, suite, _, _ = run(example)
    reasons = [(row["reason"], row["detail"]) for row in suite.rejected.to_pylist() if row["sent_id"] == "s1"]
    assert (example.guard, example.detail) in reasons


@pytest.mark.slow
@SOFT
def test_a_soft_guard_suspects_its_example(run, example):
    construction, suite, treebank, lexicon = run(example)
    item, *_ = [item for item in suite.items.to_pylist() if item["sent_id"] == "s1"]
    assert example.starred in [f"*{''.join(c['regions'])}" for c in item["conditions"]]
    suspicions = find_suspicious(construction, suite.items, [(treebank, Engine(treebank))], lexicon)
    assert [s for s in suspicions if s.item_id == item["item_id"] and example.detail in s.reasons]


def test_every_guard_has_an_example():
    assert {example.guard for example in EXAMPLES} == {guard.name for guard in ALL_GUARDS}


def test_a_name_is_that_of_one_reason():
    assert len({guard.name for guard in ALL_GUARDS}) == len({(guard.name, guard.why) for guard in ALL_GUARDS})


def test_the_page_is_made_of_the_registry():
    assert (Path(__file__).parents[2] / "docs" / "guards.md").read_text(encoding="utf-8") == to_markdown()
