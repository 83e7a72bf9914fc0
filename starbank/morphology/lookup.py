"""Looking forms up in a lexicon, a whole suite at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import duckdb
import pyarrow as pa

from starbank.morphology.affixes import alternants, optional_beginnings, optional_endings
from starbank.morphology.attested_cells import AttestedCells
from starbank.morphology.candidates import (
    CANDIDATES,
    COPIES,
    DESCRIPTIONS,
    DOUBTS,
    FIRSTS,
    FORMS,
    KNOWN,
    LACKING,
    PREDICTED,
    PROPORTIONAL,
    UNKNOWN,
    VERBS,
)
from starbank.morphology.casing import define_small, lower
from starbank.morphology.cells import matching_cells
from starbank.morphology.inflection import ALIKE, FEWEST_ALIKE, KNOWN_WORD, THRESHOLD
from starbank.morphology.inherent import inherent_features
from starbank.morphology.merged_cells import merged_cells
from starbank.morphology.predictions import Predictions
from starbank.morphology.predictor import Predictor
from starbank.morphology.unimorph_forms import UnimorphForms
from starbank.morphology.variants import Variants, with_rules
from starbank.treebanks.arrays import answer, table_of

SOURCES = ("treebank", "unimorph", "predicted")

_READ = """
    select wanted.form, entry.lemma, entry.upos, entry.feats, entry."use", sum(entry.count)::bigint as count,
        any_value(entry.source order by entry.source) as source
    from wanted join lexicon as entry on entry.small = small(wanted.form)
    group by all
    order by all
"""

_NO_ENTRIES = table_of([], lemma=str, upos=str, feats=str, form=str)
_NO_FORMS = table_of(
    [], row=int, form=str, feats=str, source=str, count=int, confidence=float, other_stem=bool, rank=int
)
_NO_READINGS = table_of([], form=str, lemma=str, upos=str, feats=str, use=str, count=int, source=str)

# A form of the word that is written so by itself, or else that of its cell which is so most.
_ALONE = """
    with alone as (
        select lemma, upos, feats, form, sum(count) as count
        from lexicon semi join torn using (lemma, upos) where source = 'treebank' group by all
    ),
    own as (
        select row, arg_max(alone.form, (alone.form = torn.form, count, alone.form)) as form
        from torn join alone using (lemma, upos) where {alone} = {torn} group by row
    ),
    other as (
        select row, arg_max(alone.form, (count, alone.form)) as form
        from torn join alone using (lemma, upos, feats) group by row
    )
    select row, coalesce(own.form, other.form) as form from own full join other using (row) order by row
"""

_FREQUENCIES = """
    select lemma, upos, sum(count)::bigint as count
    from lexicon semi join asked using (lemma, upos) where source = 'treebank' group by all order by all
