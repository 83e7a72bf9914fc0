"""Scores of real, if tiny, models equal those of a plain and slow reference: one forward pass per token."""

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from starbank.errors import ModelError
from starbank.scoring import score
from tests.scoring.items import ITEMS, case_item, write_suite

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models")]

# A model, the tokens it puts before and after a text, and whether it is masked.
MODELS = [
    ("causal", ["<|endoftext|>"], [], False),
    ("causal-without-beginning", [], [], False),
    ("causal-pieces", [], [], False),
    ("masked", ["[CLS]"], ["[SEP]"], True),
    ("masked-pieces", ["<s>"], ["</s>"], True),
]


@cache
def load(folder: Path, masked: bool) -> tuple[Any, Any]:
    """Load a model and its tokenizer with transformers alone."""
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

    auto = AutoModelForMaskedLM if masked else AutoModelForCausalLM
    return auto.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)


def logprob(model: Any, ids: list[int], position: int, token: int) -> float:
    """ln p of `token` at `position` of the input `ids`."""
    import torch

    with torch.no_grad():
        return model(input_ids=torch.tensor([ids])).logits[0, position].float().log_softmax(-1)[token].item()


class Reference:
    """The formulas of docs/metrics.md, written down one token at a time."""

    def __init__(self, folder: Path, before: list[str], after: list[str], masked: bool) -> None:
        self.model, self.tokenizer = load(folder, masked)
        self.masked = masked
        self.before, self.after = (self.tokenizer.convert_tokens_to_ids(special) for special in (before, after))

    def tokens(self, text: str) -> list[tuple[int, int, int]]:
        """(id, first visible character, word) of each token."""
        encoded = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        found = []
        for number, (token, (start, _)) in enumerate(zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)):
            while text[start].isspace():
                start += 1
            found.append((token, start, encoded.word_ids(0)[number]))
        return found

    def sentence(self, text: str) -> list[tuple[int, float]]:
        """(first character, ln p) of each token that has a probability."""
        tokens = self.tokens(text)
        ids = [token for token, _, _ in tokens]
        scores = []
        for i, (token, start, word) in enumerate(tokens):
            if self.masked:
                hidden = [
                    self.tokenizer.mask_token_id if j >= i and tokens[j][2] == word else ids[j] for j in range(len(ids))
                ]
                scores.append(
                    (start, logprob(self.model, [*self.before, *hidden, *self.after], len(self.before) + i, token))
                )
            elif self.before or i:
                context = [*self.before, *ids[:i]]
                scores.append((start, logprob(self.model, context, len(context) - 1, token)))
        return scores

    def word(self, text: str, start: int, end: int) -> float | None:
        """ln p of the tokens that begin in `text[start:end]`."""
        if not self.masked:
            scores = self.sentence(text)
            first = next(at for _, at, _ in self.tokens(text) if start <= at < end)
            inside = [p for at, p in scores if start <= at < end]
            return sum(inside) if first in dict(scores) and (self.before or start > 0) else None
        ids = [token for token, _, _ in self.tokens(text)]
        target = [i for i, (_, at, _) in enumerate(self.tokens(text)) if start <= at < end]
        total = 0.0
        for i in target:
            shown = [*self.before, *ids[:i], self.tokenizer.mask_token_id, *ids[target[-1] + 1 :], *self.after]
            total += logprob(self.model, shown, len(self.before) + i, ids[i])
        return total


@pytest.fixture(scope="module")
def scored(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[dict]]:
    """The scores of a model, with options, of which every test gets the same."""
    suite = write_suite(ITEMS, tmp_path_factory.mktemp("data") / "georgian" / "ergative")

    @cache
    def run(name: str, **options: Any) -> list[dict]:
        return score([suite], str(models / name), tmp_path_factory.mktemp(name) / "scores", **options).to_pylist()

    return run


