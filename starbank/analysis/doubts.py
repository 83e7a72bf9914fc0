"""What a reader of results should know of the scores behind them: given twice, outdated, or missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import pandas as pd

from starbank.analysis.models import ScoredModel
from starbank.analysis.yields import SuiteSummary
from starbank.files import sha256

_REPEATED = """
    SELECT model, dataset, construction, list_sort(list(DISTINCT filename)) AS files
    FROM sources GROUP BY model, dataset, construction, level HAVING len(files) > 1
"""


def repeated(database: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield which scores stand in several files; they are counted once. `database` is that of `open_scores`."""
    if not database.sql("SELECT 1 FROM duckdb_views() WHERE view_name = 'sources'").fetchall():
        return
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
