"""Ingested treebanks: what lies in the folder, what it is called, and that a killed run leaves nothing half-written."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from starbank.errors import TreebankError
from starbank.files import read_metadata, sha256
from starbank.treebanks import ingest, open_treebank, read_conllu, to_conllu, write_treebank
from tests.treebanks.conllu_text import lines, save

TREE = lines(
    "# sent_id = s1",
    "# text = ის მოვიდა",
    "1 ის ის PRON _ Case=Nom 2 nsubj _ _",
    "2 მოვიდა მოსვლა VERB _ _ 0 root _ _",
    "",
)
README = """# Summary

<pre>
=== Machine-readable metadata (DO NOT REMOVE!) ================================
Data available since: UD v2.13
License: CC BY-SA 4.0
Contributors: Lobzhanidze, Irina
===============================================================================
</pre>
"""


@pytest.fixture
def folder(tmp_path):
    """A treebank as a UD release has it."""
    folder = tmp_path / "UD_Georgian-Test"
    folder.mkdir()
    save(folder, TREE, "ka_test-ud-test.conllu")
    save(folder, TREE.replace("s1", "s2"), "ka_test-ud-dev.conllu")
    save(folder, README, "README.md")
    save(folder, "Share alike.\n", "LICENSE.txt")
    source = {"name": folder.name, "release": "2.18", "source": "github.com/UniversalDependencies", "files": []}
    save(folder, json.dumps(source), "source.json")
    return folder


def products(output) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in output.iterdir() if not path.name.startswith(".")}


def test_an_ingested_folder_holds_tables_description_and_licence(folder, tmp_path):
    output = tmp_path / "out"
    treebank = ingest([folder], output)
    assert sorted(products(output)) == ["LICENSE.txt", "sentences.parquet", "tokens.parquet", "treebank.json"]
    tokens = pq.read_table(output / "tokens.parquet")
    assert tokens.equals(treebank.tokens.cast(tokens.schema))
    assert pq.read_table(output / "sentences.parquet").equals(treebank.sentences)
    assert (output / "LICENSE.txt").read_text() == "Share alike.\n"
    about = json.loads((output / "treebank.json").read_text())
    assert len(about.pop("crc32")) == 8
    assert about == {
        "name": "UD_Georgian-Test",
        "language": "kat",
        "license": "CC-BY-SA-4.0",
        "release": "2.18",
        "source": "github.com/UniversalDependencies",
        "files": [
            {
                "name": f"ka_test-ud-{split}.conllu",
                "sha256": sha256(folder / f"ka_test-ud-{split}.conllu"),
                "split": split,
                "sentences": 1,
                "words": 2,
            }
            for split in ("dev", "test")
        ],
        "readme": {
            "Data available since": "UD v2.13",
            "License": "CC BY-SA 4.0",
            "Contributors": "Lobzhanidze, Irina",
        },
    }


def test_tables_say_what_they_are_and_where_they_come_from(folder, tmp_path):
    ingest([folder], tmp_path / "out")
    for name in ("tokens", "sentences"):
        metadata = read_metadata(tmp_path / "out" / f"{name}.parquet")
        assert metadata["schema"] == f"{name}/1"
        assert metadata["treebank"]["name"] == "UD_Georgian-Test"
        assert metadata["treebank"]["release"] == "2.18"


def test_skipped_sentences_stay_on_record(folder, tmp_path):
    save(folder, TREE + "1\tbad\n\n", "ka_test-ud-test.conllu")
    ingest([folder], tmp_path / "out", skip_bad=True)
    skipped = [{"file": "ka_test-ud-test.conllu", "line": 6, "message": "10 columns expected, 2 found"}]
    assert open_treebank(tmp_path / "out").info["skipped"] == skipped


def test_the_four_ways_to_open_a_treebank(folder, tmp_path):
    home = tmp_path / "outputs"
    treebank = ingest([folder], home / folder.name)
    for reference in (folder, home / folder.name, folder.name):
        opened = open_treebank(reference, ingested=home)
        assert (opened.name, opened.language) == ("UD_Georgian-Test", "kat")
        assert opened.tokens.equals(treebank.tokens)
        assert opened.info == treebank.info
    assert open_treebank(folder / "ka_test-ud-dev.conllu").tokens.equals(treebank.tokens.slice(0, 2))


def test_a_derived_treebank_opens_by_its_name(folder, tmp_path):
    derived = read_conllu([folder], name="UD_Georgian-Test+colorless")
    write_treebank(derived, tmp_path / "UD_Georgian-Test+colorless")
    assert open_treebank("UD_Georgian-Test+colorless", ingested=tmp_path).name == "UD_Georgian-Test+colorless"


def test_a_treebank_without_sentences_is_written_with_its_columns(folder, tmp_path):
    whole = read_conllu([folder])
    none = replace(whole, tokens=whole.tokens.slice(0, 0), sentences=whole.sentences.slice(0, 0))
    write_treebank(none, tmp_path / "empty")
    opened = open_treebank(tmp_path / "empty")
    assert opened.tokens.schema.equals(whole.tokens.schema)
    assert (len(opened.tokens), len(opened.sentences)) == (0, 0)
    assert to_conllu(opened) == ""


def test_an_unknown_name_tells_what_there_is(folder, tmp_path):
    ingest([folder], tmp_path / "out" / folder.name)
    with pytest.raises(TreebankError) as caught:
        open_treebank("UD_Georgian-Tset", ingested=tmp_path / "out")
    assert str(caught.value) == (
        "no treebank 'UD_Georgian-Tset'\n"
        "Did you mean UD_Georgian-Test? With --fetch a command downloads it, where it is in the release; "
        "`starbank ls --treebanks` lists those."
    )


def test_an_unknown_name_where_nothing_is_ingested(tmp_path):
    with pytest.raises(TreebankError, match="an ingested folder, a treebank of Universal Dependencies"):
        open_treebank("georgian.conllu", ingested=tmp_path / "out")


@pytest.mark.parametrize("damage", ["tokens.parquet", "treebank.json"])
def test_a_damaged_folder_is_told(folder, tmp_path, damage):
    ingest([folder], tmp_path / "out")
    (tmp_path / "out" / damage).write_bytes(b"PAR1")
    with pytest.raises(TreebankError, match=r"damaged(.|\n)*Ingest it again"):
        open_treebank(tmp_path / "out")


@pytest.mark.parametrize(
    ("file", "name", "language"),
    [
        ("UD_Georgian-GLC/ka_glc-ud-dev.conllu", "UD_Georgian-GLC", "kat"),
        ("corpus/hi_pud-ud-test.conllu", "hi_pud-ud-test", "hin"),
        ("corpus/swl_sslc-ud-test.conllu", "swl_sslc-ud-test", "swl"),
        ("corpus/notes.conllu", "notes", None),
    ],
)
def test_name_and_language_come_from_folder_and_file(tmp_path, file, name, language):
    path = tmp_path / file
    path.parent.mkdir()
    treebank = read_conllu([save(path.parent, TREE, path.name)])
    assert (treebank.name, treebank.language) == (name, language)


def test_a_name_can_be_given(folder):
    assert read_conllu([folder], name="mine").name == "mine"


def test_files_of_an_unnamed_folder_take_its_name(tmp_path):
    (tmp_path / "corpus").mkdir()
    save(tmp_path / "corpus", TREE, "one.conllu")
    save(tmp_path / "corpus", TREE.replace("s1", "s2"), "two.conllu")
    assert read_conllu([tmp_path / "corpus"]).name == "corpus"


def test_the_same_input_gives_the_same_bytes(folder, tmp_path):
    for output in ("one", "two"):
        ingest([folder], tmp_path / output)
    copy = tmp_path / "elsewhere" / folder.name
    shutil.copytree(folder, copy)
    ingest([copy], tmp_path / "three")
    assert products(tmp_path / "one") == products(tmp_path / "two") == products(tmp_path / "three")


INGEST_AND_DIE = """
import os, signal, sys
from starbank.treebanks import ingest

