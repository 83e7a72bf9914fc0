"""The scores table: what is in it, and that no score is computed twice or lost."""

import hashlib
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from starbank.errors import UsageError
from starbank.files import read_metadata, write_parquet
from starbank.scoring import score
from tests.scoring.conftest import ROOT
from tests.scoring.items import ITEMS, case_item, write_suite

COLUMNS = (
    *("model", "model_kind", "level", "dataset", "construction", "phenomenon", "language", "treebank", "item_id"),
    *("condition", "grammatical", "against", "regions", "region_names", "logprobs", "tokens"),
    *("token_logprobs", "token_starts", "token_ends", "key"),
)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "scores" / "scores.parquet"


def many_items(count: int, first: int = 0) -> list[dict]:
    """Items that differ in one word."""
    nouns = ["კაცი", "ქალი", "ბავშვი", "წიგნი"]
    return [
        case_item(
            number, f"{nouns[number % 4]} და " * (number % 7), ["კაცმა", "კაცი", "კაცს"], f" {number} სახლი ააშენა."
        )
        for number in range(first, first + count)
    ]


def of_another(items: list[dict]) -> list[dict]:
    """The same items as those of a construction called `another`."""
    return [one | {"construction": "another"} for one in items]


def change_logprobs(path: Path, value: float) -> None:
    """Give all scores in a file another value, to see later where they went."""
    table = pq.read_table(path)
    lists = [[None if one is None else value for one in row] for row in table["logprobs"].to_pylist()]
    place = table.schema.get_field_index("logprobs")
    changed = table.set_column(place, "logprobs", pa.array(lists, pa.list_(pa.float64())))
    about = read_metadata(path)
    write_parquet(changed, path, about["schema"], about)


def test_the_table_is_the_documented_one(suite: Path, corpus: Path, output: Path) -> None:
    table = score([suite], "ngram", output, text=[corpus])
    assert tuple(table.schema.names) == COLUMNS
    assert pq.read_table(output).equals(table)
    assert table.schema.field("logprobs").type == pa.list_(pa.float64())
    assert table.schema.field("tokens").type == pa.list_(pa.int32())
    first = table.drop_columns(["logprobs", "token_logprobs", "key"]).slice(1, 1).to_pylist()
    assert first == [
        {
            "model": "ngram",
            "model_kind": "baseline",
            "level": "word",
            "dataset": "georgian",
            "construction": "ergative",
            "phenomenon": "case",
            "language": "kat",
            "treebank": "UD_Test-T",
            "item_id": "0000000000000001",
            "condition": "Erg",
            "grammatical": True,
            "against": None,
            "regions": ["", "კაცმა", " სახლი ააშენა."],
            "region_names": ["prefix", "target", "suffix"],
            "tokens": [0, 1, 0],
            "token_starts": [0],
            "token_ends": [5],
        }
    ]
    assert pq.ParquetFile(output).metadata.row_group(0).column(0).compression == "ZSTD"


def test_the_file_says_what_it_was_made_from(suite: Path, corpus: Path, output: Path) -> None:
    score([suite], "unigram", output, text=[corpus])
    metadata = read_metadata(output)
    digest = hashlib.sha256((suite / "items.parquet").read_bytes()).hexdigest()
    assert metadata["schema"] == "scores/1"
    assert metadata["suites"] == [{"dataset": "georgian", "suite": "ergative", "sha256": digest}]
    assert metadata["model"] == "unigram"
    # One line of the text is an item's sentence.
    assert (metadata["training"]["sentences"], metadata["training"]["held_out"]) == (12, 1)
    assert metadata["training"]["text"] == [
        {"name": "corpus.txt", "sha256": hashlib.sha256(corpus.read_bytes()).hexdigest()}
    ]


