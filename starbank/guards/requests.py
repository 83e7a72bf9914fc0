"""Guards that stand in a request: what the `without` blocks of a proposed construction leave out, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Clause:
    """A line of a request, with what it is for, in words."""

    text: str
    comment: str = ""


# By name, with the nodes and what else differs from request to request in braces; X is any word.
REQUEST_GUARDS = {
    "one form": Clause('{target} [{feature}="{value}"]', "With {pair}, all values of {varied} have the same form."),
    "pronoun without agreement": Clause(
        "{controller} [PronType=Rel|Int|Ind|Neg|Tot|Rcp]",
        "Relative, interrogative, indefinite and such pronouns: many of them show nothing of what they stand for.",
    ),
    "plural of respect": Clause("{controller} [Polite=Form]", "A plural of respect may be one person."),
    "second target": Clause("{target} -[1=conj]-> X", "A second {kind} beside it may have an agreement of its own."),
    "second controller": Clause(
        "{head} -[1={relation}]-> X",
        "Two words that are annotated as {relation} of one verb: which does it agree with?",
    ),
    "argument of an adposition": Clause("{target} -[1=case]-> X", "An adposition, not the verb, governs the case."),
    "argument with a numeral": Clause("{target} -[1=nummod]-> X", "A numeral may govern the case."),
    "coordinated argument": Clause(
        "{target} -[1=conj]-> X", "A coordinated target would change in one of its members only."
    ),
    "another sense": Clause(
        "G [lemma={lemmas}]; {target} [{feature}<>{value}]",
        "These have {feature}={value}; anything else is another sense of the {governor}, or a slip.",
    ),
    "coordinated word": Clause(
        "{target} -[1=conj]-> X",
        "A coordinated target would change in one of its members only, which may be bare where the last one is marked.",
    ),
    "governor of several words": Clause("G -[fixed]-> X", "A {governor} of several words may govern otherwise."),
    "second governor": Clause("{target} -[1={relation}]-> X", "Two of them at one word: which governs it?"),
    "name or apposition": Clause(
        "{target} -[1=flat|appos]-> X", "The parts of a name, or an apposition, may decline alone or together."
    ),
    "word with a numeral": Clause("{target} -[1=nummod]-> X", "A numeral may govern the case in place of it."),
}


def request_guards(*names: str, **parts: str) -> tuple[Clause, ...]:
    """Return the guards of these names, with the `parts` that they leave open filled in."""
    guards = [REQUEST_GUARDS[name] for name in names]
    return tuple(Clause(guard.text.format(**parts), guard.comment.format(**parts)) for guard in guards)
