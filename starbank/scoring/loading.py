"""Loading a Hugging Face model and its tokenizer, whole or not at all."""

from __future__ import annotations

import contextlib
import gc
import logging
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from starbank.errors import ModelError, StarbankError
from starbank.scoring.adapters import Adapter
from starbank.scoring.gpus import choose_gpu
from starbank.scoring.sources import AUTO, CAUSAL, ENCODER_DECODER, MASKED, Settings, Source

try:
    import torch as torch  # Others take it from here, where its absence is told.
    import transformers
    import transformers.modeling_utils
except ImportError as error:
    hint = "Install them with: pip install 'starbank[models]'. The baselines need neither: unigram, ngram, characters."
    raise ModelError("language models need PyTorch and transformers", hint=hint) from error


logger = logging.getLogger("starbank")
# These stay to the end, and the interpreter need not look for cycles in them; what DuckDB binds, it must.
if "duckdb" not in sys.modules:
    gc.freeze()


def load(source: Source, settings: Settings) -> tuple[Any, Any, Any]:
    """Return the model (evaluation mode), its tokenizer and the `torch.device` that its inputs go to.

    Raises `ModelError` where anything is missing or broken.
    """
    where = None if settings.device == AUTO else find_device(settings.device)
    with _quiet():
        tokenizer = _load_tokenizer(source, settings)
        model = _load_weights(source, settings, where)
        return model, tokenizer, where or model.device


def is_memory(error: Exception) -> bool:
    """Tell whether `error` says that there was not enough memory, on a GPU or elsewhere."""
    # A processor's allocators have no exception of their own.
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or (
        isinstance(error, RuntimeError) and any(word in str(error).lower() for word in ("alloc", "out of memory"))
    )


def failure(name: str, what: str, error: Exception) -> ModelError:
    """Return what to say of the model `name` where `what` ended in an `error` of a library."""
    reason = textwrap.shorten(str(error), 200) or "no reason given"
    return ModelError(f"the model {name} {what}: {reason} ({type(error).__name__})")


def find_device(name: str | None) -> Any:
    """Return the device of a name, or a GPU where there is one; raises `ModelError` where there is no such device."""
    try:
        device = torch.device(name or (choose_gpu() if torch.cuda.is_available() else "cpu"))
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:  # The latter where PyTorch was built without CUDA.
        reason = str(error).splitlines()[0]
        raise ModelError(f"no such device: {name} ({reason})", hint="Try cpu, cuda, cuda:1 or auto.") from error
    return device


def _load_tokenizer(source: Source, settings: Settings) -> Any:
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            source.folder, local_files_only=True, trust_remote_code=settings.remote_code
        )
    except Exception as error:  # transformers raises whatever a broken file happens to cause.
        raise unloadable(source, "tokenizer", error) from error
    if not tokenizer.is_fast:
        hint = "Only tokenizers with a tokenizer.json say which characters a token covers."
        raise ModelError(f"the model {source.name} has no fast tokenizer", file=source.folder, hint=hint)
    return tokenizer


def _load_weights(source: Source, settings: Settings, where: Any) -> Any:
    auto = {
        CAUSAL: transformers.AutoModelForCausalLM,
        MASKED: transformers.AutoModelForMaskedLM,
        ENCODER_DECODER: transformers.AutoModelForSeq2SeqLM,
    }[source.kind]
    # What is too large for one device is spread over all there are, and over memory (needs the library accelerate).
    spread: dict[str, Any] = {"device_map": AUTO} if settings.device == AUTO else {}
    if settings.quantize:
        # The library that makes them few wants to know at once where they go.
        config: Any = transformers.BitsAndBytesConfig
        bits = config(**{f"load_in_{settings.quantize}": True})
        spread = {"device_map": {"": where}, "quantization_config": bits} | spread
    try:
        model, loaded = auto.from_pretrained(
            source.folder,
            dtype=getattr(torch, settings.dtype),
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=settings.remote_code,
            ignore_mismatched_sizes=True,  # Told below, as weights that are missing are.
            output_loading_info=True,
            **spread,
        )
        # Weights of 8 bits are where their library put them, and it moves them itself.
        if where is not None and not getattr(model, "is_quantized", False):
            model.to(where)
        if source.adapter is not None:
            model = _adapt(model, source, source.adapter)
    except StarbankError:
        raise
    except Exception as error:  # As above: a broken folder has many exceptions.
        raise unloadable(source, "model", error) from error
    if missing := sorted({*loaded["missing_keys"], *(name for name, *_ in loaded["mismatched_keys"])}):
        message = (
            f"the model {source.name} lacks trained weights (or has them in another shape): {', '.join(missing[:3])}"
        )
        hint = "They would be random, and so would the scores. Choose a model published with its language-model head."
        raise ModelError(message, file=source.folder, hint=hint)
    model.config.use_cache = False
    _fuse_activations(model)
    return model.eval()


def _adapt(model: Any, source: Source, adapter: Adapter) -> Any:
    """Return the model with the adapter's changes added to its weights. Raises `ModelError` where they cannot be."""
    try:
        import peft
    except ImportError as error:
        hint = "Install it with: pip install 'starbank[adapters]'."
        raise ModelError(f"the adapter {adapter.name} needs the library peft", hint=hint) from error
    if adapter.base and adapter.base.rstrip("/").rpartition("/")[2] != source.name.rpartition("/")[2]:
        logger.warning("the adapter %s was trained on %s, not on %s", adapter.name, adapter.base, source.name)
    adapted: Any = peft.PeftModel.from_pretrained(model, str(adapter.folder), local_files_only=True)
    config = adapted.peft_config["default"]
    if not hasattr(adapted, "merge_and_unload") or config.is_prompt_learning:
        message = f"the adapter {adapter.name} is of the kind {config.peft_type.value}"
        hint = "Only adapters that change weights (LoRA and its kin) can be scored."
        raise ModelError(message, file=adapter.folder, hint=hint)
    return adapted.merge_and_unload()


def _fuse_activations(model: Any) -> None:
    """Let GPT-2's approximation of GELU, which transformers writes out in eight steps, be one."""
    for module in model.modules():
        for name, part in module.named_children():
            if isinstance(part, transformers.activations.NewGELUActivation):
                setattr(module, name, torch.nn.GELU(approximate="tanh"))


def unloadable(source: Source, what: str, error: Exception) -> ModelError:
    """Return what to say where an `error` of a library ended the loading of `what` of the model at `source`."""
    reason = textwrap.shorten(str(error), 200) or type(error).__name__
    if "trust_remote_code" in str(error):
        hint = "Read that code; if you trust it, allow it: --remote-code, or `remote-code: true` in config.yaml."
        return ModelError(f"the model {source.name} needs code of its own repository", file=source.folder, hint=hint)
    if isinstance(error, ImportError):
        # Something optional: accelerate for `auto`, or what 8 bits, a tokenizer or a repository's code need.
        return ModelError(f"{source.name} needs another library: {reason}", file=source.folder, hint="Install it.")
    if is_memory(error):
        hint = "Use another device (for example --device cpu, or auto for several) or a smaller model."
        return ModelError(f"the model {source.name} is too large for the memory", file=source.folder, hint=hint)
    message = f"cannot load the {what} of {source.name} with transformers {transformers.__version__}: {reason}"
    return ModelError(message, file=source.folder, hint="Is the folder complete, and the architecture a known one?")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers from talking while it loads; what matters is raised."""
    log: Any = transformers.utils.logging
    level = log.get_verbosity()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(level)
        log.enable_progress_bar()
