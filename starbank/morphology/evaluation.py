"""How good learned inflection is on forms that it was kept from seeing."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from starbank.morphology.inflection import Inflection, confirmed, learn
from starbank.morphology.paradigms import FOLDS, LEMMA, Paradigms, Queries, fold_of, held_out_queries
from starbank.treebanks.arrays import answer, integers, texts, truths

HELD_OUT = pa.schema(
    {
        "upos": pa.string(),
        "feats": pa.string(),
        "lemma": pa.string(),
        "given": pa.string(),
        "given_feats": pa.string(),
        "differing": pa.int64(),
        "form": pa.string(),
        "confidence": pa.float64(),
        "right": pa.bool_(),
        "attested": pa.list_(pa.string()),
    }
)


def hold_out(lexicon: pa.Table, *, given: bool = True, deal: int = 0) -> pa.Table:
    """Predict every form that the treebanks attest free, each with a model that knows no form of its lemma.

    The lemmas are dealt into five parts, in another way for each `deal`; a model learns, weights and confidence
    included, from all other parts and from UniMorph's forms of their lemmas. A form is asked for by its lemma and,
    where `given`, by one other attested form of it, in the cell that differs in the fewest features (`differing`), as
    the form that is replaced is at hand in real use, and then by the next such form, which confirms what is predicted
    or contradicts it; forms of lemmas with no other attested cell are not asked for. A prediction is right if the cell
    has it among its attested forms, capitals aside. The schema is `HELD_OUT`; `form` is
    null where no rule fits.
    """
    connection = duckdb.cursor()
    connection.register("lexicon", lexicon)
    part_of = fold_of(LEMMA.format(lemma="lemma"), deal)

    def part(condition: str) -> pa.Table:
        return answer(connection, f"select * from lexicon where {condition}")

    return pa.concat_tables(
        _hold_out(part(f"{part_of} <> {fold}"), part(f"{part_of} = {fold} and source = 'treebank'"), given)
        for fold in range(FOLDS)
    )


def _hold_out(training: pa.Table, test: pa.Table, given: bool) -> pa.Table:
    tested, paradigms = Paradigms(test), Paradigms(training)
    queries, answers = held_out_queries(tested)
    free = np.flatnonzero([tested.cells.keys[cell][2] is None for cell in queries.cell.tolist()])
    queries, answers = queries.take(free), [answers[row] for row in free.tolist()]
    weights = learn(paradigms)
    if weights is None or not len(queries):
        return HELD_OUT.empty_table()
    number = np.array([paradigms.cells.number(*key) for key in tested.cells.keys], dtype=np.int64)

    def predict(asked: Queries) -> tuple[list[str | None], np.ndarray]:
        cell, given_cell = number[asked.cell], number[asked.given_cell]
        same = Queries(asked.lemma, cell, asked.given, given_cell, np.full(len(asked), -1))
        return Inflection(paradigms, weights).predict(same if given else same.without_given())

    forms, confidence = predict(queries)
    if given:
        second, _ = held_out_queries(tested, nearest=2)
        answers_by_cell = dict(zip(_keys(second), zip(*predict(second), strict=True), strict=True))
        others = [answers_by_cell.get(key, (None, 0.0)) for key in _keys(queries)]
        confidence = confirmed(forms, confidence, [form for form, _ in others], np.array([sure for _, sure in others]))
    right = [form is not None and form.lower() in right_forms for form, right_forms in zip(forms, answers, strict=True)]
    keys, given_keys = (
        [tested.cells.keys[at] for at in cells.tolist()] for cells in (queries.cell, queries.given_cell)
    )
    columns = [
        texts([upos for upos, _, _ in keys]),
        texts([feats for _, feats, _ in keys]),
        texts(list(queries.lemma)),
        texts(list(queries.given)),
        texts([feats for _, feats, _ in given_keys]),
        integers(tested.cells.distances(queries.given_cell, queries.cell)),
        texts(forms),
        integers(confidence),
        truths(np.array(right, dtype=bool)),
        pa.array([sorted(right_forms) for right_forms in answers], pa.list_(pa.string())),
    ]
    return pa.table(columns, schema=HELD_OUT)


def _keys(queries: Queries) -> list[tuple[str, int]]:
    """Return the lemma and the cell of each query."""
    return list(zip(queries.lemma, queries.cell.tolist(), strict=True))


def tally(held_out: pa.Table, threshold: float, by: str) -> pa.Table:
    """Return one row per value of a column, or of a feature of the cell: how many are asked for, sure, and right.

    Columns: `by`, `cells`, `all_right` (share of right ones among all), `sure` (share at or above `threshold`), `right`
    (share of right ones among those), `confidence` (their mean).
    """
    connection = duckdb.cursor()
    connection.register("held_out", held_out)
    value = by if by in held_out.column_names else f"nullif(regexp_extract('|' || feats, '\\|{by}=([^|]+)', 1), '')"
    return answer(
        connection,
        f"""
        select {value} as "by", count(*) as cells, avg("right"::int) as all_right,
            avg((confidence >= $threshold)::int) as sure,
            avg("right"::int) filter (confidence >= $threshold) as "right",
            avg(confidence) filter (confidence >= $threshold) as confidence
        from held_out where {value} is not null
        group by 1 order by cells desc, 1
        """,
        params={"threshold": threshold},
    )


def interval(share: float, cells: float) -> tuple[float, float]:
    """Return the 95% interval of a share of so many cells (Wilson 1927)."""
    squared = 1.96**2
    middle, spread = share + squared / (2 * cells), 1.96 * (share * (1 - share) / cells + squared / 4 / cells**2) ** 0.5
    return (middle - spread) / (1 + squared / cells), (middle + spread) / (1 + squared / cells)


def reliability(held_out: pa.Table) -> pa.Table:
    """Return for tenths of confidence, and finer above 0.9, how often predictions are right.

    Columns: `low`, `high`, `cells`, `right`, `confidence` (the mean).
    """
    connection = duckdb.cursor()
    connection.register("held_out", held_out)
    return answer(
        connection,
        """
        with binned as (
            select *, if(confidence < 0.9, floor(confidence * 10) / 10, floor(confidence * 50) / 50) as low
            from held_out where form is not null
        )
        select low, low + if(low < 0.9, 0.1, 0.02) as high, count(*) as cells,
            avg("right"::int) as "right", avg(confidence) as confidence
        from binned group by low order by low
        """,
    )
