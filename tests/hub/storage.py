"""The storage behind the local Hub: files by their SHA-256 sum, put there whole, in parts, or in chunks (Xet).

Xet packs chunks in xorbs and tells in shards which chunks make a file; their layout is that of the published
specification, https://huggingface.co/docs/xet. What does not have the sum it is said to have is refused.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence

import pyarrow as pa

from tests.hub.loopback import Answer, Question, Refusal

RECORD = 48
END = b"\xff" * 32
WITH_VERIFICATION, WITH_METADATA = 1 << 31, 1 << 30


STEPS = {
    "upload": r"PUT /upload/(?P<oid>\w+)",
    "part": r"PUT /part/(?P<oid>\w+)/(?P<number>\d+)",
    "cdn": r"(GET|HEAD) /cdn/(?P<oid>\w+)",
    "xorb": r"POST /v1/xorbs/default/(?P<hash>\w+)",
    "shard": r"POST (/v1)?/shards",
    "newer": r"GET /v1/chunks/.+|POST /v1/xorb-grants/.+|POST /v2/.+",
}


class Storage:
    """Files, and the parts and chunks that they are put together from."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.parts: dict[str, dict[int, bytes]] = {}
        self.xorbs: dict[str, list[bytes]] = {}

    def store(self, oid: str, content: bytes) -> None:
        """Keep a file."""
        if hashlib.sha256(content).hexdigest() != oid:
            raise Refusal(400, "the content is not what its sum says")
        self.files[oid] = content

    def join(self, oid: str, etags: Sequence[str]) -> None:
        """Make a file of its parts."""
        parts = [part for _, part in sorted(self.parts.pop(oid).items())]
        assert etags == [sha1(part) for part in parts]
        self.store(oid, b"".join(parts))

    # Steps

    def upload(self, question: Question) -> Answer:
        self.store(question.parts["oid"], question.body)
        return Answer(content=b"")

    def part(self, question: Question) -> Answer:
        self.parts.setdefault(question.parts["oid"], {})[int(question.parts["number"])] = question.body
        return Answer(content=b"", headers={"ETag": sha1(question.body)})

    def cdn(self, question: Question) -> Answer:
        oid = question.parts["oid"]
        return Answer(content=self.files[oid], headers={"ETag": f'"{oid}"', "Accept-Ranges": "bytes"})

    def xorb(self, question: Question) -> Answer:
        name = question.parts["hash"]
        new = name not in self.xorbs
        self.xorbs[name] = list(_chunks(question.body))
        return Answer({"was_inserted": new})

    def shard(self, question: Question) -> Answer:
        for oid, places in _files(question.body):
            if missing := {xorb for xorb, _, _ in places} - set(self.xorbs):
                raise Refusal(400, f"no such xorb: {', '.join(missing)}")
            self.store(oid, b"".join(b"".join(self.xorbs[xorb][first:end]) for xorb, first, end in places))
        return Answer({"result": 1})

    def newer(self, question: Question) -> Answer:
        """What the client asks before it does without: whether others have a chunk, and newer ways to the same end."""
        raise Refusal(404, "not here")


def storage_account(step: str, token: str) -> None:
    """Refuse a token that does not belong here."""
    if token != ("xet" if step in ("xorb", "shard", "newer") else ""):
        raise Refusal(400, "the storage takes signed links, and for Xet a token of its own")


def sha1(content: bytes) -> str:
    """Return the SHA-1 sum of some bytes."""
    return hashlib.sha1(content).hexdigest()


def _files(shard: bytes) -> Iterator[tuple[str, list[tuple[str, int, int]]]]:
    """Yield the files of a shard: SHA-256 sum, and for each stretch its xorb, first chunk, and chunk after the last."""
    place = RECORD
    while shard[place : place + 32] != END:
        _, flags, entries = struct.unpack_from("<32sII", shard, place)
        places = []
        for entry in range(1, entries + 1):
            xorb, _, _, first, end = struct.unpack_from("<32sIIII", shard, place + entry * RECORD)
            places.append((_hex(xorb), first, end))
        assert flags & WITH_METADATA
        place += RECORD * (1 + entries * (2 if flags & WITH_VERIFICATION else 1))
        yield _hex(shard[place : place + 32]), places
        place += RECORD


def _hex(raw: bytes) -> str:
    """Return a hash as text: four little-endian numbers of eight bytes."""
    return "".join(f"{number:016x}" for number in struct.unpack("<4Q", raw))


def _chunks(content: bytes) -> Iterator[bytes]:
    """Yield the chunks of a xorb, each behind a header: version, packed size, compression, size."""
    place = 0
    while place + 8 <= len(content) and content[place : place + 7] != b"XETBLOB":
        packed = int.from_bytes(content[place + 1 : place + 4], "little")
        compression = content[place + 4]
        size = int.from_bytes(content[place + 5 : place + 8], "little")
        data = content[place + 8 : place + 8 + packed]
        yield _unpack(data, compression, size)
        place += 8 + packed


def _unpack(data: bytes, compression: int, size: int) -> bytes:
    if compression == 0:
        return data
    # LZ4 frames may leave out their length, so they are read as a stream.
    with pa.CompressedInputStream(pa.BufferReader(data), "lz4") as stream:
        plain = stream.read(size)
    if compression == 1:
        return plain
    # Bytes at places 0, 4, 8, … of a chunk first, then those at 1, 5, 9, …
    whole = bytearray(size)
    start = 0
    for group in range(4):
        length = len(range(group, size, 4))
        whole[group::4] = plain[start : start + length]
        start += length
    return bytes(whole)
