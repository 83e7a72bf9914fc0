"""The command line, called in this process: a Python of its own takes longer to start than most commands to run."""

from __future__ import annotations

import io
import logging
import subprocess
import warnings
from contextlib import chdir, redirect_stderr, redirect_stdout

from starbank.cli import main
from tests.conftest import ROOT


def starbank(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in the root of the repository, and return what a process would have said and ended with."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    logs, command = logging.StreamHandler(err), list(map(str, arguments))
    logging.getLogger().addHandler(logs)
    try:
        with chdir(ROOT), redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
            main(command)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        logging.getLogger().removeHandler(logs)
    return subprocess.CompletedProcess(command, status, out.getvalue(), err.getvalue())