"""


class Lexicon:
    """The paradigms of one language."""

    def __init__(self, table: pa.Table, predictions: Predictions | None = None) -> None:
        """Take the paradigms from `table`, whose schema is `LEXICON`, and what has been predicted from it before."""
        self.predictions = predictions or Predictions()
        self._language = table["language"][0].as_py() if table.num_rows else None
        self._connection = duckdb.cursor()
        define_small(self._connection, self._language)
        # What is asked of it is asked dozens of times, mostly without regard to capitals.
        self._connection.register("entries", table)
        self._connection.execute("create temp table lexicon as select *, small(form) as small from entries")
        self.predictor = Predictor(self._connection, table, self.predictions)
        self._cells = answer(self._connection, "select distinct upos, feats from lexicon")
        self._has_unimorph = "unimorph" in table["source"].unique().to_pylist()

    def forms(
        self,
        cells: pa.Table,
        *,
        sources: Sequence[str] = SOURCES,
        relax: Sequence[str] = (),
        threshold: float | None = None,
    ) -> pa.Table:
        """Return the forms of each cell, with `rank` (1: the best).

        The other columns are `row`, `form`, `feats`, `source`, `count`, `confidence` and `other_stem`: whether the form
        goes with another variant of the known form than with that (`Variants`), which puts it last.

        `cells` has the columns `row` (any number that names the cell), `lemma`, `upos`, `feats` and `use` (as
        `describe_words` gives it), and a form of the lemma that is known, `own_form`, with its features, `own_feats`.
        A form's cell, `feats`, may differ from the wanted one in the features of `relax`; the closest cells come first,
        then the sources in the order given. UniMorph's cells are found as `UnimorphForms` says, whatever `relax` has.

        Where `sources` has `predicted`, a form is predicted for each cell without a known form that goes before, if its
        confidence reaches `threshold` (None: `THRESHOLD`), or `KNOWN_WORD` where the lemma has the form in a cell that
        mostly looks like it; that of attested forms is 1. A known form is none where all of it matches the regular
        expression `avoid`, a column that `cells` may have. What is not attested in the treebanks has the count 0.
        """
        if not cells.num_rows:
            return _NO_FORMS
        if "avoid" not in cells.column_names:
            cells = cells.append_column("avoid", pa.nulls(cells.num_rows, pa.string()))
        self._connection.register("asked", cells)
        self._connection.execute(COPIES)
        cells = answer(self._connection, FIRSTS)
        self._connection.register("cells", cells)
        descriptions = answer(self._connection, DESCRIPTIONS.format(verbs=VERBS))
        self._connection.register("same", matching_cells(descriptions, self._cells, relax))
        entries = answer(self._connection, KNOWN) if self._has_unimorph else _NO_ENTRIES
        self._connection.register("unimorph", entries)
        unimorph = UnimorphForms(entries, self._attested if entries.num_rows else ())
        asked_of_unimorph = cells if entries.num_rows and "unimorph" in sources else cells.slice(0, 0)
        self._connection.register("known", unimorph.forms(asked_of_unimorph))
        query = CANDIDATES.format(ranks=list(SOURCES), verbs=VERBS)
        candidates = answer(self._connection, query, params={"sources": list(sources)})
        self._connection.register("candidates", candidates)
        variants = Variants(self._connection, self.predictor, self._language)
        self._connection.register("stems", variants.stems(candidates))
        if "predicted" in sources:
            before = list(sources[: sources.index("predicted")])
            self._add_predictions(candidates, variants, before, THRESHOLD if threshold is None else threshold)
        return answer(self._connection, FORMS, params={"sources": list(sources)})

    def _add_predictions(self, known: pa.Table, variants: Variants, before: Sequence[str], threshold: float) -> None:
        """Add what is predicted to the known candidates and to the stems; forms of the sources `before` go before."""
        unknown = answer(self._connection, UNKNOWN, params={"before": before})
        if not unknown.num_rows:
            return
        lacking = answer(self._connection, LACKING) if variants.any else unknown.slice(0, 0)
        self._connection.register("known_candidates", known)
        self._add_predicted(known, variants, self.predictor.predict(unknown), threshold)
        if lacking.num_rows:
            self._add_predicted(known, variants, self._in_proportion(lacking), threshold)

    def _add_predicted(self, known: pa.Table, variants: Variants, predictions: pa.Table, threshold: float) -> None:
        self._connection.register("predictions", predictions)
        query = PREDICTED.format(known_word=KNOWN_WORD, mostly=ALIKE, enough=FEWEST_ALIKE)
        predicted = answer(self._connection, query, params={"threshold": threshold})
        self._connection.register("candidates", pa.concat_tables([known, predicted.select(known.column_names)]))
        stems = variants.stems(predicted)
        if stems.num_rows:
            self._connection.register("more_stems", stems)
            stems = answer(self._connection, "from stems union from more_stems")
            self._connection.register("stems", stems)

    def _in_proportion(self, lacking: pa.Table) -> pa.Table:
        """Predict anew where no known form has the own stem: ინჟინერებს, as ინჟინრები has ინჟინრებს."""
        self._connection.register("lacking", lacking)
        # A prediction that knows the lemma's own forms repeats those.
        self._connection.register("proposed", self.predictor.predict_alike(lacking))
        query = "select proposed.*, own_form from proposed join lacking using (row) order by row"
        steps = answer(self._connection, query)
        self._connection.register("proposed", with_rules(steps, "own_form", "form", self._language))
        return answer(self._connection, PROPORTIONAL)

    @cached_property
    def attested_cells(self) -> AttestedCells:
        """The cells that the treebanks show."""
        return AttestedCells(self._connection)

    @cached_property
    def merged_cells(self) -> frozenset[tuple[str, str, str]]:
        """The cells of nouns, as UPOS and features twice, that have one form in most lemmas."""
        return merged_cells(self._connection)

    @cached_property
    def inherent(self) -> frozenset[tuple[str, str]]:
        """The features, each with its UPOS, that belong to a word for good and make no forms of it."""
        return inherent_features(self._connection)

    @cached_property
    def endings(self) -> pa.Table:
        """What forms that texts have end in beyond others of their cell, as `affixes.optional_endings` says."""
        return optional_endings(self._connection)

    @cached_property
    def beginnings(self) -> pa.Table:
        """What forms that texts have begin with before others of their cell, as `affixes.optional_beginnings` says."""
        return optional_beginnings(self._connection)

    @cached_property
    def _attested(self) -> frozenset[str]:
        lemmas = answer(self._connection, "select distinct lemma from lexicon where source = 'treebank'")
        return frozenset(lemmas["lemma"].to_pylist())

    @cached_property
    def attested_forms(self) -> frozenset[str]:
        """The forms that the treebanks have as words by themselves."""
        forms = answer(self._connection, "select distinct form from lexicon where source = 'treebank'")
        return frozenset(forms["form"].to_pylist())

    def forms_alone(self, words: pa.Table) -> pa.Table:
        """Return how words are written that stand by themselves: their own form, or another of their cell.

        `words` has the columns `row`, `form`, `lemma`, `upos` and `feats`; the result `row` and `form`, without those
        that the treebanks do not show.
        """
        self._connection.register("torn", words)
        query = _ALONE.format(alone=lower("alone.form", self._language), torn=lower("torn.form", self._language))
        return answer(self._connection, query)

    def frequencies(self, lemmas: pa.Table) -> pa.Table:
        """Return how often lemmas (`lemma`, `upos`) are attested: these columns, once each, and `count`."""
        self._connection.register("asked", lemmas)
        return answer(self._connection, _FREQUENCIES)

    def alternants(self, forms: pa.Table) -> pa.Table:
        """Return cells that nouns' forms (`form`, `lemma`, `upos`) may be variants in: see `affixes.alternants`."""
        self._connection.register("asked", forms)
        return alternants(self._connection)

    def doubts(self, predicted: pa.Table) -> pa.Table:
        """Return what speaks against predicted forms (`row`, `lemma`, `upos`, `feats`, `form`): `row`, `detail`.

        That is a pair of letters, or a letter at an end, that no form of the treebanks has; another form that they have
        of the same cell as a plain word, but for those in `other_stems`, a list of texts in small letters; and that it
        is not the lemma, where other words look so in its cell.
        """
        self._connection.register("cells", predicted)
        return answer(self._connection, DOUBTS)

    def read(self, forms: pa.Array | pa.ChunkedArray) -> pa.Table:
        """Return all readings of the forms, capitals aside.

        Columns: `form` (as asked), `lemma`, `upos`, `feats`, `use`, `count`, `source`.
        """
        if not len(forms):
            return _NO_READINGS
        self._connection.register("wanted", pa.table({"form": forms.unique()}))
        return answer(self._connection, _READ)
