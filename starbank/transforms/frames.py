"""What stands around a word, as far as grammar minds it: only a word that stands in the same frame takes its place."""

from __future__ import annotations

import duckdb

from starbank.languages import language_of
from starbank.treebanks.arrays import table_of

_AROUND = """
    create or replace temp table around as
    with marked as (
        select head as row,
            string_agg(lower(coalesce(lemma, form)), ' ' order by row) filter (relation = 'case') as adpositions,
            string_agg(lower(coalesce(lemma, form)), ' ' order by row) filter (relation = 'mark') as marks,
            min(lower(lemma)) filter (feats.contains('PronType=Rel') or feats.contains('PronType=Int')) as relative
        from words where relation in ('case', 'mark') or upos in ('PRON', 'DET', 'ADV') group by head
    )
    select words.*, coalesce(adpositions, '') as adpositions, coalesce(marks, '') as marks, relative,
        if((select matter from cases), regexp_extract(feats, '(?:^|\\|)Case=([^|]*)', 1), '') as "case",
        regexp_extract(feats, '(?:^|\\|)VerbForm=([^|]*)', 1) as verb_form
    from words left join marked using (row)
"""

# The different values of a group, in order.
_SEVERAL = """
    create or replace temp macro several(value) as
        nullif(array_to_string(list_sort(list_distinct(list(value))), ' '), '')
"""

# Of each word what its dependents tell: those that it asks for, and those that ask something of it.
_DEPENDENTS = """
    create or replace temp table dependents as
    select head as row,
        several(case
            when relation in ('nsubj', 'obj', 'iobj', 'expl') or deprel in ('obl:arg', 'obl:agent')
                then concat(deprel, '=', "case", '/', adpositions)
            when relation in ('csubj', 'ccomp', 'xcomp') then concat(deprel, '=', verb_form, '/', marks, '/', relative)
            when relation = 'parataxis' and upos in ('VERB', 'AUX') then 'speech'
            when relation = 'aux' and (deprel = 'aux:pass' or $chooses_auxiliary) then concat(deprel, '=', lemma)
            when relation = 'cop' then 'cop'
        end) as core,
        several(if(relation = 'acl' and deprel <> 'acl:relcl', concat(verb_form, '/', marks), null))
            as complements,
        several(if(deprel = 'acl:relcl', relative, null)) as relatives,
        several(if(relation = 'obl' and deprel not in ('obl:arg', 'obl:agent', 'obl:tmod', 'obl:unmarked'),
            concat("case", '/', adpositions), null)) as obliques,
        several(case
            when relation = 'det' and (feats.contains('Definite=Def') or feats.contains('PronType=Dem')) then 'definite'
            when relation = 'det' then lower(lemma)
            when deprel in ('nmod:poss', 'det:poss') then 'definite'
            when relation = 'nummod' then 'number'
            when relation = 'clf' then lemma
        end) as determiners,
        bool_or(relation = 'advmod') as modified,
        bool_or(relation not in ('punct', 'cc', 'conj')) as governing,
        bool_or(relation in ('fixed', 'flat', 'goeswith') or deprel.starts_with('compound:')) as joined,
        bool_or(relation = 'compound') as compounded,
        bool_or(upos = 'PROPN' and relation in ('compound', 'appos')) as named,
        max(row) filter (relation in ('obj', 'iobj', 'obl', 'ccomp', 'xcomp')) as last_argument
    from around where head is not null group by head
"""

