"""Probes on tiny models: what is read from them, how probes are trained, what is written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from starbank.errors import ModelError, StarbankError, UsageError
from starbank.files import read_metadata
from starbank.probing import make_tasks, probe
from starbank.probing.questions import read_questions
from starbank.probing.recipes import RECIPES
from starbank.probing.run import PROBES
from starbank.scoring.sources import Settings, find_model
from tests.probing.conftest import DEFAULT, ERGATIVE, HABITUAL, about
from tests.small_treebank import conllu

# One worker builds the models.
pytestmark = [pytest.mark.models, pytest.mark.xdist_group("probing")]

WORDS = ["लड़का", "लड़के", "लड़की", "किताब", "पढ़ता", "पढ़ी", "देखा"]


@pytest.fixture(scope="module", autouse=True)
def torch():
    return pytest.importorskip("torch")


@pytest.fixture(scope="session")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tasks of a treebank of 72 sentences that differ in their first word, with three splits."""
    folder = tmp_path_factory.mktemp("tasks") / "UD_Hindi-Small"
    folder.mkdir()
    for split, words in (("train", range(16)), ("dev", range(16, 20)), ("test", range(20, 24))):
        sentences = [
            about(f"{WORDS[number % 7]}{number}", sentence)
            for number in words
            for sentence in (ERGATIVE, HABITUAL, DEFAULT)
        ]
        (folder / f"hi_small-ud-{split}.conllu").write_text(conllu(*sentences), encoding="utf-8")
    make_tasks(folder, folder.parent / "made")
    return folder.parent / "made"


