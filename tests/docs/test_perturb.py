"""docs/perturb.md: its commands run and say what the page shows, and each line of its table makes what it says.

`python -m tests.docs.test_perturb` writes into the page what the commands print now.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from starbank.pipeline.check import check
from tests.docs.pages import rewrite, walk
from tests.pipeline.project import ROOT, make_project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("docs")]

FILE = ROOT / "docs" / "perturb.md"
PAGE = FILE.read_text(encoding="utf-8")
SAMPLE = ROOT / "treebanks" / "sample" / "UD_English-Sample"
LINES = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (\S.*) → \*(.*) \|$", PAGE, re.MULTILINE)
CONSTRUCTION = """\
% ---
% language: eng
% phenomenon: any
% treebanks: [UD_English-Sample]
% target: {target}
% forms: [treebank]
% conditions: {{changed: [{commands}]}}
% ---
pattern {{ {request} }}
"""


def test_the_commands_print_what_the_page_shows(tmp_path: Path):
    for step in walk(make_project(tmp_path / "tutorial"), PAGE):
        assert step.status == 0, step.printed
        if step.shown is not None:
            assert step.printed == step.shown, step.commands


@pytest.mark.parametrize(("commands", "request_", "good", "bad"), LINES, ids=[line[0] for line in LINES])
def test_a_line_of_the_table_makes_what_it_says(tmp_path: Path, commands: str, request_: str, good: str, bad: str):
    quoted = ", ".join(f"'{command.strip()}'" for command in commands.split(";"))
    target = request_.split()[0]
    text = CONSTRUCTION.format(target=target, commands=quoted, request=request_)
    (tmp_path / "line.grew").write_text(text, encoding="utf-8")
    checked = check(tmp_path / "line.grew", [SAMPLE])
    sets = [["".join(condition["regions"]) for condition in item["conditions"]] for item in checked.items]
    assert [good, bad] in sets, (sets, checked.rejected)


if __name__ == "__main__":
    rewrite(FILE)
