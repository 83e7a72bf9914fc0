"""A treebank beyond memory is read in parts of whole sentences."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pyarrow as pa
import pytest

from starbank.errors import TreebankError
from starbank.files import read_metadata
from starbank.grew import Engine, parse_request
from starbank.morphology import build_lexicon
from starbank.morphology.files import write_lexicon
from starbank.morphology.words import READ
from starbank.treebanks import Parts, Treebank, open_columns, open_parts, open_treebank, parts
from starbank.treebanks.arrays import CODED, coded
from starbank.treebanks.tables import plain_tokens
from tests.treebanks.groups import ingest_in_groups

SAMPLE = Path(__file__).resolve().parents[2] / "treebanks/sample/UD_English-Sample"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a treebank whose files have many row groups."""
    return ingest_in_groups(SAMPLE, tmp_path / "UD_English-Sample", monkeypatch)


def test_parts_make_the_whole(folder: Path) -> None:
    whole = open_treebank(folder)
    parts = Parts(folder, rows=50)
    assert len(parts) > 2
    assert len(parts[0].tokens) >= 50
    assert pa.concat_tables(part.tokens for part in parts).combine_chunks() == whole.tokens.combine_chunks()
    assert pa.concat_tables(part.sentences for part in parts).combine_chunks() == whole.sentences.combine_chunks()
    assert {part.name for part in parts} == {"UD_English-Sample"}


def test_spread_parts_have_stretches_from_all_over_and_all_sentences_once(folder: Path) -> None:
    parts = Parts(folder, rows=150, spread=True)
    # By row groups, which have six sentences each.
    stretches = [sorted({sent // 6 for sent in part.sentences["sent"].to_pylist()}) for part in parts]
    assert stretches == [[0, 5, 10, 15], [1, 6, 11, 16], [2, 7, 12], [3, 8, 13], [4, 9, 14]]
    tokens = pa.concat_tables(part.tokens for part in parts).sort_by("node")
    assert tokens.combine_chunks() == open_treebank(folder).tokens.combine_chunks()


def test_matches_in_parts_are_those_in_the_whole(folder: Path) -> None:
    request = parse_request("pattern { e: V -[nsubj]-> S; V [upos=VERB] }")
    whole, parted = Engine(open_treebank(folder)), Engine(Parts(folder, rows=50))
    assert parted.match(request).combine_chunks() == whole.match(request)
    assert parted.count(request) == whole.count(request) > 0


def test_what_was_made_of_a_part_is_gone_when_the_next_is_read(folder: Path) -> None:
    graphs = []
    gc.disable()
    try:
        for part in Parts(folder, rows=50):
            assert not [graph for graph in graphs if graph()]
            engine = Engine(part)
            graphs.append(weakref.ref(next(engine.parts()).graph))
            del engine
    finally:
        gc.enable()
    assert len(graphs) > 2


def test_the_lexicon_of_parts_is_that_of_the_whole(folder: Path) -> None:
    parts = Parts(folder, rows=50, columns=READ)
    assert len(parts) > 2
    assert build_lexicon(parts) == build_lexicon([open_treebank(folder)])


def test_a_lexicon_of_parts_names_their_treebank_once(folder: Path, tmp_path: Path) -> None:
    write_lexicon(Parts(folder, rows=50, columns=READ), tmp_path / "eng.parquet")
    assert read_metadata(tmp_path / "eng.parquet")["treebanks"] == [open_treebank(folder).info]


def test_large_conllu_comes_in_parts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "WHOLE_BYTES", 1000)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    large = open_parts(SAMPLE)
    assert isinstance(large, Parts)
    assert pa.concat_tables(part.tokens for part in large).combine_chunks() == open_treebank(SAMPLE).tokens
    assert list(tmp_path.iterdir())
    del large
    assert not list(tmp_path.iterdir())


def test_more_text_than_an_array_can_hold_is_coded() -> None:
    feats = pa.array(["Case=Nom" * 1000, None, "Case=Erg" * 1000] * 1000)
    column = pa.chunked_array([feats] * 135)
    assert column.nbytes > 1 << 31
    codes = coded(column)
    assert codes.dictionary == feats[:3].drop_null()
    assert codes[-3:].to_pylist() == feats[:3].to_pylist()


def test_parts_of_some_columns_have_no_others(folder: Path) -> None:
    whole = open_treebank(folder)
    (part,) = open_parts(folder, columns=(["sent", "form"], ["sent", "text"]))
    assert part.tokens == whole.tokens.select(["sent", "form"])
    assert part.sentences == whole.sentences.select(["sent", "text"])
    assert part.info == whole.info


def test_some_columns_of_conllu_are_those_of_the_whole(folder: Path) -> None:
    whole, columns = open_treebank(SAMPLE), (["node", "sent", "form", "feats", "deps"], ["sent", "sent_id"])
    (part,) = open_columns(SAMPLE, folder, columns)
    assert plain_tokens(part.tokens).combine_chunks() == whole.tokens.select(columns[0]).combine_chunks()
    assert part.tokens["form"].type == CODED
    assert part.sentences.combine_chunks() == whole.sentences.select(columns[1]).combine_chunks()
    (stored,) = open_columns(folder, folder.parent, columns)
    assert stored.tokens == open_treebank(folder).tokens.select(columns[0])


def test_only_large_ingested_treebanks_have_parts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [type(part) for part in open_parts(folder)] == [Treebank]
    assert [part.name for part in open_parts(SAMPLE)] == ["UD_English-Sample"]
    monkeypatch.setattr(parts, "WHOLE_ROWS", 10)
    assert isinstance(open_parts(folder), Parts)
    assert isinstance(open_parts("UD_English-Sample", folder.parent), Parts)


def test_damage_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "WHOLE_ROWS", 10)
    (folder / "tokens.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(TreebankError, match="this ingested treebank is damaged"):
        open_parts(folder)
