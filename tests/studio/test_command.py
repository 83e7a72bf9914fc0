"""The command `starbank studio`."""

import re
import subprocess
import sys
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

pytest.importorskip("uvicorn")

from starbank.commands.studio import LOOPBACK, listen
from starbank.errors import UsageError

pytestmark = pytest.mark.slow


def test_it_prints_an_address_that_opens_the_page_and_ends_quietly(tmp_path):
    command = [sys.executable, "-m", "starbank.cli", "studio", str(tmp_path), "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = process.stderr.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", address)
            page = build_opener(HTTPCookieProcessor()).open(address, timeout=20)
            assert page.url.endswith("/search")
        finally:
            process.terminate()
        assert "Traceback" not in process.stderr.read()


def test_only_this_machine_reaches_it():
    with listen(LOOPBACK, 0) as sock:
        assert sock.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_told():
    with listen(LOOPBACK, 0) as sock, pytest.raises(UsageError, match="cannot listen at port"):
        listen(LOOPBACK, sock.getsockname()[1])
