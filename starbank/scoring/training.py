"""The text that a baseline learns from: what the user names, less every sentence that an item comes from."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.checksums import read_sealed_json
from starbank.errors import UsageError
from starbank.files import read_parquet, sha256
from starbank.scoring.words import split_words

SENTENCES = "sentences.parquet"
NO_TEXT = (
    "Pass text to learn from: an ingested treebank (its train split is used), or plain text in UTF-8, "
    "for example --text treebanks/UD_Georgian-GLC."
)


@dataclass(frozen=True)
class HeldOut:
    """What a baseline must not see: the grammatical sentences of all items, and where they come from.

    `sources` holds (treebank, sent_id) with the treebank that a derived one (`UD_Hindi-HDTB+latin`) was made from.
    """

    texts: frozenset[str]
    sources: frozenset[tuple[str | None, str]]

    @classmethod
    def of(cls, conditions: pa.Table) -> HeldOut:
        """Collect them from the conditions of the suites."""
        good = conditions.filter(pc.fill_null(conditions["grammatical"], True))
        texts = frozenset("".join(regions) for regions in good["regions"].to_pylist())
        treebanks = [name and name.split("+")[0] for name in good["treebank"].to_pylist()]
        sources = zip(treebanks, good["sent_id"].to_pylist(), strict=True)
        return cls(texts, frozenset((treebank, sent_id) for treebank, sent_id in sources if sent_id))


@dataclass(frozen=True)
class Training:
    """Sentences (or lines) as lists of folded words, and where they are from."""

    sentences: list[list[str]]
    about: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        """A hash of the words and their order."""
        lines = "\n".join(" ".join(words) for words in self.sentences)
        return hashlib.blake2b(lines.encode(), digest_size=16).hexdigest()


def read_training(paths: Sequence[Path], held_out: HeldOut) -> Training:
    """Read the files in `paths` and leave out every sentence that is held out.

    A file is plain UTF-8 text (a unit is a line) or `sentences.parquet` (or the folder that holds it): then its train
    split, or all of it where it has none. A line is left out where its words overlap those of a held-out sentence,
    also where that runs over several lines, and a treebank's sentence also by its `sent_id`.
    Raises `UsageError` where there is nothing to read or nothing is left.
    """
    if not paths:
        raise UsageError("a baseline needs text to learn from", hint=NO_TEXT)
    units: list[list[str]] = []
    by_source: list[bool] = []
    for path in map(Path, paths):
        texts, flags = _read(path, held_out)
        units += [[word for _, _, word in split_words(text)] for text in texts]
        by_source += flags
    excluded = _overlapping(units, [[word for _, _, word in split_words(text)] for text in sorted(held_out.texts)])
    excluded |= np.array(by_source, bool)
    sentences = [words for words, exclude in zip(units, excluded, strict=True) if words and not exclude]
    if not sentences:
        message = f"no text to learn from is left: {int(excluded.sum())} sentences are the items' own"
        raise UsageError(message, hint="Name more text, or text that the items do not come from.")
    files = [{"name": _name(path), "sha256": sha256(_file(path))} for path in map(Path, paths)]
    sizes = {"sentences": len(sentences), "held_out": int(excluded.sum()), "words": sum(map(len, sentences))}
    return Training(sentences, {"text": files, **sizes})


def _name(path: Path) -> str:
    """The name of a text: that of the file, or, of a treebank, that of its folder."""
    return path.resolve().parent.name if path.name == SENTENCES else path.name


def _file(path: Path) -> Path:
    """The file that `path` is, or, where it is a treebank, holds."""
    return path / SENTENCES if path.is_dir() else path


def _read(path: Path, held_out: HeldOut) -> tuple[list[str], list[bool]]:
    """Return the texts of one file, and whether each is known to be held out by its source."""
    path = _file(path)
    if not path.is_file():
        raise UsageError("no such text", file=path, hint=NO_TEXT)
    if path.suffix == ".parquet":
        return _read_treebank(path, held_out)
    if path.suffix == ".conllu":
        raise UsageError("a baseline learns from an ingested treebank, not from CoNLL-U", file=path, hint=NO_TEXT)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        line = path.read_bytes().count(b"\n", 0, error.start) + 1
        raise UsageError("not UTF-8 text", file=path, line=line, hint=NO_TEXT) from error
    return lines, [False] * len(lines)


def _read_treebank(path: Path, held_out: HeldOut) -> tuple[list[str], list[bool]]:
    try:
        sentences = read_parquet(path, columns=["split", "sent_id", "text"])
    except (pa.ArrowInvalid, KeyError, OSError) as error:
        raise UsageError(f"not a table of sentences: {error}", file=path, hint=NO_TEXT) from error
    train = sentences.filter(pc.equal(sentences["split"], "train"))
    sentences = train if len(train) else sentences
    description = path.parent / "treebank.json"
    # A table without a name could be any treebank: then the sentence id alone decides.
    name = read_sealed_json(description).get("name", "") if description.is_file() else ""
    base = name.split("+")[0]
    ids = {sent_id for treebank, sent_id in held_out.sources if not base or treebank in (base, None)}
    return sentences["text"].to_pylist(), [sent_id in ids for sent_id in sentences["sent_id"].to_pylist()]


def _overlapping(lines: list[list[str]], sentences: list[list[str]]) -> np.ndarray:
    """Tell which of `lines` hold, word for word, one of `sentences` or a part of one that runs over several lines.

    A sentence of one word is found only as a line of its own.
    """
    numbers: dict[str, int] = {}
    stream = np.array([numbers.setdefault(word, len(numbers)) for line in lines for word in line], np.int64)
    line_of = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    single = {sentence[0] for sentence in sentences if len(sentence) == 1}
    overlapping = np.array([len(line) == 1 and line[0] in single for line in lines], bool)
    by_opening: dict[int, list[np.ndarray]] = defaultdict(list)
    for sentence in sentences:
        if len(sentence) > 1 and all(word in numbers for word in sentence):
            words = np.array([numbers[word] for word in sentence], np.int64)
            by_opening[int(words[0] * len(numbers) + words[1])].append(words)
    pairs = stream[:-1] * len(numbers) + stream[1:]
    for place in np.flatnonzero(np.isin(pairs, np.array(list(by_opening), np.int64))):
        for words in by_opening[int(pairs[place])]:
            if np.array_equal(stream[place : place + len(words)], words):
                overlapping[line_of[place] : line_of[place + len(words) - 1] + 1] = True
    return overlapping
