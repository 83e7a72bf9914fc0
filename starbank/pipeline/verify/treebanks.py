"""The treebanks that a dataset was made from: found by their sums, fetched, or derived again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from starbank.errors import TreebankError
from starbank.pipeline.verify.provenance import Origin, inside
from starbank.transforms import derive
from starbank.transforms.plan import PLUS
from starbank.treebanks import ingest
from starbank.treebanks.fetch import fetch
from starbank.treebanks.store import DESCRIPTION, describe, no_damage, write_description


def find_treebanks(origins: Iterable[Origin], treebanks: Path, sources: Sequence[str], work: Path) -> dict[str, Path]:
    """Return where the treebanks of all suites lie ingested, by name, telling of themselves what the dataset tells.

    They are looked for by their checksums in the folder `treebanks`, and are else fetched from `sources`. Raises
    `TreebankError` for one that is not to be had.
    """
    folders: dict[str, Path] = {}
    for origin in origins:
        used = [] if origin.kind else [*origin.treebanks, *origin.lexicon_treebanks, *origin.usage_treebanks]
        for about in used:
            if about["name"] not in folders:
                with origin.errors(work):
                    folders[about["name"]] = _present(about, _find(about, treebanks, sources, work), work)
    return folders


def _find(about: Mapping[str, Any], treebanks: Path, sources: Sequence[str], work: Path) -> Path:
    name = about["name"]
    here = inside(treebanks, name)
    if _is(here, about):
        return here
    if about.get("derived"):
        return _derive(about, treebanks, sources, work)
    if not (about["release"] and sources):
        sums = ", ".join(f"{file['name']} {file['sha256'][:12]}…" for file in about["files"])
        hint = f"Ingest it into that folder, or name a --source; its files and sums: {sums}."
        raise TreebankError(f"{name} is not here, or is another version", file=treebanks, hint=hint)
    (downloaded,) = fetch(
        [name], release=about["release"], sources=sources, output=work / "downloads", lock=work / "no.lock"
    )
    folder = inside(work, "ingested", name)
    ingest([downloaded], folder)
    if not _is(folder, about):
        raise TreebankError(f"{name} of release {about['release']} is another there than the dataset was made from")
    return folder


def _derive(about: Mapping[str, Any], treebanks: Path, sources: Sequence[str], work: Path) -> Path:
    """Make a derived treebank again from its source, which may be derived itself."""
    derived, folder = about["derived"], inside(work, "ingested", about["name"])
    if about["name"] != f"{derived['from']}{PLUS}{derived['transform']}":
        raise TreebankError(
            f"{about['name']} is not the name of what {derived['transform']} makes of {derived['from']}"
        )
    origin = {"name": derived["from"], "files": derived["files"], "derived": derived.get("steps")}
    source = _find({**about, **origin}, treebanks, sources, work)
    choice = {key: derived[key] for key in ("generator", "options", "seed")}
    derive(derived["transform"], source, folder, **choice)
    if not _is(folder, about):
        raise TreebankError(f"{about['name']}, made again, is another than the dataset was made from")
    return folder


def _is(folder: Path, about: Mapping[str, Any]) -> bool:
    """Tell whether the ingested treebank in `folder` was made from the files that provenance tells of."""
    if not (folder / DESCRIPTION).is_file():
        return False
    with no_damage(folder):
        return sums(describe(folder)["files"]) == sums(about["files"])


def sums(files: Iterable[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """Return the names and sums of files, as provenance tells of them."""
    return {(file["name"], file["sha256"]) for file in files}


def _present(about: Mapping[str, Any], folder: Path, work: Path) -> Path:
    """Return a copy by links of an ingested treebank, which says of itself where it came from what the dataset says."""
    copy = inside(work, "treebanks", about["name"])
    copy.mkdir(parents=True)
    for file in folder.iterdir():
        if file.name != DESCRIPTION:
            os.symlink(file.resolve(), copy / file.name)
    write_description(describe(folder) | {key: about[key] for key in ("release", "source")}, copy)
    return copy
