"""In which precision a model calculates, where nobody says: as it was published on a GPU, in float32 elsewhere."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from starbank.scoring.sources import AUTO, DTYPES, Settings, Source

FLOAT32 = "float32"
# What safetensors call them.
_NAMES = {"F32": FLOAT32, "BF16": "bfloat16", "F16": "float16"}


def settle(source: Source, settings: Settings) -> Settings:
    """Return the settings with the dtype that `auto` stands for: on a GPU that of the checkpoint, else float32."""
    if settings.dtype != AUTO:
        return settings
    own = own_dtype(source.folder)
    return replace(settings, dtype=own if own != FLOAT32 and _on_gpu(settings.device) else FLOAT32)


def own_dtype(folder: Path) -> str:
    """Return the dtype of the checkpoint in `folder`: as its config.json says, or else that of its first weights."""
    with suppress(OSError, ValueError, AttributeError):
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        parts = (config, config.get("text_config") or {})
        named = [part.get(key) for part in parts for key in ("dtype", "torch_dtype")]
        if own := next((name for name in named if name in DTYPES[1:]), None):
            return str(own)
    return next(filter(None, map(_first_dtype, sorted(folder.glob("model*.safetensors")))), FLOAT32)


def _first_dtype(weights: Path) -> str | None:
    """Return the dtype of the first weights in a file; None where it cannot be read."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:  # Without it no model can be loaded either, which says so.
        return None
    with suppress(SafetensorError, OSError), safe_open(weights, framework="np") as file:
        return _NAMES.get(next((file.get_slice(name).get_dtype() for name in file.keys()), ""))  # noqa: SIM118
    return None


def _on_gpu(device: str | None) -> bool:
    if device in (None, AUTO):
        from starbank.scoring.loading import torch

        return bool(torch.cuda.is_available())
    return device is not None and device.startswith("cuda")
