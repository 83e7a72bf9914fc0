"""Task files for lm-evaluation-harness, which read the dataset's Parquet files beside them, wherever the folder lies.

A suite is two tasks: its items, where the grammatical sentence has to win against all starred ones, and its pairs. A
tie counts as right there, for the harness takes the first of equal choices, and as wrong with us.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyarrow.compute as pc

from starbank.hub.markdown import to_yaml
from starbank.hub.suites import PublishedSuite

FOLDER = "lm_eval"
# The harness reads data files from where it was called, and a function from beside the task: this one finds the folder.
_LOADER = '''"""The tables of this dataset, for the tasks beside this file."""

from pathlib import Path

import datasets


def load(suite, table, **_):
    """Return a table of a suite; whatever else the harness tells of a task or a model does not matter."""
    file = Path(__file__).resolve().parents[1] / "data" / suite / f"{table}.parquet"
    return datasets.load_dataset("parquet", data_files={"test": str(file)})
'''
# Templates: without the suffix .yaml, so that the harness takes them for no tasks.
_TEMPLATE = {
    "custom_dataset": "!function tables.load",
    "output_type": "multiple_choice",
    "test_split": "test",
    "doc_to_text": "",
    "doc_to_target": 0,
    "target_delimiter": "",
    "num_fewshot": 0,
    # Not acc_norm, nor acc_bytes: divided by length, log-probabilities favour the longer form, whatever a model knows.
    "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
    "metadata": {"version": 1.0},
}
_CHOICES = {
    "items": "{{ conditions | map(attribute='regions') | map('join') | list }}",
    "pairs": "{{ [sentence_good, sentence_bad] }}",
}


def task_files(suites: Sequence[PublishedSuite], dataset: str) -> dict[str, str]:
    """Return the task files of a dataset by their path; none where no suite has items."""
    group = task_name(dataset)
    tasks = {suite.name: tables for suite in suites if (tables := _tables(suite))}
    if not tasks:
        return {}
    files: dict[str, Any] = {
        f"_{table}": {**_TEMPLATE, "doc_to_choice": choices} for table, choices in _CHOICES.items()
    }
    for suite, tables in tasks.items():
        for table in tables:
            files[f"{suite}-{table}.yaml"] = {
                "include": f"_{table}",
                "task": task_name(dataset, suite, table),
                "dataset_kwargs": {"suite": suite, "table": table},
            }
    files[f"{group}.yaml"] = {
        "group": group,
        "task": [task_name(dataset, suite, tables[0]) for suite, tables in tasks.items()],
        "aggregate_metric_list": [{"metric": "acc", "aggregation": "mean", "weight_by_size": False}],
        "metadata": {"version": 1.0},
    }
    texts = {"tables.py": _LOADER, **{name: _dump(value) for name, value in files.items()}}
    return {f"{FOLDER}/{name}": text for name, text in texts.items()}


def task_name(*parts: str) -> str:
    """Return the name of a task, or without a suite the name of the group of all."""
    suffix = [] if parts[2:] in ((), ("items",)) else [parts[2]]
    return "_".join(["starbank", *(re.sub(r"\W+", "-", part) for part in [*parts[:2], *suffix])])


def _tables(suite: PublishedSuite) -> list[str]:
    """Return which tables of a suite make tasks: none without pairs, the items where just the first condition is
    grammatical and all others are starred.
    """
    if not suite.has_pairs:
        return []
    listed = suite.items["conditions"].combine_chunks()
    conditions, firsts = (
        pc.struct_field(pc.list_flatten(each), "grammatical") for each in (listed, pc.list_slice(listed, 0, 1))
    )
    counts = {pc.sum(conditions).as_py(), pc.sum(firsts).as_py(), suite.items.num_rows}
    return ["items", "pairs"] if len(counts) == 1 and not conditions.null_count else ["pairs"]


def _dump(value: dict[str, Any]) -> str:
    text = to_yaml(value)
    # PyYAML quotes a tag that it does not write itself.
    return text.replace("'!function tables.load'", "!function tables.load")
