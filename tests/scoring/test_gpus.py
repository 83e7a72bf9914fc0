"""Which GPU a process takes where there are several."""

import json
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


def hold(*names: str) -> subprocess.Popen:
    """A process that takes one of the GPUs `names` and prints which."""
    command = [sys.executable, "-c", HOLD, *names]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def take_as_nobody(*names: str) -> int | None:
    """Which of the GPUs `names` a process of another user takes, for as long as it lives."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.setuid(NOBODY)
        os.write(write, json.dumps(take_first_free(names)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    with os.fdopen(read) as answer:
        return json.load(answer)


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
def test_two_users_share_the_gpus_of_a_machine():
    one, two = f"GPU-{uuid4()}", f"GPU-{uuid4()}"
    assert take_as_nobody(one, two) == 0
    # What that user had is free again, and what this one has is not free for the other.
    assert take_first_free([one, two]) == 0
    assert take_as_nobody(one, two) == 1
