"""Labelled tasks: what is labelled how, by which definition."""

from __future__ import annotations

import json
from pathlib import Path

import conllu as conllu_reader
import pyarrow as pa
import pytest

from starbank.errors import ConfigError
from starbank.files import read_parquet
from starbank.hub import push
from starbank.plugins import load_plugin
from starbank.probing import make_tasks
from tests.hub.conftest import certificate, hub  # noqa: F401
from tests.hub.suites import contents
from tests.probing.conftest import DEFAULT, ERGATIVE, HABITUAL, INFINITIVE, VERB_FIRST
from tests.small_treebank import conllu, small_treebank

pytestmark = pytest.mark.slow

LEMMAS = """
    அங்கு வந்தும்
    1 அங்கு அங்கு ADV _ 2 advmod
    2-3 வந்தும் _ _ _ _ _
    2 வந்த் வா VERB _ 0 root
    3 உம் உம் PART _ 2 advmod
"""


@pytest.fixture
def datasets(tmp_path, monkeypatch):
    """The library, with a cache of the test's own."""
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    return datasets


@pytest.fixture
def label(tmp_path):
    """Make a task of some sentences and return its rows as dicts."""

    def label(task: str, *sentences: str, definition: str = "strict") -> list[dict]:
        treebank = small_treebank(tmp_path / "small", *sentences, language="hin")
        return pa.concat_tables(load_plugin(task, "task").function(treebank, definition=definition).rows).to_pylist()

    return label


def test_parts_of_speech_of_words(label):
    (row,) = label("pos", ERGATIVE)
    assert row["tokens"] == ["लड़के", "ने", "किताब", "पढ़ी", "।"]
    assert row["labels"] == ["NOUN", "ADP", "NOUN", "VERB", "PUNCT"]


def test_words_of_a_multiword_token_have_parts_of_speech_and_in_the_notebook_it_has_one_too(label):
    assert label("pos", LEMMAS)[0]["labels"] == ["ADV", "VERB", "PART"]
    (row,) = label("pos", LEMMAS, definition="notebook")
    assert row["tokens"] == ["அங்கு", "வந்தும்", "வந்த்", "உம்"]
    assert row["labels"] == ["ADV", "_", "VERB", "PART"]


def test_case_is_asked_of_words_that_have_it_and_the_others_tell_it(label):
    (row,) = label("case", ERGATIVE)
    assert row["tokens"] == ["लड़के", "ने", "किताब", "पढ़ी", "।"]
    assert row["labels"] == ["Acc,Erg", "Erg", "Nom", None, None]


def test_the_notebook_takes_words_without_case_away(label):
    (row,) = label("case", HABITUAL, definition="notebook")
    assert (row["tokens"], row["labels"]) == (["लड़का", "किताब"], ["Nom", "Nom"])


def test_depth_counts_edges_to_the_deepest_leaf(label):
    assert [row["label"] for row in label("depth", ERGATIVE, HABITUAL)] == ["2", "1"]


def test_depths_of_the_sample_are_those_of_its_trees(sample, tmp_path):
    def deepest(tree) -> int:
        return max((1 + deepest(child) for child in tree.children), default=0)

    file = sample / "UD_Hindi-Sample" / "hi_sample-ud-test.conllu"
    trees = conllu_reader.parse_tree(file.read_text(encoding="utf-8"))
    make_tasks(sample / "UD_Hindi-Sample", tmp_path, tasks=["depth"])
    rows = read_parquet(tmp_path / "UD_Hindi-Sample" / "depth" / "test.parquet")
    assert rows.num_rows > 20
    depths = {tree.metadata["sent_id"]: deepest(tree) for tree in trees}
    assert rows["label"].to_pylist() == [depths[sent_id] for sent_id in rows["sent_id"].to_pylist()]


def test_a_single_word_has_the_depth_0(label):
    assert label("depth", "हाँ\n1 हाँ हाँ INTJ _ 0 root")[0]["label"] == "0"


def test_words_that_hang_from_one_another_have_no_depth(label):
    circle = "हाँ हाँ हाँ\n1 हाँ हाँ INTJ _ 0 root\n2 हाँ हाँ INTJ _ 3 dep\n3 हाँ हाँ INTJ _ 2 dep"
    assert [row["tokens"] for row in label("depth", circle, HABITUAL)] == [["लड़का", "किताब", "पढ़ता", "है", "।"]]


