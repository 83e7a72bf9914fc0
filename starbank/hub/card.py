"""The card of a dataset: its README.md, YAML for machines and text for people."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jinja2
import langcodes
import pyarrow.compute as pc
import yaml

from starbank.hub.licences import UNKNOWN, card_licence
from starbank.hub.suites import ALL, PAIRS, PublishedSuite, pairs_config

# Words in an example: enough to be a sentence, few enough to be read.
EXAMPLE_LENGTH = 8

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$])")


@dataclass(frozen=True)
class Section:
    """What the card says about one suite."""

    name: str
    about: dict[str, Any]
    matches: int
    items: int
    pairs: int
    reasons: list[tuple[str, int]]
    example: dict[str, Any] | None
    treebanks: list[str]
    licences: list[str]
    starbank: str
    seed: int


def render_card(suites: Sequence[PublishedSuite], title: str, licence_files: Sequence[str]) -> str:
    """Return the text of README.md. `licence_files` are the treebanks whose licence text lies in LICENSES/."""
    licences = _licences(suites)
    return _template("card.md.j2").render(
        front_matter=_front_matter(suites, title),
        title=title,
        sections=[_section(suite) for suite in suites],
        treebanks=_treebanks(suites),
        licences=licences,
        licence_files=licence_files,
        mixed=len(set(licences.values())) > 1,
        unknown=UNKNOWN,
        languages=_languages(suites),
        sources=_form_sources(suites),
        first=next((suite.name for suite in suites if suite.items.num_rows), None),
    )


def render_licence(suites: Sequence[PublishedSuite], licence_files: Sequence[str]) -> str:
    """Return the text of LICENSE, which says which licence each row has."""
    values = {"licences": _licences(suites), "licence_files": licence_files, "unknown": UNKNOWN}
    return _template("licence.txt.j2").render(**values)


def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("starbank.hub", "."),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = escape
    environment.filters["sentence"] = _sentence
    return environment.get_template(name)


def _front_matter(suites: Sequence[PublishedSuite], title: str) -> str:
    full = [suite.name for suite in suites if suite.items.num_rows]
    files = {ALL: "data/*/items.parquet", PAIRS: "data/*/pairs.parquet"} if full else {}
    for name in full:
        files |= {name: f"data/{name}/items.parquet", pairs_config(name): f"data/{name}/pairs.parquet"}
    configs = [
        {
            "config_name": name,
            **({"default": True} if name == ALL else {}),
            "data_files": [{"split": "test", "path": path}],
        }
        for name, path in files.items()
    ]
    languages = [langcodes.standardize_tag(language) for language in _languages(suites)]
    phenomena = dict.fromkeys(_slug(suite.construction["phenomenon"]) for suite in suites)
    value = {
        **card_licence(_licences(suites)),
        "language": languages,
        "pretty_name": title,
        "size_categories": [_size_category(sum(suite.items.num_rows for suite in suites))],
        "multilinguality": ["multilingual" if len(languages) > 1 else "monolingual"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["found", "machine-generated"],
        "source_datasets": ["extended|universal_dependencies"],
        "task_categories": ["text-classification"],
        "task_ids": ["acceptability-classification"],
        "tags": ["starbank", "minimal-pairs", "universal-dependencies", "linguistics", *phenomena],
        "configs": configs,
    }
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1000)


def _section(suite: PublishedSuite) -> Section:
    counts = suite.tables["rejected"].group_by("reason").aggregate([([], "count_all")])
    reasons = sorted(
        zip(counts["reason"].to_pylist(), counts["count_all"].to_pylist(), strict=True), key=lambda r: (-r[1], r)
    )
    return Section(
        name=suite.name,
        about=suite.construction,
        matches=suite.provenance["matches"],
        items=suite.items.num_rows,
        pairs=suite.tables["pairs"].num_rows,
        reasons=reasons,
        example=_example(suite),
        treebanks=[treebank["name"] for treebank in suite.treebanks],
        licences=sorted({treebank["license"] or UNKNOWN for treebank in suite.treebanks}),
        starbank=suite.provenance["starbank"],
        seed=suite.provenance.get("seed", 0),
    )


def _example(suite: PublishedSuite) -> dict[str, Any] | None:
    """Return the item whose sentence is nearest to a good length, the first of those."""
    if not suite.items.num_rows:
        return None
    distance = pc.abs(pc.subtract(suite.items["length"], EXAMPLE_LENGTH))
    item = suite.items.slice(pc.index(distance, pc.min(distance)).as_py(), 1).to_pylist()[0]
    texts = [condition["regions"] for condition in item["conditions"]]
    item["varying"] = [len(set(region)) > 1 for region in zip(*texts, strict=True)]
    return item


def _treebanks(suites: Sequence[PublishedSuite]) -> list[dict[str, Any]]:
    """Return the treebanks of all suites, each version once, by name."""
    found: list[dict[str, Any]] = []
    for treebank in (treebank for suite in suites for treebank in suite.treebanks):
        if treebank not in found:
            found.append(treebank)
    return sorted(found, key=lambda treebank: treebank["name"])


def _licences(suites: Sequence[PublishedSuite]) -> dict[str, str | None]:
    return {treebank["name"]: treebank["license"] for treebank in _treebanks(suites)}


def _languages(suites: Sequence[PublishedSuite]) -> list[str]:
    return sorted({suite.construction["language"] for suite in suites})


def _form_sources(suites: Sequence[PublishedSuite]) -> dict[str, int]:
    """Return how many starred forms come from each source."""
    counts: dict[str, int] = {}
    for suite in suites:
        conditions = pc.list_flatten(suite.items["conditions"].combine_chunks())
        starred = conditions.filter(pc.invert(pc.struct_field(conditions, "grammatical")))
        for count in pc.value_counts(pc.struct_field(starred, "form_source")).to_pylist():
            counts[count["values"]] = counts.get(count["values"], 0) + count["counts"]
    return dict(sorted(counts.items()))


def _size_category(rows: int) -> str:
    for bound, category in ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M")):
        if rows < bound:
            return category
    return "1M<n<10M"


def _slug(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")


def escape(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return _MARKDOWN.sub(r"\\\1", re.sub(r"\s", " ", text))


def _sentence(condition: dict[str, Any], varying: Sequence[bool]) -> str:
    """Return a condition for a cell of a table: starred where it is, what varies in bold, in its own direction."""
    regions = [
        f"**{escape(region)}**" if varies and region.strip() == region != "" else escape(region)
        for region, varies in zip(condition["regions"], varying, strict=True)
    ]
    text = ("" if condition["grammatical"] else r"\*") + "".join(regions)
    directions = (unicodedata.bidirectional(character) for region in condition["regions"] for character in region)
    strong = next((direction for direction in directions if direction in ("L", "R", "AL")), "L")
    return text if strong == "L" else f'<span dir="rtl">{text}</span>'
