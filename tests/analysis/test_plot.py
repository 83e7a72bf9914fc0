"""The plot: an SVG that shows every suite and model, in any script."""

from xml.etree import ElementTree

import pandas as pd
import pytest

from starbank.analysis.plot import ABOVE, BELOW, COLOURS, MANY, UNDECIDED, figure_svg, panel_svg, to_svg, to_svgs

SUITE = ["dataset", "construction", "level", "suite"]
MODEL = ["model", "label", "order", "accuracy", "low", "high", "chance", "verdict", "tied"]


@pytest.fixture
def rows() -> pd.DataFrame:
    one = ["kat", "erg-subj", "word", "მოთხრობითი ბრუნვა"]
    other = ["hin", "erg-subj", "sentence", "कर्ता कारक"]
    return pd.DataFrame(
        [
            [*one, "ngram", "ngram", 0, 0.1, 0.0, 0.2, 1 / 3, BELOW, 0.0],
            [*one, "bert", "bert", 1, 0.9, 0.8, 1.0, 1 / 3, ABOVE, 0.0],
            [*other, "ngram", "ngram", 0, 0.5, 0.2, 0.8, 1 / 3, UNDECIDED, 0.0],
            [*other, "bert", "bert", 1, None, None, None, None, UNDECIDED, None],
        ],
        columns=[*SUITE, *MODEL],
    )


def texts(svg: str) -> list[str]:
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_the_figure_names_datasets_levels_suites_and_models(rows):
    shown = texts(figure_svg(rows))
    expected = {
        "kat",
        "hin",
        "word level",
        "sentence level",
        "მოთხრობითი ბრუნვა",
        "कर्ता कारक",
        "ngram",
        "bert",
        *COLOURS,
    }
    assert expected <= set(shown)


def test_a_model_that_scored_nothing_is_shown_as_such(rows):
    assert texts(panel_svg(rows[rows["dataset"] == "hin"])).count("not scored") == 1
    assert "not scored" not in texts(panel_svg(rows[rows["dataset"] == "kat"]))


def test_text_is_drawn_in_fonts_that_have_georgian_and_devanagari(rows):
    elements = ElementTree.fromstring(figure_svg(rows)).iter()
    families = {family for element in elements if (family := element.get("font-family"))}
    (family,) = families
    assert "'Noto Sans Georgian'" in family
    assert "'Noto Sans Devanagari'" in family


def test_points_have_the_colour_of_their_verdict(rows):
    svg = panel_svg(rows[rows["dataset"] == "kat"])
    assert COLOURS[BELOW] in svg
    assert COLOURS[ABOVE] in svg


def test_the_same_rows_give_the_same_bytes(rows):
    assert figure_svg(rows) == figure_svg(rows)


def test_long_titles_and_names_of_models_stay_whole(rows):
    title = "Nominative object of a verb of inversion (perfect series, verbs of feeling and having), as published"
    name = "google-bert/bert-base-multilingual-cased+some-revision"
    long = rows.assign(suite=title, label=rows["label"].replace("bert", name))
    root = ElementTree.fromstring(panel_svg(long[long["dataset"] == "kat"]))
    shown = " ".join(" ".join(root.itertext()).split())
    assert title in shown
    assert name in shown


def test_the_share_of_ties_stands_beside_the_interval(rows):
    assert texts(panel_svg(rows[rows["dataset"] == "kat"].assign(tied=[0.95, 0.0]))).count("95% tied") == 1


def test_several_processes_draw_many_charts_as_one_does(monkeypatch):
    charts = [{"title": f"Chart {number}", "mark": "point", "data": {"values": [{}]}} for number in range(MANY)]
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert to_svgs(charts) == [to_svg(chart) for chart in charts]