def test_the_unigram_scores_are_those_of_the_text(suite: Path, corpus: Path, output: Path) -> None:
    words = score([suite], "unigram", output, text=[corpus]).to_pylist()
    erg, nom, dat = (row["logprobs"][1] for row in words if row["level"] == "word" and row["item_id"].endswith("1"))
    # The text has "კაცმა" never, "კაცი" three times, "კაცს" once.
    assert nom > dat > erg


def test_the_order_of_the_folders_does_not_matter(suite: Path, corpus: Path, output: Path, tmp_path: Path) -> None:
    other = write_suite(many_items(3, first=10), tmp_path / "georgian" / "another")
    score([suite, other], "ngram", output, text=[corpus])
    first = output.read_bytes()
    output.unlink()
    score([other.parent], "ngram", output, text=[corpus])
    assert output.read_bytes() == first


def test_no_items_give_an_empty_table(tmp_path: Path, corpus: Path, output: Path) -> None:
    table = score([write_suite([], tmp_path / "d" / "s")], "ngram", output, text=[corpus])
    assert (len(table), tuple(table.schema.names)) == (0, COLUMNS)
    assert pq.read_schema(output).field("regions").type == pa.list_(pa.string())


def test_the_baselines_need_no_pytorch(suite: Path, corpus: Path, output: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from starbank.scoring import score
score([Path({str(suite)!r})], "ngram", Path({str(output)!r}), text=[Path({str(corpus)!r})])
print(sorted({{"torch", "transformers"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
    assert done.stderr == ""


def test_other_text_makes_other_scores(suite: Path, corpus: Path, output: Path) -> None:
    before = score([suite], "unigram", output, text=[corpus])
    corpus.write_text("კაცმა კაცმა კაცმა", encoding="utf-8")
    after = score([suite], "unigram", output, text=[corpus], overwrite=True)
    assert not set(before["key"].to_pylist()) & set(after["key"].to_pylist())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": ()}, "needs text to learn from"),
        ({"batch_tokens": 0}, "at least one token, not 0"),
        ({"kind": "encoder"}, "no such kind of model: encoder"),
    ],
)
def test_bad_options_are_named(suite: Path, corpus: Path, output: Path, options: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        score([suite], "ngram", output, **{"text": [corpus], **options})


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), lambda path: path.write_text("my only copy")])
def test_a_file_that_holds_no_scores_is_never_overwritten(suite: Path, corpus: Path, tmp_path: Path, make) -> None:
    output = tmp_path / "thesis.parquet"
    make(output)
    with pytest.raises(UsageError, match=r"thesis\.parquet: the output exists and holds no scores"):
        score([suite], "ngram", output, text=[corpus])
    with pytest.raises(UsageError, match="holds no scores"):
        score([suite], "ngram", suite / "items.parquet", text=[corpus])


class TestOneFileSeveralTimes:
    """What a file holds is neither overwritten nor dropped unasked."""

    @pytest.fixture
    def other(self, tmp_path: Path) -> Path:
        return write_suite(of_another(many_items(3, first=10)), tmp_path / "georgian" / "another")

    def test_scores_of_another_suite_stay(self, suite: Path, other: Path, corpus: Path, output: Path) -> None:
        first = score([suite], "ngram", output, text=[corpus])
        both = score([other], "ngram", output, text=[corpus])
        assert both.filter(pc.equal(both["construction"], "ergative")).equals(first)
        assert [about["suite"] for about in read_metadata(output)["suites"]] == ["another", "ergative"]
        assert both["construction"].to_pylist() == sorted(both["construction"].to_pylist())

    def test_another_model_is_refused(self, suite: Path, corpus: Path, output: Path) -> None:
        score([suite], "ngram", output, text=[corpus])
        before = output.read_bytes()
        with pytest.raises(
            UsageError, match=r"(?s)another model: ngram \(baseline, .*\), and not of unigram .*--overwrite"
        ):
            score([suite], "unigram", output, text=[corpus])
        assert output.read_bytes() == before
        table = score([suite], "unigram", output, text=[corpus], overwrite=True)
        assert set(table["model"].to_pylist()) == {"unigram"}

    def test_a_baseline_of_other_text_is_another_model(self, suite: Path, corpus: Path, output: Path) -> None:
        score([suite], "ngram", output, text=[corpus])
        news = corpus.with_name("news.txt")
        news.write_text("კაცმა თქვა.", encoding="utf-8")
        with pytest.raises(UsageError, match=r"corpus\.txt [0-9a-f]{7}\), and not of ngram \(.*news\.txt"):
            score([suite], "ngram", output, text=[news])

    def test_a_suite_made_anew_takes_the_place_of_the_old(
        self, suite: Path, corpus: Path, output: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        score([suite], "ngram", output, text=[corpus])
        write_suite(ITEMS[:2], suite)
        table = score([suite], "ngram", output, text=[corpus])
        assert set(table["item_id"].to_pylist()) == {one["item_id"] for one in ITEMS[:2]}
        assert "the scores of 3 items that the suites no longer have are dropped" in caplog.text

    def test_a_suite_that_has_become_empty_keeps_no_scores(self, suite: Path, corpus: Path, output: Path) -> None:
        score([suite], "ngram", output, text=[corpus])
        write_suite([], suite)
        assert len(score([suite], "ngram", output, text=[corpus])) == 0

    def test_scores_of_other_levels_stay(self, suite: Path, corpus: Path, output: Path) -> None:
        score([suite], "ngram", output, text=[corpus], levels=["word"])
        table = score([suite], "ngram", output, text=[corpus], levels=["sentence"])
        assert table.equals(score([suite], "ngram", output.with_name("both.parquet"), text=[corpus]))

    def test_a_model_has_the_name_that_it_is_given(self, suite: Path, corpus: Path, output: Path) -> None:
        table = score([suite], "ngram", output, text=[corpus], name="words only")
        assert set(table["model"].to_pylist()) == {"words only"}
        assert (read_metadata(output)["model"], read_metadata(output)["origin"]) == ("words only", "ngram")
        with pytest.raises(UsageError, match="this is no name"):
            score([suite], "ngram", output, text=[corpus], name=" ")


@pytest.mark.models
@pytest.mark.xdist_group("models")
class TestReuse:
    """Scores of a network, which are dear."""

    def test_only_what_is_new_is_computed(self, models: Path, suite: Path, tmp_path: Path, output: Path) -> None:
        one = score([suite], str(models / "masked"), output)
        change_logprobs(output, -99.0)
        other = write_suite(many_items(2, first=10), tmp_path / "georgian" / "another")
        both = score([suite, other], str(models / "masked"), output)
        kept = [row for row in both.to_pylist() if row["key"] in set(one["key"].to_pylist())]
        new = [row for row in both.to_pylist() if row["key"] not in set(one["key"].to_pylist())]
        assert len(kept) == len(one)
        assert {value for row in kept for value in row["logprobs"]} == {-99.0, None}
        assert len(new) == 24
        assert -99.0 not in {value for row in new for value in row["logprobs"]}

    def test_overwriting_leaves_only_what_is_asked_for(
        self, models: Path, suite: Path, tmp_path: Path, output: Path
    ) -> None:
        other = write_suite(many_items(2, first=10), tmp_path / "georgian" / "another")
        alone = score([suite], str(models / "causal"), output)
        score([suite, other], str(models / "causal"), output)
        assert score([suite], str(models / "causal"), output, overwrite=True).equals(alone)

    def test_other_weights_make_other_scores(self, models: Path, suite: Path, tmp_path: Path, output: Path) -> None:
        folder = Path(shutil.copytree(models / "causal-pieces", tmp_path / "model"))
        before = score([suite], str(folder), output)
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | {"layer_norm_epsilon": 0.1}))
        with pytest.raises(UsageError, match="holds scores of another model"):
            score([suite], str(folder), output)
        after = score([suite], str(folder), output, overwrite=True)
        assert before["key"] != after["key"]
        assert before["logprobs"] != after["logprobs"]

    def test_nothing_new_does_not_even_load_the_model(self, models: Path, suite: Path, output: Path) -> None:
        score([suite], str(models / "causal"), output)
        first = output.read_bytes()
        score([suite], str(models / "causal"), output, device="no such device")
        assert output.read_bytes() == first

    def test_the_same_text_runs_once(
        self, models: Path, tmp_path: Path, output: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from transformers import GPT2LMHeadModel

        subject = write_suite(many_items(3), tmp_path / "d" / "subject")
        same = write_suite([row | {"construction": "same"} for row in many_items(3)], tmp_path / "d" / "same")
        forward, tokens = GPT2LMHeadModel.forward, []

        def count(self, input_ids, **others):
            tokens.append(input_ids.numel())
            return forward(self, input_ids, **others)

        monkeypatch.setattr(GPT2LMHeadModel, "forward", count)
        score([subject], str(models / "causal"), tmp_path / "alone.parquet")
        alone = sum(tokens)
        assert len(score([subject, same], str(models / "causal"), output)) == 36
        assert sum(tokens) == 2 * alone

    def test_levels_can_be_chosen(self, models: Path, suite: Path, tmp_path: Path, output: Path) -> None:
        table = score([suite], str(models / "masked"), output, levels=["word-together"])
        assert set(table["level"].to_pylist()) == {"word-together"}
        with pytest.raises(UsageError, match="no such level of a causal model: word-together"):
            score([suite], str(models / "causal"), tmp_path / "causal.parquet", levels=["word-together"])

    def test_a_killed_run_continues_to_the_same_bytes(self, models: Path, tmp_path: Path, output: Path) -> None:
        suite = write_suite(many_items(15), tmp_path / "data" / "many")
        model = str(models / "causal")
        score([suite], model, tmp_path / "undisturbed.parquet", batch_tokens=64)
        # The process kills itself while it renames the journal's third file.
        code = f"""
import os, signal, sys
from pathlib import Path
from starbank.scoring import score
renamed = []
def watch(event, arguments):
    if event == "os.rename" and ".partial" in str(arguments[1]):
        renamed.append(event)
        if len(renamed) == 3:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
score([Path({str(suite)!r})], {model!r}, Path({str(output)!r}), batch_tokens=64)
"""
        killed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        journal = output.with_name("scores.parquet.partial")
        assert not output.exists()
        assert len(list(journal.glob("*.parquet"))) == 2
        copy = shutil.copytree(journal, tmp_path / "copy")

        score([suite], model, output, batch_tokens=64)
        assert output.read_bytes() == (tmp_path / "undisturbed.parquet").read_bytes()
        assert [path.name for path in output.parent.iterdir()] == ["scores.parquet"]

        # The chunks of another run, of this model or another, are not forgotten.
        shutil.copytree(copy, journal)
        other = write_suite(of_another(many_items(2, first=100)), tmp_path / "data" / "another")
        score([other], model, output)
        assert not journal.exists()  # All that they hold is in the product.
        output.unlink()
        shutil.copytree(copy, journal)
        score([other], model, output)
        assert len(list(journal.glob("*.parquet"))) == 2
        output.unlink()
        with pytest.raises(UsageError, match="an unfinished run of another model is kept here: causal"):
            score([suite], str(models / "masked"), output)

        # And it did continue: what the journal says is what the product says.
        shutil.rmtree(journal)
        shutil.move(copy, journal)
        finished = sorted(journal.glob("*.parquet"))
        change_logprobs(finished[0], -99.0)
        finished[1].write_bytes(b"torn by a power cut")
        table = score([suite], model, output, batch_tokens=64)
        marked = [row for row in table.to_pylist() if -99.0 in row["logprobs"]]
        assert 0 < len(marked) < len(table) / 2
