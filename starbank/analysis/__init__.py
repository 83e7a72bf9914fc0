"""Scores -> tables, a plot, and a page that a linguist can read without running anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from starbank.errors import SuiteError
from starbank.files import failure_file, read_metadata, sha256, write_parquet, write_text

if TYPE_CHECKING:
    from starbank.analysis.browser import Draw

__all__ = ["results"]

# Of each suite, how many items the page shows one by one.
ITEMS = 50


def results(
    scores: Sequence[Path],
    output: Path,
    *,
    suites: Sequence[Path] = (),
    items: int = ITEMS,
    draw: Draw | None = None,
) -> Path:
    """Evaluate scores and write tables, plot and report into the folder `output`; return it.

    `scores` are scores files (`scores/1`); one that is missing because its model failed is reported. `suites` are
    folders in or under which the suites lie that were scored, from which the report takes titles, requests, examples,
    covariates and the yield. The page shows the first `items` items of each suite one by one, with the trees that
    `draw` gives for them. docs/formats.md lists the products under "Results".
    Raises `SuiteError` where a file is missing or is not what it should be; empty ones are reported.
    """
    from starbank.analysis import compare, groups, judgements, latex, plot, report, tables, yields
    from starbank.analysis.bootstrap import add_bootstrap
    from starbank.analysis.browser import browse
    from starbank.analysis.items import open_items
    from starbank.analysis.predictions import predictions

    failed = [path for path in scores if not path.exists() and failure_file(path).exists()]
    scores = [path for path in scores if path not in failed]
    database = judgements.open_scores(scores)
    summaries = yields.read_suites(suites)
    open_items(database, summaries)
    products = {
        "accuracy": add_bootstrap(tables.accuracy(database), database),
        "treebanks": tables.by_treebank(database),
        "preferred": tables.preferred(database),
        "predictions": predictions(database, summaries),
        "compared": compare.compare_models(database),
        "by": groups.accuracy_by(database),
        "correlations": groups.correlations(database),
        "regression": groups.regression(database),
        "yield": yields.yields(summaries),
    }
    shown = report.show_suites(summaries, tables.told_suites(database))
    coverage = tables.coverage(database).to_pandas()
    rows = report.label_rows(products["accuracy"].to_pandas(), coverage, shown)
    models = dict(rows.sort_values("order")[["model", "label"]].itertuples(index=False))
    drawn = plot.draw_panels(rows)
    page = report.render(
        rows,
        {name: table.to_pandas() for name, table in products.items()},
        drawn,
        shown,
        [*_failures(failed), *_unscored(scores)],
        browse(database, shown, models, items, draw),
    )

    output = Path(output)
    sources = {"scores": sorted(sha256(path) for path in scores)}
    for name, table in products.items():
        _write_table(table, output / name, sources)
    write_text(latex.accuracy_tex(rows), output / "accuracy.tex")
    write_text(plot.figure_svg(drawn), output / "accuracy.svg")
    write_text(page, output / "report.html")
    return output


def _unscored(scores: Sequence[Path]) -> list[str]:
    """Say which scores files hold no score."""
    names = sorted(_model(path) for path in scores if not pq.read_metadata(path).num_rows)
    return [f"{name} gave no scores: its suites have no items." for name in names]


def _model(path: Path) -> str:
    """Return the model of a scores file, with the datasets that it was to score."""
    about = read_metadata(path)
    try:
        datasets = ", ".join(sorted({suite["dataset"] for suite in about.get("suites", [])}))
        return f"{about['model']} ({datasets})" if datasets else str(about["model"])
    except (KeyError, TypeError) as error:
        raise SuiteError("does not say which model scored what", file=path, hint="Score again.") from error


def _failures(paths: Sequence[Path]) -> list[str]:
    """Say which models failed on which datasets, and why."""
    failures = {path: _failure(path) for path in paths}
    return [f"{model} ({path.parent.name}) could not be used: {why}" for path, (model, why) in failures.items()]


def _failure(path: Path) -> tuple[str, str]:
    """Return the model of a scores file that is not there, and why it is not."""
    file = failure_file(path)
    try:
        failure = json.loads(file.read_text(encoding="utf-8"))
        return failure["model"], failure["message"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise SuiteError("does not say which model failed and why", file=file, hint="Score again.") from error


def _write_table(table: pa.Table, path: Path, provenance: dict[str, list[str]]) -> None:
    write_parquet(table, path.with_suffix(".parquet"), f"{path.name}/1", provenance)
    write_text(table.to_pandas().to_csv(index=False, lineterminator="\n"), path.with_suffix(".csv"))
