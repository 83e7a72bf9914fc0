"""What `datasets` loads from a repository is what it loads from the folder that was pushed there."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from starbank.hub import publish, push

pytestmark = pytest.mark.slow

# In a process of its own, for the client reads its settings when it is imported.
LOAD = """
import datasets, json, sys
datasets.disable_progress_bars()
def rows(place):
    names = datasets.get_dataset_config_names(place)
    loaded = {name: datasets.load_dataset(place, name) for name in names}
    return {name: {split: table.to_list() for split, table in splits.items()} for name, splits in loaded.items()}
folder, repository = map(rows, sys.argv[1:])
assert folder == repository
print(json.dumps({name: {split: len(table) for split, table in splits.items()} for name, splits in folder.items()}))
"""


def test_folder_and_repository_load_the_same_rows_for_every_config(hub, suites, tmp_path):
    folder = publish([suites], tmp_path / "georgian")
    push(folder, "lab/georgian")
    settings = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home"), "HF_HUB_DISABLE_XET": "1"}
    command = [sys.executable, "-c", LOAD, str(folder), "lab/georgian"]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **settings}, timeout=240)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout.splitlines()[-1]) == {
        "all": {"test": 3},
        "pairs": {"test": 4},
        "erg-subj": {"test": 1},
        "erg-subj-pairs": {"test": 1},
        "nom-subj": {"test": 2},
        "nom-subj-pairs": {"test": 3},
        "rejected": {"test": 3},
    }
