"""What was learned of words beside one another, and what it says of others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.casing import cased_like, lower
from starbank.morphology.sandhi.borders import asked_query
from starbank.morphology.sandhi.evidence import Evidence, probability, see, windows_of
from starbank.morphology.sandhi.pairs import UNINFLECTED
from starbank.morphology.sandhi.shapes import shaped_query
from starbank.treebanks.arrays import answer, integers, mask, numbers, table_of, truths, whole

# A form fits, or does not, if it is at least so likely, or unlikely.
_SURE = 0.9

_WORDS = """
    create or replace temp view asked_words as
    select number, {small} as form, lemma, upos, if(upos in {uninflected}, '', coalesce(feats, '')) as cell,
        coalesce(previous, '') as previous, coalesce(previous_upos, '') as previous_upos,
        coalesce(following, '') as following, coalesce(following_upos, '') as following_upos
    from words;
    create or replace temp table asked_forms as select distinct form, lemma, upos, cell from asked_words
    where {open} or form in (select form from members)
"""

# The pairs that each word is a member of, with the neighbour on the side that the pair minds; and these without words.
_ASKED = """
    create or replace temp table asked_pairs as
    with found as (
        select form, lemma, upos, cell, pair, kind, side, second, other
        from asked_forms join members using (form, lemma, upos, cell)
        {of_shapes}
    )
    select number, pair, kind, side, second, other, if(side = 'following', following, previous) as neighbour,
        if(side = 'following', following_upos, previous_upos) as neighbour_upos
    from found join asked_words using (form, lemma, upos, cell);
    create or replace temp table asked as
    select distinct pair, kind, side, neighbour, neighbour_upos from asked_pairs
"""

_OF_SHAPES = """
    union all
    select form, lemma, upos, cell, pair, kind, side, second, other from ({shaped})
"""

_ANSWERS = """
    select number, side = 'following' as following, other, if(second, likely, 1 - likely) as likely
    from asked_pairs join answered using (pair, kind, side, neighbour, neighbour_upos)
    order by number, pair
"""

_FITTING = """
    select case when coalesce(likely, 0.5) >= $sure then form when likely <= 1 - $sure then {cased} end as form
    from words left join answers using (number) order by number
