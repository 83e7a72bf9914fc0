"""Guards about the target's place: is it a word of the text that another form can stand for?

They read `words` and `cells`, which `starbank/sets` makes.
"""

from __future__ import annotations

from starbank.guards.registry import Guard

GUARDS = (
    Guard(
        "target value not varied",
        "The word has none of the values that the construction varies, so that no condition is the sentence itself.",
        """
        select row, if(feats = '', 'no features', feats) from words where first and row not in (select row from cells)
        """,
    ),
    Guard(
        "sentence text rebuilt",
        "The words do not align with the treebank's text, so that nobody knows how the sentence is written.",
        "select row, 'the treebank has no text that aligns with the words' from words where text_rebuilt",
    ),
    Guard(
        "target in a multiword token",
        "The word is written as one with others, and what that token would be with another form is not known.",
        "select row, form || ' is a part of ' || multiword_token from words where multiword_token is not null",
    ),
    Guard(
        "target not in the text",
        "The word is one that only the enhanced graph has, such as a verb that was left out.",
        """select row, form from words where start is null or text[start + 1:"end"] <> form""",
    ),
    Guard(
        "target glued to another word",
        "A letter of a neighbour touches the word: clitics and endings that stand as words of their own.",
        "select row, '…' || text[greatest(start - 2, 1) : \"end\" + 3] || '…' from words where glued",
    ),
    Guard(
        "target is no plain word",
        "Misspelt, foreign and abbreviated words, digits, and words without a lemma do not inflect as others do.",
        "select row, form || ' (' || concat_ws(', ', upos, nullif(feats, '')) || ')' from words where not plain",
    ),
    Guard(
        "target inside a name",
        "More of the name follows, and the last word of a name inflects for all of it.",
        "select row, 'more of the name follows ' || form from words where in_name",
    ),
)
