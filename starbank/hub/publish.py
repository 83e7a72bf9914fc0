"""Suites -> a dataset folder that the Hugging Face Hub shows and `datasets` loads."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from starbank.errors import SuiteError
from starbank.files import write_parquet, write_text
from starbank.hub.card import render_card, render_licence
from starbank.hub.suites import TABLES, PublishedSuite, default_title, read_suites, unify

CARD = "README.md"
# All that a build writes, and that the next build replaces; anything else in the folder is the user's.
PARTS = ("data", "suites", "lm_eval", "LICENSES", "LICENSE", "CITATION.cff", CARD)


def publish(suites: Sequence[Path], output: Path, *, title: str | None = None, treebanks: Path | None = None) -> Path:
    """Write the dataset folder of some suites and return its path, `output`.

    `suites` are folders of suites, or folders of such folders; `treebanks` is the folder of ingested treebanks,
    from which the licence texts are taken; `title` is by default made from languages and phenomena. The folder
    holds, for each suite, `data/<suite>/` with `items.parquet` and `pairs.parquet` (where the suite has items;
    `datasets` loads no empty split) and `rejected.parquet`; the licence texts in `LICENSES/`; and `LICENSE` and
    `README.md`, the card. The same suites give the same bytes. What an earlier build left is removed; the card is
    removed first and written last, so that a folder with a card is whole.

    Raises `SuiteError` for suites that cannot be published, see `read_suites`.
    """
    read = read_suites(suites)
    build = output.with_name(f".{output.name}.build")
    try:
        shutil.rmtree(build, ignore_errors=True)
        _write(read, build, title or default_title(read, output.resolve().name), treebanks)
        output.mkdir(parents=True, exist_ok=True)
        (output / CARD).unlink(missing_ok=True)
        for part in PARTS:
            _replace(build / part, output / part)
    except OSError as error:
        message = f"cannot write the dataset: {error.strerror or error}"
        raise SuiteError(
            message, file=error.filename or output, hint="Free some space or choose another folder."
        ) from error
    finally:
        shutil.rmtree(build, ignore_errors=True)
    return output


def _write(suites: Sequence[PublishedSuite], folder: Path, title: str, treebanks: Path | None) -> None:
    schemas = {name: unify(suite.tables[name] for suite in suites) for name in TABLES}
    for suite in suites:
        for name in TABLES if suite.items.num_rows else ("rejected",):
            # The covariates of one suite are null columns in the others.
            table = pa.concat_tables([schemas[name].empty_table(), suite.tables[name]], promote_options="default")
            provenance = {**suite.provenance, "schema": f"{name}/1"}
            write_parquet(table, folder / "data" / suite.name / f"{name}.parquet", provenance["schema"], provenance)
    texts = _licence_texts(suites, treebanks)
    for name, text in texts.items():
        write_text(text, folder / "LICENSES" / f"{name}.txt")
    write_text(render_licence(suites, list(texts)), folder / "LICENSE")
    write_text(render_card(suites, title, list(texts)), folder / CARD)


def _licence_texts(suites: Sequence[PublishedSuite], treebanks: Path | None) -> dict[str, str]:
    """Return the licence texts of the treebanks that have one, by the treebank's name."""
    texts = {}
    for treebank in (treebank for suite in suites for treebank in suite.treebanks):
        name = treebank["name"]
        file = treebanks / name / "LICENSE.txt" if treebanks else None
        if treebank.get("license_text"):
            texts[name] = treebank["license_text"]
        elif file and file.is_file():
            texts[name] = file.read_text(encoding="utf-8", errors="replace")
    return dict(sorted(texts.items()))


def _replace(source: Path, target: Path) -> None:
    """Put `source`, which may be missing, in the place of `target`."""
    if target.is_dir():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
    if source.exists():
        os.replace(source, target)
