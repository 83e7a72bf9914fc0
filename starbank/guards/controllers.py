"""Guards about the word that the target agrees with: when its form, or its construction, leaves agreement open.

They read `controllers`, which `starbank/sets` makes and `judge_controllers` adds to, and what that makes besides:

- `controllers`: what decides agreement, the controller itself or the noun that a relative pronoun stands for
  (`decider`, with its `form`, `lemma`, `upos`, `feats`, `deprel`, and whether it is a `plain` word); whether the target
  `modifies` it and `follows` it; whether it `agrees` with the target, `by_number` (number varies), whether it may be
  `honoured`, the target's `auxiliaries`, its `kind` and whether that has values that are `varied`, or `open` between
  them, how many `controllers` are of this kind beside these auxiliaries, how many of them are `agreeing`, and the
  `agreement` of all, a share; and how often it is `attested` with its features;
- `controller_readings`: the readings of its form, and whether each is `common` in its cell, and `ambiguities`: which of
  them tell of another value.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from starbank.guards.agreement import Agreement, Controller
from starbank.guards.common import mark_common
from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, FIRM, MOSTLY, SLIPS
from starbank.languages import language_of
from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import answer, table_of
from starbank.treebanks.features import NOMINALS, SHARED, SHARED_VALUE, VALUE, parse_features, plain

_PERSON = VALUE.replace("{name}", "Person")

GUARDS = (
    Guard(
        "controller is no plain word",
        "What is misspelt, foreign or abbreviated shows its value no better than a name that nobody knows.",
        "select row, form || ' (' || concat_ws(', ', upos, nullif(feats, '')) || ')' from controllers where not plain",
    ),
    Guard(
        "coordinated controller",
        "Some languages agree with the whole of a coordination, some with its nearest member. Verbs that share a "
        "subject have its number one by one; plurals are plural together; and a modifier goes with the noun that it "
        "stands before, unless it is singular and may be plural for all of them.",
        """
        select row, controller.form || ' stands beside ' || token.form
        from controllers as controller join tokens as token
            on token.head = controller.decider and token.deprel = 'conj' and token.upos not in ('VERB', 'AUX')
        where controller.upos not in ('VERB', 'AUX') and not (
            modifies and if(follows, token.position > target_position, not (by_number and singular))
            or by_number and contains(controller.feats, 'Number=Plur') and contains(token.feats, 'Number=Plur')
        )
        union all
        select row, form || ' stands beside another word' from controllers
        where deprel = 'conj' and upos not in ('VERB', 'AUX') and not (modifies and not follows)
        """,
    ),
    Guard(
        "quantified controller",
        "A number of people were or was there; in Slavic languages, five went is a neuter singular. Where nearly all "
        "such phrases agree as their noun does (ten people are, dwaj szwagrowie są), the numeral changes nothing, but "
        "beside a singular, which Armenian has after all numerals.",
        f"""
        select row, quantity || ' ' || form from (
            select *, count(*) over same as controllers, count(*) filter (agrees) over same as agreeing
            from (
                select controller.*, min(token.form) as quantity, min(token.deprel) as relation
                from controllers as controller join tokens as token on token.head = controller.decider
                where by_number and (
                    starts_with(token.deprel, 'nummod') or token.deprel in ('det:numgov', 'det:nummod')
                )
                group by all
            )
            window same as (partition by construction, kind, relation)
        )
        where agreeing < {FIRM} * (controllers + 1) or singular and not modifies
        union all
        select row, form || ' is a quantity' from controllers where by_number and upos = 'NUM'
        """,
    ),
    Guard(
        "controller does not agree",
        "Honorific plurals, default agreement, agreement with the sense, and slips of annotation; or a modifier in a "
        "case of its own, a genitive that belongs to the noun: Polish którego mieszkańcy, whose inhabitants.",
        f"""
        select row, form || ' (' || coalesce(nullif(feats, ''), 'no features') || ')' from controllers where not agrees
        union all
        select row, controllers.form || ' has Person=' || {_PERSON.format(feats="controllers.feats")}
        from controllers join words using (row)
        where words.first and words.upos in ('VERB', 'AUX') and {_PERSON.format(feats="words.feats")} not in (
            '', coalesce(nullif({_PERSON.format(feats="controllers.feats")}, ''), {_PERSON.format(feats="words.feats")})
        )
        union all
        select row, words.form || ' has ' || feature || '=' || value || ', and ' || controllers.form || ' ' || ruler
        from controllers join words using (row)
            join own_values on own_values.upos = words.upos and own_values.modifies = controllers.modifies
                and own_values.feats = words.feats and own_values.ruling = controllers.feats
        where words.first
        """,
    ),
    Guard(
        "agreement is not firm",
        "Turkish plurals have a singular verb as well, Arabic things in the plural a feminine singular: where the "
        "treebank itself often does not agree, the other form is no mistake. Where plurals mostly do not agree, as "
        "with Turkish adjectives, there is no agreement in the singular either.",
        # Few cases tell little of their own kind, and are taken together with the share of all kinds.
        f"""
        select row, form || ': of ' || controllers || ' such controllers ' || agreeing || ' agree' from controllers
        where agreeing + {ENOUGH_CASES} * agreement < {FIRM} * (controllers + {ENOUGH_CASES})
        union all
        select row, unfirm || ' agrees in less than half of the cases' from controllers
            join (
                select construction, auxiliaries, min(kind) as unfirm from controllers
                where varied and controllers >= {ENOUGH_CASES} and agreeing < {MOSTLY} * controllers
                group by construction, auxiliaries
            ) using (construction, auxiliaries)
        """,
    ),
    Guard(
        "honorific agreement",
        "A plural may honour a single person.",
        """
        select row, form || ' may be honoured by a plural'
        from controllers where honoured and by_number and contains('|' || feats || '|', '|Number=Sing|')
        """,
    ),
)

# Counts go over few columns: windows would sort all.
_JUDGED = """
    create or replace temp table controllers as
    with judged as materialized (
        select controller.*, coalesce(agreement.agrees, false) as agrees, varied.by_number,
            contains(controller.feats, 'Number=Sing') as singular,
            target.head = controller.decider as modifies, target.position as target_position,
            target.position > decider.position as follows,
            -- Beside a noun only its own determiner or adjective honours it; most nouns are none of persons.
            $honoured and not contains(controller.feats, 'Animacy=Inan')
                and (word.upos in ('VERB', 'AUX') or controller.upos <> 'NOUN') as honoured,
            -- Beside some auxiliaries a participle never agrees: Romanian a avea, and a fi where it is no passive.
            coalesce(helped.auxiliaries, '') as auxiliaries, agreement.kind, agreement.varied, agreement.open,
            coalesce(
                (select sum(count) from controller_readings as reading
                    where reading.form = controller.form and reading.feats = controller.feats), 0
            ) as attested
        from controllers as controller
            join varied on varied.construction = controller.construction
            left join words as word on word.row = controller.row and word.first
            left join bound on bound.row = controller.row and bound.first
            left join tokens as target on target.node = bound.token
            left join tokens as decider on decider.node = controller.decider
            left join agreements as agreement
                on agreement.construction = controller.construction
                and agreement.upos = controller.upos and agreement.form = small(controller.form)
                and agreement.controller = controller.feats and agreement.target = word.feats
            left join (
                select head, string_agg(lemma || ' ' || deprel, ' ' order by position) as auxiliaries
                from tokens where starts_with(deprel, 'aux') group by head
            ) as helped on helped.head = bound.token
    ),
    alike as (
        select construction, kind, auxiliaries, count(*) as controllers, count(*) filter (agrees) as agreeing
        from judged group by all
    ),
    of_all as (select construction, avg(agrees::int) as agreement from judged group by construction)
    select judged.*, controllers, agreeing, agreement
    from judged
        join alike on alike.construction = judged.construction and alike.kind is not distinct from judged.kind
            and alike.auxiliaries = judged.auxiliaries
        join of_all on of_all.construction = judged.construction
