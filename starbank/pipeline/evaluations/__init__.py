"""Evaluations that others have published -> scores, so that they stand beside our own in the results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from starbank.errors import SuiteError, UsageError
from starbank.files import sha256, write_parquet
from starbank.names import as_name, require_name
from starbank.pipeline.evaluations import grewtse, harness, pairs, regions
from starbank.pipeline.evaluations.scored import KINDS, LEVELS, UNITS, Published, Scored, to_scores
from starbank.queries.benchmarks import table_files
from starbank.scoring.journal import SCHEMA, read_product
from starbank.treebanks.arrays import code, integers, whole

__all__ = ["KINDS", "LEVELS", "UNITS", "Published", "import_evaluations"]


def import_evaluations(paths: Sequence[Path], output: Path, published: Published) -> list[Path]:
    """Write the scores (`scores/1`) in files that others published into the folder `output`, and return the paths.

    The name of the folder is that of the dataset. Read are tables of pairs or of regions with scores, what
    lm-evaluation-harness logs of samples, and suites that SyntaxGym scored, all of a model into one file; and tables of
    Grew-TSE, each into a file of its own. Items are called as `starbank import` calls those of the same pairs or
    suites. Raises `SuiteError` that says where a file is wrong, before any is written, and `UsageError` where scores
    that are not from others would be replaced.
    """
    files = [file for path in paths for file in _inside(path)]
    own = [file for file in files if grewtse.is_one(file)]
    read = [(file, _read(file, published)) for file in files if file not in own]
    paths_of = {scored.model: _path(scored.model, output) for _, scored in read}
    by_model: dict[tuple[str, str], list[tuple[Path, Scored]]] = defaultdict(list)
    for file, scored in read:
        by_model[scored.model, published.kind].append((file, scored))
    written = grewtse.import_tables(own, published.suites, output, language=published.language) if own else []
    for (model, kind), members in by_model.items():
        tables = [to_scores(scored, published, output.name) for _, scored in members]
        suites = sorted({suite for scored in tables for suite in scored["construction"].to_pylist()})
        about = {
            "model": model,
            "model_kind": kind,
            "source": sorted(sha256(file) for file, _ in members),
            "suites": [{"dataset": output.name, "suite": suite} for suite in suites],
        }
        path = paths_of[model]
        write_parquet(_once(pa.concat_tables(tables)), path, SCHEMA, about)
        written.append(path)
    return written


def _once(scores: pa.Table) -> pa.Table:
    """Return the scores with each condition of an item once: of two files that have it, the first counts."""
    codes, _ = code(whole(scores["key"]))
    return scores.take(integers(np.sort(np.unique(codes, return_index=True)[1])))


def _inside(path: Path) -> list[Path]:
    """Return the files that are meant: of a folder its JSON, but not the summary that a harness adds, or its tables."""
    inside = [path] if path.is_file() else sorted(path.rglob("*.json"))
    return [file for file in inside if regions.is_suite(file)] or table_files([path])


def _path(model: str, output: Path) -> Path:
    """Return where the scores of a model go; what did not come from others is not replaced."""
    path = output / f"{require_name(as_name(model), 'a model', SuiteError)}.parquet"
    if path.exists() and "source" not in read_product(path).about:
        raise UsageError("holds scores that are not from others", file=path, hint="Name another folder with -o.")
    return path


def _read(file: Path, published: Published) -> Scored:
    """Return what a file says, by what it is."""
    if regions.is_suite(file):
        return regions.read_suite(file, published)
    if harness.is_log(file):
        return harness.read_log(file, published)
    if regions.is_table(file, published):
        return regions.read_table(file, published)
    return pairs.read_pairs(file, published)
