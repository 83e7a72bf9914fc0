"""Objects whose arrays lie in a file: the system reads what is asked for and drops what is not."""

from __future__ import annotations

import mmap
import pickle
from pathlib import Path
from typing import TypeVar

Whole = TypeVar("Whole")
ALIGNMENT = 64


def spill(whole: Whole, path: Path) -> Whole:
    """Return a copy of `whole` whose NumPy and Arrow arrays are read-only views of the new file `path`."""
    buffers: list[pickle.PickleBuffer] = []
    skeleton = pickle.dumps(whole, protocol=5, buffer_callback=buffers.append)
    borders: list[tuple[int, int]] = []
    with open(path, "wb") as file:
        for buffer in buffers:
            file.write(b"\0" * (-file.tell() % ALIGNMENT))
            start = file.tell()
            borders.append((start, start + file.write(buffer.raw())))
        file.write(b"\0")  # an empty file cannot be mapped
    with open(path, "rb") as file:
        view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    copy: Whole = pickle.loads(skeleton, buffers=[view[start:end] for start, end in borders])
    return copy