"""

# Values in which words hardly ever differ from the noun that they belong to, or that is their subject.
_OWN_VALUES = f"""
    create or replace temp table own_values as
    -- What hangs from no noun has no value of one: most verbs.
    with agreeing as (
        select distinct word.upos, controllers.modifies
        from words as word join controllers using (row) where word.first
    ),
    beside as (
        select word.upos, word.feats, noun.feats as ruling, true as modifies
        from corpus as word join corpus as noun on noun.node = word.head
        where noun.upos in {NOMINALS} and word.relation in ('amod', 'det', 'nummod', 'acl')
        union all
        select word.upos, word.feats, noun.feats, false
        from corpus as noun join corpus as word on word.node = noun.head
        where noun.upos in {NOMINALS} and noun.relation = 'nsubj'
    ),
    cells as (
        select upos, feats, ruling, modifies, count(*) as count
        from beside semi join agreeing using (upos, modifies) group by all
    ),
    pairs as (
        select *, {SHARED_VALUE.format(feats="feats")} as value, {SHARED_VALUE.format(feats="ruling")} as ruler
        from cells cross join (select unnest({list(SHARED)}) as feature)
    ),
    rare as (
        select upos, modifies, feature, value, ruler from pairs where value <> '' and ruler <> ''
        group by upos, modifies, feature, value, ruler
        -- Modifiers are in the case of their noun, or in the one that mostly stands beside it.
        qualify sum(count) < if(modifies and feature = 'Case', {MOSTLY}, {SLIPS})
            * sum(sum(count)) over (partition by upos, modifies, feature, ruler)
    )
    select pairs.* exclude (count) from pairs join rare using (upos, modifies, feature, value, ruler)
    where not list_has_any(string_split(value, ','), string_split(ruler, ','))
