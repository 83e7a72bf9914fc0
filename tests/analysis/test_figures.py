"""The figures that papers have: what is drawn of which numbers, and that nothing is cut."""

import re

import pandas as pd
import pyarrow as pa
import pytest

from starbank.analysis import bars, boxes, cells, drawn, misled, sizes
from starbank.analysis.figures import CONDITIONS, palette
from starbank.analysis.judgements import open_scores
from starbank.analysis.plot import to_svg
from starbank.analysis.surprisals import regions, surprisals

LABELS = {"ngram": "ngram"}
TITLES = {("kat", "erg-subj"): "Ergative subject", ("kat", "other"): "Another subject"}
# Log-probabilities that are 1, 2, 3 … bits.
BITS = -0.6931471805599453


def texts(chart: dict) -> list[str]:
    return re.findall(r">([^<>]+)</(?:text|tspan)>", to_svg(chart))


def chart_of(panels) -> dict:
    ((_, chart),) = panels
    return chart


def bars_of(chart: dict) -> list[dict]:
    """The rows that the one small chart below the legend draws first."""
    (small,) = chart["vconcat"][1]["hconcat"]
    return small["layer"][0]["data"]["values"]


@pytest.fixture
def database(write_scores):
    """Eight items; each of their regions has as many bits as the item's number, the nominative twice as many."""
    return open_scores([
        write_scores(
            {
                f"i{bits}": {"Erg": [0.0, bits * BITS, bits * BITS], "Nom": [0.0, 2 * bits * BITS, bits * BITS]}
                for bits in (1, 2, 3, 4, 5, 6, 7, 40)
            },
            level="sentence",
        )
    ])  # fmt: skip


def test_boxes_have_quartiles_and_whiskers_that_leave_out_what_is_far_away(database):
    grammatical, _ = surprisals(database).to_pylist()
    # The sums of two regions: 2, 4, 6, … 14, and 80.
    assert {name: grammatical[name] for name in ("items", "low", "lower_quartile", "median", "high")} == {
        "items": 8,
        "low": pytest.approx(2),
        "lower_quartile": pytest.approx(5.5),
        "median": pytest.approx(9),
        "high": pytest.approx(14),
    }


def test_a_region_has_a_mean_and_a_standard_error_and_an_empty_one_nothing(database):
    rows = [(row["condition"], row["region"], row["name"], row["mean"]) for row in regions(database).to_pylist()]
    assert rows == [
        ("Erg", 2, "target", pytest.approx(8.5)),
        ("Erg", 3, "suffix", pytest.approx(8.5)),
        ("Nom", 2, "target", pytest.approx(17)),
        ("Nom", 3, "suffix", pytest.approx(8.5)),
    ]
    assert regions(database).to_pylist()[0]["standard_error"] == pytest.approx(4.555, abs=0.001)


def test_box_plots_name_suites_models_and_conditions(database):
    chart = chart_of(
        boxes.panels(surprisals(database).to_pandas(), LABELS, TITLES, palette(["Erg", "Nom"], CONDITIONS))
    )
    assert {"Ergative subject", "ngram", "Erg", "Nom", "surprisal in bits"} <= set(texts(chart))


def test_bar_charts_name_the_regions(database):
    chart = chart_of(bars.panels(regions(database).to_pandas(), LABELS, TITLES, palette(["Erg", "Nom"], CONDITIONS)))
    assert {"Ergative subject", "ngram", "target", "suffix", "bits"} <= set(texts(chart))


def test_cells_are_plus_and_minus_one_by_one_sided_tests(write_scores):
    """Of 20 guesses between two, 15 or more would be right in 2% of all cases, and 14 or more in 6%."""
    right, wrong = {"Erg": -1.0, "Nom": -2.0}, {"Erg": -2.0, "Nom": -1.0}
    from starbank.analysis import report, tables

    paths = [
        write_scores({f"i{place}": right if place < correct else wrong for place in range(20)}, name=name, model=name)
        for name, correct in {"good": 15, "unsure": 14, "bad": 5}.items()
    ]
    opened = open_scores(paths)
    shown = report.show_suites([], tables.scored_suites(opened))
    rows = report.label_rows(tables.accuracy(opened).to_pandas(), tables.coverage(opened).to_pandas(), shown, {})
    found = texts(chart_of(cells.significance(rows)))
    assert [text for text in found if text in ("+1", "0", "−1")] == ["−1", "+1", "0"]


