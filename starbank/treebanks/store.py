"""Ingested treebanks: a folder with `tokens.parquet`, `sentences.parquet` and `treebank.json`."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.checksums import check_seal, read_sealed_json, sealed_json
from starbank.errors import TreebankError, UsageError
from starbank.files import LEFT, atomic, write_json
from starbank.names import require_name
from starbank.treebanks.places import find_conllu, folders_here, is_ud_name
from starbank.treebanks.tables import SENTENCES, TOKENS
from starbank.treebanks.treebank import Treebank, read_conllu, read_pieces, source_folder

if TYPE_CHECKING:
    import pyarrow.parquet as pq

INGESTED = Path("outputs/treebanks")
DESCRIPTION, LICENCE = "treebank.json", "LICENSE.txt"
TABLES = ("tokens", "sentences")
# So many sentences: stretches of a large treebank are read apart.
ROW_GROUP = 1 << 13
# What `treebank.json` may hold.
_KEYS = {"name", "language", "license", "release", "source", "files", "readme", "skipped", "derived"}


Add = Callable[[pa.Table, pa.Table], object]


class StoredTreebank(Treebank):
    """A treebank whose tables are read from its folder when they are first asked for.

    `chosen` are the numbers of the sentences that it has, in order, None for all that are there.
    """

    folder: Path
    chosen: pa.Array | None

    @classmethod
    def at(cls, folder: Path, info: dict[str, Any]) -> StoredTreebank:
        """Return the ingested treebank in `folder` that `info` describes."""
        treebank = cls.__new__(cls)
        vars(treebank).update(name=info["name"], language=info["language"], info=info, folder=folder, chosen=None)
        return treebank

    @property
    def columns(self) -> list[str]:
        """The names of the columns of its tokens, which stay unread."""
        import pyarrow.parquet as pq  # which imports SSL

        names: list[str] = pq.read_schema(self.folder / "tokens.parquet").names
        return names

    def only(self, sents: pa.Array) -> StoredTreebank:
        """Return the treebank with some of its sentences, which are still to be read."""
        treebank = StoredTreebank.at(self.folder, self.info)
        vars(treebank).update(chosen=sents)
        return treebank

    def __getattr__(self, name: str) -> pa.Table:
        """Read a table."""
        if name not in TABLES:
            raise AttributeError(name)
        with no_damage(self.folder):
            table = open_table(self.folder / f"{name}.parquet").read()
        if self.chosen is not None:
            table = table.filter(pc.is_in(table["sent"], self.chosen))
        return vars(self).setdefault(name, table)


def ingest(
    paths: Sequence[str | Path], output: str | Path, *, name: str | None = None, skip_bad: bool = False
) -> Treebank:
    """Read CoNLL-U files and folders as `read_conllu` does and write the treebank into the folder `output`.

    The licence text that lies beside the files is copied along. Raises `TreebankError` for a name that is none.
    """
    folder = source_folder(paths)
    licence = folder / LICENCE if folder and (folder / LICENCE).is_file() else None
    info = write_pieces(Path(output), licence, lambda add: read_pieces(paths, name, skip_bad, add))
    return StoredTreebank.at(Path(output), info)


def write_treebank(treebank: Treebank, output: str | Path, licence: Path | None = None) -> None:
    """Write tables, `treebank.json` and, if there is one, the file `licence` into the folder `output`."""

    def read(add: Add) -> dict[str, Any]:
        add(treebank.tokens, treebank.sentences)
        return treebank.info

    write_pieces(Path(output), licence, read)


def write_pieces(output: Path, licence: Path | None, read: Callable[[Add], dict[str, Any]]) -> dict[str, Any]:
    """Write the tables that `read` hands to what it is given, and the description that it returns.

    The description goes first and comes last: where it lies, the tables are whole.
    """
    from starbank.treebanks.parquet import table_file

    if licence:
        _require_own_licence(output, licence)
    with (
        table_file(output / "tokens.parquet", "tokens/1") as tokens,
        table_file(output / "sentences.parquet", "sentences/1", ROW_GROUP) as sentences,
    ):

        def add(some_tokens: pa.Table, some_sentences: pa.Table) -> None:
            tokens.add(some_tokens)
            sentences.add(some_sentences)

        info = read(add)
        require_name(info["name"], "a treebank (--name gives it another)", TreebankError)
        provenance = {"treebank": {key: value for key, value in info.items() if key not in ("readme", "skipped")}}
        tokens.close(provenance)
        sentences.close(provenance)
        (output / DESCRIPTION).unlink(missing_ok=True)
        if licence:
            with atomic(output / LICENCE) as temporary:
                shutil.copyfile(licence, temporary)
    write_description(info, output)
    return info


def _require_own_licence(output: Path, licence: Path) -> None:
    """Raise `UsageError` where a licence would take the place of that of something else than an ingested treebank."""
    target = output / LICENCE
    if not target.exists():
        return
    foreign = {path for path in output.iterdir() if path.suffix != ".parquet"} - {target, output / DESCRIPTION}
    if foreign and target.read_bytes() != licence.read_bytes():
        raise UsageError("a treebank's licence would take the place of another", file=target, hint=LEFT)


def open_treebank(reference: str | Path, ingested: str | Path = INGESTED) -> Treebank:
    """Open a treebank by reference: a CoNLL-U file, a folder of them, an ingested folder, or a name.

    A name is that of a treebank under `ingested`, or else of one that lies where `places` says.

    Raises `TreebankError` that names what exists where `reference` is none of these.
    """
    folder = find_ingested(reference, ingested)
    if folder is not None:
        with no_damage(folder):
            info = describe(folder)
            check_tables(folder)
            tokens, sentences = (open_table(folder / f"{name}.parquet").read() for name in TABLES)
            return Treebank(info["name"], info["language"], tokens, sentences, info)
    if path := find_conllu(reference):
        return read_conllu([path])
    raise TreebankError(f"no treebank {str(reference)!r}", hint=_what_exists(str(reference), Path(ingested)))


def open_stored(reference: str | Path, ingested: str | Path = INGESTED) -> Treebank:
    """Open a treebank as `open_treebank` does, but leave the tables of an ingested one unread until they are needed."""
    folder = find_ingested(reference, ingested)
    if folder is None:
        return open_treebank(reference, ingested)
    with no_damage(folder):
        info = describe(folder)
        check_tables(folder)
    return StoredTreebank.at(folder, info)


def find_ingested(reference: str | Path, ingested: str | Path) -> Path | None:
    """Return the folder of the ingested treebank that `reference` names, None where it names none."""
    folders = (Path(reference), Path(ingested) / reference)
    return next((folder for folder in folders if (folder / DESCRIPTION).exists()), None)


def find_licence(reference: str | Path, ingested: str | Path) -> Path | None:
    """Return the licence text that lies beside a treebank, if there is one."""
    folder = find_ingested(reference, ingested) or find_conllu(reference)
    licence = folder / LICENCE if folder else None
    return licence if licence and licence.is_file() else None


@contextmanager
def no_damage(folder: Path) -> Iterator[None]:
    """Raise `TreebankError` where the ingested treebank in `folder` cannot be read."""
    try:
        yield
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise TreebankError(
            f"this ingested treebank is damaged: {error}", file=folder, hint="Ingest it again."
        ) from error


def describe(folder: Path) -> dict[str, Any]:
    """Return what `treebank.json` says of an ingested treebank.

    Raises `ValueError` where it was not written so, `TreebankError` for a name that is none.
    """
    info = read_sealed_json(folder / DESCRIPTION)
    unknown = sorted(info.keys() - _KEYS)
    if unknown:
        raise ValueError(f"{DESCRIPTION} says something of {unknown[0]!r}")
    require_name(info["name"], "a treebank", TreebankError, file=folder / DESCRIPTION)
    return info


def write_description(info: dict[str, Any], folder: Path) -> None:
    """Write `treebank.json`."""
    write_json(sealed_json(info), folder / DESCRIPTION)


def check_tables(folder: Path) -> None:
    """Raise `DamagedError` where a table of an ingested treebank is not as it was written."""
    for name in TABLES:
        check_seal(folder / f"{name}.parquet")


def open_table(path: Path) -> pq.ParquetFile:
    """Open a table of an ingested treebank; feature columns will be coded."""
    import pyarrow.parquet as pq  # which imports SSL

    # `pq.read_table` would import pandas.
    names = pq.read_schema(path).names
    features = [name for name in names if name not in TOKENS and name not in SENTENCES]
    return pq.ParquetFile(path, read_dictionary=features)


def _what_exists(reference: str, home: Path) -> str:
    names = sorted(path.parent.name for path in home.glob(f"*/{DESCRIPTION}"))
    close = difflib.get_close_matches(reference, {*names, *(folder.name for folder in folders_here())}, n=1)
    meant = f"Did you mean {close[0]}? " if close else ""
    if is_ud_name(reference):
        more = "With --fetch a command downloads it, where it is in the release; `starbank ls --treebanks` lists those."
        return f"{meant}{more}"
    ways = f"{meant}Name a .conllu file, a folder of them, an ingested folder, a treebank of Universal Dependencies"
    return f"{ways}, or one of those in {home}: {', '.join(names)}." if names else f"{ways}."
