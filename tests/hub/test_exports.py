"""The pairs of a dataset as other programs read them, and those programs run on them as the card says."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from starbank.errors import SuiteError
from starbank.hub import publish
from starbank.hub.review_page import export_review
from starbank.queries.imports import read_import
from starbank.scoring import score
from starbank.sets.imported import import_suite
from tests.hub.suites import GEORGIAN, item, write
from tests.suites.test_imports import FORMULAS, NUMBER, syntaxgym

SENTENCES = [
    {"Nom": ("", "კაცი", " სახლს აშენებს."), "Erg": ("", "კაცმა", " სახლს აშენებს.")},
    {"Nom": ("მაგრამ ", "კაცი", " სახლს აშენებს."), "Erg": ("მაგრამ ", "კაცმა", " სახლს აშენებს.")},
    {"Dat": ("ქალს ", "კაცს", "-ც უყვარს."), "Nom": ("ქალს ", "კაცი", "-ც უყვარს.")},
]


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with a suite of three pairs and the dataset of it; nobody changes them."""
    folder = tmp_path_factory.mktemp("exports")
    items = [item(number, "man", "UD_Georgian-GLC", one, 3) for number, one in enumerate(SENTENCES, 1)]
    write(folder / "suites" / "kat" / "man", items, [], [GEORGIAN])
    publish([folder / "suites" / "kat"], folder / "datasets" / "kat")
    return folder


@pytest.fixture
def dataset(made, tmp_path) -> Path:
    """The dataset of one suite with three pairs, and its suite."""
    return shutil.copytree(made, tmp_path, dirs_exist_ok=True) / "datasets" / "kat"


@pytest.fixture
def imported(tmp_path):
    """Import a suite of SyntaxGym, marked or not, and publish it; return its folder and that of the dataset."""

    def imported(*grammatical: str) -> tuple[Path, Path]:
        file = tmp_path / "number.json"
        file.write_text(json.dumps(syntaxgym(NUMBER, reference="Nobody (2020)", license="CC0-1.0")))
        folder = tmp_path / "suites" / "eng" / "number"
        import_suite(read_import(file, language="eng", grammatical=grammatical), folder)
        return folder, publish([folder], tmp_path / "datasets" / "eng")

    return imported


def lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_line_has_the_keys_of_blimp(dataset):
    assert lines(dataset / "blimp" / "man.jsonl")[1] == {
        "sentence_good": "მაგრამ კაცი სახლს აშენებს.",
        "sentence_bad": "მაგრამ კაცმა სახლს აშენებს.",
        "one_prefix_prefix": "მაგრამ",
        "one_prefix_word_good": "კაცი",
        "one_prefix_word_bad": "კაცმა",
        "field": "morphology",
        "linguistics_term": "case alignment",
        "UID": "man",
        "simple_LM_method": True,
        "one_prefix_method": False,
        "two_prefix_method": False,
        "lexically_identical": False,
        "pairID": "1",
        "item_id": "0000000000000002",
    }


def test_one_prefix_takes_a_prefix(dataset):
    first = lines(dataset / "blimp" / "man.jsonl")[0]
    assert first["one_prefix_method"] is False
    assert "one_prefix_prefix" not in first


def test_one_prefix_decides_where_no_word_follows(dataset):
    # In *მაგრამ კაცმა it is the verb, at the end, that makes the ergative wrong.
    assert lines(dataset / "blimp" / "man.jsonl")[1]["one_prefix_method"] is False
    file = dataset.parent / "basque.json"
    file.write_text(json.dumps([[["Mutilak liburuak irakurri", "Mutilak liburuak irakurri"], ["ditu.", "du."]]]))
    import_suite(read_import(file, language="eus"), dataset.parent / "eus" / "basque")
    (line,) = lines(publish([dataset.parent / "eus"], dataset.parent / "out") / "blimp" / "basque.jsonl")
    assert (line["one_prefix_method"], line["one_prefix_prefix"]) == (True, "Mutilak liburuak irakurri")


