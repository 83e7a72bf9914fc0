"""Which features belong to a word for good: the gender of nouns, the person of pronouns, the aspect of Slavic verbs.

A feature is inherent to a part of speech where two words of one lemma differ in it much less often than two words of
any lemmas. In 30 UD treebanks the first share is 0.00 to 0.18 of the second for the gender and animacy of nouns, and
0.40 to 1.20 for what inflects: number, case and definiteness of nouns, gender and number of adjectives and verbs.
"""

from __future__ import annotations

import duckdb

_SHARE = 0.25

# Two words of a lemma that has n words, of which n_v have the value v, differ with the probability
# 1 - sum(n_v (n_v - 1)) / (n (n - 1)). The mean over lemmas weighs each by n - 1, what its words tell beyond the first.
_INHERENT = """
    with "values" as (
        select upos, lemma, split_part(part, '=', 1) as name, part, sum(count) as n
        from (select upos, lemma, count, unnest(string_split(feats, '|')) as part
            from lexicon where source = 'treebank' and feats <> '')
        group by all
    ),
    lemmas as (
        select upos, lemma, name, sum(n) as words, sum(n) * sum(n) - sum(n * n) as differing
        from "values" group by all having words > 1
    ),
    within as (
        select upos, name, sum(differing / words) / sum(words - 1) as share from lemmas group by all
    ),
    across as (
        select upos, name, 1 - sum(n * n) / (sum(n) * sum(n)) as share
        from (select upos, name, part, sum(n)::double as n from "values" group by all) group by all
    )
    select upos, name from within join across using (upos, name)
    where across.share > 0 and within.share < $share * across.share
"""


def inherent_features(connection: duckdb.DuckDBPyConnection) -> frozenset[tuple[str, str]]:
    """Return the inherent features as pairs of UPOS and name, from the table `lexicon` (schema `LEXICON`)."""
    return frozenset(connection.execute(_INHERENT, {"share": _SHARE}).fetchall())
