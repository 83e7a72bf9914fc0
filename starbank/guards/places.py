"""Guards about the target's place: is it a word of the text that another form can stand for?

They read `words` and `cells`, which `starbank/sets` makes.
"""

from __future__ import annotations

from typing import Any

from starbank.guards.registry import Example, Guard

_GEORGIAN: dict[str, Any] = {
    "language": "kat",
    "pattern": "S [upos=NOUN|PROPN]",
    "target": "S",
    "settings": "vary: {Case: [Nom, Erg]}",
}

GUARDS = (
    Guard(
        "target value not varied",
        "The word has none of the values that the construction varies, so that no condition is the sentence itself.",
        ("words", "cells"),
        """
        select row, if(feats = '', 'no features', feats) from words where first and row not in (select row from cells)
        """,
        Example(
            "კაცს უყვარს\n1 კაცს კაცი NOUN Case=Dat 2 nsubj\n2 უყვარს სიყვარული VERB _ 0 root",
            starred="*კაცმა უყვარს",
            gloss="man-DAT loves: the subject of this verb is a dative",
            detail="Case=Dat",
            **_GEORGIAN,
        ),
    ),
    Guard(
        "sentence text rebuilt",
        "The words do not align with the treebank's text, so that nobody knows how the sentence is written.",
        ("words",),
        "select row, 'the treebank has no text that aligns with the words' from words where text_rebuilt",
        Example(
            "სხვა ტექსტი\n1 კაცი კაცი NOUN Case=Nom 2 nsubj\n2 დადის სვლა VERB _ 0 root",
            starred="*კაცმა დადის",
            gloss="the text says “another text”, the words “man walks”",
            detail="the treebank has no text that aligns with the words",
            **_GEORGIAN,
        ),
    ),
    Guard(
        "target in a multiword token",
        "The word is written as one with others, and what that token would be with another form is not known.",
        ("words",),
        "select row, form || ' is a part of ' || multiword_token from words where multiword_token is not null",
        Example(
            "კაციც დადის\n1-2 კაციც _ _ _ _ _\n1 კაცი კაცი NOUN Case=Nom 3 nsubj\n2 ც ც PART _ 1 advmod\n"
            "3 დადის სვლა VERB _ 0 root",
            starred="*კაცმა დადის",
            gloss="man-NOM-too walks",
            detail="კაცი is a part of კაციც",
            **_GEORGIAN,
        ),
    ),
    Guard(
        "target not in the text",
        "The word is one that only the enhanced graph has, such as a verb that was left out.",
        ("words",),
        """select row, form from words where start is null or text[start + 1:"end"] <> form""",
        Example(
            "დადის\n1 დადის სვლა VERB _ 0 root\n1.1 კაცი კაცი NOUN Case=Nom _ _",
            starred="*დადის",
            gloss="(the man-NOM) walks: the subject goes without saying",
            detail="კაცი",
            **_GEORGIAN,
        ),
    ),
    Guard(
        "target glued to another word",
        "A letter of a neighbour touches the word: clitics and endings that stand as words of their own.",
        ("words",),
        "select row, '…' || text[greatest(start - 2, 1) : \"end\" + 3] || '…' from words where glued",
        Example(
            "ეს კაციო\n1 ეს ეს DET _ 2 det\n2 კაცი კაცი NOUN Case=Nom 0 root SpaceAfter=No\n3 ო ო PART _ 2 discourse",
            starred="*ეს კაცმაო",
            gloss="this man-NOM-QUOT",
            detail="…ეს კაციო…",
            **_GEORGIAN,
        ),
    ),
    Guard(
        "target is no plain word",
        "Misspelt, foreign and abbreviated words, digits, and words without a lemma do not inflect as others do.",
        ("words",),
        "select row, form || ' (' || concat_ws(', ', upos, nullif(feats, '')) || ')' from words where not plain",
        Example(
            "აშშ დადის\n1 აშშ აშშ PROPN Abbr=Yes|Case=Nom 2 nsubj\n2 დადის სვლა VERB _ 0 root",
            starred="*აშშ-მა დადის",
            gloss="the USA goes: an abbreviation",
            detail="აშშ (PROPN, Abbr=Yes|Case=Nom)",
            **_GEORGIAN,
        ),
    ),
    Guard(
        "target inside a name",
        "More of the name follows, and the last word of a name inflects for all of it.",
        ("words",),
        "select row, 'more of the name follows ' || form from words where in_name",
        Example(
            "ჯონი სმითი დადის\n1 ჯონი ჯონი PROPN Case=Nom 3 nsubj\n2 სმითი სმითი PROPN Case=Nom 1 flat:name\n"
            "3 დადის სვლა VERB _ 0 root",
            starred="*ჯონმა სმითი დადის",
            gloss="John Smith-NOM walks",
            detail="more of the name follows ჯონი",
            **_GEORGIAN,
        ),
    ),
)
