"""Models that learn a task from its rows: what they read, how they learn, what they answer and what probes find."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from starbank.errors import ModelError, UsageError
from starbank.files import read_parquet
from starbank.probing import make_tasks, probe
from starbank.probing.learning.recipes import LEARNING, make_recipe
from tests.command_line import starbank
from tests.probing.basque import GAVE, SAW_HOUSES
from tests.small_treebank import conllu

# One worker makes the models.
pytestmark = [pytest.mark.models, pytest.mark.xdist_group("learning")]

SMALL = {"width": 24, "hidden": 24, "classifier": 16, "attention": 4, "learning_rate": 0.01, "batch": 8, "epochs": 6}
NOUNS = ["gizon", "lagun", "mutil", "ikasle", "irakasle", "gazte", "seme", "ume", "zaldi", "txakur", "otso", "mendi"]
# Men who saw houses: the auxiliary has the number of both.
SAW = """
    {subject} {object} ikusi {verb} .
    1 {subject} {lemma} NOUN Case=Erg|Number={erg} 3 nsubj
    2 {object} etxe NOUN Case=Abs|Number={abs} 3 obj
    3 ikusi ikusi VERB VerbForm=Part 0 root
    4 {verb} edun AUX Number[abs]={abs}|Number[erg]={erg}|VerbForm=Fin 3 aux
    5 . . PUNCT _ 3 punct
