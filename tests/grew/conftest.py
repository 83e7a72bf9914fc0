"""Small treebanks written in the tests."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from starbank.grew import Engine, parse_request, to_jsonl
from starbank.treebanks import Treebank, read_conllu

Find = Callable[..., list[str]]


def conllu(words: str) -> str:
    """Write a sentence: a word a line, `ID FORM LEMMA UPOS FEATS HEAD DEPREL DEPS MISC`, the last two optional."""
    lines = []
    for line in words.strip().splitlines():
        if line.strip().startswith("#"):
            lines.append(line.strip())
        else:
            i, form, lemma, upos, feats, head, deprel, *rest = line.split()
            deps, misc = [*rest, "_", "_"][:2]
            lines.append("\t".join([i, form, lemma, upos, "_", feats, head, deprel, deps, misc]))
    return "\n".join(lines) + "\n\n"


def treebank_of(*sentences: str) -> Treebank:
    """Read the treebank that consists of these sentences."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "test.conllu"
        file.write_text("".join(map(conllu, sentences)), encoding="utf-8")
        return read_conllu([file])


@cache
def load(*sentences: str) -> tuple[Treebank, Engine]:
    """Read and load the treebank that consists of these sentences, once: many requests are made of a few."""
    treebank = treebank_of(*sentences)
    return treebank, Engine(treebank)


@pytest.fixture
def find() -> Find:
    """Return the matches of a request in sentences, each as text: `V=2 S=1`, `e=2-nsubj-1`."""

    def find(request: str, *sentences: str) -> list[str]:
        treebank, engine = load(*sentences)
        checked = parse_request(request)
        matches = engine.match(checked)
        found = []
        for match in map(json.loads, to_jsonl(matches, treebank)):
            nodes = [f"{name}={match['nodes'][name]}" for name in checked.nodes]
            edges = [
                f"{name}={edge['source']}-{edge['label']}-{edge['target']}" for name, edge in match["edges"].items()
            ]
            found.append(" ".join([*nodes, *edges]))
        return found

    return find
