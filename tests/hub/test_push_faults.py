"""Whatever breaks during a push, and wherever: readers see the old version or the new one, and a rerun completes it."""

from __future__ import annotations

import pytest

from starbank.errors import HubError
from starbank.hub import client, push
from tests.hub.suites import contents

pytestmark = pytest.mark.slow

REPOSITORY = "lab/georgian"
TAG = "v2.0.0"
# The steps of a push in their order, and what a reader sees while the step fails for good.
STEPS = {
    "refs": "old",
    "tree": "old",
    "validate": "old",
    "preupload": "old",
    "batch": "old",
    "upload": "old",
    # What has been uploaded is there, verified or not: a further attempt does without.
    "verify": "new",
    "commit": "old",
    "tag": "new",
}
# What was done, although nobody heard of it, a further attempt finds done.
DONE = {("upload", "lost"), ("commit", "lost"), ("tag", "lost")}
XET_STEPS = {"xet_token": "old", "xorb": "old", "shard": "old"}


@pytest.fixture
def folder(tmp_path):
    """A dataset as a push sees it: any files, and a card."""
    folder = tmp_path / "georgian"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("---\nlicense: cc-by-sa-4.0\n---\nOld\n")
    (folder / "data" / "stays.parquet").write_bytes(b"stays" * 50)
    (folder / "data" / "changes.parquet").write_bytes(b"old" * 50)
    (folder / "data" / "goes.parquet").write_bytes(b"goes" * 50)
    return folder


@pytest.fixture
def versions(hub, folder):
    """The old version, which the repository holds, and the new one, which the folder holds."""
    push(folder, REPOSITORY)
    old = contents(folder)
    (folder / "README.md").write_text("---\nlicense: cc-by-sa-4.0\n---\nNew\n")
    (folder / "data" / "changes.parquet").write_bytes(b"new" * 60)
    (folder / "data" / "comes.parquet").write_bytes(b"comes" * 50)
    (folder / "data" / "goes.parquet").unlink()
    hub.mend()
    return {"old": old, "new": contents(folder)}


@pytest.mark.parametrize("fault", [500, "drop", "lost"])
@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_fails_for_good(hub, folder, versions, waits, step, fault):
    hub.fail(step, fault)
    if (step, fault) in DONE or step == "verify":
        assert push(folder, REPOSITORY, tag=TAG).made
        expected = "new"
    else:
        with pytest.raises(HubError, match="Run the same again"):
            push(folder, REPOSITORY, tag=TAG)
        expected = STEPS[step]
    assert hub.files(REPOSITORY) == versions[expected]
    assert len(hub.repositories[REPOSITORY].log()) == (3 if expected == "new" else 2)
    hub.mend()
    push(folder, REPOSITORY, tag=TAG)
    assert hub.files(REPOSITORY) == hub.files(REPOSITORY, TAG) == versions["new"]
    assert len(hub.repositories[REPOSITORY].log()) == 3


@pytest.mark.parametrize("fault", [429, "cut", "slow", "stall"])
@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_fails_once(hub, folder, versions, waits, monkeypatch, step, fault):
    monkeypatch.setattr(client, "PATIENCE", 0.5)
    hub.fail(step, fault, times=1)
    assert push(folder, REPOSITORY, tag=TAG).made
    assert hub.files(REPOSITORY) == hub.files(REPOSITORY, TAG) == versions["new"]
    assert len(hub.repositories[REPOSITORY].log()) == 3


@pytest.mark.parametrize("fault", [500, "drop", "lost"])
def test_a_repository_that_cannot_be_made(hub, folder, waits, fault):
    hub.fail("create", fault)
    if fault == "lost":
        push(folder, REPOSITORY)
    else:
        with pytest.raises(HubError, match="Run the same again"):
            push(folder, REPOSITORY)
        assert hub.repositories == {}
        hub.mend()
        push(folder, REPOSITORY)
    assert hub.files(REPOSITORY) == contents(folder)


@pytest.mark.parametrize("step", XET_STEPS)
def test_a_step_of_xet_that_fails_for_good(hub, folder, versions, waits, monkeypatch, step):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", False)
    hub.fail(step, 403)
    with pytest.raises(HubError):
        push(folder, REPOSITORY, tag=TAG)
    assert hub.files(REPOSITORY) == versions["old"]
    hub.mend()
    push(folder, REPOSITORY, tag=TAG)
    assert hub.files(REPOSITORY) == hub.files(REPOSITORY, TAG) == versions["new"]


def test_what_was_uploaded_before_the_break_is_not_uploaded_again(hub, folder, versions, waits):
    hub.fail("commit", 500)
    with pytest.raises(HubError, match="the Hub has trouble"):
        push(folder, REPOSITORY)
    hub.mend()
    push(folder, REPOSITORY)
    assert "upload" not in hub.calls
    assert hub.files(REPOSITORY) == versions["new"]


def test_a_process_that_is_killed_leaves_the_old_version_and_a_rerun_goes_on(hub, folder, versions, monkeypatch):
    def die():
        raise KeyboardInterrupt

    monkeypatch.setattr("huggingface_hub._commit_api._send_commit", lambda **_: die())
    with pytest.raises(KeyboardInterrupt):
        push(folder, REPOSITORY)
    assert hub.files(REPOSITORY) == versions["old"]
    monkeypatch.undo()


def test_the_hub_is_given_the_time_that_it_asks_for(hub, folder, versions, waits):
    hub.fail("commit", 429, times=2, **{"Retry-After": "37"})
    push(folder, REPOSITORY)
    assert waits == [37, 37]


def test_waits_grow(hub, folder, versions, waits):
    hub.fail("commit", 503)
    with pytest.raises(HubError):
        push(folder, REPOSITORY)
    assert waits == [1, 4, 16]


def test_a_refusal_is_not_tried_again(hub, folder, versions, waits):
    hub.fail("commit", 403)
    with pytest.raises(HubError, match="may not write to lab/georgian"):
        push(folder, REPOSITORY)
    assert waits == []
    assert hub.calls.count("commit") == 1


def test_a_lost_answer_opens_no_second_pull_request(hub, folder, versions, waits):
    hub.fail("commit", "lost", times=1)
    assert push(folder, REPOSITORY, create_pr=True).place.endswith("/discussions/1")
    assert list(hub.repositories[REPOSITORY].pull_requests) == ["refs/pr/1"]


def test_out_of_reach(folder, monkeypatch, waits):
    monkeypatch.setenv("HF_TOKEN", "hf_ana")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(HubError, match=r"the Hub at http://127\.0\.0\.1:9 cannot be reached: .*refused"):
        push(folder, REPOSITORY)
