"""What others have published of a model's scores: it stands beside our own, item by item."""

import json
from math import log
from pathlib import Path

import pytest

from starbank.analysis import results
from starbank.cli import main
from starbank.errors import SuiteError, UsageError
from starbank.files import read_parquet
from starbank.pipeline.evaluations import Published, import_evaluations
from starbank.pipeline.imports import Settings, import_files
from starbank.scoring import score

PAIRS = """sentence_good,sentence_bad,UID,pairID,right,wrong
The cats sleep.,The cats sleeps.,agreement,0,-20.5,-22.5
The cat sleeps.,The cat sleep.,agreement,1,-19.5,-19.25
"""
COLUMNS = {"good_score": "right", "bad_score": "wrong", "unit": "nats", "model": "gpt2", "language": "eng"}
# As lm-evaluation-harness 0.4.13 writes it.
SAMPLE = {
    "doc_id": 0,
    "doc": {"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps.", "UID": "agreement", "pair_id": 0},
    "target": "0",
    "arguments": {
        "gen_args_0": {"arg_0": "", "arg_1": " The cats sleep."},
        "gen_args_1": {"arg_0": "", "arg_1": " The cats sleeps."},
    },
    "resps": [[["-20.5", "False"]], [["-22.5", "False"]]],
    "filtered_resps": [["-20.5", "False"], ["-22.5", "False"]],
    "acc": 1.0,
}
SUITE = {
    "meta": {"name": "number", "metric": "sum", "model": "gpt2", "language": "eng", "grammatical": ["match"]},
    "region_meta": {"1": "subject", "2": "verb"},
    "predictions": [{"type": "formula", "formula": "(2;%mismatch%) > (2;%match%)"}],
    "items": [
        {
            "item_number": 1,
            "conditions": [
                {
                    "condition_name": name,
                    "regions": [
                        {"region_number": 1, "content": "The cats", "metric_value": {"sum": 8.0}, "oovs": []},
                        {"region_number": 2, "content": verb, "metric_value": {"sum": bits}, "oovs": []},
                    ],
                }
                for name, verb, bits in [("match", "sleep", 5.0), ("mismatch", "sleeps", 9.0)]
            ],
        }
    ],
}


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def lines(*values: dict) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def scores(file: Path, **said: object) -> list[dict]:
    (path,) = import_evaluations([file], file.parent / "scores" / "mine", Published(**said))
    return read_parquet(path).to_pylist()


def nats(rows: list[dict]) -> dict[str, list]:
    """What each text is given, by its regions."""
    return {"".join(row["regions"]): row["logprobs"] for row in rows}


def test_pairs_with_scores_are_the_items_that_import_makes_of_the_same_table(tmp_path):
    file = written(tmp_path / "pairs.csv", PAIRS)
    rows = scores(file, **COLUMNS)
    assert nats(rows)["The cats sleep."] == [None, -20.5, None]
    assert {(row["model"], row["model_kind"], row["level"]) for row in rows} == {("gpt2", "causal", "sentence")}
    import_files([file], tmp_path / "suites" / "mine", Settings("eng"))
    items = read_parquet(tmp_path / "suites" / "mine" / "agreement" / "items.parquet")
    assert {row["item_id"] for row in rows} == set(items["item_id"].to_pylist())


def test_they_are_evaluated_like_our_own(tmp_path):
    file = written(tmp_path / "pairs.csv", PAIRS)
    made = import_evaluations([file], tmp_path / "scores" / "mine", Published(**COLUMNS))
    (row,) = read_parquet(results(made, tmp_path / "results") / "accuracy.parquet").to_pylist()
    assert (row["construction"], row["items"], row["accuracy"]) == ("agreement", 2, 0.5)


@pytest.mark.parametrize(
    ("unit", "scores", "expected"),
    [
        ("nats", "-20.5,-22.5", -20.5),
        ("bits", "-2,-3", -2 * log(2)),
        ("loss", "2,3", -2.0),
        ("surprisal", "2,3", -2 * log(2)),
        ("probability", "0.25,0", log(0.25)),
    ],
)
def test_scores_of_every_unit_become_nats(tmp_path, unit, scores, expected):
    file = written(tmp_path / "pairs.csv", PAIRS.replace("-20.5,-22.5", scores).replace("-19.5,-19.25", ","))
    (path,) = import_evaluations([file], tmp_path / "mine", Published(**COLUMNS | {"unit": unit}))
    told = nats(read_parquet(path).to_pylist())
    assert told["The cats sleep."][1] == pytest.approx(expected)
    assert "The cat sleeps." not in told


def test_multiblimps_columns_are_known(tmp_path):
    table = "sen\twrong_sen\tphenomenon\tsen_nll\twrong_nll\ndie Katze schläft\tdie Katze schlafen\tSV-#\t20.5\t22\n"
    file = written(tmp_path / "deu" / "data.tsv", table)
    rows = scores(file, model="gpt2")
    assert nats(rows)["die Katze schläft"] == [None, -20.5, None]
    assert {row["language"] for row in rows} == {"deu"}


