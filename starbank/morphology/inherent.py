"""What belongs to a word for good: the gender of nouns, the person of pronouns, the aspect of Slavic verbs.

A feature is inherent to a part of speech where two words of one lemma differ in it much less often than two words of
any lemmas. In 30 UD treebanks the first share is 0.00 to 0.18 of the second for the gender and animacy of nouns, and
0.40 to 1.20 for what inflects: number, case and definiteness of nouns, gender and number of adjectives and verbs. So is
a value where most of the lemmas that have it have it alone, and another word of them differs as seldom: there 0.00 to
0.13 for Coll and Ptan of nouns, and more than 0.25 for Plur, Dual and Count.
"""

from __future__ import annotations

from collections.abc import Collection

import duckdb

from starbank.treebanks import Treebank
from starbank.treebanks.features import VALUE

_SHARE = 0.25
# A value that fewer lemmas have is not judged.
_FEWEST_LEMMAS = 3
CLOSED = ("AUX", "DET", "PRON")

# The most frequent lemmas tell what all would.
_LEMMAS = 50_000
_FREQUENT = f"""(
    from lexicon
    where source = 'treebank' and lemma in (
        select lemma from lexicon where source = 'treebank'
        group by lemma order by sum(count) desc, lemma limit {_LEMMAS}
    )
)"""

# Two words of a lemma that has n words, of which n_v have the value v, differ with the probability
# 1 - sum(n_v (n_v - 1)) / (n (n - 1)). The mean over lemmas weighs each by n - 1, what its words tell beyond the first.
_INHERENT = f"""
    with "values" as (
        select upos, lemma, split_part(part, '=', 1) as name, part, sum(count) as n
        from (select upos, lemma, count, unnest(string_split(feats, '|')) as part from {_FREQUENT} where feats <> '')
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


# What says which paradigm a lemma has, though it may belong to it for good.
_OF_THE_PARADIGM = (
    "Animacy",
    "Case",
    "Definite",
    "Gender",
    "InflClass",
    "Mood",
    "Number",
    "NounClass",
    "Person",
    "Tense",
)
_INFLECTING = ("ADJ", "NOUN", "VERB")
# As above, but that a word without a feature has a value of its own.
_OF_LEXEMES = """
    with frequent as {frequent},
    words as (
        select upos, lemma, sum(count)::double as words from frequent where upos in {upos} group by all
    ),
    "values" as (
        select upos, lemma, split_part(part, '=', 1) as name, part, sum(count)::double as n
        from (select upos, lemma, count, unnest(string_split(feats, '|')) as part
            from frequent where upos in {upos} and feats <> '')
        group by all
    ),
    lemmas as (
        select upos, name, words, words ** 2 - sum(n ** 2) - (words - sum(n)) ** 2 as differing
        from "values" join words using (upos, lemma) group by upos, lemma, name, words
    ),
    totals as (select upos, sum(words) as words, sum(words - 1) as more from words group by upos),
    within as (
        select upos, name, sum(differing / words) / any_value(more) as share
        from lemmas join (select upos, more from totals) using (upos) group by all
    ),
    across as (
        select upos, name, 1 - (sum(n ** 2) + (any_value(words) - sum(n)) ** 2) / any_value(words) ** 2 as share
        from (select upos, name, part, sum(n) as n from "values" group by all) join totals using (upos) group by all
    )
    select upos, name from within join across using (upos, name)
    where name not in {paradigm} and across.share > 0 and within.share < $share * across.share
"""


def lexeme_features(connection: duckdb.DuckDBPyConnection) -> dict[str, frozenset[str]]:
    """Return by UPOS the features that a lemma always has or never, so that its forms show nothing of them.

    A participle that is an adjective inflects as other adjectives do. What says which paradigm a lemma has, such as its
    gender, is not among them.
    """
    query = _OF_LEXEMES.format(frequent=_FREQUENT, upos=_INFLECTING, paradigm=_OF_THE_PARADIGM)
    features: dict[str, set[str]] = {}
    for upos, name in connection.execute(query, {"share": _SHARE}).fetchall():
        features.setdefault(upos, set()).add(name)
    return {upos: frozenset(names) for upos, names in features.items()}


def inherent_features(connection: duckdb.DuckDBPyConnection) -> frozenset[tuple[str, str]]:
    """Return the inherent features as pairs of UPOS and name, from the table `lexicon` (schema `LEXICON`)."""
    return frozenset(connection.execute(_INHERENT, {"share": _SHARE}).fetchall())


_INHERENT_VALUES = """
    with "values" as (
        select upos, lemma, {value} as value, count(*) as n from tokens
        where list_contains($upos, upos) and contains(feats, $name) and lemma is not null group by all
    ),
    within as (
        select value, sum(n * (words - n) / (words - 1)) / sum(n) as share
        from (select *, sum(n) over (partition by upos, lemma) as words from "values") where words > 1
        group by value having count(*) >= $fewest and 2 * count(*) filter (words > n) < count(*)
    ),
    across as (select value, 1 - sum(n) / sum(sum(n)) over () as share from "values" group by value)
    select value from within join across using (value) where within.share < $share * across.share
"""


def inherent_values(treebank: Treebank, upos: Collection[str], feature: str) -> set[str]:
    """Return the values of a feature that words of some parts of speech have for good: `Coll` and `Ptan` of Number.

    Pronouns, determiners and auxiliaries are few, and tell nothing of one another.
    """
    judged = sorted(set(upos).difference(CLOSED))
    if not judged:
        return set()
    connection = duckdb.cursor()
    connection.register("tokens", treebank.tokens.select(["lemma", "upos", "feats"]))
    query = _INHERENT_VALUES.format(value=VALUE.format(feats="feats", name=feature))
    parameters = {"upos": judged, "name": f"{feature}=", "fewest": _FEWEST_LEMMAS, "share": _SHARE}
    return {value for (value,) in connection.execute(query, parameters).fetchall()}
