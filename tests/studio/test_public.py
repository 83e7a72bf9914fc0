"""A page that is open to all: everybody may look, nobody writes, and each visitor has limits."""

import threading
import time
from dataclasses import replace

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.testclient import TestClient

from starbank.errors import UsageError
from starbank.grew import parse_request
from starbank.studio.app import create_public_app
from starbank.studio.jobs import Job
from starbank.studio.limits import Limits
from starbank.studio.shelf import Shelf
from tests.conftest import ROOT

LIMITS = Limits(seconds=60, at_once=1, waiting=1, rows=10, tried=5, memory="100MB")
VERBS = {"treebank": "UD_English-Sample", "request": "pattern { V [upos=VERB] }"}
# Some 10 ** 20 matches.
ENDLESS = VERBS | {"request": "pattern { A []; B []; C []; D []; E []; F []; G []; H [] }"}


@pytest.fixture
def visitor(project):
    """Somebody without a token, from somewhere."""
    with TestClient(create_public_app(project, project / "ingested", LIMITS), "https://class.hf.space") as client:
        yield client


@pytest.fixture
def hurried(project):
    """A visitor whose questions are to be answered at once."""
    limits = replace(LIMITS, seconds=2)
    with TestClient(create_public_app(project, project / "ingested", limits), "https://class.hf.space") as client:
        yield client


def test_the_limits_are_those_that_the_documentation_tells():
    told = (ROOT / "docs/studio.md").read_text(encoding="utf-8")
    limits = Limits()
    assert f"{limits.seconds:g} seconds" in told
    assert f"{limits.memory.removesuffix('GB')} GB" in told
    assert f"{limits.tried} matches" in told
    assert f"{limits.rows:,} matches" in told


def test_everybody_can_search(visitor):
    assert visitor.get("/").url == "https://class.hf.space/search"
    assert "sells" in visitor.post("/search/matches", json=VERBS).text


@pytest.mark.parametrize(
    "path", ["/star/save", "/star/make", "/search/fetch", "/judge/begin", "/judge/judge", "/judge/take", "/judge/keep"]
)
def test_nobody_writes(visitor, project, path):
    assert visitor.post(path, json=VERBS | {"folder": "eng", "name": "x", "wanted": "UD_Irish-IDT"}).status_code == 404
    assert list(project.iterdir()) == []


def test_who_judged_is_not_told(visitor):
    assert visitor.get("/judge").status_code == 404
    assert "Judge" not in visitor.get("/search").text


def test_what_another_page_has_a_browser_send_is_refused(visitor):
    answer = visitor.post("/search/matches", json=VERBS, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403


def test_the_hub_and_nobody_else_may_show_it_in_a_frame(visitor):
    policy = visitor.get("/search").headers["content-security-policy"]
    assert policy.endswith("frame-ancestors https://huggingface.co")


def test_what_takes_too_long_is_stopped(hurried):
    answer = hurried.post("/search/table", json=ENDLESS | {"by": "A.upos"})
    assert "this took more than 2 seconds, and was stopped" in answer.text


def test_a_count_ends_where_the_time_does_and_says_so(hurried):
    *_, last = hurried.post("/search/count", json=ENDLESS).text.split("\x1e")
    assert "this took more than 2 seconds" in last


def test_what_takes_too_much_memory_is_stopped(project):
    opened = Shelf(project, "20MB").open("UD_English-Sample")
    many = parse_request("pattern { A []; B []; C []; D []; E [] }")
    with pytest.raises(UsageError, match="more memory than there is"), opened.turn(Job()) as engine:
        engine.cluster(many, ["A.form", "B.form", "C.form", "D.form", "E.form"])


def test_a_file_has_so_many_rows(visitor):
    table = visitor.post("/search/export/tsv", data=VERBS).text
    assert len(table.splitlines()) == 1 + LIMITS.rows


def test_so_many_matches_are_tried(visitor):
    settings = "% language: eng\n% treebanks: [UD_English-Sample]\n% target: V\n% vary: {Number: [Sing, Plur]}\n"
    text = f"% ---\n{settings}% ---\npattern {{ V [upos=VERB, Number=Sing] }}"
    assert "The first 5 of" in visitor.post("/star/sets", json=VERBS | {"request": text}).text


def test_the_questions_of_a_visitor_wait_for_each_other_and_too_many_are_refused(hurried):
    answers = []

    def ask():
        answers.append(hurried.post("/search/table", json=ENDLESS | {"by": "A.upos"}).text)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    assert "too many questions" in answers[0]
    assert sum("was stopped" in answer for answer in answers) == 2


def test_nothing_outside_of_the_project_is_read(visitor):
    assert "there is no file" in visitor.post("/star/open", json={"file": "../config.yaml"}).text
    assert visitor.get("/static/..%2f..%2fapp.py").status_code == 404


@pytest.mark.parametrize(
    "setting", ["lexicon: [../secret.tsv]", "vocabulary: [/etc/passwd]", "lexicons: {words: {file: ../../secret.tsv}}"]
)
def test_a_construction_that_a_visitor_writes_names_no_file_outside_of_the_queries(visitor, project, setting):
    (project / "secret.tsv").write_text("form\tlemma\nsecret\tsecret\n")
    settings = "% language: eng\n% treebanks: [UD_English-Sample]\n% target: V\n% vary: {Number: [Sing, Plur]}\n"
    text = f"% ---\n{settings}% {setting}\n% ---\npattern {{ V [upos=VERB] }}"
    answer = visitor.post("/star/sets", json=VERBS | {"request": text})
    assert answer.status_code == 422
    assert "cannot be" in answer.text or "no path" in answer.text
