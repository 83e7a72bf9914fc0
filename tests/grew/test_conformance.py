"""Every request of the conformance bank gives the matches that Grew itself gives, as a set."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from starbank.errors import RequestError
from starbank.grew import Engine, parse_request, to_jsonl
from starbank.treebanks import Treebank, read_conllu

SHARED = Path(__file__).resolve().parents[3] / "shared"
BANK = SHARED / "conformance"
CORPORA = {
    "ka_glc-ud-dev": "treebanks/UD_Georgian-GLC/ka_glc-ud-dev.conllu",
    "ka_glc-ud-test": "treebanks/UD_Georgian-GLC/ka_glc-ud-test.conllu",
    "eu_bdt-ud-dev": "treebanks/UD_Basque-BDT/eu_bdt-ud-dev.conllu",
    "ta_ttb-ud-test": "treebanks/UD_Tamil-TTB/ta_ttb-ud-test.conllu",
    "en_ewt-ud-dev": "treebanks/UD_English-EWT/en_ewt-ud-dev.conllu",
    "hi_pud": "treebanks/UD_Hindi-PUD/hi_pud-ud-test.conllu",
    "probe": "conformance/probe/probe.conllu",
}
DIFFERENCES = {
    (corpus, name)
    for entry in tomllib.loads(Path(__file__).with_name("differences.toml").read_text(encoding="utf-8")).values()
    for name, corpora in entry["requests"].items()
    for corpus in corpora
}
pytestmark = pytest.mark.skipif(not BANK.is_dir(), reason="needs the conformance bank in ../shared")


@cache
def load(corpus: str) -> tuple[Treebank, Engine]:
    treebank = read_conllu([SHARED / CORPORA[corpus]])
    return treebank, Engine(treebank)


@cache
def index() -> dict[tuple[str, str], tuple[int, str]]:
    """(request, corpus) -> number of distinct lines, and the first 16 digits of the hash of all of them."""
    header, *rows = (line.split("\t") for line in (BANK / "INDEX.tsv").read_text(encoding="utf-8").splitlines())
    return {
        (row[0], corpus): (int(row[place + 1]), row[place + 2])
        for corpus in CORPORA
        if corpus != "probe"
        for place in [header.index(f"{corpus}:count")]
        for row in rows
    }


def cases() -> Iterator[tuple[str, str]]:
    for corpus in CORPORA:
        folder = BANK / "probe/expected" if corpus == "probe" else BANK / "expected" / corpus
        for file in sorted(folder.glob("*.jsonl")):
            yield corpus, file.stem


def agrees(corpus: str, name: str) -> bool:
    folder = BANK / "probe" if corpus == "probe" else BANK
    treebank, engine = load(corpus)
    matches = engine.match(parse_request((folder / "requests" / f"{name}.req").read_text(encoding="utf-8")))
    found = sorted(to_jsonl(matches, treebank))
    assert len(found) == len(set(found)), "a match comes twice"
    expected = folder / "expected" / ("" if corpus == "probe" else corpus) / f"{name}.jsonl"
    lines = sorted(set(expected.read_text(encoding="utf-8").splitlines()))
    if len(lines) == 1 and "sha256" in json.loads(lines[0]):
        digest = hashlib.sha256("".join(line + "\n" for line in found).encode()).hexdigest()
        return (len(found), digest[:16]) == index()[name, corpus]
    return found == lines


@pytest.mark.parametrize(("corpus", "name"), [case for case in cases() if BANK.is_dir()])
def test_same_matches_as_grew(corpus: str, name: str) -> None:
    assert agrees(corpus, name) == ((corpus, name) not in DIFFERENCES)


@pytest.mark.parametrize("file", sorted((BANK / "invalid").glob("*.req")), ids=lambda file: file.stem)
def test_refused_like_grew(file: Path) -> None:
    with pytest.raises(RequestError) as refusal:
        parse_request(file.read_text(encoding="utf-8"), file)
    assert refusal.value.line is not None
    assert refusal.value.column is not None
