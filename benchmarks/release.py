"""A release on one machine: what the pipeline costs over a folder of treebanks, and what it costs again after a change.

Snakemake makes the suites of constructions that run everywhere, and their dataset, of all treebanks in a folder that is
laid out like a release, in a project of its own; then it runs once more with nothing to do, once after one construction
was changed, and once after the treebank of middle size was. Told of each run: the clock, the seconds that processors
took for Snakemake and all jobs, and what share that is of the first run's; of each rule: jobs, and the sum of their
clocks, which other work on the machine makes longer. `--timeline` draws when each job of the first run worked.

    python benchmarks/release.py [TREEBANKS] [--constructions FILE …] [--cores N] [--folder DIR] [--timeline FILE.svg]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from starbank.analysis.figures import COLOURS
from starbank.analysis.plot import data, layer, nominal, number, to_svg

ROOT = Path(__file__).resolve().parent.parent
TREEBANKS = ROOT.parent / "shared/treebanks"
WORKFLOW = ("Snakefile", "rules", "generators", "profiles", "config.yaml")
CONFIG = "release.json"


def main() -> None:
    """Print a table of runs and rules."""
    parser = argparse.ArgumentParser(description="Time of the pipeline over treebanks, and of a change.")
    parser.add_argument("treebanks", nargs="?", type=Path, default=TREEBANKS, help="a folder laid out like a release")
    parser.add_argument("--constructions", nargs="+", type=Path, default=sorted(ROOT.glob("queries/universal/*.grew")))
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where the project lies (default: a temporary folder)")
    parser.add_argument("--timeline", type=Path, help="an SVG of the jobs of the first run")
    arguments = parser.parse_args()
    folders = sorted(path for path in arguments.treebanks.glob("UD_*") if any(path.glob("*.conllu")))
    if not folders:
        raise SystemExit(f"no treebanks in {arguments.treebanks}: name a folder laid out like a release")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        project = Path(name)
        lay_out(project, folders, arguments.constructions)
        os.environ["UD_MIRROR"] = str(arguments.treebanks.resolve())
        # As `make` has it: a hundred processes that compile what they import cost more than they do.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        print(f"{len(folders)} treebanks, {len(arguments.constructions)} constructions, {arguments.cores} cores\n")
        print(f"{'':32}{'jobs':>6}{'clock':>9}{'processor':>11}{'share':>8}")
        whole = run("everything", project, arguments.cores)
        if arguments.timeline:
            arguments.timeline.write_text(timeline(jobs_of(project)), encoding="utf-8")
        run("again, with nothing to do", project, arguments.cores, whole)
        construction = project / "queries/universal" / arguments.constructions[0].name
        construction.write_text(construction.read_text(encoding="utf-8") + "% Changed.\n", encoding="utf-8")
        run(f"{construction.stem} changed", project, arguments.cores, whole)
        middle = sorted(folders, key=size)[len(folders) // 2]
        for file in (project / "treebanks" / middle.name).glob("*.conllu"):
            file.write_bytes(file.read_bytes().replace(b"# sent_id = ", b"# sent_id = changed-"))
        run(f"{middle.name} changed", project, arguments.cores, whole)


def lay_out(project: Path, treebanks: Sequence[Path], constructions: Sequence[Path]) -> None:
    """Make a project of this workflow, these constructions, and treebanks that are still to be fetched."""
    for name in WORKFLOW:
        (project / name).symlink_to(ROOT / name)
    (project / "queries/universal").mkdir(parents=True)
    for construction in constructions:
        shutil.copy(construction, project / "queries/universal")
    config = {"models": [], "treebanks": {"all": [folder.name for folder in treebanks]}}
    (project / CONFIG).write_text(json.dumps(config), encoding="utf-8")


def run(title: str, project: Path, cores: int, whole: float | None = None) -> float:
    """Run Snakemake, print what it and each rule took, and return the seconds of processors."""
    # Where Snakemake begins in the same second as files were written, it takes them for old.
    time.sleep(1)
    begin, clock = time.time(), time.perf_counter()
    command = [str(Path(sys.executable).with_name("snakemake")), "--cores", str(cores), "--configfile", CONFIG]
    log = project / "snakemake.log"
    with log.open("wb") as stream:
        process = subprocess.Popen([*command, "--", "datasets"], cwd=project, stdout=stream, stderr=stream)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"Snakemake failed:\n{log.read_text(encoding='utf-8', errors='replace')[-4000:]}")
    clock = time.perf_counter() - clock
    seconds = usage.ru_utime + usage.ru_stime
    rules = of_rules(project, begin)
    jobs = sum(jobs for jobs, _ in rules.values())
    print(f"{title:32}{jobs:6}{clock:9.1f}{seconds:11.1f}{seconds / (whole or seconds):8.1%}")
    for rule, (jobs, clocks) in rules.items():
        print(f"  {rule:30}{jobs:6}{clocks:9.1f}", flush=True)
    return seconds


def of_rules(project: Path, begin: float) -> dict[str, tuple[int, float]]:
    """Return by rule how many jobs there were since a time, and the sum of their clocks."""
    jobs = jobs_of(project)
    clocks = jobs[jobs["end"] >= begin].assign(clock=jobs["end"] - jobs["begin"]).groupby("rule")["clock"]
    return {rule: (len(group), group.sum()) for rule, group in clocks}


def jobs_of(project: Path) -> pd.DataFrame:
    """Return when each job began and ended (seconds since the epoch), as its benchmark file tells."""
    rows = [
        (folder.name, file.stem, file.stat().st_mtime - float(clock), file.stat().st_mtime)
        for folder in sorted((project / "outputs/benchmarks").iterdir())
        for file in sorted(folder.iterdir())
        for clock in [file.read_text(encoding="utf-8").splitlines()[1].split("\t")[0]]
    ]
    return pd.DataFrame(rows, columns=["rule", "job", "begin", "end"])


def timeline(jobs: pd.DataFrame) -> str:
    """Draw jobs as bars, one below the other as they begin, coloured by rule."""
    jobs = jobs.sort_values(["begin", "job"]).reset_index(drop=True)
    jobs[["begin", "end"]] -= jobs["begin"].min()
    rules = list(dict.fromkeys(jobs["rule"]))
    colour = nominal("rule", title=None, sort=rules, scale={"domain": rules, "range": list(COLOURS[: len(rules)])})
    place = {"field": "line", "type": "ordinal", "axis": None}
    seconds = number("begin", title="seconds", axis={"grid": True, "tickCount": 10})
    bars = layer("bar", {"x": seconds, "x2": {"field": "end"}, "y": place, "color": colour})
    return to_svg({"data": data(jobs.assign(line=jobs.index)), "width": 640, "height": 4 * len(jobs), "layer": [bars]})


def size(folder: Path) -> int:
    """Return how many bytes of CoNLL-U a treebank has."""
    return sum(file.stat().st_size for file in folder.glob("*.conllu"))


if __name__ == "__main__":
    main()