"""
VERBS = {("Sing", "Sing"): "du", ("Sing", "Plur"): "ditu", ("Plur", "Sing"): "dute", ("Plur", "Plur"): "dituzte"}


def saw(noun: str, erg: str, absolutive: str) -> str:
    """Return a sentence about one or several of a noun who saw one or several houses."""
    subject = noun + {"Sing": "ak", "Plur": "ek"}[erg]
    house = {"Sing": "etxea", "Plur": "etxeak"}[absolutive]
    return SAW.format(subject=subject, object=house, lemma=noun, erg=erg, abs=absolutive, verb=VERBS[erg, absolutive])


@pytest.fixture(scope="module", autouse=True)
def torch():
    return pytest.importorskip("torch")


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> Path:
    """Tasks of a Basque treebank with three splits, whose nouns differ from split to split."""
    folder = tmp_path_factory.mktemp("tasks") / "UD_Basque-Small"
    folder.mkdir()
    for split, nouns in (("train", NOUNS[:8]), ("dev", NOUNS[8:10]), ("test", NOUNS[10:])):
        sentences = [saw(noun, *numbers) for noun in nouns for numbers in VERBS]
        (folder / f"eu_small-ud-{split}.conllu").write_text(conllu(*sentences), encoding="utf-8")
    names = ["argument_number", "suffix_recovery", "diagnostics", "depth"]
    make_tasks(folder, folder.parent, tasks=names)
    return folder.parent / "UD_Basque-Small"


@pytest.fixture
def train(tasks):
    """Let a small model learn a task of the treebank."""
    from starbank.probing.learning import train

    def learn(output: Path, task: str = "argument_number", recipe: str = "ravfogel", **options) -> dict:
        seed = options.pop("seed", 0)
        return train(tasks, task, output, recipe=recipe, options=SMALL | options, seed=seed, device="cpu")

    return learn


@pytest.fixture(scope="module")
def learned(tasks, tmp_path_factory) -> Path:
    """A model that has learnt which suffixes words have lost."""
    from starbank.probing.learning import train

    folder = tmp_path_factory.mktemp("learned") / "suffixes"
    train(tasks, "suffix_recovery", folder, options=SMALL, device="cpu")
    return folder


def test_a_model_learns_what_a_hidden_verb_agrees_with(train, tmp_path):
    about = train(tmp_path / "model")
    assert about["rows"] == {"train": 32, "dev": 8, "test": 8}
    assert about["figures"]["erg"] == {"rows": 8, "accuracy": 1.0, "recall": 1.0, "majority": 0.5}
    assert about["figures"]["abs"]["accuracy"] == 1.0


@pytest.mark.parametrize("recipe", ["ravfogel-forward", "transformer"])
def test_so_do_others(train, tmp_path, recipe):
    about = train(tmp_path / "model", recipe=recipe, epochs=12, patience=12)
    assert about["figures"]["erg"]["accuracy"] == 1.0


def test_a_word_by_itself_tells_nothing_of_a_verb_that_is_hidden(train, tmp_path):
    about = train(tmp_path / "model", recipe="ravfogel-words")
    assert about["figures"]["erg"]["accuracy"] == 0.5


def test_a_task_about_texts_is_asked_of_their_last_words(train, tmp_path):
    about = train(tmp_path / "model", task="depth")
    assert about["figures"]["depth"]["accuracy"] == 1.0


def test_predictions_have_the_covariates_of_their_rows(train, tmp_path):
    train(tmp_path / "model", epochs=1)
    table = read_parquet(tmp_path / "model/predictions.parquet")
    assert table.num_rows == 16
    row = table.slice(0, 1).to_pylist()[0]
    assert {key: row[key] for key in ("question", "position", "form", "verbs", "syncretic")} == {
        "question": "abs", "position": 3, "form": "du", "verbs": 1, "syncretic": 1,
    }  # fmt: skip


def products(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(train, tmp_path):
    for name, seed in (("one", 0), ("two", 0), ("other", 1)):
        train(tmp_path / name, epochs=2, dropout=0.2, seed=seed)
    one, two, other = (products(tmp_path / name) for name in ("one", "two", "other"))
    assert one == two
    assert one["model.safetensors"] != other["model.safetensors"]
    assert sorted(one) == [
        "config.json", "learning.parquet", "learning.svg", "model.safetensors", "predictions.parquet",
        "vocabulary.parquet",
    ]  # fmt: skip


def test_a_killed_run_comes_to_the_same_weights(train, tmp_path, monkeypatch):
    from starbank.probing.learning import reading, run

    # Many stretches of few rows, and the state noted after each.
    monkeypatch.setattr(reading, "STRETCH", 10)
    monkeypatch.setattr(run, "_SECONDS", 0)
    train(tmp_path / "whole", epochs=2, dropout=0.2)
    learn, calls = run.Run._learn_from, []

    def die_at_the_sixth(*arguments):
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return learn(*arguments)

    monkeypatch.setattr(run.Run, "_learn_from", die_at_the_sixth)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "killed", epochs=2, dropout=0.2)
    assert [file.name for file in (tmp_path / "killed").iterdir()] == ["state.pt"]
    calls.clear()
    monkeypatch.setattr(run.Run, "_learn_from", lambda *arguments: calls.append(1) or learn(*arguments))
    train(tmp_path / "killed", epochs=2, dropout=0.2)
    # Of eight stretches five were done.
    assert len(calls) == 3
    assert products(tmp_path / "killed") == products(tmp_path / "whole")


def test_the_command_tells_what_was_learnt(tasks, tmp_path):
    small = ["epochs=1", "width=12", "hidden=8", "batch=8"]
    made = starbank("train", tasks, "--task", "argument_number", "-o", tmp_path, "--device", "cpu", "--option", *small)
    assert "argument_number of UD_Basque-Small: train 32, dev 8, test 8" in made.stderr
    assert "erg             accuracy 0.500, recall 1.000, majority 0.500" in made.stderr


def test_a_loss_that_is_no_number_is_told(train, tmp_path):
    with pytest.raises(ModelError, match="the loss is no number after epoch 1"):
        train(tmp_path / "model", learning_rate=3e37)


def test_what_is_there_is_not_learnt_again(train, tmp_path, monkeypatch):
    from starbank.probing.learning.run import Run

    first = train(tmp_path / "model", epochs=1)
    monkeypatch.delattr(Run, "learn")
    assert train(tmp_path / "model", epochs=1)["figures"] == first["figures"]


def test_the_model_of_another_is_left_as_it_is(train, tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    with pytest.raises(UsageError, match="another one"):
        train(tmp_path)


def test_a_row_has_the_same_states_alone_and_beside_longer_ones(torch):
    from starbank.probing.learning.network import Network, make_batch
    from starbank.probing.learning.vocabulary import count_vocabulary

    texts = [["Gizonak", "etxea", "ikusi", "du", "."], ["Bai", "."]]
    rows = pa.table({"tokens": texts, "lemmas": texts})
    words, borders = pa.array(texts), np.array([0, 5, 7])
    for recipe in (make_recipe(name, SMALL | {"least": 1, "dropout": 0.0}) for name in LEARNING):
        vocabulary = count_vocabulary([rows], recipe)
        network = Network(recipe, vocabulary, {"one": ("a", "b")}).eval()
        read, labels = vocabulary.read(words, words), np.zeros((1, 7), np.int64)
        both, alone = (
            network.layers(make_batch(read, labels, borders, np.array(which), torch.device("cpu")))
            for which in ([0, 1], [1])
        )
        for layer, other in zip(both, alone, strict=True):
            assert torch.allclose(layer[1, :2], other[0, :2], atol=1e-5)


def test_words_are_known_by_form_lemma_and_ngrams():
    from starbank.probing.learning.vocabulary import count_vocabulary, ngrams

    assert ngrams("du", 2, 3) == ["<d", "du", "u>", "<du", "du>"]
    rows = pa.table({"tokens": [["etxea", "etxea", "da"]], "lemmas": [["etxe", "etxe", "izan"]]})
    vocabulary = count_vocabulary([rows], make_recipe("ravfogel", {"shortest": 1, "longest": 1}))
    # What occurs once is unknown; of what is equally frequent, the order is that of letters.
    assert (vocabulary.form, vocabulary.lemma) == (("etxea",), ("etxe",))
    assert vocabulary.ngram == ("e", "<", ">", "a", "t", "x")
    words = vocabulary.read(pa.array([["etxea", "da"]]), pa.array([["etxe", None]]))
    assert [words.form[number] for number in words.word] == [1, 0]
    assert [words.lemma[number] for number in words.word] == [1, 0]
    of_da, _ = words.some(words.word[1:])
    assert [vocabulary.ngram[number] for number in of_da] == ["<", "a", ">"]


def test_recall_asks_whether_there_is_an_argument_and_f1_which():
    from starbank.probing.learning.answers import by_class, figures

    rows = pd.DataFrame(
        [("erg", "Sing", "Plur"), ("erg", "Plur", "none"), ("erg", "none", "none"), ("erg", "Sing", "Sing")],
        columns=["question", "label", "guess"],
    )
    assert figures(rows, {"erg": "Sing"}) == {
        "erg": {"rows": 4, "accuracy": 0.5, "recall": pytest.approx(2 / 3), "majority": 0.5}
    }
    by = by_class(rows).set_index("class")
    assert by.loc["Sing"].tolist() == [2, 1.0, 0.5, pytest.approx(2 / 3)]
    assert by.loc["any"].tolist() == [3, 1.0, pytest.approx(2 / 3), pytest.approx(0.8)]


def test_the_layers_of_a_trained_model_are_probed_as_those_of_any_other(tasks, learned, tmp_path):
    asked = ["diagnostics.case", "diagnostics.pos"]
    probe([tasks], str(learned), tmp_path / "probes.parquet", tasks=asked, recipe="mlp", device="cpu")
    frame = pq.read_table(tmp_path / "probes.parquet").to_pandas()
    assert frame["task"].unique().tolist() == asked
    assert frame["model"].unique().tolist() == ["suffixes"]
    # The embeddings are layer 0.
    states = frame[frame["layer"] == 1].set_index("task")
    assert (states.loc["diagnostics.pos", "test_accuracy"] == 1.0).all()
    assert (states["test_accuracy"] > states["majority_accuracy"]).all()


def test_its_states_are_those_of_the_network(tasks, learned, torch):
    from starbank.probing.learning.states import Learned, find_learned
    from starbank.probing.questions import read_questions

    asked = read_questions([tasks], ["diagnostics"])
    model = Learned(find_learned(learned), "cpu")
    store, row = model.encode(asked)
    assert store.shape[0] == 2
    assert len(row) == sum(len(task.label) for task in asked)
    # Of one place asked about twice there is one row: the first word, for its case and its part of speech.
    first = {task.task: int(np.flatnonzero((task.text == 0) & (task.place == 0))[0]) for task in asked}
    begins = dict(
        zip([task.task for task in asked], np.cumsum([0, *(len(task.label) for task in asked)]), strict=False)
    )
    places = {row[begins[name] + place] for name, place in first.items()}
    assert len(places) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epoch": 1}, "has no option `epoch`"),
        ({"epochs": "many"}, "cannot be 'many'"),
        ({"encoder": "gru"}, "no such encoder"),
        ({"epochs": 0}, "cannot be 0"),
        ({"dropout": 1.0}, "cannot be 1.0"),
        ({"encoder": "transformer", "width": 100}, "6 attention heads cannot share a width of 100"),
    ],
)
def test_a_slip_in_a_recipe_is_told(options, message):
    with pytest.raises(UsageError, match=message):
        make_recipe("ravfogel", options)


def test_a_task_that_is_not_there_names_the_nearest(tasks, tmp_path):
    from starbank.probing.learning import train

    with pytest.raises(UsageError, match="argument_number"):
        train(tasks, "argument_numbers", tmp_path / "model")


def test_where_splits_are_missing_each_fold_tests_on_other_sentences(tmp_path):
    from starbank.probing.learning.reading import read_rows

    folder = tmp_path / "UD_Basque-Small"
    folder.mkdir()
    sentences = [saw(noun, *numbers) for noun in NOUNS for numbers in VERBS] + [SAW_HOUSES, GAVE]
    (folder / "eu_small-ud-dev.conllu").write_text(conllu(*sentences), encoding="utf-8")
    make_tasks(folder, tmp_path / "tasks", tasks=["suffix_recovery"])
    tested = []
    for fold in range(10):
        rows = read_rows(tmp_path / "tasks/UD_Basque-Small", "suffix_recovery", fold)
        tested += [sent_id for table in rows.stretches("test") for sent_id in table["sent_id"].to_pylist()]
    assert sorted(tested) == sorted(f"s{number}" for number in range(1, len(sentences) + 1))
