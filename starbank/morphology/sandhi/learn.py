"""Sandhi, learned from a treebank: which forms of a word alternate by the spelling of the word beside it."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.casing import lower
from starbank.morphology.letters import find_vowels
from starbank.morphology.sandhi.evidence import LETTERS, Evidence, probability, see, tally, windows_of
from starbank.morphology.sandhi.fusions import ADD_FUSED, FUSED, FUSIONS, multiword_tokens
from starbank.morphology.sandhi.model import Sandhi
from starbank.morphology.sandhi.pairs import ADD_PLACES, EXAMPLES, FEWEST, FEWEST_PAIRS, MEMBERS, PAIRS, PLACES
from starbank.morphology.sandhi.shapes import MARKS, OPEN_KINDS, shaped_query
from starbank.morphology.sandhi.surface import surface_words
from starbank.scratch import scratch
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers

# An alternation is one if the spelling of the neighbour tells the form where frequency does not: of the errors that one
# makes who always takes the more frequent form, at most this share is left, and with confidence (standard errors) fewer
# than the second share. Forms of different lemmas are mostly different words.
_LEFT, _SURELY_LEFT, _CONFIDENCE = 0.4, 0.75, 1.64
_LEFT_OF_LEMMAS = 0.2
_FORMS_FOR_VOWELS = 5000

# Windows, and how often the first and the second form stood there.
_Examples = tuple[np.ndarray, np.ndarray, np.ndarray]


def _told(wrong: str) -> str:
    """Return the SQL that tells whether so few places are wrong of those that the more frequent form has wrong."""
    # Those that spelling mends, and those that it spoils, are about as many as there are differences at most.
    sure = f"rarer - {wrong} - {_CONFIDENCE} * sqrt(rarer + {wrong}) >= rarer * {1 - _SURELY_LEFT}"
    return f"({wrong} <= rarer * {_LEFT} and {sure})"


# Of examples how many have the wrong form, `alone` by the letters of their own pair and kind, `together` by the words
# beside the other pairs of the kind.
_JUDGED = """
    create temp table judged as
    select pair, kind, side, least(sum(firsts), sum(seconds)) as rarer, sum(alone) as alone, sum(together) as together
    from examples join results using (row) group by pair, kind, side having rarer > 0
"""

_ACCEPTED = f"""
    create temp table lemmas as select distinct pair from pairs where first_lemma <> second_lemma;
    create temp table kinds as
    select kind, side, count(*) as pairs, sum(rarer) as rarer, sum(together) as together
    from judged anti join lemmas using (pair) group by kind, side
    having pairs >= {FEWEST_PAIRS} and {_told("together")};
    create temp table accepted as
    with told as (
        select pair, kind, side, alone / rarer as "left" from judged
        where rarer >= {FEWEST} and {_told("alone")}
            and (alone <= rarer * {_LEFT_OF_LEMMAS} or pair not in (select pair from lemmas))
        union all
        select pair, kind, side, 1 from judged semi join kinds using (kind, side) anti join lemmas using (pair)
        where rarer < {FEWEST}
    )
    select pair, kind, arg_min(side, ("left", side)) as side from told group by pair, kind
"""


def learn_sandhi(parts: Iterable[Treebank]) -> Sandhi:
    """Return what the parts of a treebank tell of words beside one another."""
    with scratch() as connection:
        for statement in (PLACES, FUSED, MARKS):
            connection.execute(statement)
        language = None
        for part in parts:
            language = part.language
            _add(connection, part)
        return _learn(connection, language)


def _add(connection: duckdb.DuckDBPyConnection, part: Treebank) -> None:
    connection.register("surface", surface_words(part.tokens))
    connection.execute(ADD_PLACES.format(form=lower("form", part.language)))
    connection.register("multiword", multiword_tokens(part.tokens))
    small = {name: lower(name, part.language) for name in ("first", "second", "surface")}
    connection.execute(ADD_FUSED.format(**small))


def _learn(connection: duckdb.DuckDBPyConnection, language: str | None) -> Sandhi:
    connection.execute(PAIRS)
    vowels = _vowels(connection)
    connection.execute(f"create temp table members as {MEMBERS}")
    examples = [_judge(connection, language, vowels)]
    members = connection.sql("select * from members join accepted using (pair, kind)").to_arrow_table()
    connection.execute(OPEN_KINDS)
    connection.execute(f"create temp table shaped as {shaped_query('forms', vowels)}")
    connection.execute(EXAMPLES.format(members="shaped"))
    connection.execute("create or replace temp table accepted as select distinct pair, kind, side from shaped")
    examples.append(_chosen(connection, see(connection, "examples", language, vowels)))
    open_kinds = connection.sql("select * from open_kinds").to_arrow_table()
    fusions = connection.sql(FUSIONS.format(neighbour=lower("following", language))).to_arrow_table()
    evidence = Evidence.count(*map(np.concatenate, zip(*examples, strict=True)))
    return Sandhi(language, vowels, members, open_kinds, evidence, fusions)


def _judge(connection: duckdb.DuckDBPyConnection, language: str | None, vowels: str) -> _Examples:
    """Make the tables `accepted` and `kinds` of the alternations among `members`, and return the examples of them."""
    connection.execute(EXAMPLES.format(members="members"))
    examples = see(connection, "examples", language, vowels)
    firsts, seconds = numbers(examples["firsts"]), numbers(examples["seconds"])
    first, second = tally(windows_of(examples), firsts, seconds)
    alone = _wrong(first[:, :LETTERS], second[:, :LETTERS], firsts, seconds, 1)
    # Of a kind, but for the pair itself.
    first, second = first[:, ::2] - first[:, 1::2], second[:, ::2] - second[:, 1::2]
    together = _wrong(first, second, firsts, seconds, 0)
    results = {"row": numbers(examples["row"]), "alone": alone, "together": together}
    connection.register("results", pa.table({name: integers(values) for name, values in results.items()}))
    connection.execute(_JUDGED)
    connection.execute(_ACCEPTED)
    return _chosen(connection, examples)


def _wrong(first: np.ndarray, second: np.ndarray, firsts: np.ndarray, seconds: np.ndarray, own: int) -> np.ndarray:
    """Return how many places of each example would get the other form, from counts without so many of its `own`."""
    wrong: np.ndarray = np.where(probability(first - own, second) > 0.5, firsts, 0)
    wrong += np.where(probability(first, second - own) <= 0.5, seconds, 0)
    return wrong


def _chosen(connection: duckdb.DuckDBPyConnection, examples: pa.Table) -> _Examples:
    """Return the windows and counts of the examples of pairs that are `accepted`."""
    rows = connection.sql("select row from examples semi join accepted using (pair, kind, side)").to_arrow_table()
    chosen = np.isin(numbers(examples["row"]), numbers(rows["row"]))
    return windows_of(examples)[chosen], numbers(examples["firsts"])[chosen], numbers(examples["seconds"])[chosen]


def _vowels(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the vowels of the language, as one text."""
    forms = connection.sql(
        f"""
        select form from forms where regexp_full_match(form, '[\\p{{L}}\\p{{M}}]+')
        group by form order by sum(number) desc, form limit {_FORMS_FOR_VOWELS}
        """
    )
    return "".join(sorted(find_vowels(forms.to_arrow_table()["form"].to_pylist())))
