"""Guards about the forms of a set: is there one for each condition, is it a word, and does it tell them apart?

They read `filled` and `conditions`, which `starbank/sets` makes, and what `compare_forms` makes of them:

- `compared`: the forms in which a starred condition (`name`) and the grammatical one beside it differ, each held
  against the cell of the other (`own`, `other`) and against the form there (`opposite`), but for those of words in
  concord, since what these are is for the target to say;
- `shared`: of these, forms beside another one in the same cell that looks more like `opposite`;
- `doubts`: what speaks against predicted forms.
"""

from __future__ import annotations

from unicodedata import combining

import duckdb

from starbank.guards.registry import Guard
from starbank.guards.thresholds import FREQUENT, RARER, RELIC
from starbank.morphology import Lexicon
from starbank.treebanks.arrays import answer

# Combining marks of the classes that Unicode keeps for the vowels and points of Hebrew, Arabic and Syriac.
POINTS = "[" + "".join(chr(code) for code in range(0x0590, 0x0900) if 10 <= combining(chr(code)) <= 36) + "]"

# What a form has besides letters, marks above them and digits, in alphabetical order.
_SIGNS = "list_sort(regexp_extract_all({form}, '[^\\p{{L}}\\p{{M}}\\p{{N}}\\p{{C}}]'))"

# The places of letters that have a mark, of scripts where it is part of the letter.
_ACCENTS = "list_filter(range(1, length({form}) + 1), lambda place: strip_accents({form}[place]) <> {form}[place])"

GUARDS = (
    Guard(
        "no form",
        "Neither a table, the treebanks nor UniMorph have the form, and none can be predicted with confidence.",
        """
        select row, name, lemma || ' (' || upos || '): ' || feats from filled where form is null
        """,
        by_condition=True,
    ),
    Guard(
        "relic",
        "What hardly any word of its kind has is a relic, which lives in fixed phrases: Greek datives.",
        f"""
        with named as (
            select distinct cells.row, cells.name, word.upos, word.feats,
                unnest(string_split(cells.feats, '|')) as value
            from cells join words as word using (row, node) where cells.starred
        ),
        shares as (
            select upos, value, sum(words) as count,
                sum(sum(words)) over (partition by upos, split_part(value, '=', 1)) as total
            from (
                select upos, unnest(string_split(feats, '|')) as value, count(*) as words from corpus
                where upos in (select upos from named) group by upos, feats
            )
            group by upos, value
        )
        select row, name, min(value || ' with ' || upos || ': ' || count || ' of ' || total)
        from named join shares using (upos, value)
        where not contains('|' || feats || '|', '|' || value || '|') and {RELIC} * count < total
        group by row, name
        """,
        by_condition=True,
    ),
    Guard(
        "doubtful prediction",
        "What is learned may be no word of the language: it puts letters together as no word has them, or texts have "
        "another form of the same cell.",
        "select filled.row, filled.name, doubts.detail from filled join doubts on doubts.row = filled.cell",
        by_condition=True,
    ),
    Guard(
        "identical form",
        "The same sentence would be grammatical and starred.",
        """
        with written as (
            select row, name, place, form, small(prefix || target || suffix) as text from conditions
        ),
        firsts as (
            select row, text, min(place) as place, arg_min(name, place) as name from written
            group by row, text having count(*) > 1
        )
        select row, written.name, form || ', as under ' || firsts.name
        from written join firsts using (row, text) where written.place > firsts.place
        """,
        by_condition=True,
    ),
    Guard(
        "points alone",
        "Arabic and Hebrew are mostly written without the points that tell the two forms apart.",
        f"""
        select row, name, min(form) || ', as ' || min(opposite) from compared where starred group by row, name
        having bool_and(
            regexp_replace(small(form), '{POINTS}', '', 'g') = regexp_replace(small(opposite), '{POINTS}', '', 'g')
        ) and bool_or(small(form) <> small(opposite))
        """,
        by_condition=True,
    ),
    Guard(
        "accent alone",
        "Where the accent alone stands elsewhere, the two are variants of one form: Greek υφιστάμενων and υφισταμένων.",
        f"""
        select row, name, form || ', as ' || opposite from compared
        where starred and small(form) <> small(opposite) and strip_accents(small(form)) = strip_accents(small(opposite))
            and length(strip_accents(form)) = length(form)
            and {_ACCENTS.format(form="form")} <> {_ACCENTS.format(form="opposite")}
            and len({_ACCENTS.format(form="form")}) = len({_ACCENTS.format(form="opposite")})
        """,
        by_condition=True,
    ),
)

