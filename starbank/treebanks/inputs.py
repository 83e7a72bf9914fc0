"""CoNLL-U files: which ones a path names, in which order, and what is in them."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, TypeVar

import pyarrow as pa

from starbank.cores import cores
from starbank.errors import ConlluError, TreebankError
from starbank.progress import shown
from starbank.treebanks.blocks import Block, Cut, cut_block, read_block
from starbank.treebanks.columns import scan_feats
from starbank.treebanks.features import canonical_features
from starbank.treebanks.lines import Problem, read_blocks
from starbank.treebanks.tables import Columns, build_tables, collect_features, split_of

# Of the cores that the job was given; more would only wait for the one that writes.
THREADS = min(cores() or 3, 3)
GZIP = b"\x1f\x8b"
# What is cut into fields takes about thrice the room of its text; of more text than this it is cut again.
KEPT_BYTES = 1 << 26
SPLIT_ORDER = {"train": 0, "dev": 1, "test": 2, None: 3}

# What is told how many bytes were read.
Done = Callable[[int], object]

Piece = TypeVar("Piece")
Made = TypeVar("Made")


@dataclass
class Input:
    """A CoNLL-U file and what it holds; `notes` are (line, what) to warn of."""

    path: Path
    sha256: str = ""
    sentences: int = 0
    words: int = 0
    skipped: list[Problem] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)
    # Of what can be read but once, such as a pipe.
    content: bytes | None = None
    # What has been cut already and waits to be read.
    cuts: deque[Cut] = field(default_factory=deque)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the file to be read from its beginning; raises `TreebankError` where this cannot be done."""
        try:
            if self.content is None and not self.path.is_file():
                self.content = self.path.read_bytes()
            stream: BinaryIO = self.path.open("rb") if self.content is None else BytesIO(self.content)
        except OSError as error:
            raise TreebankError(f"cannot read: {error.strerror}", file=self.path, hint="Check the path.") from error
        with stream:
            packed = stream.read(len(GZIP)) == GZIP
            stream.seek(0)
            if packed:
                unpack = f"Unpack it first: gunzip {self.path.name}"
                raise TreebankError("is compressed by gzip, and read as plain text only", file=self.path, hint=unpack)
            yield stream


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
    if any(name.endswith(".conllu.gz") for name in names):
        return "Unpack what it holds: gunzip *.conllu.gz"
    return f"It holds {', '.join(names[:8])}{' …' if len(names) > 8 else ''}." if names else "It is empty."


def read_files(
    paths: Sequence[Path],
    skip_bad: bool,
    add: Callable[[pa.Table, pa.Table], object],
    columns: Columns | None = None,
) -> list[Input]:
    """Read the files with several cores, hand the tables of tokens and sentences to `add` piece by piece.

    With `columns`, the tables have no others.

    Large files are read twice, since already the first row has a column for each feature of the last. Raises
    `ConlluError` where a file is broken or holds no sentences, `TreebankError` where it cannot be opened.
    """
    inputs = [Input(path) for path in paths]
    # A pipe has no size.
    size = sum(path.stat().st_size for path in paths if path.is_file())
    keep = size <= KEPT_BYTES
    with ThreadPoolExecutor(THREADS) as pool, shown(size if keep else 2 * size, "read", "B") as done:
        features = collect_features(text for file in inputs for text in _read_feats(file, skip_bad, keep, pool, done))
        blocks = (block for file in inputs for block in _read_blocks(file, skip_bad, pool, done))
        for tokens, sentences in build_tables(blocks, features, columns):
            add(tokens, sentences)
    _check_sentences(inputs)
    return inputs


def _read_feats(file: Input, skip_bad: bool, keep: bool, pool: ThreadPoolExecutor, done: Done) -> Iterator[str]:
    """Check the lines of a file, which may `keep` them, and sum it up; yield the FEATS texts of each block once."""
    sha256 = hashlib.sha256()

    def watch(text: bytes) -> None:
        sha256.update(text)
        done(len(text))

    with file.open() as stream:
        pieces = read_blocks(stream, watch)
        if keep or skip_bad:
            for cut in _ahead(lambda piece: cut_block(*piece, file.path, skip_bad), pieces, pool):
                if keep:
                    file.cuts.append(cut)
                yield from filter(None, cut.feats)
        else:
            # Whoever cuts the lines later tells what is wrong with them.
            for texts in _ahead(lambda piece: scan_feats(piece[0]), pieces, pool):
                yield from filter(None, canonical_features(texts)[0])
    file.sha256 = sha256.hexdigest()


def _read_blocks(file: Input, skip_bad: bool, pool: ThreadPoolExecutor, done: Done) -> Iterator[Block]:
    """Yield the blocks of a file and write down what is in them."""

    def read(piece: Cut | tuple[bytes, int]) -> Block:
        return read_block(piece if isinstance(piece, Cut) else cut_block(*piece, file.path, skip_bad), skip_bad)

    for block in _ahead(read, _pieces(file, done), pool):
        file.sentences += len(block.rank)
        file.words += len(block.rows.word_row)
        file.skipped += block.cut.skipped
        file.notes += block.notes
        yield block


def _pieces(file: Input, done: Done) -> Iterator[Cut | tuple[bytes, int]]:
    """Yield what of a file was kept, and let it go, or else the text of its blocks."""
    if file.cuts:
        while file.cuts:
            yield file.cuts.popleft()
        return
    with file.open() as stream:
        yield from read_blocks(stream, lambda text: done(len(text)))


def _ahead(make: Callable[[Piece], Made], pieces: Iterable[Piece], pool: ThreadPoolExecutor) -> Iterator[Made]:
    """Yield what is made of each piece, in order; the pool works on the next few, not on all as its `map` does."""
    begun: deque[Future[Made]] = deque()
    for piece in pieces:
        begun.append(pool.submit(make, piece))
        if len(begun) == THREADS:
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()


def _check_sentences(inputs: list[Input]) -> None:
    for file in inputs:
        if not file.sentences and not file.skipped:
            hint = "Was it saved, and is it the right one?"
            raise ConlluError("the file holds no sentences", file=file.path, hint=hint)
        if not file.sentences:
            first = file.skipped[0]
            message = f"the file holds no sentence that can be read: {first.message}"
            raise ConlluError(message, file=file.path, line=first.line, hint=first.hint)
