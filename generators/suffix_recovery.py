"""Suffix recovery: a task that takes the endings of arguments away and asks for them (Ravfogel et al. 2018)."""

from __future__ import annotations

from starbank.morphology.suffixes import NONE
from starbank.plugins import task
from starbank.probing.arguments import Described, closest
from starbank.probing.tasks import STRICT, Task
from starbank.treebanks import Treebank


@task
def suffix_recovery(corpus: Treebank, *, definition: str = STRICT) -> Task:
    """Ask of each word which ending of a case of arguments it has lost, or `none`.

    The endings are those of `find_suffixes`. `closest` tells of arguments of finite verbs whether the nearest finite
    verb is their own, `verbs` how many of these the sentence has. All definitions agree.
    """
    words = Described(corpus)
    if not words.suffixes.cells:
        return Task([], notes=("no nominal of the treebank has Case and Number",))
    rows = words.query(
        f"""
        , {closest()}
        select any_value(split) as split, any_value(sent_id) as sent_id,
            list(stem order by node) as tokens, list(lemma order by node) as lemmas,
            list(coalesce(suffix, $none) order by node) as labels, list(closest order by node) as closest,
            any_value(verbs) as verbs
        from described left join own using (node)
        group by sent order by sent
        """,
        "head", "deprel",
        none=NONE,
    )  # fmt: skip
    return Task(rows)
