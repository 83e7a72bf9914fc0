"""Matches -> the words that change, and what is known of them and of their sentences."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology import describe_words
from starbank.queries.constructions import Construction
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, texts, truths
from starbank.treebanks.features import NOMINALS, RELATIVE

_WORDS = """
    create temp table words as
    select
        bound.row, bound.node, bound.critical, bound.first,
        token.sent_id, token.split, token.id, token.position, token.start, token."end",
        word.form, word.lemma, word.upos, coalesce(word.feats, '') as feats, word."use",
        word.plain, word.multiword_token, word.glued, word.in_name,
        sentence.text, sentence.text_rebuilt, neighbours.length, neighbours.before, neighbours.after
    from bound
        join tokens as token on token.node = bound.token
        join described as word on word.node = bound.token
        join sentences as sentence using (sent)
        join neighbours on neighbours.row = bound.row and neighbours.token = bound.token
"""

# The length of a word's sentence, and the words beside it, adverbs, particles and others that change aside, where they
# may head or build a noun phrase; what governs the word does not.
_NEIGHBOURS = """
    create temp table neighbours as
    with others as (
        select bound.row, bound.token, other.form, other.position - token.position as distance,
            words.length,
            coalesce(other.upos in ('ADV', 'PART'), false) as passed_over,
            governing.token is null
                and (other.upos in ('ADJ', 'ADP', 'DET', 'NOUN', 'NUM', 'PROPN') or contains(other.feats, 'Case='))
                as nominal
        from bound join tokens as token on token.node = bound.token join tokens as other using (sent)
            join (
                select sent, count(*) as length from tokens where regexp_full_match(id, '[0-9]+') group by sent
            ) as words using (sent)
            left join governing on governing.row = bound.row and governing.token = other.node
        where other.position is not null
            and (other.node = bound.token or (bound.row, other.node) not in (select row, token from bound))
    )
    select row, token,
        any_value(length) as length,
        arg_max_null(if(nominal, form, null), distance) filter (distance < 0 and not passed_over) as before,
        arg_min_null(if(nominal, form, null), distance) filter (distance > 0 and not passed_over) as after
    from others group by row, token
"""

# A relative pronoun shows what it stands for seldom itself: the head of the noun phrase that its clause is in does.
_CONTROLLERS = f"""
    create temp table controllers as
    with recursive clauses as (
        select row, token, token as node, 0 as step
        from rulers join tokens as pronoun on pronoun.node = rulers.token
        where {RELATIVE.format(feats="pronoun.feats")}
        union all
        select clauses.row, clauses.token, below.head, step + 1
        from clauses join tokens as below using (node)
            join tokens as above on above.node = below.head
        where split_part(below.deprel, ':', 1) <> 'acl' and step < 6
            and not (below.deprel = 'conj' and above.upos in {NOMINALS})
    ),
    antecedents as (
        select clauses.row, min(noun.node) as node
        from clauses join tokens as clause using (node) join tokens as noun on noun.node = clause.head
        where split_part(clause.deprel, ':', 1) in ('acl', 'conj') and noun.upos in {NOMINALS}
        group by clauses.row
    )
    select ruler.row, ruler.token, token.position, coalesce(antecedents.node, ruler.token) as decider,
        word.form, word.lemma, word.upos, coalesce(word.feats, '') as feats, deciding.deprel, word.plain
    from rulers as ruler
        join tokens as token on token.node = ruler.token
        left join antecedents using (row)
        join tokens as deciding on deciding.node = coalesce(antecedents.node, ruler.token)
        join described as word on word.node = deciding.node
"""

# With the other parts of a governor of several words, and how often this one is read as what it is.
_GOVERNORS = """
    create temp table governors as
    with parts as (
        select head, string_agg(lower(form), ' ' order by position) as parts from tokens where deprel = 'fixed'
        group by head
    )
    select governing.row, governing.token, word.form, word.lemma, word.upos, coalesce(word.feats, '') as feats,
        parts.parts, count(*) over (partition by word.form) as readings
    from governing
        join described as word on word.node = governing.token
        left join parts on parts.head = governing.token
"""


def find_words(
    connection: duckdb.DuckDBPyConnection, construction: Construction, matches: pa.Table, treebank: Treebank
) -> None:
    """Make the tables `words`, `controllers` and `governors`, and `tokens`, those of the sentences that matches are in.

    `corpus` has all tokens of the treebank, and the columns that tell what else it shows.

    `words` has `critical` for the words of the construction's targets, and `first` for the first target.
    """
    sentences = treebank.sentences.filter(pc.is_in(treebank.sentences["sent"], matches["sent"]))
    # The columns of single features are many, and `feats` has them all.
    tokens = treebank.tokens.select(treebank.tokens.column_names[: treebank.tokens.column_names.index("end") + 1])
    tokens = tokens.filter(pc.is_in(tokens["sent"], matches["sent"]))
    rows = integers(np.arange(matches.num_rows))
    names = ["node", "form", "lemma", "upos", "feats", "head", "deprel"]
    tables = {
        "tokens": tokens,
        "corpus": treebank.tokens.select(names),
        "sentences": sentences,
        "described": describe_words(tokens, sentences),
        "bound": _bound(construction, matches, rows),
        "rulers": _ruling(construction.controller, matches, rows),
        "governing": _ruling(construction.governor, matches, rows),
    }
    for name, table in tables.items():
        connection.register(name, table)
    connection.execute(_NEIGHBOURS)
    connection.execute(_WORDS)
    # Without such a word there is nothing to look for.
    connection.execute(_CONTROLLERS + ("" if construction.controller else " limit 0"))
    connection.execute(_GOVERNORS + ("" if construction.governor else " limit 0"))


def _ruling(node: str | None, matches: pa.Table, rows: pa.Array) -> pa.Table:
    """Return the words that are bound by a node, by match; none without a node."""
    none = integers(np.arange(0))
    return pa.table({"row": rows if node else none, "token": matches[node] if node else none})


def _bound(construction: Construction, matches: pa.Table, rows: pa.Array) -> pa.Table:
    """Return the words that change, by match and node."""
    parts = [
        pa.table(
            {
                "row": rows,
                "node": texts([node] * matches.num_rows),
                "token": matches[node],
                "critical": _constant(node in construction.targets, matches.num_rows),
                "first": _constant(node == construction.targets[0], matches.num_rows),
            }
        )
        for node in construction.nodes
    ]
    return pa.concat_tables(parts)


def _constant(value: bool, length: int) -> pa.Array:
    return truths(np.full(length, value))  # `pa.scalar` would import pandas.