@pytest.fixture(scope="session")
def probed(tasks: Path, models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("probed") / "probes.parquet"
    probe([tasks], str(models / "masked"), output)
    return output


def test_each_task_layer_and_seed_is_a_row(probed):
    table = pq.read_table(probed)
    assert table.schema.names == PROBES.names
    assert pc.unique(table["layer"]).to_pylist() == [0, 1, 2]
    assert pc.unique(table["seed"]).to_pylist() == [0, 1, 2]
    assert table.num_rows == len(pc.unique(table["task"])) * 3 * 3
    assert read_metadata(probed)["recipe"]["name"] == "starbank"


def test_codes_are_of_the_first_seed_and_shorter_than_without_knowledge(probed):
    frame = pq.read_table(probed).to_pandas()
    assert frame[frame["code_length"].notna()]["seed"].unique().tolist() == [0]
    first = frame[frame["seed"] == 0]
    assert ((np.log2(first["classes"]) / first["code_length"]).round(6) == first["compression"].round(6)).all()
    of_words = first[(first["task"] == "pos") & (first["layer"] > 0)]
    assert (of_words["compression"] > 1).all()


def test_the_page_has_each_task_and_layer(probed):
    page = probed.with_suffix(".html").read_text(encoding="utf-8")
    tasks = pq.read_table(probed)["task"].unique().to_pylist()
    assert {task: page.count(f'<span class="title">{task}</span>') for task in tasks} == dict.fromkeys(tasks, 2)
    # One layer of each task is framed.
    assert page.count("outline: 2px solid var(--ink); outline-offset: -2px") == len(tasks)
    assert "<svg" in page


def test_one_layer_with_context_is_chosen_by_its_f1_on_dev(probed):
    frame = pq.read_table(probed).to_pandas()
    for _, of_task in frame.groupby("task"):
        by_layer = of_task[of_task["layer"] > 0].groupby("layer")["dev_f1"].mean()
        assert of_task[of_task["chosen"]]["layer"].unique().tolist() == [by_layer.idxmax()]


def test_probes_find_what_the_model_knows_and_controls_do_not_generalise(probed):
    frame = pq.read_table(probed).to_pandas()
    pos = frame[(frame["task"] == "pos") & frame["chosen"]]
    assert (pos["test_f1"] > pos["majority_f1"] + 0.4).all()
    assert pos["selectivity"].tolist() == pytest.approx((pos["test_accuracy"] - pos["control_accuracy"]).tolist())
    assert (pos["selectivity"] > 0).all()


def test_the_plot_names_tasks_model_and_treebank(probed):
    svg = probed.with_suffix(".svg").read_text(encoding="utf-8")
    for word in ("agreement", "case", "depth", "pos", "masked", "UD_Hindi-Small"):
        assert f">{word}<" in svg


def test_nothing_else_is_left(probed):
    assert sorted(path.name for path in probed.parent.iterdir()) == ["probes.html", "probes.parquet", "probes.svg"]


def test_a_second_run_gives_the_same_bytes(probed, tasks, models, tmp_path):
    probe([tasks], str(models / "masked"), tmp_path / "again.parquet")
    assert (tmp_path / "again.parquet").read_bytes() == probed.read_bytes()


def test_layers_are_what_the_model_itself_gives_at_the_first_part_of_a_word(tasks, models, tmp_path, torch):
    from transformers import AutoModel, AutoTokenizer

    from starbank.probing.representations import Encoder, read_places

    questions = read_questions([tasks], ["pos", "depth"])
    encoder = Encoder(find_model(str(models / "masked")), Settings("cpu"))
    texts, text, start, end = read_places(questions)
    store, row = encoder.encode(texts, text, start, end, tmp_path)
    model, tokenizer = (one.from_pretrained(models / "masked") for one in (AutoModel, AutoTokenizer))
    for number in (0, 7, len(text) - 1):
        encoded = tokenizer(texts[text[number]].split(" "), is_split_into_words=True, return_tensors="pt")
        place = 0
        if start[number] >= 0:
            word = texts[text[number]][: start[number]].count(" ")
            place = encoded.word_ids().index(word)
        with torch.inference_mode():
            states = model.eval()(**encoded, output_hidden_states=True).hidden_states
        expected = torch.stack([state[0, place] for state in states]).numpy()
        assert store[:, row[number]].astype(np.float32) == pytest.approx(expected, abs=4e-3)


@pytest.mark.parametrize("batch_tokens", [1, 8192])
def test_padding_that_a_model_takes_in_is_not_given_to_it(models, tmp_path, torch, batch_tokens):
    import transformers

    from starbank.probing.representations import Encoder

    torch.manual_seed(0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(models / "masked")
    # A Fourier transform knows no padding.
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 64, "initializer_range": 0.3}
    transformers.FNetForMaskedLM(transformers.FNetConfig(vocab_size=len(tokenizer), **shape)).save_pretrained(
        tmp_path / "model"
    )
    tokenizer.save_pretrained(tmp_path / "model")
    encoder = Encoder(find_model(str(tmp_path / "model")), Settings("cpu", batch_tokens=batch_tokens))
    texts = ["კაცმა სახლი ააშენა.", "The key", "The keys to the cabinet are on the table."]
    whole = np.full(3, -1)
    layers, rows = encoder.encode(texts, np.arange(3), whole, whole, tmp_path)
    model = transformers.AutoModelForMaskedLM.from_pretrained(tmp_path / "model").eval()
    for text, row in zip(texts, rows, strict=True):
        with torch.inference_mode():
            states = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        expected = np.stack([state[0, 0].numpy() for state in states])
        assert layers[:, row].astype(np.float32) == pytest.approx(expected, abs=0.01)


def test_a_causal_model_says_what_it_knows_at_its_last_token(tasks, models, tmp_path, torch):
    from transformers import AutoModel, AutoTokenizer

    from starbank.probing.representations import Encoder

    encoder = Encoder(find_model(str(models / "causal")), Settings("cpu"))
    whole = np.array([-1])
    store, row = encoder.encode(["लड़का किताब"], np.array([0]), whole, whole, tmp_path)
    model, tokenizer = (one.from_pretrained(models / "causal") for one in (AutoModel, AutoTokenizer))
    encoded = tokenizer("<|endoftext|>लड़का किताब", return_tensors="pt")
    with torch.inference_mode():
        states = model.eval()(**encoded, output_hidden_states=True).hidden_states
    assert store[:, row[0]].astype(np.float32) == pytest.approx(
        torch.stack([s[0, -1] for s in states]).numpy(), abs=4e-3
    )


def test_a_word_beyond_what_the_model_reads_is_left_out(models, tmp_path):
    from starbank.probing.representations import Encoder

    encoder = Encoder(find_model(str(models / "masked")), Settings("cpu"), longest=6)
    _, row = encoder.encode(["The man 's dog"], np.zeros(2, np.int64), np.array([0, 11]), np.array([3, 14]), tmp_path)
    assert row.tolist() == [0, -1]


def test_a_killed_run_goes_on_with_the_batches_that_it_has(models, tmp_path, monkeypatch):
    from starbank.probing import representations
    from starbank.probing.representations import Encoder

    texts = [f"The key {number} is on the table" for number in range(40)]
    places = np.arange(40), np.full(40, 4), np.full(40, 7)
    monkeypatch.setattr(representations, "_NOTE", 1)
    encoder = Encoder(find_model(str(models / "masked")), Settings("cpu", batch_tokens=64))
    whole, _ = encoder.encode(texts, *places, tmp_path / "whole")
    forward, calls = encoder._forward, []

    def die_at_the_third(*arguments):
        calls.append(1)
        if len(calls) == 4:  # The first call only asks for the shape.
            raise KeyboardInterrupt
        return forward(*arguments)

    monkeypatch.setattr(encoder, "_forward", die_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        encoder.encode(texts, *places, tmp_path / "killed")
    calls.clear()
    monkeypatch.setattr(encoder, "_forward", lambda *arguments: calls.append(1) or forward(*arguments))
    again, _ = encoder.encode(texts, *places, tmp_path / "killed")
    batches = len(list(encoder._batches([np.empty(9)] * 40, np.arange(40))))
    assert 2 < len(calls) < batches
    assert np.array_equal(again, whole)


def test_a_disk_without_room_is_told_before_anything_is_written(models, tmp_path, monkeypatch):
    import shutil

    from starbank.probing.representations import Encoder

    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
    encoder = Encoder(find_model(str(models / "masked")), Settings("cpu"))
    whole = np.array([-1])
    with pytest.raises(StarbankError, match="the disk has"):
        encoder.encode(["The key"], np.array([0]), whole, whole, tmp_path)
    assert not list(tmp_path.iterdir())


def _data(seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Representations in which the second of three layers tells the label, labels and splits."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 3, 300)
    store = rng.standard_normal((3, 300, 8)).astype(np.float16)
    store[1, np.arange(300), label] += 4
    return store, label, np.repeat([0, 1, 2], [200, 50, 50])


@pytest.mark.parametrize("recipe", ["starbank", "vyakarana"])
def test_probes_trained_together_are_those_trained_alone(recipe, torch):
    from starbank.probing.training import Layers, train_probes

    store, label, split = _data()
    control = np.random.default_rng(1).integers(0, 3, (3, 300))
    labels = np.stack([np.broadcast_to(label, control.shape), control], axis=1)
    # Dropout draws for all layers at once, so it cannot be compared.
    followed = replace(RECIPES[recipe], dropout=0.0, epochs=12)
    rows, cpu = np.arange(300), torch.device("cpu")
    together = train_probes(Layers(store, rows, cpu), labels, split, 3, followed)
    for place, seed in enumerate(followed.seeds):
        alone = train_probes(
            Layers(store, rows, cpu), labels[place : place + 1], split, 3, replace(followed, seeds=(seed,))
        )
        assert np.array_equal(alone.test[:, 0], together.test[:, place])
        assert np.array_equal(alone.epochs[:, 0], together.epochs[:, place])


def test_probes_find_the_layer_that_tells_and_no_other(torch):
    from starbank.probing.training import Layers, train_probes

    store, label, split = _data()
    labels = np.stack([np.broadcast_to(label, (3, 300))] * 2, axis=1)
    trained = train_probes(Layers(store, np.arange(300), torch.device("cpu")), labels, split, 3, RECIPES["starbank"])
    right = (trained.test[:, :, 0] == label[split == 2]).mean(axis=(1, 2))
    assert right[1] > 0.9
    assert max(right[0], right[2]) < 0.6


def test_a_mask_is_shown_in_the_models_own_way(tasks, models, tmp_path):
    from starbank.probing.representations import Encoder

    shown = ["The [MASK] is"]
    for name in ("masked", "masked-pieces"):
        encoder = Encoder(find_model(str(models / name)), Settings("cpu"))
        (text,) = encoder._masked(shown)
        assert encoder._tokenizer.mask_token_id in encoder._tokenizer(text)["input_ids"]
    causal = Encoder(find_model(str(models / "causal")), Settings("cpu"))
    with pytest.raises(ModelError, match="has no mask"):
        causal._masked(shown)


def test_what_a_hidden_verb_indexes_is_asked_of_the_mask(models, tmp_path):
    from starbank.probing.representations import Encoder, read_places
    from starbank.scoring.tokens import tokenise

    (tmp_path / "hi_small-ud-test.conllu").write_text(conllu(ERGATIVE, HABITUAL), encoding="utf-8")
    make_tasks(tmp_path / "hi_small-ud-test.conllu", tmp_path / "tasks", tasks=["argument_number"])
    encoder = Encoder(find_model(str(models / "masked")), Settings("cpu"))
    texts, *places = read_places(read_questions([tmp_path / "tasks"]))
    inputs, position = encoder._place(tokenise(encoder._tokenizer, encoder._masked(texts)), *places)
    shown = [inputs[text][at] for text, at in zip(places[0], position, strict=True)]
    assert shown == [encoder._tokenizer.mask_token_id] * 3


def test_sentences_are_dealt_where_a_treebank_has_only_a_test_split(tmp_path):
    folder = tmp_path / "UD_Hindi-PUD"
    folder.mkdir()
    many = [about(f"ल{number}", sentence) for number in range(40) for sentence in (ERGATIVE, HABITUAL)]
    (folder / "hi_pud-ud-test.conllu").write_text(conllu(*many), encoding="utf-8")
    make_tasks(folder, tmp_path / "tasks", tasks=["depth"])
    (asked,) = read_questions([tmp_path / "tasks"])
    assert asked.dealt
    sizes = np.bincount(asked.split, minlength=3)
    assert sizes.sum() == 80
    assert sizes[0] > 50
    assert min(sizes) > 2


def test_variants_of_a_sentence_are_dealt_to_one_split():
    from starbank.probing.questions import deal

    ids = [f"s{number}-org{variant}" for number in range(50) for variant in (1, 2, 3, 4)]
    dealt = deal(np.full(200, 2), ids).reshape(50, 4)
    assert (dealt == dealt[:, :1]).all()
    assert (dealt[:, 0] == deal(np.full(50, 2), [f"s{number}" for number in range(50)])).all()


def test_tasks_of_an_older_version_are_to_be_made_again(tmp_path):
    about = {"treebank": {"name": "x"}, "tasks": {"pos": {"column": "labels", "classes": ["NOUN"], "splits": {}}}}
    (tmp_path / "tasks.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(UsageError, match="older version"):
        probe([tmp_path], "unimportant", tmp_path / "probes.parquet")


def test_a_folder_without_tasks_says_how_to_make_them(tmp_path):
    with pytest.raises(UsageError, match="starbank tasks TREEBANK"):
        probe([tmp_path], "unimportant", tmp_path / "probes.parquet")
