"""Suites as `starbank generate` writes them, and what a folder holds."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pyarrow as pa
import yaml

from starbank.suites import ITEMS, REJECTED, Suite, write_suite

GEORGIAN = {
    "name": "UD_Georgian-GLC",
    "license": "CC-BY-SA-4.0",
    "release": "2.18",
    "source": "local mirror",
    "files": [{"name": "ka_glc-ud-test.conllu", "sha256": "0" * 64}],
}
HEBREW = {
    "name": "UD_Hebrew-HTB",
    "license": "CC-BY-NC-SA-4.0",
    "release": "2.18",
    "source": "local mirror",
    "files": [{"name": "he_htb-ud-test.conllu", "sha256": "1" * 64}],
    "license_text": "NonCommercial\n",
}
QUERY = "% ---\n% target: S\n% ---\npattern { V -[nsubj]-> S; S [Case=Nom] }\n"


def item(
    number: int, construction: str, treebank: str, conditions: dict[str, tuple[str, str, str]], length: int
) -> dict:
    return {
        "item_id": f"{number:016x}",
        "construction": construction,
        "phenomenon": "case alignment",
        "language": "kat",
        "treebank": treebank,
        "split": "test",
        "sent_id": f"s{number}",
        "region_names": ["prefix", "target", "suffix"],
        "conditions": [
            {
                "name": name,
                "grammatical": rank == 0,
                "against": None if rank == 0 else next(iter(conditions)),
                "regions": list(regions),
                "feats": f"Case={name}",
                "form": regions[1],
                "form_source": "treebank",
                "form_count": 3,
                "form_confidence": 1.0,
            }
            for rank, (name, regions) in enumerate(conditions.items())
        ],
        "target": {"lemma": "კაცი", "upos": "NOUN", "feats": "Case=Nom", "id": "2"},
        "length": length,
        "position": 2,
    }


def rejection(construction: str, reason: str) -> dict:
    whence = {"construction": construction, "language": "kat", "treebank": "UD_Georgian-GLC", "split": "test"}
    word = {"sent_id": "s9", "target_id": "1", "form": "კაცი", "lemma": "კაცი", "feats": "Case=Nom"}
    return {**whence, **word, "reason": reason, "detail": reason, "text": "კაცი მოდის."}


def write(folder: Path, items: list[dict], reasons: list[str], treebanks: list[dict], **about: str) -> None:
    """Write a suite as `starbank generate` does."""
    construction = {
        "name": folder.name,
        "title": f"The suite {folder.name}",
        "language": "kat",
        "phenomenon": "case alignment",
        "query": QUERY,
        "query_sha256": hashlib.sha256(QUERY.encode()).hexdigest(),
        **about,
    }
    language = {"language": construction["language"]}
    items = [{**one, **language} for one in items]
    rejected = [{**rejection(folder.name, reason), **language} for reason in reasons]
    suite = Suite(pa.Table.from_pylist(items, ITEMS), pa.Table.from_pylist(rejected, REJECTED))
    counts = {"matches": len(items) + len(rejected), "items": len(items)}
    write_suite(folder, suite, {"construction": construction, "treebanks": treebanks, "seed": 0, **counts})


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def front_matter(folder: Path) -> dict:
    return yaml.safe_load((folder / "README.md").read_text(encoding="utf-8").split("---\n")[1])


def card(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")
