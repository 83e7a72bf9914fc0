"""Derived treebanks: run a transform, and write what it makes as an ingested treebank."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from starbank.errors import ConfigError
from starbank.files import require_free, write_parquet
from starbank.names import is_transform_name
from starbank.plugins import load_plugin
from starbank.treebanks import Treebank, open_treebank, write_conllu, write_treebank
from starbank.treebanks.store import INGESTED, find_ingested
from starbank.treebanks.treebank import Described, read_conllu
from starbank.treebanks.write import to_conllu

# What a derived treebank has from its source: whose it is, and from which release.
_INHERITED = ("language", "license", "release", "source", "readme")


@dataclass(frozen=True)
class Derived:
    """What a transform makes of a treebank.

    `tokens` and `sentences` are as docs/formats.md has them, but for what reading CoNLL-U finds out: offsets, line
    numbers and one column per feature; `tables` go beside them, by name; `notes` are lines to tell the user;
    `about` is what provenance is to tell beside the options, such as what a default came to.
    """

    tokens: pa.Table
    sentences: pa.Table
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
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
    source = open_treebank(reference, ingested)
    derived = transform.require_result(transform.function(source, seed=seed, **options), Derived)
    made = Treebank(f"{source.name}+{name}", source.language, derived.tokens, derived.sentences, source.info)
    about = {"from": source.name, "transform": name, "generator": transform.name, "options": options, "seed": seed}
    about |= {"words": words_of(source) + f"+{name}" * transform.own_forms, **derived.about}
    about |= {"files": source.info["files"], "steps": source.info.get("derived")}
    # What reads treebanks finds offsets, features and line numbers of this one, too, and sums up its files.
    with tempfile.TemporaryDirectory() as folder:
        write_conllu(made, folder)
        read = read_conllu([folder], made.name)
        if conllu and conllu.suffix != ".conllu":
            require_free({conllu / file.name: file.read_text("utf-8") for file in Path(folder).iterdir()})
            conllu.mkdir(parents=True, exist_ok=True)
            for file in Path(folder).iterdir():
                shutil.copyfile(file, conllu / file.name)
    if conllu and conllu.suffix == ".conllu":
        require_free({conllu: to_conllu(made)})
        write_conllu(made, conllu)
    info = read.info | {key: source.info.get(key) for key in _INHERITED} | {"derived": about}
    treebank = Treebank(made.name, source.language, read.tokens, read.sentences, info)
    where = find_ingested(reference, ingested) or Path(reference)
    licence = where / "LICENSE.txt"
    write_treebank(treebank, output, licence if licence.is_file() else None)
    for key, table in derived.tables.items():
        write_parquet(table, output / f"{key}.parquet", f"{key}/1", {"treebank": info["name"], "derived": about})
    return treebank, derived.notes


def words_of(treebank: Described) -> str:
    """Return the name of the treebank that has the words of this one: its own, or that which it rearranges."""
    name: str = (treebank.info.get("derived") or {}).get("words", treebank.name)
    return name
