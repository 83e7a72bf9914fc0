"""The words of a treebank as those that draw substitutes want them: one table, in corpus order."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology import describe_words
from starbank.morphology.casing import decapitalised, lower, upper
from starbank.morphology.words import covering, head_rows
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, mask, numbers, take, truths, whole

# What joins a word to others of the same multiword token: their forms, and its own place among them.
_COMPANIONS = """
    select row, (
        select string_agg(if(other.row = word.row, '·', other.form), ' ' order by other.row)
        from tokens as other where other.cover = word.cover
    ) as companions
    from tokens as word where cover >= 0
"""

_WORDS = (
    """
    create or replace temp table words as
    select row, sent, split, id, form, lemma, upos, xpos, coalesce(feats, '') as feats, head, deprel,
        split_part(deprel, ':', 1) as relation, plain, initial, coalesce(glued, true) as glued, in_name, "use",
        -- A clitic after a hyphen minds how the verb before it ends: a-t-il, écrit-il.
        coalesce(following, '').starts_with('-') and following_upos = 'PRON' as hyphenated,
        previous, previous_upos, following, following_upos, misc,
        nullif(cover, -1) as cover, coalesce(companions, '') as companions,
        case
            when form = {small} then 'small'
            when length(form) > 1 and form = {capital} then 'capitals'
            else 'initial'
        end as shape,
        -- A word has its own capital or none where another comes before it.
        if(initial and upos <> 'PROPN' and form = upper(form[1]) || form[2:], {decapitalised}, form) as plain_form
    from tokens
        join described using (node)
        left join ("""
    + _COMPANIONS
    + """) using (row)
    where is_word
    order by row
"""
)

_READ = ("node", "sent", "split", "id", "form", "lemma", "upos", "xpos", "feats", "deprel")
_SAID = ("node", "plain", "initial", "glued", "in_name", "use")


def beside(tokens: pa.Table) -> dict[str, pa.Array]:
    """Return which tokens are words (`is_word`), and the form and UPOS of the words on either side of these."""
    is_word = mask(pc.match_substring_regex(whole(tokens["id"]), "^[0-9]+$"))
    words, sent = np.flatnonzero(is_word), numbers(tokens["sent"])
    columns: dict[str, pa.Array] = {"is_word": truths(is_word)}
    for side, step in (("previous", 1), ("following", -1)):
        other = np.roll(words, step)
        row = np.full(len(sent), -1)
        row[words] = np.where((sent[other] == sent[words]) & ((words - other) * step > 0), other, -1)
        for name, column in ((side, "form"), (f"{side}_upos", "upos")):
            columns[name] = take(whole(tokens[column]), row, row < 0)
    return columns


def collect_words(connection: duckdb.DuckDBPyConnection, treebank: Treebank, first: int) -> None:
    """Make the table `words`: one row per word, without empty nodes; `row` and `head` count tokens from `first`.

    `companions` are the other words of its multiword token, `cover` that token's row; `relation` is the relation to the
    head without its subtype; `shape` is `small`, `initial` or `capitals`; `previous` and `following` are the words beside
    it, null at the edges of the sentence.
    """
    tokens = treebank.tokens
    columns = {name: tokens[name] for name in _READ}
    head, cover = head_rows(tokens), covering(tokens)
    connection.register(
        "tokens",
        pa.table(
            {
                **columns,
                "misc": tokens["misc"],
                **beside(tokens),
                "row": integers(first + np.arange(len(tokens))),
                "head": integers(first + head, head < 0),
                "cover": integers(np.where(cover < 0, -1, first + cover)),
            }
        ),
    )
    connection.register("described", describe_words(tokens, treebank.sentences).select(_SAID))
    language = treebank.language
    connection.execute(
        _WORDS.format(
            small=lower("form", language),
            capital=upper("form", language),
            decapitalised=decapitalised("form", language),
        )
    )
