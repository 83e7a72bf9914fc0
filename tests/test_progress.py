"""How far work has come, where there is no terminal to draw a bar in."""

import pytest

from starbank import progress


def test_short_work_says_nothing_in_a_log(capsys: pytest.CaptureFixture[str]):
    with progress.progress(2, "unigram", "text") as bar:
        bar.update(2)
    assert capsys.readouterr().err == ""


def test_a_bar_that_is_for_terminals_says_nothing_in_a_log(capsys: pytest.CaptureFixture[str]):
    with progress.shown(2, "Georgian", "search") as done:
        done(2)
    assert capsys.readouterr().err == ""


def test_long_work_says_now_and_then_how_far_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "_SECONDS", 0)
    with progress.progress(2, "unigram", "text") as bar:
        bar.update(1)
    assert "unigram:  50%" in capsys.readouterr().err
