"""Words that may belong together: relations in which few lemmas occur, and what stands beside a verb."""

from __future__ import annotations

import duckdb

# How often words of each lemma stand at either end of a relation that may be that of fixed expressions, or as an
# oblique that no adposition marks: where the lemmas are few, these are particles, light verbs, times of the day.
_TIES = """
    insert into ties
    with words as (from words where sent not in (select sent from repeated))
    select compound, 'dependent', lower(lemma), count(*) from words where compound is not null group by all
    union all
    select word.compound, 'head', lower(head.lemma), count(*)
    from words as word join words as head on head.row = word.head
    where word.compound is not null group by all
    union all
    select tie, 'dependent', lower(lemma), count(*)
    from (select row, unnest(split(tie, ' ')) as tie from frames where tie.starts_with('bare'))
        join words using (row)
    group by all
"""


# Adverbs and bare nouns beside the verb that they depend on.
_PAIRS = """
    insert into pairs_of_verbs
    select word.row, head.row, hash(word.upos, lower(word.lemma)), hash(lower(head.lemma)),
        word.sent not in (select sent from repeated)
    from around as word join words as head on head.row = word.head
    where head.upos = 'VERB' and abs(word.row - head.row) = 1 and word.adpositions = ''
        and (word.upos = 'ADV' or word.upos in ('NOUN', 'ADJ') and word.relation in ('obj', 'obl', 'xcomp', 'advmod'))
"""

# Words that make names and compounds with others of the same `head`.
_CHAINS = """
    insert into chains
    select row, head, upos in ('ADP', 'DET', 'X') from words
    where relation in ('compound', 'flat') and compound is null and head is not null
"""


def find_ties(connection: duckdb.DuckDBPyConnection) -> None:
    """Add to `ties`, `pairs_of_verbs` and `chains`, see `described`, what is in the tables `frames` and `around`."""
    connection.execute(_TIES)
    connection.execute(_CHAINS)
    connection.execute(_PAIRS)
