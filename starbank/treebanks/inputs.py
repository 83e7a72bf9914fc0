"""CoNLL-U files: which ones a path names, in which order, and what is in them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from starbank.errors import ConlluError, TreebankError
from starbank.treebanks.blocks import Block, Cut, cut_block, read_block
from starbank.treebanks.lines import Problem, normalise, split_blocks
from starbank.treebanks.tables import build_tables, collect_features, split_of

SPLIT_ORDER = {"train": 0, "dev": 1, "test": 2, None: 3}


@dataclass
class Input:
    """A CoNLL-U file and what it holds; `notes` are (line, what) to warn of."""

    path: Path
    sha256: str
    sentences: int = 0
    words: int = 0
    skipped: list[Problem] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)


def find_files(paths: Sequence[str | Path]) -> list[Path]:
    """Return the CoNLL-U files that `paths` name, folders standing for all in them: train, dev, test, then by name."""
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(path.glob("*.conllu"))
            if not inside:
                raise TreebankError("no *.conllu files in this folder", file=path, hint=_what_is_in(path))
            files += inside
        elif path.exists():
            files.append(path)
        else:
            raise TreebankError("no such file or folder", file=path, hint="Check the path.")
    if not files:
        raise TreebankError("no CoNLL-U files were named", hint="Name files or folders of *.conllu.")
    return sorted(dict.fromkeys(files), key=lambda path: (SPLIT_ORDER[split_of(path.name)], path.name))


def _what_is_in(folder: Path) -> str:
    names = sorted(path.name + ("/" if path.is_dir() else "") for path in folder.iterdir())
    return f"It holds {', '.join(names[:8])}{' …' if len(names) > 8 else ''}." if names else "It is empty."


def read_files(
    paths: Sequence[Path], skip_bad: bool, add: Callable[[pa.Table], object] | None = None
) -> tuple[list[Input], pa.Table, pa.Table]:
    """Read the files with all cores; return what was read, and the tables of tokens and sentences.

    `add` is given the table of tokens piece by piece, while later pieces are being read. Raises `ConlluError` where a
    file is broken or holds no sentences, `TreebankError` where it cannot be opened.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            files = [_start(path, skip_bad, pool) for path in paths]
            cuts = [cut.result() for _, several in files for cut in several]
            inputs = {path: Input(path, sha256.result()) for path, (sha256, _) in zip(paths, files, strict=True)}
            _check_counts(inputs, cuts)
            blocks = pool.map(lambda cut: read_block(cut, skip_bad), cuts)
            pieces = []
            for tokens, sentences in build_tables(_noted(blocks, inputs), collect_features(cuts)):
                pieces.append((tokens, sentences))
                if add:
                    add(tokens)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    _check_sentences(inputs)
    tokens, sentences = (pa.concat_tables(tables) for tables in zip(*pieces, strict=True))
    return list(inputs.values()), tokens, sentences


def _start(path: Path, skip_bad: bool, pool: ThreadPoolExecutor) -> tuple[Future[str], list[Future[Cut]]]:
    """Begin to sum up a file and to cut it into columns."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TreebankError(f"cannot read: {error.strerror}", file=path, hint="Check the path.") from error
    sha256 = pool.submit(lambda: hashlib.sha256(data).hexdigest())
    return sha256, [pool.submit(cut_block, *piece, path, skip_bad) for piece in split_blocks(normalise(data))]


def _noted(blocks: Iterable[Block], inputs: dict[Path, Input]) -> Iterator[Block]:
    """Pass `blocks` on and write down what is in them."""
    for block in blocks:
        file = inputs[block.cut.path]
        file.sentences += len(block.rank)
        file.words += len(block.rows.word_row)
        file.skipped += block.cut.skipped
        file.notes += block.notes
        yield block


def _check_counts(inputs: dict[Path, Input], cuts: list[Cut]) -> None:
    for path in inputs:
        if not any(cut.count for cut in cuts if cut.path == path):
            raise ConlluError("the file holds no sentences", file=path, hint="Was it saved, and is it the right one?")


def _check_sentences(inputs: dict[Path, Input]) -> None:
    for path, file in inputs.items():
        if not file.sentences:
            first = file.skipped[0]
            message = f"the file holds no sentence that can be read: {first.message}"
            raise ConlluError(message, file=path, line=first.line, hint=first.hint)
