"""A loopback HTTP server whose steps can be made to fail."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit


class Refusal(Exception):
    """An answer other than 2xx."""

    def __init__(self, status: int, message: str, code: str | None = None, headers: dict[str, str] | None = None):
        self.status = status
        self.message = message
        self.headers = {**({"X-Error-Code": code} if code else {}), "X-Error-Message": message, **(headers or {})}


@dataclass
class Fault:
    """What goes wrong at a step, so many times.

    `kind` is a status; or `drop`, the connection breaks before the step is done; `cut`, it breaks in the middle of the
    request; `lost`, it breaks when the step is done and the answer due; `slow`, the answer takes its time; `stall`,
    there never is one.
    """

    kind: int | str
    times: float
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Answer:
    """What a step returns."""

    value: Any = None
    content: bytes | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Question:
    """What a step is asked: parts of its path, query, body and account."""

    method: str
    parts: dict[str, str]
    query: dict[str, str]
    headers: Any
    body: bytes
    account: Any

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Loopback:
    """Servers that share their faults, and a record of the steps they were asked for."""

    def __init__(self) -> None:
        self.faults: dict[str, Fault] = {}
        self.calls: list[str] = []
        self.lock = threading.RLock()
        self.closing = threading.Event()
        self._servers: list[ThreadingHTTPServer] = []

    def serve(self, target: Any, steps: Mapping[str, str], account: Callable[[str, str], Any]) -> str:
        """Answer requests by methods of `target`, return the server's URL.

        `steps` has for each method a pattern of `GET /a/path`; `account` tells by step and token who asks.
        """
        values = {"loopback": self, "target": target, "steps": steps, "account": staticmethod(account)}
        server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), values))
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self._servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    def fault(self, step: str) -> Fault | None:
        """Return what goes wrong this time."""
        with self.lock:
            fault = self.faults.get(step)
            if fault is None or fault.times <= 0:
                return None
            fault.times -= 1
            return fault

    def close(self) -> None:
        """Let go of all connections and end."""
        self.closing.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    """Lets as many connect at once as want to."""

    daemon_threads = True
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    """Takes a request apart, lets the target answer it, and lets faults happen."""

    protocol_version = "HTTP/1.1"
    # A body would wait 40 ms until the client has acknowledged the head.
    disable_nagle_algorithm = True
    loopback: Loopback
    target: Any
    steps: Mapping[str, str]
    account: Callable[[str, str], Any]

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _handle(self) -> None:
        path = urlsplit(self.path).path
        step, match = self._find(f"{self.command} {path}")
        self.loopback.calls.append(step)
        fault = self.loopback.fault(step)
        kind = fault.kind if fault else None
        if kind in ("drop", "cut", "stall"):
            self._break(kind)
            return
        body = self._body()
        try:
            if fault and isinstance(kind, int):
                raise Refusal(kind, f"the test wants {kind}", headers=fault.headers)
            if match is None:
                raise Refusal(404, f"the local Hub has no {path}")
            answer = self._answer(step, match, body)
        except Refusal as refusal:
            answer = Answer({"error": refusal.message}, status=refusal.status, headers=refusal.headers)
        if kind == "slow":
            self.loopback.closing.wait(0.2)
        if kind == "lost":
            self._break("lost")
            return
        self._send(answer)

    do_GET = do_HEAD = do_POST = do_PUT = _handle

    def _find(self, asked: str) -> tuple[str, re.Match[str] | None]:
        found = ((step, re.fullmatch(pattern, asked)) for step, pattern in self.steps.items())
        return next(((step, match) for step, match in found if match), ("unknown", None))

    def _answer(self, step: str, match: re.Match[str], body: bytes) -> Answer:
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        parts = {name: unquote(text) for name, text in match.groupdict().items() if text}
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        question = Question(self.command, parts, query, self.headers, body, self.account(step, token))
        with self.loopback.lock:
            return getattr(self.target, step)(question)

    def _break(self, kind: int | str | None) -> None:
        if kind == "cut":
            self.rfile.read(int(self.headers.get("Content-Length") or 0) // 2)
        if kind == "stall":
            self.loopback.closing.wait(30)
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(SHUT_RDWR)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = []
        while size := int(self.rfile.readline(), 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _send(self, answer: Answer) -> None:
        content = json.dumps(answer.value).encode() if answer.content is None else answer.content
        status, headers = answer.status, {"X-Request-Id": "local", **answer.headers}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if wanted and status == 200:
            first, last = int(wanted[1]), int(wanted[2] or len(content) - 1)
            headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
            content, status = content[first : last + 1], 206
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if answer.content is None else "application/octet-stream")
        self.send_header("Content-Length", str(len(content)))
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
