"""Suites made again from what a dataset says of their making."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from starbank.errors import SuiteError
from starbank.files import sha256, write_text
from starbank.morphology.files import write_lexicon
from starbank.pipeline.generate import generate
from starbank.pipeline.verify.provenance import Origin, inside
from starbank.pipeline.verify.treebanks import sums
from starbank.queries.constructions import table_names
from starbank.queries.imports import read_import
from starbank.queries.templates import SUFFIX
from starbank.sets.imported import import_suite
from starbank.treebanks import open_treebank

QUERIES = Path("queries")
# A construction may name a table in a folder above its own: so deep does it lie, and no table may lie higher.
_DEPTH = ("queries", "language", "folder", "folder")


def remake(origin: Origin, treebanks: Mapping[str, Path], lexicons: Sequence[Path], work: Path, number: int) -> None:
    """Make the suite of a construction again, the `number`th, below the folder `work`.

    Tables, lexicons and files of others are looked for by their sums among `lexicons` and below `QUERIES`. Raises
    `SuiteError` where one is missing, and whatever making a suite raises.
    """
    suites = inside(work, "suites", str(number))
    if origin.kind == "imported":
        _import(origin, lexicons, inside(suites, origin.name))
    elif origin.kind == "lexicon":
        _fill_template(origin, lexicons, inside(work, "queries", str(number)), suites)
    else:
        _generate(origin, treebanks, lexicons, work, number, suites)


def _generate(
    origin: Origin, treebanks: Mapping[str, Path], lexicons: Sequence[Path], work: Path, number: int, suites: Path
) -> None:
    home = inside(work, "queries", str(number))
    query = inside(home, *_DEPTH, f"{origin.name}.grew")
    write_text(origin.construction["query"], query)
    _copy_tables(origin, lexicons, query, home)
    made_from = [treebanks[one["name"]] for one in origin.lexicon_treebanks]
    own = [treebanks[one["name"]] for one in origin.treebanks]
    lexicon = _lexicon(origin, made_from, lexicons, work)
    words = [] if lexicon else made_from
    generate([query], own, suites, words=words, lexicon=lexicon, seed=origin.provenance["seed"])


def _copy_tables(origin: Origin, lexicons: Sequence[Path], query: Path, home: Path) -> None:
    """Put the tables that a construction names where it names them, which must be below `home`."""
    wanted = origin.provenance["inputs"].get("tables", [])
    named = table_names(origin.construction["query"], query)
    if len(named) != len(wanted):
        message = f"names {len(named)} tables, and has the sums of {len(wanted)}"
        raise SuiteError(message, file=origin.file)
    found = _by_sum([*sorted(QUERIES.rglob("*.tsv")), *lexicons]) if wanted else {}
    for name, checksum in zip(named, wanted, strict=True):
        table = _below(home, query.parent.relative_to(home), name)
        if table is None:
            raise SuiteError(f"names the table {name!r}, which does not lie beside it", file=origin.file)
        if checksum not in found:
            hint = f"Name the file whose SHA-256 is {checksum} with --lexicon."
            raise SuiteError(f"the table {name} of {origin.name} is not here, or is another version", hint=hint)
        try:
            table.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(found[checksum], table)
        except OSError as error:
            raise SuiteError(
                f"names the table {name!r}, which cannot be: {error.strerror}", file=origin.file
            ) from error


def _below(home: Path, folder: Path, name: str) -> Path | None:
    """Return the path below `home` that a name leads to from the folder of that path, None where it leads out."""
    parts = list(folder.parts)
    path = PurePosixPath(name)
    if path.is_absolute() or "\0" in name:
        return None
    for part in path.parts:
        if part == ".." and not parts:
            return None
        parts = parts[:-1] if part == ".." else [*parts, part]
    return home.joinpath(*parts)


def _fill_template(origin: Origin, lexicons: Sequence[Path], folder: Path, suites: Path) -> None:
    """Make the suite of a template with the lexicon of the same files, among those of `lexicons` and in `QUERIES`."""
    query = inside(folder, f"{origin.name}{SUFFIX}")
    write_text(origin.construction["query"], query)
    wanted = sums(origin.treebanks[0]["files"])
    for lexicon in [*(file.parent for file in lexicons), *sorted(QUERIES.rglob("lexicon"))]:
        held = {(file.name, sha256(file)) for file in lexicon.iterdir() if file.is_file()}
        if wanted <= held:
            (folder / "lexicon").symlink_to(lexicon.resolve())
            generate([query], [], suites, seed=origin.provenance["seed"])
            return
    told = ", ".join(f"{name} {checksum[:12]}…" for name, checksum in sorted(wanted))
    hint = f"Name a file of its folder with --lexicon; its files and sums: {told}."
    raise SuiteError(f"the lexicon of {origin.name} is not here, or is another version", hint=hint)


def _import(origin: Origin, files: Sequence[Path], folder: Path) -> None:
    """Import a suite of others again from the same file, among `files` and those in `QUERIES`."""
    construction, about = origin.construction, origin.treebanks[0]
    wanted = construction["query_sha256"]
    found = _by_sum([*files, *sorted(QUERIES.rglob("*.json"))])
    if wanted not in found:
        hint = f"Name the file whose SHA-256 is {wanted} with --lexicon."
        raise SuiteError(f"{about['files'][0]['name']} is not here, or is another version", hint=hint)
    given: dict[str, Any] = {key: construction[key] for key in ("name", "language", "grammatical")}
    import_suite(read_import(found[wanted], **given, license=about["license"]), folder)


def _lexicon(origin: Origin, treebanks: Sequence[Path], lexicons: Sequence[Path], work: Path) -> Path | None:
    """Return the file of the suite's lexicon, one of `lexicons` or made again; None where there was none."""
    wanted = origin.provenance["inputs"]["lexicon"]
    files = [one["files"] for one in origin.lexicon_treebanks]
    if wanted == hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest():
        return None
    made = inside(work, "lexicons", f"{wanted}.parquet")
    if treebanks and not made.exists():
        write_lexicon([open_treebank(folder) for folder in treebanks], made)
    found = _by_sum([*lexicons, *([made] if made.exists() else [])])
    if wanted in found:
        return found[wanted]
    hint = "Name the file of that sum with --lexicon, or use the version of Starbank that made it."
    raise SuiteError(f"the lexicon of {origin.name} cannot be made again: its SHA-256 was {wanted}", hint=hint)


def _by_sum(files: Iterable[Path]) -> dict[str, Path]:
    """Return files by their SHA-256 sums."""
    return {sha256(file): file for file in files}
