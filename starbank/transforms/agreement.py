"""Which words of a sentence agree in gender with which noun, and in which form they would with another.

That is for languages as Hindi, which show gender in the last vowel of adjectives, participles, genitives (का, के, की)
and auxiliaries; `gender` of the language's file says in which. The verb agrees with its subject, if that has no
postposition, else with its object, if that has none.
"""

from __future__ import annotations

import duckdb

from starbank.errors import ConfigError
from starbank.languages import language_files, language_of
from starbank.morphology import Lexicon
from starbank.transforms.dependents import AROUND
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import table_of

# Adjectives that do not inflect although they look so, as ज्यादा and मौजूदा: they stand before feminine nouns as they
# are, and have no form for these.
_INVARIABLE = """
    create or replace temp table invariable as
    select distinct word.lemma, word.upos
    from around as word join around as noun on noun.row = word.head and noun.feats.contains('Gender=Fem')
    where word.relation in ('amod', 'det', 'advmod') and not word.feats.contains('Gender=')
        and regexp_matches(word.form, $gender.masculine) and left(word.form, length(word.form) - 1) not in (
            select left(form, length(form) - 1) from attested where regexp_matches(form, $gender.feminine)
        )
"""

# Words with their gender: that of FEATS for nouns, and for words that agree what their ending says, if it says any.
_GENDERED = """
    create or replace temp table gendered as
    with shown as (
        select *, regexp_extract(feats, '(?:^|\\|)Gender=([^|]*)', 1) as feature,
            bool_or(relation = 'case') over (partition by head) as beside_case,
            upos in ('ADJ', 'DET', 'PRON', 'ADP') and regexp_matches(lemma, $gender.direct)
                and (lemma, upos) not in (from invariable)
                or upos = 'PRON' and relation in ('nmod', 'compound') and regexp_matches(form, $gender.genitive)
                or upos in ('VERB', 'AUX') and (
                    regexp_matches(lemma, $gender.past) or regexp_matches(form, $gender.past) or form not in
                    (lemma, left(lemma, length(lemma) - 1) || $gender.infinitive, left(lemma, length(lemma) - 2))
                ) as variable
        from around
    )
    select *, upos in ('NOUN', 'PROPN') as noun, regexp_matches(form, $gender.feminine) as feminine,
        variable and (feminine or regexp_matches(form, $gender.masculine)) as inflecting,
        if(inflecting, if(feminine, 'Fem', 'Masc'), feature) as gender
    from shown
"""

# What could decide the gender of a predicate, the surest first: its bare subject, its bare object, the noun that it
# makes a verb of, and what decides on the verb that it is coordinated with.
_CONTROLLERS = """
    create or replace temp table controllers as
    with arguments as (
        -- In हमने and उसने the postposition is a part of the word.
        select one.*, exists (from gendered as mark where mark.head = one.row and mark.relation = 'case')
            or upos = 'PRON' and feats.contains('Case=') and not feats.contains('Case=Nom') as marked
        from gendered as one where upos in ('NOUN', 'PROPN', 'PRON')
    ),
    ranked as (
        select head as predicate, if(
                feats.contains('PronType=Rel'), (select head from gendered as verb where verb.row = arguments.head
                    and verb.deprel = 'acl:relcl'), row) as controller,
            case when relation = 'nsubj' then 1 when relation = 'obj' then 2 else 3 end as rank
        from arguments where not marked and (relation in ('nsubj', 'obj') or deprel = 'compound:lvc')
    ),
    nearest as (from ranked qualify rank = min(rank) over (partition by predicate))
    from nearest
    union all
    select verb.row, nearest.controller, 4
    from gendered as verb join nearest on nearest.predicate = verb.head
    where verb.relation = 'conj' and verb.row not in (select predicate from nearest)
"""

