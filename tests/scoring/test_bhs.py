"""The published suites of Kryvosheieva & Levy (2025) score as they were published: minicons' mean over the ending."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.compute as pc
import pytest

from starbank.analysis import judgements, yields
from starbank.analysis.measures import measures
from starbank.analysis.predictions import predictions
from starbank.files import read_parquet
from starbank.queries.imports import read_import
from starbank.scoring import score
from starbank.sets.imported import import_suite

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models")]

# The tiny models read these scripts.
PUBLISHED = {"basque-DO-S_DO_V_AUX": "eus", "hindi-S_ne_O_V": "hin"}
ITEMS = 25


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("model", ["causal-without-beginning", "masked"])
def test_published_items_score_as_published(shared: Path, models: Path, tmp_path: Path, name: str, model: str) -> None:
    minicons = pytest.importorskip("minicons.scorer")
    pairs = json.loads((shared / "published" / "bhs" / f"{name}.json").read_text(encoding="utf-8"))[:ITEMS]
    file = tmp_path / "pairs.json"
    file.write_text(json.dumps(pairs))
    folder = tmp_path / "bhs" / name
    import_suite(read_import(file, name=name, language=PUBLISHED[name]), folder)
    score([folder], str(models / model), tmp_path / "scores.parquet", levels=["sentence"])

    if model == "masked":
        scorer, options = minicons.MaskedLMScorer(str(models / model)), {"PLL_metric": "within_word_l2r"}
        scorer.tokenizer.batch_encode_plus = lambda text, **settings: scorer.tokenizer(text, **settings)
    else:
        scorer, options = minicons.IncrementalLMScorer(str(models / model)), {}
    prefixes, endings = zip(*pairs, strict=True)
    theirs = {
        condition: scorer.conditional_score(
            [one[place] for one in prefixes], [one[place] for one in endings], **options
        )
        for place, condition in enumerate(("grammatical", "starred"))
    }

    table = measures([tmp_path / "scores.parquet"], tmp_path / "measures.parquet")
    items = read_parquet(folder / "items.parquet")["item_id"].to_pylist()
    for condition, expected in theirs.items():
        rows = table.filter(pc.equal(table["condition"], condition)).to_pylist()
        ours = {row["item_id"]: row["ending_per_token"] for row in rows}
        assert [ours[item] for item in items] == pytest.approx(expected, abs=1e-4)

    # Equal is wrong, as published.
    right = sum(good > bad for good, bad in zip(theirs["grammatical"], theirs["starred"], strict=True))
    database = judgements.open_scores([tmp_path / "scores.parquet"])
    rows = predictions(database, yields.read_suites([folder])).to_pylist()
    assert [(row["prediction"], row["items"], row["correct"]) for row in rows] == [
        ("1", ITEMS, right),
        ("all", ITEMS, right),
    ]
