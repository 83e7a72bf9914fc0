"""What stands around a word, as far as grammar minds it: only a word that stands in the same frame takes its place."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from starbank.transforms.dependents import find_dependents
from starbank.transforms.ties import find_ties

# What a place asks of the word in it beside its `frame`: what words mind less is given up where none other is like it.
REQUIREMENTS = ("position", "subject", "complements", "relatives", "determiners", "marked", "modified")
# What stands around a word: function words, words that agree, its head, what it asks for, which may tell its features;
# and what may tell that it is a function word itself.
OF_FEATURES = ("of_functions", "agreeing", "auxiliaries", "of_head", "of_core")
OF_LEMMAS = ("of_relations", "before", "after")

_FRAMES = """
    create or replace temp table frames as
    with sharing as (
        select distinct head as row from around join dependents using (row)
        where relation = 'conj' and upos = 'VERB' and last_argument > around.row and own_subject is not true
    ),
    placed as (
        select around.* exclude (agreement), dependents.* exclude (row), governor.last_argument as last_of_head,
            head.upos as head_upos, head.relation as head_relation, head.row as head_row, head.feats as head_feats,
            head.adpositions as head_adpositions, head."case" as head_case, head.number as head_number,
            governor.determiners as determiners_of_head,
            dependents.negated or around.feats.contains('Polarity=Neg')
                or around.relation = 'xcomp' and governor.negated as denied,
            coalesce(head.form.ends_with('-'), false) as torn, sharing.row is not null as shares,
            coalesce(governor.determiners, '').contains('definite') as definite_head,
            derived.lemma is not null as derived,
            function_words.lemma is not null as closed,
            coalesce(head.agreement, '') as agreement,
            if(around.upos in ('NOUN', 'PROPN', 'VERB') and around.feats = ''
                    and around.upos in (select upos from featured where inflects),
                coalesce(list_position(
                    [lower(around.form)[i] <> lower(around.lemma)[i] for i in range(1, 40)], true), 40), null
            ) as differing
        from around
            left join dependents using (row)
            left join around as head on head.row = around.head
            left join dependents as governor on governor.row = around.head
            left join sharing on sharing.row = around.row and coalesce(dependents.last_argument < around.row, true)
            left join function_words on function_words.upos = around.upos and function_words.lemma = lower(around.lemma)
            left join derived on around.upos = 'ADV' and derived.lemma = lower(around.lemma)
        where around.upos in $content
    )
    select row, nullif(concat_ws(' ', if(placed.upos = 'VERB' and relation = 'parataxis', relation, null), case
            -- Any auxiliary may stand beside an infinitive.
            when placed.upos = 'VERB' and (placed.feats = '' or verb_form = 'Inf')
                then trim(regexp_replace(core, '(^| )aux=[^ ]*', '', 'g')) else core end), '') as core,
        -- Verbs that have nothing beside them but what they take, and those whose objects stand beside another one.
        placed.upos = 'VERB' and accompanied is not true and not shares as bare,
        placed.upos = 'VERB' and shares as unsaid,
        determiners, {position} as position,
        subject, complements, relatives,
        case when placed.upos in ('VERB', 'ADJ') then obliques
            when placed.upos = 'NOUN' then attributes end as obliques,
        if(placed.upos = 'ADJ' and modified, 'modified', null) as modified,
        if(placed.upos in ('NOUN', 'PROPN') and adpositions <> '', 'marked', null) as marked,
        if(placed.upos in ('NOUN', 'PROPN'), adpositions, concat_ws(' ', obliques, deprel, marks, xpos)) as wish,
        case
            -- A noun alone with its adposition may be an adverb with it, or an adposition: in favour of.
            when placed.upos = 'NOUN' and adpositions <> '' and determiners is null and not coalesce(adjectives, false)
                then concat_ws(' ', adpositions, '_', if(following_upos = 'ADP', lower(following), null))
            -- An adjective that stands for an article may be a determiner: French chaque.
            when placed.upos = 'ADJ' and relation = 'amod' and (select there from articles)
                then case when determiners_of_head is not null then 'determined'
                    when head_number = 'Sing' then 'bare' else 'bare, of several' end
        end as phrase,
        coalesce(case placed.upos
            -- What a relative clause is about may be an argument of its verb that is not said there.
            -- Where a form does not tell its number, as Romanian ones of two numbers, its subject does.
            -- A verb that begins with a particle stands where another has it behind: dass er ankommt, er kommt an.
            when 'VERB' then concat_ws(' ',
                if((feats.contains('VerbForm=Fin') or feats.contains('Mood=')) and compounds is null and list_has_any(
                        list_transform(range(2, 6), lambda size: lower(placed.form)[:size]),
                        (select coalesce(list(particle), []) from particles)),
                    if(last_word > row, 'joined before', 'joined'), null),
                -- What a clause is about is its subject, or something else: a relative pronoun tells.
                case when relation = 'acl' and relative is null then concat(deprel, if(own_subject, ' own', ''))
                    when relation = 'parataxis' then relation end,
                if(placed.feats = '' or verb_form = 'Inf', trim(regexp_replace(core, '(^| )aux=[^ ]*', '', 'g')), core),
                -- Verbs that are denied may take a genitive that others do not: Polish.
                if(denied and core.contains('obj=Gen/'), 'denied', null),
                if(placed.feats.contains('Person=') and not placed.feats.contains('Number='), number_of_subject, null))
            -- Words as *all* stand before the article.
            when 'ADJ' then concat_ws(' ', case when relation <> 'amod' then adpositions
                    when head_row < row then 'after' when following_upos = 'DET' then 'outside' else 'before' end, core,
                if(expanded, 'expanded', ''),
                -- An adjective without features may agree all the same.
                if(feats.contains('Gender=') or feats.contains('Case=')
                    or feats.contains('Degree=') and not agreement.contains('Gender='), '',
                    concat(agreement, if(definite_head, ' definite', ''))))
            when 'ADV' then concat_ws(' ',
                relation, head_upos, if(head_row < row, 'after', 'before'), if(abs(head_row - row) = 1, 'beside', ''))
            when 'NUM' then concat_ws(' ', deprel, head_upos, if(head_row < row, 'after', 'before'),
                if(abs(head_row - row) = 1, 'beside', ''), agreement, relations,
                regexp_replace(form, '[0-9]', '0', 'g'))
            -- A part of a name is one of another name at the same place.
            when 'PROPN' then concat_ws(' ', core, if(relation in ('flat', 'compound', 'appos'), relation, ''),
                if(flat, 'flat', ''), determiners, if(previous_upos = 'PROPN', 'follows', ''),
                if(following_upos = 'PROPN', 'precedes', ''))
            -- A noun that goes without an article is a mass, or a title.
            else concat_ws(' ', core,
                -- What a noun asks for beside an attribute, which any has: the ability to.
                if(regexp_matches(complements, '(^| )([^ /]*/[^ ]|Inf/)'), complements, null),
                if(determiners is null and feats.contains('Number=Sing')
                and (select there from articles), concat('bare ', if(relation = 'compound', relation, '')), null))
        end, '') || case
            -- Where features are silent the form tells how it is made of its lemma; nouns stand before what inflects.
            when differing is not null then concat_ws(' ', '',
                if(placed.upos = 'VERB', regexp_replace(functions, 'aux=[^ ]*', 'aux', 'g'), functions),
                if(placed.upos = 'VERB', null, concat_ws(' ', deprel, following_upos)),
                concat(lemma[differing:], '~', form[differing:]))
            else ''
        end || case
            -- Dates and the like: May 5.
            when placed.upos not in ('NOUN', 'PROPN') then ''
            else concat(if(regexp_matches(following, '^[0-9]'), ' number', ''),
                if(regexp_matches(previous, '^[0-9]'), ' of a number', ''))
        end as frame,
        -- One that does so in a title or as a predicate may be no mass.
        if(placed.upos = 'NOUN' and determiners is null and feats.contains('Number=Sing')
            and (select there from articles) and if(relation = 'conj', head_relation, relation)
                not in ('nsubj', 'obj', 'iobj', 'obl', 'nmod', 'compound'), 'apart', null) as apart,
        concat_ws(' ', deprel, functions) as of_functions, agreeing, auxiliaries,
        concat_ws(' ', relation, head_upos, head_feats) as of_head,
        concat_ws(' ', core, obliques, modified, if(placed.upos = 'ADJ', relations, '')) as of_core,
        if(placed.upos = 'VERB', '', concat_ws(' ', deprel, relations)) as of_relations,
        {previous} as before, {following} as after,
        coalesce(nullif(concat_ws(' ', compound, compounds), ''),
            if(adpositions = '' and (relation in ('obl', 'nmod') and deprel not in ('obl:arg', 'obl:agent')
                or relation = 'conj' and head_relation in ('obl', 'nmod') and head_adpositions = ''),
                {bare}, null),
            -- Objects without an article may make an expression with their verb: French faire sensation.
            if(placed.upos = 'NOUN' and relation in ('nsubj', 'obj') and adpositions = '' and determiners is null
                and feats.contains('Number=Sing') and (select there from articles),
                concat('bare-argument:', relation), null)
        ) as tie,
        case
            when deprel is null then 'has no place in a tree'
            when relation in ('fixed', 'goeswith', 'list', 'orphan', 'reparandum', 'dep') or joined
                or (relation = 'flat' or flat)
                    and (placed.upos <> 'PROPN' or relation = 'flat' and head_upos <> 'PROPN')
                then 'within a name or a fixed expression'
            when relation in ('case', 'mark', 'cc', 'det', 'aux', 'cop', 'punct', 'discourse', 'vocative', 'dislocated')
                then 'stands for a function word'
            when closed then 'a function word elsewhere'
            when placed.upos in ('ADJ', 'NUM') and (compounded or placed.upos = 'NUM' and relation = 'compound')
                then 'within a name or a fixed expression'
            when placed.upos = 'NOUN' and relation in ('compound', 'appos') and (head_upos = 'PROPN'
                or previous_upos = 'PROPN' or following_upos = 'PROPN') then 'within a name or a fixed expression'
            when torn and relation = 'conj' then 'joined to another word'
            when placed.upos = 'ADJ' and relation = 'amod' and head_relation = 'obl' and head_adpositions = ''
                and head_case in ('', 'Nom', 'Acc') then 'an adverbial without a mark of it'
            when placed.upos in ('NOUN', 'PROPN') and (relation = 'advmod' or deprel in ('obl:tmod', 'obl:unmarked',
                'obl:npmod', 'nmod:tmod', 'nmod:unmarked', 'nmod:npmod', 'nmod:desc'))
                then 'an adverbial without a mark of it'
            when placed.upos = 'ADV' and (relation <> 'advmod' or governing or not derived)
                then 'an adverb that others need not be like'
            when placed.upos = 'NUM' and relation <> 'nummod' and not regexp_matches(form, '[0-9]')
                then 'stands for a function word'
            when placed.upos = 'VERB' and relation = 'conj' and last_of_head > placed.row
                then 'shares an argument with another verb'
        end as reason
    from placed
