"""A treebank in memory: its tables, its name, its language and where it comes from."""

from __future__ import annotations

import json
import logging
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import TreebankError
from starbank.treebanks.arrays import code, whole
from starbank.treebanks.inputs import Input, find_files, read_files
from starbank.treebanks.readme import find_licence, find_readme, licence_in, licence_of, read_metadata
from starbank.treebanks.tables import Columns, plain_tokens, split_of

logger = logging.getLogger("starbank")

# The columns of sentences that say which one is meant.
_NAMING = ("sent_id", "file", "line")
UD_FILE = re.compile(r"([a-z]{2,3})_[^-]+-ud\b")


class Described(Protocol):
    """What is known of a treebank before its tables are read: see `Treebank`."""

    @property
    def name(self) -> str:
        """Its UD name, or the name of its file."""

    @property
    def language(self) -> str | None:
        """Its ISO 639-3 code, None if unknown."""

    @property
    def info(self) -> dict[str, Any]:
        """What `treebank.json` holds."""


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

    @property
    def columns(self) -> list[str]:
        """The names of the columns of its tokens."""
        names: list[str] = self.tokens.column_names
        return names

    def only(self, sents: pa.Array) -> Treebank:
        """Return the treebank with some of its sentences, by their numbers."""
        if pc.all(pc.is_in(self.sentences["sent"], sents)).as_py():
            return self
        tokens, sentences = (table.filter(pc.is_in(table["sent"], sents)) for table in (self.tokens, self.sentences))
        return replace(self, tokens=tokens, sentences=sentences)

    def feature(self, name: str) -> pa.StringArray:
        """Return what each token has of a feature, all null where the treebank does not know it."""
        if name not in self.tokens.column_names:
            return pa.nulls(len(self.tokens), pa.string())
        return self.tokens[name].combine_chunks().cast(pa.string())


def read_conllu(paths: Sequence[str | Path], name: str | None = None, skip_bad: bool = False) -> Treebank:
    """Read CoNLL-U files, and folders of them, into one treebank: train, dev, test, then by name.

    `skip_bad` keeps the good sentences and logs a warning for each bad one; otherwise the first bad line raises
    `ConlluError` with file, line and hint. `TreebankError` is raised where there is nothing to read. Cycles, missing
    roots and repeated `sent_id`s are kept, with a warning.
    """
    pieces: list[tuple[pa.Table, ...]] = []
    info = read_pieces(paths, name, skip_bad, lambda *tables: pieces.append(tables))
    tokens, sentences = (pa.concat_tables(tables) for tables in zip(*pieces, strict=True))
    return Treebank(info["name"], info["language"], plain_tokens(tokens), sentences, info)


def read_columns(paths: Sequence[str | Path], columns: Columns) -> Treebank:
    """Read some columns of CoNLL-U files as `read_conllu` reads all; texts of tokens are `CODED`.

    Nothing is read of what lies beside the files: neither language nor `info` is there.
    """
    of_tokens, of_sentences = columns
    read = of_tokens, tuple(dict.fromkeys((*of_sentences, *_NAMING)))
    pieces: list[tuple[pa.Table, ...]] = []
    inputs = read_files(find_files(paths), False, lambda *tables: pieces.append(tables), read)
    tokens, sentences = (pa.concat_tables(tables) for tables in zip(*pieces, strict=True))
    _report(inputs, sentences)
    return Treebank(_name(inputs, source_folder(paths)), None, tokens, sentences.select(of_sentences), {})


def treebank_of(conllu: str, name: str, language: str | None = None) -> Treebank:
    """Return the treebank of sentences in CoNLL-U that were made here; those that are none are left out."""
    pieces: list[tuple[pa.Table, ...]] = []
    with tempfile.TemporaryDirectory(prefix="starbank-") as folder:
        file = Path(folder) / f"{name}.conllu"
        file.write_text(conllu, encoding="utf-8")
        read_files([file], True, lambda *tables: pieces.append(tables))
    tokens, sentences = (pa.concat_tables(tables) for tables in zip(*pieces, strict=True))
    return Treebank(name, language, plain_tokens(tokens), sentences, {"name": name, "language": language})