_FRAMES = """
    create or replace temp table frames as
    with neighbours as (
        select row, lag(upos) over places as before, lead(upos) over places as after
        from words window places as (partition by sent order by row)
    ),
    placed as (
        select around.*, dependents.* exclude (row), governor.last_argument as of_head,
            head.upos as head_upos, head.relation as head_relation, head.row as head_row, head.feats as head_feats,
            before, after, usually
        from around
            join neighbours using (row)
            join featured on featured.upos is not distinct from around.upos
            left join dependents using (row)
            left join words as head on head.row = around.head
            left join dependents as governor on governor.row = around.head
    )
    select row, core, determiners, {position} as position,
        case placed.upos
            when 'VERB' then concat_ws(' ', {position}, core, complements)
            when 'ADJ' then concat_ws(' ',
                {position}, if(relation = 'amod', if(head_row < row, 'after', 'before'), ''), core, complements,
                determiners, if(modified, 'modified', ''),
                -- An adjective without features may agree all the same.
                if(feats.contains('Gender=') or feats.contains('Case=') or feats.contains('Degree='), '',
                    array_to_string(list_filter(split(head_feats, '|'),
                        lambda f: regexp_matches(f, '^(Gender|Number|Case)=')), '|')))
            when 'ADV' then concat_ws(' ',
                relation, head_upos, if(head_row < row, 'after', 'before'), if(abs(head_row - row) = 1, 'beside', ''))
            else concat_ws(' ',
                {position}, core, complements, relatives, determiners, if(adpositions <> '', 'marked', ''))
        end as frame,
        if(placed.upos in ('VERB', 'ADJ'), obliques, '') as obliques,
        case
            when relation in ('fixed', 'flat', 'goeswith', 'list', 'orphan', 'reparandum', 'dep')
                or deprel.starts_with('compound:') or joined then 'within a name or a fixed expression'
            when relation in ('case', 'mark', 'cc', 'det', 'aux', 'cop', 'punct', 'discourse', 'vocative', 'dislocated')
                then 'stands for a function word'
            when closed.lemma is not null then 'a function word by nature'
            when placed.upos = 'ADJ' and compounded then 'within a name or a fixed expression'
            when placed.upos = 'PROPN' and (named or relation in ('compound', 'appos')
                or before = 'PROPN' or after = 'PROPN') then 'within a name or a fixed expression'
            when placed.upos = 'NOUN' and relation in ('compound', 'appos') and (head_upos = 'PROPN'
                or before = 'PROPN' or after = 'PROPN') then 'within a name or a fixed expression'
            when placed.upos in ('NOUN', 'PROPN') and (relation = 'advmod' or deprel in ('obl:tmod', 'obl:unmarked',
                'obl:npmod', 'nmod:tmod', 'nmod:unmarked', 'nmod:npmod', 'nmod:desc')
                or relation = 'obl' and adpositions = '' and "case" in ('', 'Nom', 'Acc'))
                then 'an adverbial without a mark of it'
            when placed.upos = 'ADV' and (relation <> 'advmod' or governing
                or not coalesce(regexp_full_match(placed.lemma, open.pattern), false))
                then 'an adverb that others need not be like'
            when feats = '' and usually then 'lacks a feature that must be alike'
            when placed.upos = 'VERB' and relation = 'conj' and of_head > placed.row
                then 'shares an argument with another verb'
        end as reason
    from placed
        left join closed on closed.upos = placed.upos and closed.lemma = lower(placed.lemma)
        left join open on open.upos = placed.upos
"""

# Main clauses and most of the others ask the same of their verb, and most places in a sentence the same of a noun; not
# that of a noun in the nominative beside another, as in compounds, where it need agree with nothing.
_POSITION = """case
    when relation in ('root', 'ccomp', 'advcl', 'csubj') then 'clause'
    when relation = 'nmod' and "case" = 'Nom' and adpositions = '' then 'beside a noun'
    when relation in ('nsubj', 'obj', 'iobj', 'obl', 'nmod') and placed.upos in ('NOUN', 'PROPN') then 'phrase'
    when relation = 'conj' then concat('conj ', head_relation)
    else deprel
end"""


def find_frames(connection: duckdb.DuckDBPyConnection, language: str | None, needed: bool) -> None:
    """Make the table `frames`, with a row per word of the table `words` if they are `needed`.

    - `row`: that of the word;
    - `frame`: its relation to its head; of a verb, and of what else asks for some, the subjects, objects and clauses
      that depend on it, with their cases, adpositions and marks; of a noun its determiners; of an adjective also its
      side;
    - `obliques`: the cases and adpositions of its obliques, the empty text for none;
    - `reason`: why no other word fits in its place, or null;
    - `core`, `determiners`, `position`: the parts of a frame that words of a lemma mostly have alike.
    """
    if not needed:
        names = ("core", "determiners", "position", "frame", "obliques", "reason")
        columns = ", ".join(f"{name} varchar" for name in names)
        connection.execute(f"create or replace temp table frames (row bigint, {columns})")
        return
    spoken = language_of(language)
    closed = [(upos, lemma) for upos, lemmas in spoken.function_words.items() for lemma in lemmas]
    connection.register("closed", table_of(closed, upos=str, lemma=str))
    connection.register("open", table_of(list(spoken.open_words.items()), upos=str, pattern=str))
    connection.execute(_AROUND)
    connection.execute(_SEVERAL)
    connection.execute(_DEPENDENTS, {"chooses_auxiliary": spoken.chooses_auxiliary})
    connection.execute(_FRAMES.format(position=_POSITION))
