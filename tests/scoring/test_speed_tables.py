"""The benchmarks of large models and of architectures run, and what they compare agrees."""

from __future__ import annotations

import argparse
import random

import pytest

from tests.scoring.conftest import ROOT

pytestmark = [pytest.mark.models, pytest.mark.slow, pytest.mark.xdist_group("models")]
PAGE = ROOT / "docs/architectures.md"


def draw(title: str, count: int) -> list[tuple[str, str]]:
    """Some rows of a table of docs/architectures.md: architecture and kind."""
    from benchmarks.architectures import read_page

    return random.Random(0).sample(read_page(PAGE)[title], count)


def test_an_architecture_is_what_its_table_says() -> None:
    from benchmarks.architectures import examine

    for title, verdict in (("Exact", "exact"), ("Refused", "refused")):
        for name, kind in draw(title, 4):
            assert (name, examine(name, kind).verdict) == (name, verdict)


def test_no_architecture_is_wrong() -> None:
    from benchmarks.architectures import read_page

    listed = read_page(PAGE)
    assert listed["Wrong"] == []
    kinds = {kind for _, kind in listed["Exact"]}
    assert kinds == {"causal", "masked", "encoder-decoder"}


def test_large_models_have_a_benchmark_that_runs_on_a_processor(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.gpu import SHAPES, compare, main

    options = argparse.Namespace(items=12, others=4, batch_tokens=256, gpus=1)
    rows = {row.program: row for row in compare(SHAPES["tiny"], "cpu", options)}
    assert (rows["starbank"].pairs, rows["starbank"].apart) == (12, 0.0)
    for program in set(rows) - {"starbank"}:
        # What others leave to 16 bits or count otherwise would be further away.
        assert rows[program].apart < 1e-3
    main(["--shape", "tiny", "--items", "4", "--others", "2", "--peak", "1"])
    assert "peak 1000 GFLOP/s (as given)" in capsys.readouterr().out
