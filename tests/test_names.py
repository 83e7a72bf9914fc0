"""What may be a name, and that whatever reads one refuses all else with file, line and rule."""

from __future__ import annotations

import json
import shutil

import pyarrow as pa
import pytest

from starbank.cli import main
from starbank.errors import ConfigError, ConstructionError, StarbankError, SuiteError, TreebankError, UsageError
from starbank.files import read_metadata, read_parquet, write_parquet
from starbank.hub import publish
from starbank.names import RULE, as_name, is_name, is_path, is_treebank_name
from starbank.probing import make_tasks
from starbank.probing.questions import read_questions
from starbank.queries.constructions import read_construction
from starbank.queries.imports import read_import
from starbank.queries.templates import read_template
from starbank.transforms import derive
from starbank.treebanks import ingest, open_treebank, write_conllu
from starbank.treebanks.lock import HEADER, read_lock
from starbank.treebanks.store import describe, write_description
from tests.hub.suites import GEORGIAN, item, write

# As somebody would write them who wants a shell to run, or a folder to be left.
HOSTILE = [
    *("x;touch PWNED", "$(id)", "`id`", "a b", "a|b", "a&b", "a\nb", "a\tb", "a\0b", "a'b", 'a"b', "a*", "a{b}", "~"),
    *(
        "",
        ".",
        "..",
        "../x",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "-rf",
        "--output=x",
        "+x",
        ".hidden",
        "a<b>",
        "a#b",
        "a%20b",
    ),
    # A word that is written from right to left hides what follows it; half of a surrogate pair is in no file's name.
    *("a\u202eb", "a\u200bb", "a\u2028b", "\ud800", "x" * 256, "ქ" * 86),
]


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_shell_or_a_folder_would_read_is_no_name(name):
    assert not is_name(name)
    assert not is_treebank_name(name)


@pytest.mark.parametrize("name", ["UD_Georgian-GLC", "UD_Old_French-PROFITEROLE", "UD_Hindi-PUD+colorless+latin"])
def test_treebanks_have_the_names_that_universal_dependencies_gives_them(name):
    assert is_treebank_name(name)


@pytest.mark.parametrize(
    "name",
    ["transitive-erg-nom-subj", "S-S_DO_V_AUX", "ზმნა-1", "क्रिया", "v1.0.0", "ka_glc-ud-test.conllu", "number_prep"],
)
def test_names_are_written_in_any_script(name):
    assert is_name(name)


def test_a_path_is_names_with_slashes_between():
    assert is_path("lexicon/pronouns.tsv")
    assert is_path("FacebookAI/xlm-roberta-base")
    assert not any(map(is_path, ("../x", "/x", "a//b", "a/", "a/../b", "a/-b", "")))


def test_the_path_of_a_model_becomes_a_name():
    assert as_name("google-bert/bert-base-multilingual-cased") == "google-bert--bert-base-multilingual-cased"
    assert as_name("/data/my models/gpt") == "data--my-models--gpt"
    assert is_name(as_name("../$(id)/ქართული"))


QUERY = """\
% ---
% language: kat
% treebanks: [UD_Georgian-GLC]
% target: S
% vary: {Case: [Nom, Erg]}
% ---
pattern { S [Case=Nom] }
"""


@pytest.mark.parametrize("name", ["UD_X-Y;touch PWNED;", "../UD_X-Y", "/tmp/UD_X-Y", "--output=x"])
def test_the_treebank_of_a_construction_is_a_name(tmp_path, name):
    file = tmp_path / "nom.grew"
    file.write_text(QUERY.replace("UD_Georgian-GLC", json.dumps(name)))
    with pytest.raises(ConstructionError) as caught:
        read_construction(file)
    assert str(caught.value) == f"{file}:3: {name!r} cannot be the name of a treebank\n{RULE}"


@pytest.mark.parametrize("name", ["../words.tsv", "/etc/passwd", "lexicon/../../words.tsv", "-words.tsv"])
@pytest.mark.parametrize("key", ["lexicon", "vocabulary"])
def test_the_tables_of_a_construction_lie_below_its_folder(tmp_path, name, key):
    (tmp_path / "words.tsv").write_text("form\nკაცი\n")
    (tmp_path / "queries" / "lexicon").mkdir(parents=True)
    file = tmp_path / "queries" / "nom.grew"
    file.write_text(QUERY.replace("% target", f"% {key}: [{name}]\n% target"))
    with pytest.raises(ConstructionError) as caught:
        read_construction(file)
    assert caught.value.line == 4
    assert caught.value.message == f"`{key}` names {name!r}, which is no path of such a file"


@pytest.mark.parametrize(
    ("file", "read", "of"),
    [
        ("a;b.grew", read_construction, "a construction"),
        ("a b.template", read_template, "a template"),
        ("$(id).json", read_import, "a suite"),
    ],
)
def test_a_query_is_called_by_a_name(tmp_path, file, read, of):
    about = "{name: English-Lexicon, license: CC-BY-4.0}"
    words = "form\tNumber\ndog\tSing\ndogs\tPlur\n"
    slots = "slots: {N: {from: nouns}}\nvary: {N: {Number: [Sing, Plur]}}\nlimit: 1\n"
    template = f'language: eng\nsentence: "[target {{N}}]"\n{slots}'
    content = {"a;b.grew": QUERY, "a b.template": template, "$(id).json": '[[["The", "The"], ["dogs", "dog"]]]'}
    folder = tmp_path / "eng"
    (folder / "lexicon").mkdir(parents=True)
    (folder / "lexicon" / "lexicon.yaml").write_text(about)
    (folder / "lexicon" / "nouns.tsv").write_text(words)
    (folder / file).write_text(content[file])
    with pytest.raises(StarbankError) as caught:
        read(folder / file)
    stem = file.rpartition(".")[0]
    assert str(caught.value) == f"{folder / file}: {stem!r} cannot be the name of {of}\n{RULE}"
    (folder / file).rename(folder / file.replace(stem, "good"))
    assert read(folder / file.replace(stem, "good")).name == "good"