# After the readings of the forms have been looked at.
LATE_GUARDS = (
    Guard(
        "particle twice",
        "A separable verb has its particle in one place, before the form or elsewhere in the sentence.",
        """
        select filled.row, filled.name, filled.form || ' has ' || particle.form || ', which stands elsewhere'
        from filled join bound using (row, node)
            join tokens as particle on particle.head = bound.token and particle.deprel = 'compound:prt'
            join words as word using (row, node)
        where starts_with(small(filled.form), small(particle.form))
            and not starts_with(small(word.form), small(particle.form))
        """,
        by_condition=True,
    ),
    Guard(
        "particle lost",
        "A separable verb has its particle in the form, or apart: Dutch plaatsvinden, vindt plaats.",
        """
        select distinct filled.row, filled.name,
            word.form || ' has ' || particle || ', which ' || filled.form || ' lacks'
        from filled join cells using (row, name, node) join words as word using (row, node)
            join (
                select distinct verb.lemma, verb.upos, small(particle.form) as particle
                from corpus as particle join corpus as verb on verb.node = particle.head
                where starts_with(particle.deprel, 'compound:')
            ) as parted on parted.lemma = filled.lemma and parted.upos = filled.upos
        where cells.starred and starts_with(small(word.form), particle)
            and not starts_with(small(filled.form), particle)
        """,
        by_condition=True,
        upos=("VERB",),
    ),
    Guard(
        "affix won or lost",
        "Where texts have the forms of both cells with and without an ending, such as the Finnish question particle, "
        "both sides must have it, and one that several cells have, such as Estonian -ki and -gi, or one like it.",
        """
        with pairs as (
            select longer.row, longer.feats, small(longer.form) as form, plain.form as plain,
                small(longer.form[length(plain.form) + 1 :]) as ending
            from allowed as longer join allowed as plain using (row, feats, source)
            where source = 'treebank' and starts_with(small(longer.form), small(plain.form))
                and length(longer.form) between length(plain.form) + 2 and 2 * length(plain.form)
        ),
        clitics as (select distinct upos, ending from endings where clitic)
        select compared.row, name,
            min(compared.form || ' is ' || plain || ' with an ending, ' || opposite || ' without')
        from compared join pairs
            on pairs.row = compared.cell and pairs.feats = compared.own and pairs.form = small(compared.form)
        where not ends_with(small(opposite), ending)
            and (compared.upos, compared.other, pairs.ending) in (select (upos, feats, ending) from endings)
        group by compared.row, name
        union
        select row, name, min(compared.form || ' has the ending ' || ending || ', ' || opposite || ' has none')
        from compared join endings using (upos)
        where clitic and endings.feats = own and ends_with(small(form), ending)
            and not starts_with(small(opposite), small(form)[: length(form) - length(ending) + 1])
            and not exists (
                from clitics where clitics.upos = compared.upos and ends_with(small(opposite), clitics.ending)
            )
        group by row, name
        """,
        by_condition=True,
    ),
    Guard(
        "prefix won or lost",
        "What words of a kind have before them in some places and not in others is an article or a mutation, and no "
        "part of the cell: Arabic al-, Irish t-, the n of Russian nix.",
        """
        select row, name, form || ' and ' || opposite || ' differ in ' || beginning
        from (
            select row, name, form, opposite, beginning,
                if(starts_with(small(form), beginning), form, opposite) as longer,
                if(starts_with(small(form), beginning), opposite, form) as shorter
            from compared join beginnings using (upos)
            where starred and starts_with(small(form), beginning) <> starts_with(small(opposite), beginning)
        )
        where small(longer[length(beginning) + 1]) = small(shorter[1])
        """,
        by_condition=True,
    ),
    Guard(
        "another sign in the word",
        "What is written with another hyphen or apostrophe is spelt otherwise, too: a word that was broken at the end "
        "of a line.",
        f"""
        select row, name, form || ' and ' || opposite || ' differ in more than letters'
        from compared where starred and {_SIGNS.format(form="form")} <> {_SIGNS.format(form="opposite")}
        """,
        by_condition=True,
    ),
    Guard(
        "cell with several forms",
        "Where features do not tell two forms apart, such as a pronoun and its oblique, the starred form may differ in "
        "more than what varies.",
        """
        select row, name, neighbour || ' stands in the cell of ' || form || ', too, and looks more like ' || opposite
        from shared
        """,
        by_condition=True,
    ),
    Guard(
        "rarer than a plainer form",
        "Where texts mostly have another form, which says nothing of a feature that both words have, the starred one "
        "differs in more than what varies: Romanian am, have, and aș, would, beside a, has.",
        f"""
        with starred as (
            select distinct row, name, lemma, upos, form, opposite, count, own, string_split(own, '|') as cell,
                string_split(compared.other, '|') as opposite_cell
            from compared where starred and source = 'treebank'
        ),
        plainer as (
            select lemma, upos, small(form) as form, string_split(feats, '|') as cell, count(*) as count
            from corpus where (lemma, upos) in (select (lemma, upos) from starred) group by all
        )
        select row, name, max(plainer.form || ' is more frequent than ' || starred.form)
        from starred join plainer using (lemma, upos)
        where len(plainer.cell) < len(starred.cell) and list_has_all(starred.cell, plainer.cell)
            and regexp_full_match(array_to_string(list_filter(
                starred.cell, lambda value: not list_contains(plainer.cell, value)
            ), '|'), '((Gender|Number|Person)=[^|]*[|]?)+')
            and not list_has_all(opposite_cell, plainer.cell)
            and plainer.form not in (small(starred.form), small(opposite))
            and plainer.count >= {RARER} * starred.count
        group by row, name
        """,
        by_condition=True,
    ),
)

