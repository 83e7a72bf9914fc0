"""What is derived from scores, with numbers worked out by hand."""

from __future__ import annotations

from math import log
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from starbank.analysis.measures import measures
from starbank.errors import SuiteError
from starbank.files import read_metadata, write_parquet

LISTS = {"regions": pa.string(), "region_names": pa.string(), "logprobs": pa.float64(), "tokens": pa.int32()}
LISTS |= {"token_logprobs": pa.float64(), "token_starts": pa.int32(), "token_ends": pa.int32()}
NAMES = ("model", "model_kind", "level", "dataset", "construction", "item_id", "condition")
SCHEMA = pa.schema(
    [(name, pa.string()) for name in (*NAMES, "against")]
    + [("grammatical", pa.bool_())]
    + [(name, pa.list_(kind)) for name, kind in LISTS.items()]
)
HALF, BIT = -log(2), log(2)


def row(condition: str, regions: list[str], logprobs: list[float | None], tokens: list[int], **other: Any) -> dict:
    """One score; tokens are as long as it takes to cover the word that the level reads."""
    start = 0 if other.get("level", "sentence") == "sentence" else len(regions[0])
    end = len("".join(regions)) if not start else len(regions[0] + regions[1])
    return {
        **{"model": "m", "model_kind": "causal", "level": "sentence", "dataset": "d", "construction": "c"},
        **{"item_id": "1", "condition": condition, "grammatical": condition == "good", "against": None},
        **{"regions": regions, "region_names": ["prefix", "target", "suffix"]},
        **{"logprobs": logprobs, "tokens": tokens, "token_logprobs": []},
        **{"token_starts": [start], "token_ends": [end]},
        **other,
    }


def run(folder: Path, *rows: dict) -> list[dict[str, Any]]:
    write_parquet(pa.Table.from_pylist(list(rows), schema=SCHEMA), folder / "s.parquet", "scores/1")
    return measures([folder / "s.parquet"], folder / "measures.parquet").to_pylist()


def test_surprisal_is_in_bits_by_region(tmp_path: Path) -> None:
    [one] = run(tmp_path, row("good", ["Cats ", "sleep", "."], [HALF, 3 * HALF, 0.0], [1, 2, 1]))
    assert one["surprisals"] == pytest.approx([1, 3, 0])
    assert one["surprisal"] == pytest.approx(4)
    assert one["logprob"] == pytest.approx(-4 * BIT)


def test_means_are_per_token_character_and_byte(tmp_path: Path) -> None:
    [one] = run(tmp_path, row("good", ["კატა ", "წევს", "."], [-2.0, -4.0, -6.0], [1, 2, 3]))
    assert (one["tokens"], one["per_token"]) == (6, -2.0)
    assert one["per_character"] == pytest.approx(-12 / 10)
    assert one["per_byte"] == pytest.approx(-12 / 26)  # Eight letters of three bytes, a space and a full stop.


def test_the_ending_is_what_follows_the_prefix(tmp_path: Path) -> None:
    [one] = run(tmp_path, row("good", ["Cats ", "sleep", "."], [-2.0, -4.0, -5.0], [1, 2, 1]))
    assert (one["ending"], one["ending_per_token"], one["ending_per_character"]) == (-9.0, -3.0, -1.5)


def test_a_word_is_measured_by_its_own_characters(tmp_path: Path) -> None:
    [one] = run(tmp_path, row("good", ["კატა ", "წევს", "."], [None, -6.0, None], [0, 2, 0], level="word"))
    assert (one["logprob"], one["per_token"], one["per_character"], one["per_byte"]) == (-6.0, -3.0, -1.5, -0.5)
    assert one["surprisals"] == [None, pytest.approx(6 / BIT), None]
    assert one["ending"] is None


def test_slor_takes_the_frequency_of_the_words_away(tmp_path: Path) -> None:
    regions = ["Cats ", "sleep", "."]
    found = run(
        tmp_path,
        row("good", regions, [-2.0, -4.0, -4.0], [1, 2, 1]),
        row("good", regions, [-6.0, -9.0, -1.0], [1, 1, 1], model="unigram", model_kind="baseline"),
        row("good", regions, [-1.0, -1.0, -0.0], [2, 2, 0], level="sentence-original"),
    )
    slor = {(one["model"], one["level"]): one["slor"] for one in found}
    assert slor == {
        ("m", "sentence"): (-10 + 16) / 4,
        ("m", "sentence-original"): (-2 + 16) / 4,
        ("unigram", "sentence"): 0,
    }


def test_conditions_are_ranked_and_ties_share_a_rank(tmp_path: Path) -> None:
    scores = {"good": -3.0, "a": -5.0, "b": -3.0, "c": -4.0}
    found = run(tmp_path, *(row(name, ["", name, ""], [0.0, value, 0.0], [0, 1, 0]) for name, value in scores.items()))
    assert {one["condition"]: one["rank"] for one in found} == {"good": 1, "b": 1, "c": 3, "a": 4}


def test_the_margin_is_by_how_much_the_right_one_wins(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        row("good", ["", "x", ""], [0.0, -3.0, 0.0], [0, 1, 0]),
        row("also good", ["", "y", ""], [0.0, -1.0, 0.0], [0, 1, 0], grammatical=True),
        row("bad", ["", "z", ""], [0.0, -2.0, 0.0], [0, 1, 0], against="also good"),
        row("worse", ["", "w", ""], [0.0, -9.0, 0.0], [0, 1, 0]),
    )
    margin = {one["condition"]: one["margin"] for one in found}
    # A starred one is held against its own; one that names none against the least likely.
    assert margin == {"good": -1.0, "also good": 1.0, "bad": 1.0, "worse": 6.0}


def test_a_score_that_is_not_there_has_no_measures(tmp_path: Path) -> None:
    [bad, good] = sorted(
        run(
            tmp_path,
            row("good", ["", "x", ""], [None, None, None], [0, 0, 0], level="word", token_starts=[], token_ends=[]),
            row("bad", ["", "z", ""], [None, -2.0, None], [0, 1, 0], level="word"),
        ),
        key=lambda one: one["condition"],
    )
    assert (good["logprob"], good["per_token"], good["per_character"], good["rank"], good["margin"]) == (None,) * 5
    assert (bad["rank"], bad["margin"]) == (1, None)


def test_only_scores_are_measured(tmp_path: Path) -> None:
    write_parquet(pa.table({"a": [1]}), tmp_path / "x.parquet", "items/1")
    with pytest.raises(SuiteError, match="holds items/1 instead of scores/1"):
        measures([tmp_path / "x.parquet"], tmp_path / "measures.parquet")
    run(tmp_path, row("good", ["", "x", ""], [0.0, -1.0, 0.0], [0, 1, 0]))
    assert read_metadata(tmp_path / "measures.parquet")["schema"] == "measures/1"
