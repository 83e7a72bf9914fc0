"""Matches come in pieces, in one order, whatever the pieces; a treebank may come in parts."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pyarrow as pa
import pytest

from starbank.cli import main
from starbank.grew import Engine, engine, parse_request
from starbank.treebanks import Treebank, ingest, parts, read_conllu

pytestmark = pytest.mark.slow

SAMPLE = Path(__file__).resolve().parents[2] / "treebanks/sample/UD_English-Sample"
REQUESTS = [
    "pattern { X []; Y [] }",
    "pattern { e: V -[nsubj]-> S } without { V -[obj]-> O }",
    "pattern { V -[nsubj]-> S; A []; S ->> A; proj_size(S) > 1 }",
    "pattern { X [upos=VERB] } with { X -> Y; Y [lemma=re\".*e\"] }",
    "global { text = re\".*\\?\" }",
    "pattern { X [upos=INTJ, Case=Nom] }",
]  # fmt: skip


@pytest.fixture(scope="module")
def treebank() -> Treebank:
    return read_conllu([SAMPLE])


def parts_of(treebank: Treebank, sentences: int) -> list[Treebank]:
    """Cut a treebank into parts of so many sentences; the numbers of its nodes stay."""
    numbers = treebank.tokens["sent"].to_pylist()
    parts = []
    for first in range(0, len(treebank.sentences), sentences):
        inside = [row for row, sent in enumerate(numbers) if first <= sent < first + sentences]
        tables = treebank.tokens.take(inside), treebank.sentences.slice(first, sentences)
        parts.append(Treebank(treebank.name, treebank.language, *tables, treebank.info))
    return parts


@pytest.fixture(scope="module")
def whole(treebank: Treebank) -> Engine:
    return Engine(treebank)


@pytest.fixture(scope="module")
def parted(treebank: Treebank) -> Engine:
    """The treebank in parts of seven sentences."""
    return Engine(parts_of(treebank, 7))


@pytest.mark.parametrize("text", REQUESTS)
def test_pieces_make_the_whole(whole: Engine, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "FIRST_NODES", 5)
    monkeypatch.setattr(engine, "BATCH_ROWS", 50)
    request = parse_request(text)
    expected = whole.match(request)
    pieces = list(whole.batches(request))
    assert pa.Table.from_batches(pieces, expected.schema) == expected
    assert all(piece.num_rows for piece in pieces)
    assert sum(piece.num_rows for piece in pieces) == whole.count(request)


def test_what_is_too_much_for_the_memory_comes_node_by_node(whole: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    request = parse_request("pattern { A []; B []; C [] }")
    expected = whole.match(request, 2000)
    monkeypatch.setattr(engine, "MOST_ROWS", 100)
    assert whole.match(request, 2000) == expected
    assert max(piece.num_rows for piece in whole.batches(request, 2000)) <= 100


@pytest.mark.parametrize("text", REQUESTS)
@pytest.mark.parametrize("limit", [0, 1, 7, 10_000_000])
def test_limited_search_gives_the_first_matches(whole: Engine, text: str, limit: int) -> None:
    request = parse_request(text)
    assert whole.match(request, limit) == whole.match(request).slice(0, limit)


@pytest.mark.parametrize("text", REQUESTS)
def test_parts_give_what_the_whole_gives(whole: Engine, parted: Engine, text: str) -> None:
    request = parse_request(text)
    assert parted.match(request).combine_chunks() == whole.match(request)
    assert parted.match(request, limit=5) == whole.match(request, limit=5)
    assert parted.count(request) == whole.count(request)


def test_two_searches_can_run_side_by_side(whole: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BATCH_ROWS", 50)
    verbs, pairs = (parse_request(text) for text in ("pattern { V [upos=VERB] }", "pattern { X []; Y [] }"))
    both = list(zip(whole.batches(verbs), whole.batches(pairs), strict=False))
    assert len(both) > 1
    first, second = (pa.Table.from_batches(column) for column in zip(*both, strict=True))
    assert first == whole.match(verbs, first.num_rows)
    assert second == whole.match(pairs, second.num_rows)


def test_search_stops_where_nobody_wants_more(treebank: Treebank) -> None:
    read = set()

    class Parts(list[Treebank]):
        """Parts that tell which of them were read."""

        def __getitem__(self, place: int) -> Treebank:  # type: ignore[override]
            read.add(place)
            return super().__getitem__(place)

    request = parse_request("pattern { X []; Y [] }")
    assert len(list(islice(Engine(Parts(parts_of(treebank, 7))).batches(request), 1))) == 1
    assert Engine(Parts(parts_of(treebank, 7))).match(request, limit=3).num_rows == 3
    assert read == {0}


def test_warning_holds_for_all_parts(whole: Engine, parted: Engine) -> None:
    first, second = "pattern { X [upos=INTJ] }", "pattern { X [upos=VRB] }"
    parted.count(parse_request(first))
    assert parted.warnings(parse_request(first)) == whole.warnings(parse_request(first))
    assert parted.warnings(parse_request(second)) == ["line 1: no word has upos=VRB; the closest are VERB"]


def test_plan_is_told_with_words_and_rows(whole: Engine) -> None:
    request = parse_request("pattern { V [upos=VERB]; V -[nsubj]-> S; S [Number=Sing|Plur] }")
    told = whole.explain(request)
    assert "/* VERB */" in told
    assert "/* nsubj */" in told
    assert "/* Number=Plur, Number=Sing */" in told or "/* Number=Sing, Number=Plur */" in told
    steps = told[told.index("rows") :].splitlines()
    assert int(steps[1].split()[0].replace(",", "")) == whole.count(request)
    assert any("table scan: part_0.nodes" in step for step in steps)


def test_command_prints_the_first_matches_only(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = ["match", "pattern { X [upos=DET]; Y [upos=NOUN]; X < Y }", str(SAMPLE), str(SAMPLE)]
    main(pairs)
    everything = capsys.readouterr().out.splitlines()
    for limit in (0, 3, len(everything) // 2 + 1):
        main([*pairs, "--limit", str(limit)])
        assert capsys.readouterr().out.splitlines() == everything[:limit]


def test_command_reads_parts_one_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "WHOLE_ROWS", 10)
    ingest([SAMPLE], tmp_path / "Sample")
    searched = ["match", "pattern { X [upos=INTJ]; Y [upos=VRB] }", str(tmp_path / "Sample")]
    main([*searched, "--count"])
    told = capsys.readouterr()
    assert told.out == "0\n"
    assert told.err.count("no word has upos=VRB") == 1


def test_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    main(["match", "pattern { X [upos=VERB] }", str(SAMPLE), "--explain"])
    assert "/* VERB */" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["--limit", "-1"], ["--limit", "2", "--count"]])
def test_limit_must_make_sense(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["match", "pattern { X [] }", str(SAMPLE), *wrong])
    assert "limit" in capsys.readouterr().err
