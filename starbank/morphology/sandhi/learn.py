"""Sandhi, learned from a treebank: which forms of a word alternate by the spelling of the word beside it."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.casing import lower
from starbank.morphology.letters import find_vowels
from starbank.morphology.sandhi.borders import AVOIDED, counted_query
from starbank.morphology.sandhi.evidence import LETTERS, Evidence, probability, see, tally, windows_of
from starbank.morphology.sandhi.fusions import ADD_FUSED, FUSED, FUSIONS, MEETINGS, multiword_tokens
from starbank.morphology.sandhi.model import Sandhi
from starbank.morphology.sandhi.pairs import ADD_PLACES, EXAMPLES, FEWEST, FEWEST_PAIRS, MEMBERS, PAIRS, PLACES, SHORT
from starbank.morphology.sandhi.shapes import MARKS, OPEN_KINDS, shaped_query
from starbank.morphology.sandhi.surface import surface_words
from starbank.scratch import scratch
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import answer, integers, numbers

# An alternation is one if the spelling of the neighbour tells the form where frequency does not: it leaves at most this
# share of the uncertainty (log loss) and, with confidence (standard errors), less than the second share. Forms of
# different lemmas are mostly different words.
_LEFT, _SURELY_LEFT, _CONFIDENCE = 0.6, 0.8, 1.64
_LEFT_OF_LEMMAS = 0.5
_CLEAR = 0.01
# Longer words change at the side of their neighbour only, and are the same at the other.
_SHORT = 3
_FORMS_FOR_VOWELS = 5000

# Windows, and how often the first and the second form stood there.
_Examples = tuple[np.ndarray, np.ndarray, np.ndarray]


def _is_clear(by: str) -> str:
    """Return the SQL that tells whether what is known `by` neighbours leaves little of what frequency leaves open."""
    sure = f"{by} + {_CONFIDENCE} * sqrt({by}_variance) <= {_SURELY_LEFT} * frequency"
    return f"({by} <= {_LEFT} * frequency and {sure})"


# What is uncertain (log loss) by `frequency`, `alone` by the letters beside the other places of a pair and its kind,
# `together` by the words beside the other pairs of the kind; and the variance of what these two gain.
_SUMS = ", ".join(
    f"sum({name}) as {name}" for name in ("frequency", "alone", "together", "alone_variance", "together_variance")
)
_JUDGED = f"""
    create temp table judged as
    select pair, kind, side, least(sum(firsts), sum(seconds)) as rarer, {_SUMS}
    from examples join results using (row) join (select distinct pair, first, second from pairs) using (pair)
    where greatest(length(first), length(second)) <= {_SHORT}
        or if(side = 'following', first[1] = second[1], first[-1] = second[-1])
    group by pair, kind, side having rarer > 0
"""

_ACCEPTED = f"""
    create temp table lemmas as select distinct pair from pairs where first_lemma <> second_lemma;
    create temp table short as select distinct pair from pairs where {SHORT};
    create temp table kinds as
    select kind, side, count(*) as pairs, {_SUMS}
    from judged anti join lemmas using (pair) group by kind, side
    having pairs >= {FEWEST_PAIRS} and {_is_clear("together")};
    create temp table accepted as
    with clear as (
        select pair, kind, side, alone / frequency as "left" from judged
        where rarer >= {FEWEST} and {_is_clear("alone")}
            and (alone <= frequency * {_LEFT_OF_LEMMAS} or pair not in (select pair from lemmas))
        union all
        select pair, kind, side, 1 from judged semi join kinds using (kind, side) anti join lemmas using (pair)
        where rarer < {FEWEST}
    )
    select pair, kind, arg_min(side, ("left", side)) as side, true as sure from clear group by pair, kind;
    insert into accepted
    select pair, kind, arg_min(side, (alone / frequency, side)), false
    from judged semi join short using (pair) anti join accepted using (pair)
    where rarer < {FEWEST} group by pair, kind
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
    accepted = "select * exclude (sure) from members join accepted using (pair, kind) where sure = {sure}"
    members, rare = (answer(connection, accepted.format(sure=sure)) for sure in (True, False))
    connection.execute(OPEN_KINDS)
    connection.execute(f"create temp table shaped as {shaped_query('forms', vowels)}")
    connection.execute(EXAMPLES.format(members="shaped"))
    connection.execute("create or replace temp table accepted as select distinct pair, kind, side from shaped")
    examples.append(_chosen(connection, see(connection, "examples", language, vowels)))
    open_kinds = answer(connection, "select * from open_kinds")
    neighbour = lower("following", language)
    fusions, meetings = (answer(connection, query.format(neighbour=neighbour)) for query in (FUSIONS, MEETINGS))
    evidence = Evidence.count(*map(np.concatenate, zip(*examples, strict=True)))
    connection.execute(counted_query(language))
    avoided = answer(connection, AVOIDED)
    return Sandhi(language, vowels, members, rare, open_kinds, evidence, avoided, fusions, meetings)


def _judge(connection: duckdb.DuckDBPyConnection, language: str | None, vowels: str) -> _Examples:
    """Make the tables `accepted` and `kinds` of the alternations among `members`, and return the examples of them."""
    connection.execute(EXAMPLES.format(members="members"))
    examples = see(connection, "examples", language, vowels)
    firsts, seconds = numbers(examples["firsts"]), numbers(examples["seconds"])
    first, second = tally(windows_of(examples), firsts, seconds)
    frequency = _losses(first[:, 1:2], second[:, 1:2], 1)
    alone = _losses(first[:, :LETTERS], second[:, :LETTERS], 1)
    # Of a kind, but for the pair itself.
    together = _losses(first[:, ::2] - first[:, 1::2], second[:, ::2] - second[:, 1::2], 0)
    results = {
        "frequency": _sum(frequency, firsts, seconds),
        "alone": _sum(alone, firsts, seconds),
        "together": _sum(together, firsts, seconds),
        "alone_variance": _sum((frequency - alone) ** 2, firsts, seconds),
        "together_variance": _sum((frequency - together) ** 2, firsts, seconds),
    }
    rows = {"row": examples["row"]} | {name: integers(values) for name, values in results.items()}
    connection.register("results", pa.table(rows))
    connection.execute(_JUDGED)
    connection.execute(_ACCEPTED)
    return _chosen(connection, examples)


def _losses(first: np.ndarray, second: np.ndarray, own: int) -> np.ndarray:
    """Return the log loss of the first and of the second form of examples, from counts less so many of its own."""
    likely = np.stack([1 - probability(first - own, second), probability(first, second - own)])
    losses: np.ndarray = -np.log(np.clip(likely, _CLEAR, 1 - _CLEAR))
    return losses


def _sum(losses: np.ndarray, firsts: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return what both forms of examples come to."""
    total: np.ndarray = losses[0] * firsts + losses[1] * seconds
    return total


def _chosen(connection: duckdb.DuckDBPyConnection, examples: pa.Table) -> _Examples:
    """Return the windows and counts of the examples of pairs that are `accepted`."""
    rows = answer(connection, "select row from examples semi join accepted using (pair, kind, side)")
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
