"""Matches -> the words that change, and what is known of them and of their sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import ConstructionError
from starbank.morphology import describe_words
from starbank.morphology.casing import define_small
from starbank.queries.constructions import Construction
from starbank.sets.concord import words_in_concord
from starbank.sets.covariates import CONCORD, COVARIATES
from starbank.sets.fused import find_fused
from starbank.sets.neighbours import with_neighbours
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import coded, integers, numbers, texts, truths
from starbank.treebanks.features import NOMINALS, RELATIVE

_CORPUS = ["node", "sent", "position", "form", "lemma", "upos", "feats", "head", "deprel", "start"]

_WORDS = """
    create temp table words as
    select
        bound.row, bound.construction, bound.node, bound.critical, bound.first, bound.agreeing,
        token.sent_id, token.split, token.id, token.position,
        coalesce(token.start, fused.start, contracted.token_start) as start,
        coalesce(token."end", fused."end", contracted.token_end) as "end",
        contracted.node is not null as contracted,
        word.form, word.lemma, word.upos, coalesce(word.feats, '') as feats, word."use",
        word.plain, word.multiword_token, word.glued, word.in_name,
        sentence.text, sentence.text_rebuilt, bound.length, bound.before, bound.after
    from bound
        join tokens as token on token.node = bound.token
        join described as word on word.node = bound.token
        join sentences as sentence using (sent)
        left join fused on fused.node = bound.token
        left join contracted on contracted.row = bound.row and contracted.node = bound.token
"""

# Words that a token hides, such as the article of French du, stand for all of it where no other of its words changes.
_CONTRACTED = """
    create temp table contracted as
    select bound.row, fused.node, token_start, token_end
    from bound join fused on fused.node = bound.token
    where token_start is not null
    qualify fused.start is null and count(*) over (partition by bound.row, fused.token) = 1
"""

_NONSENSE = f"""
    create temp table nonsense as
    select row from matched where len(list_filter("{COVARIATES}", lambda c: c.name = 'nonce' and c."value" > 0)) > 0
"""

# A relative pronoun shows what it stands for seldom itself: the head of the noun phrase that its clause is in does.
_CONTROLLERS = f"""
    create temp table controllers as
    with recursive relatives as materialized (
        select row, token, sent from rulers join tokens as pronoun on pronoun.node = rulers.token
        where {RELATIVE.format(feats="pronoun.feats")}
    ),
    -- Such sentences are few, and looked at again and again.
    nearby as materialized (
        select node, head, deprel, relation, upos from tokens where sent in (select sent from relatives)
    ),
    clauses as (
        select row, token, token as node, 0 as step from relatives
        union all
        select clauses.row, clauses.token, below.head, step + 1
        from clauses join nearby as below using (node)
            join nearby as above on above.node = below.head
        where below.relation <> 'acl' and step < 6
            and not (below.deprel = 'conj' and above.upos in {NOMINALS})
    ),
    antecedents as (
        select clauses.row, min(noun.node) as node
        from clauses join nearby as clause using (node) join nearby as noun on noun.node = clause.head
        where clause.relation in ('acl', 'conj') and noun.upos in {NOMINALS}
        group by clauses.row
    )
    select ruler.row, ruler.construction, ruler.token, token.position,
        coalesce(antecedents.node, ruler.token) as decider, word.form, word.lemma, word.upos,
        coalesce(word.feats, '') as feats, deciding.deprel, word.plain
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
        select head, string_agg(small(form), ' ' order by position) as parts from tokens where deprel = 'fixed'
        group by head
    )
    select governing.row, governing.construction, governing.token, word.form, word.lemma, word.upos,
        coalesce(word.feats, '') as feats, parts.parts,
        count(*) over (partition by governing.construction, word.form) as readings
    from governing
        join described as word on word.node = governing.token
        left join parts on parts.head = governing.token
