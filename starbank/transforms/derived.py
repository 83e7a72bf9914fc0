"""Derived treebanks: run a transform, and write what it makes as an ingested treebank."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from starbank.errors import ConfigError
from starbank.files import atomic, parquet_file, require_free
from starbank.names import is_transform_name
from starbank.plugins import load_plugin
from starbank.treebanks import Treebank, open_stored
from starbank.treebanks.store import INGESTED, StoredTreebank, find_licence, write_pieces
from starbank.treebanks.treebank import Described, read_pieces
from starbank.treebanks.write import write_parts

# What a derived treebank has from its source: whose it is, and from which release.
_INHERITED = ("language", "license", "release", "source", "readme")


@dataclass(frozen=True)
class Part:
    """Some sentences of what a transform makes, and rows of the tables that go beside them, by name.

    `tokens` and `sentences` are as docs/formats.md has them, but for what reading CoNLL-U finds out: offsets, line
    numbers and one column per feature.
    """

    tokens: pa.Table
    sentences: pa.Table
    tables: Mapping[str, pa.Table] = field(default_factory=dict)


@dataclass(frozen=True)
class Derived:
    """What a transform makes of a treebank: its `parts`, in order, which are asked for once and then forgotten.

    `notes` are lines to tell the user, asked for after the parts; `about` is what provenance is to tell beside the
    options, such as what a default came to.
    """

    parts: Iterable[Part]
    notes: Iterable[str] = ()
    about: Mapping[str, Any] = field(default_factory=dict)


def derive(
    name: str,
    reference: str | Path,
    output: Path,
    *,
    generator: str | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    conllu: Path | None = None,
    ingested: Path = INGESTED,
) -> tuple[Treebank, tuple[str, ...]]:
    """Write the treebank that the transform `name` makes of `reference` to the folder `output`, as ingestion does.

    `generator` is the module that does the work, by default that of the transform's own name; `conllu` is a file, or a
    folder for a file per split, that gets the treebank as CoNLL-U, too. Returns the derived treebank, called
    `<source>+<name>`, and what is to be told of it.
    Raises `ConfigError` for a transform or an option that there is not, `TreebankError` for a treebank.
    """
    if not is_transform_name(name):
        raise ConfigError(f"{name!r} cannot be the name of a transform", hint="It has small letters, digits and `_`.")
    transform = load_plugin(generator or name, "transform")
    options = dict(options or {})
    transform.check(options)
    source = open_stored(reference, ingested)
    made = f"{source.name}+{name}"
    derived = transform.require_result(transform.function(source, seed=seed, **options), Derived)
    about = {"from": source.name, "transform": name, "generator": transform.name, "options": options, "seed": seed}
    about |= {"words": words_of(source) + f"+{name}" * transform.own_forms, **derived.about}
    about |= {"files": source.info["files"], "steps": source.info.get("derived")}
    inherited = {key: source.info.get(key) for key in _INHERITED} | {"derived": about}
    licence = find_licence(reference, ingested)
    # What reads treebanks finds offsets, features and line numbers of this one, too, and sums up its files.
    with tempfile.TemporaryDirectory() as folder, ExitStack() as tables:
        add = _Tables(output, {"treebank": made, "derived": about}, tables).add
        files = write_parts((_treebank(part, source, made, add) for part in derived.parts), Path(folder))
        notes = tuple(derived.notes)
        if conllu:
            _copy(files, conllu)
        language = inherited["language"]
        info = write_pieces(output, licence, lambda add: read_pieces([folder], made, False, add, language) | inherited)
    return StoredTreebank.at(output, info), notes


def _treebank(part: Part, source: Treebank, name: str, add: Callable[[str, pa.Table], None]) -> Treebank:
    """Return a part as a treebank, and add the rows of its tables to their files."""
    for key, table in part.tables.items():
        add(key, table)
    return Treebank(name, source.language, part.tokens, part.sentences, source.info)


@dataclass(frozen=True)
class _Tables:
    """The tables beside a derived treebank: files in a folder, which appear when the `stack` is left."""

    folder: Path
    provenance: Mapping[str, Any]
    stack: ExitStack
    files: dict[str, Callable[[pa.Table], None]] = field(default_factory=dict)

    def add(self, name: str, table: pa.Table) -> None:
        """Add rows to the table of a name."""
        if name not in self.files:
            file = parquet_file(self.folder / f"{name}.parquet", f"{name}/1", table.schema, self.provenance)
            self.files[name] = self.stack.enter_context(file)
        self.files[name](table)


def _copy(files: Sequence[Path], conllu: Path) -> None:
    """Write CoNLL-U files to one file, or to a folder where `conllu` does not end in `.conllu`."""
    if conllu.suffix == ".conllu":
        with tempfile.NamedTemporaryFile() as joined:
            for file in files:
                with file.open("rb") as stream:
                    shutil.copyfileobj(stream, joined)
            joined.flush()
            _place({conllu: Path(joined.name)})
    else:
        _place({conllu / file.name: file for file in files})


def _place(files: Mapping[Path, Path]) -> None:
    require_free(files)
    for target, file in files.items():
        with atomic(target) as temporary:
            shutil.copyfile(file, temporary)


def words_of(treebank: Described) -> str:
    """Return the name of the treebank that has the words of this one: its own, or that which it rearranges."""
    name: str = (treebank.info.get("derived") or {}).get("words", treebank.name)
    return name