def test_verbs_agree_with_the_bare_argument_before_them(label):
    rows = label("agreement", ERGATIVE, HABITUAL)
    assert [(row["tokens"], row["label"], row["controller"]) for row in rows] == [
        (["लड़के", "ने", "किताब"], "Gender=Fem|Number=Sing", "obj"),
        (["लड़का", "किताब"], "Gender=Masc|Number=Sing", "nsubj"),
    ]


def test_no_agreement_with_what_has_an_adposition_nor_of_infinitives(label):
    assert label("agreement", DEFAULT, INFINITIVE) == []


def test_the_paper_asks_of_all_verbs_that_have_something_before_them(label):
    rows = label("agreement", DEFAULT, INFINITIVE, VERB_FIRST, definition="paper")
    assert [(row["form"], row["controller"]) for row in rows] == [("देखा", None), ("पढ़ना", "obj")]


def test_gender_is_asked_of_languages_whose_verbs_have_it(label):
    spanish = """
        Ella canta y fue llamada y ríe
        1 Ella él PRON Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 canta cantar VERB Number=Sing 0 root
        3 y y CCONJ _ 5 cc
        4 fue ser AUX Number=Sing 5 aux
        5 llamada llamar VERB Gender=Fem|Number=Sing 2 conj
        6 y y CCONJ _ 7 cc
        7 ríe reír VERB Number=Sing 2 conj
    """
    assert [(row["form"], row["label"]) for row in label("agreement", spanish)] == [("canta", "Number=Sing")]


def test_the_notebook_shows_the_sentence_with_a_mask(label):
    rows = label("agreement", HABITUAL, VERB_FIRST, definition="notebook")
    assert [row["tokens"] for row in rows] == [["लड़का", "किताब", "[MASK]", "है", "।"], ["[MASK]", "।"]]
    assert [row["position"] for row in rows] == [2, 0]


@pytest.fixture
def two_splits(tmp_path: Path) -> Path:
    """A treebank whose test split has a sentence of its training split."""
    folder = tmp_path / "UD_Hindi-Small"
    folder.mkdir()
    (folder / "hi_small-ud-train.conllu").write_text(conllu(ERGATIVE, HABITUAL), encoding="utf-8")
    (folder / "hi_small-ud-test.conllu").write_text(conllu(HABITUAL, DEFAULT), encoding="utf-8")
    return folder


@pytest.mark.parametrize("dev", [[HABITUAL], []])
def test_no_sentence_is_in_two_splits(two_splits, tmp_path, dev):
    if dev:
        (two_splits / "hi_small-ud-dev.conllu").write_text(conllu(*dev), encoding="utf-8")
    about = make_tasks(two_splits, tmp_path / "tasks")
    assert about["repeated"] == 1 + len(dev)
    folder = tmp_path / "tasks" / "UD_Hindi-Small" / "depth"
    texts = {split: read_parquet(folder / f"{split}.parquet")["text"].to_pylist() for split in ("train", "test")}
    assert texts == {
        "train": ["लड़के ने किताब पढ़ी ।"],
        "test": ["लड़का किताब पढ़ता है ।", "लड़के ने लड़के को देखा ।"],
    }


def test_where_sentences_will_be_dealt_to_splits_no_text_is_there_twice(tmp_path):
    small_treebank(tmp_path, HABITUAL, HABITUAL, DEFAULT, language="hin")
    about = make_tasks(tmp_path / "hi_small-ud-test.conllu", tmp_path / "tasks", tasks=["depth"])
    assert about["tasks"]["depth"]["splits"]["test"]["rows"] == 2


def test_splits_keep_what_they_have_twice_themselves(two_splits, tmp_path):
    (two_splits / "hi_small-ud-train.conllu").write_text(conllu(ERGATIVE, ERGATIVE), encoding="utf-8")
    (two_splits / "hi_small-ud-dev.conllu").write_text(conllu(VERB_FIRST), encoding="utf-8")
    about = make_tasks(two_splits, tmp_path / "tasks", tasks=["depth"])
    assert about["tasks"]["depth"]["splits"]["train"]["rows"] == 2


def test_datasets_loads_the_folder_with_names_of_classes(two_splits, tmp_path, datasets):
    make_tasks(two_splits, tmp_path / "tasks")
    loaded = datasets.load_dataset(str(tmp_path / "tasks" / "UD_Hindi-Small"), "case")
    assert loaded["train"].features["labels"].feature.names == ["Acc", "Acc,Erg", "Erg", "Nom"]
    assert loaded["train"][0]["labels"] == [1, 2, 3, -100, -100]
    depths = datasets.load_dataset(str(tmp_path / "tasks" / "UD_Hindi-Small"), "depth")
    assert depths["test"].features["label"].int2str(depths["test"][0]["label"]) == "1"