"""


_NO_ANSWERS = table_of([], number=int, following=bool, other=str, likely=float)


@dataclass(frozen=True)
class Judgement:
    """What is told of words: how `likely` each form is, whether `following` words tell it, and what they avoid.

    `avoids` has two rows of truth values: whether each word should not stand behind the previous one, and not before
    the following one.
    """

    likely: np.ndarray
    following: np.ndarray
    avoids: np.ndarray


@dataclass(frozen=True)
class Sandhi:
    """What a treebank tells of words beside one another.

    `members` are the forms that alternate, `rare` those of pairs of which one form is too rare to be judged;
    `open_kinds` tell which others do, `evidence` tells beside what. `avoided` are the letters in which content
    words hardly ever begin or end beside others. `fusions` are the words that are written as one: `first`,
    `first_upos`, `second`, `second_upos` (in small letters), the `surface` of both, how often it was `fused` where
    they met (`adjacent`); `meetings` tell the same of function words beside others: two that met, or one beside all
    words of a kind (upos), for which `first` or `second` is null.

    Its methods take a table of words, with the columns `form`, `lemma`, `upos`, `feats`, and of what stands beside them
    in the text `previous`, `previous_upos`, `following`, `following_upos`, null at the edge of the sentence; so
    `surface_words` gives them. The parts of speech of neighbours may be null.
    """

    language: str | None
    vowels: str
    members: pa.Table
    rare: pa.Table
    open_kinds: pa.Table
    evidence: Evidence
    avoided: pa.Table
    fusions: pa.Table
    meetings: pa.Table

    def alternates(self, form: str) -> bool:
        """Tell whether a form may be one of those that alternate: of the others nothing need be asked."""
        return bool(len(self.open_kinds)) or form.casefold() in self._folded

    @cached_property
    def _folded(self) -> frozenset[str]:
        # As Python folds letters all that is alike in small letters is alike.
        return frozenset(form.casefold() for form in self.members["form"].to_pylist())

    def likelihood(self, words: pa.Table) -> tuple[np.ndarray, np.ndarray]:
        """Return how likely each form is beside its neighbours, of those that it alternates with.

        The second array tells whether the following word counts, not the previous one. A form that does not alternate
        has the likelihood NaN.
        """
        asked_words = self._alternating(_numbered(words))
        with duckdb.cursor() as connection:
            return _spread(self._answers(connection, asked_words, self.members), len(words))

    def judge(self, words: pa.Table) -> Judgement:
        """Return of words what `likelihood` tells, of `rare` ones too, and which of them avoid what is beside them.

        Those are content words that begin or end as hardly any does beside the previous or the following word.
        """
        beside = np.zeros((2, len(words)), dtype=bool)
        if not len(words):
            return Judgement(np.zeros(0), np.zeros(0, dtype=bool), beside)
        with duckdb.cursor() as connection:
            members = pa.concat_tables([self.members, self.rare])
            likely, following = _spread(self._answers(connection, _numbered(words), members), len(words))
            connection.register("avoided", self.avoided)
            avoiding = answer(connection, asked_query(self.language))
        beside[mask(whole(avoiding["following"])).astype(int), numbers(avoiding["number"])] = True
        return Judgement(likely, following, beside)

    def fits(self, words: pa.Table) -> pa.BooleanArray:
        """Tell whether each form fits beside its neighbours; null where the treebank does not tell."""
        likely, _ = self.likelihood(words)
        sure = (likely >= _SURE) | (likely <= 1 - _SURE)
        return truths(likely >= _SURE, ~sure)

    def fitting(self, words: pa.Table) -> pa.StringArray:
        """Return the form of each word that fits beside its neighbours; null where the treebank does not tell."""
        numbered = _numbered(words)
        with duckdb.cursor() as connection:
            answers = self._answers(connection, self._alternating(numbered), self.members)
            connection.register("words", numbered)
            connection.register("answers", answers)
            query = _FITTING.format(cased=cased_like("form", "other", self.language))
            return whole(answer(connection, query, params={"sure": _SURE})["form"])

    def _alternating(self, words: pa.Table) -> pa.Table:
        """Return those words that may alternate, or all, where that is quickly told."""
        if len(self.open_kinds) or lower("form", self.language) != lower("form", None):
            return words
        return words.filter(pc.is_in(pc.utf8_lower(words["form"]), value_set=whole(self.members["form"])))

    def _answers(self, connection: duckdb.DuckDBPyConnection, words: pa.Table, members: pa.Table) -> pa.Table:
        """Return of each word that alternates as `members` do, by its `number`, what tells most against it.

        The connection gets the table `asked_words` and the macro that tells vowels.
        """
        if not len(words):
            return _NO_ANSWERS
        connection.register("words", words)
        connection.register("members", members)
        connection.register("open_kinds", self.open_kinds)
        connection.execute(
            _WORDS.format(small=lower("form", self.language), uninflected=UNINFLECTED, open=bool(len(self.open_kinds)))
        )
        shaped = _OF_SHAPES.format(shaped=shaped_query("asked_forms", self.vowels)) if len(self.open_kinds) else ""
        connection.execute(_ASKED.format(of_shapes=shaped))
        places = see(connection, "asked", self.language, self.vowels)
        likely = integers(probability(*self.evidence.seen(windows_of(places))))
        keys = ["pair", "kind", "side", "neighbour", "neighbour_upos"]
        connection.register("answered", places.select(keys).append_column("likely", likely))
        answers = answer(connection, _ANSWERS)
        number, likely = numbers(answers["number"]), numbers(answers["likely"])
        order = np.lexsort((likely, number))
        first = np.diff(number[order], prepend=-1) != 0
        return answers.take(integers(order[first]))


def _spread(answers: pa.Table, words: int) -> tuple[np.ndarray, np.ndarray]:
    """Return of each word how likely it is, NaN for those without an answer, and whether the following one counts."""
    number = numbers(answers["number"])
    likely, following = np.full(words, np.nan), np.zeros(words, dtype=bool)
    likely[number], following[number] = numbers(answers["likely"]), mask(whole(answers["following"]))
    return likely, following


def _numbered(words: pa.Table) -> pa.Table:
    return words.append_column("number", integers(np.arange(len(words))))