def test_one_prefix_takes_a_whole_word(dataset):
    # კაცს-ც, "the man, too"
    assert "one_prefix_prefix" not in lines(dataset / "blimp" / "man.jsonl")[2]


def test_a_word_has_no_full_stop_and_all_its_vowel_signs(tmp_path):
    hindi = {"hab": ("लड़का किताब ", "पढ़ता", "।"), "pfv": ("लड़का किताब ", "पढ़ा", "।")}
    file = tmp_path / "hindi.json"
    file.write_text(json.dumps([[["लड़का किताब", "लड़का किताब"], ["पढ़ता।", "पढ़ा।"]]]))
    import_suite(read_import(file, language="hin"), tmp_path / "hin" / "imported")
    write(tmp_path / "hin" / "own", [item(1, "own", "UD_Hindi-PUD", hindi, 3)], [], [GEORGIAN], language="hin")
    dataset = publish([tmp_path / "hin"], tmp_path / "datasets" / "hin")
    for name in ("own", "imported"):
        (line,) = lines(dataset / "blimp" / f"{name}.jsonl")
        assert (line["one_prefix_word_good"], line["one_prefix_word_bad"]) == ("पढ़ता", "पढ़ा")


def test_the_table_for_minicons_joins_with_nothing_between(dataset):
    with open(dataset / "minicons" / "man.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["context"], row["ending_good"], row["ending_bad"]) for row in rows] == [
        ("", "კაცი სახლს აშენებს.", "კაცმა სახლს აშენებს."),
        ("მაგრამ", " კაცი სახლს აშენებს.", " კაცმა სახლს აშენებს."),
        ("ქალს", " კაცს-ც უყვარს.", " კაცი-ც უყვარს."),
    ]
    assert all(row["context"] + row["ending_bad"] == row["sentence_bad"] for row in rows)


def test_an_imported_suite_keeps_its_predictions_when_it_goes_out_again(imported):
    _, dataset = imported("match_sing", "match_plur")
    file = dataset / "suites" / "number.json"
    told = json.loads(file.read_text())
    assert told["meta"] == {
        "name": "number",
        "metric": "sum",
        "reference": "Nobody (2020)",
        "comment": "Rows of number: CC0-1.0",
        "language": "eng",
        "phenomenon": "number",
        "license": "CC0-1.0",
        "grammatical": ["match_sing", "match_plur"],
    }
    assert [one["formula"] for one in told["predictions"]] == list(FORMULAS)
    again = read_import(file)
    assert (again.language, again.license, again.predictions) == ("eng", "CC0-1.0", FORMULAS)
    assert dict(again.items)[1] == NUMBER


def test_a_suite_whose_conditions_nobody_marked_is_published_without_pairs(imported, tmp_path):
    from datasets import load_dataset

    suite, dataset = imported()
    card = (dataset / "README.md").read_text(encoding="utf-8")
    assert not any((dataset / part).exists() for part in ("blimp", "minicons", "lm_eval"))
    assert "test suites of others" in card
    assert r"\*" not in card.split("### number")[1].split("## How")[0]  # no sentence is starred
    assert "(3;%mismatch_sing%) > (3;%match_sing%)" in card
    loaded = load_dataset(str(dataset), "number", split="test")
    assert loaded[0]["conditions"][0]["grammatical"] is None
    assert "config_name: pairs" not in card
    with pytest.raises(SuiteError, match="does not say which sentences are grammatical"):
        export_review(suite, tmp_path / "review.html")


def test_a_marked_one_has_pairs_like_any_other(imported):
    _, dataset = imported("match_sing", "match_plur")
    card = (dataset / "README.md").read_text(encoding="utf-8")
    assert r"| mismatch\_sing | \*The key to the cabinets are here." in card.replace("**", "")
    assert lines(dataset / "blimp" / "number.jsonl")[0]["one_prefix_word_bad"] == "are"
    assert lines(dataset / "blimp" / "number.jsonl")[0]["field"] is None


