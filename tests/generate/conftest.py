"""A working directory in which suites are made."""

import pytest

from tests.generate.small import SENTENCES
from tests.small_treebank import conllu


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A working directory with two treebanks of one language and a folder for queries."""
    for name in ("UD_Georgian-One", "UD_Georgian-Two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "ka_small-ud-test.conllu").write_text(conllu(*SENTENCES), encoding="utf-8")
    (tmp_path / "UD_Georgian-Two/ka_small-ud-test.conllu").write_text(
        conllu(*(sentence.replace("ზის", "დგას") for sentence in SENTENCES)), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path
