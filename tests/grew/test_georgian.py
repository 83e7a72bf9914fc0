"""The requests of the published Georgian work find what real Grew finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from starbank.grew import Engine, parse_request
from starbank.treebanks import read_conllu

INTRANSITIVE = """
pattern { V [upos="VERB"]; SUBJ [Case="Nom"]; V -[nsubj]-> SUBJ; }
without { V [upos="VERB"]; V -[nsubj]-> SUBJ; V -[obj]-> OBJ; }
"""
TRANSITIVE = """
pattern {{ V [upos="VERB"]; SUBJ [Case="{}"]; OBJ [Case="{}"]; V -[nsubj]-> SUBJ; V -[obj]-> OBJ; }}
"""
REQUESTS = [INTRANSITIVE, *(TRANSITIVE.format(*cases) for cases in (("Nom", "Dat"), ("Erg", "Nom"), ("Dat", "Nom")))]


@pytest.mark.parametrize(
    ("treebank", "splits", "counts"),
    [
        ("UD_Georgian-GLC", "dev test", [407, 297, 84, 59]),
        ("UD_Georgian-GNC", "train dev test", [922, 201, 165, 121]),
    ],
)
def test_published_requests(shared: Path, treebank: str, splits: str, counts: list[int]) -> None:
    folder = shared / "treebanks" / treebank
    engine = Engine(read_conllu([file for split in splits.split() for file in folder.glob(f"*-{split}.conllu")]))
    assert [engine.count(parse_request(request)) for request in REQUESTS] == counts
    assert [engine.match(parse_request(request)).num_rows for request in REQUESTS] == counts