def test_samples_of_the_harness_name_their_model_and_keep_the_names_of_a_known_benchmark(tmp_path):
    log = tmp_path / "EleutherAI__pythia-70m" / "samples_blimp_agreement_2026-11-23T03-58-11.098221.jsonl"
    rows = scores(written(log, lines(SAMPLE)), language="eng")
    assert nats(rows) == {"The cats sleep.": [None, -20.5, None], "The cats sleeps.": [None, -22.5, None]}
    assert {(row["model"], row["construction"]) for row in rows} == {("EleutherAI/pythia-70m", "agreement")}


def test_of_two_logs_of_the_same_samples_the_first_counts(tmp_path):
    again = SAMPLE | {"filtered_resps": [["-1.0", "False"], ["-2.0", "False"]]}
    logs = [
        written(tmp_path / f"samples_agreement_2026-11-{day}T03-58-11.098221.jsonl", lines(sample))
        for day, sample in ((23, SAMPLE), (24, again))
    ]
    (path,) = import_evaluations(logs, tmp_path / "scores" / "mine", Published(language="eng", model="gpt2"))
    assert [row["logprobs"][1] for row in read_parquet(path).to_pylist()] == [-20.5, -22.5]


def test_earlier_samples_are_lists_of_numbers_and_the_right_choice_may_be_any(tmp_path):
    sample = {
        "doc": {"stem": "The cats"},
        "target": 1,
        "arguments": [["The cats", " sleeps."], ["The cats", " sleep."]],
        "filtered_resps": [[-22.5, False], [-20.5, True]],
    }
    rows = scores(written(tmp_path / "samples_agreement.jsonl", lines(sample)), language="eng", model="gpt2")
    assert {("".join(row["regions"]), row["grammatical"], row["construction"]) for row in rows} == {
        ("The cats sleep.", True, "agreement"),
        ("The cats sleeps.", False, "agreement"),
    }


def test_our_own_tasks_come_back_as_the_items_that_they_are(tmp_path):
    conditions = [("Erg", "ბავშვმა"), ("Nom", "ბავშვი"), ("Dat", "ბავშვს")]
    doc = {
        "item_id": "768d08aa2cf8d98c",
        "construction": "erg",
        "phenomenon": "case",
        "language": "kat",
        "treebank": "UD_Georgian-Sample",
        "region_names": ["prefix", "target", "suffix"],
        "conditions": [
            {"name": name, "grammatical": name == "Erg", "against": None, "regions": ["", form, " მღერის."]}
            for name, form in conditions
        ],
    }
    arguments = {f"gen_args_{n}": {"arg_0": "", "arg_1": f"{form} მღერის."} for n, (_, form) in enumerate(conditions)}
    scored = [["-3.0", "False"], ["-2.0", "False"], ["-4.0", "False"]]
    sample = {"doc": doc, "target": "0", "arguments": arguments, "filtered_resps": scored}
    rows = scores(written(tmp_path / "samples_erg.jsonl", lines(sample)), model="gpt2")
    assert {(row["item_id"], row["condition"], row["logprobs"][1]) for row in rows} == {
        ("768d08aa2cf8d98c", "Erg", -3.0),
        ("768d08aa2cf8d98c", "Nom", -2.0),
        ("768d08aa2cf8d98c", "Dat", -4.0),
    }


def test_pairs_of_our_own_keep_their_items_and_conditions(tmp_path):
    table = """item_id,condition_good,condition_bad,sentence_good,sentence_bad,right,wrong
768d08aa2cf8d98c,Erg,Nom,ბავშვმა იმღერა.,ბავშვი იმღერა.,-3,-2
768d08aa2cf8d98c,Erg,Dat,ბავშვმა იმღერა.,ბავშვს იმღერა.,-3,-4
"""
    rows = scores(written(tmp_path / "erg.csv", table), **COLUMNS | {"language": "kat"})
    assert sorted((row["item_id"], row["condition"], row["logprobs"][1]) for row in rows) == [
        ("768d08aa2cf8d98c", "Dat", -4.0),
        ("768d08aa2cf8d98c", "Erg", -3.0),
        ("768d08aa2cf8d98c", "Nom", -2.0),
    ]


def test_a_suite_that_syntaxgym_scored_has_its_surprisals_by_region(tmp_path):
    rows = scores(written(tmp_path / "number-gpt2.json", json.dumps(SUITE)))
    match, mismatch = sorted(rows, key=lambda row: row["condition"])
    assert (match["construction"], match["model"], match["grammatical"]) == ("number", "gpt2", True)
    assert match["logprobs"] == pytest.approx([-8 * log(2), -5 * log(2)])
    assert mismatch["logprobs"] == pytest.approx([-8 * log(2), -9 * log(2)])
    without = written(tmp_path / "number.json", json.dumps(SUITE))
    import_files([without], tmp_path / "suites" / "number", Settings())
    assert read_parquet(tmp_path / "suites/number/items.parquet")["item_id"].to_pylist() == [match["item_id"]]


