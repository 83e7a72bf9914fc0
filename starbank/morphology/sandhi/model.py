"""What was learned of words beside one another, and what it says of others."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.casing import cased_like, lower
from starbank.morphology.sandhi.evidence import Evidence, probability, see, windows_of
from starbank.morphology.sandhi.pairs import UNINFLECTED
from starbank.morphology.sandhi.shapes import shaped_query
from starbank.treebanks.arrays import integers, mask, whole

# A form fits, or does not, if it is at least so likely, or unlikely.
_SURE = 0.9

_WORDS = """
    create or replace temp table asked_words as
    select number, {small} as form, lemma, upos, if(upos in {uninflected}, '', coalesce(feats, '')) as cell,
        coalesce(previous, '') as previous, coalesce(previous_upos, '') as previous_upos,
        coalesce(following, '') as following, coalesce(following_upos, '') as following_upos
    from words
"""

# The pairs that each word is a member of, with the neighbour on the side that the pair minds.
_ASKED = """
    create or replace temp table asked as
    with found as (
        select number, pair, kind, side, second, other, previous, previous_upos, following, following_upos
        from asked_words join members using (form, lemma, upos, cell)
        {of_shapes}
    )
    select number, pair, kind, side, second, other, if(side = 'following', following, previous) as neighbour,
        if(side = 'following', following_upos, previous_upos) as neighbour_upos
    from found order by number, pair
"""

_OF_SHAPES = """
    union all
    select number, pair, kind, side, second, other, previous, previous_upos, following, following_upos
    from ({shaped})
"""

_ANSWERS = """
    with told as (
        select number, min(own) as own, arg_min(side, (own, pair)) as side,
            min(own) filter (other is not null) as least,
            arg_min(other, (own, pair)) filter (other is not null) as other
        from answers group by number
    )
    select own as likely, side = 'following' as following,
        case when own >= $sure then form when least <= 1 - $sure then {cased} end as form
    from words left join told using (number) order by number
"""


@dataclass(frozen=True)
class Sandhi:
    """What a treebank tells of words beside one another.

    `members` are the forms that alternate, `open_kinds` tell which others do, `evidence` tells beside
    what. `fusions` are the words that are written as one: `first`, `first_upos`, `second`, `second_upos` (in small
    letters), the `surface` of both, how often it was `fused` where they met (`adjacent`).

    Its methods take a table of words, with the columns `form`, `lemma`, `upos`, `feats`, and of what stands beside them
    in the text `previous`, `previous_upos`, `following`, `following_upos`, null at the edge of the sentence; so
    `surface_words` gives them. The parts of speech of neighbours may be null.
    """

    language: str | None
    vowels: str
    members: pa.Table
    open_kinds: pa.Table
    evidence: Evidence
    fusions: pa.Table

    def likelihood(self, words: pa.Table) -> pa.Table:
        """Return how likely each form is beside its neighbours, of those that it alternates with.

        Columns: `likely`, and whether the `following` word counts, not the previous one; null where a form does not
        alternate.
        """
        return self._answer(words).select(["likely", "following"])

    def fits(self, words: pa.Table) -> pa.BooleanArray:
        """Tell whether each form fits beside its neighbours; null where the treebank does not tell."""
        likely = whole(self._answer(words)["likely"])
        sure = pc.or_(pc.greater_equal(likely, _SURE), pc.less_equal(likely, 1 - _SURE))
        return pc.if_else(sure, pc.greater(likely, 0.5), pa.scalar(None, pa.bool_()))

    def fitting(self, words: pa.Table) -> pa.StringArray:
        """Return the form of each word that fits beside its neighbours; null where the treebank does not tell."""
        return whole(self._answer(words)["form"])

    def _answer(self, words: pa.Table) -> pa.Table:
        with duckdb.cursor() as connection:
            connection.register("words", words.append_column("number", integers(np.arange(len(words)))))
            for name in ("members", "open_kinds"):
                connection.register(name, getattr(self, name))
            connection.execute(_WORDS.format(small=lower("form", self.language), uninflected=UNINFLECTED))
            shaped = _OF_SHAPES.format(shaped=shaped_query("asked_words", self.vowels)) if len(self.open_kinds) else ""
            connection.execute(_ASKED.format(of_shapes=shaped))
            asked = see(connection, "asked", self.language, self.vowels)
            likely = probability(*self.evidence.seen(windows_of(asked)))
            own = integers(np.where(mask(whole(asked["second"])), likely, 1 - likely))
            connection.register("answers", asked.select(["number", "pair", "other", "side"]).append_column("own", own))
            query = _ANSWERS.format(cased=cased_like("form", "other", self.language))
            return connection.sql(query, params={"sure": _SURE}).to_arrow_table()
