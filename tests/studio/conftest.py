"""The page, as it runs for somebody, and a browser that looks at it."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from starbank.commands.studio import LOOPBACK, elsewhere, listen

TOKEN = "a-token"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@dataclass(frozen=True)
class Served:
    """A page that runs: its address, and the folder of its project."""

    address: str
    project: Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, where nothing is, and no mirror."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UD_MIRROR", raising=False)
    return tmp_path.resolve()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A page over Starbank's sample treebanks, in a project of its own."""
    uvicorn = pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    from starbank.studio.app import create_app

    project = tmp_path_factory.mktemp("project").resolve()
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("UD_MIRROR", raising=False)
        patch.chdir(project)
        app = create_app(project, TOKEN, project / "outputs/treebanks", elsewhere(project / "outputs/treebanks"))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        with listen(LOOPBACK, 0) as sock:
            thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
            thread.start()
            yield Served(f"http://127.0.0.1:{sock.getsockname()[1]}", project)
            server.should_exit = True
            thread.join(5)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, served: Served) -> Iterator[Any]:
    """An empty page of somebody who has the token; what its scripts do wrong fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=served.address)
    page = context.new_page()
    page.set_default_timeout(20_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"/?token={TOKEN}")
    yield page
    context.close()
    assert errors == []
