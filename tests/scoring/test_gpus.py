"""Which GPU a process takes where there are several."""

import os
import subprocess
import sys
from uuid import uuid4

import pytest

from starbank.scoring.gpus import take_first_free
from tests.scoring.conftest import ROOT

HOLD = """
import sys
from starbank.scoring.gpus import take_first_free
print(take_first_free(sys.argv[1:]), flush=True)
sys.stdin.read()
"""
NOBODY = 65534


def hold(*names: str, user: int | None = None) -> subprocess.Popen:
    """A process, of another user if wanted, that takes one of the GPUs `names` and prints which."""
    command = [sys.executable, "-c", HOLD, *names]
    return subprocess.Popen(
        command, cwd=ROOT, user=user, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_each_process_takes_a_gpu_of_its_own_and_gives_it_back():
    one, two = f"GPU-{uuid4()}", f"GPU-{uuid4()}"
    other = hold(one, two)
    assert other.stdout is not None
    assert other.stdout.readline() == "0\n"
    assert take_first_free([one]) is None
    # A GPU is known by its name, though this process sees them in another order.
    assert take_first_free([one, two]) == 1
    other.kill()
    other.communicate()
    assert take_first_free([one]) == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_two_users_share_the_gpus_of_a_machine(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    one, two = f"GPU-{uuid4()}", f"GPU-{uuid4()}"
    assert take_first_free([one, two]) == 0
    second = hold(one, two, user=NOBODY)
    assert second.communicate("")[0] == "1\n"
    # And what that user had is free again.
    assert take_first_free([one, two]) == 1
