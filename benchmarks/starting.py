"""What `starbank score` costs before it scores: whole processes, in seconds of CPU time, in turn.

    python benchmarks/starting.py [--rounds N] [--beside FOLDER]

Ten sentences are scored by a tiny causal model and by a tiny masked one, with random weights, beside the imports that
no program can do without that runs such a model: PyTorch, and what transformers brings in for its class. `--beside` is
another copy of Starbank that takes part. One thread each, and of each the quickest round counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from scoring import build_models

ROOT = Path(__file__).resolve().parent.parent
SENTENCES = [f"The keys to the cabinet number {number} are on the table." for number in range(10)]
CLASSES = {"causal": "GPT2LMHeadModel", "masked": "BertForMaskedLM"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the beginning of scoring.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another copy of Starbank")
    arguments = parser.parse_args()
    copies = {"starbank": ROOT} | ({"the other copy": arguments.beside.resolve()} if arguments.beside else {})
    with tempfile.TemporaryDirectory() as place:
        folder = build_models(Path(place), 1000, 2, 64, SENTENCES)
        text = folder / "sentences.txt"
        text.write_text("\n".join(SENTENCES), encoding="utf-8")
        runs = {"import torch": (ROOT, ["-c", "import torch"])}
        for kind, name in CLASSES.items():
            scores = [str(text), f"--model={folder / kind}", f"--output={folder / kind}.tsv", "--overwrite"]
            runs[f"import of {name}"] = (ROOT, ["-c", f"import torch; from transformers import {name}"])
            for copy, home in copies.items():
                runs[f"{copy}, {kind}"] = (home, ["-m", "starbank.cli", "score", *scores])
        rounds = [{title: spent(*run) for title, run in runs.items()} for _ in range(arguments.rounds + 1)]
    for title in runs:
        print(f"{title:28} {min(seconds[title] for seconds in rounds[1:]):6.2f} s CPU")  # The first round warms up.


def spent(home: Path, command: list[str]) -> float:
    """Return the seconds of CPU time of a process of Python that runs in `home`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    settings = os.environ | {"PYTHONPATH": str(home), "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, *command], cwd=home, env=settings, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
