"""Files that tell of every flipped bit: each holds a CRC-32 of all its other bytes.

Parquet's own checksums cover its pages, and neither their headers nor the metadata; nor does DuckDB look at them.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starbank.errors import DamagedError

_KEY, _NONE = b"starbank.crc32", b"00000000"
# What a Parquet file is to be written with, so that `seal` has a place for its sum.
UNSEALED = {_KEY: _NONE}
# A pair of texts in Thrift's compact protocol: a field of type binary, the length, the text.
_PLACE = _KEY + b"\x18" + bytes([len(_NONE)])
_JSON_KEY = "crc32"
_STRETCH = 1 << 24


def seal(path: Path) -> None:
    """Write into a Parquet file that has `UNSEALED` among its metadata what its other bytes add up to."""
    with open(path, "r+b") as stream, mmap.mmap(stream.fileno(), 0) as data:
        place = _find(data)
        data[place : place + len(_NONE)] = _sum(data, place)


def check_seal(path: Path) -> None:
    """Raise `DamagedError` where the bytes of a Parquet file are others than when it was sealed.

    A file that was not sealed, such as one of somebody else, passes.
    """
    with open(path, "rb") as stream:
        if not os.fstat(stream.fileno()).st_size:
            return
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            place = _find(data)
            if place >= 0 and data[place : place + len(_NONE)] != _sum(data, place):
                raise _damaged(path)


def sealed_json(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object of JSON with a sum of what it says."""
    return {**value, _JSON_KEY: _json_sum(value)}


def read_sealed_json(path: Path) -> dict[str, Any]:
    """Return what `sealed_json` made, read from a file; raises `DamagedError` where it says something else.

    An object without a sum, such as one of an older version, passes.
    """
    try:
        value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise _damaged(path) from None
    if value.pop(_JSON_KEY, None) not in (None, _json_sum(value)):
        raise _damaged(path)
    return value


def _find(data: mmap.mmap) -> int:
    place = data.rfind(_PLACE)
    return place + len(_PLACE) if place >= 0 else -1


def _sum(data: mmap.mmap, place: int) -> bytes:
    checksum = _add(data, 0, place, 0)
    return b"%08x" % _add(data, place + len(_NONE), len(data), zlib.crc32(_NONE, checksum))


def _add(data: mmap.mmap, begin: int, end: int, checksum: int) -> int:
    """Return the sum with the bytes from `begin` to before `end` added to it."""
    with memoryview(data) as view:
        for first in range(begin, end, _STRETCH):
            checksum = zlib.crc32(view[first : min(first + _STRETCH, end)], checksum)
            # Or the whole file would count as memory of ours.
            data.madvise(mmap.MADV_DONTNEED)
    return checksum


def _json_sum(value: Mapping[str, Any]) -> str:
    return f"{zlib.crc32(json.dumps(value, sort_keys=True).encode()):08x}"


def _damaged(path: Path) -> DamagedError:
    return DamagedError("is damaged: it is not as it was written", file=path, hint="Make it again, or copy it again.")
