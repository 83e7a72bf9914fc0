"""Is a dataset what it says it is? It is made again from its own provenance, and compared byte by byte."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

from starbank.errors import SuiteError, TreebankError
from starbank.files import read_metadata, read_parquet, sha256, write_text
from starbank.generate import generate
from starbank.hub import publish
from starbank.hub.client import download
from starbank.hub.publish import ACCURACY, CARD, PARTS, REVIEWS
from starbank.morphology.files import write_lexicon
from starbank.suites.import_items import import_suite
from starbank.suites.imports import read_import
from starbank.templates import SUFFIX
from starbank.transforms import derive
from starbank.treebanks import ingest, open_treebank
from starbank.treebanks.fetch import fetch
from starbank.treebanks.store import DESCRIPTION, describe, write_description

SAME_ROWS = "the same rows"


@dataclass(frozen=True)
class Verdict:
    """What is different in the dataset made again: `differences` by path, and how many files are `identical`."""

    differences: Mapping[str, str]
    identical: int

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        """Return this in a line or several."""
        if self:
            return f"identical: all {self.identical} files"
        told = [f"{path}: {difference}" for path, difference in sorted(self.differences.items())]
        return "\n".join([f"{len(told)} of {len(told) + self.identical} files differ", *told])


def verify(
    dataset: str | Path,
    *,
    treebanks: Path,
    sources: Sequence[str] = (),
    lexicons: Sequence[Path] = (),
    revision: str | None = None,
) -> Verdict:
    """Make a dataset again from what its tables say of their making, and tell what differs.

    `dataset` is a dataset folder, or a repository on the Hugging Face Hub, then at `revision`. Its treebanks are looked
    for by their checksums in the folder `treebanks` of ingested ones, and are else fetched from `sources`. `lexicons`
    are files that may be the lexicon of a suite, which is otherwise made again too.

    Raises `SuiteError` for what is no dataset of Starbank, `TreebankError` for treebanks that are not to be had, and
    whatever making the dataset raises.
    """
    with tempfile.TemporaryDirectory(prefix="starbank-verify-") as name:
        work = Path(name)
        folder = Path(dataset) if Path(dataset).is_dir() else download(str(dataset), work / "dataset", revision)
        suites = _provenance(folder)
        found = _find_treebanks(suites, treebanks, sources, work)
        for number, provenance in enumerate(suites):
            _generate(provenance, found, lexicons, work, str(number))
        rebuilt = _publish(folder, work)
        return _compare(folder, rebuilt)


def _provenance(folder: Path) -> list[dict[str, Any]]:
    """Return the provenance of each suite of a dataset, each construction once."""
    files = sorted(folder.glob("data/*/rejected.parquet"))
    told = [read_metadata(file) for file in files]
    if not told or not all({"construction", "treebanks", "inputs"} <= one.keys() for one in told):
        hint = "Name a folder that `starbank publish` wrote."
        raise SuiteError("does not say how it was made", file=folder, hint=hint)
    return list({(one["construction"]["name"], one["construction"]["query_sha256"]): one for one in told}.values())


def _find_treebanks(
    suites: Iterable[Mapping[str, Any]], treebanks: Path, sources: Sequence[str], work: Path
) -> dict[str, Path]:
    """Return where the treebanks of all suites lie ingested, by name, told as the dataset tells of them."""
    used = [[*suite["treebanks"], *suite["inputs"].get("lexicon_treebanks", [])] for suite in suites]
    wanted = {one["name"]: one for of_suite in used for one in of_suite if "kind" not in one}
    return {name: _present(about, _find(about, treebanks, sources, work), work) for name, about in wanted.items()}


def _find(about: Mapping[str, Any], treebanks: Path, sources: Sequence[str], work: Path) -> Path:
    name = about["name"]
    if _is(treebanks / name, about):
        return treebanks / name
    if about.get("derived"):
        return _derive(about, treebanks, sources, work)
    if not (about["release"] and sources):
        sums = ", ".join(f"{file['name']} {file['sha256'][:12]}…" for file in about["files"])
        hint = f"Ingest it into that folder, or name a --source; its files and sums: {sums}."
        raise TreebankError(f"{name} is not here, or is another version", file=treebanks, hint=hint)
    (downloaded,) = fetch(
        [name], release=about["release"], sources=sources, output=work / "downloads", lock=work / "no.lock"
    )
    ingest([downloaded], work / "ingested" / name)
    if not _is(work / "ingested" / name, about):
        raise TreebankError(f"{name} of release {about['release']} is another there than the dataset was made from")
    return work / "ingested" / name


def _derive(about: Mapping[str, Any], treebanks: Path, sources: Sequence[str], work: Path) -> Path:
    """Make a derived treebank again from its source, which may be derived itself."""
    derived, folder = about["derived"], work / "ingested" / about["name"]
    told = {"name": derived["from"], "files": derived["files"], "derived": derived["steps"]}
    source = _find({**about, **told}, treebanks, sources, work)
    choice = {key: derived[key] for key in ("generator", "options", "seed")}
    derive(derived["transform"], source, folder, **choice)
    if not _is(folder, about):
        raise TreebankError(f"{about['name']}, made again, is another than the dataset was made from")
    return folder


def _is(folder: Path, about: Mapping[str, Any]) -> bool:
    """Tell whether the ingested treebank in `folder` was made from the files that provenance tells of."""
    file = folder / "treebank.json"
    if not file.is_file():
        return False
    held = json.loads(file.read_text(encoding="utf-8"))
    return _sums(held["files"]) == _sums(about["files"])


def _sums(files: Iterable[Mapping[str, Any]]) -> set[tuple[str, str]]:
    return {(file["name"], file["sha256"]) for file in files}


def _present(about: Mapping[str, Any], folder: Path, work: Path) -> Path:
    """Return a copy by links of an ingested treebank, which says of itself where it came from what the dataset says."""
    copy = work / "treebanks" / about["name"]
    copy.mkdir(parents=True)
    for file in folder.iterdir():
        os.symlink(file.resolve(), copy / file.name)
    (copy / DESCRIPTION).unlink()
    write_description(describe(folder) | {key: about[key] for key in ("release", "source")}, copy)
    return copy


def _generate(
    provenance: Mapping[str, Any], treebanks: Mapping[str, Path], lexicons: Sequence[Path], work: Path, number: str
) -> None:
    construction, inputs = provenance["construction"], provenance["inputs"]
    if construction.get("template"):
        _generate_from_template(provenance, lexicons, work, number)
        return
    if construction.get("imported"):
        _import(provenance, lexicons, work / "suites" / number / construction["name"])
        return
    query = work / "queries" / number / f"{construction['name']}.grew"
    write_text(construction["query"], query)
    _link_tables(construction, inputs.get("tables", []), lexicons, query.parent)
    made_from = [treebanks[one["name"]] for one in inputs.get("lexicon_treebanks", [])]
    own = [treebanks[one["name"]] for one in provenance["treebanks"]]
    lexicon = _lexicon(provenance, made_from, lexicons, work)
    words = [] if lexicon else made_from
    generate([query], own, work / "suites" / number, words=words, lexicon=lexicon, seed=provenance["seed"])


def _link_tables(construction: Mapping[str, Any], sums: Sequence[str], lexicons: Sequence[Path], folder: Path) -> None:
    """Put the tables of paradigms that a construction names beside it, from `lexicons` or from those in `queries`."""
    found = {sha256(file): file for file in [*sorted(Path("queries").rglob("*.tsv")), *lexicons]}
    keys = ("lexicon", "vocabulary")
    named = [re.search(rf"^%\s*{key}:\s*\[(.*)\]", construction["query"], re.MULTILINE) for key in keys]
    names = [name for one in named if one for name in re.split(r",\s*", one[1])]
    for name, wanted in zip(names, sums, strict=False):
        if wanted not in found:
            hint = f"Name the file whose SHA-256 is {wanted} with --lexicon."
            raise SuiteError(
                f"the table {name} of {construction['name']} is not here, or is another version", hint=hint
            )
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / name).exists():
            (folder / name).symlink_to(found[wanted].resolve())


def _generate_from_template(provenance: Mapping[str, Any], lexicons: Sequence[Path], work: Path, number: str) -> None:
    """Make the suite of a template with the lexicon of the same files, among those of `lexicons` and in `queries`."""
    construction, (about,) = provenance["construction"], provenance["treebanks"]
    query = work / "queries" / number / f"{construction['name']}{SUFFIX}"
    write_text(construction["query"], query)
    wanted = _sums(about["files"])
    for folder in [*(file.parent for file in lexicons), *sorted(Path("queries").rglob("lexicon"))]:
        held = {(file.name, sha256(file)) for file in folder.iterdir() if file.is_file()}
        if wanted <= held:
            (query.parent / "lexicon").symlink_to(folder.resolve())
            generate([query], [], work / "suites" / number, seed=provenance["seed"])
            return
    sums = ", ".join(f"{name} {checksum[:12]}…" for name, checksum in sorted(wanted))
    hint = f"Name a file of its folder with --lexicon; its files and sums: {sums}."
    raise SuiteError(f"the lexicon of {construction['name']} is not here, or is another version", hint=hint)


def _import(provenance: Mapping[str, Any], files: Sequence[Path], folder: Path) -> None:
    """Import a suite of others again from the same file, among `files` and those in `queries`."""
    construction, (about,) = provenance["construction"], provenance["treebanks"]
    wanted = construction["query_sha256"]
    found = {sha256(file): file for file in [*files, *sorted(Path("queries").rglob("*.json"))]}
    if wanted not in found:
        hint = f"Name the file whose SHA-256 is {wanted} with --lexicon."
        raise SuiteError(f"{about['files'][0]['name']} is not here, or is another version", hint=hint)
    given = {key: construction[key] for key in ("name", "language", "grammatical")}
    import_suite(read_import(found[wanted], **given, license=about["license"]), folder)


def _lexicon(
    provenance: Mapping[str, Any], treebanks: Sequence[Path], lexicons: Sequence[Path], work: Path
) -> Path | None:
    """Return the file of the suite's lexicon, one of `lexicons` or made again; None where there was none."""
    wanted = provenance["inputs"]["lexicon"]
    files = [one["files"] for one in provenance["inputs"].get("lexicon_treebanks", [])]
    if wanted == hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest():
        return None
    made = work / "lexicons" / f"{wanted}.parquet"
    if treebanks and not made.exists():
        write_lexicon([open_treebank(folder) for folder in treebanks], made)
    for file in [*lexicons, *([made] if made.exists() else [])]:
        if sha256(file) == wanted:
            return file
    name = provenance["construction"]["name"]
    hint = "Name the file of that sum with --lexicon, or use the version of Starbank that made it."
    raise SuiteError(f"the lexicon of {name} cannot be made again: its SHA-256 was {wanted}", hint=hint)


