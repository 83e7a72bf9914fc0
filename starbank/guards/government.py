"""Guards about the word that governs the target: does it govern one value, and would another one be wrong?

Government is lexical, and learned from the treebank: the values that targets have in the matches of the construction,
counted by governor, and what else the same adpositions govern. What a governor has not shown is judged by how many of
its kind have more than one value, and where it is seen less than `ENOUGH_CASES` times by what all rare ones have
together. They read `governors`, which `starbank/sets` makes, and what `judge_government` makes of it:

- `ungoverned`: starred conditions (`row`, `name`) whose value the governor may have, or is not known not to (`detail`);
- `governor_readings`: the readings of the governors' forms;
- `adverbs_too`: the postpositions (`form`, in small letters) that are also adverbs, or are not known not to be, and how
  often they are (`adverbs`, of `count`);
- `dependents`: by construction, each `value` of case that bare nouns beside verbs have, how often, and whether most of
  them are adverbials.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import duckdb
import numpy as np

from starbank.guards.common import mark_common
from starbank.guards.governors import Government, Governor
from starbank.guards.priors import SLIP, more_than_slips, prior
from starbank.guards.registry import Guard
from starbank.guards.thresholds import ENOUGH_CASES, LIKELY, MOSTLY, RARER, SLIPS
from starbank.languages import language_of
from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction
from starbank.treebanks.arrays import answer, integers, table_of, texts
from starbank.treebanks.features import CASE, NOMINALS, UNCASED, VALUE

# The adpositions that stand behind their nouns, and how often they are adverbs, of how often they are either.
_POSTPOSITIONS = f"""
    select small(form), count(*) filter (upos = 'ADV'), count(*) from corpus
    where upos in ('ADP', 'ADV') and small(form) in (
        select small(adposition.form) from corpus as adposition join corpus as noun on noun.node = adposition.head
        where adposition.upos = 'ADP' and adposition.relation = 'case'
        group by all having avg((adposition.position > noun.position)::int) > {SLIPS}
    )
    group by all
"""

GUARDS = (
    Guard(
        "ambiguous governor",
        "Where an adposition is also an adverb, or a modal verb also “perhaps”, it may govern nothing, and the noun be "
        "in a case that nouns without an adposition have.",
        f"""
        select cells.row, cells.name, min(governor.form || ' is also ' || reading.lemma || ' (' || reading.upos || ')')
        from governors as governor join governor_readings as reading using (form) join cells using (row)
        where cells.starred
            and case
                when governor.upos = 'ADP' then reading.upos in ('ADV', 'NOUN', 'VERB', 'ADJ')
                else governor.upos <> 'SCONJ' and reading.upos in ('ADV', 'PART')
            end
            and reading.upos <> governor.upos
            and (reading.common or {RARER} * reading.count > governor.readings)
            and (
                governor.upos <> 'ADP'
                or (cells.construction, {CASE.format(feats="cells.feats")}) in (
                    select (construction, value) from dependents where share * {SLIP} > 1 or count >= {ENOUGH_CASES}
                )
            )
        group by cells.row, cells.name
        union all
        -- Behind a noun in a case that needs nothing that governs it may stand an adverb.
        select cells.row, cells.name,
            min(governor.form || ' is an adverb in ' || adverbs || ' of ' || adverbs_too.count)
        from governors as governor join cells using (row) join adverbs_too on adverbs_too.form = small(governor.form)
        where cells.starred and governor.upos = 'ADP'
            and (cells.construction, {CASE.format(feats="cells.feats")}) in (
                select (construction, value) from dependents where adverbial and share * {SLIP} > 1
            )
        group by cells.row, cells.name
        """,
        by_condition=True,
    ),
    Guard(
        "government is not firm",
        "The word that governs may have the starred value as well, or hardly ever has that of the sentence, or is too "
        "rare to tell: in goes with two cases in German, mit with one.",
        "from ungoverned",
        by_condition=True,
    ),
    Guard(
        "case of another dependent",
        "Where objects may go unsaid, a bare case may be that of a recipient, an instrument, a time.",
        f"""
        select cells.row, cells.name, min(other.form || ' depends on a verb in this case')
        from cells
            join governors as governor using (row)
            join bound on bound.row = cells.row and bound.node = cells.node
            join tokens as target on target.node = bound.token
            join dependents as other
                on other.construction = cells.construction
                and contains('|' || cells.feats || '|', '|Case=' || other.value || '|')
        where cells.starred and target.head = governor.token and target.deprel <> 'case'
            and other.share * {SLIP} > 1
        group by all
        """,
        by_condition=True,
    ),
)

# The form of a numeral shows its own case, on which it depends what it governs; other governors are counted by lemma.
_KEYS = """
    select row, construction, token, if(upos = 'NUM' or lemma is null, small(form), lemma)
            || coalesce(' ' || parts, '') || ' (' || upos || ')' as governor,
        concat_ws('|', upos, nullif(regexp_extract(feats, 'Aspect=[^|]*'), ''),
            nullif(regexp_extract(feats, 'Voice=[^|]*'), ''),
            if(regexp_matches(form, '[0-9]'), 'digits', null)) as class
    from governors
