"""Suites made again from what a dataset says of their making."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from starbank.errors import SuiteError
from starbank.files import sha256, write_text
from starbank.morphology.files import write_lexicon
from starbank.names import is_path
from starbank.pipeline.generate import generate
from starbank.pipeline.generators import load_generator
from starbank.pipeline.sources import sum_of_files
from starbank.pipeline.verify.provenance import Origin, inside
from starbank.pipeline.verify.treebanks import sums
from starbank.queries import benchmarks
from starbank.queries.benchmarks import SUFFIXES, kind_of, read_paradigms
from starbank.queries.constructions import read_construction, table_names
from starbank.queries.imports import read_import
from starbank.queries.templates import SUFFIX
from starbank.sets.imported import import_suite
from starbank.treebanks import open_treebank

QUERIES = Path("queries")


def remake(origin: Origin, treebanks: Mapping[str, Path], lexicons: Sequence[Path], work: Path, number: int) -> None:
    """Make the suite of a construction again, the `number`th, below the folder `work`.

    Tables, lexicons and files of others are looked for by their sums among `lexicons` and below `QUERIES`. Raises
    `SuiteError` where one is missing, and whatever making a suite raises.
    """
    suites, queries = inside(work, "suites", str(number)), inside(work, "queries", str(number))
    if origin.kind == "imported" and "benchmark" in origin.construction:
        _import_paradigm(origin, lexicons, queries, inside(suites, origin.name))
    elif origin.kind == "imported":
        _import(origin, lexicons, inside(suites, origin.name))
    elif origin.kind == "lexicon":
        _fill_template(origin, lexicons, queries, suites)
    else:
        _generate(origin, treebanks, lexicons, work, queries, suites)


def _generate(
    origin: Origin, treebanks: Mapping[str, Path], lexicons: Sequence[Path], work: Path, queries: Path, suites: Path
) -> None:
    query = inside(queries, f"{origin.name}.grew")
    write_text(origin.construction["query"], query)
    _copy_tables(origin, lexicons, query)
    load_generator(read_construction(query))  # What cannot be is told before a lexicon is made.
    words, usage = (
        [treebanks[treebank["name"]] for treebank in related]
        for related in (origin.lexicon_treebanks, origin.usage_treebanks)
    )
    searched = [treebanks[treebank["name"]] for treebank in origin.treebanks]
    used = _lexicons(origin, treebanks, lexicons, work)
    generate(
        [query], searched, suites, words=usage or ([] if used else words), lexicons=used, seed=origin.provenance["seed"]
    )


def _copy_tables(origin: Origin, lexicons: Sequence[Path], query: Path) -> None:
    """Put the tables that a construction names where it names them, which is in the folder of `query`."""
    checksums = origin.provenance["inputs"].get("tables", [])
    names = table_names(origin.construction["query"], query)
    if len(names) != len(checksums):
        message = f"names {len(names)} tables, and has the sums of {len(checksums)}"
        raise SuiteError(message, file=origin.file)
    files = _by_sum([*sorted(QUERIES.rglob("*.tsv")), *lexicons]) if checksums else {}
    for name, checksum in zip(names, checksums, strict=True):
        if not is_path(name):
            raise SuiteError(f"names the table {name!r}, which does not lie beside it", file=origin.file)
        if checksum not in files:
            hint = f"Name the file whose SHA-256 is {checksum} with --lexicon."
            raise SuiteError(f"the table {name} of {origin.name} is not here, or is another version", hint=hint)
        table = query.parent / name
        try:
            table.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(files[checksum], table)
        except OSError as error:
            raise SuiteError(
                f"names the table {name!r}, which cannot be: {error.strerror}", file=origin.file
            ) from error


def _fill_template(origin: Origin, lexicons: Sequence[Path], folder: Path, suites: Path) -> None:
    """Make the suite of a template with the lexicon of the same files, among those of `lexicons` and in `QUERIES`."""
    query = inside(folder, f"{origin.name}{SUFFIX}")
    write_text(origin.construction["query"], query)
    tables = sums(origin.treebanks[0]["files"])
    for lexicon in [*(file.parent for file in lexicons), *sorted(QUERIES.rglob("lexicon"))]:
        if tables <= {(file.name, sha256(file)) for file in lexicon.iterdir() if file.is_file()}:
            (folder / "lexicon").symlink_to(lexicon.resolve())
            generate([query], [], suites, seed=origin.provenance["seed"])
            return
    shown = ", ".join(f"{name} {checksum[:12]}…" for name, checksum in sorted(tables))
    hint = f"Name a file of its folder with --lexicon; its files and sums: {shown}."
    raise SuiteError(f"the lexicon of {origin.name} is not here, or is another version", hint=hint)


def _import(origin: Origin, files: Sequence[Path], folder: Path) -> None:
    """Import a suite of others again from the same file, among `files` and those in `QUERIES`."""
    construction, about = origin.construction, origin.treebanks[0]
    checksum = construction["query_sha256"]
    by_sum = _by_sum([*files, *sorted(QUERIES.rglob("*.json"))])
    if checksum not in by_sum:
        hint = f"Name the file whose SHA-256 is {checksum} with --lexicon."
        raise SuiteError(f"{about['files'][0]['name']} is not here, or is another version", hint=hint)
    settings: dict[str, Any] = {key: construction[key] for key in ("name", "language", "grammatical")}
    import_suite(read_import(by_sum[checksum], **settings, license=about["license"]), folder)


def _import_paradigm(origin: Origin, given: Sequence[Path], folder: Path, output: Path) -> None:
    """Import a paradigm again from the same tables, among the files `given` and those in `QUERIES`."""
    query = inside(folder, f"{origin.name}{benchmarks.SUFFIX}")
    write_text(origin.construction["query"], query)
    found = (file for file in sorted(QUERIES.rglob("*")) if file.is_file() and kind_of(file) in SUFFIXES)
    by_sum = _by_sum([*given, *found])
    for file in origin.treebanks[0]["files"]:
        if file["sha256"] not in by_sum:
            hint = f"Name the file whose SHA-256 is {file['sha256']} with --lexicon."
            raise SuiteError(f"{file['name']} is not here, or is another version", hint=hint)
        (folder / file["name"]).symlink_to(by_sum[file["sha256"]].resolve())
    name, code = origin.name, origin.construction["language"]
    for paradigm in read_paradigms(query, confined=True):
        if paradigm.language == code and name in (paradigm.name, f"{code}-{paradigm.name}"):
            import_suite(replace(paradigm, name=name), output)
            return
    raise SuiteError(f"says nothing that could be {name}", file=origin.file)


def _lexicons(origin: Origin, treebanks: Mapping[str, Path], lexicons: Sequence[Path], work: Path) -> list[Path]:
    """Return the files of the suite's lexicons, each one of `lexicons` or made again; none where there were none."""
    if all(made["sha256"] == sum_of_files(made["treebanks"]) for made in origin.lexicons):
        return []
    used, given = [], _by_sum(lexicons)
    for made in origin.lexicons:
        checksum = made["sha256"]
        copy = inside(work, "lexicons", f"{checksum}.parquet")
        if made["treebanks"] and checksum not in given and not copy.exists():
            write_lexicon([open_treebank(treebanks[treebank["name"]]) for treebank in made["treebanks"]], copy)
        files = given | _by_sum([copy] if copy.exists() else [])
        if checksum not in files:
            hint = "Name the file of that sum with --lexicon, or use the version of Starbank that made it."
            message = f"the lexicon of {origin.name} cannot be made again: its SHA-256 was {checksum}"
            raise SuiteError(message, hint=hint)
        used.append(files[checksum])
    return used


def _by_sum(files: Iterable[Path]) -> dict[str, Path]:
    """Return files by their SHA-256 sums."""
    return {sha256(file): file for file in files}
