"""The plan of the house: a room imports from the floors below it only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import starbank

PACKAGE = Path(starbank.__file__).parent
# From the ground up; rooms of one floor do not know one another.
FLOORS = (
    ("caches", "errors"),
    ("checksums", "cores", "grammars", "names", "progress", "shipped", "yaml_lines"),
    ("documents", "scratch"),
    ("config", "files", "languages", "models"),
    ("code", "scoring", "suites", "treebanks"),
    ("analysis", "grew", "hub", "morphology", "plugins"),
    ("probing", "queries"),
    ("guards", "transforms"),
    ("sets",),
    ("pipeline",),
    ("studio",),
    ("commands",),
    ("cli",),
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def room_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the rooms that code imports, but not those that it imports for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "starbank" else [f"starbank.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("starbank."))
        yield from imported(node)


FILES = [file for file in sorted(PACKAGE.rglob("*.py")) if file != PACKAGE / "__init__.py"]


@pytest.mark.parametrize("room", sorted(FLOOR))
def test_arrows_point_down_only(room):
    files = [file for file in FILES if room_of(file) == room]
    targets = {target for file in files for target in imported(ast.parse(file.read_text(encoding="utf-8")))}
    upwards = {target for target in targets - {room, "__version__"} if FLOOR[target] >= FLOOR[room]}
    assert upwards == set()


def test_every_room_is_in_the_plan():
    assert {room_of(file) for file in FILES} == set(FLOOR)


@pytest.mark.xdist_group("shared")
def test_tests_that_share_fixtures_run_in_one_process(request):
    """pytest-xdist marks their names; where it does not, each process makes all fixtures anew."""
    if hasattr(request.config, "workerinput"):
        assert request.node.nodeid.endswith("@shared")