def read_pieces(
    paths: Sequence[str | Path],
    name: str | None,
    skip_bad: bool,
    add: Callable[[pa.Table, pa.Table], object],
    language: str | None = None,
) -> dict[str, Any]:
    """Read files as `read_conllu` does, hand the tables of tokens and sentences to `add` piece by piece; return `info`.

    What was handed over is not kept, so that the treebank may be larger than memory. Without a `language` that is the
    one that the name of the first file tells.
    """
    named: list[pa.Table] = []

    def add_named(tokens: pa.Table, sentences: pa.Table) -> None:
        add(tokens, sentences)
        named.append(sentences.select(_NAMING))

    inputs = read_files(find_files(paths), skip_bad, add_named)
    folder = source_folder(paths)
    skipped = _report(inputs, pa.concat_tables(named))
    info = _describe(name or _name(inputs, folder), inputs, folder, language)
    return info | ({"skipped": skipped} if skipped else {})


def source_folder(paths: Sequence[str | Path]) -> Path | None:
    """Return the folder whose README, licence and `source.json` speak of these files, if there is one."""
    first = Path(paths[0])
    if first.is_dir():
        return first
    return first.parent if first.resolve().parent.name.startswith("UD_") else None


def _name(inputs: list[Input], folder: Path | None) -> str:
    if folder is not None and (folder.resolve().name.startswith("UD_") or len(inputs) > 1):
        return folder.resolve().name
    return inputs[0].path.stem


def language_of(file_name: str) -> str | None:
    """Return the ISO 639-3 code of the language that a UD file name begins with: `ka_glc-ud-dev.conllu` is `kat`."""
    match = UD_FILE.match(file_name)
    return code_of(match[1]) if match else None


def code_of(code: str) -> str | None:
    """Return the ISO 639-3 code of the language that UD gives a code of two or three letters, None where it has none.

    >>> code_of("ka")
    'kat'
    """
    import langcodes

    try:
        return langcodes.Language.get(code).to_alpha3()
    except LookupError:
        return None


def _describe(name: str, inputs: list[Input], folder: Path | None, language: str | None) -> dict[str, Any]:
    readme = read_metadata(find_readme(folder)) if folder else {}
    source = _read_source(folder / "source.json") if folder else {}
    return {
        "name": name,
        "language": language or language_of(inputs[0].path.name),
        "license": licence_of(readme.get("License")) or _licence_in(folder),
        "release": source.get("release"),
        "source": source.get("source"),
        "files": [
            {
                "name": file.path.name,
                "sha256": file.sha256,
                "split": split_of(file.path.name),
                "sentences": file.sentences,
                "words": file.words,
            }
            for file in inputs
        ],
        "readme": readme,
    }


def _licence_in(folder: Path | None) -> str | None:
    file = find_licence(folder) if folder else None
    return licence_in(file.read_text(encoding="utf-8", errors="replace")) if file else None


def _read_source(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError as error:
        raise TreebankError(f"not JSON: {error}", file=path, hint="Remove it, or fetch the treebank again.") from error


def _report(inputs: list[Input], sentences: pa.Table) -> list[dict[str, Any]]:
    """Log what was skipped and what is odd; return what was skipped."""
    skipped = []
    for file in inputs:
        for problem in file.skipped:
            logger.warning("%s:%d: %s; the sentence is skipped", file.path, problem.line, problem.message)
            skipped.append({"file": file.path.name, "line": problem.line, "message": problem.message})
        _warn_of_notes(file)
    _warn_of_repeated_ids(inputs, sentences)
    return skipped


def _warn_of_notes(file: Input) -> None:
    notes: dict[str, list[int]] = {}
    for line, note in file.notes:
        notes.setdefault(note, []).append(line)
    for note, lines in notes.items():
        more = f" (and {len(lines) - 1} more sentences)" if len(lines) > 1 else ""
        logger.warning("%s:%d: %s; the sentence is kept%s", file.path, lines[0], note, more)


def _warn_of_repeated_ids(inputs: list[Input], sentences: pa.Table) -> None:
    sent_ids = whole(sentences["sent_id"])
    if pc.count_distinct(sent_ids).as_py() == len(sent_ids):
        return
    _, first = np.unique(code(sent_ids)[0], return_index=True)
    repeated = np.setdiff1d(np.arange(len(sent_ids)), first)
    example = sentences.slice(int(repeated[0]), 1).to_pylist()[0]
    path = next(file.path for file in inputs if file.path.name == example["file"])
    more = f" (and {len(repeated) - 1} more)" if len(repeated) > 1 else ""
    message = "%s:%d: the sent_id %r occurs a second time; both sentences are kept%s"
    logger.warning(message, path, example["line"], example["sent_id"], more)
