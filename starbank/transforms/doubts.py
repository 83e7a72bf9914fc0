"""Features that a word does not look as if it had: slips of the annotation, found by how other words end and begin.

Lemmas tell, too: of the Icelandic nouns in *-ur* few are feminines.

Polish *lewym* is now and then called a feminine, Icelandic *samtök* a dative: of the other words that end so none is.
Hebrew participles without a number have one.
"""

from __future__ import annotations

import duckdb

# Two features of a word are doubtful if by chance so many other words should have them that end (or begin) as it does,
# and at most this share of these have; words that have them more often than that are irregular. With fewer it takes no
# other's place.
_EXPECTED, _SEEN, _OFTEN = 6, 0.02, 3
_FEW = 4

_DOUBTFUL = f"""
    create table doubtful as
    with listed as (select cell, upos, split(features, '|') as listed from cells where features <> ''),
    traits as materialized (
        select cell, unnest(flatten(list_transform(range(1, len(listed) + 1), lambda i: list_transform(
            range(i, len(listed) + 1), lambda j: hash(listed[i] || '|' || listed[j]))))) as trait
        from listed
    ),
    -- Of each part of speech its own: numbers, as texts are slow to count.
    edges as materialized (
        select cell, form, unnest(list_transform(list_distinct(
            [text[-i:] for i in range(1, 4)] || [text[:i] || '-' for i in range(1, 3)]
            || if(upos in ('NOUN', 'PROPN'), [lemma[-i:] || '=' for i in range(1, 4)], [])),
            lambda letters: hash(upos || letters))) as edge
        from spelt join listed using (cell)
    ),
    of_cells as materialized (select edge, cell, count(*) as number from edges group by all),
    of_edges as materialized (
        select edge, any_value(upos) as upos, sum(number) as number from of_cells join listed using (cell)
        group by edge having sum(number) >= {_FEW}
    ),
    words as (select cell, upos, count(*) as number from spelt join listed using (cell) group by all),
    of_traits as (select upos, trait, sum(number) as number from words join traits using (cell) group by all),
    of_all as (select upos, sum(number) as number from words group by all),
    both_known as (
        select edge, trait, sum(number) as number
        from of_cells semi join of_edges using (edge) join traits using (cell) group by all
    ),
    strange as materialized (
        select edge, trait, expected >= {_EXPECTED} as stays
        from both_known join of_edges using (edge) join of_traits using (upos, trait) join of_all using (upos),
            lateral (select of_edges.number * of_traits.number / of_all.number as expected)
        where expected >= {_FEW} and both_known.number - 1 <= {_SEEN} * expected
    ),
    -- Few traits are strange, and each of many words has many.
    strange_cells as (select edge, cell, bool_or(stays) as stays from strange join traits using (trait) group by all)
    select cell, form, bool_or(stays) as stays
    from edges join strange_cells using (edge, cell)
    anti join (
        select cell, form from content where novel group by cell, form having count(*) > {_OFTEN}
    ) as often using (cell, form)
    group by cell, form
"""

# A noun has one gender: the others are slips where most of its places, so many, do not have them.
_MAJORITY = 0.75
_CONTRADICTED = f"""
    insert into doubtful
    with gendered as (
        select cell, form, upos, regexp_extract(features, 'Gender=([^|]*)', 1) as gender, count(*) as number
        from content join cells using (cell, upos) where upos = 'NOUN' and features.contains('Gender=') and novel
        group by all
    )
    select cell, form, true from gendered
    qualify sum(number) over (partition by form, gender) < {_MAJORITY} * sum(number) over (partition by form)
"""

# Of a lemma with a form that is usual in a cell, another one that was seen once there is a slip: French annonçé.
_OFTEN_ENOUGH = 3
_VARIANTS = f"""
    insert into doubtful
    select cell, form, false
    from (select cell, lemma, form, count(*) as number from content where novel and upos <> 'NUM' group by all)
    qualify number = 1 and max(number) over (partition by cell, lemma) >= {_OFTEN_ENOUGH}
"""

# Where so many times more words have all features of a verb or an adjective, and a number as well, that was left out.
_MORE = 9
_UNFINISHED = f"""
    insert into doubtful
    with counted as (
        select cell, upos, split(features, '|') as listed, features.contains('Number') as numbered, count(*) as number
        from content join cells using (cell, upos) where upos in ('VERB', 'ADJ') and features <> '' group by all
    ),
    unfinished as (
        select bare.cell from counted as bare join counted as whole
            on whole.upos = bare.upos and whole.numbered and list_has_all(whole.listed, bare.listed)
        where not bare.numbered group by bare.cell, bare.number having sum(whole.number) > {_MORE} * bare.number
    )
    select distinct cell, form, true from content semi join unfinished using (cell)
"""

_SET = """
    update content set fits = false, reason = coalesce(reason, if(stays, 'its form tells of other features', null))
    from (select cell, form, bool_or(stays) as stays from doubtful group by all) as doubtful
    where doubtful.cell = content.cell and doubtful.form = content.form
"""


def set_doubtful_apart(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the words of the table `content` whose features are doubtful a reason to stay there.

    How words of each cell are spelt is in the table `spelt` (`cell`, `form`, `text`), the features in `cells`. The
    table `doubtful` (`cell`, `form`, and whether the word `stays` in its place) is made.
    """
    connection.execute(_DOUBTFUL)
    connection.execute(_CONTRADICTED)
    connection.execute(_VARIANTS)
    connection.execute(_UNFINISHED)
    connection.execute(_SET)
