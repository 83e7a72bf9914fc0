"""What the words that agree with a noun show of it, where that is not what its own features say.

Arabic plurals of things have feminine singulars beside them, and those of people plurals; Urdu یونٹس, *units*, is
called a singular and has a plural verb. What tells of a noun is learned: values that mostly stand beside their like.
"""

from __future__ import annotations

import duckdb

# A value that words of a kind show, so many times, tells that of their noun if at most such a share of the nouns that
# have another one is left.
_FEWEST, _LEFT = 10, 0.7
# What such a share of the nouns of some features show is what those of which nothing is seen would show, too; and a
# noun shows what it shows in more than such a share of its places.
_USUAL, _SHARE = 0.8, 0.5
# A form that has a value nearly always has it where it is called another.
_CERTAIN = 0.9

FEATURES = ("Gender", "Number")
_VALUES = ", ".join(f"regexp_extract(features, '(?:^|\\|){name}=([^|]*)', 1)" for name in FEATURES)
_SIDES = ", ".join(f"any_value(signs) filter (feature = '{name}') as {name}" for name in FEATURES)

# Forms that are seldom called other than they mostly are.
_MISCALLED = f"""
    create table shown (row bigint, kind varchar, feature varchar, value varchar);
    create temp table miscalled as
    with values_of as (
        select upos, feats, feature, regexp_extract(feats, '(?:^|\\|)' || feature || '=([^|]*)', 1) as value
        from kinds_of_feats, (select unnest({list(FEATURES)}) as feature)
        where upos in ('ADJ', 'ADP', 'AUX', 'DET', 'PRON', 'VERB') and value <> ''
    ),
    valued as (
        select upos, form, feature, value, sum(number) as number
        from counted join values_of using (upos, feats) group by all
    )
    select upos, form, feature, arg_max(value, (number, value)) as value
    from valued group by upos, form, feature
    having count(*) > 1 and max(number) >= {_CERTAIN} * sum(number)
"""

_PAIRS = """
    insert into shown
    with words as (
        select row, head, form, upos, relation, feature_gender as gender, number from around
        where upos not in ('NOUN', 'PROPN') and (feature_gender is not null or number is not null)
    ),
    nouns as (select row, head, relation, adpositions from around where upos in ('NOUN', 'PROPN')),
    -- Subjects, and objects where no subject is without a mark.
    arguments as (
        select row, head, relation as side from nouns
        where (relation = 'nsubj' or relation = 'obj' and head not in (
                select row from dependents where subject is not null)) and adpositions = ''
            and row not in (select head from around where relation = 'conj' and head is not null)
    ),
    pairs as (
        select noun.row, '' as side, word.* exclude (row), word.row > noun.row as after
        from words as word join nouns as noun on noun.row = word.head
        where word.relation in ('det', 'amod', 'acl')
        union all
        select noun.row, side, word.* exclude (row) replace ('predicate' as relation), word.row > noun.row
        from words as word join arguments as noun on noun.head = word.row
        union all
        select noun.row, side, word.* exclude (row), word.row > noun.row
        from words as word join arguments as noun on noun.head = word.head
        where word.relation in ('aux', 'cop')
        union all
        -- Genitives may agree with what is possessed: Hindi का, की.
        select noun.row, '', word.* exclude (row), word.row > noun.row
        from words as word
            join around as owner on owner.row = word.head and owner.relation = 'nmod'
            join nouns as noun on noun.row = owner.head
        where word.relation = 'case'
    ),
    valued as (
        unpivot (
            select row, concat_ws(' ', side, relation, upos, after) as kind, upos, form, gender as "Gender",
                number as "Number"
            from pairs
        ) on "Gender", "Number" into name feature value value
    )
    select row, kind, feature, coalesce(miscalled.value, valued.value)
    from valued left join miscalled using (upos, form, feature)
"""

_SIGNATURES = f"""
    create temp table valued_cells as
    select cell, feature, regexp_extract(features, '(?:^|\\|)' || feature || '=([^|]*)', 1) as value,
        concat_ws(' ', upos, {_VALUES}) as sort
    from cells, (select unnest({list(FEATURES)}) as feature)
    where upos in ('NOUN', 'PROPN');
    create temp table signatures as
    with compared as (
        select row, shown.kind, feature, shown.value, valued_cells.value as called, sort, content.lemma
        from shown join content using (row) join valued_cells using (cell, feature)
        where valued_cells.value <> ''
    ),
    called as (select kind, feature, called as value, count(*) as number from compared group by all),
    chances as (
        select kind, feature, value, 1 - number / sum(number) over (partition by kind, feature) as unlike from called
    ),
    telling as (
        select kind, feature, value, number >= {_FEWEST} and wrong / number <= {_LEFT} * unlike as tells from (
            select kind, feature, value, count(*) as number, count(*) filter (value <> called) as wrong
            from compared group by all
        ) left join chances using (kind, feature, value)
    ),
    signs as (
        select row, feature, sort, lemma,
            coalesce(string_agg(distinct value, ' ' order by value) filter (tells), '') as sign
        from compared join telling using (kind, feature, value) group by row, feature, sort, lemma
    ),
    usual as (
        select sort, feature, arg_max(sign, (number, sign)) as sign, max(number) >= {_USUAL} * sum(number) as is_usual
        from (select sort, feature, sign, count(*) as number from signs where sign <> '' group by all)
        group by sort, feature
    )
    select row, feature, sort, lemma, is_usual is not false as is_usual,
        if(signs.sign = '' or is_usual and signs.sign = usual.sign, 0, hash(feature, signs.sign))::ubigint as sign
    from signs left join usual using (sort, feature);
    create table signed as
    select row, bit_xor(sign) as signature from signatures group by row having signature <> 0;
    -- What a lemma shows in most of its places; where nothing is usual, any may stand where nothing shows.
    create table signing as
    with counted as (
        select sort, lemma, feature, sign, is_usual,
            count(*) > {_SHARE} * sum(count(*)) over (partition by sort, lemma, feature) as mostly
        from signatures group by sort, lemma, feature, sign, is_usual
    ),
    of_lemmas as (
        select sort, lemma, feature,
            list_distinct(coalesce(list(sign) filter (mostly), []) || if(is_usual, [], [0::ubigint])) as signs
        from counted group by sort, lemma, feature, is_usual
    ),
    sides as (
        select sort, lemma, {_SIDES} from of_lemmas group by all
    )
    select cell, lemma, flatten(list_transform(coalesce(Gender, [0::ubigint]), lambda g:
        list_transform(coalesce(Number, [0::ubigint]), lambda n: xor(g, n)))) as signatures
    from sides join (select distinct cell, sort from valued_cells) using (sort)
    where signatures <> [0::ubigint]
"""


def find_miscalled(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that `find_shown` needs, from `counted` and `kinds_of_feats` (see `counts`)."""
    connection.execute(_MISCALLED)


def find_shown(connection: duckdb.DuckDBPyConnection) -> None:
    """Add to the table `shown` what the words of `around` (see `frames`) show of the nouns that they agree with."""
    connection.execute(_PAIRS)


def find_signatures(connection: duckdb.DuckDBPyConnection) -> None:
    """Make tables of what places of nouns show, and what nouns may show, from `shown`, `content` and `cells`.

    - `signed`: a hash of what the place of a `row` shows that is not what nouns with its features mostly show;
    - `signing`: of a `cell` and `lemma` all hashes of what it may show, where that is not just the usual, which is 0.
    """
    connection.execute(_SIGNATURES)
