"""Guards about sentences that commands have changed: is the change sure, and is what it makes really wrong?

They read `words`, `faults`, `changes` and `surroundings` (`starbank/sets/rewritten`), `occurrences`
(`starbank/guards/occurrences.py`), and

- `texts`: those of the treebanks of the language, and which of them are of the treebank itself (`here`);
- `readings_of_changes`: the readings of the forms that stand where others stood;
- `exceptions`: conditions that an `unless` finds, with the clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import pyarrow as pa

from starbank.grew import Engine
from starbank.guards import forms, places
from starbank.guards.common import UPPER
from starbank.guards.registry import Guard
from starbank.guards.thresholds import OBLIGATORY, TORN
from starbank.morphology import Lexicon
from starbank.queries.constructions import Construction
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import answer, table_of

_BY_NAME = {guard.name: guard for guard in (*places.GUARDS, *forms.GUARDS)}

# For the share of those that are otherwise in all of both.
_UPPER = UPPER.format(part="starred", total="total")

# Words that are changed, with the pairs of features that went and that came.
_CHANGED = """
    with changed as (
        select *,
            list_filter(string_split(feats_before, '|'), lambda pair: pair <> '' and not list_contains(
                string_split(feats, '|'), pair
            )) as gone,
            list_filter(string_split(feats, '|'), lambda pair: pair <> '' and not list_contains(
                string_split(feats_before, '|'), pair
            )) as added
        from changes
    )
"""
_AS_BEFORE = """
    list_has_all(string_split(reading.feats, '|'), gone) and not list_has_any(string_split(reading.feats, '|'), added)
"""

# How a sentence begins that another one has lost: with a mark that follows words, or, in a script with capitals, small,
# but for what counts it: (c).
_BEGINNING = r"""
    case
        when regexp_matches(ltrim({text}), '^([,;:?!)\]}}،؛、。]|\.\s)') then 'a mark that follows words'
        when regexp_matches(regexp_replace({text}, '^\(?[\p{{L}}\p{{N}}]{{1,4}}\)', ''), '^[^\p{{L}}\p{{N}}]*\p{{Ll}}')
            then 'a small letter'
    end
