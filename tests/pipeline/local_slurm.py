"""A real Slurm of one node with a pretended GPU, for as long as a test wants it. Needs root, slurmctld and munge."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Where jobs look for it: Snakemake keeps Slurm's variables from them.
INSTALLED = Path("/etc/slurm/slurm.conf")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
CONFIGURATION = """
ClusterName=one
SlurmctldHost=localhost
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SwitchType=switch/none
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
MinJobAge=300
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/jobcomp.txt
GresTypes=gpu
SlurmdParameters=config_overrides
NodeName=localhost CPUs=8 Boards=1 SocketsPerBoard=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:1
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """Return why no Slurm can be started here, or nothing."""
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    if absent:
        return f"no {', '.join(absent)} here"
    if INSTALLED.exists():
        return "a Slurm is set up here"
    return "" if os.getuid() == 0 else "Slurm is started as root"


@contextmanager
def local_slurm(folder: Path) -> Iterator[dict[str, str]]:
    """Start Slurm with its files in `folder`; yield the environment in which its commands find it."""
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    settings = CONFIGURATION.format(folder=folder, controller=_port(), node=_port())
    (folder / "slurm.conf").write_text(settings)
    (folder / "gres.conf").write_text("NodeName=localhost Name=gpu File=/dev/null\n")
    environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
    commands = [
        ["munged", "--foreground", "--force", f"--socket={folder}/munge.socket", f"--key-file={folder}/munge.key",
         f"--pid-file={folder}/munge.pid", f"--seed-file={folder}/munge.seed", f"--log-file={folder}/munge.log"],
        ["slurmctld", "-D", "-i"],
        ["slurmd", "-D", "-N", "localhost"],
    ]  # fmt: skip
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o400)
    INSTALLED.unlink(missing_ok=True)
    INSTALLED.symlink_to(folder / "slurm.conf")
    started = []
    try:
        for command in commands:
            log = (folder / f"{command[0]}.out").open("wb")
            started.append(subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT))
            time.sleep(1)
        _wait_until_idle(environment, folder)
        yield environment
    finally:
        INSTALLED.unlink()
        for process in reversed(started):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _wait_until_idle(environment: dict[str, str], folder: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        told = subprocess.run(["sinfo", "-h", "-o", "%T"], env=environment, capture_output=True, text=True)
        if told.stdout.strip() == "idle":
            return
        time.sleep(0.5)
    logs = "\n".join(path.read_text(errors="replace")[-2000:] for path in folder.glob("*.log"))
    raise RuntimeError(f"Slurm does not start:\n{logs}")
