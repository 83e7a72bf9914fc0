"""Pages whose commands run offline, one after the other, and say what the page shows.

A block marked `grew FILE` is saved as that file, a block marked `sh` is run, and a block marked `text` shows what the
block before it prints. Commands that need a network or install something are marked `bash` and not run.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.pipeline.project import Project, make_project

BLOCK = re.compile(r"^```(grew|sh|text)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One block of commands: what it prints, and what the page shows, if it shows anything."""

    commands: str
    status: int
    printed: str
    shown: str | None


def walk(project: Project, page: str) -> list[Step]:
    """Do in `project` what the page says."""
    steps = []
    blocks = BLOCK.findall(page)
    for (kind, file, text), (next_kind, _, next_text) in zip(blocks, [*blocks[1:], ("", "", "")], strict=True):
        if kind == "grew":
            path = project.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif kind == "sh":
            result = run(project, text)
            steps.append(
                Step(text, result.returncode, tidy(result.stdout), tidy(next_text) if next_kind == "text" else None)
            )
    return steps


def run(project: Project, commands: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", commands],
        cwd=project.folder,
        env={**project.environment, "PYTHONWARNINGS": "ignore", "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def refresh(page: str, steps: list[Step]) -> str:
    """Return the page with what the steps printed in place of what it shows."""
    printed = iter([step.printed for step in steps if step.shown is not None])
    return BLOCK.sub(lambda block: f"```text\n{next(printed)}\n```" if block[1] == "text" else block[0], page)


def rewrite(file: Path) -> None:
    """Write into a page what its commands print now."""
    page = file.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        file.write_text(refresh(page, walk(make_project(Path(folder) / "tutorial"), page)), encoding="utf-8")
