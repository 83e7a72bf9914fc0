"""Files that Starbank did not make itself stay, whatever command is told to write in their place."""

from pathlib import Path

import pyarrow as pa
import pytest

from starbank.analysis import results
from starbank.cli import main
from starbank.errors import UsageError
from starbank.files import read_parquet, require_free, write_parquet
from starbank.hub import publish
from starbank.probing import make_tasks
from starbank.treebanks import ingest
from tests.hub.suites import GEORGIAN, item, write

SAMPLE = Path("treebanks/sample/UD_Georgian-Sample")
TABLE = pa.table({"a": [1]})


def refused(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """Return what a command says that refuses."""
    with pytest.raises(SystemExit, match="2"):
        main(command)
    return capsys.readouterr().err


def test_a_table_takes_the_place_of_its_own_kind_only(tmp_path):
    path = tmp_path / "lexicon.parquet"
    write_parquet(TABLE, path, "lexicon/1")
    write_parquet(TABLE, path, "lexicon/2")
    with pytest.raises(UsageError, match=r"lexicon.parquet: items would take the place of a table of lexicon"):
        write_parquet(TABLE, path, "items/1")
    path.write_text("my thesis")
    with pytest.raises(UsageError, match="lexicon would take the place of another file"):
        write_parquet(TABLE, path, "lexicon/1")
    assert path.read_text() == "my thesis"


def test_a_damaged_table_is_made_anew(tmp_path):
    path = tmp_path / "items.parquet"
    write_parquet(TABLE, path, "items/1")
    path.write_bytes(path.read_bytes()[:-10])
    write_parquet(TABLE, path, "items/1")
    assert read_parquet(path).equals(TABLE)


def test_a_text_takes_the_place_of_the_same_text_only(tmp_path):
    path = tmp_path / "a.svg"
    require_free({path: "<svg/>"})
    path.write_text("<svg/>")
    require_free({path: "<svg/>"})
    with pytest.raises(UsageError, match="there is such a file already, with other content"):
        require_free({path: "<svg></svg>"})


def test_ingesting_leaves_the_tables_and_the_licence_of_others(tmp_path):
    (tmp_path / "LICENSE.txt").write_text("All rights reserved.")
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(UsageError, match="a treebank's licence would take the place of another"):
        ingest([SAMPLE], tmp_path)
    assert (tmp_path / "LICENSE.txt").read_text() == "All rights reserved."
    ingest([SAMPLE], tmp_path / "new")
    ingest([SAMPLE], tmp_path / "new")


def test_transforming_leaves_conllu_that_is_there(tmp_path, capsys):
    mine = tmp_path / "mine.conllu"
    mine.write_text("# my annotation\n")
    command = ["transform", "latin", str(SAMPLE), "-o", str(tmp_path / "latin"), "--conllu", str(mine)]
    assert "mine.conllu: there is such a file already, with other content" in refused(capsys, *command)
    assert mine.read_text() == "# my annotation\n"


def test_tasks_leave_the_readme_of_a_treebank(tmp_path):
    readme = tmp_path / "UD_Georgian-Sample" / "README.md"
    readme.parent.mkdir()
    readme.write_text("# Summary\n")
    with pytest.raises(UsageError, match="the card of the tasks would take the place of another file"):
        make_tasks(SAMPLE, tmp_path, tasks=["pos"])
    assert readme.read_text() == "# Summary\n"
    make_tasks(SAMPLE, tmp_path / "new", tasks=["pos"])
    make_tasks(SAMPLE, tmp_path / "new", tasks=["pos"])


@pytest.mark.parametrize("name", ["LICENSE", "README.md", "data/measurements.csv"])
def test_publishing_leaves_a_folder_of_something_else(tmp_path, name):
    mine = tmp_path / "project" / name
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    forms = {"Erg": ("", "კაცმა", " მოდის."), "Nom": ("", "კაცი", " მოდის.")}
    write(tmp_path / "suites" / "erg", [item(1, "erg", "UD_Georgian-GLC", forms, 3)], [], [GEORGIAN])
    with pytest.raises(UsageError, match="something else in the folder"):
        publish([tmp_path / "suites"], tmp_path / "project")
    assert mine.read_text() == "mine"


def test_results_leave_files_of_their_names(tmp_path):
    mine = tmp_path / "report.html"
    mine.write_text("mine")
    with pytest.raises(UsageError, match=r"report.html: results would take the place of another file"):
        results([], tmp_path)
    assert mine.read_text() == "mine"
    results([], tmp_path / "new")
    results([], tmp_path / "new")


def test_drawing_leaves_pictures_of_another_search(tmp_path, capsys):
    search = ["match", "pattern { V [upos=VERB] }", str(SAMPLE), "--limit", "1", "--svg", str(tmp_path)]
    main(search)
    main(search)
    (picture,) = tmp_path.glob("0001-*.svg")
    picture.write_text("mine")
    assert "there is such a file already" in refused(capsys, *search)
    assert picture.read_text() == "mine"


def test_probes_and_their_curves_leave_other_files(tmp_path, capsys):
    make_tasks(SAMPLE, tmp_path / "tasks", tasks=["pos"])
    command = ["probe", str(tmp_path / "tasks"), "--model", "no/model", "-o"]
    (tmp_path / "thesis.parquet").write_text("mine")
    assert "probes would take the place of another file" in refused(capsys, *command, str(tmp_path / "thesis.parquet"))
    (tmp_path / "mine.svg").write_text("mine")
    for name in ("mine.parquet", "mine.svg"):
        assert "would take the place of another file" in refused(capsys, *command, str(tmp_path / name))
    assert (tmp_path / "mine.svg").read_text() == "mine"


def test_a_page_of_reviews_replaces_a_page_of_reviews_only(tmp_path, capsys):
    forms = {"Erg": ("", "კაცმა", " მოდის."), "Nom": ("", "კაცი", " მოდის.")}
    write(tmp_path / "erg", [item(1, "erg", "UD_Georgian-GLC", forms, 3)], [], [GEORGIAN])
    page = tmp_path / "review.html"
    for seed in ("0", "1"):
        main(["review", "export", str(tmp_path / "erg"), "--seed", seed, "-o", str(page)])
    page.write_text("mine")
    command = ["review", "export", str(tmp_path / "erg"), "-o", str(page)]
    assert "there is such a file already" in refused(capsys, *command)
    assert page.read_text() == "mine"
