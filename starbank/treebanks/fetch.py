"""Universal Dependencies treebanks by name: looked for in several places, checked, and put down whole."""

from __future__ import annotations

import difflib
import json
import logging
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from starbank.errors import DownloadError, UsageError
from starbank.files import sha256, write_json
from starbank.treebanks.download import exclusive
from starbank.treebanks.lock import read_lock, update_lock
from starbank.treebanks.places import is_ud_name
from starbank.treebanks.sources import FROM_FOLDER, Failure, Source, open_source

GITHUB = "https://github.com"
SCRATCH = ".downloads"
RECORD = "source.json"

WAYS_OUT = """\
Three ways out:
  - set the environment variable UD_MIRROR to a folder laid out like a UD release (UD_Georgian-GLC/*.conllu);
  - download the release or the treebank by other means, and name the archive or folder under `sources` in config.yaml;
  - connect to the network and run the same again."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Collection:
    """What is fetched: `edition` names it in messages, `release` in the lock file, `hint` says where all are listed."""

    edition: str
    release: str
    ways_out: str
    hint: str
    is_data: Callable[[str, str], bool]


@dataclass(frozen=True)
class Record:
    """What `source.json` says about a treebank; `files` gives the SHA-256 sum of each file."""

    name: str
    release: str
    source: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class Attempt:
    """A source that did not give a treebank."""

    name: str
    source: Source
    failure: Failure


def fetch(
    names: Sequence[str],
    *,
    release: str,
    sources: Sequence[str],
    output: Path,
    lock: Path,
    write_lock: bool = False,
    github: str = GITHUB,
    retries: int = 3,
) -> list[Path]:
    """Get treebanks by their UD names, and return their folders `output/<name>` in order.

    A folder holds the treebank's CoNLL-U files (any subset of splits), licence, README, and `source.json`, which says
    where they came from and their sums. It appears whole or not at all, and is left alone where it is what would be
    fetched. What it replaces is kept in `output/.downloads/<name>/previous`, and, where somebody has changed it, stays
    there when the next is (`previous-2`).

    Each name is looked for in `sources` in order (see `open_source`); a download that fails is tried again `retries`
    times. Files are checked against the lock file, or written to it (`write_lock`). Raises `UsageError` for what is no
    UD name, `ConfigError` for what is no source, and `DownloadError` for files that are not those of the lock file
    and for treebanks that no source gives, after all others were fetched.
    """
    for name in names:
        if not is_ud_name(name):
            hint = "Names are written as Universal Dependencies writes them: UD_Georgian-GLC."
            raise UsageError(f"{name!r} is not the name of a treebank", hint=hint)
    opened = [
        open_source(text, release=release, cache=output / SCRATCH, github=github, retries=retries) for text in sources
    ]
    hint = f"Is it in release {release}, under this name? https://universaldependencies.org lists them all."
    treebanks = Collection(f"release {release}", release, WAYS_OUT, hint, lambda _, file: file.endswith(".conllu"))
    return fetch_all(treebanks, names, opened, output=output, lock=lock, write_lock=write_lock)


def fetch_all(
    collection: Collection,
    names: Sequence[str],
    sources: Sequence[Source],
    *,
    output: Path,
    lock: Path,
    write_lock: bool,
    optional: bool = False,
) -> list[Path]:
    """Get what a collection has under some names, as `fetch` does.

    Where it is `optional`, what all sources answer that they do not have becomes a record without files.
    """
    locked = read_lock(lock)
    release, scratch = collection.release, output / SCRATCH
    expected = {name: {} if write_lock else locked.get((release, name), {}) for name in names}
    try:
        with ExitStack() as stack:
            # In one order for all, so that no two processes wait for each other.
            for name in sorted(expected):
                stack.enter_context(exclusive(scratch / f"{name}.lock"))
                stack.callback(_clear, scratch / name)
            records, attempts = _fetch(collection, expected, sources, output)
            missing = [name for name in expected if name not in records]
            answers = {
                name: {attempt.failure.absent for attempt in attempts if attempt.name == name} for name in missing
            }
            absent = [name for name in missing if optional and answers[name] == {True}]
            for name in absent:
                logger.warning("%s has no %s", collection.edition, name)
                _put(Record(name, release, "", {}), _stage(scratch / name), output / name)
    except OSError as error:
        message = f"cannot read or write: {error.strerror or error}"
        raise DownloadError(message, file=error.filename, hint="Free some space or choose another folder.") from error
    if write_lock:
        update_lock(lock, {(release, name): record.files for name, record in records.items()})
    else:
        _warn_of_unlocked(records, expected, lock)
    if missing := [name for name in missing if name not in absent]:
        raise _not_found(missing, collection, [attempt for attempt in attempts if attempt.name in missing])
    return [output / name for name in names]


def _fetch(
    collection: Collection, expected: Mapping[str, Mapping[str, str]], sources: Sequence[Source], output: Path
) -> tuple[dict[str, Record], list[Attempt]]:
    """Bring every treebank of which `expected` has the sums, knowing that no other process works on it."""
    release = collection.release
    records = {name: record for name in expected if (record := _current(output / name, release, expected[name]))}
    pending, attempts = list(expected), []
    for source in sources:
        if not source.live:
            # What came from a folder may have changed there, so folders are still to be asked; the rest is settled.
            pending = [name for name in pending if name not in records or records[name].source == FROM_FOLDER]
        names = [name for name in pending if source.live or name not in records]
        stages = {name: _stage(output / SCRATCH / name) for name in names}
        failures = source.bring(stages) if stages else {}
        for name, stage in stages.items():
            failure = failures.get(name)
            if not failure and not any(collection.is_data(name, file.name) for file in stage.iterdir()):
                failure = Failure(f"has {name}, and no data in it")
            if failure:
                attempts.append(Attempt(name, source, failure))
                continue
            files = {file.name: sha256(file) for file in sorted(stage.iterdir())}
            record = Record(name, release, source.record(name), files)
            _check(collection, record, expected[name], source, stage)
            if name not in records or record.files != records[name].files:
                _put(record, stage, output / name)
                _warn_of_detour(name, source, attempts)
                records[name] = record
            pending.remove(name)
    return records, attempts


def _current(folder: Path, release: str, expected: Mapping[str, str]) -> Record | None:
    """Return the record of a treebank that is there, of this release, unchanged, and what the lock file expects."""
    record = _read_record(folder)
    if record is None or not record.files or record.release != release:
        return None
    return record if all(expected.get(name, sum_) == sum_ for name, sum_ in record.files.items()) else None


def _read_record(folder: Path) -> Record | None:
    """Return the record of a folder whose files are as it says; None where they are not, or there is none."""
    try:
        value = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        files = {file["name"]: file["sha256"] for file in value["files"]}
        unchanged = all(sha256(folder / name) == sum_ for name, sum_ in files.items())
        return Record(value["name"], value["release"], value["source"], files) if unchanged else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _stage(scratch: Path) -> Path:
    """Return an empty folder to bring a treebank to, without what an earlier source or a killed process left."""
    _clear(scratch)
    stage = scratch / "stage"
    stage.mkdir(parents=True)
    return stage


def _clear(scratch: Path) -> None:
    """Delete everything but previous versions of the treebank."""
    versions = set(scratch.glob("previous*"))
    for leftover in set(scratch.glob("*")) - versions:
        shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
    if scratch.exists() and not versions:
        scratch.rmdir()


def _check(collection: Collection, record: Record, expected: Mapping[str, str], source: Source, stage: Path) -> None:
    """Raise `DownloadError`, and delete what was brought, where a file is not the one in the lock file."""
    for file, sum_ in record.files.items():
        if expected.get(file, sum_) != sum_:
            shutil.rmtree(stage)
            source.forget()
            message = (
                f"{record.name}/{file} is not the file that the lock file lists for {collection.edition}\n"
                f"  from      {source.label}\n  expected  sha256 {expected[file]}\n  got       sha256 {sum_}\n"
                "What was fetched is deleted."
            )
            hint = (
                "Where the data changed on purpose, `starbank fetch --lock` writes the new sums.\n"
                "Where not, run the same again, or put another source first under `sources` in config.yaml."
            )
            raise DownloadError(message, hint=hint)


def _put(record: Record, stage: Path, folder: Path) -> None:
    """Write the record and make the stage the product, keeping what was there before."""
    files = [{"name": name, "sha256": sum_} for name, sum_ in record.files.items()]
    value = {"name": record.name, "release": record.release, "source": record.source, "files": files}
    write_json(value, stage / RECORD)
    if folder.exists() and any(folder.iterdir()):
        previous = stage.parent / "previous"
        # What somebody has changed is there nowhere else; what was fetched can be fetched again.
        if _is_fetched(previous):
            shutil.rmtree(previous)
        numbered = (stage.parent / f"previous-{number}" for number in count(2))
        previous = next(path for path in chain([previous], numbered) if not path.exists())
        if not _is_fetched(folder):
            logger.warning("%s is not as it was fetched; what was there is kept in %s", folder, previous)
        os.replace(folder, previous)
    os.replace(stage, folder)


def _is_fetched(folder: Path) -> bool:
    """Tell whether a folder holds what its record says, and nothing else."""
    record = _read_record(folder)
    return record is not None and {path.name for path in folder.iterdir()} == {RECORD, *record.files}


def _warn_of_detour(name: str, source: Source, attempts: Sequence[Attempt]) -> None:
    """Say so when a source that should have come first did not work."""
    for attempt in attempts:
        if attempt.name == name and not attempt.failure.absent:
            reason = f"{attempt.source.label}: {attempt.failure.reason}"
            logger.warning("%s is taken from %s, because %s", name, source.label, reason)


def _warn_of_unlocked(records: Mapping[str, Record], expected: Mapping[str, Mapping[str, str]], lock: Path) -> None:
    """Say what could not be checked, and what the lock file has that the source has not."""
    unlocked = [name for name, record in records.items() if set(record.files) - set(expected[name])]
    if unlocked:
        text = "%s does not list all files of %s, which were taken unchecked; `starbank fetch --lock` writes their sums"
        logger.warning(text, lock.name, ", ".join(unlocked))
    for name, record in records.items():
        lacking = sorted(set(expected[name]) - set(record.files))
        if lacking:
            logger.warning("%s lists files of %s that %s lacks: %s", lock.name, name, record.source, ", ".join(lacking))


def _not_found(missing: Sequence[str], collection: Collection, attempts: Sequence[Attempt]) -> DownloadError:
    """Return the one error that says what was tried for all missing treebanks, why it failed, and what to do."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for attempt in attempts:
        reasons.setdefault((attempt.source.label, attempt.failure.reason), []).append(attempt.name)
    lines = []
    for (label, reason), names in reasons.items():
        is_clear = len(names) == len(missing) or names[0] in reason
        lines.append(f"  - {label}: {reason}" + ("" if is_clear else f" ({', '.join(names)})"))
    message = f"cannot get {', '.join(missing)} of {collection.edition}. Tried:"
    valid = sorted({name for attempt in attempts if attempt.failure.absent for name in attempt.source.names()})
    guesses = [guess for name in missing for guess in difflib.get_close_matches(name, valid, n=1)]
    hints = [f"Did you mean {', '.join(guesses)}?"] if guesses else []
    if not attempts or any(not attempt.failure.absent for attempt in attempts):
        hints.append(collection.ways_out)
    elif not guesses:
        hints.append(collection.hint)
    return DownloadError("\n".join([message, *(lines or ["  - nothing: no source is named"])]), hint="\n".join(hints))
