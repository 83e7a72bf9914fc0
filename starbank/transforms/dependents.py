"""The words of a treebank with what stands around each: what their dependents tell, one column for each thing."""

from __future__ import annotations

import duckdb

from starbank.languages import language_of

AROUND = """
    create or replace temp table around as
    with marked as (
        select head as row,
            string_agg(lower(coalesce(lemma, form)), ' ' order by row) filter (relation = 'case') as adpositions,
            string_agg(lower(coalesce(lemma, form)), ' ' order by row) filter (relation = 'mark') as marks,
            min(lower(lemma)) filter (relation = 'cc') as conjunction,
            min(lower(lemma)) filter (feats.contains('PronType=Rel') or feats.contains('PronType=Int')) as relative,
            -- Beside a numeral a noun may stand in another case than its place asks for: Polish dziesięć kilometrów.
            nullif(min(regexp_extract(feats, '(?:^|\\|)Case=([^|]*)', 1))
                filter (relation = 'nummod' or deprel = 'det:numgov'), '') as case_of_numeral
        from words where relation in ('case', 'mark', 'nummod', 'cc') or upos in ('PRON', 'DET', 'ADV') group by head
    ),
    inflected as (
        select feats, if((select matter from cases), regexp_extract(feats, '(?:^|\\|)Case=([^|]*)', 1), '') as "case",
            regexp_extract(feats, '(?:^|\\|)VerbForm=([^|]*)', 1) as verb_form,
            regexp_extract(feats, '(?:^|\\|)Aspect=([^|]*)', 1) as aspect,
            nullif(regexp_extract(feats, '(?:^|\\|)Number=([^|]*)', 1), '') as number,
            nullif(regexp_extract(feats, '(?:^|\\|)Gender=([^|]*)', 1), '') as feature_gender,
            array_to_string(list_filter(split(feats, '|'),
                lambda f: regexp_matches(f, '^(Gender|Number|Case)=')), '|') as agreement,
            array_to_string(list_sort(list_distinct(regexp_extract_all(feats, '[[][a-z]+[]]'))), '') as layers
        from (select distinct feats from words)
    )
    select row, sent, head, form, lemma, upos, xpos, feats, deprel, relation, compound, "use", previous, previous_upos,
        following, following_upos, coalesce(adpositions, '') as adpositions, coalesce(marks, '') as marks, relative,
        conjunction,
        inflected.* exclude (feats, "case"), if("case" = '', '', coalesce(case_of_numeral, "case")) as "case"
    from words join inflected using (feats) left join marked using (row)
"""

# The values of a group, and the different ones in order, of which most groups have one. What a macro names twice
# would be planned twice, so groups are ordered when their values are columns.
_SEVERAL = """
    create or replace temp macro several(value) as string_agg(value, chr(31));
    create or replace temp macro in_order(joined) as if(joined.contains(chr(31)),
        array_to_string(list_sort(list_distinct(split(joined, chr(31)))), ' '), nullif(joined, ''))
"""
_GROUPED = (
    *("subject", "core", "number_of_subject", "complements", "relatives", "obliques", "attributes", "determiners"),
    *("compounds", "functions", "agreeing", "auxiliaries", "relations"),
)

