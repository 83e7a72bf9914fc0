"""The page answers whoever started it, and nobody else; it reads and writes nothing outside of the project."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.testclient import TestClient

from starbank.commands.studio import elsewhere
from starbank.studio.app import create_app

HOME = "http://127.0.0.1:8000"
OWN = {"origin": HOME}


@pytest.fixture
def stranger(project):
    """Somebody without the token."""
    return TestClient(
        create_app(project, "secret", project / "ingested", elsewhere(project / "ingested")),
        HOME,
        follow_redirects=False,
    )


@pytest.fixture
def client(stranger):
    """Whoever started the page."""
    assert stranger.get("/search?token=secret").status_code == 303
    return stranger


def test_without_the_token_there_is_nothing(stranger):
    assert stranger.get("/search").status_code == 403
    assert stranger.get("/search?token=guess").status_code == 403


def test_the_token_goes_from_the_address_into_a_cookie_that_no_script_and_no_other_page_has(stranger):
    answer = stranger.get("/search?treebank=UD_Irish-IDT&token=secret")
    assert answer.headers["location"] == "/search?treebank=UD_Irish-IDT"
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=strict" in answer.headers["set-cookie"]


def test_a_name_that_somebody_points_to_this_machine_is_refused(client):
    assert client.get("/search", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("headers", [{}, {"origin": "http://evil.example"}, {"origin": "null"}])
def test_what_another_page_sends_is_refused(client, headers):
    assert client.post("/search/matches", json={}, headers=headers).status_code == 403


def test_what_another_page_has_a_browser_load_is_refused(client):
    assert client.get("/search", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_no_script_but_our_own_runs(client):
    policy = client.get("/search").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy


@pytest.mark.parametrize("name", ["../../secret", "/etc", ".", "a/b", "UD_None-Here"])
def test_a_treebank_is_a_name_and_no_path(client, name):
    answer = client.post("/search/matches", json={"treebank": name, "request": ""}, headers=OWN)
    assert answer.status_code == 422
    assert "is at hand" in answer.text


@pytest.mark.parametrize("name", ["../config.yaml", "/etc/passwd", "kat/../../secret.grew"])
def test_a_file_outside_of_the_queries_is_not_read(client, name):
    answer = client.post("/star/open", json={"file": name}, headers=OWN)
    assert answer.status_code == 422
    assert "there is no file" in answer.text


@pytest.mark.parametrize(("folder", "name"), [("..", "x"), ("eng", "../x"), ("eng", "a/b"), ("/tmp", "x")])
def test_nothing_is_written_outside_of_the_queries(client, project, folder, name):
    settings = "% language: eng\n% treebanks: [UD_English-Sample]\n% target: X\n% vary: {Number: [Sing, Plur]}\n"
    text = f"% ---\n{settings}% ---\npattern {{ X [] }}"
    fields = {"treebank": "UD_English-Sample", "folder": folder, "name": name, "request": text}
    answer = client.post("/star/save", json=fields, headers=OWN)
    assert "cannot be the name of" in answer.text
    assert list(project.iterdir()) == []


def test_a_link_in_the_queries_leads_nowhere_else(client, project):
    (project / "queries").mkdir()
    (project / "secret.grew").write_text("pattern { X [] }")
    (project / "queries" / "eng").symlink_to(project)
    assert "there is no file" in client.post("/star/open", json={"file": "eng/secret.grew"}, headers=OWN).text


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"page": -1}', b'{"request": 1}', b"[" * 100_000])
def test_what_no_page_of_ours_sends_is_told_so(client, body):
    answer = client.post("/search/matches", content=body, headers=OWN)
    assert answer.status_code == 422


def test_more_than_anybody_writes_is_not_read(client):
    assert client.post("/search/matches", content=b" " * 1_000_001, headers=OWN).status_code == 413