_AGREES = """
    create or replace temp table agrees as
    with pairs as (
        -- Within the noun phrase.
        select word.row, noun.row as controller, noun.row as phrase
        from gendered as word join gendered as noun on noun.row = word.head and noun.noun
        where word.relation in ('amod', 'det', 'nummod')
            or word.deprel = 'acl' and word.marks = '' and word.upos not in ('NOUN', 'PROPN')
            or word.relation in ('nmod', 'compound') and word.upos in ('PRON', 'DET')
        union all
        -- The genitive agrees with what is possessed, or what an infinitive is of: बनाने का फैसला.
        select word.row, noun.row, noun.row
        from gendered as word
            join gendered as owner on owner.row = word.head
            join gendered as noun on noun.row = owner.head and noun.noun
        where word.relation = 'case' and word.inflecting
        union all
        -- It may hang from the verb that the noun is a part of: राम का जन्म हुआ.
        select word.row, noun.row, noun.row
        from gendered as word
            join gendered as owner on owner.row = word.head and owner.relation in ('nsubj', 'obj')
            join controllers on controllers.predicate = owner.head and controllers.controller > word.row
            join gendered as noun on noun.row = controllers.controller and noun.noun
        where word.relation = 'case' and word.inflecting
        union all
        -- And be called an oblique, where what follows is possessed: इस प्रकार के फूल हैं.
        select word.row, noun.row, noun.row
        from gendered as word
            join gendered as owner on owner.row = word.head and owner.relation = 'obl'
            join controllers on controllers.predicate = owner.head
            join gendered as next on next.row = word.row + 1 and controllers.controller in (next.row, next.head)
            join gendered as noun on noun.row = controllers.controller and noun.noun
        where word.relation = 'case' and word.inflecting and next.relation <> 'case'
        union all
        -- The predicate, its auxiliaries and its copula; a clause that a conjunction opens has one of its own.
        select word.row, controllers.controller, null
        from gendered as word join controllers on controllers.predicate = word.row
        where word.upos in ('VERB', 'ADJ') and (word.relation not in ('amod', 'acl') or word.marks <> '')
        union all
        select word.row, controllers.controller, null
        from gendered as word join controllers on controllers.predicate = word.head
        where word.relation in ('aux', 'cop')
    )
    select pairs.row, controller, phrase is not null as within, word.inflecting, word.gender, noun.noun,
        noun.gender as of_controller
    from pairs
        join gendered as word using (row)
        join gendered as noun on noun.row = controller
    where word.inflecting or word.feature <> ''
"""

# A noun keeps its gender where it is not clear what agrees with it: with several that are coordinated, one or none may.
_TIED = """
    create or replace temp table tied as
    with deciding as (select distinct controller as row from agrees where not within)
    select row, 'coordination' as reason from gendered
    where noun and row in (from deciding) and row in (select head from gendered where relation = 'conj')
        or noun and relation = 'conj' and head in (from deciding)
    union all
    select controller, 'its gender and that of a word that should agree with it differ'
    from agrees where noun and gender <> of_controller and inflecting
    union all
    select controller, 'a word seems to agree with several'
    from agrees where noun and row in (select row from agrees group by row having count(distinct controller) > 1)
    union all
    -- What inflects and agrees with nothing that was found may agree with that beside it, or with any noun that a verb
    -- may agree with that is not far: on its own verb or one above, or below one of these.
    select near.row, 'it is not clear what another word agrees with'
    from gendered as word
        left join gendered as above on above.row = word.head
        join gendered as near on near.sent = word.sent and near.noun
        left join gendered as verb on verb.row = near.head
        left join gendered as higher on higher.row = verb.head
    where word.inflecting and word.gender = near.gender and word.relation not in ('case', 'mark')
        and (near.row in (word.head, above.head) or (near.relation in ('nsubj', 'obj') or near.deprel = 'compound:lvc')
            and near.row in (select controller from controllers)
            and (near.head in (word.row, word.head, above.head)
                or verb.head in (word.row, word.head) or higher.head in (word.row, word.head)))
        and word.row not in (select row from agrees)
    union all
    -- Or with that which an infinitive is of: चकित कर देने वाला नुकसान.
    select near.row, 'it is not clear what another word agrees with'
    from gendered as word
        join gendered as above on above.row = word.head and above.upos = 'VERB'
        join gendered as higher on higher.row = above.head
        join gendered as near on near.row in (higher.row, higher.head) and near.noun and near.gender = word.gender
    where word.inflecting and word.relation = 'case' and word.row not in (select row from agrees)
    union all
    -- An infinitive agrees with its object where somebody must: रोटी खानी पड़ी.
    select noun.row, 'it is not clear what another word agrees with'
    from controllers
        join gendered as verb on verb.row = controllers.predicate and verb.upos = 'VERB' and verb.form = verb.lemma
        join gendered as noun on noun.row = controllers.controller and noun.noun and noun.relation <> 'nsubj'
"""

