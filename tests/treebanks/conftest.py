"""Real treebanks, one test for each."""

from pathlib import Path

import pytest

REAL = sorted((Path(__file__).resolve().parents[3] / "shared" / "treebanks").glob("UD_*"))
NONE = pytest.param(None, marks=pytest.mark.skip(reason="needs real treebanks in ../shared"))


@pytest.fixture(params=REAL or [NONE], ids=lambda folder: folder.name if folder else "none")
def real_treebank(request) -> Path:
    """The folder of a treebank in ../shared/treebanks."""
    return request.param
