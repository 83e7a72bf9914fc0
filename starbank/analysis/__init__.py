"""Scores -> tables, a plot, and a page that a linguist can read without running anything."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from starbank.errors import UsageError
from starbank.files import LEFT, failure_file, sha256, write_parquet, write_text

if TYPE_CHECKING:
    from starbank.analysis.browser import Draw

__all__ = ["results"]

logger = logging.getLogger("starbank")

# Of each suite, how many items the page shows one by one.
ITEMS = 50
# Tables of which the page shows levels that say the same once. Predictions are of surprisals, which differ.
LEVELLED = ("treebanks", "preferred", "compared", "by", "regression", "correlations", "slopes")
# What results are beside tables.
PAGES = ("accuracy.tex", "accuracy.svg", "figures", "report.html")


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
    from starbank.analysis import (
        compare,
        doubts,
        drawn,
        groups,
        judgements,
        latex,
        levels,
        plot,
        report,
        sizes,
        surprisals,
        tables,
        yields,
    )
    from starbank.analysis.bootstrap import add_bootstrap
    from starbank.analysis.browser import browse
    from starbank.analysis.figures import CONDITIONS, palette
    from starbank.analysis.items import open_items
    from starbank.analysis.models import label_models, models_table
    from starbank.analysis.predictions import predictions

    failed = [path for path in scores if not path.exists() and failure_file(path).exists()]
    scores = [path for path in scores if path not in failed]
    scored = label_models(scores)
    database = judgements.open_scores(scores, scored)
    summaries = yields.read_suites(suites)
    open_items(database, summaries)
    shown = report.show_suites(summaries, tables.scored_suites(database))
    products = {
        "accuracy": add_bootstrap(tables.accuracy(database), database),
        "treebanks": tables.by_treebank(database),
        "preferred": tables.preferred(database),
        "predictions": predictions(database, summaries),
        "compared": compare.compare_models(database),
        "by": groups.accuracy_by(database),
        "correlations": groups.correlations(database),
        "regression": groups.regression(database),
        "surprisals": surprisals.surprisals(database),
        "regions": surprisals.regions(database),
        "yield": yields.yields(summaries),
        "models": models_table(scored),
    }
    phenomena = {(suite.dataset, suite.name): suite.phenomenon for suite in shown}
    points = sizes.points(products["accuracy"], products["by"], products["models"], phenomena)
    products["slopes"] = sizes.slopes(points)
    coverage = tables.coverage(database).to_pandas()
    notes = [*doubts.repeated(database), *doubts.outdated(scored, summaries), *doubts.unscored(coverage)]
    for note in notes:
        logger.warning("%s", note)
    frames = {name: table.to_pandas() for name, table in products.items()}
    shown_levels = levels.same_levels(database, frames["preferred"])
    sized = frames["models"].dropna(subset="parameters")
    counts = dict(sized[["model", "parameters"]].itertuples(index=False))
    rows = levels.show_once(report.label_rows(frames["accuracy"], coverage, shown, counts), shown_levels)
    frames |= {name: levels.show_once(frames[name], shown_levels) for name in LEVELLED}
    titles = {(suite.dataset, suite.name): suite.title for suite in shown}
    models = dict(rows.sort_values("order")[["model", "label"]].itertuples(index=False))
    browser = browse(database, shown, models, items, draw)
    database.close()  # What is drawn takes memory, too.
    colours = palette(sorted(frames["preferred"]["condition"].unique()), CONDITIONS)
    figures = drawn.draw(rows, frames, levels.show_once(points, shown_levels), titles, colours)
    page = report.render(
        rows,
        frames,
        shown,
        [*doubts.failed(failed), *doubts.empty(scored), *notes],
        browser,
        figures,
        colours,
    )

    output = Path(output)
    if not (output / "accuracy.parquet").exists():
        _require_no_others(output, products)
    sources = {"scores": sorted(sha256(path) for path in scores)}
    for name, table in products.items():
        _write_table(table, output / name, sources)
    write_text(latex.accuracy_tex(rows), output / "accuracy.tex")
    write_text(plot.figure_svg(rows), output / "accuracy.svg")
    drawn.write(figures, output)
    write_text(page, output / "report.html")
    return output


def _require_no_others(output: Path, tables: Iterable[str]) -> None:
    """Raise `UsageError` where a folder without results has files of their names."""
    names = [*(f"{name}.csv" for name in tables), *PAGES]
    for path in (output / name for name in names):
        if path.exists():
            raise UsageError("results would take the place of another file", file=path, hint=LEFT)


def _write_table(table: pa.Table, path: Path, provenance: dict[str, list[str]]) -> None:
    write_parquet(table, path.with_suffix(".parquet"), f"{path.name}/1", provenance)
    write_text(table.to_pandas().to_csv(index=False, lineterminator="\n"), path.with_suffix(".csv"))
