"""The words of a treebank as those that draw substitutes want them: one table, in corpus order."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology import describe_words
from starbank.morphology.casing import decapitalised
from starbank.morphology.words import READ as DESCRIBED
from starbank.morphology.words import covering, head_rows
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, mask, numbers, take, texts, truths, whole

# What joins a word to others of the same multiword token: their forms, and its own place among them.
_COMPANIONS = """
    with covered as (select row, cover, form from tokens where cover >= 0)
    select word.row, string_agg(if(other.row = word.row, '·', other.form), ' ' order by other.row) as companions
    from covered as word join covered as other using (cover) group by word.row
"""

_WORDS = (
    """
    create or replace temp table words as
    select row, sent, split, form, coalesce(lemma, form) as lemma, lemma is not null as known, upos, xpos,
        coalesce(feats, '') as feats, head, deprel, split_part(deprel, ':', 1) as relation,
        -- Words without a lemma are no worse to replace, nor those that a multiword token writes: Hebrew yad_.
        (plain or lemma is null and feats <> '' or cover >= 0 and form.contains('_'))
            and not regexp_matches(form, '[0-9]') and not regexp_matches(feats, '(Abbr|Foreign|Typo)=Yes')
            -- A noun of one letter is that letter, or short for something; other scripts have words of one sign.
            and not (upos in ('NOUN', 'PROPN') and length(form) = 1 and lower(form) <> upper(form)) as plain,
        initial, in_name, "use",
        -- Nouns make compounds as they like; those of verbs are fixed.
        case when deprel.starts_with('compound:') then deprel
            when deprel = 'compound' and head_upos = 'VERB' then 'compound:VERB' end as compound,
        -- Clitics touch the word as those of a multiword token do.
        coalesce(glued, true) as touched, touched and (clitics is null or cover >= 0) as glued,
        -- A clitic after a hyphen minds how the verb before it ends: a-t-il, écrit-il.
        coalesce(following, '').starts_with('-') and following_upos = 'PRON' as hyphenated,
        previous, previous_upos, following, following_upos, misc,
        nullif(cover, -1) as cover, coalesce(companions, if(touched, clitics, ''), '') as companions,
        -- A word has its own capital or none where another comes before it.
        if(initial and upos <> 'PROPN' and form = upper(form[1]) || form[2:]
            and (form <> upper(form) or length(form) = 1) and form[2] = lower(form[2]), {decapitalised}, form
        ) as plain_form
    from word_rows
        left join ("""
    + _COMPANIONS
    + """) using (row)
"""
)

_CLOSED = ("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ")
_TAKEN = ("sent", "split", "form", "lemma", "upos", "xpos", "feats", "deprel", "misc")
_SAID = ("plain", "initial", "glued", "in_name", "use")
# The columns of tokens and of sentences that are read.
READ = (tuple(dict.fromkeys((*DESCRIBED[0], *_TAKEN))), DESCRIBED[1])


def _beside(words: pa.Table) -> dict[str, pa.Array]:
    """Return the form and UPOS of what stands on either side of words, null at the edges of the sentence."""
    sent, columns = numbers(words["sent"]), {}
    for side, step in (("previous", -1), ("following", 1)):
        row = np.arange(len(sent)) + step
        inside = (row >= 0) & (row < len(sent)) & (sent[row % max(len(sent), 1)] == sent)
        for name, column in ((side, "form"), (f"{side}_upos", "upos")):
            columns[name] = take(whole(words[column]), np.where(inside, row, -1), ~inside)
    return columns


def _clitics(tokens: pa.Table) -> pa.StringArray:
    """Return for each row the words of closed classes that stand beside it without a space, around its own place.

    It is null where nothing does, and where a word of another kind does.
    """
    start, end, sent = (whole(tokens[name]) for name in ("start", "end", "sent"))
    shown = np.flatnonzero(mask(start.is_valid()))
    begin, last, sentence = (numbers(take(column, shown)) for column in (start, end, sent))
    first = np.flatnonzero((begin[1:] == last[:-1]) & (sentence[1:] == sentence[:-1]))
    pairs = shown[np.stack([first, first + 1])]
    upos = [take(whole(tokens["upos"]), side).to_pylist() for side in pairs]
    words = np.array(["PUNCT" not in kinds for kinds in zip(*upos, strict=True)], dtype=bool)
    pairs = pairs[:, words]
    forms, kinds = (take(whole(tokens[name]), pairs.ravel()).to_pylist() for name in ("form", "upos"))
    beside: dict[int, list[str]] = {}
    others = set()
    for place, row in enumerate(pairs.ravel().tolist()):
        neighbour = (place + pairs.shape[1]) % (2 * pairs.shape[1])
        beside.setdefault(row, ["", ""])[place < pairs.shape[1]] = forms[neighbour]
        if kinds[neighbour] not in _CLOSED:
            others.add(row)
    rows = sorted(set(beside) - others)
    clitics = texts([None, *("·".join(beside[row]) for row in rows)])
    which = np.zeros(len(tokens), dtype=np.int64)
    which[rows] = np.arange(1, len(rows) + 1)
    return take(clitics, which)


def collect_words(connection: duckdb.DuckDBPyConnection, treebank: Treebank, first: int) -> None:
    """Make the table `words`: one row per word, without empty nodes; `row` and `head` count tokens from `first`.

    `companions` are the other words of its multiword token, `cover` that token's row; `relation` is the relation to the
    head without its subtype; `previous` and `following` are the words beside it, null at the edges of the sentence.
    """
    tokens, language = treebank.tokens, treebank.language
    head, cover = head_rows(tokens), covering(tokens)
    places = {
        "row": integers(first + np.arange(len(tokens))),
        "head": integers(first + head, head < 0),
        "cover": integers(np.where(cover < 0, -1, first + cover)),
        "clitics": _clitics(tokens),
        "head_upos": take(whole(tokens["upos"]), head, head < 0),
    }
    columns = pa.table({**{name: tokens[name] for name in _TAKEN}, **places})
    is_word = mask(pc.ascii_is_decimal(whole(tokens["id"])))
    words = columns.filter(truths(is_word))
    # Empty nodes are described, too.
    described = describe_words(tokens, treebank.sentences)
    described = described.filter(truths(is_word[mask(whole(tokens["position"]).is_valid())]))
    said = {name: described[name] for name in _SAID}
    connection.register("tokens", columns)
    connection.register(
        "word_rows", pa.table({**{name: words[name] for name in words.column_names}, **_beside(words), **said})
    )
    connection.execute(_WORDS.format(decapitalised=decapitalised("form", language)))
