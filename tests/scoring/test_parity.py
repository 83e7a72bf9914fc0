"""Scores equal those of the programs that the field uses: minicons and lm-evaluation-harness, to 1e-4 in float32.

Both are installed by `pip install 'starbank[parity]'`; without them these tests are skipped.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from starbank.scoring import score
from tests.scoring.items import case_item, write_suite

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models")]

# Sentences whose target stands by itself, so that a token ends where it begins: the yardsticks cut there too.
ITEMS = [
    case_item(1, "ბავშვმა ", ["წიგნი", "წიგნმა", "წიგნს"], " წაიკითხა."),
    case_item(2, "გუშინ ", ["ქალმა", "ქალი", "ქალს"], " წიგნი წაიკითხა, მაგრამ კაცი არ დაინახა."),
    case_item(3, "The man's ", ["dogs", "dog"], " don't bark."),
    case_item(4, "लड़की ने ", ["लड़के", "लड़का"], " को देखा।"),
    case_item(5, "Mutilak ", ["liburuak", "liburua"], " irakurri ditu."),
]
Scores = dict[tuple[str, str], dict[str, Any]]


def total(scores: Any) -> float:
    """Minicons averages unless it is told to sum."""
    return scores.sum(0).item()


@pytest.fixture(scope="module")
def ours(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Scores]:
    """Our scores by a model at a level; they are computed once for all levels."""
    suite = write_suite(ITEMS, tmp_path_factory.mktemp("data") / "suite")

    @cache
    def all_levels(name: str, **options: Any) -> list[dict[str, Any]]:
        return score([suite], str(models / name), tmp_path_factory.mktemp(name) / "scores", **options).to_pylist()

    def run(name: str, level: str = "sentence", **options: Any) -> Scores:
        rows = [row for row in all_levels(name, **options) if row["level"] == level]
        assert len(rows) == 12
        return {(row["item_id"], row["condition"]): row for row in rows}

    return run


def sentences(rows: Scores) -> list[str]:
    return ["".join(row["regions"]) for row in rows.values()]


def parts(rows: Scores) -> tuple[list[str], list[str], list[str]]:
    """Prefixes, targets and suffixes, without the space between them."""
    columns = zip(*([part.strip() for part in row["regions"]] for row in rows.values()), strict=True)
    prefixes, targets, suffixes = map(list, columns)
    return prefixes, targets, suffixes


class TestMinicons:
    """One call of minicons for all sentences (which pads them), and ours in batches of several sizes."""

    @pytest.fixture(autouse=True)
    def _scorers(self) -> None:
        warnings.simplefilter("ignore")
        self.scorer = pytest.importorskip("minicons.scorer", reason="needs minicons")

    def masked(self, folder: Path) -> Any:
        model = self.scorer.MaskedLMScorer(str(folder))
        # Version 0.3.39 calls a method that transformers 5 no longer has.
        model.tokenizer.batch_encode_plus = lambda text, **options: model.tokenizer(text, **options)
        return model

    @pytest.mark.parametrize("batch_tokens", [60, 8192])
    @pytest.mark.parametrize(("name", "beginning"), [("causal", True), ("causal-pieces", False)])
    def test_sequence_score(self, ours: Callable, models: Path, name: str, beginning: bool, batch_tokens: int) -> None:
        rows = ours(name, batch_tokens=batch_tokens)
        theirs = self.scorer.IncrementalLMScorer(str(models / name))
        expected = theirs.sequence_score(sentences(rows), reduction=total, bos_token=beginning)
        assert [sum(row["logprobs"]) for row in rows.values()] == pytest.approx(expected, abs=1e-4)
        mean = theirs.sequence_score(sentences(rows), bos_token=beginning)
        ratios = [sum(row["logprobs"]) / sum(row["tokens"]) for row in rows.values()]
        assert ratios == pytest.approx(mean, abs=1e-4)

    @pytest.mark.parametrize(("name", "beginning"), [("causal", True), ("causal-without-beginning", False)])
    def test_conditional_score(self, ours: Callable, models: Path, name: str, beginning: bool) -> None:
        rows = ours(name)
        prefixes, targets, suffixes = parts(rows)
        continuations = [f"{target} {suffix}" for target, suffix in zip(targets, suffixes, strict=True)]
        theirs = self.scorer.IncrementalLMScorer(str(models / name))
        expected = theirs.conditional_score(prefixes, continuations, reduction=total, bos_token=beginning)
        assert [sum(row["logprobs"][1:]) for row in rows.values()] == pytest.approx(expected, abs=1e-4)
        forms = theirs.conditional_score(prefixes, targets, reduction=total, bos_token=beginning)
        words = ours(name, "word").values()
        assert [row["logprobs"][1] for row in words] == pytest.approx(forms, abs=1e-4)

    @pytest.mark.parametrize("batch_tokens", [100, 8192])
    @pytest.mark.parametrize("name", ["masked", "masked-pieces"])
    @pytest.mark.parametrize(("level", "metric"), [("sentence", "within_word_l2r"), ("sentence-original", "original")])
    def test_pseudo_log_likelihood(
        self, ours: Callable, models: Path, name: str, level: str, metric: str, batch_tokens: int
    ) -> None:
        rows = ours(name, level, batch_tokens=batch_tokens)
        expected = self.masked(models / name).sequence_score(sentences(rows), reduction=total, PLL_metric=metric)
        assert [sum(row["logprobs"]) for row in rows.values()] == pytest.approx(expected, abs=1e-4)

    @pytest.mark.parametrize(("level", "metric"), [("sentence", "within_word_l2r"), ("sentence-original", "original")])
    def test_a_word_in_its_sentence(self, ours: Callable, models: Path, level: str, metric: str) -> None:
        rows = ours("masked", level)
        prefixes, targets, suffixes = parts(rows)
        theirs = self.masked(models / "masked")
        expected = theirs.conditional_score(prefixes, targets, suffixes, reduction=total, PLL_metric=metric)
        assert [row["logprobs"][1] for row in rows.values()] == pytest.approx(expected, abs=1e-4)

    def test_an_encoder_decoder(self, models: Path) -> None:
        """Minicons can only ask for what follows a text: the encoder sees the text, without an end."""
        from starbank.scoring import plans
        from starbank.scoring.network import Network
        from starbank.scoring.sources import Settings, find_model

        theirs = self.scorer.Seq2SeqScorer(str(models / "encoder-decoder"))
        # Told of no beginning, minicons adds one, with random weights, to model and vocabulary.
        theirs.model.resize_token_embeddings(theirs.model.config.vocab_size - 1)
        prefixes = ["ბავშვმა წიგნი", "The keys to", "Mutilak"]
        endings = ["წაიკითხა.", "the cabinet are on the table.", "liburuak irakurri ditu."]
        expected = theirs.conditional_score(prefixes, endings, reduction=total)

        network = Network(find_model(str(models / "encoder-decoder")), Settings())
        tokens = network.tokenise(endings)
        sources = [shown.ids for shown in network.tokenise(prefixes)]
        plan = plans.Plan()
        for number, (own, source) in enumerate(zip(tokens, sources, strict=True)):
            ids = np.concatenate([network.frame.prompt, own.ids[:-1]])
            plan.read(number, own, slice(None), ids, np.arange(len(own.ids)), source)
        scores = plan.run(network.logprobs)
        assert np.bincount(scores.text, scores.logprob).tolist() == pytest.approx(expected, abs=1e-4)


BLIMP = """
task: parity_blimp
doc_to_text: ""
doc_to_choice: "{{[sentence_good, sentence_bad]}}"
target_delimiter: ""
"""
BHS = """
task: parity_bhs
doc_to_text: "{{context}}"
doc_to_choice: "{{[ending_good, ending_bad]}}"
"""
BOTH = """
dataset_path: parquet
dataset_kwargs: {{data_files: {{test: {path}}}}}
output_type: multiple_choice
test_split: test
doc_to_target: 0
num_fewshot: 0
metric_list: [{{metric: acc, aggregation: mean}}, {{metric: acc_norm, aggregation: mean}}]
metadata: {{version: 0}}
"""


class TestHarness:
    """The harness runs tasks as BLiMP and BHS have them, on the same items, and logs what it gives each sentence."""

    @pytest.fixture
    def evaluate(self, tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
        monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
        evaluator = pytest.importorskip("lm_eval", reason="needs lm-eval")
        from lm_eval.models.huggingface import HFLM
        from lm_eval.tasks import TaskManager

        def run(name: str, task: str, pairs: list[dict[str, str]], backend: str = "causal") -> Any:
            path = tmp_path / "pairs.parquet"
            pq.write_table(pa.Table.from_pylist(pairs), path)
            (tmp_path / "task.yaml").write_text(task + BOTH.format(path=path))
            model = HFLM(str(models / name), backend=backend, device="cpu", dtype="float32", batch_size=5)
            manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
            label = task.split()[1]
            found = evaluator.simple_evaluate(
                model, tasks=[label], task_manager=manager, log_samples=True, bootstrap_iters=0
            )
            given = [[value[0][0] for value in doc["resps"]] for doc in sorted(found["samples"][label], key=by_number)]
            return found["results"][label], given

        return run

    @pytest.mark.parametrize(("name", "backend"), [("causal", "causal"), ("encoder-decoder", "seq2seq")])
    def test_whole_sentences(self, ours: Callable, evaluate: Callable, name: str, backend: str) -> None:
        pairs = in_pairs(ours(name))
        whole = [["".join(row["regions"]) for row in pair] for pair in pairs]
        texts = [{"sentence_good": good, "sentence_bad": bad} for good, bad in whole]
        results, given = evaluate(name, BLIMP, texts, backend)
        scores = [[sum(row["logprobs"]) for row in pair] for pair in pairs]
        assert np.array(given) == pytest.approx(np.array(scores), abs=1e-4)
        compare(results, np.array(scores), np.array([[len(text) for text in pair] for pair in whole]))

    def test_endings_of_a_context(self, ours: Callable, evaluate: Callable) -> None:
        pairs = in_pairs(ours("causal-without-beginning"))
        endings = [["".join(row["regions"][1:]) for row in pair] for pair in pairs]
        texts = [
            {"context": pair[0]["regions"][0].strip(), "ending_good": good, "ending_bad": bad}
            for pair, (good, bad) in zip(pairs, endings, strict=True)
        ]
        results, given = evaluate("causal-without-beginning", BHS, texts)
        scores = [[sum(row["logprobs"][1:]) for row in pair] for pair in pairs]
        assert np.array(given) == pytest.approx(np.array(scores), abs=1e-4)
        compare(results, np.array(scores), np.array([[len(ending) for ending in pair] for pair in endings]))


def by_number(doc: dict[str, Any]) -> int:
    return doc["doc_id"]


def in_pairs(rows: Scores) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each starred condition with the grammatical one of its item."""
    return [(rows[item, row["against"]], row) for (item, _), row in rows.items() if not row["grammatical"]]


def compare(results: dict[str, float], scores: np.ndarray, lengths: np.ndarray) -> None:
    """The accuracies of the harness are those of our scores, as sums and per character."""
    assert results["acc,none"] == pytest.approx(float(np.mean(scores.argmax(axis=1) == 0)))
    assert results["acc_norm,none"] == pytest.approx(float(np.mean((scores / lengths).argmax(axis=1) == 0)))
