"""What lm-evaluation-harness logs of samples (`--log_samples`), a line of JSON each in `samples_<task>_<time>.jsonl`.

A sample has its `doc`, a row of the benchmark, the texts that were scored (`arguments`), and in `filtered_resps` their
log-probabilities in nats, in the same order. The harness writes numbers as texts, and earlier versions write lists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from starbank.errors import SuiteError
from starbank.pipeline.evaluations.pairs import read_pairs
from starbank.pipeline.evaluations.scored import VALUES, Published, Scored
from starbank.queries.benchmarks import KNOWN, open_text, read_header

_NAME = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.-]+)?\.jsonl(\.gz)?")
_HINT = "It should be what lm-evaluation-harness writes with --log_samples of a task of multiple choice."
# Of a row of ours that has a whole item, what scores tell of it.
_ITEM = ("construction", "phenomenon", "language", "treebank", "item_id")


@dataclass(frozen=True)
class _Sample:
    """One sample: the row of the benchmark, the texts scored, the grammatical one first, and their scores in nats."""

    doc: Mapping[str, Any]
    texts: tuple[str, ...]
    scores: tuple[float, ...]


def is_log(file: Path) -> bool:
    """Tell whether a file is a log of samples."""
    name = file.name.removesuffix(".gz")
    return name.endswith((".jsonl", ".ndjson")) and {"doc", "filtered_resps"} <= set(read_header(file))


def read_log(file: Path, published: Published) -> Scored:
    """Read a log of samples; a benchmark that is known, and our own, keeps the names of its suites and items.

    Of any other benchmark the two texts are the pair, and the task is the suite. Raises `SuiteError` for a line that is
    no sample, and for a benchmark of more than two choices that is not ours.
    """
    samples = list(_samples(file))
    if not samples:
        raise SuiteError("has no samples", file=file, hint=_HINT)
    model = published.model_of(file, _model(file))
    if all({"item_id", "conditions"} <= sample.doc.keys() for sample in samples):
        return Scored(model, *_items(samples, file))
    with TemporaryDirectory() as folder:
        # The name of the table is that of the suite where no column is.
        match = _NAME.fullmatch(file.name)
        table = Path(folder) / f"{match['task'] if match else file.stem}.jsonl"
        table.write_text("".join(_rows(samples, file)), encoding="utf-8")
        columns = {"good": "text_good", "bad": "text_bad", **_columns(samples[0].doc), **published.columns}
        settings = replace(published, columns=columns, unit="nats", good_score="score_good", bad_score="score_bad")
        try:
            return read_pairs(table, settings, model)
        except SuiteError as error:
            # A line of the table is a sample; blank lines of the log are none.
            place = f"sample {error.line}: " if error.line else ""
            raise SuiteError(f"{place}{error.message}", file=file, hint=error.hint) from error


def _samples(file: Path) -> Iterator[_Sample]:
    with open_text(file) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    value = json.loads(line)
                    # An escaped half of a character is JSON, and no text.
                    json.dumps(value, ensure_ascii=False).encode()
                    yield _sample(value)
                except (LookupError, TypeError, ValueError, OverflowError, AttributeError, RecursionError) as error:
                    raise SuiteError("is no sample of choices", file=file, line=number, hint=_HINT) from error


def _sample(value: Mapping[str, Any]) -> _Sample:
    arguments, right = value["arguments"], int(value["target"])
    choices = [list(choice.values()) for choice in arguments.values()] if isinstance(arguments, dict) else arguments
    texts = ["".join(choice[:2]) for choice in choices]
    scores = [float(response[0]) for response in value["filtered_resps"]]
    if not 2 <= len(texts) == len(scores) or not 0 <= right < len(texts):
        raise ValueError("choices and responses are not as many")
    order = [right, *(place for place in range(len(texts)) if place != right)]
    return _Sample(dict(value["doc"]), tuple(texts[place] for place in order), tuple(scores[place] for place in order))


def _model(file: Path) -> str | None:
    """Return the model as the results beside the samples have it, else as their folder, where `__` stands for `/`."""
    time = file.name.partition(".jsonl")[0].rpartition("_")[2]
    beside = file.with_name(f"results_{time}.json")
    if beside.is_file():
        try:
            model_name = json.loads(beside.read_text(encoding="utf-8")).get("model_name")
        except (ValueError, AttributeError, RecursionError):
            model_name = None
        if isinstance(model_name, str) and model_name:
            return model_name
    owner, sign, name = file.resolve().parent.name.partition("__")
    return f"{owner}/{name}" if sign and owner else None


def _columns(doc: Mapping[str, Any]) -> dict[str, str]:
    """Return what columns tell of a pair besides its texts: those of our own rows, or of a benchmark that is known."""
    if "item_id" in doc and "construction" in doc:
        return {"suite": "construction", "phenomenon": "phenomenon", "language": "language"}
    known = [bench.columns for bench in KNOWN if {bench.columns.good, bench.columns.bad} <= doc.keys()]
    return {
        key: value
        for columns in known
        for key, value in columns.named.items()
        if key in ("good", "bad", "prefix", "id", "suite", "phenomenon") and value in doc
    }


def _rows(samples: list[_Sample], file: Path) -> Iterator[str]:
    """Yield the pairs as lines of JSON: the plain columns of each row, the two texts, and the two scores."""
    for number, sample in enumerate(samples, 1):
        if len(sample.texts) != 2:
            raise SuiteError(f"sample {number} has {len(sample.texts)} choices in place of two", file=file, hint=_HINT)
        plain = {key: str(value) for key, value in sample.doc.items() if isinstance(value, str | int | float)}
        texts = dict(zip(("text_good", "text_bad"), sample.texts, strict=True))
        scores = {name: repr(score) for name, score in zip(("score_good", "score_bad"), sample.scores, strict=True)}
        yield json.dumps(plain | texts | scores, ensure_ascii=False) + "\n"


def _items(samples: list[_Sample], file: Path) -> tuple[pa.Table, pa.Table]:
    """Return the items of a dataset of ours, whose conditions are the choices, and their values."""
    items, values = [], []
    for number, (doc, texts, scores) in enumerate(((one.doc, one.texts, one.scores) for one in samples), 1):
        try:
            item = {name: doc[name] for name in (*_ITEM, "region_names")} | {"sent_id": doc["item_id"]}
            names = {"".join(condition["regions"]): condition["name"] for condition in doc["conditions"]}
            conditions = [names[text] for text in texts]
            parts = ("name", "grammatical", "against", "regions")
            item["conditions"] = [{part: one[part] for part in parts} for one in doc["conditions"]]
            target = item["region_names"].index("target") if "target" in item["region_names"] else 0
        except (KeyError, TypeError, AttributeError) as error:
            message = f"sample {number} does not have a choice for each of its conditions"
            raise SuiteError(message, file=file, hint=_HINT) from error
        items.append(item)
        empty = [None] * len(item["region_names"])
        values += [
            {
                "suite": item["construction"],
                "item": item["sent_id"],
                "condition": name,
                "logprobs": [*empty[:target], score, *empty[target + 1 :]],
            }
            for name, score in zip(conditions, scores, strict=True)
        ]
    return pa.Table.from_pylist(items), pa.Table.from_pylist(values, schema=VALUES)