def test_errors_are_drawn_by_the_condition_that_misled_the_model():
    of = {"dataset": "kat", "construction": "erg-subj", "model": "ngram", "level": "word"}
    rows = pd.DataFrame([{**of, "label": "ngram", "order": 0, "items": 8, "accuracy": 0.25}])
    preferred = pd.DataFrame([{**of, "condition": name, "wrong": wrong} for name, wrong in (("Dat", 2), ("Nom", 4))])
    chart = chart_of(misled.panels(preferred, rows, TITLES, palette(["Dat", "Erg", "Nom"], CONDITIONS)))
    ends = [(row["condition"], row["begin"], row["end"]) for row in bars_of(chart)]
    assert ends == [("Nom", 0.0, 0.5), ("Dat", 0.5, 0.75)]
    assert {"Ergative subject", "ngram", "Nom", "Dat"} <= set(texts(chart))
    assert "Erg" not in texts(chart)


def test_correlations_with_length_are_drawn_in_characters_where_tokens_are_not_known():
    of = {"dataset": "kat", "construction": "erg-subj", "model": "ngram", "level": "word"}
    table = pd.DataFrame([{**of, "covariate": "characters", "spearman": -0.315, "spearman_p": 0.01}])
    rows = pd.DataFrame([{**of, "suite": "Ergative subject", "label": "ngram", "order": 0}])
    assert {"characters of the sentence", "−0.32", "Ergative subject"} <= set(
        texts(chart_of(cells.correlations(table, rows)))
    )


@pytest.fixture
def points() -> pd.DataFrame:
    """Two models of one family, of 0.5 and 1.5 milliards, 60% and 80% right on one suite, 70% and 80% on another."""
    of = {"dataset": "kat", "level": "word"}
    accuracy = [
        {**of, "construction": name, "model": model, "accuracy": share}
        for name, shares in {"erg-subj": (0.6, 0.8), "other": (0.7, 0.8)}.items()
        for model, share in zip(("org/bloom-500m", "org/bloom-1b5"), shares, strict=True)
    ]
    near = {**of, "construction": None, "covariate": "distance", "items": 20}
    by = [
        {**near, "model": model, "value_from": words, "value_to": words, "accuracy": share}
        for words, shares in {3: (0.7, 0.9), 4: (0.6, 0.7)}.items()
        for model, share in zip(("org/bloom-500m", "org/bloom-1b5"), shares, strict=True)
    ]
    known = [
        {"model": model, "model_kind": "causal", "dtype": None, "run": None, "step": None, "parameters": size}
        for model, size in (("org/bloom-500m", 500_000_000), ("org/bloom-1b5", 1_500_000_000))
    ]
    tables = [pa.Table.from_pylist(rows) for rows in (accuracy, by, known)]
    return sizes.points(*tables, dict.fromkeys(TITLES, "case alignment"))


def test_slopes_are_points_per_milliard_of_parameters_and_per_doubling(points):
    rows = sizes.slopes(points).to_pylist()
    told = {(row["construction"], row["value_to"]): (row["slope"], row["per_doubling"]) for row in rows}
    assert {row["family"] for row in rows} == {"bloom"}
    assert told == {
        (None, None): (15.0, 9.46395),
        ("erg-subj", None): (20.0, 12.6186),
        ("other", None): (10.0, 6.3093),
        (None, 3): (20.0, 12.6186),
        (None, 4): (10.0, 6.3093),
    }


def test_accuracy_by_size_is_drawn_for_all_suites_for_each_and_by_distance(points):
    shown = texts(chart_of(sizes.panels(points, sizes.slopes(points).to_pandas(), TITLES)))
    assert {"all suites", "Ergative subject", "Another subject", "3 words from the controller"} <= set(shown)
    assert {"+9.5", "+12.6", "+6.3", "bloom", "parameters"} <= set(shown)


def test_figures_of_an_earlier_run_go(tmp_path):
    drawn.write({"sizes": [(("kat", "word"), "<svg/>")], "surprisals": []}, tmp_path)
    (tmp_path / "figures" / "mine.svg").touch()
    drawn.write({"sizes": [], "surprisals": [(("kat", "sentence and word"), "<svg/>")]}, tmp_path)
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert names == {"surprisals-kat-sentence-and-word.svg", "mine.svg"}
