"""Ingested treebanks: a folder with `tokens.parquet`, `sentences.parquet` and `treebank.json`."""

from __future__ import annotations

import difflib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq

from starbank.errors import TreebankError
from starbank.files import atomic, write_json, write_parquet
from starbank.treebanks.treebank import Treebank, read_conllu, source_folder

INGESTED = Path("outputs/treebanks")


def ingest(
    paths: Sequence[str | Path], output: str | Path, *, name: str | None = None, skip_bad: bool = False
) -> Treebank:
    """Read CoNLL-U files and folders as `read_conllu` does and write the treebank into the folder `output`.

    The licence text that lies beside the files is copied along.
    """
    output = Path(output)
    treebank = read_conllu(paths, name, skip_bad)
    write_treebank(treebank, output)
    folder = source_folder(paths)
    licence = folder / "LICENSE.txt" if folder else None
    if licence and licence.is_file():
        with atomic(output / "LICENSE.txt") as temporary:
            shutil.copyfile(licence, temporary)
    return treebank


def write_treebank(treebank: Treebank, output: Path) -> None:
    """Write the treebank's tables and its `treebank.json` into the folder `output`."""
    # treebank.json comes last and goes first: where it lies, the tables beside it are whole and belong to it.
    (output / "treebank.json").unlink(missing_ok=True)
    provenance = {"treebank": {key: value for key, value in treebank.info.items() if key not in ("readme", "skipped")}}
    write_parquet(treebank.tokens, output / "tokens.parquet", "tokens/1", provenance)
    write_parquet(treebank.sentences, output / "sentences.parquet", "sentences/1", provenance)
    write_json(treebank.info, output / "treebank.json")


def open_treebank(reference: str | Path, ingested: str | Path = INGESTED) -> Treebank:
    """Open a treebank by reference: a CoNLL-U file, a folder of them, an ingested folder, or a name under `ingested`.

    Raises `TreebankError` that names what exists where `reference` is none of these.
    """
    path, home = Path(reference), Path(ingested)
    if path.is_dir():
        return _open_ingested(path) if (path / "treebank.json").exists() else read_conllu([path])
    if path.exists():
        return read_conllu([path])
    if (home / path / "treebank.json").exists():
        return _open_ingested(home / path)
    raise TreebankError(f"no treebank {str(reference)!r}", hint=_what_exists(str(reference), home))


def _open_ingested(folder: Path) -> Treebank:
    info = json.loads((folder / "treebank.json").read_text(encoding="utf-8"))
    tokens, sentences = pq.read_table(folder / "tokens.parquet"), pq.read_table(folder / "sentences.parquet")
    return Treebank(info["name"], info["language"], tokens, sentences, info)


def _what_exists(wanted: str, home: Path) -> str:
    names = sorted(path.parent.name for path in home.glob("*/treebank.json"))
    ways = "Name a .conllu file, a folder of them, an ingested folder"
    if not names:
        return f"{ways}, or ingest treebanks first: {home} holds none."
    close = difflib.get_close_matches(wanted, names, n=1)
    meant = f"Did you mean {close[0]}? " if close else ""
    return f"{meant}{ways}, or one of those in {home}: {', '.join(names)}."