"""

_PAIRS = """
    select controllers.construction, controllers.upos, small(controllers.form), controllers.feats, words.feats, count(*)
    from controllers join words using (row) where words.first group by all order by all
"""

# Features that tell words apart which look alike: a reading that differs in one of them is of another construction.
_DISTINCTIVE = ("Case", "Person", "PronType", "Definite")


def judge_controllers(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon
) -> None:
    """Make the tables that guards about controllers need."""
    forms = answer(connection, "select distinct form from controllers order by form")["form"]
    mark_common(connection, "controller_readings", lexicon.read(forms))
    pairs: list[list[tuple[Controller, str, int]]] = [[] for _ in constructions]
    for number, upos, form, feats, target, count in connection.execute(_PAIRS).fetchall():
        pairs[number].append((Controller(upos, form, feats), target, count))
    agreements = [Agreement(*samples) for samples in zip(pairs, (each.features for each in constructions), strict=True)]
    verdicts = [
        (
            *(number, kind.upos, kind.form, kind.feats, target),
            *(agreement.kind(kind), agreement.is_varied(kind), agreement.is_open(kind), agreement.agrees(kind, target)),
        )
        for number, agreement in enumerate(agreements)
        for kind, target, _ in pairs[number]
    ]
    columns: dict[str, type] = {"upos": str, "form": str, "controller": str, "target": str, "kind": str}
    table = table_of(verdicts, construction=int, **columns, varied=bool, open=bool, agrees=bool)
    connection.register("agreements", table)
    readings = connection.execute(
        """
        select distinct controllers.construction, controllers.feats, reading.feats
        from controllers join controller_readings as reading using (form)
        """
    ).fetchall()
    ambiguities = [
        (number, feats, reading)
        for number, feats, reading in readings
        if _is_ambiguous(parse_features(feats), parse_features(reading), constructions[number], agreements[number])
    ]
    connection.register("ambiguities", table_of(ambiguities, construction=int, feats=str, reading=str))
    by_number = [("Number" in map(plain, construction.features),) for construction in constructions]
    varied = [(number, *row) for number, row in enumerate(by_number)]
    connection.register("varied", table_of(varied, construction=int, by_number=bool))
    connection.execute(_JUDGED, {"honoured": language_of(constructions[0].language).plural_of_respect})
    connection.execute(_OWN_VALUES)


def _is_ambiguous(
    controller: dict[str, str], reading: dict[str, str], construction: Construction, agreement: Agreement
) -> bool:
    """Tell whether a reading is the same but for its value of the varied features, and agrees as another one."""
    varied = {plain(name): name for name in construction.features}
    if any(
        reading[name] != value
        for name, value in controller.items()
        if name not in varied and name in reading and name in _DISTINCTIVE
    ):
        return False
    return any(
        not agreement.same(name, reading[own], controller[own])
        for own, name in varied.items()
        if own in controller and own in reading
    )
