"""The tables of Grew-TSE 0.1.3 (Gallagher & Heyer 2026) -> scores.

Each is of one model, suite and level. It has `masked_text`, a column `form_grammatical_<case>` or
`form_ungrammatical_<case>` per condition, and `p_<column>` for what the model gives it. At the word level that is a
probability; at the sentence level a log-probability, in nats from a masked model (`mlm`) and in bits from a causal one
(`ntp`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from starbank.errors import SuiteError
from starbank.files import sha256, write_parquet
from starbank.scoring.conditions import SENTENCE, WORD
from starbank.scoring.journal import SCHEMA, SCORES
from starbank.scoring.sources import CAUSAL, MASKED

if TYPE_CHECKING:
    import pandas as pd

KINDS = {"mlm": MASKED, "ntp": CAUSAL}
LEVELS = {"word-level": WORD, "sentence-level": SENTENCE}
_NAME = re.compile(r"(?P<kind>mlm|ntp)-(?P<model>.+)-(?P<level>word-level|sentence-level)\.csv")
_FORM = re.compile(r"form_(?P<status>grammatical|ungrammatical)_(?P<condition>.+)")
MASK = "[MASK]"
HINT = "It should be a table of Grew-TSE, `mlm-<model>-<suite>-word-level.csv`."


@dataclass(frozen=True)
class Evaluation:
    """What the name of a file tells: a model and its kind, a suite, and a level of ours."""

    path: Path
    kind: str
    model: str
    suite: str
    level: str


def is_one(file: Path) -> bool:
    """Tell whether a file is called as the tables of Grew-TSE are."""
    return _NAME.fullmatch(file.name) is not None


def import_tables(files: Sequence[Path], suites: Sequence[str], output: Path, *, language: str | None) -> list[Path]:
    """Write the scores (`scores/1`) of each of `files` into `output`, the dataset's folder, and return the paths.

    The name of a file is `<kind>-<model>-<suite>-<level>.csv`; since both names may have hyphens in them, `suites`
    lists those of the suites. The forms of an item are its target; what a sentence-level score is made of is not known,
    so it stands with the target, too. Raises `SuiteError` for a file that is no such table.
    """
    if not language or not suites:
        hint = "Say --language kat, and with --suites which suites the names of the files have in them."
        raise SuiteError("does not say its language and its suite", file=files[0], hint=hint)
    written = []
    for file in files:
        evaluation = _read_name(Path(file), suites)
        table = _to_scores(evaluation, _read(evaluation.path), output.name, language)
        path = output / f"{evaluation.path.stem}.parquet"
        about = {"model": evaluation.model, "model_kind": evaluation.kind, "source": sha256(evaluation.path)}
        suite = {"dataset": output.name, "suite": evaluation.suite}
        write_parquet(table, path, SCHEMA, {**about, "suites": [suite]})
        written.append(path)
    return written


def _read_name(path: Path, suites: Sequence[str]) -> Evaluation:
    match = _NAME.fullmatch(path.name)
    suite = next((name for name in suites if match and match["model"].endswith(f"-{name}")), None)
    if match is None or suite is None:
        hint = f"{HINT} The suites are {', '.join(suites)}."
        raise SuiteError("the name of the file does not tell model, suite and level", file=path, hint=hint)
    model = match["model"].removesuffix(f"-{suite}")
    return Evaluation(path, KINDS[match["kind"]], model, suite, LEVELS[match["level"]])


def _read(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        names = pd.read_csv(path, nrows=0).columns
        # A form may look like a number.
        table = pd.read_csv(path, dtype={name: str for name in names if name == "masked_text" or _FORM.fullmatch(name)})
    except (OSError, ValueError) as error:
        raise SuiteError(f"cannot be read as CSV: {error}", file=path, hint=HINT) from error
    forms = [column for column in table if _FORM.fullmatch(column)]
    needed = ["sentence_id", "match_id", "masked_text", *(f"p_{form}" for form in forms)]
    missing = [column for column in needed if column not in table]
    if missing or not any(form.startswith("form_grammatical") for form in forms):
        what = f"lacks the column {missing[0]}" if missing else "has no column form_grammatical_…"
        raise SuiteError(what, file=path, line=1, hint=HINT)
    odd = [form for form in forms if not pd.api.types.is_numeric_dtype(table[f"p_{form}"])]
    if odd:
        raise SuiteError(f"has what is no number in the column p_{odd[0]}", file=path, hint=HINT)
    masks = table["masked_text"].str.count(re.escape(MASK))
    if (masks != 1).any():
        line = int(np.argmax(masks != 1)) + 2
        raise SuiteError(f"has {masks[line - 2]} {MASK} instead of one", file=path, line=line)
    return table


def _to_scores(evaluation: Evaluation, table: pd.DataFrame, dataset: str, language: str) -> pa.Table:
    """Return one row per item and condition; columns are found by name, for their order differs between files."""
    contexts = [text.split(MASK) for text in table["masked_text"]]
    matches = zip(table["sentence_id"], table["match_id"], strict=True)
    ids = (f"{evaluation.suite} {sentence} {match}" for sentence, match in matches)
    items = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in ids]
    unknown = [None] * len(table)
    parts = []
    for column, match in [(column, match) for column in table if (match := _FORM.fullmatch(column))]:
        constants = {
            "model": evaluation.model,
            "model_kind": evaluation.kind,
            "level": evaluation.level,
            "dataset": dataset,
            "construction": evaluation.suite,
            "language": language,
            "condition": match["condition"],
            "grammatical": match["status"] == "grammatical",
        }
        columns = {
            **{name: [value] * len(table) for name, value in constants.items()},
            "item_id": items,
            "regions": [[prefix, form, suffix] for (prefix, suffix), form in zip(contexts, table[column], strict=True)],
            "region_names": [["prefix", "target", "suffix"]] * len(table),
            "logprobs": [[None, value, None] for value in _in_nats(table[f"p_{column}"].to_numpy(float), evaluation)],
            "key": [f"{evaluation.path.stem} {item} {match['condition']}" for item in items],
        }
        parts.append(pa.table({name: columns.get(name, unknown) for name in SCORES.names}, schema=SCORES))
    return pa.concat_tables(parts)


def _in_nats(values: np.ndarray, evaluation: Evaluation) -> np.ndarray:
    if evaluation.level == WORD:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(values))
    return values * np.log(2) if evaluation.kind == CAUSAL else values
