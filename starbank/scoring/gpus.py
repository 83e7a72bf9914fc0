"""One GPU for each process: several jobs on one machine must not all choose the first."""

from __future__ import annotations

import socket
from collections.abc import Sequence

# Names are given back when their sockets are closed, at the latest when the process ends, however it does.
_locks: list[socket.socket] = []


def take_first_free(names: Sequence[str]) -> int | None:
    """Return the place of the first of the GPUs `names` that no other process has taken, and take it.

    `names` are their UUIDs, which are the same for all processes and users, whichever GPUs each can see. None if all
    are taken, or none can be.
    """
    for place, name in enumerate(names):
        lock = socket.socket(socket.AF_UNIX)
        try:
            # A name in Linux's abstract namespace: no file, so that it has no owner and nothing is left behind.
            lock.bind(f"\0starbank-gpu-{name}")
        except OSError:
            lock.close()
        else:
            _locks.append(lock)
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