def test_a_lexicon_is_called_by_a_name(tmp_path):
    (tmp_path / "lexicon").mkdir()
    (tmp_path / "lexicon" / "lexicon.yaml").write_text("{name: ../../evil, license: MIT}")
    (tmp_path / "x.template").write_text("language: eng\nsentence: x\nslots: {}\nvary: {}\nlimit: 1\n")
    with pytest.raises(ConstructionError, match=r"lexicon\.yaml: '\.\./\.\./evil' cannot be the name of a lexicon"):
        read_template(tmp_path / "x.template")


@pytest.mark.parametrize("name", ["/tmp/evil", "../evil", "a;b", "my treebank (1)"])
def test_a_treebank_is_ingested_and_opened_by_a_name(sample, tmp_path, capsys, name):
    with pytest.raises(SystemExit):
        main(["ingest", str(sample / "UD_Georgian-Sample"), "-o", str(tmp_path / "x"), "--name", name])
    assert f"{name!r} cannot be the name of a treebank (--name gives it another)" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.parquet"))
    ingest([sample / "UD_Georgian-Sample"], tmp_path / "x")
    write_description(describe(tmp_path / "x") | {"name": name}, tmp_path / "x")
    with pytest.raises(TreebankError, match="cannot be the name of a treebank"):
        open_treebank(tmp_path / "x")


def test_tasks_of_a_file_go_into_a_folder_of_its_name(sample, tmp_path):
    source = next((sample / "UD_Georgian-Sample").glob("*.conllu"))
    shutil.copy(source, tmp_path / "a b.conllu")
    with pytest.raises(TreebankError, match="'a b' cannot be the name of a treebank"):
        make_tasks(tmp_path / "a b.conllu", tmp_path / "tasks")


def test_a_transform_is_called_by_a_name(sample, tmp_path):
    with pytest.raises(ConfigError, match=r"'\.\./evil' cannot be the name of a transform"):
        derive("../evil", sample / "UD_Georgian-Sample", tmp_path / "x", generator="latin")


def test_tables_that_name_a_file_elsewhere_write_none(sample, tmp_path):
    treebank = open_treebank(sample / "UD_Georgian-Sample")
    files = pa.repeat(str(tmp_path / "evil.conllu"), treebank.sentences.num_rows)
    place = treebank.sentences.schema.get_field_index("file")
    sentences = treebank.sentences.set_column(place, "file", files)
    hostile = type(treebank)(treebank.name, treebank.language, treebank.tokens, sentences, treebank.info)
    with pytest.raises(TreebankError, match="which is no name of one"):
        write_conllu(hostile, tmp_path / "folder")
    assert not (tmp_path / "evil.conllu").exists()


def test_a_lock_file_cannot_name_a_file_elsewhere(tmp_path):
    lock = tmp_path / "treebanks.lock"
    lock.write_text(f"{HEADER}\n2.18\tUD_Hindi-PUD\t../../../evil\t{'0' * 64}\n")
    with pytest.raises(StarbankError) as caught:
        read_lock(lock)
    assert str(caught.value) == f"{lock}:2: '../../../evil' cannot be the name of a file of a treebank\n{RULE}"


def test_tasks_of_others_name_no_file_elsewhere(tmp_path):
    about = {"tasks": {"../../x": {"splits": {"test": {}}, "columns": {"label": []}}}, "treebank": {"name": "x"}}
    (tmp_path / "tasks.json").write_text(json.dumps(about))
    with pytest.raises(UsageError, match=r"tasks\.json: '\.\./\.\./x' cannot be the name of a task or a split"):
        read_questions([tmp_path])


@pytest.mark.parametrize("name", ["../../evil", "/tmp/evil", "a`b", "a|b"])
@pytest.mark.parametrize("place", ["treebank", "column", "construction"])
def test_a_suite_of_others_is_published_by_names(tmp_path, name, place):
    conditions = {"Nom": ("", "კაცი", " მოდის."), "Erg": ("", "კაცმა", " მოდის.")}
    folder = tmp_path / "suites" / "nom"
    write(folder, [item(1, "nom", "UD_Georgian-GLC", conditions, 2)], [], [GEORGIAN])
    file = folder / "items.parquet"
    table, told = read_parquet(file), read_metadata(file)
    if place == "treebank":
        told["treebanks"][0]["name"] = name
    elif place == "construction":
        told["construction"]["name"] = name
    else:
        table = table.set_column(table.schema.get_field_index("treebank"), "treebank", pa.array([name]))
    write_parquet(table, file, "items/1", told)
    with pytest.raises(SuiteError) as caught:
        publish([folder], tmp_path / "dataset", treebanks=tmp_path)
    assert caught.value.file == file
    assert repr(name) in caught.value.message
    assert not (tmp_path / "dataset").exists()