def _publish(folder: Path, work: Path) -> Path:
    front = yaml.safe_load((folder / CARD).read_text(encoding="utf-8").split("---\n")[1])
    groups = [file.stem.removeprefix("starbank_") for file in folder.glob("lm_eval/starbank_*.yaml")]
    accuracy = folder / ACCURACY
    return publish(
        sorted((work / "suites").iterdir()),
        work / "rebuilt",
        title=front["pretty_name"],
        name=groups[0] if groups else folder.resolve().name,
        treebanks=work / "treebanks",
        reviews=folder / REVIEWS,
        accuracy=read_parquet(accuracy) if accuracy.is_file() else None,
    )


def _compare(folder: Path, rebuilt: Path) -> Verdict:
    here, there = _files(folder), _files(rebuilt)
    differences = {
        **dict.fromkeys(here - there, "is only here"),
        **dict.fromkeys(there - here, "is only in what was made again"),
    }
    common = here & there
    for path in common:
        difference = _difference(folder / path, rebuilt / path)
        if difference:
            differences[path] = difference
    return Verdict(differences, len(here | there) - len(differences))


def _files(folder: Path) -> set[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if path.parts[0] in PARTS}


def _difference(one: Path, other: Path) -> str | None:
    if one.read_bytes() == other.read_bytes():
        return None
    if one.suffix != ".parquet":
        return "has other text"
    try:
        tables = read_parquet(one), read_parquet(other)
    except (pa.ArrowInvalid, OSError) as error:
        return f"cannot be read: {error}"
    if tables[0].schema.names != tables[1].schema.names:
        changed = sorted(set(tables[0].schema.names) ^ set(tables[1].schema.names))
        return f"has other columns: {', '.join(changed) or 'in another order'}"
    here, there = (_rows(table) for table in tables)
    if here != there:
        return f"{(here - there).total()} rows are only here, {(there - here).total()} only in what was made again"
    told, now = read_metadata(one), read_metadata(other)
    keys = sorted(key for key in told.keys() | now.keys() if told.get(key) != now.get(key))
    return f"{SAME_ROWS}, but tells another {', '.join(keys)}" if keys else f"{SAME_ROWS}, written otherwise"


def _rows(table: pa.Table) -> Counter[str]:
    return Counter(json.dumps(row, sort_keys=True, default=str) for row in table.to_pylist())
