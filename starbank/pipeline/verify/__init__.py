"""Is a dataset what it says it is? It is made again from its own provenance, and compared byte by byte.

A dataset is anybody's: all that it says is checked where it is read, nothing of it is run, and what is made of it lies
in a temporary folder.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from starbank.code import generator_folders
from starbank.errors import SuiteError
from starbank.files import read_parquet
from starbank.hub import publish
from starbank.hub.card import ACCURACY_COLUMNS
from starbank.hub.client import download
from starbank.hub.folder import plain_files
from starbank.hub.front_matter import read_front_matter
from starbank.hub.publish import ACCURACY, CARD, REVIEWS
from starbank.hub.reviews import FILE, read_reviews
from starbank.pipeline.verify.provenance import Origin, read_origins
from starbank.pipeline.verify.remake import remake
from starbank.pipeline.verify.treebanks import find_treebanks
from starbank.pipeline.verify.verdict import SAME_ROWS, Verdict, compare
from starbank.suites.provenance import require_columns

__all__ = ["SAME_ROWS", "Verdict", "verify"]


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
        files = plain_files(folder)
        _require_own_code(folder)
        origins = read_origins(folder)
        # What cannot be read is told before anything is made.
        title, accuracy = _title(folder / CARD), _accuracy(folder / ACCURACY)
        for file in [folder / REVIEWS / f"{origin.name}.{FILE}" for origin in origins]:
            if file.is_file():
                read_reviews(file)
        folders = find_treebanks(origins, treebanks, sources, work)
        for number, origin in enumerate(origins):
            with origin.errors(work):
                remake(origin, folders, lexicons, work, number)
        rebuilt = _publish(folder, work, title, accuracy)
        taken = [path for path in files if path == ACCURACY or path.startswith(f"{REVIEWS}/")]
        return compare(folder, rebuilt, taken, _unverifiable(origins))


def _require_own_code(folder: Path) -> None:
    """Refuse to work where generators would be loaded from the dataset."""
    for generators in generator_folders():
        if generators.resolve().is_relative_to(folder.resolve()):
            hint = "Call `starbank verify` from another folder."
            raise SuiteError("is a part of the dataset, and its code would be run", file=generators, hint=hint)


def _publish(folder: Path, work: Path, title: str, accuracy: pa.Table | None) -> Path:
    """Publish the suites made again, with the title, reviews and accuracy that the dataset in `folder` has."""
    groups = [file.stem.removeprefix("starbank_") for file in folder.glob("lm_eval/starbank_*.yaml")]
    return publish(
        sorted((work / "suites").iterdir()),
        work / "rebuilt",
        title=title,
        name=groups[0] if groups else folder.resolve().name,
        treebanks=work / "treebanks",
        reviews=folder / REVIEWS,
        accuracy=accuracy,
    )


def _title(card: Path) -> str:
    title = read_front_matter(card).get("pretty_name")
    if not isinstance(title, str) or not title.isprintable():
        raise SuiteError("its front matter has no title under `pretty_name`", file=card)
    return title


def _accuracy(file: Path) -> pa.Table | None:
    if not file.is_file():
        return None
    try:
        table = read_parquet(file)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise SuiteError("cannot be read as Parquet", file=file) from error
    require_columns(table.schema, ACCURACY_COLUMNS, file)
    return table


def _unverifiable(origins: Sequence[Origin]) -> list[str]:
    """Return what the dataset alone tells of itself, besides files."""
    kinds = {origin.kind for origin in origins}
    return [
        "its title",
        "the names of its tasks",
        *["releases and sources of treebanks"] * (None in kinds),
        *["licences, languages and grammatical conditions of imported suites"] * ("imported" in kinds),
    ]
