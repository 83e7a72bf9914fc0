"""The tables that proposals are counted from: words, their features one by one, and pairs of words."""

from __future__ import annotations

import duckdb

from starbank.treebanks import Treebank
from starbank.treebanks.features import NOMINALS

# Features that say something about the text or the word's kind: nothing agrees in them, nothing governs them.
NO_INFLECTION = frozenset(
    """Abbr AdpType AdvType Also ConjType Deixis Dialect Echo ExtPos Foreign Form Hyph LangId NameType NounType NumForm
    NumType PartType Poss PrepCase PrepForm PronType PunctSide PunctType Reflex Style Typo Variant VerbForm
    VerbType""".split()  # noqa: SIM905
)

# The columns of single features are many, and `feats` has them all.
_READ = ["node", "sent", "id", "position", "form", "lemma", "upos", "feats", "head", "deprel", "start", "end"]

_WORDS = """
    create temp table words as
    select node, sent, position, form, lemma, upos, coalesce(feats, '') as feats, head, deprel,
        split_part(deprel, ':', 1) as relation,
        case when upos in ('VERB', 'AUX') then regexp_extract(coalesce(feats, ''), '(?:^|\\|)VerbForm=([^|]+)', 1)
            else '' end as verb_form
    from tokens
    where position is not null and not contains(id, '.') and upos is not null
"""

_VALUED = """
    create temp table valued as
    select node, split_part(pair, '=', 1) as feature, substr(pair, strpos(pair, '=') + 1) as value
    from (select node, unnest(string_split(feats, '|')) as pair from words where feats <> '')
"""

# Words that occur often enough show whether a feature inflects them or is theirs for good, as gender is a noun's.
_VARIATION = """
    create temp table variation as
    with lemmas as (
        select upos, verb_form, lemma, feature, count(*) as words,
            count(distinct value) > 1 and count(distinct lower(form)) > 1 as varies
        from words join valued using (node)
        group by all having count(*) >= 3
    )
    select upos, verb_form, feature, count(*) filter (varies) as lemmas,
        sum(words) filter (varies) / sum(words) as share
    from lemmas group by all
"""

# An article or an auxiliary may be the only one of its kind; elsewhere one or two lemmas are slips of annotation. Where
# there is an initial mutation (`Form`), all words have it that can.
_INFLECTED = """
    create temp table inflected as
    from variation
    where feature = 'Form' or share >= 0.25 and lemmas >= if(upos in ('ADP', 'AUX', 'DET', 'PRON'), 1, 3)
"""

# Who agrees with whom: a verb, predicate or auxiliary with its arguments, a modifier with its noun, and an adposition
# such as Hindi का with the noun that the whole phrase modifies.
_PAIRS = f"""
    create temp table pairs as
    with arguments as (select * from words where relation in ('nsubj', 'obj', 'iobj') and upos in {NOMINALS})
    select 'head' as shape, argument.relation, head.node as target, argument.node as controller
    from arguments as argument join words as head on head.node = argument.head
    where head.upos in ('VERB', 'AUX', 'ADJ')
    union all
    select 'helper', argument.relation || ' ' || helper.relation, helper.node, argument.node
    from arguments as argument join words as helper on helper.head = argument.head
    where helper.relation in ('aux', 'cop')
    union all
    select 'modifier', modifier.relation, modifier.node, noun.node
    from words as modifier join words as noun on noun.node = modifier.head
    where modifier.relation in ('det', 'amod', 'nummod', 'acl') and noun.upos in {NOMINALS}
    union all
    select 'marker', 'nmod case', marker.node, noun.node
    from words as marker join words as possessor on possessor.node = marker.head
        join words as noun on noun.node = possessor.head
    where marker.relation = 'case' and possessor.relation = 'nmod' and noun.upos in {NOMINALS}
"""


def count_words(treebank: Treebank) -> duckdb.DuckDBPyConnection:
    """Return a connection with the tables `words`, `valued`, `inflected` and `pairs` of a treebank."""
    connection = duckdb.connect(":memory:")
    connection.register("tokens", treebank.tokens.select(_READ))
    for query in (_WORDS, _VALUED, _VARIATION, _INFLECTED, _PAIRS):
        connection.execute(query)
    return connection
