"""CITATION.cff of a dataset: what to cite, the treebanks and the paper behind a construction included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from starbank import __version__
from starbank.checksums import read_sealed_json
from starbank.hub.markdown import to_yaml
from starbank.hub.suites import PublishedSuite

URL = "https://universaldependencies.org"


def render_citation(suites: Sequence[PublishedSuite], title: str, treebanks: Path | None) -> str:
    """Return the text of CITATION.cff (Citation File Format 1.2.0)."""
    software = {"type": "software", "title": "Starbank", "authors": [{"name": "The Starbank authors"}]}
    value = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, cite it together with the treebanks and papers that it refers to.",
        "type": "dataset",
        "title": title,
        "authors": [
            {"name": "The Starbank authors"},
            *[{"name": "The authors of the treebanks"}] * any(suite.is_annotated for suite in suites),
            *[{"name": "The authors of the imported suites"}] * any(suite.is_import for suite in suites),
        ],
        "references": [
            {**software, "version": __version__},
            *_distinct(_treebank(treebank, treebanks) for treebank in unique(suites)),
            *({"type": "generic", "title": text, "authors": [{"name": "see the title"}]} for text in papers(suites)),
        ],
    }
    return to_yaml(value)


def _distinct(references: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return references each once: a benchmark has many suites, each of other files."""
    found: list[dict[str, Any]] = []
    found.extend(reference for reference in references if reference not in found)
    return found


def papers(suites: Sequence[PublishedSuite]) -> list[str]:
    """Return what the constructions want to have cited, each once."""
    return list(dict.fromkeys(text for suite in suites if (text := suite.construction.get("cite"))))


def unique(suites: Sequence[PublishedSuite]) -> list[dict[str, Any]]:
    """Return the treebanks of all suites, each version once, by name."""
    treebanks: list[dict[str, Any]] = []
    for treebank in (treebank for suite in suites for treebank in suite.treebanks):
        if treebank not in treebanks:
            treebanks.append(treebank)
    return sorted(treebanks, key=lambda treebank: treebank["name"])


def contributors(name: str, treebanks: Path | None) -> list[str]:
    """Return the contributors that a treebank's README names, as `Family, Given`."""
    file = treebanks / name / "treebank.json" if treebanks else None
    if file is None or not file.is_file():
        return []
    people = (read_sealed_json(file).get("readme") or {}).get("Contributors", "").split(";")
    return [name for person in people if (name := person.strip()) not in ("", "_")]


def _treebank(treebank: dict[str, Any], folder: Path | None) -> dict[str, Any]:
    if treebank.get("kind") == "imported":
        return {"type": "data", "title": treebank["name"], "authors": [{"name": f"The authors of {treebank['name']}"}]}
    if treebank.get("kind") == "lexicon":
        return {"type": "data", "title": treebank["name"], "authors": [{"name": "The Starbank authors"}]}
    people = contributors(treebank["name"], folder) or [f"The authors of {treebank['name']}"]
    names = (person.partition(", ") for person in people)
    return {
        "type": "data",
        "title": treebank["name"],
        "authors": [
            {"family-names": family, "given-names": given} if given else {"name": family} for family, _, given in names
        ],
        **({"version": treebank["release"]} if treebank.get("release") else {}),
        "url": URL,
    }
