"""What is predicted for the cells of a lexicon: from the form at hand, and from another form of the lemma.

Several sources tell more than one (Kann et al. 2017, "Neural multi-source morphological reinflection"): of the forms
that the form at hand makes sure of and the other contradicts one in six is wrong, of those that both lead to one in a
hundred.
"""

from __future__ import annotations

from functools import cached_property

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.candidates import ANOTHER, ASKED, BOTH, OTHERS
from starbank.morphology.casing import lower
from starbank.morphology.inflection import Inflection, confirmed, learn, stored_weights
from starbank.morphology.paradigms import LEMMA, Paradigms, Queries, fold_of
from starbank.morphology.predictions import Predictions
from starbank.treebanks.arrays import answer, integers, numbers, table_of, texts, truths


class Predictor:
    """Predicts forms from a lexicon, which `connection` has as the table `lexicon`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, table: pa.Table, predictions: Predictions) -> None:
        self._connection, self._table, self._predictions = connection, table, predictions
        self._language = table["language"][0].as_py() if table.num_rows else None

    @cached_property
    def paradigms(self) -> Paradigms:
        """The attested forms as examples."""
        return Paradigms(self._table)

    @cached_property
    def inflection(self) -> Inflection | None:
        """What predicts forms, learned when it is first asked for; None where there are too few forms to learn from."""
        weights = stored_weights(self._table) or learn(self.paradigms)
        return None if weights is None else Inflection(self.paradigms, weights)

    def predict(self, cells: pa.Table) -> pa.Table:
        """Return the best prediction for cells as `Lexicon.forms` has them: `row`, `form`, `feats`, `confidence`."""
        answers = self._answers(cells, self._other_forms(cells), own_lemma=True)
        self._connection.register("answers", answers)
        both = answer(self._connection, BOTH)
        form, other = (both[name].to_pylist() for name in ("form", "other_form"))
        sure = confirmed(form, numbers(both["confidence"]), other, numbers(both["other_confidence"]))
        return both.select(["row", "form", "feats"]).append_column("confidence", integers(sure))

    def predict_alike(self, cells: pa.Table) -> pa.Table:
        """Return what `predict` does from the form at hand alone, as if no form of the lemma were attested."""
        return self._answers(cells, cells.slice(0, 0), own_lemma=False)

    def _other_forms(self, cells: pa.Table) -> pa.Table:
        """Return the cells of whose lemma another form is attested, with that as `own_form`, the nearest one."""
        self._connection.register("unknown", cells)
        self._connection.register("others", answer(self._connection, OTHERS))
        steps = answer(self._connection, "select distinct upos, feats, own_feats, other_feats from others")
        goal, own, other = (self._numbers(steps, name) for name in ("feats", "own_feats", "other_feats"))
        distances = {"distance": (other, goal), "from_own": (other, own)}
        for name, ends in distances.items():
            steps = steps.append_column(name, integers(self.paradigms.cells.distances(*ends)))
        self._connection.register("steps", steps)
        return answer(self._connection, ANOTHER)

    def _numbers(self, steps: pa.Table, feats: str) -> np.ndarray:
        """Return the numbers of the cells that a column of features names."""
        keys = zip(steps["upos"].to_pylist(), steps[feats].to_pylist(), strict=True)
        return np.array([self.paradigms.cells.number(*key, None) for key in keys], dtype=np.int64)

    def _answers(self, cells: pa.Table, others: pa.Table, *, own_lemma: bool) -> pa.Table:
        """Return what is predicted for cells, and, where `another` is true, for the same with other forms."""
        both = [
            table.append_column("another", truths(np.full(table.num_rows, another)))
            for table, another in ((cells, False), (others, True))
        ]
        self._connection.register("questions", pa.concat_tables(both))
        small = lower("own_form[1]", self._language) + " || own_form[2:]"
        lemma, first = LEMMA.format(lemma="lemma"), lower("lemma[1]", self._language)
        query = ASKED.format(lemma=lemma, fold=fold_of(lemma), small=small, first=first, knowing=own_lemma)
        queried = answer(self._connection, query)
        questions = queried["question"].to_pylist()
        new = self._predictions.unknown(questions)
        if new and self.inflection:
            queries = self._queries(queried.take(integers(np.array([*new.values()]))), own_lemma)
            self._predictions.add(list(new), *self.inflection.predict(queries))
        elif new or not questions:
            return table_of([], row=int, another=bool, form=str, feats=str, confidence=float)
        forms, confidence = self._predictions.answers(questions)
        table = queried.select(["row", "another", "feats"]).append_column("form", texts(forms))
        table = table.append_column("confidence", integers(confidence))
        return table.filter(table["form"].is_valid())

    def _queries(self, queried: pa.Table, own_lemma: bool) -> Queries:
        """Return what `ASKED` tells as queries."""
        column = {name: queried[name].to_pylist() for name in queried.column_names}
        keys = (column["upos"], column["feats"], column["use"]), (column["upos"], column["own_feats"], column["use"])
        cell, own_cell = (
            np.array([self.paradigms.cells.number(*key) for key in zip(*parts, strict=True)], dtype=np.int64)
            for parts in keys
        )
        # Without a known form there is the lemma alone.
        own_cell = np.where([bool(form) for form in column["own_form"]], own_cell, -1)
        fold = np.full(len(cell), -1) if own_lemma else numbers(queried["fold"]).astype(np.int64)
        return Queries(column["lemma"], cell, column["own_form"], own_cell, fold)
