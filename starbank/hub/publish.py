"""Suites -> a dataset folder that the Hugging Face Hub shows and `datasets` loads."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import SuiteError, UsageError
from starbank.files import LEFT, require_own, write_parquet, write_text
from starbank.hub.card import Card, render_card, render_licence
from starbank.hub.citation import render_citation
from starbank.hub.exports import BLIMP, MINICONS, SYNTAXGYM, export_files
from starbank.hub.kept import Kept, content_sums
from starbank.hub.lm_eval import task_files
from starbank.hub.markdown import one_line
from starbank.hub.reviews import FILE, Agreement, fold, read_reviews
from starbank.hub.suites import TABLES, PublishedSuite, default_title, read_suites, unify
from starbank.treebanks.arrays import texts

CARD = "README.md"
# All that a build writes, and that the next build replaces; anything else in the folder is the user's.
ACCURACY, REVIEWS = "accuracy.parquet", "reviews"
PARTS = ("data", SYNTAXGYM, BLIMP, MINICONS, "lm_eval", REVIEWS, ACCURACY, "LICENSES", "LICENSE", "CITATION.cff", CARD)


def publish(
    suites: Sequence[Path],
    output: Path,
    *,
    title: str | None = None,
    name: str | None = None,
    treebanks: Path | None = None,
    reviews: Path | None = None,
    accuracy: pa.Table | None = None,
) -> Path:
    """Write the dataset folder of some suites and return its path, `output`.

    `suites` are folders of suites, or folders of such folders; `treebanks` is the folder of ingested treebanks, from
    which licence texts, glosses and names of contributors are taken; `title` is by default made from languages and
    phenomena, and `name` is that of the folder; `reviews` is a folder with `<suite>.reviews.json`; `accuracy` is that
    of models, for the card (the table of that name in docs/formats.md).

    The folder holds, for each suite, `data/<suite>/` with `items.parquet` and `pairs.parquet` (where the suite has
    items and pairs; `datasets` loads no empty split) and `rejected.parquet`; `suites/<suite>.json` as SyntaxGym has it,
    `blimp/<suite>.jsonl` as BLiMP, `minicons/<suite>.csv`; tasks for the harness in `lm_eval/`; `reviews/` and
    `accuracy.parquet`, where there are any; the licence texts in `LICENSES/`; `CITATION.cff`, `LICENSE`, and the card,
    `README.md`. The same suites give the same bytes. What an earlier build left is removed, but for the files of suites
    that are still the same (`Kept`); the card is removed first and written last, so that a folder with a card is whole.

    Raises `SuiteError` for suites that cannot be published, see `read_suites`, and for reviews that cannot be read,
    `UsageError` where `output` is a folder of something else.
    """
    _require_own(output)
    read, agreements = _fold(read_suites(suites), reviews)
    licences = _licence_texts(read, treebanks)
    name = name or output.resolve().name
    accuracy = _of_suites(accuracy, read) if accuracy else None
    build = output.with_name(f".{output.name}.build")
    try:
        shutil.rmtree(build, ignore_errors=True)
        last_build, schemas = Kept(output), {table: unify(suite.tables[table] for suite in read) for table in TABLES}
        sums = content_sums(read, schemas)
        files = {
            suite.name: last_build.link(suite.name, sums[suite.name], build) or _write_suite(suite, schemas, build)
            for suite in read
        }
        if accuracy and accuracy.num_rows:
            write_parquet(accuracy, build / ACCURACY, "accuracy/1")
        for file in _review_files(read, reviews):
            write_text(file.read_text(encoding="utf-8"), build / REVIEWS / file.name)
        card = Card(
            read,
            one_line(title or default_title(read, name)),
            name,
            list(licences),
            treebanks,
            agreements,
            accuracy,
            syntaxgym=[suite.name for suite in read if f"{SYNTAXGYM}/{suite.name}.json" in files[suite.name]],
        )
        _write_texts(_texts(card, licences).items(), build)
        output.mkdir(parents=True, exist_ok=True)
        (output / CARD).unlink(missing_ok=True)
        for part in PARTS:
            _replace(build / part, output / part)
        last_build.write(sums, files)
    except OSError as error:
        message = f"cannot write the dataset: {error.strerror or error}"
        raise SuiteError(
            message, file=error.filename or output, hint="Free some space or choose another folder."
        ) from error
    finally:
        shutil.rmtree(build, ignore_errors=True)
    return output


def _require_own(output: Path) -> None:
    """Raise `UsageError` where the build would replace what no build wrote; the tables tell an earlier one."""
    there = [output / part for part in PARTS if (output / part).exists()]
    tables = list(output.glob("data/*/rejected.parquet"))
    if there and not tables:
        raise UsageError(
            "there is something else in the folder, which the dataset would replace", file=there[0], hint=LEFT
        )
    for table in tables:
        require_own(table, "rejected/1")


def _review_files(suites: Sequence[PublishedSuite], reviews: Path | None) -> list[Path]:
    names = sorted({suite.construction["name"] for suite in suites})
    files = [reviews / f"{name}.{FILE}" for name in names] if reviews else []
    return [file for file in files if file.is_file()]


def _fold(
    suites: Sequence[PublishedSuite], reviews: Path | None
) -> tuple[list[PublishedSuite], dict[str, Agreement | None]]:
    """Return the suites with what speakers say of them, and how these agree, by the suite's name."""
    judgements = [judgement for file in _review_files(suites, reviews) for judgement in read_reviews(file)]
    folded = {suite.name: fold(suite, judgements) for suite in suites}
    return [suite for suite, _ in folded.values()], {name: agreement for name, (_, agreement) in folded.items()}


def _of_suites(accuracy: pa.Table, suites: Sequence[PublishedSuite]) -> pa.Table:
    names = sorted({suite.construction["name"] for suite in suites})
    return accuracy.filter(pc.is_in(accuracy["construction"], texts(names)))


def _write_suite(suite: PublishedSuite, schemas: Mapping[str, pa.Schema], folder: Path) -> set[str]:
    """Write the tables of a suite, and what else it can be, and return the paths."""
    licences = {treebank["name"]: treebank["license"] for treebank in suite.treebanks}
    paths = _write_texts(export_files(suite), folder)
    for name in (name for name in TABLES if name == "rejected" or suite.tables[name].num_rows):
        # The covariates of one suite are null columns in the others.
        table = pa.concat_tables(
            [pa.Table.from_batches([], schemas[name]), suite.tables[name]], promote_options="default"
        )
        column = texts([licences.get(treebank) for treebank in table["treebank"].to_pylist()])
        provenance = {**suite.provenance, "schema": f"{name}/1"}
        path = f"data/{suite.name}/{name}.parquet"
        write_parquet(table.append_column("license", column), folder / path, provenance["schema"], provenance)
        paths.add(path)
    return paths


def _write_texts(texts: Iterable[tuple[str, str]], folder: Path) -> set[str]:
    """Write files as they come, and return their paths."""
    paths = set()
    for path, text in texts:
        write_text(text, folder / path)
        paths.add(path)
    return paths


def _texts(card: Card, licences: Mapping[str, str]) -> dict[str, str]:
    """Return what a dataset has beside its tables and exports, by their path; `licences` are the texts by treebank."""
    return {
        **task_files(card.suites, card.name),
        **{f"LICENSES/{name}.txt": text for name, text in licences.items()},
        "LICENSE": render_licence(card),
        "CITATION.cff": render_citation(card.suites, card.title, card.treebanks),
        CARD: render_card(card),
    }


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