"""

_OBSERVED = f"""
    create temp table observed as
    select distinct word.construction, governor, class, bound.token as node, word.feats
    from ({_KEYS}) join words as word using (row) join bound on bound.row = word.row and bound.node = word.node
    where word.first
    union
    -- Adpositions show all over the treebank what they govern.
    select known.construction, known.governor, known.class, head.node, head.feats
    from (
            select distinct construction, governor, class, lemma
            from ({_KEYS}) join governors using (row, construction, token)
            where upos = 'ADP' and parts is null
        ) as known
        join corpus as other on other.lemma = known.lemma and other.upos = 'ADP' and other.deprel = 'case'
        join corpus as head on head.node = other.head
    where head.upos in {NOMINALS}
        and (known.construction, other.node) not in (select construction, token from governors)
        and other.node not in (select head from corpus where head is not null)
        and head.node not in (
            select head from corpus where regexp_matches(deprel, '^nummod|^det:num') and head is not null
            union all
            select head from corpus where deprel = 'case' and head is not null group by head having count(*) > 1
        )
"""

# Where no modifier shows the case of a noun, and it looks alike in another one, as such nouns mostly do, which of them
# it is was the annotators' choice: Hindi घर.
_ALSO = f"""
    select construction, governor, class, feats, also, count(*)
    from observed left join (
        select token.node, list(distinct alike.other order by alike.other) as also
        from (select distinct node from observed) join corpus as token using (node)
            join alike_cases as alike
                on alike.upos = token.upos and alike.rest = {UNCASED.format(feats="token.feats")}
                and alike.own = {CASE.format(feats="token.feats")} and alike.share > {MOSTLY}
            left join case_forms as form
                on form.lemma = token.lemma and form.upos = token.upos and form.rest = alike.rest
                and form."case" = alike.other and form.form <> small(token.form)
        where form.form is null
            and token.node not in (
                select head from corpus where relation in ('amod', 'det') and contains(feats, 'Case=')
            )
        group by token.node
    ) using (node)
    group by all order by all
"""

_STARRED = """
    select distinct cells.construction, cells.row, cells.name, word.feats, cells.feats
    from cells join governors using (row) join words as word using (row, node) where cells.starred and word.first
    order by all
"""

# What stands in the starred conditions may be read as another form.
_READ = f"""
    select filled.construction, filled.row, filled.name, filled.node, filled.form, reading.lemma, reading.feats
    from filled join cells using (row, name, node) semi join governors using (row)
        join words as word using (row, node)
        join readings as reading
            on reading.form = filled.form and coalesce(reading.construction, filled.construction) = filled.construction
    where cells.starred and reading.upos = filled.upos and reading.feats <> cells.feats
        and (reading.common or {RARER} * reading.count > filled.count)
        -- What would be so in every text is not to hang on slips: of such readings only those count that keep the case.
        and (
            reading.source <> 'language'
            or {CASE.format(feats="reading.feats")} = {CASE.format(feats="word.feats")}
        )
    order by all
"""

_NOUNS = """
    select filled.construction, filled.row, filled.name, filled.node, filled.form, filled.lemma, filled.upos,
        word.feats, word.form, cells.feats
    from filled join cells using (row, name, node) semi join governors using (row)
        join words as word using (row, node)
    where cells.starred and (filled.upos = 'NOUN' or word.agreeing) and filled.form is not null
"""

# The words that look otherwise in a starred condition: the others fit what governs as they did.
_CHANGED = """
    select filled.row, filled.name, list(node order by node) as nodes
    from filled join cells using (row, name, node) semi join governors using (row)
        join words as word using (row, node)
    where cells.starred and small(filled.form) <> small(word.form)
    group by all order by all
"""

# A match whose own value is starred is one that the governor does not decide.
_DECIDED = """
    select row, name, 'the sentence has another value' from cells semi join governors using (row)
    where not starred group by row, name having not bool_and(kept)
"""

# The cases of bare nominals beside a verb, and their share of all.
_DEPENDENTS = f"""
    create temp table dependents as
    select construction, value, arg_min(form, node) as form, count(*) as count,
        count(*) / sum(count(*)) over (partition by construction) as share,
        avg((relation in ('obl', 'advmod'))::int) > {MOSTLY} as adverbial
    from (
        select token.node, token.form, token.relation,
            unnest(split({VALUE.format(feats="token.feats", name="Case")}, ',')) as value
        from corpus as token join corpus as verb on verb.node = token.head
        where verb.upos = 'VERB' and token.upos in ('NOUN', 'PROPN', 'PRON')
            and token.relation in ('obj', 'iobj', 'obl', 'advmod', 'dislocated')
            and token.node not in (select head from corpus where relation = 'case')
    ) cross join (select distinct construction from governors)
    where value <> '' and (construction, node) not in (select construction, token from bound)
    group by construction, value
