"""Argument number: a task that hides a verb and asks for the number of its arguments (Ravfogel et al. 2018)."""

from __future__ import annotations

from starbank.morphology.suffixes import NONE
from starbank.plugins import task
from starbank.probing.arguments import Described
from starbank.probing.tasks import MASK, STRICT, Task
from starbank.treebanks import Treebank


@task
def argument_number(corpus: Treebank, *, definition: str = STRICT) -> Task:
    """Ask what a verb that is hidden indexes: of each argument Sing, Plur, …, or none.

    The arguments are the layers of Number that verbs have (`Number[erg]`), or Number itself; a verb is a VERB or AUX
    without Case that has one of them. A row is a sentence with one verb hidden, its word and its lemma, and the
    labels stand at its place. `strict` hides each verb in its turn, `paper` and `notebook` one of each sentence, by a
    hash. `verbs` and `syncretic` tell how many finite verbs the sentence has, and how many nominals with a suffix
    that does not tell the case.
    """
    words = Described(corpus)
    if not words.slots:
        return Task([], notes=("no verb of the treebank has Number",))
    indexes = " or ".join(f"slot_{slot} is not null" for slot in words.slots)
    labels = ", ".join(
        f"list_transform(forms, lambda form, i: if(i = place, coalesce(slot_{slot}, $none), null)) as labels_{slot}"
        for slot in words.slots
    )
    one_verb = "qualify row_number() over (partition by sent order by md5(sent_id || id)) = 1"
    rows = words.query(
        f"""
        , lists as (
            select sent, list(form order by node) as forms, list(lemma order by node) as stems,
                list(node order by node) as nodes
            from words group by sent
        ), hidden as (
            select *, list_position(nodes, node) as place from described join lists using (sent) where {indexes}
            {one_verb if definition != STRICT else ""}
        )
        select split, sent_id,
            list_transform(forms, lambda form, i: if(i = place, $mask, form)) as tokens,
            list_transform(stems, lambda stem, i: if(i = place, $mask, stem)) as lemmas,
            {labels}, form, (place - 1)::int as position, verbs, syncretic
        from hidden order by node
        """,
        none=NONE,
        mask=MASK,
    )
    return Task(rows)
