"""Which words of a Hindi sentence agree in gender with which noun, and in which form they would with another.

Hindi shows gender in the last vowel of adjectives, participles, genitives (का, के, की) and auxiliaries, -ā, -e or -ī.
The verb agrees with its subject, if that has no postposition, else with its object, if that has none.
"""

from __future__ import annotations

import duckdb

from starbank.errors import ConfigError
from starbank.morphology import Lexicon, build_lexicon
from starbank.transforms.frames import _AROUND
from starbank.treebanks import Treebank

LANGUAGE = "hin"

_FEMININE, _MASCULINE = "(ी|ीं|ई|ईं)$", "(ा|े|आ|ए)$"

# Words with their gender: that of FEATS for nouns, and for words that agree what their ending says, if it says any.
_GENDERED = f"""
    create temp table gendered as
    with told as (
        select *, regexp_extract(feats, '(?:^|\\|)Gender=([^|]*)', 1) as feature,
            bool_or(relation = 'case') over (partition by head) as beside_case,
            upos in ('ADJ', 'DET', 'PRON', 'ADP') and regexp_matches(lemma, '(ा|आ)$')
                or upos = 'PRON' and relation = 'nmod' and regexp_matches(form, '(का|के|की|रा|रे|री|ना|ने|नी)$')
                or upos in ('VERB', 'AUX') and (lemma = 'था' or form not in (
                    lemma, left(lemma, length(lemma) - 1) || 'े', left(lemma, length(lemma) - 2)
                )) as variable
        from around
    )
    select *, upos in ('NOUN', 'PROPN') as noun,
        variable and regexp_matches(form, '{_FEMININE}|{_MASCULINE}') as inflecting,
        if(inflecting, if(regexp_matches(form, '{_FEMININE}'), 'Fem', 'Masc'), feature) as gender
    from told
"""

# What could decide the gender of a predicate, the surest first: its bare subject, its bare object, the noun that it
# makes a verb of, and what decides on the verb that it is coordinated with.
_CONTROLLERS = """
    create temp table controllers as
    with arguments as (
        select one.*, exists (from gendered as mark where mark.head = one.row and mark.relation = 'case') as marked
        from gendered as one where upos in ('NOUN', 'PROPN', 'PRON')
    ),
    ranked as (
        select head as predicate, if(
                feats.contains('PronType=Rel'), (select head from gendered as verb where verb.row = arguments.head
                    and verb.deprel = 'acl:relcl'), row) as controller,
            case when relation = 'nsubj' then 1 when relation = 'obj' then 2 else 3 end as rank
        from arguments where not marked and (relation in ('nsubj', 'obj') or deprel = 'compound:lvc')
    ),
    own as (from ranked qualify rank = min(rank) over (partition by predicate))
    from own
    union all
    select verb.row, own.controller, 4
    from gendered as verb join own on own.predicate = verb.head
    where verb.relation = 'conj' and verb.row not in (select predicate from own)
"""

_AGREES = """
    create temp table agrees as
    with pairs as (
        -- Within the noun phrase.
        select word.row, noun.row as controller, noun.row as phrase
        from gendered as word join gendered as noun on noun.row = word.head and noun.noun
        where word.relation in ('amod', 'det', 'nummod') or word.deprel = 'acl' and word.upos not in ('NOUN', 'PROPN')
            or word.relation = 'nmod' and word.upos in ('PRON', 'DET')
        union all
        -- The genitive agrees with what is possessed.
        select word.row, noun.row, noun.row
        from gendered as word
            join gendered as owner on owner.row = word.head and owner.relation = 'nmod'
            join gendered as noun on noun.row = owner.head and noun.noun
        where word.relation = 'case' and word.inflecting
        union all
        -- The predicate, its auxiliaries and its copula.
        select word.row, controllers.controller, null
        from gendered as word join controllers on controllers.predicate = word.row
        where word.upos in ('VERB', 'ADJ') and word.relation not in ('amod', 'acl')
        union all
        select word.row, controllers.controller, null
        from gendered as word join controllers on controllers.predicate = word.head
        where word.relation in ('aux', 'cop')
    )
    select pairs.row, controller, phrase is not null as within, word.inflecting, word.gender, noun.noun,
        noun.gender as wanted
    from pairs
        join gendered as word using (row)
        join gendered as noun on noun.row = controller
    where word.inflecting or word.feature <> ''
"""

