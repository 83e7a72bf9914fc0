"""The tasks of Ravfogel, Goldberg & Tyers (2018): what a hidden verb indexes, and which ending a word has lost."""

from __future__ import annotations

import pyarrow as pa
import pytest

from starbank.files import read_parquet
from starbank.plugins import load_plugin
from starbank.probing import make_tasks
from starbank.probing.arguments import find_slots
from starbank.probing.tasks import label_columns
from starbank.treebanks import read_conllu
from tests.probing.basque import CAME, FELL, GAVE, SAW_HOUSES
from tests.probing.conftest import ERGATIVE, HABITUAL
from tests.small_treebank import conllu, small_treebank


@pytest.fixture
def label(tmp_path):
    """Make a task of some sentences and return its rows as dicts."""

    def label(task: str, *sentences: str, definition: str = "strict", language: str = "eus") -> list[dict]:
        treebank = small_treebank(tmp_path / "small", *sentences, language=language)
        return pa.concat_tables(load_plugin(task, "task").function(treebank, definition=definition).rows).to_pylist()

    return label


def at_verb(row: dict) -> dict[str, str]:
    """Return the labels that a row has at the place of its verb."""
    return {name.removeprefix("labels_"): row[name][row["position"]] for name in label_columns(row)}


def test_a_verb_is_hidden_and_the_number_of_each_argument_asked_for(label):
    (row,) = label("argument_number", SAW_HOUSES)
    assert row["tokens"] == ["Gizonak", "etxeak", "ikusi", "[MASK]", "."]
    assert row["lemmas"] == ["gizon", "etxe", "ikusi", "[MASK]", "."]
    assert row["labels_abs"] == [None, None, None, "Plur", None]
    assert row["labels_erg"] == [None, None, None, "Sing", None]


def test_an_argument_that_a_verb_does_not_index_is_none(label):
    rows = label("argument_number", GAVE)
    assert [(row["form"], at_verb(row)) for row in rows] == [
        ("diote", {"abs": "Sing", "dat": "Sing", "erg": "Plur"}),
        ("da", {"abs": "Sing", "dat": "none", "erg": "none"}),
    ]


def test_the_paper_hides_one_verb_of_each_sentence(label):
    assert len(label("argument_number", SAW_HOUSES, GAVE, CAME)) == 5
    assert len(label("argument_number", SAW_HOUSES, GAVE, CAME, definition="paper")) == 3


def test_subsets_are_told_by_finite_verbs_and_by_endings_that_do_not_tell_the_case(label):
    rows = label("argument_number", SAW_HOUSES, GAVE)
    assert [(row["verbs"], row["syncretic"]) for row in rows] == [(1, 2), (2, 0), (2, 0)]


def test_hindi_verbs_have_one_number(label):
    rows = label("argument_number", ERGATIVE, HABITUAL, language="hin")
    assert [(row["form"], at_verb(row)) for row in rows] == [
        ("पढ़ी", {"number": "Sing"}),
        ("पढ़ता", {"number": "Sing"}),
        ("है", {"number": "Sing"}),
    ]


def test_a_possessor_is_no_argument_of_a_verb(tmp_path):
    evim = """
        Evim yandı .
        1 Evim ev NOUN Case=Nom|Number=Sing|Number[psor]=Sing 2 nsubj
        2 yandı yan VERB Number=Sing|Number[psor]=Plur 0 root
        3 . . PUNCT _ 2 punct
    """
    assert find_slots(small_treebank(tmp_path, evim, language="tur")) == {"number": "Number"}


@pytest.mark.parametrize(
    ("name", "slots"),
    [
        ("UD_Basque-BDT", {"abs": "Number[abs]", "dat": "Number[dat]", "erg": "Number[erg]"}),
        ("UD_Georgian-GNC", {"io": "Number[io]", "obj": "Number[obj]", "subj": "Number[subj]"}),
        ("UD_Hindi-PUD", {"number": "Number"}),
        ("UD_Turkish-PUD", {"number": "Number"}),
    ],
)
@pytest.mark.slow
def test_which_features_index_arguments_is_read_from_the_treebank(shared, name, slots):
    assert find_slots(read_conllu([shared / "treebanks" / name])) == slots


