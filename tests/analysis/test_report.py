"""The products of `results`: tables, plot, and the page that a linguist reads."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from starbank.analysis import results
from starbank.analysis.report import short_names
from starbank.files import failure_file, read_metadata, write_json
from tests.analysis.conftest import scores_writer, suite_writer

pytestmark = [pytest.mark.xdist_group("report"), pytest.mark.slow]

RIGHT = {"Erg": -1.0, "Nom": -2.0, "Dat": -3.0}
NOMINATIVE = {"Erg": -2.0, "Nom": -1.0, "Dat": -3.0}


class Text(HTMLParser):
    """The text of a page as a reader sees it; tags count as spaces between blocks only."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.skip = 0

    def handle_starttag(self, tag, attrs):
        self.skip += tag in ("style", "svg", "script")
        if tag in ("p", "td", "th", "li", "h2", "h3", "h4", "dt", "dd", "small", "code", "div"):
            self.parts.append("\n")

    def handle_endtag(self, tag):
        self.skip -= tag in ("style", "svg", "script")

    def handle_data(self, data):
        if not self.skip:
            self.parts.append(data)


def text_of(folder: Path) -> str:
    parser = Text()
    parser.feed((folder / "report.html").read_text(encoding="utf-8"))
    return re.sub(r"\s+", " ", "".join(parser.parts))


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Results of two models on a suite of three items, of which one model scored two."""
    folder = tmp_path_factory.mktemp("made")
    write_scores = scores_writer(folder)
    suite = suite_writer(folder)(["დღეს", "გუშინ", "მაშინ"], ["no form"] * 4, title="Ergative subject <aorist>")
    paths = [
        write_scores({"i1": RIGHT, "i2": NOMINATIVE, "i3": NOMINATIVE}, name="ngram.parquet"),
        write_scores({"i1": RIGHT, "i2": RIGHT}, name="bert.parquet", model="org/bert-ka", model_kind="masked"),
    ]
    return results(paths, folder / "results", suites=[suite.parent])


def test_the_products_are_those_of_the_format(made):
    tables = (
        "accuracy",
        "by",
        "compared",
        "correlations",
        "models",
        "predictions",
        "preferred",
        "regions",
        "regression",
        "slopes",
        "surprisals",
        "treebanks",
        "yield",
    )
    assert {path.name for path in made.iterdir()} == {
        *(f"{table}.{kind}" for table in tables for kind in ("csv", "parquet")),
        *("accuracy.svg", "accuracy.tex", "figures", "report.html"),
    }
    assert read_metadata(made / "accuracy.parquet")["schema"] == "accuracy/1"
    figures = {f"{name}-kat-word.svg" for name in ("errors", "significance", "surprisals")}
    assert figures == {path.name for path in (made / "figures").iterdir()}


def test_csv_and_parquet_say_the_same(made):
    for name in ("accuracy", "preferred", "yield"):
        table = pd.read_parquet(made / f"{name}.parquet")
        pd.testing.assert_frame_equal(pd.read_csv(made / f"{name}.csv"), table, check_dtype=False)


def test_the_same_input_gives_the_same_bytes(made, tmp_path):
    scores = sorted(made.parent.glob("*.parquet"))
    again = results(scores, tmp_path / "again", suites=[made.parent / "suites"])
    for path in made.rglob("*.*"):
        assert path.read_bytes() == (again / path.relative_to(made)).read_bytes(), path.name


def test_the_page_stands_alone(made):
    page = (made / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"\ssrc=|@import|url\(|<script [^t]|<link|fetch\(", page)
    assert set(re.findall(r'href="(.)', page)) == {"#"}


def test_the_page_shows_a_sentence_with_its_starred_forms(made):
    page = text_of(made)
    assert "Erg დღეს კაცმა სახლი ააშენა." in page
    assert "Nom დღეს *კაცი სახლი ააშენა." in page
    assert "Dat დღეს *კაცს სახლი ააშენა." in page
    assert "UD_Georgian-Sample, s1" in page


def test_the_page_gives_accuracies_with_intervals(made):
    page = text_of(made)
    assert "Ergative subject <aorist> erg-subj 3 items 33% 33% 1–91 100% 16–100 n = 2" in page
    assert "Suites above chance 0 of 1 0 of 1" in page


def test_the_page_tells_which_wrong_condition_was_preferred(made):
    assert "Nom 2" in text_of(made)


def test_the_page_says_where_models_scored_different_items(made):
    assert "bert-ka, kat, word level: 2 of 3 items" in text_of(made)


def test_the_page_tells_the_yield_and_the_licences(made):
    page = text_of(made)
    assert "7 3 43% 4" in page
    assert "UD_Georgian-Sample 2.18 CC-BY-SA-4.0" in page
    assert "pattern { V -[nsubj]-> SUBJ; SUBJ [Case<>Nom] }" in page


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> str:
    """The page of one model that scored an item, one that scored none, and one that failed, without the suites."""
    folder = tmp_path_factory.mktemp("alone")
    write_scores, failed = scores_writer(folder), folder / "kat" / "failed.parquet"
    write_json({"model": "org/broken", "message": "there is no room for it"}, failure_file(failed))
    paths = [write_scores({"a": RIGHT}), write_scores({}, name="none.parquet", model="org/too-large"), failed]
    return text_of(results(paths, folder / "results"))


def test_ties_are_shown(tmp_path, write_scores):
    folder = results([write_scores({"a": {"Erg": -1.0, "Nom": -1.0, "Dat": -3.0}})], tmp_path / "results")
    page = text_of(folder)
    assert "50% 0–100 100% tied" in page
    assert "erg-subj none 1" in page


def test_without_suites_the_scores_provide_the_example(alone):
    assert "Nom *კაცი სახლი ააშენა." in alone
    assert "The suites themselves were not given" in alone


def test_a_suite_without_items_is_shown_as_such(tmp_path, write_scores, write_suite):
    suite = write_suite([], ["no form"] * 3)
    page = text_of(results([write_scores({})], tmp_path / "results", suites=[suite]))
    assert "No items: erg-subj (3 matches)." in page
    assert "No item was scored" in page


def test_a_model_without_scores_is_named(alone):
    assert "org/too-large (kat) gave no scores" in alone


def test_a_model_that_failed_is_named_with_its_reason(alone):
    assert "org/broken (kat) could not be used: there is no room for it" in alone


def test_a_derived_treebank_stands_beside_its_original(tmp_path, write_scores):
    paths = [
        write_scores({f"{name}{number}": scores for number in range(8)}, name=name, treebank=name)
        for name, scores in {"UD_Georgian-GLC": RIGHT, "UD_Georgian-GLC+colorless": NOMINATIVE}.items()
    ]
    folder = results(paths, tmp_path / "results")
    page = text_of(folder)
    assert "UD_Georgian-GLC 8 items 100% 63–100 UD_Georgian-GLC+colorless 8 items 0% 0–37" in page
    table = pd.read_csv(folder / "treebanks.csv")
    assert table[["treebank", "items", "correct"]].to_numpy().tolist() == [
        ["UD_Georgian-GLC", 8, 8],
        ["UD_Georgian-GLC+colorless", 8, 0],
    ]


def test_two_models_are_compared_on_the_page(made):
    assert "ngram bert-ka 2 0 1 -50.0 1.00" in text_of(made)


def test_items_that_no_model_scored_are_missed(tmp_path, write_scores, write_suite):
    suite = write_suite(["დღეს", "გუშინ"])
    page = text_of(results([write_scores({"i1": RIGHT})], tmp_path / "results", suites=[suite]))
    assert "ngram, kat, word level: 1 of 2 items" in page


def test_nothing_at_all_gives_a_page_that_says_so(tmp_path):
    folder = results([], tmp_path / "results")
    assert "No item was scored, so there is nothing to compare." in text_of(folder)
    assert "No item was scored." in (folder / "accuracy.svg").read_text(encoding="utf-8")
    assert (folder / "accuracy.csv").read_text().startswith("dataset,construction,model,level,items,correct,accuracy,")


def test_owners_are_left_out_of_names_that_stay_distinct():
    assert short_names(["google/bert", "unigram"]) == ["bert", "unigram"]
    assert short_names(["google/bert", "HPLT/bert"]) == ["google/bert", "HPLT/bert"]


def test_levels_that_say_the_same_are_shown_once(tmp_path, write_scores):
    sentence = {name: [-1.0, score, -1.0] for name, score in RIGHT.items()}
    word = {name: [None, score, None] for name, score in RIGHT.items()}
    other = {name: [None, score, None] for name, score in NOMINATIVE.items()}

    def shown(scores) -> str:
        paths = [
            write_scores({"a": sentence}, name="s.parquet", level="sentence"),
            write_scores({"a": scores}, name="w.parquet", level="word"),
        ]
        folder = results(paths, tmp_path / "results")
        assert len(pd.read_csv(folder / "accuracy.csv")) == 2
        return text_of(folder)

    assert "kat sentence and word level" in shown(word)
    page = shown(other)
    assert "kat sentence word erg-subj 1 item 33% sentence 100% 3–100 word 0% 0–98" in page


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;"


class Tags(HTMLParser):
    """The tags of a page with their attributes, as a browser sees them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(sorted(name for name, _ in attrs))))


