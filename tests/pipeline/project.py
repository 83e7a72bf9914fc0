"""A project folder in which the real Snakemake runs the bundled sample."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("eng", "hin", "kat")


@dataclass(frozen=True)
class Project:
    """A copy of what a clone holds, without its products."""

    folder: Path

    def command(self, *arguments: str) -> list[str]:
        snakemake = Path(sys.executable).with_name("snakemake")
        return [str(snakemake), "--cores", "2", "--configfile", "treebanks/sample/config.yaml", *arguments]

    @property
    def environment(self) -> dict[str, str]:
        """What a shell in an activated environment has: `starbank` and `python` are those beside this Python."""
        return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Snakemake to its end and return what it said."""
        return subprocess.run(self.command(*arguments), cwd=self.folder, text=True, capture_output=True, timeout=300)

    def jobs(self, *arguments: str) -> list[str]:
        """Return the names of the rules that Snakemake says it would run."""
        result = self.run("--dry-run", "--quiet", "rules", *arguments)
        assert result.returncode == 0, result.stderr
        return listed(result)

    def products(self) -> dict[str, str]:
        """Return the checksum of every product; what tells of a run, its times and memory, is none."""
        files = sorted(
            path
            for path in (self.folder / "outputs").rglob("*")
            if path.is_file() and not path.name.endswith(".files.json")
        )
        names = {str(path.relative_to(self.folder)): path for path in files}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in names.items()
            if not {"logs", "benchmarks"} & set(Path(name).parts)
        }


def listed(result: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the names of the rules that a run of Snakemake counts the jobs of."""
    lines = (result.stdout + result.stderr).splitlines()
    return sorted(line.split()[0] for line in lines if len(line.split()) == 2 and line.split()[1].isdigit())


def make_project(folder: Path, languages: tuple[str, ...] = LANGUAGES) -> Project:
    """Lay a project out: links to the code, copies of what a test may change."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("Snakefile", "rules", "generators"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "treebanks").mkdir()
    (folder / "treebanks" / "sample").symlink_to(ROOT / "treebanks" / "sample")
    shutil.copy(ROOT / "config.yaml", folder)
    shutil.copytree(ROOT / "profiles", folder / "profiles")
    templates = shutil.ignore_patterns("*.template")  # They are many, and tests/templates tries them.
    for language in languages:
        shutil.copytree(ROOT / "queries" / language, folder / "queries" / language, ignore=templates)
    return Project(folder)