def test_a_table_with_a_row_for_each_region_is_the_same(tmp_path):
    table = """item_number,condition_name,region_number,content,surprisal
1,match,1,The cats,8.0
1,match,2,sleep,5.0
1,mismatch,1,The cats,8.0
1,mismatch,2,sleeps,9.0
"""
    file = written(tmp_path / "number.csv", table)
    rows = scores(file, model="gpt2", language="eng", grammatical=("match",))
    expected = scores(written(tmp_path / "json" / "number.json", json.dumps(SUITE)))
    told = ("item_id", "condition", "grammatical", "regions", "logprobs")
    assert [[row[name] for name in told] for row in rows] == [[row[name] for name in told] for row in expected]


@pytest.mark.parametrize(
    ("name", "text", "said", "message"),
    [
        ("p.csv", PAIRS, {"unit": None}, "p.csv:1: does not say what `right` is"),
        ("p.csv", PAIRS, {"good_score": None}, "does not say which columns have the scores"),
        ("p.csv", PAIRS, {"good_score": "rigth"}, "Did you mean `right`"),
        ("p.csv", PAIRS, {"unit": "loss"}, "p.csv:2: `right` is not in loss"),
        ("p.csv", PAIRS, {"unit": "probability"}, "`right` is not in probability"),
        ("p.csv", PAIRS, {"model": None}, "does not say which model it is of"),
        ("p.csv", PAIRS.replace("-19.25", "high"), {}, "p.csv:3: `wrong` is no number"),
        ("p.csv", PAIRS.replace("The cat sleep.", ""), {}, "p.csv:3: `sentence_bad` is empty"),
        ("s.jsonl", lines(SAMPLE, SAMPLE | {"filtered_resps": [["-20.5", "False"]]}), {}, "s.jsonl:2: is no sample"),
        ("s.jsonl", lines(SAMPLE | {"target": "5"}), {}, "s.jsonl:1: is no sample of choices"),
        ("s.jsonl", lines(SAMPLE | {"target": float("inf")}), {}, "s.jsonl:1: is no sample of choices"),
        ("s.jsonl", lines(SAMPLE | {"filtered_resps": [["nan"], ["1"]]}), {}, "s.jsonl: sample 1: `score_good` is not"),
        ("s.json", json.dumps(SUITE).replace('"sum": 9.0', '"sum": NaN'), {}, "item 1, region 2: has no surprisal"),
        ("s.json", json.dumps(SUITE).replace('"sum": 9.0', f'"sum": 1{"0" * 400}'), {}, "region 2: has no surprisal"),
        ("s.jsonl", lines(SAMPLE | {"filtered_resps": ["sleep", "sleeps"]}), {}, "s.jsonl:1: is no sample"),
        ("s.json", json.dumps(SUITE).replace('"sum": 9.0', '"mean": 9.0'), {}, "item 1, region 2: has no surprisal"),
        ("s.json", json.dumps(SUITE), {"unit": "probability"}, "regions have no probability"),
        ("s.json", "[" * 100_000, {}, "nested too deeply"),
        (
            "r.csv",
            "item_number,condition_name,region_number,content,surprisal\n1,a,1,x,?\n",
            {},
            "r.csv:2: has a region",
        ),
        ("s.jsonl", lines(SAMPLE | {"doc": {"stem": "\ud800"}}), {}, "s.jsonl:1: is no sample"),
        ("p.xlsx", PAIRS, {}, "is no table of pairs"),
        ("p.csv", PAIRS, {"model": "///"}, "model"),
        ("p.txt", "nothing", {}, "p.txt:1: has no column `right`"),
    ],
)
def test_what_is_no_evaluation_is_refused_and_nothing_is_written(tmp_path, name, text, said, message):
    file = written(tmp_path / name, text)
    with pytest.raises(SuiteError) as refused:
        import_evaluations([file], tmp_path / "mine", Published(**COLUMNS | said))
    assert message in str(refused.value)
    assert not (tmp_path / "mine").exists()


def test_the_command_line_names_columns_as_import_does(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "mine.csv", PAIRS.replace("sentence_good", "ok").replace("sentence_bad", "star"))
    columns = ["--good", "ok", "--bad", "star", "--good-score", "right", "--bad-score", "wrong", "--unit", "nats"]
    about = ["--suite", "UID", "--language", "eng", "--model", "org/m"]
    main(["evaluations", "mine.csv", *columns, *about, "-o", "s/mine"])
    assert capsys.readouterr().err == "1 file of scores -> s/mine\n"
    (path,) = (tmp_path / "s/mine").iterdir()
    assert set(read_parquet(path)["construction"].to_pylist()) == {"agreement"}


def test_scores_of_our_own_are_not_replaced(tmp_path):
    suites, text = tmp_path / "mine", written(tmp_path / "text.txt", "Dogs bark.\n")
    import_files([written(tmp_path / "pairs.csv", PAIRS)], suites, Settings("eng"))
    score([suites], "unigram", tmp_path / "scores" / "unigram.parquet", text=[text])
    published = Published(**COLUMNS | {"model": "unigram"})
    with pytest.raises(UsageError, match="holds scores that are not from others"):
        import_evaluations([tmp_path / "pairs.csv"], tmp_path / "scores", published)
