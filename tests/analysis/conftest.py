"""Small scores files and suites, written out by hand."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from starbank.files import write_parquet
from starbank.scoring.journal import SCORES
from starbank.suites.schemas import ITEMS

REGIONS = {
    "Erg": ["", "კაცმა", " სახლი ააშენა."],
    "Nom": ["", "კაცი", " სახლი ააშენა."],
    "Dat": ["", "კაცს", " სახლი ააშენა."],
}

# {item: {condition: log-probabilities of its regions, or of its target alone}}
Items = Mapping[str, Mapping[str, list[float | None] | float]]


@pytest.fixture
def write_scores(tmp_path: Path) -> Callable[..., Path]:
    return scores_writer(tmp_path)


@pytest.fixture
def write_suite(tmp_path: Path) -> Callable[..., Path]:
    return suite_writer(tmp_path)


def scores_writer(folder: Path) -> Callable[..., Path]:
    """Write a scores file for one model, level and suite; `good` names the grammatical conditions of every item,
    `against` the one that a starred condition is held against."""

    def write(
        items: Items,
        *,
        name: str = "scores.parquet",
        good: tuple[str, ...] = ("Erg",),
        against: Mapping[str, str] = {},
        texts: Mapping[str, Sequence[str]] = REGIONS,
        **columns: Any,
    ) -> Path:
        rows = [
            {
                "model": "ngram",
                "model_kind": "baseline",
                "level": "word",
                "dataset": "kat",
                "construction": "erg-subj",
                "phenomenon": "case alignment",
                "language": "kat",
                "treebank": "UD_Georgian-Sample",
                "item_id": item,
                "condition": condition,
                "grammatical": condition in good,
                "against": against.get(condition),
                "regions": texts.get(condition, ["", condition, ""]),
                "region_names": ["prefix", "target", "suffix"],
                "logprobs": logprobs if isinstance(logprobs, list) else [None, logprobs, None],
                "tokens": [0, 2, 3],
                "key": f"{item} {condition}",
                **columns,
            }
            for item, conditions in items.items()
            for condition, logprobs in conditions.items()
        ]
        path = folder / name
        provenance = {"model": columns.get("model", "ngram"), "suites": [{"dataset": "kat", "suite": "erg-subj"}]}
        write_parquet(pa.Table.from_pylist(rows, schema=SCORES), path, "scores/1", provenance)
        return path

    return write


def suite_writer(folder: Path) -> Callable[..., Path]:
    """Write a suite with one item per given word (as `REGIONS`, after that word) and a reject per given reason."""

    def write(
        openings: list[str],
        reasons: list[str] = [],  # noqa: B006
        *,
        name: str = "erg-subj",
        title: str = "",
        **covariates: list[Any],
    ) -> Path:
        rows = [
            {
                "item_id": f"i{number}",
                "treebank": "UD_Georgian-Sample",
                "sent_id": f"s{number}",
                "conditions": [
                    {"name": case, "grammatical": case == "Erg", "regions": [f"{opening} ", form, end], "form": form}
                    for case, (_, form, end) in REGIONS.items()
                ],
                "length": 3 + len(opening.split()),
                **{covariate: values[number - 1] for covariate, values in covariates.items()},
            }
            for number, opening in enumerate(openings, start=1)
        ]
        about = {
            "construction": {
                "name": name,
                "title": title or name,
                "language": "kat",
                "phenomenon": "case alignment",
                "query": "pattern { V -[nsubj]-> SUBJ; SUBJ [Case<>Nom] }",
            },
            "treebanks": [{"name": "UD_Georgian-Sample", "license": "CC-BY-SA-4.0", "release": "2.18"}],
        }
        suite = folder / "suites" / "kat" / name
        write_parquet(pa.Table.from_pylist(rows, schema=ITEMS), suite / "items.parquet", "items/1", about)
        rejected = pa.table({"reason": pa.array(reasons, pa.string())})
        write_parquet(rejected, suite / "rejected.parquet", "rejected/1", about)
        return suite

    return write