@pytest.mark.parametrize(("name", "before", "after", "masked"), MODELS)
def test_sentence_scores_equal_the_reference(
    scored: Callable, models: Path, name: str, before: list[str], after: list[str], masked: bool
) -> None:
    reference = Reference(models / name, before, after, masked)
    rows = [row for row in scored(name) if row["level"] == "sentence"]
    assert len(rows) == 12
    for row in rows:
        expected, counts = [0.0, 0.0, 0.0], [0, 0, 0]
        prefix, target, _ = row["regions"]
        for start, value in reference.sentence("".join(row["regions"])):
            region = 0 if start < len(prefix) else 1 if start < len(prefix + target) else 2
            expected[region] += value
            counts[region] += 1
        assert row["logprobs"] == pytest.approx(expected, abs=1e-4)
        assert row["tokens"] == counts


@pytest.mark.parametrize(("name", "mask"), [("encoder-decoder", "<extra_id_0>"), ("encoder-decoder-bart", "<mask>")])
def test_an_encoder_decoder_equals_the_reference(scored: Callable, models: Path, name: str, mask: str) -> None:
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    model = AutoModelForSeq2SeqLM.from_pretrained(models / name).eval()
    tokenizer = AutoTokenizer.from_pretrained(models / name)

    def total(source: list[int], given: list[int], asked: list[int]) -> float:
        """ln p of the tokens `asked`, one after the other, by a decoder that begins with the tokens `given`."""
        seen, value = [model.config.decoder_start_token_id, *given], 0.0
        for token in asked:
            with torch.no_grad():
                inputs = {"input_ids": torch.tensor([source]), "decoder_input_ids": torch.tensor([seen])}
                value += model(**inputs).logits[0, -1].log_softmax(-1)[token].item()
            seen.append(token)
        return value

    before = [tokenizer.bos_token_id] if name.endswith("bart") else []
    end, hole = tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids(mask)
    rows = scored(name)
    assert {row["model_kind"] for row in rows} == {"encoder-decoder"}
    for sentence, word in zip(rows[0::2], rows[1::2], strict=True):
        encoded = tokenizer("".join(sentence["regions"]), add_special_tokens=False, return_offsets_mapping=True)
        ids = encoded["input_ids"]
        assert sum(sentence["logprobs"]) == pytest.approx(total([*before, end], before, ids), abs=1e-4)
        start, stop = word["token_starts"][0], word["token_ends"][-1]
        inside = [n for n, (a, b) in enumerate(encoded["offset_mapping"]) if a < stop and b > start]
        prefix, form, suffix = ids[: inside[0]], ids[inside[0] : inside[-1] + 1], ids[inside[-1] + 1 :]
        assert word["tokens"] == [0, len(form), 0]
        given = [*before, *prefix] if before else [hole]
        expected = total([*before, *prefix, hole, *suffix, end], given, form)
        assert word["logprobs"] == [None, pytest.approx(expected, abs=1e-4), None]


@pytest.mark.parametrize(("name", "before", "after", "masked"), MODELS)
def test_word_scores_equal_the_reference(
    scored: Callable, models: Path, name: str, before: list[str], after: list[str], masked: bool
) -> None:
    reference = Reference(models / name, before, after, masked)
    rows = [row for row in scored(name) if row["level"] == "word"]
    assert len(rows) == 12
    for row in rows:
        prefix, target, _ = row["regions"]
        start, end = len(prefix), len(prefix + target)
        if row["item_id"] == ITEMS[4]["item_id"]:  # The target is inside the word "ბავშვ|მა|ც".
            start, end = start - len("ბავშვ"), end + len("ც")
        expected = reference.word("".join(row["regions"]), start, end)
        assert row["logprobs"] == [None, expected if expected is None else pytest.approx(expected, abs=1e-4), None]


def test_a_sentence_that_begins_with_its_target_needs_a_beginning(scored: Callable) -> None:
    first = scored("causal-without-beginning")[:2]
    assert [row["level"] for row in first] == ["sentence", "word"]
    assert (first[1]["logprobs"], first[1]["tokens"]) == ([None, None, None], [0, 0, 0])
    assert scored("causal")[1]["logprobs"][1] < 0


