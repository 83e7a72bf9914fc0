"""A bit that flips in a file is told, or changes nothing; never is it read as other data."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from starbank.checksums import check_seal, read_sealed_json, sealed_json
from starbank.errors import DamagedError, StarbankError
from starbank.files import read_metadata, read_parquet, write_json, write_parquet
from starbank.morphology import read_lexicon
from starbank.morphology.files import write_lexicon
from starbank.pipeline.generate import generate
from starbank.suites import read_items
from starbank.treebanks import ingest, open_treebank

pytestmark = pytest.mark.slow

FLIPS = 100


@pytest.fixture(scope="module")
def products(tmp_path_factory, sample) -> Path:
    """A treebank, its lexicon and a suite."""
    folder = tmp_path_factory.mktemp("products")
    treebank = ingest([sample / "UD_Georgian-Sample"], folder / "treebank")
    write_lexicon([treebank], folder / "lexicon.parquet")
    queries = Path(__file__).resolve().parent.parent / "queries"
    generate([queries / "kat" / "transitive-erg-nom-subj.grew"], [treebank], folder / "suites")
    return folder


def flipped(file: Path, copy: Path, step: int) -> None:
    """Copy a file with one bit the other way round, the bits of `FLIPS` steps being spread over all of it."""
    data = bytearray(file.read_bytes())
    bit = (2 * step + 1) * len(data) * 8 // (2 * FLIPS)
    data[bit // 8] ^= 1 << bit % 8
    copy.write_bytes(data)


def require_told_or_same(read: Callable[[], object], right: object) -> bool:
    """Tell whether reading raised what it may; it gives what is right otherwise."""
    try:
        assert read() == right
    except StarbankError:
        return True
    return False


@pytest.mark.parametrize("name", ["tokens.parquet", "sentences.parquet", "treebank.json"])
def test_no_flipped_bit_of_a_treebank_is_read_as_other_data(products, tmp_path, name):
    def read():
        treebank = open_treebank(tmp_path / "treebank")
        return treebank.name, treebank.tokens, treebank.sentences, treebank.info

    shutil.copytree(products / "treebank", tmp_path / "treebank")
    right = read()
    told = 0
    for step in range(FLIPS):
        flipped(products / "treebank" / name, tmp_path / "treebank" / name, step)
        told += require_told_or_same(read, right)
    assert told >= FLIPS * 3 / 4


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("lexicon.parquet", read_lexicon),
        ("suites/transitive-erg-nom-subj/items.parquet", lambda file: read_items([file])),
        ("suites/transitive-erg-nom-subj/rejected.parquet", lambda file: (read_parquet(file), read_metadata(file))),
    ],
)
def test_no_flipped_bit_of_a_table_is_read_as_other_data(products, tmp_path, name, read):
    right, copy = read(products / name), tmp_path / "copy.parquet"
    told = 0
    for step in range(FLIPS):
        flipped(products / name, copy, step)
        told += require_told_or_same(lambda: read(copy), right)
    # Where it is the name of the sum that a bit flips in, the file has no sum, and the same data.
    assert told >= FLIPS - 1


def test_every_byte_of_a_small_table_counts(products, tmp_path):
    file, copy = tmp_path / "small.parquet", tmp_path / "copy.parquet"
    write_parquet(read_items([products / "suites"]).select(["item_id"]).slice(0, 2), file, "small/1", {"seed": 0})
    data, right = file.read_bytes(), (read_parquet(file), read_metadata(file))
    for place in range(len(data)):
        copy.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        try:
            assert (read_parquet(copy), read_metadata(copy)) == right
        except (StarbankError, OSError, ValueError):
            continue
        # Only what says where the sum stands may be another.
        assert abs(place - data.rfind(b"starbank.crc32")) < 20


def test_a_table_of_somebody_else_has_no_sum_and_is_read(products, tmp_path):
    table = read_items([products / "suites"])
    pq.write_table(table, tmp_path / "theirs.parquet")
    check_seal(tmp_path / "theirs.parquet")
    assert read_parquet(tmp_path / "theirs.parquet") == table


def test_json_that_says_something_else_is_told(tmp_path):
    file = tmp_path / "treebank.json"
    write_json(sealed_json({"name": "UD_Georgian-GLC"}), file)
    assert read_sealed_json(file) == {"name": "UD_Georgian-GLC"}
    file.write_text(file.read_text().replace("GLC", "GLB"))
    with pytest.raises(DamagedError, match="is not as it was written"):
        read_sealed_json(file)