def test_datasets_sees_that_a_folder_was_made_anew(tmp_path, datasets):
    small_treebank(tmp_path, HABITUAL, language="hin")
    read = []
    for definition in ("paper", "notebook"):
        make_tasks(tmp_path / "hi_small-ud-test.conllu", tmp_path / "tasks", definition=definition)
        loaded = datasets.load_dataset(str(tmp_path / "tasks" / "hi_small-ud-test"), "case", split="test")
        read.append(loaded[0]["tokens"])
    assert read == [["लड़का", "किताब", "पढ़ता", "है", "।"], ["लड़का", "किताब"]]


def test_tasks_are_pushed_as_any_dataset(hub, two_splits, tmp_path):  # noqa: F811
    make_tasks(two_splits, tmp_path)
    folder = tmp_path / "UD_Hindi-Small"
    push(folder, "lab/hindi-tasks")
    assert hub.files("lab/hindi-tasks") == contents(folder)


def test_a_treebank_without_case_gives_no_such_task_and_says_so(tmp_path):
    small_treebank(tmp_path, "हाँ\n1 हाँ हाँ INTJ _ 0 root", language="hin")
    about = make_tasks(tmp_path / "hi_small-ud-test.conllu", tmp_path / "tasks", tasks=["case"])
    assert about["tasks"]["case"]["splits"] == {}
    assert about["tasks"]["case"]["notes"] == ["no word of the treebank has Case"]
    card = (tmp_path / "tasks" / "hi_small-ud-test" / "README.md").read_text(encoding="utf-8")
    assert "no word of the treebank has Case" in card


def test_an_unknown_task_names_the_nearest(tmp_path):
    with pytest.raises(ConfigError, match="there is no task `cas`") as raised:
        make_tasks("x", tmp_path, tasks=["cas"])
    assert "case" in str(raised.value)


def test_a_transform_is_no_task(tmp_path):
    with pytest.raises(ConfigError, match="`latin` is no task: it is a transform of treebanks"):
        make_tasks("x", tmp_path, tasks=["latin"])


def test_tamil_as_the_authors_count_it(shared, tmp_path):
    treebank = shared / "treebanks" / "UD_Tamil-TTB"
    about = {
        definition: make_tasks(treebank, tmp_path / definition, tasks=["pos", "case"], definition=definition)["tasks"]
        for definition in ("paper", "notebook")
    }
    words = {split: size["labels"] for split, size in about["paper"]["pos"]["splits"].items()}
    assert words == {"train": 6329, "dev": 1263, "test": 1989}
    rows = sum(size["labels"] for size in about["notebook"]["pos"]["splits"].values())
    assert rows - sum(words.values()) == 835
    assert set(about["notebook"]["pos"]["columns"]["labels"]) - set(about["paper"]["pos"]["columns"]["labels"]) == {"_"}
    assert about["paper"]["case"]["columns"]["labels"] == ["Acc", "Com", "Dat", "Gen", "Ins", "Loc", "Nom"]


def test_every_hindi_verb_with_gender_and_number_is_in_the_notebooks_task(shared, tmp_path):
    treebank = shared / "treebanks" / "UD_Hindi-PUD"
    make_tasks(treebank, tmp_path, tasks=["agreement"], definition="notebook")
    rows = read_parquet(tmp_path / "UD_Hindi-PUD" / "agreement" / "test.parquet")
    assert rows.num_rows == 1555
    lines = (treebank / "hi_pud-ud-test.conllu").read_text(encoding="utf-8").splitlines()
    fields = [line.split("\t") for line in lines if "\tVERB\t" in line]
    assert sum("Gender=" in one[5] and "Number=" in one[5] for one in fields) == rows.num_rows


def test_the_same_treebank_gives_the_same_bytes(two_splits, tmp_path):
    make_tasks(two_splits, tmp_path / "one")
    make_tasks(two_splits, tmp_path / "two")
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    assert len(files) > 6
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_second_run_takes_away_what_it_does_not_make(two_splits, tmp_path):
    make_tasks(two_splits, tmp_path)
    make_tasks(two_splits, tmp_path, tasks=["pos"])
    folder = tmp_path / "UD_Hindi-Small"
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == ["pos"]
    assert list(json.loads((folder / "tasks.json").read_text(encoding="utf-8"))["tasks"]) == ["pos"]
