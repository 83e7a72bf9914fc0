"""Verbs that index arguments, and what nominals end in: what the tasks of Ravfogel et al. (2018) stand on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.suffixes import Suffixes, find_suffixes
from starbank.probing.tasks import query, words_with
from starbank.treebanks import Treebank, parts_of

NUMBER = "Number"
# Layers of Number that are of a possessor, and not of an argument of a verb.
_POSSESSORS = ("psor", "psed", "grnd")
# Relations of arguments, and of words that carry the ending of a phrase in the place of its head.
_ARGUMENTS = ("nsubj", "obj", "iobj")
_WITHIN = ("amod", "det", "nummod", "flat", "compound", "appos")


def find_slots(corpus: Treebank) -> dict[str, str]:
    """Return the features in which verbs index the number of arguments, by the names of the arguments.

    They are those with a layer (`erg` of `Number[erg]`) where a verb has any, or else Number, as `number`. A verb is a
    VERB or AUX without Case.
    """
    layered = {name[len(NUMBER) + 1 : -1]: name for name in corpus.columns if name.startswith(f"{NUMBER}[")}
    layered = {layer: name for layer, name in layered.items() if layer not in _POSSESSORS}
    names = [name for name in (NUMBER, *layered.values()) if name in corpus.columns]
    if not names:
        return {}
    counts = ", ".join(f'count("{name}") as "{name}"' for name in names)
    parts = parts_of(corpus, words_with("upos", *names, *_case(corpus)))
    found = pa.concat_tables(query(part, f"select {counts} from words where {_verbal(corpus)}") for part in parts)
    used = {name for name in names if pc.sum(found[name]).as_py()}
    slots = {layer: name for layer, name in layered.items() if name in used}
    return slots or ({"number": NUMBER} if used else {})


class Described:
    """The words of a corpus with their suffixes, and with what of their sentences covariates tell."""

    def __init__(self, corpus: Treebank) -> None:
        """Find out what verbs of `corpus` index, and what its nominals end in."""
        self.corpus, self.slots, self.suffixes = corpus, find_slots(corpus), find_suffixes(corpus)

    def query(self, sql: str, *columns: str, **parameters: Any) -> Iterator[pa.Table]:
        """Yield what `sql` finds in the table `described` of each part of the corpus.

        It has the words with the `columns` asked for, and: `suffix` (text or null); `stem`, the form without it;
        `slot_<name>` (text or null) for each argument that verbs index; `finite`, whether the word is a finite verb;
        `verbs` and `syncretic`, how many of these and of words with a suffix of several cases their sentence has.
        """
        known = set(self.corpus.columns)
        features = [name for name in ("VerbForm", *_case(self.corpus), *self.slots.values()) if name in known]
        read = dict.fromkeys(("lemma", "upos", *features, *self.suffixes.columns, *columns))
        with_suffixes = f"({_described(self.corpus, self.slots, self.suffixes)})"
        for part in parts_of(self.corpus, words_with(*read)):
            yield query(
                part, f"with described as {with_suffixes} {sql}", syncretic=self.suffixes.syncretic, **parameters
            )


def _described(corpus: Treebank, slots: dict[str, str], suffixes: Suffixes) -> str:
    indexed = "".join(
        f', if({_verbal(corpus)}, "{name}"::varchar, null) as slot_{slot}' for slot, name in slots.items()
    )
    indexes = " or ".join(f"slot_{slot} is not null" for slot in slots) or "false"
    finite = "\"VerbForm\" = 'Fin'" if "VerbForm" in corpus.columns else "false"
    # A treebank that keeps suffixes has had them taken away.
    cut = "0" if suffixes.kept else "coalesce(length(suffix), 0)"
    return f"""
        select *, form[:length(form) - {cut}] as stem,
            count(*) filter (finite) over (partition by sent)::int as verbs,
            count(*) filter (list_contains($syncretic, suffix)) over (partition by sent)::int as syncretic
        from (
            select *, {_verbal(corpus)} and coalesce({finite}, false) or {indexes} as finite
            from (select *, {suffixes.sql()} as suffix{indexed} from words)
        )
    """


def closest(own: str = "own") -> str:
    """Return the SQL of tables that tell of each argument whether the finite verb nearest to it is its own.

    It reads `described`, with head and deprel, and makes `{own}` with `node` and `closest`. The own verb of an argument
    is what it depends on, or an auxiliary or copula of that; an argument whose verb is not finite is not there. Of two
    verbs that are equally near, the one that comes later counts.
    """
    relation = "split_part({}.deprel, ':', 1)"
    arguments, within = (", ".join(f"'{name}'" for name in names) for names in (_ARGUMENTS, _WITHIN))
    return f"""
        arguments as (
            select word.node, word.sent, word.position,
                if({relation.format("word")} in ({arguments}), word.head, above.head) as predicate
            from described as word left join described as above on above.node = word.head
                and {relation.format("word")} in ({within}) and {relation.format("above")} in ({arguments})
            where word.suffix is not null
        ), ruled as (
            select arguments.node, min(verb.node) as verb from arguments join described as verb
                on verb.finite and (verb.node = predicate or verb.head = predicate
                    and {relation.format("verb")} in ('aux', 'cop'))
            group by arguments.node
        ), nearest as (
            select arguments.node, arg_min(verb.node, (abs(verb.position - arguments.position), -verb.position)) as verb
            from arguments join described as verb on verb.finite and verb.sent = arguments.sent
            group by arguments.node
        ), {own} as (select node, ruled.verb = nearest.verb as closest from ruled join nearest using (node))
    """


def _case(corpus: Treebank) -> list[str]:
    return ["Case"] if "Case" in corpus.columns else []


def _verbal(corpus: Treebank) -> str:
    return "upos in ('VERB', 'AUX')" + (' and "Case" is null' if _case(corpus) else "")
