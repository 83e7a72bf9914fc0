"""One GPU for each process: several jobs on one machine must not all choose the first."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

# Locks are given back when their files are closed, at the latest when the process ends, however it does.
_held: list[IO[str]] = []


def take_first_free(names: Sequence[str], folder: Path | None = None) -> int | None:
    """Return the place of the first of the GPUs `names` that no other process has taken, and take it.

    `names` are their UUIDs, which are the same for all processes, whichever GPUs each can see. None if all are taken.
    """
    for place, name in enumerate(names):
        file = (Path(folder or tempfile.gettempdir()) / f"starbank-gpu-{name}.lock").open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
        else:
            _held.append(file)
            return place
    return None


def choose_gpu() -> str:
    """Return the PyTorch name of a GPU that is free, or, if all are taken, of that with the most free memory."""
    import torch

    places = range(torch.cuda.device_count())
    free = take_first_free([str(torch.cuda.get_device_properties(place).uuid) for place in places])
    if free is None:
        free = max(places, key=lambda place: torch.cuda.mem_get_info(place)[0])
    return f"cuda:{free}"