@pytest.mark.parametrize("name", ["causal", "masked", "masked-pieces"])
def test_batches_change_nothing(scored: Callable, name: str) -> None:
    for one, other in zip(scored(name), scored(name, batch_tokens=1), strict=True):
        assert one["logprobs"] == [
            value if value is None else pytest.approx(value, abs=1e-4) for value in other["logprobs"]
        ]


@pytest.mark.parametrize("name", ["causal", "masked", "encoder-decoder"])
def test_a_model_can_be_spread_over_what_there_is(scored: Callable, name: str) -> None:
    pytest.importorskip("accelerate", reason="needs accelerate")
    spread = [row["logprobs"] for row in scored(name, device="auto")]
    for one, row in zip(spread, scored(name), strict=True):
        assert one == [value if value is None else pytest.approx(value, abs=1e-4) for value in row["logprobs"]]


@pytest.mark.parametrize("name", ["causal", "masked", "encoder-decoder"])
def test_the_side_on_which_a_tokenizer_pads_changes_nothing(
    scored: Callable, models: Path, suite: Path, tmp_path: Path, name: str
) -> None:
    folder = Path(shutil.copytree(models / name, tmp_path / "model"))
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | {"padding_side": "left"}))
    rows = score([suite], str(folder), tmp_path / "left.parquet")
    assert rows["logprobs"].to_pylist() == [row["logprobs"] for row in scored(name)]


@pytest.mark.parametrize(("name", "limit"), [("masked-pieces", 64), ("causal-pieces", 64)])
def test_a_text_longer_than_the_model_reads_is_scored_whole(
    models: Path, tmp_path: Path, name: str, limit: int
) -> None:
    suite = write_suite(
        [case_item(1, "კაცი და ქალი და " * 20, ["კაცს", "კაცი"], " და ქალი." * 20)], tmp_path / "d" / "s"
    )
    row = score([suite], str(models / name), tmp_path / "scores.parquet").to_pylist()[0]
    assert sum(row["tokens"]) > 2 * limit
    assert all(value < 0 for value in row["logprobs"])


def fail(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    "error",
    [
        lambda torch: fail(torch.OutOfMemoryError("CUDA out of memory")),
        lambda torch: torch.empty(10**15),
        lambda _: bytearray(10**15),
        lambda _: fail(RuntimeError("std::bad_alloc")),
    ],
    ids=["cuda", "cpu", "python", "c++"],
)
def test_memory_that_is_too_small_halves_the_batch(
    scored: Callable, models: Path, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Callable
) -> None:
    import torch
    from transformers import BertForMaskedLM

    enough = [row["logprobs"] for row in scored("masked") if row["level"] == "sentence"]
    forward, sizes = BertForMaskedLM.forward, []

    def small(self: Any, input_ids: Any, **others: Any) -> Any:
        sizes.append(len(input_ids))
        if len(input_ids) > 5:
            error(torch)
        return forward(self, input_ids, **others)

    monkeypatch.setattr(BertForMaskedLM, "forward", small)
    table = score([suite], str(models / "masked"), tmp_path / "small.parquet", levels=["sentence"])
    assert max(sizes) > 5 >= sizes[-1]
    for one, other in zip(enough, table["logprobs"].to_pylist(), strict=True):
        assert one == [value if value is None else pytest.approx(value, abs=1e-4) for value in other]


