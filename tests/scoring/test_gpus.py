"""Which GPU a process takes where there are several."""

import subprocess
import sys

from starbank.scoring.gpus import take_first_free

HOLD = """
import sys
from pathlib import Path
from starbank.scoring.gpus import take_first_free
print(take_first_free(["one", "two"], Path(sys.argv[1])), flush=True)
sys.stdin.read()
"""


def test_each_process_takes_a_gpu_of_its_own_and_gives_it_back(tmp_path):
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "0\n"
    assert take_first_free(["one"], tmp_path) is None
    # A GPU is known by its name, though this process sees them in another order.
    assert take_first_free(["one", "two"], tmp_path) == 1
    other.kill()
    other.communicate()
    assert take_first_free(["one"], tmp_path) == 0