"""

# Main clauses and most of the others ask the same of their verb, and most places in a sentence the same of a noun; not
# that of a noun in the nominative beside another, as in compounds, where it need agree with nothing.
_POSITION = """case
    when relation in ('root', 'ccomp', 'advcl', 'csubj') then 'clause'
    when relation = 'nmod' and "case" in ('', 'Nom') and adpositions = '' then 'beside a noun'
    when relation in ('nsubj', 'obj', 'iobj', 'obl', 'nmod') and placed.upos in ('NOUN', 'PROPN') then 'phrase'
    when relation = 'conj' then concat('conj ', head_relation)
    else deprel
end"""


# What is bare in the same way, among all words and, of common nouns, among these.
_BARE = """
    concat_ws(' ', {0}, if(placed.upos = 'NOUN', concat({0}, '-noun'), null))
""".format(
    """concat('bare:', if(relation = 'conj', head_relation, relation), "case", if(head_upos = 'ADV', head_upos, ''))"""
)

# A word beside another: of an open class that.
_BESIDE = """
    if({side}_upos in ('NOUN', 'PROPN', 'VERB', 'ADJ', 'ADV', 'NUM', 'X'), {side}_upos, coalesce(lower({side}), ''))
"""


def find_frames(
    connection: duckdb.DuckDBPyConnection, language: str | None, content: Sequence[str], needed: bool
) -> None:
    """Make the table `frames`, if they are `needed`, and add to `ties`: a row per word with a UPOS of `content`.

    - `row`: that of the word;
    - `frame`: of a verb, and of what else asks for some, the objects and clauses that depend on it, with their cases,
      adpositions and marks; of an adjective also its side;
    - `apart`: whether a noun without an article is neither an argument nor an attribute;
    - the `REQUIREMENTS`, each the empty text or null for none: its relation to its head (`position`); whether it has a
      subject; the clauses and relative pronouns beside a noun, its determiners, whether an adposition marks it; whether
      an adjective is modified;
    - `obliques`: the cases and adpositions of the obliques of a verb or an adjective, null for none;
    - `wish`: what is asked for only where another word has it: a noun's adpositions; a verb's obliques, relation, marks
      and tag;
    - `OF_FEATURES`, `OF_LEMMAS`: what stands around it; `phrase`: the adpositions of a noun that has nothing else;
      `tie`: the relations of fixed expressions, and bare obliques;
    - `reason`: why no other word fits in its place, or null;
    - `core`: that part of the frame that words of a lemma mostly have alike;
    - `bare`: whether a verb has nothing beside it but a subject and what it takes; `unsaid`: whether its objects stand
      beside another.
    """
    if not needed:
        columns = ", ".join(
            f"{name} varchar"
            for name in (
                "core",
                "frame",
                "apart",
                *REQUIREMENTS,
                "obliques",
                "wish",
                *OF_FEATURES,
                *OF_LEMMAS,
                "phrase",
                "tie",
                "reason",
            )
        )
        connection.execute(f"create or replace temp table frames (row bigint, bare boolean, unsaid boolean, {columns})")
        return
    find_dependents(connection, language)
    previous, following = (_BESIDE.format(side=side) for side in ("previous", "following"))
    frames = _FRAMES.format(position=_POSITION, previous=previous, following=following, bare=_BARE)
    # Joined as it is written: what is wide comes first, and what is looked up in a table of it is narrow.
    connection.execute("set disabled_optimizers = 'build_side_probe_side'")
    connection.execute(frames, {"content": list(content)})
    connection.execute("reset disabled_optimizers")
    find_ties(connection)