"""

GUARDS = (
    _BY_NAME["sentence text rebuilt"],
    Guard(
        "torn sentence",
        "It begins as the treebank's sentences seldom do, and is the end of one: what it lacks may stand elsewhere.",
        f"""
        with beginnings as (
            select {_BEGINNING.format(text="text")} as beginning, count(*) as number, sum(count(*)) over () as total
            from texts where here group by beginning
        )
        select row, 'it begins with ' || beginning || ', as ' || number || ' of ' || total || ' do'
        from words join beginnings on beginning = {_BEGINNING.format(text="words.text")}
        where first and number < {TORN} * total
        """,
    ),
    Guard(
        "commands do not apply",
        "What a command asks for is not there in this sentence: a feature that is copied, a row of a lexicon.",
        "select row, name, detail from faults where kind = 'commands'",
        by_condition=True,
    ),
    Guard(
        "misspelt word",
        "Whoever annotated it as a word of the language may have corrected it, and what the construction is about is "
        "wrong already.",
        "select row, name, detail from faults where kind = 'word'",
        by_condition=True,
    ),
    Guard(
        "no form of a changed word",
        "Neither a table, the treebanks nor UniMorph have the form, and none can be predicted with confidence.",
        "select row, name, detail from faults where kind = 'form'",
        by_condition=True,
    ),
    Guard(
        "text not sure",
        "How the changed sentence is written is not known: marks that lose their place, words written as one.",
        "select row, name, detail from faults where kind = 'text'",
        by_condition=True,
    ),
    _BY_NAME["identical form"],
    Guard(
        "changed form is what it was",
        "A form that is also one of the word as it was, in the cell that it had, changes nothing.",
        f"""
        {_CHANGED}
        select distinct row, name, change.form || ' is also ' || concat_ws(', ', reading.lemma, reading.feats)
        from changed as change join readings_of_changes as reading
            on reading.form = change.form and reading.upos = change.upos and reading.lemma = change.lemma_before
        where (change.lemma <> change.lemma_before or change.feats <> change.feats_before) and {_AS_BEFORE}
        """,
        by_condition=True,
    ),
    Guard(
        "changed form is of another word",
        "A form that another word has in the cell that this one had may be that word, and right.",
        f"""
        {_CHANGED}
        select distinct row, name, change.form || ' is also ' || concat_ws(', ', reading.lemma, reading.feats)
        from changed as change join readings_of_changes as reading
            on reading.form = change.form and reading.upos = change.upos and reading.lemma <> change.lemma
        where change.lemma = change.lemma_before and gone <> [] and {_AS_BEFORE}
        """,
        by_condition=True,
    ),
    Guard(
        "the changed sentence is in the treebank",
        "Somebody has written it.",
        """
        select condition.row, condition.name, min(twin.sent_id) from conditions as condition
            join texts as twin on twin.text = prefix || target || suffix
        where condition.starred group by all
        """,
        by_condition=True,
    ),
    Guard(
        "the change is attested",
        "The treebanks have what the commands make, with the same words: in another sentence it was right.",
        """
        select row, surroundings.name, min(occurrences.sent_id || ': ' || occurrences.text)
        from surroundings join occurrences
            on occurrences.name = surroundings.name and occurrences.starred and occurrences.exact = surroundings.exact
        group by all
        """,
        by_condition=True,
    ),
    Guard(
        "what changes is not obligatory",
        "Beside the same function words the treebanks have it the other way too; or beside the words that `obligatory` "
        "names they do, or show too little of it.",
        f"""
        with found as (
            select name, starred, key, made, sum(count) as count, min(sent_id || ': ' || text) as example
            from occurrences group by all
        ),
        counted as (
            select row, place.name as name,
                coalesce(sum(count) filter (starred), 0) as starred, coalesce(sum(count), 0) as total,
                min(example) filter (starred) as example
            from surroundings as place left join found
                on found.name = place.name and found.key = place.key and (not starred or found.made = place.made)
            group by row, place.name
        )
        select row, name, 'it is there ' || (total - starred)::bigint || ' times, and not there ' || starred::bigint
            || coalesce(', such as ' || example, '')
        from counted cross join strictness
        where if(strict, total = 0 or {_UPPER} > {OBLIGATORY}, starred > 0 and {_UPPER} > {OBLIGATORY})
        """,
        by_condition=True,
    ),
    Guard(
        "exception of the construction",
        "A request under `unless` finds the changed sentence.",
        "select row, name, min(clauses) from exceptions group by all",
        by_condition=True,
    ),
)


def judge_changes(
    connection: duckdb.DuckDBPyConnection,
    construction: Construction,
    lexicon: Lexicon,
    occurrences: pa.Table,
    changed: Treebank | None,
) -> None:
    """Make the tables that guards about changed sentences need.

    `changed` has the graph of each starred condition as a sentence, whose `sent_id` is its row and name.
    """
    connection.register("occurrences", occurrences)
    connection.register("strictness", table_of([(bool(construction.obligatory),)], strict=bool))
    forms_of_changes = answer(connection, "select distinct form from changes order by form")["form"]
    connection.register("readings_of_changes", lexicon.read(forms_of_changes))
    judged = connection.execute("select row, name from surroundings order by all").fetchall()
    exceptions = list(_exceptions(construction, changed, judged))
    connection.register("exceptions", table_of(exceptions, row=int, name=str, clauses=str))


def _exceptions(
    construction: Construction, changed: Treebank | None, judged: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, str, str]]:
    """Yield the conditions that a request under `unless` finds, and those whose graph is none that it could search."""
    asked = [condition for condition in construction.conditions if condition.rewriting and condition.rewriting.unless]
    graphs = set(changed.sentences["sent_id"].to_pylist()) if changed else set()
    names = {condition.name for condition in asked}
    for row, name in judged:
        if name in names and f"{row} {name}" not in graphs:
            yield row, name, "the changed graph is no tree"
    if changed is None:
        return
    engine = Engine(changed)
    for condition in asked:
        for clauses, request in condition.rewriting.unless.items() if condition.rewriting else ():
            for sent_id in sorted(set(engine.match(request)["sent_id"].to_pylist())):
                row, _, name = sent_id.partition(" ")
                if name == condition.name:
                    yield int(row), name, clauses