"""


def judge_government(
    connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction], lexicon: Lexicon
) -> None:
    """Make the tables that guards about governors need; the forms have been read before (`readings`)."""
    forms = answer(connection, "select distinct form from governors order by form")["form"]
    mark_common(connection, "governor_readings", lexicon.read(forms))
    connection.execute(_DEPENDENTS)
    postpositions = connection.execute(_POSTPOSITIONS).fetchall()
    expected = prior([(adverbs, count) for _, adverbs, count in postpositions])
    too = [row for row in postpositions if more_than_slips(row[1], row[2], expected)]
    connection.register("adverbs_too", table_of(too, form=str, adverbs=int, count=int))
    governments = _learn(connection, constructions)
    ungoverned = list(connection.execute(_DECIDED).fetchall())
    for number, row, name, own, starred in connection.execute(_STARRED).fetchall():
        governors, government = governments[number]
        if detail := government.doubt(governors[row], own, starred):
            ungoverned.append((row, name, detail))
    # Where a word has a controller, its readings are those of agreement.
    free = {number: values for number, values in governments.items() if not constructions[number].controller}
    settled = {(row, name) for row, name, _ in ungoverned}
    fitting: dict[tuple[int, str], dict[str, str]] = defaultdict(dict)
    for number, row, name, node, form, lemma, feats in _read_starred(connection, constructions, lexicon, free, settled):
        governors, government = free[number]
        if government.allows(governors[row], feats):
            fitting[row, name].setdefault(node, f"{form} is also {lemma} ({feats}), which {governors[row][0]} has")
    # What agrees with the target fits, too, or shows that something is wrong.
    for row, name, nodes in connection.execute(_CHANGED).fetchall():
        details = fitting[row, name]
        if details.keys() >= set(nodes):
            ungoverned.append((row, name, details[nodes[0]]))
    connection.register("ungoverned", table_of(ungoverned, row=int, name=str, detail=str))


# How often nominals have a case without an adposition.
_BARE = f"""
    select {CASE.format(feats="feats")} as "case", count(*) from corpus
    where upos in {NOMINALS} and contains(feats, 'Case=')
        and node not in (select head from corpus where relation = 'case' and head is not null)
    group by all
"""

Known = dict[int, tuple[Mapping[int, Governor], Government]]


def _learn(connection: duckdb.DuckDBPyConnection, constructions: Sequence[Construction]) -> Known:
    """Return by construction the governor of each match, with its kind, and what governors govern."""
    keys: dict[int, dict[int, tuple[str, str]]] = defaultdict(dict)
    for row, number, _, governor, kind in connection.execute(_KEYS).fetchall():
        keys[number][row] = (governor, kind)
    observed = defaultdict(list)
    connection.execute(_OBSERVED)
    for number, governor, kind, feats, also, count in connection.execute(_ALSO).fetchall():
        observed[number].append(((governor, kind), feats or "", tuple(also or ()), count))
    bare = dict(connection.execute(_BARE).fetchall())
    known: Known = {}
    for number, by_row in keys.items():
        known[number] = by_row, Government(observed[number], constructions[number].features, bare)
    return known


def _read_starred(
    connection: duckdb.DuckDBPyConnection,
    constructions: Sequence[Construction],
    lexicon: Lexicon,
    known: Known,
    settled: Collection[tuple[int, str]],
) -> list[tuple[int, int, str, str, str, str, str]]:
    """Return the readings of starred forms: construction, `row`, `name`, `node`, `form`, `lemma`, `feats`."""
    attested = [row for row in connection.execute(_READ).fetchall() if row[0] in known]
    questions = {}
    for number, row, name, node, form, lemma, upos, own, own_form, starred in connection.execute(_NOUNS).fetchall():
        if number in known and "predicted" in constructions[number].forms and (row, name) not in settled:
            governors, government = known[number]
            for feats in government.cells(governors[row], own):
                if feats != starred:
                    questions[number, row, name, node, feats] = (lemma, upos, feats, own_form, own, form, starred)
    in_small = language_of(constructions[0].language).small
    kinds = list(dict.fromkeys(questions.values()))
    names = ("lemma", "upos", "feats", "own_form", "own_feats", "form", "starred")
    table = table_of(kinds, **dict.fromkeys(names, str)).append_column("use", texts([None] * len(kinds)))
    table = table.append_column("row", integers(np.arange(len(kinds))))
    connection.register("asked_forms", lexicon.forms(table.drop_columns(["form", "starred"]), threshold=LIKELY))
    best = {
        row: (in_small(form), source)
        for row, form, source in connection.execute(
            "select row, form, source from asked_forms where rank = 1"
        ).fetchall()
    }
    alike = set()
    for place, kind in enumerate(kinds):
        form, source = best.get(place, ("", ""))
        merged = source != "treebank" and (kind[1], kind[2], kind[-1]) in lexicon.merged_cells
        if merged or form == in_small(kind[5]):
            alike.add(kind)
    predicted = [
        (number, row, name, node, kind[5], kind[0], feats)
        for (number, row, name, node, feats), kind in questions.items()
        if kind in alike
    ]
    return [*attested, *predicted]
