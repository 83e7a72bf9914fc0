"""Adapters on top of a model, and the precision that a model calculates in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from starbank.errors import ModelError, UsageError
from starbank.files import read_metadata
from starbank.scoring import score
from starbank.scoring.adapters import with_adapter
from starbank.scoring.precision import own_dtype, settle
from starbank.scoring.sources import Settings, find_model

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("models")]


@pytest.fixture
def lora(models: Path, tmp_path: Path) -> Path:
    """A LoRA adapter with random weights on the attention of `causal`, as after 500 steps of training."""
    import torch
    from transformers import AutoModelForCausalLM

    peft = pytest.importorskip("peft", reason="needs peft")
    torch.manual_seed(0)
    config = peft.LoraConfig(r=4, target_modules=["c_attn"], init_lora_weights=False, task_type="CAUSAL_LM")
    folder = tmp_path / "lora" / "checkpoint-500"
    peft.get_peft_model(AutoModelForCausalLM.from_pretrained(models / "causal"), config).save_pretrained(folder)
    return folder


def test_an_adapter_changes_what_the_model_says(models: Path, lora: Path, suite: Path, tmp_path: Path) -> None:
    import peft
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = tmp_path / "scores.parquet"
    row = score([suite], str(models / "causal"), path, adapter=str(lora), levels=["sentence"]).to_pylist()[0]
    tokenizer = AutoTokenizer.from_pretrained(models / "causal")
    adapted = peft.PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(models / "causal"), lora).eval()
    ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer("".join(row["regions"]))["input_ids"]]])
    with torch.no_grad():
        logits = adapted(input_ids=ids).logits[0, :-1].log_softmax(-1)
    assert sum(row["logprobs"]) == pytest.approx(logits.gather(1, ids[0, 1:, None]).sum().item(), abs=1e-4)
    plain = score([suite], str(models / "causal"), tmp_path / "plain.parquet", levels=["sentence"]).to_pylist()[0]
    assert abs(sum(plain["logprobs"]) - sum(row["logprobs"])) > 0.1
    about = read_metadata(path)
    assert (about["model"], about["adapter"], about["step"]) == ("causal", str(lora), 500)
    assert about["run"] == str(lora.parent)
    with pytest.raises(UsageError, match="the output holds scores of another model"):
        score([suite], str(models / "causal"), path)


def test_what_is_no_adapter_is_told(models: Path, tmp_path: Path) -> None:
    source = find_model(str(models / "causal"))
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(ModelError, match=r"is not an adapter: it has no adapter_model\.safetensors"):
        with_adapter(source, str(tmp_path))
    with pytest.raises(ModelError, match=r"no such adapter folder: \./nowhere"):
        with_adapter(source, "./nowhere")


def test_an_adapter_that_changes_no_weights_is_refused(models: Path, suite: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    peft = pytest.importorskip("peft", reason="needs peft")
    model = AutoModelForCausalLM.from_pretrained(models / "causal")
    config = peft.PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=2)
    peft.get_peft_model(model, config).save_pretrained(tmp_path / "prompt")
    with pytest.raises(ModelError, match="is of the kind PROMPT_TUNING"):
        score([suite], str(models / "causal"), tmp_path / "s.parquet", adapter=str(tmp_path / "prompt"))


@pytest.fixture
def half(models: Path, tmp_path: Path) -> Path:
    """The model `causal` as it would be published in bfloat16."""
    from transformers import AutoModelForCausalLM

    folder = Path(shutil.copytree(models / "causal", tmp_path / "half"))
    AutoModelForCausalLM.from_pretrained(folder).bfloat16().save_pretrained(folder)
    return folder


def test_a_gpu_calculates_as_the_model_was_published(models: Path, half: Path) -> None:
    for device, dtype in (("cpu", "float32"), ("cuda", "bfloat16"), ("cuda:1", "bfloat16")):
        assert settle(find_model(str(half)), Settings(device)).dtype == dtype
    assert settle(find_model(str(half)), Settings("cuda", "float16")).dtype == "float16"
    assert settle(find_model(str(models / "causal")), Settings("cuda")).dtype == "float32"


def test_where_the_configuration_does_not_say_it_the_weights_do(half: Path) -> None:
    config = json.loads((half / "config.json").read_text())
    (half / "config.json").write_text(json.dumps({key: config[key] for key in config if "dtype" not in key}))
    assert own_dtype(half) == "bfloat16"


def test_fewer_bits_need_their_library(models: Path, suite: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"causal needs another library: .*bitsandbytes"):
        score([suite], str(models / "causal"), tmp_path / "s.parquet", quantize="8bit")
    with pytest.raises(UsageError, match="no such number of bits: 3bit"):
        score([suite], str(models / "causal"), tmp_path / "s.parquet", quantize="3bit")
