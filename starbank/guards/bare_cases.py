"""Guards about cases in which a noun stands without a word that governs it: of owners, of times, of manners.

They read `read_as`, which `read_forms` makes, and what `find_bare_cases` does:

- `beside_adposition`: the words (`row`, `node`, `first`) that change and have an adposition, `behind` it or before it;
  behind it, it may be that of their noun; a guard about function words reads it, too;
- `owners_first`: whether the language `often` has nouns in the genitive before the noun that they belong to.
"""

from __future__ import annotations

import duckdb

from starbank.guards.registry import Guard
from starbank.guards.thresholds import SLIPS
from starbank.treebanks.features import NOMINALS

GUARDS = (
    Guard(
        "adverbial form",
        "The starred form stands alone as an adverbial, and a subject may go unsaid; but an adposition beside it would "
        "then have no noun.",
        f"""
        select row, name, reading from read_as
        where starred and by_case and (upos = 'ADV' or "use" = 'adverbial')
            and (target not in {NOMINALS} or row not in (select row from beside_adposition where first))
        """,
        by_condition=True,
    ),
    Guard(
        "genitive beside a noun",
        "Without the target as an argument, which may go unsaid in many languages, the form may belong to its "
        "neighbour: beside an adposition, which needs a noun, to the next one, in languages that have owners first.",
        """
        select row, name, reading || ', beside ' || coalesce(after, before) from read_as cross join owners_first
        where starred and genitive and (
            after is not null and often
            or row not in (select row from beside_adposition where first) and coalesce(after, before) is not null
        )
        """,
        by_condition=True,
    ),
)

_BESIDE_ADPOSITION = """
    create temp table beside_adposition as
    select distinct bound.row, bound.node, bound.first, adposition.position < word.position as behind
    from bound
        join tokens as word on word.node = bound.token
        -- It hangs from the word or, where this is a modifier, from its noun. Behind the word it could be an adverb.
        join tokens as adposition on adposition.sent = word.sent and adposition.relation = 'case' and (
            adposition.head in (word.node, word.head) and adposition.position < word.position
            or adposition.head = word.node and small(adposition.form) not in (
                select small(form) from corpus where upos = 'ADV'
            )
        )
"""

# More often than slips of annotation do.
_OWNERS_FIRST = f"""
    create temp table owners_first as
    select coalesce(count(*) filter (own.position < noun.position) > {SLIPS} * count(*), false) as often
    from corpus as own join corpus as noun on noun.node = own.head
    where own.upos in ('NOUN', 'PROPN') and own.relation = 'nmod' and noun.upos in {NOMINALS}
        and contains('|' || own.feats || '|', '|Case=Gen|')
        and own.node not in (select head from corpus where relation = 'case' and head is not null)
"""


def find_bare_cases(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that the guards read, beside those of matches."""
    for query in (_BESIDE_ADPOSITION, _OWNERS_FIRST):
        connection.execute(query)
