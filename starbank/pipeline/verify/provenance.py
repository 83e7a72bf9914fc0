"""What a dataset says of its making, as far as it takes that to make it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starbank.errors import StarbankError, SuiteError
from starbank.names import is_name
from starbank.pipeline.parts import joined_provenance
from starbank.suites.provenance import TREEBANK, read_provenance, require_keys

_REQUIRED = (
    *("construction.name", "construction.title", "construction.language", "construction.phenomenon"),
    *("construction.query", "construction.query_sha256", "treebanks", "inputs", "seed"),
    *(f"treebanks.{key}" for key in TREEBANK),
)
_OF_TREEBANKS = ("inputs.lexicons.sha256", *(f"inputs.lexicons.treebanks.{key}" for key in TREEBANK))
_OF_IMPORTS = ("construction.grammatical",)
# What stands under `treebanks` where a suite is from none, by the key of the construction that says so.
_KINDS = {"template": "lexicon", "imported": "imported"}


@dataclass(frozen=True)
class Origin:
    """Where a suite is from: what the table at `file` says of it."""

    file: Path
    provenance: Mapping[str, Any]

    @property
    def construction(self) -> Mapping[str, Any]:
        """What its construction says."""
        construction: Mapping[str, Any] = self.provenance["construction"]
        return construction

    @property
    def name(self) -> str:
        """The name of its construction."""
        return str(self.construction["name"])

    @property
    def kind(self) -> str | None:
        """What it is from in place of treebanks: a `lexicon`, a suite of others (`imported`), or None."""
        return next((kind for key, kind in _KINDS.items() if self.construction.get(key)), None)

    @property
    def treebanks(self) -> list[Mapping[str, Any]]:
        """The treebanks that its matches are from, or what takes their place."""
        return list(self.provenance["treebanks"])

    @property
    def lexicons(self) -> list[Mapping[str, Any]]:
        """Its lexicons: the `sha256` of each, and the `treebanks` that it was made of."""
        return list(self.provenance["inputs"]["lexicons"])

    @property
    def lexicon_treebanks(self) -> list[Mapping[str, Any]]:
        """The treebanks that its lexicons were made of."""
        return [treebank for lexicon in self.lexicons for treebank in lexicon["treebanks"]]

    @property
    def usage_treebanks(self) -> list[Mapping[str, Any]]:
        """The treebanks that told what its commands make, where commands make its conditions."""
        return list(self.provenance["inputs"].get("usage", []))

    @contextmanager
    def errors(self, work: Path) -> Iterator[None]:
        """Let errors that are about a file below `work` name the table that it was taken from."""
        try:
            yield
        except RecursionError as error:
            raise SuiteError("has a request that is nested too deeply to be read", file=self.file) from error
        except StarbankError as error:
            if error.file is not None and Path(error.file).is_relative_to(work):
                error.file = self.file
            raise


def read_origins(folder: Path) -> list[Origin]:
    """Return where each suite of the dataset in `folder` is from, each construction once; raises `SuiteError`."""
    files = sorted(folder.glob("data/*/rejected.parquet"))
    if not files:
        hint = "Name a folder that `starbank publish` wrote."
        raise SuiteError("does not say how it was made", file=folder, hint=hint)
    origins = [_read(file) for file in files]
    suites: dict[tuple[str, str], list[Origin]] = {}
    for origin in origins:
        suites.setdefault((origin.name, origin.construction["query_sha256"]), []).append(origin)
    return list(map(_join, suites.values()))


def _join(origins: Sequence[Origin]) -> Origin:
    """Return where a suite is from of which each language has a table, which tells of its own treebanks."""
    last = origins[-1]
    return last if last.kind else Origin(last.file, joined_provenance([origin.provenance for origin in origins]))


def _read(file: Path) -> Origin:
    origin = Origin(file, read_provenance(file, _REQUIRED))
    kinds = [treebank.get("kind") for treebank in origin.treebanks]
    if origin.kind:
        if kinds != [origin.kind] or not origin.treebanks[0]["files"]:
            raise SuiteError(
                f"does not say which files it is from, as a suite of the kind {origin.kind} does", file=file
            )
        if origin.kind == "imported":
            require_keys(origin.provenance, _OF_IMPORTS, file)
        return origin
    require_keys(origin.provenance, _OF_TREEBANKS, file)
    if not kinds or any([*kinds, *(treebank.get("kind") for treebank in origin.lexicon_treebanks)]):
        raise SuiteError("does not say which treebanks it is from", file=file)
    return origin


def inside(work: Path, *names: str) -> Path:
    """Return the path of these names below `work`; each is one that cannot lead out of there."""
    for name in names:
        if not is_name(name):
            raise SuiteError(f"{name!r} is no name that a file could have here", file=work)
    return work.joinpath(*names)
