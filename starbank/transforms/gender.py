"""Gender control: nouns that change gender from one variant of a sentence to the next, with all that agrees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology import Lexicon
from starbank.transforms.agreement import find_agreement
from starbank.transforms.pools import ContentWords
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import integers, numbers, texts, truths, whole

# The four variants of Vyākarana (Patil et al. 2021), and the gender that each takes away.
MODES = {"original": (), "opposite": ("Masc", "Fem"), "masculine": ("Fem",), "feminine": ("Masc",)}
SUFFIXES = {"original": "org", "opposite": "opp", "masculine": "masc", "feminine": "fem"}

_NOUNS = """
    create or replace temp table nouns as
    select noun.row, noun.upos, noun.gender, coalesce(
        content.reason, tied.reason,
        if(unformed.row is not null, 'no form of a word that agrees with it', null),
        if(content.other, null, 'no noun of the other gender like it')
    ) as reason
    from gendered as noun
        left join content_words as content using (row)
        left join (select row, min(reason) as reason from tied group by row) as tied using (row)
        left join (
            select distinct controller as row from agrees join inflected on inflected.row = agrees.row
            where inflected.form is null
        ) as unformed using (row)
    where noun.noun and noun.gender in ('Masc', 'Fem')
    order by row
"""

# The words that change in a variant that takes some genders away: nouns, whose place another takes, and what agrees
# with them, in its other form.
_CHANGED = """
    with changed as (select row from nouns where reason is null and list_contains($taken, gender))
    select row, null::varchar as form, case gender when 'Masc' then replace(feats, 'Gender=Masc', 'Gender=Fem')
        else replace(feats, 'Gender=Fem', 'Gender=Masc') end as feats
    from changed join gendered using (row)
    union all
    select inflected.row, form, inflected.feats
    from inflected where row in (select agrees.row from agrees join changed on changed.row = agrees.controller)
    order by 1
"""

_GENDERS = """
    select upos, gender as before, reason,
        if(reason is null and list_contains($taken, gender), if(gender = 'Masc', 'Fem', 'Masc'), gender) as after,
        count(*) as count
    from nouns group by all
"""


@dataclass(frozen=True)
class Exchange:
    """What changes gender in one variant: `row` (int64), its `form` (null for a noun, which is drawn), its `feats`."""

    row: np.ndarray
    form: pa.StringArray
    feats: pa.StringArray


@dataclass(frozen=True)
class Exchanges:
    """What changes gender in each of some `MODES`, part by part; `counts` keeps what balances them."""

    modes: list[str]
    counts: list[pa.Table] = field(default_factory=list)

    def find(
        self, connection: duckdb.DuckDBPyConnection, treebank: Treebank, lexicon: Lexicon, words: ContentWords
    ) -> list[Exchange]:
        """Return what changes in each mode in a part of a treebank.

        `connection` has the table `words` of the part, `lexicon` the forms of the whole. A noun changes where a noun of
        the other gender fits into its place and all that agrees with it has a form.
        """
        find_agreement(connection, treebank, lexicon)
        content = {"row": integers(words.row), "reason": words.reason, "other": truths(words.has_other)}
        connection.register("content_words", pa.table(content))
        connection.execute(_NOUNS)
        exchanges = []
        for mode in self.modes:
            taken = {"taken": list(MODES[mode])}
            changed = connection.sql(_CHANGED, params=taken).to_arrow_table()
            nouns = connection.sql(_GENDERS, params=taken).to_arrow_table()
            self.counts.append(nouns.append_column("mode", texts([mode] * len(nouns))))
            exchanges.append(Exchange(numbers(changed["row"]), whole(changed["form"]), whole(changed["feats"])))
        return exchanges

    @property
    def table(self) -> pa.Table:
        """The table `genders/1` of docs/formats.md."""
        return self._ask("""
            select mode, upos, before, after, reason, sum(count)::bigint as count
            from genders join modes using (mode) group by mode, upos, before, after, reason, place
            order by place, upos, before, after, reason nulls first
        """)

    def lines(self) -> Iterator[str]:
        """Yield what the table comes to."""
        if not self.modes:
            return
        of_modes = """
            with counts as (
                select mode, place, coalesce(sum(count) filter (after = 'Masc'), 0)::bigint as masculine,
                    coalesce(sum(count) filter (after = 'Fem'), 0)::bigint as feminine
                from genders join modes using (mode) group by mode, place
            )
            select printf('nouns, %-9s %6d masculine, %6d feminine (%.1f %%)', mode,
                masculine, feminine, 100 * (feminine / (masculine + feminine))) as line
            from counts order by place
        """
        of_reasons = """
            select printf('keeps its gender: %6d %s', sum(count)::bigint, reason) as line
            from genders join modes using (mode) where reason is not null and place = 0
            group by reason order by sum(count) desc, reason
        """
        for query in (of_modes, of_reasons):
            yield from self._ask(query)["line"].to_pylist()

    def _ask(self, query: str) -> pa.Table:
        connection = duckdb.connect()
        connection.register("genders", pa.concat_tables(self.counts))
        places = integers(np.arange(len(self.modes)))
        connection.register("modes", pa.table({"mode": texts(self.modes), "place": places}))
        return connection.sql(query).to_arrow_table()