def tags_of(folder: Path) -> list[tuple[str, tuple[str, ...]]]:
    parser = Tags()
    parser.feed((folder / "report.html").read_text(encoding="utf-8"))
    return parser.found


def test_texts_of_others_are_no_tags(tmp_path, write_scores, write_suite):
    """Titles, sentences, reasons, models and failures that hold tags give a page with the tags of any other."""

    def make(folder: str, text: str) -> Path:
        suite = write_suite([text], [text], title=text)
        scores = write_scores({"i1": {"Erg": -1.0, f"Nom {text}": -2.0}}, model=text, treebank=text, phenomenon=text)
        write_json({"model": text, "message": text}, failure_file(tmp_path / "failed.parquet"))
        return results([scores, tmp_path / "failed.parquet"], tmp_path / folder, suites=[suite.parent])

    hostile, plain = tags_of(make("hostile", HOSTILE)), tags_of(make("plain", "words as long as it " * 5))
    kinds = [{tag for tag, _ in tags if tag != "wbr"} for tags in (hostile, plain)]
    assert kinds[0] == kinds[1]
    assert [tag for tag, _ in hostile].count("script") == [tag for tag, _ in plain].count("script")
    assert {attributes for _, attributes in hostile} == {attributes for _, attributes in plain}


def test_suites_of_one_title_are_told_apart_by_their_names(tmp_path, write_scores, write_suite):
    suites = [write_suite(["დღეს"], name=name, title="Ergative subject") for name in ("erg-subj", "erg-subj-late")]
    paths = [write_scores({"i1": RIGHT}, name=f"{suite.name}.parquet", construction=suite.name) for suite in suites]
    folder = results(paths, tmp_path / "results", suites=[suites[0].parent])
    page = text_of(folder)
    assert "Ergative subject (erg-subj) 1 item" in page
    assert "Ergative subject (erg-subj-late) 1 item" in page
    assert "Ergative subject (erg-subj-late)" in (folder / "accuracy.svg").read_text(encoding="utf-8")
