"""Where a Hugging Face model comes from: a local folder or the Hub. Needs no PyTorch.

Weights are taken from safetensors only, and no code of a model's repository is run unless the user asks for it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from starbank.errors import ModelError, UsageError
from starbank.files import sha256
from starbank.scoring.checkpoints import count_parameters, find_step

if TYPE_CHECKING:
    from starbank.scoring.adapters import Adapter

CAUSAL, MASKED, ENCODER_DECODER = "causal", "masked", "encoder-decoder"
KINDS = (CAUSAL, MASKED, ENCODER_DECODER)
AUTO = "auto"
DTYPES = (AUTO, "float32", "bfloat16", "float16")
BITS = ("8bit", "4bit")
BATCH_TOKENS = 8192
# Small files first; the weights' names keep out second copies (`consolidated`, `onnx/`, framework variants).
FILES = ["*.json", "*.txt", "*.model", "model*.safetensors"]
CODE = "*.py"
TOKENIZER_FILES = ["tokenizer.json", "*.model", "vocab.txt", "vocab.json"]
_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_MASKED_HEAD = re.compile(r"(ForMaskedLM|ForPreTraining|XLMWithLMHeadModel|FlaubertWithLMHeadModel)$")
_CAUSAL_HEAD = re.compile(r"(ForCausalLM|LMHeadModel|ModelWithLMHead|BertGenerationDecoder)$")
# Of models that see or hear as well (Gemma 3), what speaks.
_SPEAKING_HEAD = re.compile(r"ForConditionalGeneration$")


@dataclass(frozen=True)
class Source:
    """A model's files.

    `revision` is the commit on the Hub, None for a local folder; `fingerprint` names the content: the repository and
    its commit, or a hash of the folder's weights and settings. `step` of its training and number of `parameters` are
    None where nothing tells. `adapter` is what is laid on top (`adapters.with_adapter`).
    """

    name: str
    folder: Path
    kind: str
    revision: str | None
    fingerprint: str
    step: int | None = None
    parameters: int | None = None
    adapter: Adapter | None = None


@dataclass(frozen=True)
class Settings:
    """How a model runs: on which `device` (PyTorch's name, `auto` for as many as it needs, None for CUDA where there is
    one), in which `dtype` (one of `DTYPES`; see `precision.settle`), on how many tokens at once, whether the code that
    its repository brings may run, whether a causal model has its `beginning` before a text, and whether its weights are
    to have fewer bits (one of `BITS`)."""

    device: str | None = None
    dtype: str = AUTO
    batch_tokens: int = BATCH_TOKENS
    remote_code: bool = False
    beginning: bool = True
    quantize: str | None = None


def require_choice(what: str, chosen: str | None, choices: Collection[str]) -> None:
    """Raise `UsageError` where something is chosen that is none of the `choices`."""
    if chosen is not None and chosen not in choices:
        raise UsageError(f"no such {what}: {chosen}", hint=f"Known: {', '.join(choices)}.")


def find_model(
    model: str, revision: str | None = None, kind: str | None = None, *, remote_code: bool = False
) -> Source:
    """Find `model`, a local folder or a name on the Hub (downloaded into its cache), and tell its kind.

    Of a local folder, `revision` is a folder in it, as the checkpoints of one training lie there.
    Raises `ModelError` where it cannot be had, has no safetensors, or is of no kind that can be scored.
    """
    folder = Path(model).expanduser()
    local = folder.is_dir()
    if not local:
        folder = download(model, revision, [*FILES, CODE] if remote_code else FILES)
    name = folder.resolve().name if local else model
    if local and revision:
        folder = _checkpoint(folder, revision)
    _check_files(model, folder)
    kind = kind or _kind(model, folder)
    size = find_step(folder, revision or name), count_parameters(folder)
    if local:
        return Source(name, folder, kind, None, hash_files(folder, [*FILES, CODE]), *size)
    return Source(name, folder, kind, folder.name, f"{model}@{folder.name}", *size)


def _checkpoint(folder: Path, revision: str) -> Path:
    if not (folder / revision).is_dir():
        hint = "The revision of a local model is a folder in it, such as checkpoint-1000."
        raise ModelError(f"the model has no revision {revision!r}", file=folder, hint=hint)
    return folder / revision


def download(model: str, revision: str | None, files: list[str], what: str = "model") -> Path:
    """Return the folder of `model` in the Hub's cache, whose name is the commit; an error says `what` it is not.

    Raises `ModelError`.
    """
    if not _HUB_NAME.fullmatch(model) or model.startswith("."):
        hint = "Give a folder that exists, or a name on the Hugging Face Hub such as FacebookAI/xlm-roberta-base."
        raise ModelError(f"no such {what} folder: {model}", hint=hint)
    from huggingface_hub import errors as hub
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, revision=revision, allow_patterns=files, ignore_patterns=["*/*"]))
    except hub.GatedRepoError as error:
        message = f"the {what} {model} is gated: its owner wants to know who uses it"
        hint = f"Ask for access at https://huggingface.co/{model}, then run `hf auth login`."
        raise ModelError(message, hint=hint) from error
    except hub.RepositoryNotFoundError as error:
        hint = "Check the spelling; for a private one run `hf auth login`; for a folder check that it exists."
        raise ModelError(f"there is no {what} {model}, neither as a folder nor on the Hub", hint=hint) from error
    except hub.RevisionNotFoundError as error:
        raise ModelError(f"the {what} {model} has no revision {revision!r}") from error
    except (hub.LocalEntryNotFoundError, ConnectionError) as error:
        message = f"the {what} {model} is neither a folder nor in the Hub's cache, and the Hub cannot be reached"
        hint = "Connect to the network, give a local folder, or set HF_ENDPOINT to a mirror of the Hub."
        raise ModelError(message, hint=hint) from error
    except (hub.HfHubHTTPError, hub.HFValidationError, OSError) as error:
        raise ModelError(f"cannot download the {what} {model}: {error}") from error


def _check_files(model: str, folder: Path) -> None:
    if not (folder / "config.json").is_file():
        raise ModelError(f"{model} is not a model: it has no config.json", file=folder)
    if not any(path.is_file() for path in folder.glob("model*.safetensors")):
        hint = "Starbank reads no pickled weights. Convert them: model.save_pretrained(folder) writes safetensors."
        raise ModelError(f"the model {model} has no weights as safetensors", file=folder, hint=hint)
    # Without any of these, transformers makes up an empty tokenizer, to which every word is unknown.
    if not any(path for pattern in TOKENIZER_FILES for path in folder.glob(pattern)):
        raise ModelError(f"the model {model} has no tokenizer", file=folder, hint="Is the folder complete?")


def _kind(model: str, folder: Path) -> str:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        heads = config.get("architectures") or []
        if not isinstance(heads, list) or not all(isinstance(head, str) for head in heads):
            raise ValueError("its architectures are no list of names")
    except (ValueError, AttributeError) as error:
        raise ModelError(f"the model {model} is broken: {error}", file=folder / "config.json") from error
    for head in heads:
        if _MASKED_HEAD.search(head):
            # XLM has one head for both.
            return CAUSAL if config.get("causal") is True else MASKED
        if _CAUSAL_HEAD.search(head):
            return CAUSAL
    if heads and config.get("is_encoder_decoder"):
        return ENCODER_DECODER
    if config.get("text_config") and any(map(_SPEAKING_HEAD.search, heads)):
        return CAUSAL
    what = " ".join(heads) or "no architecture"
    message = f"the model {model} is neither causal nor masked nor an encoder–decoder: its config.json names {what}"
    raise ModelError(message, hint=f"If it has a language-model head all the same, say which: {', '.join(KINDS)}.")


def hash_files(folder: Path, patterns: Collection[str]) -> str:
    """Return a hash of the files in `folder` that fit any of the `patterns`."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}):
        digest.update(f"{path.name} {sha256(path)}\n".encode())
    return digest.hexdigest()