@pytest.fixture(scope="session")
def model(tmp_path_factory) -> Path:
    """A tiny causal model."""
    pytest.importorskip("torch")
    from tests.scoring.tiny_models import byte_level_gpt

    folder = tmp_path_factory.mktemp("exports")
    byte_level_gpt(folder)
    return folder / "causal"


def ours(model: Path, suite: Path) -> dict[str, float]:
    """Return our own scores of whole sentences."""
    rows = score([suite], str(model), suite / "scores.parquet", levels=["sentence"]).to_pylist()
    return {"".join(row["regions"]): sum(row["logprobs"]) for row in rows}


@pytest.mark.models
@pytest.mark.xdist_group("models")
def test_the_harness_runs_the_tasks_from_wherever_it_is_called(dataset, model, tmp_path, monkeypatch):
    harness = pytest.importorskip("lm_eval")
    from lm_eval.models.huggingface import HFLM
    from lm_eval.tasks import TaskManager

    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    card = (dataset / "README.md").read_text(encoding="utf-8")
    folder, task = re.search(r"^lm_eval .*--include_path dataset/(\S+) --tasks (\S+)$", card, re.MULTILINE).groups()
    found = harness.simple_evaluate(
        HFLM(str(model), device="cpu", dtype="float32", batch_size=2),
        tasks=[task],
        task_manager=TaskManager(include_path=str(dataset / folder), include_defaults=False),
        bootstrap_iters=0,
    )
    scores = ours(model, tmp_path / "suites" / "kat" / "man")
    pairs = ["".join(regions) for one in SENTENCES for regions in one.values()]
    right = [scores[good] > scores[bad] for good, bad in zip(pairs[::2], pairs[1::2], strict=True)]
    assert found["results"]["starbank_kat_man"]["acc,none"] == pytest.approx(sum(right) / 3)


@pytest.mark.models
@pytest.mark.xdist_group("models")
def test_minicons_runs_the_example_of_the_card(dataset, model, tmp_path, monkeypatch):
    pytest.importorskip("minicons")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    # It puts no beginning before a sentence, so it is compared on a model that has none.
    model = model.with_name("causal-without-beginning")
    card = (dataset / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", card, re.DOTALL)
    names: dict = {}
    exec("".join(blocks).replace("this/dataset", str(dataset)).replace('"gpt2"', repr(str(model))), names)
    scores = ours(model, tmp_path / "suites" / "kat" / "man")
    sentences = [*names["pairs"]["sentence_good"], *names["pairs"]["sentence_bad"]]
    assert [*names["good"], *names["bad"]] == pytest.approx([scores[one] for one in sentences], abs=1e-4)
    assert names["accuracy"] == sum(map(float.__gt__, names["good"], names["bad"])) / 3


@pytest.mark.models
@pytest.mark.xdist_group("models")
def test_minicons_scores_the_endings_of_its_table(dataset, model, tmp_path):
    scorer = pytest.importorskip("minicons.scorer").IncrementalLMScorer(
        str(model.with_name("causal-without-beginning")), "cpu"
    )
    with open(dataset / "minicons" / "man.csv", encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["context"]]
    given = scorer.conditional_score(
        [row["context"] for row in rows], [row["ending_good"] for row in rows], separator="",
        reduction=lambda logprobs: logprobs.sum(0).item(),
    )  # fmt: skip
    table = score([tmp_path / "suites" / "kat" / "man"], str(model.with_name("causal-without-beginning")),
                  tmp_path / "scores.parquet", levels=["sentence"])  # fmt: skip
    endings = {
        "".join(row["regions"]): sum(row["logprobs"][1:]) for row in table.to_pylist() if row["regions"][0].strip()
    }
    assert given == pytest.approx([endings[row["sentence_good"]] for row in rows], abs=1e-4)