def test_endings_are_taken_away_and_asked_for(label):
    (row,) = label("suffix_recovery", SAW_HOUSES)
    assert row["tokens"] == ["Gizon", "etxe", "ikusi", "ditu", "."]
    assert row["labels"] == ["ak", "ak", "none", "none", "none"]


def test_an_adjective_has_the_ending_of_its_phrase_and_a_word_that_is_its_lemma_has_none(label):
    gave, came = label("suffix_recovery", GAVE, CAME)
    assert gave["labels"][:4] == ["ek", "ari", "none", "a"]
    assert (came["tokens"][0], came["labels"][0]) == ("Neska", "none")


def test_the_nearest_finite_verb_may_be_another_words(label):
    (row,) = label("suffix_recovery", FELL)
    assert row["closest"] == [False, True, None, None, None, None, None, None, None]
    assert row["verbs"] == 2


def test_an_argument_of_a_phrase_is_near_to_the_verb_of_the_phrase(label):
    (row,) = label("suffix_recovery", GAVE)
    # Gizonek, umeari, handia and umea; altua is a predicate and no argument.
    assert [place for place, closest in enumerate(row["closest"]) if closest] == [0, 1, 3, 7]


def test_diagnostics_ask_for_what_the_endings_told(label):
    (row,) = label("diagnostics", SAW_HOUSES)
    assert row["tokens"] == ["Gizon", "etxe", "ikusi", "ditu", "."]
    assert row["labels_number"] == ["Sing", "Plur", None, None, None]
    assert row["labels_case"] == ["Erg", "Abs", None, None, None]
    assert row["labels_syncretic"] == ["Erg", "Abs", None, None, None]
    assert row["labels_relation"] == ["nsubj", "obj", "root", "aux", "punct"]


def test_a_task_of_several_questions_has_the_classes_of_each(tmp_path):
    small_treebank(tmp_path, SAW_HOUSES, GAVE, language="eus")
    about = make_tasks(tmp_path / "eu_small-ud-test.conllu", tmp_path / "tasks", tasks=["argument_number"])
    columns = {"labels_abs": ["Plur", "Sing"], "labels_dat": ["Sing", "none"], "labels_erg": ["Plur", "Sing", "none"]}
    assert about["tasks"]["argument_number"]["columns"] == columns
    rows = read_parquet(tmp_path / "tasks/eu_small-ud-test/argument_number/test.parquet")
    assert rows["labels_erg"][0].as_py() == [-100, -100, -100, 1, -100]


def test_the_beginning_of_a_sentence_is_in_one_split_only(tmp_path):
    """Two sentences may differ and begin alike: what stands before their verbs would be in training and in test."""
    folder = tmp_path / "UD_Hindi-Small"
    folder.mkdir()
    longer = HABITUAL.replace("है ।", "है अब ।").replace("    5 ।", "    5 अब अब ADV _ 3 advmod\n    6 ।")
    for split, sentence in (("train", longer), ("dev", ERGATIVE), ("test", HABITUAL)):
        (folder / f"hi_small-ud-{split}.conllu").write_text(conllu(sentence), encoding="utf-8")
    about = make_tasks(folder, tmp_path / "tasks", tasks=["agreement"])["tasks"]["agreement"]
    assert {split: size["rows"] for split, size in about["splits"].items()} == {"dev": 1, "test": 1}
    assert about["notes"][-1] == "rows left out because another split has the same words: 1"


@pytest.mark.slow
def test_beginnings_of_polish_sentences_that_two_splits_have_are_left_out(shared, tmp_path):
    treebank = shared / "treebanks/UD_Polish-PDB"
    make_tasks(treebank, tmp_path, tasks=["agreement"])
    files = (tmp_path / "UD_Polish-PDB/agreement").glob("*.parquet")
    texts = [set(read_parquet(file, ["text"])["text"].to_pylist()) for file in files]
    assert len(texts) == 2
    assert not texts[0] & texts[1]
