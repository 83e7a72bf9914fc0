"""Pairs of a benchmark go all the way: in as a table, scored as others score them, out to a Hub."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.compute as pc
import pytest

from starbank.analysis import results
from starbank.analysis.measures import measures
from starbank.files import read_parquet
from starbank.hub import publish, push
from starbank.pipeline.imports import Settings, import_files
from starbank.pipeline.verify import verify
from starbank.scoring import score
from tests.hub.conftest import certificate, hub  # noqa: F401

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models")]

PAIRS = {
    "agreement": [
        ("The keys to the cabinet are here.", "The keys to the cabinet is here.", 1),
        ("He sings.", "He sing.", 0),
        ("They sing.", "They sings.", 0),
    ],
    # A word that is left out: there is no region to compare, and so the whole sentence is one.
    "npi": [("Only Bill has ever left.", "Bill has ever left.", 0), ("Nobody left.", "Nobody left.", 0)],
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.jsonl"
    lines = [
        {"sentence_good": good, "sentence_bad": bad, "UID": uid, "linguistics_term": uid, "attractors": attractors}
        for uid, pairs in PAIRS.items()
        for good, bad, attractors in pairs
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


@pytest.mark.slow
def test_from_a_table_to_a_repository(table: Path, models: Path, corpus: Path, tmp_path: Path, hub) -> None:  # noqa: F811
    settings = Settings("eng", {"covariates": ("attractors",)}, {"license": "CC0-1.0", "cite": "Nobody (2020)"})
    told: list[str] = []
    import_files([table], tmp_path / "suites", settings, told.append)
    assert told[:2] == [
        "agreement: 3 items from 3 in the file",
        "npi: 1 items from 2 in the file; 1 identical form",
    ]
    files = [tmp_path / "scores" / f"{name}.parquet" for name in ("unigram", "causal")]
    score([tmp_path / "suites"], "unigram", files[0], text=[corpus])
    score([tmp_path / "suites"], str(models / "causal"), files[1])
    results(files, tmp_path / "results", suites=[tmp_path / "suites"])
    accuracy = read_parquet(tmp_path / "results" / "accuracy.parquet").to_pylist()
    counted = {(row["construction"], row["model"]): row["items"] for row in accuracy if row["level"] == "sentence"}
    assert counted[("agreement", "causal")] == counted[("agreement", "unigram")] == 3
    assert counted[("npi", "causal")] == 1

    dataset = publish([tmp_path / "suites"], tmp_path / "blimp")
    pushed = push(dataset, "lab/blimp")
    assert pushed.created
    assert "data/agreement/pairs.parquet" in hub.files("lab/blimp")
    card = (dataset / "README.md").read_text(encoding="utf-8")
    assert "license: cc0-1.0" in card
    assert "good: sentence_good" in card
    assert "\\*The keys to the cabinet **is** here." in card
    assert verify(dataset, treebanks=tmp_path, lexicons=[table])


def test_a_causal_model_is_held_to_what_differs(table: Path, models: Path, tmp_path: Path) -> None:
    import_files([table], tmp_path / "suites", Settings("eng"))
    score([tmp_path / "suites"], str(models / "causal"), tmp_path / "scores.parquet", levels=["sentence"])
    scores = read_parquet(tmp_path / "scores.parquet")
    cut = scores.filter(pc.equal(scores["construction"], "agreement")).to_pylist()
    prefixes: dict[str, set[float]] = {}
    for row in cut:
        prefixes.setdefault(row["item_id"], set()).add(round(row["logprobs"][0] or 0.0, 4))
    # Both sentences begin alike, and so does what a model says of them.
    assert [len(values) for values in prefixes.values()] == [1, 1, 1]
    assert {row["regions"][0] for row in cut} == {"The keys to the cabinet ", "He ", "They "}


@pytest.mark.parametrize("model", ["causal-without-beginning", "masked"])
def test_rublimp_scores_as_minicons_scores_it(shared: Path, models: Path, tmp_path: Path, model: str) -> None:
    minicons = pytest.importorskip("minicons.scorer")
    file = shared / "published" / "rublimp" / "noun_subj_predicate_agreement_number.csv"
    import_files([file], tmp_path / "suites", Settings())
    (folder,) = (tmp_path / "suites").iterdir()
    score([folder], str(models / model), tmp_path / "scores.parquet", levels=["sentence"])

    if model == "masked":
        scorer, options = minicons.MaskedLMScorer(str(models / model)), {"PLL_metric": "within_word_l2r"}
        scorer.tokenizer.batch_encode_plus = lambda text, **settings: scorer.tokenizer(text, **settings)
    else:
        scorer, options = minicons.IncrementalLMScorer(str(models / model)), {}
    table = measures([tmp_path / "scores.parquet"], tmp_path / "measures.parquet")
    pairs = read_parquet(folder / "pairs.parquet").slice(0, 20).to_pylist()
    for condition, column in (("grammatical", "sentence_good"), ("starred", "sentence_bad")):
        ours = {row["item_id"]: row["logprob"] for row in table.to_pylist() if row["condition"] == condition}
        theirs = scorer.sequence_score(
            [pair[column] for pair in pairs], reduction=lambda tokens: tokens.sum(0).item(), **options
        )
        assert [ours[pair["item_id"]] for pair in pairs] == pytest.approx(theirs, abs=1e-3)
