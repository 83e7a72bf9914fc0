"""Grammatical case: a task that asks for the Case of each word that has one (Patil et al. 2021)."""

from __future__ import annotations

from starbank.plugins import task
from starbank.probing.tasks import NOTEBOOK, STRICT, Task, label_words
from starbank.treebanks import Treebank


@task
def case(corpus: Treebank, *, definition: str = STRICT) -> Task:
    """Label each word that has Case with its value, as it is: `Acc,Erg` is a class.

    All other words stand there without a label; the authors' notebook takes them away, and with them adpositions and
    verbs, which tell the case.
    """
    if "Case" not in corpus.columns:
        return Task(label_words(corpus, None, "null::varchar"), notes=("no word of the treebank has Case",))
    where = '"Case" is not null' if definition == NOTEBOOK else "true"
    return Task(label_words(corpus, "Case", '"Case"::varchar', where))