"""


def find_words(
    connection: duckdb.DuckDBPyConnection,
    constructions: Sequence[Construction],
    matches: Sequence[pa.Table],
    treebank: Treebank,
) -> None:
    """Make the tables `words`, `controllers` and `governors`, and `tokens`, those of the sentences that matches are in.

    `matched` has a row for each match of each construction, which is a number from 0, `nonsense` those in sentences
    with other words, and `corpus` all tokens of the treebank, with the columns that tell what else it shows; `relation`
    is `deprel` without its subtype. `words` has
    `critical` for the words of a construction's targets and those in concord with them, which are `agreeing`, `first`
    for the first target, and `contracted` for those whose place is that of a token which hides them. Raises
    `ConstructionError` where the first target is no word.
    """
    define_small(connection, constructions[0].language)
    sentence_numbers = pa.chunked_array([chunk for table in matches for chunk in table["sent"].chunks])
    sentences = treebank.sentences.filter(pc.is_in(treebank.sentences["sent"], sentence_numbers))
    # The columns of single features are many, and `feats` has them all.
    tokens = treebank.tokens.select(treebank.tokens.column_names[: treebank.tokens.column_names.index("end") + 1])
    tokens = tokens.filter(pc.is_in(tokens["sent"], sentence_numbers))
    numbered = list(_numbered(constructions, matches))
    connection.register("corpus", _with_relation(treebank.tokens.select(_CORPUS)))
    governing = pa.concat_tables([_ruling(numbers[0].governor, *numbers) for numbers in numbered])
    tables = {
        "tokens": _with_relation(tokens),
        "sentences": sentences,
        "described": describe_words(tokens, sentences),
        "matched": pa.concat_tables([rows.append_column(COVARIATES, table[COVARIATES]) for _, rows, table in numbered]),
        "bound": with_neighbours(
            pa.concat_tables([part for numbers in numbered for part in _bound(connection, *numbers)]), governing, tokens
        ),
        "rulers": pa.concat_tables([_ruling(numbers[0].controller, *numbers) for numbers in numbered]),
        "governing": governing,
    }
    for name, table in tables.items():
        connection.register(name, table)
    find_fused(connection, treebank.tokens)
    connection.execute(_NONSENSE)
    connection.execute(_CONTRACTED)
    connection.execute(_WORDS)
    _require_words(connection, constructions)
    # Without such words there is nothing to look for.
    connection.execute(_CONTROLLERS + ("" if tables["rulers"].num_rows else " limit 0"))
    connection.execute(_GOVERNORS + ("" if tables["governing"].num_rows else " limit 0"))


def _with_relation(tokens: pa.Table) -> pa.Table:
    """Return tokens with their `relation`, the dependency relation without its subtype: texts have few of them."""
    labels = coded(tokens["deprel"])
    relations = texts([label.partition(":")[0] for label in labels.dictionary.to_pylist()])
    return tokens.append_column("relation", relations.take(labels.indices))


def _require_words(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction]) -> None:
    """Raise `ConstructionError` where the first target is bound to something else than a word."""
    query = "select construction, node from bound anti join words using (row, node) where first limit 1"
    for number, node in connection.execute(query).fetchall():
        message = f"`{node}` is to be a word, and matches the root of a sentence, or an empty node"
        hint = f"Ask of it in the pattern what only words have, such as `{node} [upos=VERB]`."
        raise ConstructionError(message, file=constructions[number].path, hint=hint)


def _numbered(
    constructions: Sequence[Construction], matches: Sequence[pa.Table]
) -> Iterator[tuple[Construction, pa.Table, pa.Table]]:
    """Return each construction with the numbers of its matches, `row` and `construction`, and with the matches."""
    first = 0
    for number, (construction, table) in enumerate(zip(constructions, matches, strict=True)):
        rows = np.arange(first, first + table.num_rows)
        yield (
            construction,
            pa.table({"row": integers(rows), "construction": integers(np.full(len(rows), number))}),
            table,
        )
        first += len(rows)


def _ruling(node: str | None, construction: Construction, rows: pa.Table, matches: pa.Table) -> pa.Table:
    """Return the words that are bound by a node, by match; none without a node."""
    words = rows.append_column("token", matches[node or construction.targets[0]])
    return words if node else words.slice(0, 0)


def _bound(
    connection: duckdb.DuckDBPyConnection, construction: Construction, rows: pa.Table, matches: pa.Table
) -> Iterator[pa.Table]:
    """Yield the words that change, by match and node; those in concord are nodes of their own."""
    targets = construction.targets
    for node in construction.nodes:
        words = rows.append_column("token", matches[node])
        yield _described(words, [node] * rows.num_rows, node in targets, first=node == targets[0])
    if construction.concord:
        words = words_in_concord(connection, construction, rows, matches)
        row = numbers(words["row"])
        places = np.arange(len(row)) - np.searchsorted(row, row)
        yield _described(words, [f"{CONCORD} {place}" for place in places.tolist()], critical=True, agreeing=True)


def _described(
    words: pa.Table, nodes: Sequence[str], critical: bool, *, first: bool = False, agreeing: bool = False
) -> pa.Table:
    """Return words with what the table `words` has of the nodes that they are."""
    words = words.append_column("node", texts(nodes))
    for name, value in (("critical", critical), ("first", first), ("agreeing", agreeing)):
        # `pa.scalar` would import pandas.
        words = words.append_column(name, truths(np.full(words.num_rows, value)))
    return words