def test_one_text_that_does_not_fit_is_an_error(
    models: Path, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from transformers import BertForMaskedLM

    def none(*_: Any, **__: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(BertForMaskedLM, "forward", none)
    with pytest.raises(ModelError, match=r"a text of \d+ tokens is too much for the memory of cpu"):
        score([suite], str(models / "masked"), tmp_path / "none.parquet")


def test_a_device_that_is_not_there_is_named(models: Path, suite: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such device: cuda:99"):
        score([suite], str(models / "masked"), tmp_path / "scores.parquet", device="cuda:99")


class TestNumbersThatAreMissing:
    """A model whose numbers break for one word only: the embedding of a token is NaN."""

    @pytest.fixture
    def broken(self, models: Path, tmp_path: Path) -> Path:
        """The model `causal`, which has no numbers for texts with a question mark."""
        return break_tokens(models / "causal", tmp_path / "broken", "?")

    def test_a_text_without_numbers_is_named_and_the_rest_is_scored(
        self, models: Path, broken: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        items = [case_item(1, "The ", ["key", "keys"], " is on the table."), case_item(2, "The ", ["key", "ke?"], ".")]
        suite = write_suite(items, tmp_path / "english" / "number")
        rows = score([suite], str(broken), tmp_path / "scores.parquet").to_pylist()
        whole = score([suite], str(models / "causal"), tmp_path / "whole.parquet").to_pylist()
        for row, right in zip(rows[:6], whole[:6], strict=True):
            assert row["logprobs"] == [value if value is None else pytest.approx(value) for value in right["logprobs"]]
        assert [row["regions"][1] for row in rows[6:]] == ["ke?", "ke?"]
        assert [(row["level"], row["logprobs"], row["tokens"]) for row in rows[6:]] == [
            ("sentence", [None] * 3, [0, 0, 0]),
            ("word", [None] * 3, [0, 0, 0]),
        ]
        assert {value for row in rows[6:] for value in row["token_logprobs"]} == {None}
        named = [record.getMessage() for record in caplog.records if "NaN" in record.getMessage()]
        assert named == [
            "the model broken gives no probabilities (NaN) for a text, which stays without a score: The ke?."
        ]

    def test_a_model_without_any_numbers_is_refused(self, models: Path, suite: Path, tmp_path: Path) -> None:
        folder = break_tokens(models / "causal", tmp_path / "broken", None)
        with pytest.raises(ModelError, match=r"gives no probabilities \(NaN\): its weights are broken"):
            score([suite], str(folder), tmp_path / "scores.parquet")


def break_tokens(model: Path, folder: Path, token: str | None) -> Path:
    """Save `model` with the embedding of `token`, or of all, NaN on the side of the input."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    broken, tokenizer = AutoModelForCausalLM.from_pretrained(model), AutoTokenizer.from_pretrained(model)
    broken.config.tie_word_embeddings = False
    broken.lm_head.weight = type(broken.lm_head.weight)(broken.lm_head.weight.detach().clone())
    which = slice(None) if token is None else tokenizer.convert_tokens_to_ids(token)
    broken.transformer.wte.weight.data[which] = float("nan")
    broken.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"quantization_config": {"quant_method": "quanto", "weights": "int8"}},
            "needs another library: .*pip install",
        ),
        ({"architectures": 5}, "its architectures are no list of names"),
        ({"architectures": [1]}, "its architectures are no list of names"),
        ({"num_attention_heads": "many"}, "cannot load"),
        ({"model_type": "unheard-of"}, "cannot load the model of model with transformers"),
        ({"activation_function": "none"}, "cannot load the model of model with transformers"),
    ],
)
def test_a_broken_configuration_is_one_message(
    models: Path, suite: Path, tmp_path: Path, change: dict, message: str
) -> None:
    folder = Path(shutil.copytree(models / "causal", tmp_path / "model"))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | change))
    with pytest.raises(ModelError, match=message):
        score([suite], str(folder), tmp_path / "scores.parquet")


def test_a_tokenizer_that_fails_is_one_message(models: Path, suite: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(models / "causal", tmp_path / "model"))
    words = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "<unk>"}
    (folder / "tokenizer.json").write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": words}))
    with pytest.raises(ModelError, match=r"the model model has a tokenizer that fails: .*UNK"):
        score([suite], str(folder), tmp_path / "scores.parquet")
