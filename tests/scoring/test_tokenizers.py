"""A tokenizer of another model than the weights, files of two models in one folder, is doubted."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from starbank.scoring import score
from tests.scoring.items import case_item, write_suite
from tests.scoring.test_language_models import load

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models")]


class TestTokenizersOfAnotherModel:
    """Files of two models in one folder."""

    @pytest.fixture
    def warnings(self, models: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Callable[..., list[str]]:
        def run(model: str, tokenizer: str, texts: list[str]) -> list[str]:
            folder = Path(shutil.copytree(models / model, tmp_path / "model"))
            for path in [*folder.glob("tokenizer*"), *(models / tokenizer).glob("tokenizer*")]:
                path.unlink() if path.parent == folder else shutil.copy(path, folder)
            suite = write_suite([case_item(1, "", texts, "")], tmp_path / "data" / "suite")
            score([suite], str(folder), tmp_path / "scores.parquet")
            return [record.getMessage() for record in caplog.records]

        return run

    def test_special_tokens_that_differ_are_told(self, warnings: Callable) -> None:
        told = warnings("masked", "masked-pieces", ["The key", "The keys"])
        assert told[0] == (
            "the padding token of model is 1 in its tokenizer and 0 in its config.json: "
            "are tokenizer and weights those of one model?"
        )

    def test_more_tokens_than_the_model_knows_are_told(self, warnings: Callable) -> None:
        told = warnings("causal-pieces", "causal", ["aaa", "aa"])
        assert told[0].startswith("the tokenizer of model has tokens up to 359, but the model knows only 102 tokens")

    def test_words_that_the_tokenizer_does_not_know_are_told(self, warnings: Callable) -> None:
        told = warnings("masked", "masked", ["Ծառ Ծառ Ծառ", "Շուն Շուն Շուն"])
        assert (
            "100% of the tokens are unknown to the tokenizer of model: "
            "sentences that differ in unknown words have the same score"
        ) in told

    def test_less_than_a_blind_guess_is_told(self, models: Path, warnings: Callable) -> None:
        from transformers import AutoModelForMaskedLM

        # Letters that the model holds for all but impossible, whatever its training has made of them.
        unlikely = AutoModelForMaskedLM.from_pretrained(models / "masked")
        letters = load(models / "masked", masked=True)[1](
            ["tttttttttttttt", "hhhhhhhhhhhhhh"], add_special_tokens=False
        )["input_ids"]
        unlikely.get_output_embeddings().bias.data[sorted({token for ids in letters for token in ids})] = -30
        unlikely.save_pretrained(models / "unlikely")
        messages = warnings("unlikely", "masked", ["tttttttttttttt", "hhhhhhhhhhhhhh"])
        assert any("less than a blind guess among its" in message for message in messages)

    def test_a_model_and_its_tokenizer_are_not_doubted(self, warnings: Callable) -> None:
        assert warnings("causal", "causal", ["The key to the cabinet is on the table.", "კაცმა სახლი ააშენა."]) == []
