"""CoNLL-U files: which ones a path names, in which order, and what is in them."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from starbank.errors import ConlluError, TreebankError
from starbank.treebanks.blocks import Block, read_block
from starbank.treebanks.lines import normalise, split_blocks
from starbank.treebanks.tables import build_tables

SPLIT = re.compile(r"(?:^|[-_.])(train|dev|test)(?=[-_.]|$)")
SPLIT_ORDER = {"train": 0, "dev": 1, "test": 2, None: 3}


@dataclass(frozen=True)
class Input:
    """A CoNLL-U file as read."""

    path: Path
    sha256: str
    blocks: list[Block]

    @property
    def split(self) -> str | None:
        """The part of the treebank that the file is."""
        return split_of(self.path.name)


def split_of(name: str) -> str | None:
    """Return `train`, `dev` or `test` where the file name says so, last: `ka_test-ud-dev.conllu` is `dev`."""
    found = SPLIT.findall(Path(name).stem)
    return found[-1] if found else None


def find_files(paths: Sequence[str | Path]) -> list[Path]:
    """Return the CoNLL-U files that `paths` name, folders standing for all in them: train, dev, test, then by name."""
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


def read_files(paths: Sequence[Path], skip_bad: bool) -> tuple[list[Input], pa.Table, pa.Table]:
    """Read the files with all cores; return what was read, and the tables of tokens and sentences.

    Raises `ConlluError` where a file is broken or holds no sentences, `TreebankError` where it cannot be opened.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        sums, pieces = [], []
        for place, path in enumerate(paths):
            data = _read_bytes(path)
            sums.append(pool.submit(_sha256, data))
            pieces += [(place, *piece) for piece in split_blocks(normalise(data))]
        blocks: list[list[Block]] = [[] for _ in paths]
        read = pool.map(lambda piece: read_block(piece[1], piece[2], paths[piece[0]], skip_bad), pieces)
        for (place, *_), block in zip(pieces, read, strict=True):
            blocks[place].append(block)
        for path, found in zip(paths, blocks, strict=True):
            _check_sentences(path, found)
        inputs = [Input(path, done.result(), found) for path, done, found in zip(paths, sums, blocks, strict=True)]
        tokens, sentences = build_tables([(file.path.name, file.split, file.blocks) for file in inputs], pool.map)
    return inputs, tokens, sentences


def _check_sentences(path: Path, blocks: list[Block]) -> None:
    if not any(block.count for block in blocks):
        raise ConlluError("the file holds no sentences", file=path, hint="Was it saved, and is it the right one?")
    if not any(len(block.rank) for block in blocks):
        first = blocks[0].skipped[0]
        message = f"the file holds no sentence that can be read: {first.message}"
        raise ConlluError(message, file=path, line=first.line, hint=first.hint)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TreebankError(f"cannot read: {error.strerror}", file=path, hint="Check the path.") from error