# Masculine -ā stands in the singular of direct nouns and verbs, -e in all other places; feminine -īṁ ends the verbs of
# plural subjects.
_INFLECTING = """
    with verbs as (
        select agrees.row, bool_or(regexp_matches(next.form, $gender.plural)) as plural, count(next.row) > 0 as followed
        from agrees
            join gendered as word using (row)
            left join gendered as next on next.relation = 'aux' and next.row > word.row
                and next.head = if(word.relation in ('aux', 'cop'), word.head, word.row)
        group by agrees.row
    )
    select distinct agrees.row, word.lemma, word.upos, word.form as own_form, word.feats as own_feats,
        case when word.gender = 'Masc' then 'Fem' else 'Masc' end as other,
        replace(word.feats, 'Gender=' || word.feature, 'Gender=' || other) as feats, word."use", agrees.inflecting,
        if(word.feature <> '', replace(word.feats, 'Gender=' || word.feature, 'Gender=' || other), array_to_string(
            list_sort(list_filter(split(word.feats, '|'), lambda f: f <> '') || ['Gender=' || other]), '|'
        )) as cell,
        case
            when other = 'Fem' and not within and word.upos in ('VERB', 'AUX') and not coalesce(followed, false)
                and (noun.feats.contains('Number=Plur') or regexp_matches(word.form, $gender.past_plural))
                and not regexp_matches(word.form, $gender.future_plural) then $gender.feminine_plural
            when other = 'Fem' then $gender.feminine_singular
            when within and (noun.feats.contains('Number=Plur') or noun.relation in ('obl', 'nmod')
                or exists (from gendered as mark where mark.head = controller and mark.relation = 'case'))
                or not within and (coalesce(plural, false) or word.feats.contains('Number=Plur')
                    or regexp_matches(word.form, $gender.nasal)) then $gender.oblique
            else $gender.direct
        end as ending
    from agrees
        join gendered as word using (row)
        join gendered as noun on noun.row = controller
        left join verbs on verbs.row = agrees.row
    order by agrees.row
"""

_INFLECTED = """
    create or replace temp table inflected as
    select word.row, coalesce(attested.form, if(word.inflecting, null, own_form)) as form, word.feats
    from inflecting as word left join (
        select forms.row, arg_min(forms.form, rank) as form
        from forms join inflecting as word using (row)
        where regexp_matches(forms.form, ending)
            -- Whether युवा inflects, only another form of it tells.
            and (forms.source <> 'predicted' or upos in ('VERB', 'AUX') or own_feats.contains('Gender='))
            and regexp_matches(forms.form, $gender.future) = regexp_matches(own_form, $gender.future)
            -- उसका and उनका, जाता and आता are forms of one lemma and of two.
            and (left(forms.form, length(own_form) - 1) = left(own_form, length(own_form) - 1)
                or upos in ('VERB', 'AUX') and left(forms.form, 1) = left(own_form, 1)
                or regexp_matches(own_form, $gender.glide)
                    and left(forms.form, length(own_form) - 2) = left(own_form, length(own_form) - 2))
        group by forms.row
    ) as attested on attested.row = word.row and word.inflecting
"""

# Features that treebanks give to one gender and not to the other, that a postposition decides, or that are the owner's.
_RELAX = (
    *("Gender", "Number", "Case", "Person", "Tense", "Mood", "Polite", "Voice"),
    *("PronType", "Gender[psor]", "Number[psor]"),
)


def find_agreement(connection: duckdb.DuckDBPyConnection, treebank: Treebank, lexicon: Lexicon) -> None:
    """Make tables of what agrees with what in a treebank, from its table `words` and the `lexicon` of its forms.

    - `gendered`: the words with their `gender`;
    - `agrees`: `row` agrees with `controller`;
    - `tied`: nouns (`row`) that must keep their gender, and the `reason`;
    - `inflected`: the `form` and `feats` of each word of `agrees` in the other gender, `form` null where none is known.

    Raises `ConfigError` for a treebank of a language whose file does not say how gender shows.
    """
    patterns = language_of(treebank.language).gender
    if not patterns:
        names = " and ".join(language.name for language in map(language_of, language_files()) if language.gender)
        hint = "Leave `gender` out, or make variants with `variants`."
        raise ConfigError(f"colorless: gender is controlled in {names} only; {treebank.name} is not {names}", hint=hint)
    gender = {"gender": dict(patterns)}
    connection.execute(AROUND)
    connection.register("attested", table_of([(form,) for form in sorted(lexicon.attested_forms)], form=str))
    connection.execute(_INVARIABLE, gender)
    connection.execute(_GENDERED, gender)
    for query in (_CONTROLLERS, _AGREES, _TIED):
        connection.execute(query)
    inflecting = connection.sql(_INFLECTING, params=gender).to_arrow_table()
    cells = inflecting.drop_columns(["feats"]).rename_columns({"cell": "feats"})
    forms = lexicon.forms(cells, sources=("treebank", "predicted"), relax=_RELAX)
    connection.register("inflecting", inflecting)
    connection.register("forms", forms)
    connection.execute(_INFLECTED, gender)
