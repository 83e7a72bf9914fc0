"""The conformance bank: requests, Grew's answers, and where the treebanks are that they were asked of.

`python -m tests.grew.bank CORPUS FILE.jsonl …` puts answers in; conformance/README.md says how.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from starbank.errors import DownloadError
from starbank.files import sha256
from starbank.treebanks.fetch import fetch
from starbank.treebanks.lock import read_lock

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("conformance")
COUNTS = FOLDER / "answers" / "counts.tsv"
LOCK = FOLDER / "treebanks.lock"
FETCHED = ROOT / "treebanks" / "conformance"
GITHUB = "https://github.com/UniversalDependencies"
RELEASE = "r2.18"
PROBE = "probe"
# Of longer answers the bank has the sum alone.
LONGEST = 500


class Answer(NamedTuple):
    """How many matches Grew finds, and the first 16 digits of the SHA-256 sum of their lines, sorted."""

    matches: int
    digest: str


@dataclass(frozen=True)
class LockedFile:
    """A file of a treebank, as it was at a commit."""

    treebank: str
    commit: str
    name: str
    sha256: str


def answer(lines: Iterable[str]) -> Answer:
    """Return what the bank says of an answer, each line a match as JSON."""
    ordered = sorted(set(lines))
    text = "".join(f"{line}\n" for line in ordered)
    return Answer(len(ordered), hashlib.sha256(text.encode()).hexdigest()[:16])


@cache
def answers() -> dict[tuple[str, str], Answer]:
    """Return Grew's answers by corpus and request."""
    _, *rows = (line.split("\t") for line in COUNTS.read_text(encoding="utf-8").splitlines())
    return {(corpus, request): Answer(int(matches), digest) for corpus, request, matches, digest in rows}


@cache
def matches(corpus: str) -> dict[str, list[str]]:
    """Return the matches in a corpus by request; requests with very many, or none, are left out."""
    lines: dict[str, list[str]] = {}
    with lzma.open(_matches_file(corpus), "rt", encoding="utf-8") as stream:
        for line in stream:
            request, match = line.rstrip("\n").split("\t")
            lines.setdefault(request, []).append(match)
    return lines


def request_file(corpus: str, request: str) -> Path:
    """Return the file of a request; the probe has requests of its own."""
    return (FOLDER / PROBE if corpus == PROBE else FOLDER) / "requests" / f"{request}.req"


def add(corpus: str, new: Mapping[str, Sequence[str]]) -> None:
    """Put answers into the bank, in place of those that it has to the same requests."""
    lines = matches(corpus) | {request: sorted(set(unsorted)) for request, unsorted in new.items()}
    short = [request for request in sorted(lines) if len(lines[request]) <= LONGEST]
    text = "".join(f"{request}\t{line}\n" for request in short for line in lines[request])
    with lzma.open(_matches_file(corpus), "wt", encoding="utf-8", preset=9 | lzma.PRESET_EXTREME) as stream:
        stream.write(text)
    table = answers() | {(corpus, request): answer(unsorted) for request, unsorted in new.items()}
    rows = ["corpus\trequest\tmatches\tsha256", *("\t".join(map(str, (*key, *table[key]))) for key in sorted(table))]
    COUNTS.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _matches_file(corpus: str) -> Path:
    return FOLDER / "answers" / f"{corpus}.tsv.xz"


def locked_files(lock: Path = LOCK) -> dict[str, LockedFile]:
    """Return the files of the lock file by corpus, which is the file's name without its suffix."""
    return {
        Path(name).stem: LockedFile(treebank, commit, name, sum_)
        for (commit, treebank), sums in read_lock(lock).items()
        for name, sum_ in sums.items()
    }


def mirrors() -> list[Path]:
    """Return the folders on this machine that may have the treebanks."""
    folders = [os.environ.get("UD_MIRROR"), ROOT.parent / "shared" / "treebanks"]
    return [Path(folder) for folder in folders if folder]


@cache
def corpus_file(corpus: str) -> Path | DownloadError:
    """Return the file of a corpus, or why there is none."""
    if corpus == PROBE:
        return FOLDER / PROBE / "probe.conllu"
    try:
        return find_file(locked_files()[corpus], mirrors(), FETCHED)
    except DownloadError as error:
        return error


def find_file(
    locked: LockedFile, folders: Sequence[Path], cache: Path, *, lock: Path = LOCK, url: str = GITHUB
) -> Path:
    """Return the first file in `folders` that is as it was locked, or else fetch it to `cache` from its repository.

    Raises `DownloadError` where that cannot be had, or is not what was locked.
    """
    for folder in folders:
        file = folder / locked.treebank / locked.name
        if file.is_file() and sha256(file) == locked.sha256:
            return file
    # The release has the same files, where a server does not know an abbreviated commit.
    sources = [f"{url}/{locked.treebank}/archive/{at}.tar.gz" for at in (locked.commit, f"refs/tags/{RELEASE}")]
    names, output = [locked.treebank], cache / locked.commit
    [fetched] = fetch(names, release=locked.commit, sources=sources, output=output, lock=lock, retries=1)
    return fetched / locked.name


def miss(reason: str) -> None:
    """Skip the test, but fail it in CI: there the bank is to be had."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}\nIn CI the conformance bank must not be skipped.", pytrace=False)
    pytest.skip(reason)


if __name__ == "__main__":
    files = [Path(argument) for argument in sys.argv[2:]]
    add(sys.argv[1], {file.stem: file.read_text(encoding="utf-8").splitlines() for file in files})