_COMPARED = """
    create temp table compared as
    with sides as (
        select starred, good
        from against
            join filled as starred using (row, name)
            join filled as good on good.row = against.row and good.name = against.against and good.node = starred.node
        where starred.feats <> good.feats
    ),
    paired as (
        select starred.name as condition, starred as side, good as across, true as starred from sides
        union all
        select starred.name, good, starred, false from sides
    )
    select side.row, side.construction, side.node, condition as name, side.lemma, side.upos, starred, side.form,
        side.feats as own, across.feats as other,
        side.cell, side.source, side.count,
        across.form as opposite, across.cell as opposite_cell, across.count as opposite_count
    from paired join words as word on word.row = side.row and word.node = side.node
    where side.form is not null and not word.agreeing
"""

# Forms that share a cell with a condition's and look more like what that is held against, not much rarer than it, and
# seen more than once where it is. Nouns share theirs with clitics and emphatics.
_SHARED = f"""
    create temp table shared as
    select compared.row, compared.name, compared.form, compared.opposite, min(neighbour.form) as neighbour
    from compared join allowed as neighbour on neighbour.row = compared.cell and neighbour.feats = compared.own
        left join allowed as second on second.row = compared.opposite_cell and small(second.form) <> small(opposite)
            and second.feats = compared.other and second.source = 'treebank'
    where compared.source <> 'table' and compared.upos not in ('NOUN', 'PROPN')
        and neighbour.source = 'treebank' and small(neighbour.form) not in (small(compared.form), small(opposite))
        and (neighbour.count > 1 or compared.count <= 1) and {RARER} * neighbour.count > compared.count
        and levenshtein(small(neighbour.form), small(opposite)) < levenshtein(small(compared.form), small(opposite))
        -- Where the other cell surely has one form, that goes with both, unless it looks like one of them by far: Dutch
        -- heb and heeft, hebben, Greek τη and την, η; but Albanian ka, kam, and not kishte, both of them past. Pronouns
        -- have weak and strong forms: Greek εμείς goes with εμάς and not with μας.
        and not (
            second.form is null and compared.opposite_count >= {FREQUENT} and compared.upos <> 'PRON'
            and levenshtein(small(compared.form), small(opposite))
                <= 2 * levenshtein(small(neighbour.form), small(opposite))
        )
    group by all
"""

_PREDICTED = """
    select cell as row, lemma, upos, feats, form, coalesce(
        (select list(small(allowed.form)) from allowed where allowed.row = filled.cell and other_stem), []
    ) as other_stems
    from filled where source = 'predicted'
"""


def compare_forms(connection: duckdb.DuckDBPyConnection, lexicon: Lexicon) -> None:
    """Make the tables that guards about forms need."""
    connection.execute(_COMPARED)
    connection.execute(_SHARED)
    connection.register("doubts", lexicon.doubts(answer(connection, _PREDICTED)))
    connection.register("endings", lexicon.endings)
    connection.register("beginnings", lexicon.beginnings)
