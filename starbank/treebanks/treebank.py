"""A treebank in memory: its tables, its name, its language and where it comes from."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from starbank.errors import TreebankError
from starbank.files import sha256
from starbank.treebanks.read import FileTables, assemble, read_files, split_of
from starbank.treebanks.readme import find_readme, licence_of, read_metadata

logger = logging.getLogger("starbank")

SPLIT_ORDER = {"train": 0, "dev": 1, "test": 2, None: 3}
UD_FILE = re.compile(r"([a-z]{2,3})_[^-]+-ud\b")


@dataclass(frozen=True)
class Treebank:
    """A treebank as tables.

    `name` is its UD name (`UD_Georgian-GLC`) or the name of its file; `language` its ISO 639-3 code, None if unknown;
    `tokens` and `sentences` are as docs/formats.md has them; `info` is what `treebank.json` holds, and, right after
    reading with `skip_bad`, under `skipped` one {`file`, `line`, `message`} for each problem that cost a sentence.
    """

    name: str
    language: str | None
    tokens: pa.Table
    sentences: pa.Table
    info: dict[str, Any]


def read_conllu(paths: Sequence[str | Path], name: str | None = None, skip_bad: bool = False) -> Treebank:
    """Read CoNLL-U files, and folders of them, into one treebank: train, dev, test, then by name.

    `skip_bad` keeps the good sentences and logs a warning for each bad one; otherwise the first bad line raises
    `ConlluError` with file, line and hint. `TreebankError` is raised where there is nothing to read. Cycles, missing
    roots and repeated `sent_id`s are kept, with a warning.
    """
    files = conllu_files(paths)
    tables = read_files(files, skip_bad)
    tokens, sentences = assemble(tables)
    folder = source_folder(paths)
    name = name or _name(files, folder)
    skipped = _report(tables, sentences)
    info = _describe(name, tables, folder) | ({"skipped": skipped} if skipped else {})
    return Treebank(name, info["language"], tokens, sentences, info)


def conllu_files(paths: Sequence[str | Path]) -> list[Path]:
    """Return the CoNLL-U files that `paths` name, in the order in which a treebank has them."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(path.glob("*.conllu"))
            if not inside:
                raise TreebankError("no *.conllu files in this folder", file=path, hint=_what_is_in(path))
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise TreebankError("no such file or folder", file=path, hint="Check the path.")
    if not found:
        raise TreebankError("no CoNLL-U files were named", hint="Name files or folders of *.conllu.")
    return sorted(dict.fromkeys(found), key=lambda path: (SPLIT_ORDER[split_of(path.name)], path.name))


def _what_is_in(folder: Path) -> str:
    names = sorted(path.name + ("/" if path.is_dir() else "") for path in folder.iterdir())
    return f"It holds {', '.join(names[:8])}{' …' if len(names) > 8 else ''}." if names else "It is empty."


def source_folder(paths: Sequence[str | Path]) -> Path | None:
    """Return the folder whose README, licence and `source.json` speak of these files, if there is one."""
    first = Path(paths[0])
    if first.is_dir():
        return first
    return first.parent if first.resolve().parent.name.startswith("UD_") else None


def _name(files: list[Path], folder: Path | None) -> str:
    if folder is not None and (folder.resolve().name.startswith("UD_") or len(files) > 1):
        return folder.resolve().name
    return files[0].stem


def language_of(file_name: str) -> str | None:
    """Return the ISO 639-3 code of the language that a UD file name begins with: `ka_glc-ud-dev.conllu` is `kat`."""
    match = UD_FILE.match(file_name)
    if not match:
        return None
    import langcodes

    try:
        return langcodes.Language.get(match[1]).to_alpha3()
    except LookupError:
        return None


def _describe(name: str, tables: list[FileTables], folder: Path | None) -> dict[str, Any]:
    readme = read_metadata(find_readme(folder)) if folder else {}
    origin = folder / "source.json" if folder else None
    source = json.loads(origin.read_text(encoding="utf-8")) if origin and origin.exists() else {}
    return {
        "name": name,
        "language": language_of(tables[0].path.name),
        "license": licence_of(readme.get("License")),
        "release": source.get("release"),
        "source": source.get("source"),
        "files": [
            {
                "name": file.path.name,
                "sha256": sha256(file.path),
                "split": split_of(file.path.name),
                "sentences": sum(len(block.rank) for block in file.blocks),
                "words": sum(block.words for block in file.blocks),
            }
            for file in tables
        ],
        "readme": readme,
    }


def _report(tables: list[FileTables], sentences: pa.Table) -> list[dict[str, Any]]:
    """Log what was skipped and what is odd; return what was skipped."""
    skipped = []
    for file in tables:
        for block in file.blocks:
            for problem in block.skipped:
                logger.warning("%s:%d: %s; the sentence is skipped", file.path, problem.line, problem.message)
                skipped.append({"file": file.path.name, "line": problem.line, "message": problem.message})
        _warn_of_notes(file)
    _warn_of_repeated_ids(tables, sentences)
    return skipped


def _warn_of_notes(file: FileTables) -> None:
    notes: dict[str, list[int]] = {}
    for block in file.blocks:
        for line, what in block.notes:
            notes.setdefault(what, []).append(line)
    for what, lines in notes.items():
        more = f" (and {len(lines) - 1} more sentences)" if len(lines) > 1 else ""
        logger.warning("%s:%d: %s; the sentence is kept%s", file.path, lines[0], what, more)


def _warn_of_repeated_ids(tables: list[FileTables], sentences: pa.Table) -> None:
    codes = sentences["sent_id"].combine_chunks().dictionary_encode().indices.to_numpy()
    _, first = np.unique(codes, return_index=True)
    if len(first) == len(codes):
        return
    repeated = np.setdiff1d(np.arange(len(codes)), first)
    paths = {file.path.name: file.path for file in tables}
    example = sentences.slice(int(repeated[0]), 1).to_pylist()[0]
    more = f" (and {len(repeated) - 1} more)" if len(repeated) > 1 else ""
    logger.warning(
        "%s:%d: the sent_id %r occurs a second time; both sentences are kept%s",
        paths[example["file"]],
        example["line"],
        example["sent_id"],
        more,
    )
