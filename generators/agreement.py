"""Agreement: a task that asks for number and gender of a verb, given what stands before it (Patil et al. 2021)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from starbank.plugins import task
from starbank.probing.tasks import MASK, NOTEBOOK, PAPER, STRICT, Task, query, words_with
from starbank.treebanks import Treebank, parts_of

_FEATURES = ("Gender", "Number")
# What agrees, in the languages that have adpositions or cases for what does not.
_BARE = ("Nom", "Abs")


@task
def agreement(corpus: Treebank, *, definition: str = STRICT) -> Task:
    """Label what stands before a verb with the verb's gender and number, or with number alone.

    Gender counts where half of the verbs that have Number have it: in Hindi or Hebrew, not in Spanish or Russian, where
    participles or past tenses have it and would be all that is asked of.
    A row is a verb (UPOS) with all these features; `position` counts the words before it, and `controller` is the
    relation of a subject, or else an object, among them that has the same features and neither an adposition nor a case
    beside the bare one, null without one. `strict` keeps verbs that have a controller and no Case, so none that are
    nouns, agree with the noun after them, or with nothing. The authors' notebook shows the whole sentence with a mask
    in the verb's place.
    """
    features = _features(corpus)
    names = [name for name in ("Case", *_FEATURES) if name in corpus.columns]
    parts = parts_of(corpus, words_with("upos", "lemma", "head", "deprel", *names))
    left_out: Counter[str] = Counter()
    rows = (_label(part, features, definition, left_out) for part in parts)
    return Task(rows, notes=_notes(left_out) if features else ("no verb of the treebank has Number",))


def _notes(left_out: Counter[str]) -> Iterator[str]:
    yield from (f"{note}: {count}" for note, count in left_out.items() if count)


def _label(part: Treebank, features: list[str], definition: str, left_out: Counter[str]) -> pa.Table:
    """Return the verbs of a part with their labels; those that a definition leaves out are counted."""
    label = " || '|' || ".join(f"""'{name}=' || "{name}"::varchar""" for name in features) or "null::varchar"
    masked = definition == NOTEBOOK
    rows = query(
        part,
        f"""
        with lists as (
            select sent, list(form order by node) as forms, list(lemma order by node) as stems,
                list(node order by node) as nodes
            from words group by sent
        ), labelled as (
            select *, {label} as label, {_case(part)} as kase from words
        ), bare as (
            select node, head, deprel, label from labelled
            where split_part(deprel, ':', 1) in ('nsubj', 'obj') and list_contains($bare, coalesce(kase, 'Nom'))
                and node not in (select head from words where deprel = 'case' and head is not null)
        ), controllers as (
            -- The subject, whatever it is a subject of, before the object.
            select verb.node, arg_max(bare.deprel, (bare.deprel like 'nsubj%', bare.node)) as controller
            from labelled as verb join bare on bare.head = verb.node
            where bare.node < verb.node and bare.label = verb.label
            group by verb.node
        )
        select split, sent_id, forms[:place - 1] || if($masked, [$mask] || forms[place + 1:], []) as tokens,
            stems[:place - 1] || if($masked, [$mask] || stems[place + 1:], []) as lemmas,
            label, form, (place - 1)::int as position, controller, kase is null as verbal
        from (select *, list_position(nodes, node) as place from labelled join lists using (sent))
            left join controllers using (node)
        where upos = 'VERB' and label is not null
        order by node
        """,
        bare=list(_BARE),
        masked=masked,
        mask=MASK,
    )
    verbal, rows = rows["verbal"], rows.drop_columns("verbal")
    if masked or not features:
        return rows
    if definition == PAPER:
        which, note = pc.equal(rows["position"], 0), "verbs with nothing before them are left out"
    else:
        which = pc.or_(pc.is_null(rows["controller"]), pc.invert(verbal))
        note = "verbs that agree with no subject or object before them are left out"
    left_out[note] += pc.sum(which).as_py() or 0
    return rows.filter(pc.invert(which))


def _case(part: Treebank) -> str:
    return '"Case"::varchar' if "Case" in part.columns else "null::varchar"


def _features(corpus: Treebank) -> list[str]:
    """Return the features that verbs of the treebank agree in."""
    has = {name: f'"{name}" is not null' for name in _FEATURES if name in corpus.columns}
    if "Number" not in has:
        return []
    both = f"count(*) filter ({has.get('Gender', 'false')})"
    sql = f"""select count(*) as number, {both} as gender from words where upos = 'VERB' and {has["Number"]}"""
    parts = parts_of(corpus, words_with("upos", *has))
    counts = pa.concat_tables(query(part, sql) for part in parts)
    number, gender = (pc.sum(counts[name]).as_py() for name in ("number", "gender"))
    if not number:
        return []
    return list(_FEATURES) if 2 * gender >= number else ["Number"]
