"""Tables and suites -> one self-contained page for linguists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from langcodes import standardize_tag
from langcodes.tag_parser import LanguageTagError
from markupsafe import Markup

from starbank.analysis import panels, plot
from starbank.analysis.drawn import Figure
from starbank.analysis.figures import COLOURS, PANEL
from starbank.analysis.plot import Chart
from starbank.analysis.sizes import family_of
from starbank.analysis.text import breakable, percent, sure
from starbank.analysis.yields import NO_ATTESTED_FORM, SuiteSummary

HERE = Path(__file__).parent
SUITE = ["dataset", "construction"]


@dataclass(frozen=True)
class Piece:
    """A region of a shown condition. `varies`: it differs among the conditions; `starred`: from the grammatical one."""

    text: str
    varies: bool
    starred: bool


@dataclass(frozen=True)
class Shown:
    """A suite as the page presents it. `example` is a list of (condition, grammatical, pieces).

    `summary` is None where only the scores tell of the suite.
    """

    dataset: str
    name: str
    title: str
    phenomenon: str
    language: str
    request: str
    source: str
    example: list[tuple[str, bool, list[Piece]]]
    summary: SuiteSummary | None

    @property
    def origin(self) -> str:
        """What `request` is: a request of Grew, or what stands in its place."""
        about = self.summary.construction if self.summary else {}
        kinds = {"benchmark": "columns", "imported": "predictions", "template": "template"}
        return next((kind for key, kind in kinds.items() if about.get(key)), "request")

    @property
    def lang(self) -> str:
        """The language as HTML wants it (`ka` for `kat`), so that browsers choose fonts that have its letters."""
        try:
            return standardize_tag(self.language)
        except LanguageTagError:
            return "und"


def show_suites(summaries: Sequence[SuiteSummary], scored: Sequence[Mapping[str, Any]]) -> list[Shown]:
    """Join the suites on the disk with those that only the scores tell of, by dataset and name."""
    shown = {(suite["dataset"], suite["construction"]): _from_scores(suite) for suite in scored}
    shown |= {(summary.dataset, summary.name): _from_summary(summary) for summary in summaries}
    titles = Counter((suite.dataset, suite.title) for suite in shown.values())
    return [_told_apart(shown[key], titles) for key in sorted(shown)]


def label_rows(
    accuracy: pd.DataFrame, coverage: pd.DataFrame, suites: Sequence[Shown], parameters: Mapping[str, int]
) -> pd.DataFrame:
    """Return a row per suite, level and model of that level, with what the page and the plot print.

    To the columns of accuracy.parquet (null where the model scored nothing) it adds `kind`, `wanted` (items that the
    suite has), `incomplete`, `suite` (title), `label` (short name of the model), `order` (of the models), `tied` (share
    of the items), `verdict`. Of each dataset and level, the suites that models are best at come first. Models are by
    kind, family and number of `parameters`, as far as that is known.
    """
    rows = coverage.drop(columns="items").merge(accuracy, how="left", on=[*SUITE, "model", "level"])
    titles = {(suite.dataset, suite.name): suite.title for suite in suites}
    sizes = {(suite.dataset, suite.name): suite.summary.items for suite in suites if suite.summary}
    keys = list(zip(rows["dataset"], rows["construction"], strict=True))
    rows["suite"] = [titles[key] for key in keys]
    rows["wanted"] = [max(items, sizes.get(key, 0)) for items, key in zip(rows["wanted"], keys, strict=True)]
    kinds = dict(rows[["model", "kind"]].itertuples(index=False))
    models = sorted(kinds, key=lambda name: (kinds[name], family_of(name).lower(), parameters.get(name, 0), name))
    labels = dict(zip(models, short_names(models), strict=True))
    rows["order"] = rows["model"].map({model: place for place, model in enumerate(models)})
    rows["label"] = rows["model"].map(labels)
    rows["tied"] = rows["ties"] / rows["items"]
    rows["verdict"] = plot.UNDECIDED
    rows.loc[rows["low"] > rows["chance"], "verdict"] = plot.ABOVE
    rows.loc[rows["high"] < rows["chance"], "verdict"] = plot.BELOW
    rows["ease"] = -rows.groupby(SUITE)["accuracy"].transform("mean")
    return rows.sort_values(["dataset", "level", "ease", "construction", "order"], ignore_index=True)


def short_names(models: Sequence[str]) -> list[str]:
    """Return the models' names without their owners, where that leaves them distinct.

    >>> short_names(["FacebookAI/xlm-roberta-base", "unigram", "runA/last", "runB/last", "EleutherAI/pythia-70m@step1"])
    ['xlm-roberta-base', 'unigram', 'runA/last', 'runB/last', 'pythia-70m@step1']
    """
    short = [re.sub(r"^[^@( ]*/", "", model) for model in models]
    return [name if short.count(name) == 1 else model for name, model in zip(short, models, strict=True)]


def render(
    rows: pd.DataFrame,
    products: Mapping[str, pd.DataFrame],
    suites: Sequence[Shown],
    unscored: Sequence[str],
    browser: str,
    figures: Mapping[str, Figure],
    colours: Chart,
) -> str:
    """Return the page as HTML: `rows` from `label_rows`, `products` the tables by name.

    `unscored` says which models gave no score, or none for some items, and what else is doubtful; `browser` is the
    content of the item browser; `figures` are those of `drawn.draw`, `colours` the scale of
    conditions.
    """
    preferred = products["preferred"]
    labels = dict(rows[["model", "label"]].itertuples(index=False))
    all_panels = [panels.panel(panel, preferred) for _, panel in rows.groupby("dataset")]
    return _template().render(
        style=Markup((HERE / "report.css").read_text(encoding="utf-8")),
        script=Markup((HERE / "browser.js").read_text(encoding="utf-8")),
        suites=suites,
        full=[suite for suite in suites if suite.example],
        datasets={name: list(members) for name, members in groupby(suites, key=lambda suite: suite.dataset)},
        models=rows.drop_duplicates("model").sort_values("order"),
        labels=labels,
        panels=all_panels,
        overall=panels.overall(all_panels),
        colours=dict(zip(colours["domain"], colours["range"], strict=True)),
        wrong=sorted(preferred.loc[preferred["wrong"] > 0, "condition"].unique()),
        by_treebank=panels.by_treebank(products["treebanks"]),
        compared=panels.compared(products["compared"]),
        figures={name: [(key, Markup(svg)) for key, svg in figure] for name, figure in figures.items()},
        model_colours=COLOURS,
        regressions=dict(iter(products["regression"].query("effect == 'covariate'").groupby(PANEL))),
        predicted=dict(iter(products["predictions"].groupby(["dataset", "construction", "level"], sort=False))),
        treebanks=_treebanks(suites),
        short=panels.short_of_items(rows),
        unscored=unscored,
        browser=Markup(browser),
        NO_ATTESTED_FORM=NO_ATTESTED_FORM,
        plot=plot,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "percent": percent,
        "breakable": breakable,
        "number": "{:,}".format,
        "points": "{:+.1f}".format,
        "sure": sure,
    }
    return environment.get_template("report.html.jinja")


def _told_apart(suite: Shown, titles: Counter[tuple[str, str]]) -> Shown:
    """Add its name to a title that another suite of the dataset has, too."""
    again = titles[suite.dataset, suite.title] > 1
    return replace(suite, title=f"{suite.title} ({suite.name})") if again else suite


def _from_scores(suite: Mapping[str, Any]) -> Shown:
    return Shown(
        dataset=suite["dataset"],
        name=suite["construction"],
        title=suite["construction"],
        phenomenon=suite["phenomenon"] or "",
        language=suite["language"] or "",
        request="",
        source=suite["treebank"] or "",
        example=_example(suite["conditions"]),
        summary=None,
    )


def _from_summary(summary: SuiteSummary) -> Shown:
    about, example = summary.construction, summary.example or {"conditions": []}
    return Shown(
        dataset=summary.dataset,
        name=summary.name,
        title=about.get("title") or summary.name,
        phenomenon=about.get("phenomenon") or "",
        language=about.get("language") or "",
        request=(about.get("query") or "").strip(),
        source=", ".join(filter(None, (example.get("treebank"), example.get("sent_id")))),
        example=_example(example["conditions"]),
        summary=summary,
    )


def _example(conditions: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool, list[Piece]]]:
    """Return the lines that show an item, the grammatical conditions first, and stars where it differs from its own.

    Nothing is starred where nobody knows what is grammatical.
    """
    ordered = sorted(conditions, key=lambda condition: not condition["grammatical"])
    regions = {condition["name"]: condition["regions"] for condition in ordered}
    first = ordered[0]["regions"] if ordered else []
    varies = [len(set(texts)) > 1 for texts in zip(*(condition["regions"] for condition in ordered), strict=True)]
    return [
        (
            condition["name"],
            condition["grammatical"],
            [
                Piece(text, vary, condition["grammatical"] is False and text != right)
                for text, right, vary in zip(
                    condition["regions"], regions.get(condition.get("against"), first), varies, strict=True
                )
            ],
        )
        for condition in ordered
    ]


def _treebanks(suites: Sequence[Shown]) -> list[dict[str, Any]]:
    """Return each treebank once per release, with its licence and the datasets that stand on it."""
    datasets: dict[tuple[str, str, str], dict[str, None]] = {}
    for suite in suites:
        for treebank in suite.summary.treebanks if suite.summary else ():
            name, release, licence = (str(treebank.get(field) or "") for field in ("name", "release", "license"))
            datasets.setdefault((name, release, licence), {})[suite.dataset] = None
    return [
        {"name": name, "release": release, "license": licence, "datasets": list(names)}
        for (name, release, licence), names in sorted(datasets.items())
    ]