finish, remaining = os.replace, int(sys.argv[3])

def finish_or_die(temporary, path):
    global remaining
    if not remaining:
        os.kill(os.getpid(), signal.SIGKILL)
    remaining -= 1
    finish(temporary, path)

os.replace = finish_or_die
ingest([sys.argv[1]], sys.argv[2])
"""


@pytest.mark.parametrize("finished", range(4))
def test_a_killed_ingest_leaves_whole_files_and_a_rerun_completes(folder, tmp_path, finished):
    ingest([folder], tmp_path / "undisturbed")
    expected = products(tmp_path / "undisturbed")
    killed = tmp_path / "killed"
    shutil.copytree(tmp_path / "undisturbed", killed)
    save(killed, b"{}", "treebank.json")
    process = subprocess.run([sys.executable, "-c", INGEST_AND_DIE, str(folder), str(killed), str(finished)])
    assert process.returncode == -9
    left = products(killed)
    assert "treebank.json" not in left
    assert all(expected[name] == content for name, content in left.items())
    ingest([folder], killed)
    assert products(killed) == expected


def test_reading_does_not_import_pandas(folder, tmp_path):
    script = f"""
import sys
from dataclasses import replace
from starbank.treebanks import ingest, open_treebank
ingest([{str(folder)!r}], {str(tmp_path / "out")!r})
open_treebank({str(tmp_path / "out")!r})
print("pandas" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "False\n"
