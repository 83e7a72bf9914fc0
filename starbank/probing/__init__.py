"""Labelled tasks from treebanks, and probes that ask what the layers of a language model know of them.

    from pathlib import Path
    from starbank.probing import make_tasks, probe

    make_tasks("UD_Hindi-PUD", Path("outputs/tasks"))
    probe([Path("outputs/tasks/UD_Hindi-PUD")], "FacebookAI/xlm-roberta-base", Path("outputs/probes/xlmr.parquet"))

Models that learn a task from its rows alone are in `starbank.probing.learning` (`docs/learning.md`).

What the tasks ask and how probes are trained is in `docs/probing.md`; the columns are in `docs/formats.md`.
"""

from starbank.probing.datasets import make_tasks
from starbank.probing.run import probe
from starbank.probing.tasks import DEFINITIONS, TASKS, Task

__all__ = ["DEFINITIONS", "TASKS", "Task", "make_tasks", "probe"]
