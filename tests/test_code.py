"""The sum of the code that a product was made by."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import starbank
from starbank import code
from starbank.code import code_files, code_sum, generator_files

PACKAGE = Path(starbank.__file__).parent
REMARK = "# Of one's own.\n"


GENERATE = "starbank.pipeline.generate"


def test_a_generator_that_loads_another_by_name_has_its_code_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = generator_files()
    mined, swapped = (code_sum(GENERATE, files[name]) for name in ("mined_agreement", "swapped"))
    Path("generators").mkdir()
    own = REMARK + files["minimal_sets"].read_text(encoding="utf-8")
    Path("generators/minimal_sets.py").write_text(own, encoding="utf-8")
    assert code_sum(GENERATE, generator_files()["mined_agreement"]) != mined
    assert code_sum(GENERATE, generator_files()["swapped"]) == swapped


def test_the_sum_is_of_all_that_is_imported_with_its_tables_and_grammars():
    morphology, grew = (code_files(f"starbank.{room}") for room in ("morphology", "grew"))
    assert {"unimorph.tsv", "words.py", "arrays.py"} <= {file.name for file in morphology}
    assert "grammar.lark" in {file.name for file in grew}
    imported = {"lexicon.py", "unimorph.tsv", "grammar.lark", "cells.py", "arrays.py", "constructions.py"}
    assert imported <= {file.name for file in code_files(GENERATE)}
    assert "judge.py" in {file.name for file in code_files(GENERATE, generator_files()["minimal_sets"])}


def test_the_sum_is_of_all_that_python_imports():
    program = f"import sys, {GENERATE}; print(*(name for name in sys.modules if name.partition('.')[0] == 'starbank'))"
    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    loaded = {Path(find_spec(name).origin) for name in printed.split()}
    assert len(loaded) > 100
    assert loaded <= code_files(GENERATE)


def test_code_that_was_read_before_is_not_read_again(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def forget():
        for cached in (code._known, code._mentions):
            cached.cache_clear()

    forget()
    files = code_files(GENERATE)
    forget()
    monkeypatch.setattr("ast.parse", None)
    assert code_files(GENERATE) == files
    forget()
    monkeypatch.undo()
    (kept,) = (tmp_path / "starbank").glob("mentions.*.json")
    kept.write_text("{", encoding="utf-8")
    assert code_files(GENERATE) == files


def test_a_language_that_one_tells_of_counts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = code_sum(GENERATE)
    assert "hin.yaml" in {file.name for file in code_files(GENERATE)}
    Path("languages").mkdir()
    Path("languages/hin.yaml").write_text("name: Hindi\n", encoding="utf-8")
    assert code_sum(GENERATE) != before


def test_what_a_room_does_not_import_does_not_change_its_sum():
    files = [file for file in code_files(GENERATE) if file.is_relative_to(PACKAGE)]
    rooms = {file.relative_to(PACKAGE).parts[0] for file in files}
    assert rooms.isdisjoint({"hub", "analysis", "scoring", "commands"})
