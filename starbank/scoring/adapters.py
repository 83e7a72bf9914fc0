"""Adapters (LoRA and its kin): where the files of one come from. Needs no PyTorch."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from starbank.errors import ModelError
from starbank.scoring.checkpoints import find_step
from starbank.scoring.sources import Source, download, hash_files

SETTINGS, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
FILES = [SETTINGS, WEIGHTS]


@dataclass(frozen=True)
class Adapter:
    """An adapter's files: `name` as it was asked for, and the `base` that it was trained on, where it says so."""

    name: str
    folder: Path
    base: str | None


def with_adapter(source: Source, adapter: str | None) -> Source:
    """Return the model at `source` with `adapter` on top, a local folder or a name on the Hub; itself for None.

    It is another model: its fingerprint has the adapter's content or commit, its step is the adapter's where that tells
    one. Raises `ModelError` where the adapter cannot be had or has no safetensors.
    """
    if adapter is None:
        return source
    folder = Path(adapter).expanduser()
    local = folder.is_dir()
    if not local:
        folder = download(adapter, None, FILES, "adapter")
    for name in FILES:
        if not (folder / name).is_file():
            hint = f"What `save_pretrained` of the library peft writes has {' and '.join(FILES)}."
            raise ModelError(f"{adapter} is not an adapter: it has no {name}", file=folder, hint=hint)
    fingerprint = hash_files(folder, FILES) if local else f"{adapter}@{folder.name}"
    step = find_step(folder, adapter)
    return replace(
        source,
        adapter=Adapter(adapter, folder, _base(folder)),
        fingerprint=f"{source.fingerprint} + {fingerprint}",
        step=source.step if step is None else step,
    )


def _base(folder: Path) -> str | None:
    try:
        base = json.loads((folder / SETTINGS).read_text(encoding="utf-8")).get("base_model_name_or_path")
    except (ValueError, AttributeError) as error:
        raise ModelError(f"the adapter is broken: {error}", file=folder / SETTINGS) from error
    return base if isinstance(base, str) else None
