"""docs/templates.md: its files are written, its commands run, and they print what the page shows first."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "templates.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(template|lexicon|sh|text)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_shows_what_its_commands_print(tmp_path: Path):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    printed, shown = "", 0
    for kind, file, text in BLOCK.findall(PAGE):
        if file:
            path = tmp_path / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif kind == "sh":
            command = ["bash", "-c", f"{{ {text} }} 2>&1"]
            printed = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True).stdout
        else:
            assert printed.startswith(text)
            shown += 1
    assert shown == 3
