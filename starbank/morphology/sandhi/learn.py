"""Sandhi, learned from a treebank: which forms of a word alternate by the spelling of the word beside it."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.casing import lower
from starbank.morphology.letters import find_vowels
from starbank.morphology.sandhi.evidence import LETTERS, Evidence, probability, see, windows_of
from starbank.morphology.sandhi.fusions import COUNTS, FUSIONS, meetings_query
from starbank.morphology.sandhi.model import Sandhi
from starbank.morphology.sandhi.pairs import ADD_PLACES, CLOSED, EXAMPLES, MEMBERS, PAIRS, PLACES, UNINFLECTED
from starbank.morphology.sandhi.surface import surface_words
from starbank.morphology.words import covering
from starbank.scratch import scratch
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import filled, integers, mask, numbers, take, whole

# An alternation is one if the spelling of the neighbour tells the form where frequency does not: of the errors that one
# makes who always takes the more frequent form, at most this share is left, and with confidence (standard errors) fewer
# than the second share. Forms of different lemmas are mostly different words.
_LEFT, _SURELY_LEFT, _CONFIDENCE = 0.4, 0.75, 1.64
_LEFT_OF_LEMMAS = 0.2
# Pairs that are too few to be judged alone are judged together with others in which the same letters alternate.
_FEWEST, _FEWEST_PAIRS = 3, 3

_JUDGED = """
    with judged as (
        select pair, kind, side, least(sum(firsts), sum(seconds)) as rarer,
            sum(wrong) as wrong, any_value(of_lemmas) as of_lemmas
        from examples join results using (row)
            join (select distinct pair, first_lemma <> second_lemma as of_lemmas from pairs) using (pair)
        group by pair, kind, side
    ),
    kinds as (
        select kind, side, count(*) as pairs, sum(rarer) as rarer, sum(wrong) as wrong
        from judged where rarer < $fewest and rarer > 0 and not of_lemmas group by kind, side
    ),
    told as (
        select pair, kind, side, wrong / rarer as "left" from judged
        where rarer >= $fewest and {alone} and (not of_lemmas or wrong <= rarer * $left_of_lemmas)
        union all
        select judged.pair, kind, judged.side, 1 as "left"
        from judged join kinds using (kind, side)
        where judged.rarer < $fewest and not of_lemmas and kinds.pairs >= $fewest_pairs and {together}
    )
    select pair, kind, arg_min(side, ("left", side)) as side from told group by pair, kind
"""


def learn_sandhi(parts: Iterable[Treebank]) -> Sandhi:
    """Return what the parts of a treebank tell of words beside one another."""
    with scratch() as connection:
        return _learn(connection, parts)


def _learn(connection: duckdb.DuckDBPyConnection, parts: Iterable[Treebank]) -> Sandhi:
    connection.execute(PLACES)
    connection.execute(COUNTS)
    language = None
    for part in parts:
        language = part.language
        connection.register("surface", surface_words(part.tokens))
        connection.execute(ADD_PLACES.format(form=lower("form", language), uninflected=UNINFLECTED))
        connection.register("tokens", _with_cover(part.tokens))
        connection.execute(meetings_query(language))
    few = {"fewest": _FEWEST, "fewest_pairs": _FEWEST_PAIRS}
    connection.execute(PAIRS.format(closed=CLOSED), few)
    connection.execute(EXAMPLES)
    vowels = _vowels(connection)
    examples = see(connection, "examples", language, vowels)
    windows = windows_of(examples)
    firsts, seconds = filled(examples["firsts"], 0), filled(examples["seconds"], 0)
    results = {"row": numbers(examples["row"]), "wrong": _wrong(windows, firsts, seconds)}
    connection.register("results", pa.table({name: integers(values) for name, values in results.items()}))
    query = _JUDGED.format(alone=_told("rarer", "wrong"), together=_told("kinds.rarer", "kinds.wrong"))
    connection.execute(f"create temp table accepted as {query}", few | {"left_of_lemmas": _LEFT_OF_LEMMAS})
    rows = connection.sql("select row from examples join accepted using (pair, kind, side)").to_arrow_table()["row"]
    chosen = np.isin(numbers(examples["row"]), numbers(rows))
    evidence = Evidence.count(windows[chosen], firsts[chosen], seconds[chosen])
    members = connection.sql(MEMBERS).to_arrow_table()
    return Sandhi(language, vowels, members, evidence, connection.sql(FUSIONS).to_arrow_table())


def _vowels(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the vowels of the language, as one text."""
    forms = connection.sql("select distinct form from forms where regexp_full_match(form, '[\\p{L}\\p{M}]+')")
    return "".join(sorted(find_vowels(forms.to_arrow_table()["form"].to_pylist())))


def _told(rarer: str, wrong: str) -> str:
    """Return the SQL that tells whether so few places are wrong of those that the more frequent form has wrong."""
    # Those that spelling mends, and those that it spoils, are about as many as there are differences at most.
    sure = f"{rarer} - {wrong} - {_CONFIDENCE} * sqrt({rarer} + {wrong}) >= {rarer} * {1 - _SURELY_LEFT}"
    return f"({wrong} <= {rarer} * {_LEFT} and {sure})"


def _wrong(windows: np.ndarray, firsts: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Return how many places of each example would get the other form from the letters beside all other places."""
    first, second = (seen[:, :LETTERS] for seen in Evidence.count(windows, firsts, seconds).seen(windows))
    wrong: np.ndarray = np.where(probability(first - 1, second) > 0.5, firsts, 0)
    wrong += np.where(probability(first, second - 1) <= 0.5, seconds, 0)
    return wrong


def _with_cover(tokens: pa.Table) -> pa.Table:
    """Return the words of tokens, without empty nodes, with their multiword token: its row and its form."""
    words = np.flatnonzero(mask(whole(tokens["position"]).is_valid()))
    cover = covering(tokens)[words]
    form = whole(tokens["form"])
    return pa.table(
        {
            "row": integers(words),
            "sent": take(whole(tokens["sent"]), words),
            "form": take(form, words),
            "upos": take(whole(tokens["upos"]), words),
            "cover": integers(cover, cover < 0),
            "cover_form": take(form, cover, cover < 0),
        }
    )