# Of each word what its dependents tell: those that it asks for, and those that ask something of it. A subject that
# bears no mark goes unsaid in many languages; one that bears a mark, as the ergative, minds which verb it has.
_DEPENDENTS = f"""
    create or replace temp table dependents as
    select * replace ({", ".join(f"in_order({name}) as {name}" for name in _GROUPED)}) from (
    select head as row,
        several(if(relation = 'nsubj' and adpositions = '' and "case" in ('', 'Nom', 'Abs'), deprel, null)) as subject,
        several(case
            when relation in ('nsubj', 'obj', 'iobj', 'expl') or deprel in ('obl:arg', 'obl:agent')
                then if(relation = 'nsubj' and adpositions = '' and "case" in ('', 'Nom', 'Abs'), null,
                    concat(deprel, '=', "case", '/', adpositions, case
                        when feats.contains('Reflex=Yes') then ' itself'
                        when upos = 'PRON' and lower(lemma) in (from reflexives) then ' itself'
                    end))
            when relation in ('csubj', 'ccomp', 'xcomp') then concat_ws('/',
                deprel, verb_form, nullif("case", ''), marks, relative,
                if(relation = 'xcomp' or verb_form = 'Inf', nullif(aspect, ''), null), nullif(adpositions, ''),
                if(relation = 'xcomp' and verb_form = '', concat_ws(' ', upos, conjunction), null))
            when relation = 'parataxis' and (upos in ('VERB', 'AUX') or deprel <> 'parataxis') then 'speech'
            -- Basque auxiliaries tell whom they agree with.
            when relation = 'aux' then nullif(concat(
                if(deprel = 'aux:pass' or $chooses_auxiliary, concat(deprel, '=', lemma), ''), layers), '')
            when relation = 'cop' then 'cop'
            when compound is not null then compound
            -- Few nouns have a name beside them as it is: the river Amazon, района Фонвьей.
            when (deprel in ('appos', 'nmod') or relation = 'flat') and adpositions = '' and "case" in ('', 'Nom')
                and (upos = 'PROPN' or upos = 'NOUN' and row > head and "case" = 'Nom')
                and if(row > head, previous_upos, following_upos) = 'NOUN'
                and abs(row - head) = 1 then 'name'
            when deprel.starts_with('nmod') and adpositions = '' and if("case" = '', deprel = 'nmod',
                "case" not in ('Nom', 'Gen')) then concat('nmod=', "case")
        end) as core,
        several(if(relation = 'nsubj', number, null)) as number_of_subject,
        bool_or(relation = 'nsubj' and upos <> 'SCONJ' and not regexp_matches(feats, 'PronType=(Int|Rel)'))
            as own_subject,
        several(if(relation = 'acl' and deprel <> 'acl:relcl', concat(verb_form, '/', marks), null))
            as complements,
        several(if(deprel = 'acl:relcl', relative, null)) as relatives,
        several(if(relation = 'obl' and deprel not in ('obl:arg', 'obl:agent'),
            concat("case", '/', replace(adpositions, ' ', '_')), null)) as obliques,
        several(if(relation = 'nmod' and adpositions <> '', concat("case", '/', replace(adpositions, ' ', '_')), null))
            as attributes,
        several(case
            when relation = 'det' and (feats.contains('Definite=Def') or feats.contains('PronType=Dem')) then 'definite'
            when relation = 'det' then lower(lemma)
            when deprel in ('nmod:poss', 'det:poss') then 'definite'
            when relation = 'nummod' or upos = 'NUM'
                then if(head < row, 'number after', 'number')
            when relation = 'clf' then lemma
        end) as determiners,
        bool_or(feats.contains('Polarity=Neg') and relation not in ('obj', 'obl', 'ccomp', 'advcl')) as negated,
        bool_or(relation = 'advmod') as modified,
        bool_or(relation in ('advcl', 'obl') or relation = 'advmod' and upos <> 'PART'
            and not feats.contains('Polarity=Neg')) as accompanied,
        bool_or(relation in ('nmod', 'amod', 'nummod', 'det')) as expanded,
        bool_or(relation in ('amod', 'nummod', 'det')) as adjectives,
        true as governing,
        bool_or(relation in ('fixed', 'goeswith') or relation = 'flat' and upos <> 'PROPN') as joined,
        bool_or(relation = 'flat') as flat,
        several(compound) as compounds,
        bool_or(relation = 'compound') as compounded,
        max(row) filter (relation in ('obj', 'iobj', 'obl', 'ccomp', 'xcomp')) as last_argument,
        max(row) filter (relation in ('nsubj', 'obj', 'iobj', 'obl', 'advmod')) as last_word,
        several(if(relation in ('aux', 'cop', 'mark', 'case'), concat(relation, '=', lower(lemma)), null)) as functions,
        several(if(relation in ('nsubj', 'det', 'amod', 'nummod'), concat(relation, '=', feats), null)) as agreeing,
        several(if(relation in ('aux', 'cop'), concat(relation, '=', feats), null)) as auxiliaries,
        several(relation) as relations
    from around where head is not null and relation not in ('punct', 'cc', 'conj') group by head
    )
"""


def find_dependents(connection: duckdb.DuckDBPyConnection, language: str | None) -> None:
    """Make the tables `around` and `dependents` from `words`: a row per word, and one per word that has dependents."""
    connection.execute(AROUND)
    connection.execute(_SEVERAL)
    connection.execute(_DEPENDENTS, {"chooses_auxiliary": language_of(language).chooses_auxiliary})
