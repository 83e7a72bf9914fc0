"""Products are written whole or not at all."""

import pytest

from starbank.errors import StarbankError
from starbank.files import write_text


def test_a_failed_write_leaves_neither_file_nor_folder(tmp_path):
    with pytest.raises(UnicodeEncodeError):
        write_text("\ud800", tmp_path / "new" / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_file_where_a_folder_should_be_is_named(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(StarbankError, match=r"taken/page.html: cannot write"):
        write_text("text", tmp_path / "taken" / "page.html")
