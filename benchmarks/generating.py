"""Where the time of `generate` goes: seconds of the processor by module, of one treebank and some constructions.

    python benchmarks/generating.py TREEBANK [--constructions FILE …] [--code FOLDER]

TREEBANK is a folder of CoNLL-U. The same constructions are made with this code and, with `--code`, with that of another
folder, such as a worktree of an older commit; each ingests the treebank and builds its lexicon itself. The processor is
sampled every two milliseconds of its own time: what a module and all that it calls take, and not who waits.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
CONSTRUCTIONS = tuple(
    ROOT / f"queries/universal/{name}.grew" for name in ("subject-verb-number", "adjective-noun-number")
)
STEP = 0.002
# What a part of `generate` takes is asked where it begins; of two that are in one another the inner one counts.
ROOMS = {
    "guards": "guards",
    "morphology": "forms",
    "grew": "requests",
    "treebanks": "reading",
    "transforms": "other words",
    "sets": "items",
    "suites": "writing",
    "pipeline": "the rest",
    "queries": "the rest",
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Where the time of generate goes.")
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--constructions", nargs="+", type=Path, default=CONSTRUCTIONS)
    parser.add_argument("--code", type=Path, help="a folder with another version of Starbank")
    parser.add_argument("--sample", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.sample:
        print(json.dumps(sample(arguments.treebank, arguments.constructions)))
        return
    versions = {"this": ROOT} | ({"other": arguments.code.resolve()} if arguments.code else {})
    seconds = {name: run(folder, arguments) for name, folder in versions.items()}
    print(f"{'CPU-s':14}" + "".join(f"{name:>9}" for name in seconds))
    for room in [*dict.fromkeys(ROOMS.values()), "all"]:
        print(f"{room:14}" + "".join(f"{times.get(room, 0):9.1f}" for times in seconds.values()))


def run(code: Path, arguments: argparse.Namespace) -> dict[str, float]:
    """Return the seconds by room that `sample` finds with the code of a folder."""
    command = [sys.executable, __file__, arguments.treebank.resolve(), "--sample", "--constructions"]
    files = [code / file.resolve().relative_to(ROOT) for file in arguments.constructions]
    environment = os.environ | {"PYTHONPATH": str(code), "OMP_NUM_THREADS": "1"}
    output = subprocess.run(
        [*map(str, command), *map(str, files)], check=True, stdout=subprocess.PIPE, env=environment, cwd=code
    ).stdout
    seconds: dict[str, float] = json.loads(output.splitlines()[-1])
    return seconds


def sample(treebank: Path, constructions: list[Path]) -> dict[str, float]:
    """Generate the suites of constructions from a treebank, and return the seconds by room."""
    with tempfile.TemporaryDirectory() as folder:
        ingested, lexicon = Path(folder) / "treebanks" / treebank.name, Path(folder) / "lexicon.parquet"
        command("ingest", *sorted(treebank.glob("*.conllu")), "-o", ingested)
        command("lexicon", "build", ingested, "-o", lexicon)
        seconds: Counter[str] = Counter()
        last = begin = time.process_time()

        def add(_: int, frame: FrameType | None) -> None:
            nonlocal last
            now = time.process_time()
            seconds[room(frame)] += now - last
            last = now

        signal.signal(signal.SIGPROF, add)
        signal.setitimer(signal.ITIMER_PROF, STEP, STEP)
        suites = Path(folder) / "suites"
        command("generate", *constructions, "--treebank", ingested, "--lexicon", lexicon, "-o", suites)
        signal.setitimer(signal.ITIMER_PROF, 0)
        return {**seconds, "all": time.process_time() - begin}


def command(*words: str | Path) -> None:
    """Run a command of Starbank in this process, which all its versions understand."""
    from starbank.cli import main

    sys.argv = ["starbank", *map(str, words)]
    with open(os.devnull, "w") as nowhere, redirect_stderr(nowhere), redirect_stdout(nowhere), suppress(SystemExit):
        main()


def room(frame: FrameType | None) -> str:
    """Return the room that a frame is in, or the first of those that called it which is in one."""
    while frame:
        parts = Path(frame.f_code.co_filename).parts
        if "starbank" in parts[:-2] and (name := ROOMS.get(parts[-2] if parts[-2] in ROOMS else parts[-3])):
            return name
        frame = frame.f_back
    return "the rest"


if __name__ == "__main__":
    main()
