"""Fixtures that every test may use."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real treebanks and the Grew conformance bank, where there is one beside the repository."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs real treebanks in ../shared")
    return folder


@pytest.fixture(scope="session")
def sample() -> Path:
    """The bundled sample treebanks."""
    return ROOT / "treebanks" / "sample"
