"""Guards about the target's place: is it a word of the text that another form can stand for?

They read `words`, `cells`, `fused` and `filled`, which `starbank/sets` makes.
"""

from __future__ import annotations

from starbank.guards.registry import Guard
from starbank.guards.thresholds import RARER
from starbank.morphology.inflection import FEWEST_LEMMAS

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
        "Two words that change are written as one, which does not show them side by side: what that token would be is "
        "not known. Where one of them changes, texts show the token that comes out.",
        """
        select row, form || ' is a part of ' || multiword_token from words
        where multiword_token is not null and start is null
        """,
    ),
    Guard(
        "target not in the text",
        "The word is one that only the enhanced graph has, such as a verb that was left out.",
        """
        select row, form from words where start is null or not contracted and text[start + 1:"end"] <> form
        """,
    ),
    Guard(
        "target glued to another word",
        "A letter of a neighbour touches the word: clitics and endings that stand as words of their own.",
        """
        select row, '…' || text[greatest(start - 2, 1) : "end" + 3] || '…' from words
        where glued and multiword_token is null
        """,
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

# After forms have been looked up.
LATE_GUARDS = (
    Guard(
        "token not seen so",
        "A word that is written as one with others may have another shape there: Portuguese viu-o, but viram-no. The "
        "treebank shows the token, or tokens of such words that are made alike, or both words side by side: French du, "
        "but de la.",
        f"""
        with blanks as (
            select filled.row, filled.name, small(filled.form) as form, filled.upos, filled.feats,
                here.others, here.before, here.after
            from filled join bound using (row, node) join fused as here on here.node = bound.token
            where not filled.kept and filled.form is not null and here.start is not null
        ),
        kinds as (
            select kind.*, count(distinct lemma) filter (alike) as lemmas, count(*) filter (alike) as count,
                count(*) as total, coalesce(bool_or(alike and fused.form = kind.form), false) as seen
            from (select distinct form, upos, feats, others, before, after from blanks) as kind
                left join (from fused where start is not null) as fused using (upos, feats, others),
                lateral (select fused.before = kind.before and fused.after = kind.after as alike)
            group by all
        )
        select row, name, before || form || after
        from blanks join kinds using (form, upos, feats, others, before, after)
        where not seen and (lemmas < {FEWEST_LEMMAS} or {RARER} * (total - count) > count)
        union all
        select row, name, replace(others, '_', filled.form)
        from filled join bound using (row, node) join fused on fused.node = bound.token
        where filled.form is not null and filled.written is null
        """,
        by_condition=True,
    ),
)
