"""Real treebanks, one test for each; a small release, and a web server that has it."""

from pathlib import Path

import pytest

from starbank.treebanks.fetch import fetch
from tests.treebanks.web_server import GEORGIAN, HINDI, archive_of_release, serve, write_treebank

FOLDERS = sorted((Path(__file__).resolve().parents[3] / "shared" / "treebanks").glob("UD_*"))
# One process reads a treebank, once, and runs all tests of it.
REAL = [pytest.param(folder, id=folder.name, marks=pytest.mark.xdist_group(folder.name)) for folder in FOLDERS]
NONE = pytest.param(None, id="none", marks=pytest.mark.skip(reason="needs real treebanks in ../shared"))


@pytest.fixture(scope="module", params=REAL or [NONE])
def real_treebank(request) -> Path:
    """The folder of a treebank in ../shared/treebanks."""
    return request.param


@pytest.fixture
def release(tmp_path):
    """A folder laid out like a UD release."""
    folder = tmp_path / "release"
    write_treebank(folder, "UD_Georgian-GLC", GEORGIAN)
    write_treebank(folder, "UD_Hindi-PUD", HINDI)
    return folder


@pytest.fixture
def server(release, monkeypatch):
    """A web server of that folder."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serve(release) as server:
        yield server


@pytest.fixture
def archive_url(server, release):
    """The URL of an archive of that folder."""
    archive_of_release(release, release / "all.tgz", "ud-treebanks-v2.18/")
    return f"{server.url}/all.tgz"


@pytest.fixture
def get(tmp_path):
    """`fetch` into the test's folder, with one retry and nothing locked."""
    settings = {"release": "2.18", "output": tmp_path / "treebanks", "lock": tmp_path / "treebanks.lock", "retries": 1}
    return lambda names, sources, **others: fetch(names, sources=sources, **{**settings, **others})
