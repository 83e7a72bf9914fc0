"""What gives scores: a baseline or a language model, and what a file says of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starbank.errors import UsageError
from starbank.models import BASELINES
from starbank.scoring.adapters import with_adapter
from starbank.scoring.baselines import Baseline
from starbank.scoring.checkpoints import find_run, find_seed
from starbank.scoring.language_models import LanguageModel
from starbank.scoring.sources import BITS, DTYPES, KINDS, Settings, find_model, require_choice
from starbank.scoring.training import HeldOut, read_training

# Part of every key: a change of what docs/metrics.md says makes earlier scores void.
METRICS = "metrics/3"
# Texts in, log-probabilities of their tokens out; `fingerprint` names all that these depend on.
Scorer = Baseline | LanguageModel


def check_settings(settings: Settings, kind: str | None, name: str | None, gpus: int) -> None:
    """Raise `UsageError` where no model could be run so, on so many GPUs, be of that kind, or have that name."""
    if gpus < 1:
        raise UsageError(f"a model runs on one GPU or more, not on {gpus}", hint="Without any: --device cpu.")
    if gpus > 1 and settings.device is not None:
        message = f"--gpus {gpus} gives each GPU a copy of the model, and --device {settings.device} says otherwise"
        raise UsageError(message, hint="Say one of them.")
    if settings.batch_tokens < 1:
        raise UsageError(f"a batch needs at least one token, not {settings.batch_tokens}")
    require_choice("kind of model", kind, KINDS)
    require_choice("dtype", settings.dtype, DTYPES)
    require_choice("number of bits", settings.quantize, BITS)
    if name is not None and not (name.strip() and name.isprintable()):
        raise UsageError(f"--name {name!r}: this is no name", hint="Write letters, in one line.")


def find_scorer(
    model: str,
    settings: Settings,
    *,
    text: Sequence[Path],
    held_out: HeldOut,
    revision: str | None,
    kind: str | None,
    adapter: str | None,
    name: str | None,
) -> Scorer:
    """Return what scores with `model`: a baseline that learns from the files `text` less what is `held_out`, a folder,
    or a name on the Hub, maybe with an `adapter`. Raises `ModelError` or `UsageError`."""
    scorer: Scorer
    if model in BASELINES:
        if not settings.beginning:
            raise UsageError(f"{model} has no beginning that could be left out", hint="Leave out --no-beginning.")
        scorer = Baseline(model, read_training(text, held_out))
    else:
        source = find_model(model, revision, kind, remote_code=settings.remote_code)
        scorer = LanguageModel(with_adapter(source, adapter), settings)
    scorer.name = name or scorer.name
    return scorer


def describe(scorer: Scorer, model: str, revision: str | None) -> dict[str, Any]:
    """Return what the metadata of scores says of the model: which it is, and what the scores depend on."""
    origin, about = _origin(model), scorer.about
    adapter = about.get("adapter")
    run = {} if about.get("step") is None else {"run": find_run(adapter or origin, None if adapter else revision)}
    return {
        "model": scorer.name,
        "model_kind": scorer.kind,
        "origin": origin,
        "requested_revision": revision,
        "revision": scorer.revision,
        "fingerprint": scorer.fingerprint,
        "metrics": METRICS,
        "seed": find_seed(adapter, revision, origin),
        **about,
        **run,
    }


def _origin(model: str) -> str:
    """Return a baseline, a repository, or a folder: below the working folder where it lies there, else absolute."""
    folder = Path(model).expanduser().resolve()
    if model in BASELINES or not folder.is_dir():
        return model
    home = Path.cwd()
    return (folder.relative_to(home) if folder.is_relative_to(home) else folder).as_posix()
