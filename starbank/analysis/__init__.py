"""Scores -> tables, a plot, and a page that a linguist can read without running anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from starbank.files import read_metadata, sha256, write_parquet, write_text

__all__ = ["results"]


def results(scores: Sequence[Path], output: Path, *, suites: Sequence[Path] = ()) -> Path:
    """Evaluate scores and write tables, plot and report into the folder `output`; return it.

    `scores` are scores files (`scores/1`); `suites` are folders in or under which the suites lie that were scored, from
    which the report takes titles, requests, examples and the yield. The products are listed in docs/formats.md under
    "Results". Raises `SuiteError` where a file is missing or is not what it should be; empty ones are reported.
    """
    from starbank.analysis import compare, groups, judgements, latex, plot, report, tables, yields
    from starbank.analysis.bootstrap import add_bootstrap
    from starbank.analysis.items import open_items
    from starbank.analysis.predictions import predictions

    database = judgements.open_scores(scores)
    summaries = yields.read_suites(suites)
    open_items(database, summaries)
    products = {
        "accuracy": add_bootstrap(tables.accuracy(database), database),
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
    page = report.render(rows, products["preferred"].to_pandas(), shown, _empty(scores))

    output = Path(output)
    sources = {"scores": sorted(sha256(path) for path in scores)}
    for name, table in products.items():
        _write_table(table, output / name, sources)
    write_text(latex.accuracy_tex(rows), output / "accuracy.tex")
    write_text(plot.figure_svg(rows), output / "accuracy.svg")
    write_text(page, output / "report.html")
    return output


def _empty(scores: Sequence[Path]) -> list[str]:
    """Return the models, with their datasets, of the scores files that hold no score."""
    empty = [read_metadata(path) for path in scores if not pq.read_metadata(path).num_rows]
    datasets = [", ".join(sorted({suite["dataset"] for suite in about.get("suites", [])})) for about in empty]
    named = zip(empty, datasets, strict=True)
    return sorted(f"{about['model']} ({where})" if where else about["model"] for about, where in named)


def _write_table(table: pa.Table, path: Path, provenance: dict[str, list[str]]) -> None:
    write_parquet(table, path.with_suffix(".parquet"), f"{path.name}/1", provenance)
    write_text(table.to_pandas().to_csv(index=False, lineterminator="\n"), path.with_suffix(".csv"))
