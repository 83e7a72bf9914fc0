"""The card of a folder of tasks, which tells the Hub and `datasets` what lies where."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import langcodes
import yaml

from starbank.hub.licences import card_licence
from starbank.hub.markdown import code, escape, escape_name
from starbank.probing.tasks import SENTENCE

# What tells a card of ours.
MADE_BY = "made by Starbank from a Universal Dependencies treebank"
_ASKS = {
    "pos": "the part of speech (UPOS) of each word",
    "depth": "the depth of the syntax tree: edges on the longest path from its root",
    "case": "the grammatical case of each word that has one",
    "agreement": "the gender and number of a verb",
    "argument_number": "the number of the arguments of a verb that is hidden",
    "suffix_recovery": "the ending that each word has lost",
    "diagnostics": "number, case, part of speech and relation of words without their endings",
}


def render_card(about: Mapping[str, Any]) -> str:
    """Return the card as Markdown; `about` is what `tasks.json` holds."""
    treebank, tasks = about["treebank"], about["tasks"]
    licence = treebank["license"] or "not stated"
    rows = [
        f"| {code(name)} | {_ASKS.get(name, '')} | {escape(split)} | {size['rows']} | {size['labels']}"
        f" | {', '.join(str(len(classes)) for classes in task['columns'].values())} |"
        for name, task in tasks.items()
        for split, size in task["splits"].items()
    ]
    notes = [f"- {code(name)}: {escape(note)}." for name, task in tasks.items() for note in task["notes"]]
    if about["repeated"]:
        notes.append(f"- Sentences left out because their text is there already: {about['repeated']}.")
    table = ["| task | asks for | split | rows | labels | classes |", "| --- | --- | --- | ---: | ---: | ---: |", *rows]
    lines = [
        "---",
        _front_matter(about).rstrip(),
        "---",
        "",
        f"# Labelled tasks of {escape_name(treebank['name'])}",
        "",
        f"For probes of language models, {MADE_BY} as Patil et al. (2021,",
        "Vyākarana) and Ravfogel et al. (2018) have them, by the definition",
        f"{code(about['definition'])}.",
        "",
        *(table if rows else ["The treebank has labels for none of them."]),
        "",
        f"A label of -100 is none. The sentences have the licence of the treebank: {escape(licence)}.",
        *(["", *notes] if notes else []),
    ]
    return "\n".join(lines) + "\n"


def _front_matter(about: Mapping[str, Any]) -> str:
    treebank, tasks = about["treebank"], about["tasks"]
    full = {name: task for name, task in tasks.items() if task["splits"]}
    configs = [
        {
            "config_name": name,
            **({"default": True} if not place else {}),
            "version": _version(task["splits"]),
            "data_files": [{"split": split, "path": f"{name}/{split}.parquet"} for split in task["splits"]],
        }
        for place, (name, task) in enumerate(full.items())
    ]
    language = treebank["language"]
    value = {
        **card_licence({treebank["name"]: treebank["license"]}),
        **({"language": [langcodes.standardize_tag(language)]} if language else {}),
        "pretty_name": f"Labelled tasks of {treebank['name']}",
        "source_datasets": ["extended|universal_dependencies"],
        "task_categories": sorted(
            {f"{'text' if SENTENCE in task['columns'] else 'token'}-classification" for task in full.values()}
        ),
        "tags": ["starbank", "probing", "universal-dependencies", "linguistics"],
        "configs": configs,
    }
    return str(yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1000))


def _version(splits: Mapping[str, Any]) -> str:
    """Return a version that stands for the files: `datasets` takes other files of the same names for those it knows."""
    content = "".join(size["sha256"] for size in splits.values())
    return f"0.0.{int(hashlib.sha256(content.encode()).hexdigest()[:7], 16)}"
