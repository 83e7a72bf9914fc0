"""Parts of speech: a task that asks for the UPOS of each word (Patil et al. 2021)."""

from __future__ import annotations

from starbank.plugins import task
from starbank.probing.tasks import NOTEBOOK, STRICT, Task, label_words
from starbank.treebanks import Treebank


@task
def pos(corpus: Treebank, *, definition: str = STRICT) -> Task:
    """Label each word with its UPOS.

    The authors' notebook takes every line of CoNLL-U for a word: multiword tokens, which stand before their parts, have
    a class of their own, `_`.
    """
    if definition == NOTEBOOK:
        return Task(label_words(corpus, "upos", "coalesce(upos, '_')", table="tokens"))
    return Task(label_words(corpus, "upos", "upos"))
