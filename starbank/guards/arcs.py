"""Guards about mined arcs: is an arc an instance of a pattern, and are its forms fit to be compared?

They read `instances`, the arcs with their pattern, and `spanned`, what stands between the ends of each
(`starbank/sets/mining/instances.py`), and `compared_forms`, the forms of the items made of them
(`starbank/sets/mining/items.py`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starbank.guards import controllers
from starbank.guards.registry import Example, Guard


def _lie(noun: str, lemma: str, number: str, place: str, verb: str, verb_lemma: str, verb_number: str = "") -> str:
    """Return a sentence such as `The keys to the old cellar lie here`, whose number five words tell beforehand."""
    return (
        f"The {noun} to the old {place} {verb} here\n"
        f"1 The the DET _ 2 det\n2 {noun} {lemma} NOUN Number={number} 7 nsubj\n3 to to ADP _ 6 case\n"
        f"4 the the DET _ 6 det\n5 old old ADJ _ 6 amod\n6 {place} {place} NOUN Number=Sing 2 nmod\n"
        f"7 {verb} {verb_lemma} VERB Number={verb_number or number} 0 root\n8 here here ADV _ 7 advmod"
    )


def _twice(sentence: str) -> str:
    """Return a sentence with its subject once more before it."""
    text, *words = sentence.splitlines()
    subject = words[1].split(" ")
    moved = [
        " ".join([str(int(number) + 1), *word, str(int(head) + 1 if int(head) else 0), relation])
        for number, *word, head, relation in (line.split(" ") for line in words)
    ]
    first = " ".join(["1", subject[1].title(), *subject[2:5], "8", "nsubj"])
    return "\n".join([f"{subject[1].title()} {text}", first, *moved])


_KEYS = _lie("keys", "key", "Plur", "cellar", "lie", "lie")
_KEY = _lie("key", "key", "Sing", "cabinet", "lies", "lie")
_DOORS = _lie("doors", "door", "Plur", "barn", "sleep", "sleep")
_DOOR = _lie("door", "door", "Sing", "house", "sleeps", "sleep")
_MINED: dict[str, Any] = {
    "pattern": "GOV -[nsubj]-> DEP; GOV [Number]; DEP [Number]",
    "target": "[GOV, DEP]",
    "settings": "vary: {Number: [Sing, Plur]}\ngenerator: mined_agreement\noptions: {fewest: 1, nonce: 0}",
}
_GLOSS = "agreement over five words"
_WORDS = "The the to old here key keys cabinet cellar lie lies door doors house barn sleep".replace(" ", "\n")
_DISAGREES = next(guard for guard in controllers.GUARDS if guard.name == "controller does not agree")

GUARDS = (
    Guard(
        "arc of another length",
        "Close by, agreement is easy to learn by heart; far away it is seldom annotated well.",
        ("instances",),
        "select row, length || ' words' from instances where not near",
        Example(
            _KEYS,
            starred="*The keys to the old cellar lies here",
            gloss=_GLOSS,
            detail="5 words",
            beside=(_KEY, _DOOR, _DOORS),
            **_MINED | {"settings": _MINED["settings"].replace("nonce: 0", "nonce: 0, longest: 4")},
        ),
    ),
    Guard(
        "arc that others cross",
        "The two ends are not on one path, and who depends on whom is open.",
        ("instances",),
        "select row, pattern || ' ' || direction from instances where not projective",
        Example(
            _KEYS.replace("8 here here ADV _ 7", "8 here here ADV _ 6").replace(
                "6 cellar cellar NOUN Number=Sing 2", "6 cellar cellar NOUN Number=Sing 8"
            ),
            starred="*The keys to the old cellar lies here",
            gloss="annotated as if the cellar belonged to “here”",
            detail="NOUN_VERB L",
            beside=(_KEY, _DOOR, _DOORS),
            **_MINED,
        ),
    ),
    Guard(
        "no pattern",
        "In such places the one end does not tell the value of the other.",
        ("instances",),
        """select row, pattern || ' ' || direction from instances where "values" is null""",
        Example(
            _KEYS,
            starred="*The keys to the old cellar lies here",
            gloss="the only plural of its kind",
            detail="NOUN_NOUN_VERB L",
            beside=(_KEY, _DOOR),
            **_MINED,
        ),
    ),
    replace(
        _DISAGREES,
        needs=("instances",),
        query="""
        select row, cue_value || ', ' || target_value from instances where cue_value is distinct from target_value
        """,
        example=Example(
            _lie("gates", "gate", "Plur", "yard", "waits", "wait", "Sing"),
            starred="*The gates to the old yard wait here",
            gloss="what agrees in four other sentences does not in this one",
            detail="Plur, Sing",
            beside=(_KEY, _KEYS, _DOOR, _DOORS),
            **_MINED,
        ),
    ),
    Guard(
        "not in the vocabulary",
        "A model that has not seen a word cannot be asked about it.",
        ("spanned",),
        "select row, unknown from spanned where unknown is not null",
        Example(
            _DOOR,
            starred="*The door to the old house sleep here",
            gloss="the model has never seen “sleeps”",
            detail="sleeps",
            beside=(_KEY, _KEYS, _DOORS),
            files=(("words.txt", _WORDS),),
            **_MINED | {"settings": _MINED["settings"] + "\nvocabulary: [words.txt]"},
        ),
    ),
)

# Once the others have spoken, and their `problems` are known.
LATE_GUARDS = (
    Guard(
        "another arc to the target",
        "A sentence gives one item of a word: that of the shortest arc.",
        ("instances", "problems"),
        """
        select instances.row, pattern || ' ' || direction
        from instances anti join problems on problems.row = instances.row
        qualify row_number() over (partition by target order by length, instances.row) > 1
        """,
        Example(
            _twice(_KEYS),
            starred="*Keys The keys to the old cellar lies here",
            gloss="of two subjects, the nearer one is asked about",
            detail="NOUN_NOUN_VERB L",
            beside=(_twice(_KEY), _twice(_DOOR), _twice(_DOORS)),
            **_MINED,
        ),
    ),
)

FORM_GUARDS = (
    Guard(
        "another sound at the beginning",
        "The word before tells the two forms apart: a dog, an eagle.",
        ("fitting",),
        """
        select row, string_agg(form, ', ' order by grammatical desc, form)
        from fitting group by row having count(distinct sound) > 1
        """,
        Example(
            _KEYS.replace("lie lie VERB", "be be VERB").replace(" lie ", " be "),
            starred="*The keys to the old cellar is here",
            gloss="in other places, “a” and “an” would tell them apart",
            detail="be, is",
            beside=(_KEY.replace("lies lie VERB", "is be VERB").replace(" lies ", " is "), _DOOR, _DOORS),
            **_MINED,
        ),
    ),
    Guard(
        "not in the vocabulary",
        "A model that has not seen a word cannot be asked about it.",
        ("fitting",),
        """
        select row, string_agg(form, ', ' order by grammatical desc, form)
        from fitting group by row having bool_or(not listed)
        """,
        Example(
            _DOOR,
            starred="*The door to the old house sleep here",
            gloss="the model has never seen “sleeps”",
            detail="sleeps",
            beside=(_KEY, _KEYS, _DOORS),
            files=(("words.txt", _WORDS),),
            **_MINED | {"settings": _MINED["settings"] + "\nvocabulary: [words.txt]"},
        ),
    ),
)
