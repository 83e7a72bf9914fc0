"""Fixtures that every test may use."""

import os
import sys
from pathlib import Path

import pytest

# Processes of pytest-xdist share the cores; threads of BLAS and PyTorch beside them only wait for each other.
# numpy reads this when it is imported, and what tests start inherits it.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
# Compiled modules are kept, whatever the shell says: tests start Python hundreds of times.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what reads real treebanks."""
    for item in items:
        if {"shared", "real_treebank"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real treebanks and published suites, where there is one beside the repository."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs real treebanks in ../shared")
    return folder


@pytest.fixture(scope="session")
def sample() -> Path:
    """The bundled sample treebanks."""
    return ROOT / "treebanks" / "sample"
