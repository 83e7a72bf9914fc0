"""The YAML at the head of a card: what the Hub and `datasets` read."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import langcodes
import yaml

from starbank.errors import SuiteError
from starbank.hub.citation import unique
from starbank.hub.licences import card_licence, rows_licence
from starbank.hub.markdown import to_yaml
from starbank.hub.suites import (
    ALL,
    PAIRS,
    REJECTED,
    TABLES,
    PublishedSuite,
    languages,
    pairs_config,
    unify,
    with_items,
)


@dataclass(frozen=True)
class Config:
    """What is loaded by one name: a table (`items`) of some suites, and the paths of its files."""

    suites: Sequence[PublishedSuite]
    table: str
    paths: str | list[str]


def front_matter(suites: Sequence[PublishedSuite], title: str) -> str:
    """Return the YAML: licence, languages, sizes, tags and configurations."""
    schemas = {table: str(unify(suite.tables[table] for suite in suites)) for table in TABLES}
    tables = [
        {
            "config_name": name,
            **({"default": True} if name == ALL else {}),
            "version": _version(config, schemas[config.table]),
            "data_files": [{"split": "test", "path": config.paths}],
        }
        for name, config in configs(suites).items()
    ]
    filled = with_items(suites)
    tags = [langcodes.standardize_tag(language) for language in languages(filled)]
    phenomena = dict.fromkeys(_slug(suite.construction["phenomenon"]) for suite in filled)
    annotated = any(suite.is_annotated for suite in suites)
    value = {
        **card_licence(treebank_licences(suites)),
        "language": tags,
        "pretty_name": title,
        "size_categories": [_size_category(sum(suite.items.num_rows for suite in suites))],
        "multilinguality": ["multilingual" if len(tags) > 1 else "monolingual"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["found", "machine-generated"] if annotated else ["machine-generated"],
        "source_datasets": ["extended|universal_dependencies"] if annotated else ["original"],
        "task_categories": ["text-classification"],
        "task_ids": ["acceptability-classification"],
        "tags": ["starbank", "minimal-pairs", *["universal-dependencies"] * annotated, "linguistics", *phenomena],
        "configs": tables,
    }
    return to_yaml(value)


def read_front_matter(card: Path) -> dict[str, Any]:
    """Return the YAML at the head of a card; raise `SuiteError` where there is none, or none that can be read."""
    from huggingface_hub.repocard import metadata_load

    try:
        value = metadata_load(card)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise SuiteError("its front matter cannot be read as YAML", file=card) from error
    if not value:
        raise SuiteError("has no front matter: YAML between two lines of `---`", file=card)
    return value


def configs(suites: Sequence[PublishedSuite]) -> dict[str, Config]:
    """Return the configurations by name."""
    full = [suite for suite in suites if suite.items.num_rows]
    if not full:
        return {}
    several = languages(suites) if len(languages(suites)) > 1 else []
    groups = {language: [suite for suite in full if suite.language == language] for language in several}
    groups |= {suite.name: [suite] for suite in full}
    paired = [suite for suite in full if suite.has_pairs]
    named = {ALL: Config(full, "items", "data/*/items.parquet")}
    if paired:
        named[PAIRS] = Config(paired, "pairs", "data/*/pairs.parquet")
    for name, members in groups.items():
        if members:
            named[name] = _config(members, "items")
        if pairs := [suite for suite in members if suite.has_pairs]:
            named[pairs_config(name)] = _config(pairs, "pairs")
    with_rejects = [suite for suite in suites if suite.tables["rejected"].num_rows]
    return named | ({REJECTED: _config(with_rejects, "rejected")} if with_rejects else {})


def config_licences(suites: Sequence[PublishedSuite]) -> list[tuple[str, str]]:
    """Return the licence of each configuration in words; pairs have that of their items."""
    members = {name: config.suites for name, config in configs(suites).items()}
    return [
        (name, rows_licence(treebank_licences(of_config).values()))
        for name, of_config in members.items()
        if name != PAIRS and name.removesuffix("-pairs") not in members.keys() - {name}
    ]


def treebank_licences(suites: Sequence[PublishedSuite]) -> Mapping[str, str | None]:
    """Return the licence of each treebank that the suites are from."""
    return {treebank["name"]: treebank["license"] for treebank in unique(suites)}


def _config(suites: Sequence[PublishedSuite], table: str) -> Config:
    paths = [f"data/{suite.name}/{table}.parquet" for suite in suites]
    return Config(suites, table, paths[0] if len(paths) == 1 else paths)


def _version(config: Config, schema: str) -> str:
    """Return a version that stands for the content of a configuration, by which `datasets` knows what was made anew.

    That is its rows, the licences of their treebanks, and the `schema` that all suites of a dataset share.
    """
    content = [[suite.name, suite.sums[config.table]] for suite in config.suites]
    about = json.dumps([content, sorted(treebank_licences(config.suites).items()), schema])
    return f"0.0.{int(hashlib.sha256(about.encode()).hexdigest()[:7], 16)}"


def _size_category(rows: int) -> str:
    for bound, category in ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M")):
        if rows < bound:
            return category
    return "1M<n<10M"


def _slug(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")
