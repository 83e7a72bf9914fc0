"""A web server on the loopback interface, and small releases for it to serve."""

from __future__ import annotations

import io
import socket
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SENTENCE = "# sent_id = 1\n# text = კაცი მოდის\n1\tკაცი\tკაცი\tNOUN\t_\tCase=Nom\t2\tnsubj\t_\t_\n\n"
GEORGIAN = {
    "ka_glc-ud-dev.conllu": SENTENCE,
    "ka_glc-ud-test.conllu": SENTENCE * 2,
    "LICENSE.txt": "CC BY-SA 4.0\n",
    "README.md": "License: CC BY-SA 4.0\n",
}
HINDI = {"hi_pud-ud-test.conllu": "# text = वह आया\n", "LICENSE.txt": "CC BY-SA 3.0\n", "README.txt": "Parallel\n"}


class WebServer(ThreadingHTTPServer):
    """Serves a folder on the loopback interface, badly where `answers` says so."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.requests: list[str] = []
        self.answers: dict[str, list[int | str]] = {}
        self.hurry = threading.Event()


class Handler(SimpleHTTPRequestHandler):
    server: WebServer

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        answers = self.server.answers.get(self.path, [])
        answer = answers.pop(0) if answers else 200
        if isinstance(answer, int) and answer != 200:
            self.send_error(answer)
        elif answer == "broken off":
            self.send_broken_off()
        elif answer == "slow":
            self.send_slowly()
        else:
            super().do_GET()

    def content(self) -> bytes:
        return Path(self.translate_path(self.path)).read_bytes()

    def send_broken_off(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content()) + 100))
        self.end_headers()
        self.wfile.write(self.content())

    def send_slowly(self) -> None:
        """Send half, and the rest only when the test is over."""
        half = len(self.content()) // 2
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content())))
        self.end_headers()
        self.wfile.write(self.content()[:half])
        self.server.hurry.wait(60)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serve(folder: Path) -> Iterator[WebServer]:
    """Run a web server of `folder` in a thread."""
    with WebServer(folder) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.hurry.set()
        server.shutdown()


def write_treebank(release: Path, name: str, files: dict[str, str]) -> None:
    (release / name).mkdir(parents=True)
    for file, text in files.items():
        (release / name / file).write_text(text, encoding="utf-8")


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.name != "source.json"}


def archive_of_release(release: Path, path: Path, prefix: str) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as zipped:
            for file in sorted(release.glob("*/*")):
                zipped.write(file, f"{prefix}{file.relative_to(release)}")
    else:
        with tarfile.open(path, "w:gz") as tarred:
            tarred.add(release, prefix.rstrip("/") or ".")
    return path


def repository_archive(path: Path, name: str, files: dict[str, str]) -> None:
    """Write what GitHub gives for a tag: one folder, named after repository and tag."""
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as tarred:
        for file, text in {**files, "not-to-release/old.conllu": "old", "stats.xml": "<stats/>"}.items():
            member = tarfile.TarInfo(f"{name}-r2.18/{file}")
            member.size = len(text.encode())
            tarred.addfile(member, io.BytesIO(text.encode()))


def closed_port() -> str:
    """The URL of a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"
