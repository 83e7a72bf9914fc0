"""The Dockerfile of a Space, of which all is done that needs no Docker: its last steps, and what it starts."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml

from tests.conftest import ROOT

pytest.importorskip("uvicorn")

pytestmark = pytest.mark.slow

SPACE = ROOT / "space"


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with their arguments."""
    text = re.sub(r"^#.*\n", "", (SPACE / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if line]


@pytest.fixture
def surroundings(sample: Path) -> dict[str, str]:
    """What the steps find: their arguments, the programs of this environment, and treebanks without a network."""
    given = dict(argument.split("=") for name, argument in steps() if name == "ARG")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return (
        os.environ
        | given
        | {"PATH": path, "UD_MIRROR": str(sample), "TREEBANKS": "UD_English-Sample UD_Georgian-Sample"}
    )


def test_what_the_dockerfile_starts_answers_everybody(tmp_path, surroundings):
    after_copy = steps()[[name for name, _ in steps()].index("COPY") :]
    for script in [argument for name, argument in after_copy if name == "RUN"]:
        subprocess.run(["sh", "-ec", script], cwd=tmp_path, env=surroundings, check=True, timeout=120)
    command = json.loads(dict(after_copy)["CMD"])
    # The port of the Space may be taken here.
    command[command.index("--port") + 1] = "0"
    with subprocess.Popen(command, cwd=tmp_path, env=surroundings, stderr=subprocess.PIPE, text=True) as process:
        try:
            port = re.search(r":(\d+)/", process.stderr.readline())[1]
            with urlopen(f"http://127.0.0.1:{port}/search", timeout=20) as page:
                assert "UD_Georgian-Sample" in page.read().decode()
        finally:
            process.terminate()


def test_the_space_is_told_the_port_and_the_user_that_it_runs_as():
    front_matter = yaml.safe_load((SPACE / "README.md").read_text(encoding="utf-8").split("---")[1])
    said = dict(steps())
    assert front_matter["sdk"] == "docker"
    assert str(front_matter["app_port"]) == said["EXPOSE"] == json.loads(said["CMD"])[-1]
    assert said["USER"] == "user"
    assert any("--uid 1000 user" in argument for name, argument in steps() if name == "RUN")
