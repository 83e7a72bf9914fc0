"""What a reader of results should know of the scores behind them: given twice, outdated, or missing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow.parquet as pq

from starbank.analysis.models import ScoredModel
from starbank.analysis.yields import SuiteSummary
from starbank.errors import SuiteError
from starbank.files import failure_file, sha256

_REPEATED = """
    SELECT model, dataset, construction, list_sort(list(DISTINCT filename)) AS files
    FROM sources GROUP BY model, dataset, construction, level HAVING len(files) > 1
"""


def failed(paths: Iterable[Path]) -> Iterator[str]:
    """Yield which models could not make the scores files `paths`, of which dataset, and why.

    Raises `SuiteError` where the file beside one that says so cannot be read.
    """
    for path in paths:
        file = failure_file(path)
        try:
            failure = json.loads(file.read_text(encoding="utf-8"))
            model, why = failure["model"], failure["message"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise SuiteError("does not say which model failed and why", file=file, hint="Score again.") from error
        yield f"{model} ({path.parent.name}) could not be used: {why}"


def empty(models: Iterable[ScoredModel]) -> Iterator[str]:
    """Yield which scores files hold no score."""
    names = []
    for model in models:
        if not pq.read_metadata(model.path).num_rows:
            datasets = ", ".join(sorted({dataset for dataset, _ in model.suites}))
            names.append(f"{model.label} ({datasets})" if datasets else model.label)
    yield from (f"{name} gave no scores: its suites have no items." for name in sorted(names))


def repeated(database: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield which scores stand in several files; they are counted once. `database` is that of `open_scores`."""
    rows = database.sql(f"SELECT DISTINCT * FROM ({_REPEATED}) ORDER BY ALL").fetchall()
    for model, dataset, construction, files in rows:
        names = ", ".join(Path(file).name for file in files)
        yield f"{model} scored {dataset}/{construction} in several files ({names}); its scores are counted once."


def outdated(models: Sequence[ScoredModel], suites: Sequence[SuiteSummary]) -> Iterator[str]:
    """Yield which scores are of another version of a suite than the one that is given."""
    now = {(suite.dataset, suite.name): sha256(suite.file) for suite in suites}
    for model in models:
        for suite in model.about.get("suites", []):
            key = suite["dataset"], suite["suite"]
            if key in now and suite.get("sha256", now[key]) != now[key]:
                yield f"{model.label} scored another version of {'/'.join(key)} than the one given: score it again."


def unscored(coverage: pd.DataFrame) -> Iterator[str]:
    """Yield where a model has no score for some conditions; `coverage` is the table of that name."""
    lacking = coverage[coverage["incomplete"] > 0].groupby(["model", "dataset", "level"])["incomplete"].sum()
    for (model, dataset, level), items in lacking.items():
        plural = "" if items == 1 else "s"
        yield f"{model} ({dataset}, {level} level) did not score all conditions of {items} item{plural}, left out here."
