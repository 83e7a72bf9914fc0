"""Diagnostics: what the states of a model that recovers suffixes are asked for (Ravfogel et al. 2018)."""

from __future__ import annotations

from starbank.plugins import task
from starbank.probing.arguments import Described
from starbank.probing.tasks import STRICT, Task
from starbank.treebanks import Treebank


@task
def diagnostics(corpus: Treebank, *, definition: str = STRICT) -> Task:
    """Ask for number and case of words with a suffix of an argument, for the case of those whose suffix does not tell
    it, for part of speech, case and relation of any word.

    The input has no suffixes, as that of `suffix_recovery`. All definitions agree.
    """
    words = Described(corpus)
    if not words.suffixes.cells:
        return Task([], notes=("no nominal of the treebank has Case and Number",))
    of_suffix = "list(if(suffix is not null, {}, null) order by node)"
    rows = words.query(
        f"""
        select any_value(split) as split, any_value(sent_id) as sent_id,
            list(stem order by node) as tokens, list(lemma order by node) as lemmas,
            {of_suffix.format('"Number"::varchar')} as labels_number,
            {of_suffix.format('"Case"::varchar')} as labels_case,
            list(if(list_contains($syncretic, suffix), "Case"::varchar, null) order by node) as labels_syncretic,
            list(upos order by node) as labels_pos,
            list("Case"::varchar order by node) as labels_any_case,
            list(split_part(deprel, ':', 1) order by node) as labels_relation
        from described group by sent order by sent
        """,
        "deprel", "Case", "Number",
    )  # fmt: skip
    return Task(rows)