# A noun keeps its gender where it is not clear what agrees with it.
_TIED = """
    create temp table tied as
    select row, 'coordination' as reason from gendered
    where noun and relation in ('nsubj', 'obj') and row in (select head from gendered where relation = 'conj')
        or noun and relation = 'conj'
    union all
    select controller, 'its gender and that of a word that should agree with it differ'
    from agrees where noun and gender <> wanted and inflecting
    union all
    select controller, 'a word seems to agree with several'
    from agrees where noun and row in (select row from agrees group by row having count(distinct controller) > 1)
    union all
    -- What inflects and agrees with nothing that was found may agree with any noun that a verb may agree with, or with
    -- that beside it.
    select near.row, 'it is not clear what another word agrees with'
    from gendered as word join gendered as near on near.sent = word.sent and near.noun
        and (near.relation in ('nsubj', 'obj') or near.deprel = 'compound:lvc' or near.row = word.head)
    where word.inflecting and word.gender = near.gender and word.relation not in ('case', 'mark')
        and (near.row = word.head or near.row in (select controller from controllers))
        and word.row not in (select row from agrees)
"""

# Masculine -ā stands in the singular of direct nouns and verbs, -e in all other places; feminine -īṁ ends the verbs of
# plural subjects.
_WANTED = """
    with verbs as (
        select agrees.row, bool_or(other.form in ('हैं', 'हों', 'थे', 'थीं')) as plural, count(other.row) > 0 as followed
        from agrees
            join gendered as word using (row)
            left join gendered as other on other.relation = 'aux' and other.row > word.row
                and other.head = if(word.relation in ('aux', 'cop'), word.head, word.row)
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
                and (noun.feats.contains('Number=Plur') or word.form = 'थे') and not word.form.ends_with('गे')
                then '(ीं|ईं)$'
            when other = 'Fem' then '(ी|ई)$'
            when within and (noun.feats.contains('Number=Plur') or noun.relation in ('obl', 'nmod')
                or exists (from gendered as mark where mark.head = controller and mark.relation = 'case'))
                or not within and (coalesce(plural, false) or word.feats.contains('Number=Plur')
                    or regexp_matches(word.form, 'ं$')) then '(े|ए)$'
            else '(ा|आ)$'
        end as ending
    from agrees
        join gendered as word using (row)
        join gendered as noun on noun.row = controller
        left join verbs on verbs.row = agrees.row
    order by agrees.row
"""

_INFLECTED = """
    create temp table inflected as
    select wanted.row, coalesce(found.form, if(wanted.inflecting, null, own_form)) as form, wanted.feats
    from wanted left join (
        select forms.row, arg_min(forms.form, rank) as form
        from forms join wanted using (row)
        where regexp_matches(forms.form, ending) and forms.feats.contains('Gender=' || wanted.other)
            and regexp_matches(forms.form, 'ग(ा|े|ी)$') = regexp_matches(own_form, 'ग(ा|े|ी)$')
            -- उसका and उनका, जाता and आता are forms of one lemma and of two.
            and (left(forms.form, length(own_form) - 1) = left(own_form, length(own_form) - 1)
                or upos in ('VERB', 'AUX') and left(forms.form, 1) = left(own_form, 1)
                or own_form.contains('य')
                    and left(forms.form, length(own_form) - 2) = left(own_form, length(own_form) - 2))
        group by forms.row
    ) as found on found.row = wanted.row and wanted.inflecting
"""

# Features that Hindi treebanks give to one gender and not to the other, or that a postposition decides.
_RELAX = ("Number", "Case", "Person", "Tense", "Mood", "Polite", "Voice")


def find_agreement(connection: duckdb.DuckDBPyConnection, treebank: Treebank) -> None:
    """Make tables of what agrees with what in a Hindi treebank, from its table `words`.

    - `gendered`: the words with their `gender`;
    - `agrees`: `row` agrees with `controller`;
    - `tied`: nouns (`row`) that must keep their gender, and the `reason`;
    - `inflected`: the `form` and `feats` of each word of `agrees` in the other gender, `form` null where none is known.

    Raises `ConfigError` for a treebank of another language.
    """
    if treebank.language != LANGUAGE:
        hint = "Leave `gender` out, or make variants with `variants`."
        raise ConfigError(f"colorless: gender is controlled in Hindi only; {treebank.name} is not Hindi", hint=hint)
    connection.execute("drop table if exists around")
    for query in (_AROUND, _GENDERED, _CONTROLLERS, _AGREES, _TIED):
        connection.execute(query)
    wanted = connection.sql(_WANTED).to_arrow_table()
    lexicon = Lexicon(build_lexicon([treebank]))
    asked = wanted.drop_columns(["feats"]).rename_columns({"cell": "feats"})
    forms = lexicon.forms(asked, sources=("treebank",), relax=_RELAX)
    connection.register("wanted", wanted)
    connection.register("forms", forms)
    connection.execute(_INFLECTED)
