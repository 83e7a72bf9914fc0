"""The command `studio`."""

from __future__ import annotations

import argparse
import os
import secrets
import socket
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starbank.commands.by_name import settings
from starbank.commands.declare import INGESTED_OPTION, argument, command, say
from starbank.errors import UsageError

if TYPE_CHECKING:
    from starbank.studio.answers import Elsewhere

LOCK = Path("treebanks.lock")
LONGEST_ADDRESS = 1_000_000
# Where only this machine reaches the page, and where all do that reach the machine.
LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"


@command(
    "starbank studio my-project",
    argument("project", nargs="?", type=Path, default=Path(), metavar="PROJECT",
             help="the folder of the project (default: this one); constructions are saved in its `queries`"),
    argument("--port", type=int, default=0, metavar="N", help="where it listens (default: any port that is free)"),
    argument("--no-browser", action="store_true", help="only print the address"),
    argument("--public", action="store_true",
             help="for a class or a Space: open to all who can reach this machine, without a token; nobody can "
             "write, and each visitor has limits of time, memory and rows"),
    INGESTED_OPTION,
    place=0,
)  # fmt: skip
def studio(options: argparse.Namespace) -> None:
    """Open a page in the browser to search treebanks, star what is found, judge and compare."""
    try:
        import uvicorn

        from starbank.studio.app import create_app, create_public_app
        from starbank.studio.limits import Limits
    except ImportError as error:
        hint = "Install it with: pip install 'starbank[studio]'"
        raise UsageError(f"the page needs the package {error.name}", hint=hint) from error
    from starbank.cores import hold_cores

    if not options.project.is_dir():
        raise UsageError("there is no such folder", file=options.project, hint="`starbank init` begins a project.")
    # Treebanks and products lie where they do for all commands that run here.
    os.chdir(options.project)
    hold_cores()
    host, query = EVERYWHERE if options.public else LOOPBACK, ""
    if options.public:
        app = create_public_app(Path.cwd(), options.ingested, Limits())
    else:
        token = secrets.token_urlsafe(24)
        app, query = create_app(Path.cwd(), token, options.ingested, elsewhere(options.ingested)), f"?token={token}"
    with listen(host, options.port) as sock:
        name = socket.gethostname() if options.public else host
        address = f"http://{name}:{sock.getsockname()[1]}/{query}"
        open_to = "All who reach this machine can look, and nobody can write.\n" if options.public else ""
        say(f"{address}\n{open_to}It is there as long as this runs; Ctrl+C ends it.")
        if not (options.no_browser or options.public):
            threading.Timer(0.5, webbrowser.open, [address]).start()
        # A construction stands in the address of its page, in letters of three bytes and more.
        config = uvicorn.Config(
            app, log_level="warning", timeout_graceful_shutdown=1, h11_max_incomplete_event_size=LONGEST_ADDRESS
        )
        uvicorn.Server(config).run(sockets=[sock])


def listen(host: str, port: int) -> socket.socket:
    """Return a socket at an address of this machine; raises `UsageError` where the port is taken."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        # Who opens the address at once waits, and is not refused.
        sock.listen()
    except (OSError, OverflowError) as error:
        sock.close()
        raise UsageError(f"cannot listen at port {port}: {error}", hint="Leave --port away for a free one.") from error
    return sock


def elsewhere(ingested: Path) -> Elsewhere:
    """Return the treebanks of the sources of config.yaml, fetched into the project as `starbank fetch` does."""
    from starbank.studio.answers import Elsewhere
    from starbank.treebanks.catalogue import read_catalogue
    from starbank.treebanks.fetch import fetch
    from starbank.treebanks.places import FETCHED

    def places() -> dict[str, Any]:
        config = settings()
        return {key: config[key] for key in ("release", "sources")}

    return Elsewhere(
        names=lambda: [entry.name for entry in read_catalogue(ingested, **places())],
        fetch=lambda name: fetch([name], **places(), output=FETCHED, lock=LOCK),
    )
