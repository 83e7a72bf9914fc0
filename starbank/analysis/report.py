"""Tables and suites -> one self-contained page for linguists."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from langcodes import LanguageTagError, standardize_tag
from markupsafe import Markup

from starbank.analysis import harder, plot
from starbank.analysis.yields import NO_ATTESTED_FORM, SuiteSummary

HERE = Path(__file__).parent
SUITE = ["dataset", "construction"]
PANEL = ["dataset", "level"]
# Conditions keep their colour through the page; neither blue nor orange, which mean above and below chance.
CONDITION_COLOURS = ("#7a5bb0", "#2f9483", "#c9991a", "#c24a78", "#5f7790", "#7d8c2c", "#a56a43", "#4aa3c7")


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
    def lang(self) -> str:
        """The language as HTML wants it (`ka` for `kat`), so that browsers choose fonts that have its letters."""
        try:
            return standardize_tag(self.language)
        except LanguageTagError:
            return "und"


def show_suites(summaries: Sequence[SuiteSummary], told: Sequence[Mapping[str, Any]]) -> list[Shown]:
    """Join the suites on the disk with those that only the scores tell of, by dataset and name."""
    shown = {(one["dataset"], one["construction"]): _from_scores(one) for one in told}
    shown |= {(one.dataset, one.name): _from_summary(one) for one in summaries}
    return [shown[key] for key in sorted(shown)]


def label_rows(accuracy: pd.DataFrame, coverage: pd.DataFrame, suites: Sequence[Shown]) -> pd.DataFrame:
    """Return a row per suite, level and model of that level, with what the page and the plot print.

    To the columns of accuracy.parquet (null where the model scored nothing) it adds `kind`, `wanted` (items that the
    suite has), `incomplete`, `suite` (title), `label` (short name of the model), `order` (of the models), `verdict`.
    """
    rows = coverage.drop(columns="items").merge(accuracy, how="left", on=[*SUITE, "model", "level"])
    titles = {(suite.dataset, suite.name): suite.title for suite in suites}
    known = {(suite.dataset, suite.name): suite.summary.items for suite in suites if suite.summary}
    keys = list(zip(rows["dataset"], rows["construction"], strict=True))
    rows["suite"] = [titles[key] for key in keys]
    rows["wanted"] = [max(wanted, known.get(key, 0)) for wanted, key in zip(rows["wanted"], keys, strict=True)]
    models = list(dict.fromkeys(rows.sort_values("kind", kind="stable")["model"]))
    labels = dict(zip(models, short_names(models), strict=True))
    rows["order"] = rows["model"].map({model: place for place, model in enumerate(models)})
    rows["label"] = rows["model"].map(labels)
    rows["verdict"] = plot.UNDECIDED
    rows.loc[rows["low"] > rows["chance"], "verdict"] = plot.ABOVE
    rows.loc[rows["high"] < rows["chance"], "verdict"] = plot.BELOW
    return rows


def short_names(models: Sequence[str]) -> list[str]:
    """Return the models' names without their owners, where that leaves them distinct.

    >>> short_names(["FacebookAI/xlm-roberta-base", "unigram"])
    ['xlm-roberta-base', 'unigram']
    """
    short = [model.rsplit("/", 1)[-1] for model in models]
    return short if len(set(short)) == len(short) else list(models)


def render(
    rows: pd.DataFrame,
    products: Mapping[str, pd.DataFrame],
    suites: Sequence[Shown],
    unscored: Sequence[str],
    browser: str,
) -> str:
    """Return the page as HTML: `rows` from `label_rows`, `products` the tables by name.

    `unscored` names the models, with their datasets, that gave no score, and says why; `browser` is the content of the
    item browser.
    """
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
    preferred = products["preferred"]
    conditions = sorted(preferred["condition"].unique())
    colours = {name: CONDITION_COLOURS[place % len(CONDITION_COLOURS)] for place, name in enumerate(conditions)}
    labels = dict(rows[["model", "label"]].itertuples(index=False))
    return environment.get_template("report.html.jinja").render(
        style=Markup((HERE / "report.css").read_text(encoding="utf-8")),
        script=Markup((HERE / "browser.js").read_text(encoding="utf-8")),
        suites=suites,
        datasets={name: [suite for suite in suites if suite.dataset == name] for name in _datasets(suites)},
        models=rows.drop_duplicates("model").sort_values("order"),
        labels=labels,
        panels=[_panel(panel, preferred) for _, panel in rows.groupby(PANEL)],
        colours=colours,
        wrong=sorted(preferred.loc[preferred["wrong"] > 0, "condition"].unique()),
        by_treebank=_by_treebank(products["treebanks"]),
        compared=_compared(products["compared"]),
        model_colours=harder.MODEL_COLOURS,
        harder=[(key, Markup(svg)) for key, svg in harder.figures(products["by"], labels)],
        regressions=dict(iter(products["regression"].query("effect == 'covariate'").groupby(PANEL))),
        predicted=dict(iter(products["predictions"].groupby(["dataset", "construction", "level"], sort=False))),
        treebanks=_treebanks(suites),
        short=_short_of_items(rows),
        incomplete=int(rows["incomplete"].sum()),
        unscored=unscored,
        browser=Markup(browser),
        NO_ATTESTED_FORM=NO_ATTESTED_FORM,
        plot=plot,
    )


def percent(share: float) -> str:
    """Return a share as a whole percentage that never rounds to all or nothing.

    >>> [percent(share) for share in (0, 0.002, 0.5, 0.998, 1)]
    ['0%', '1%', '50%', '99%', '100%']
    """
    return f"{round(100 * share) if share in (0, 1) else min(max(round(100 * share), 1), 99)}%"


def sure(p_value: float) -> str:
    """Return a p-value as it is printed.

    >>> [sure(p_value) for p_value in (0.0004, 0.0123, 0.8, float("nan"))]
    ['< 0.001', '0.012', '0.80', '–']
    """
    if pd.isna(p_value):
        return "–"
    return "< 0.001" if p_value < 0.001 else f"{p_value:.{3 if p_value < 0.1 else 2}f}"


def breakable(name: str) -> Markup:
    """Return a name that a browser may break after `/`, `-` and `_`."""
    return Markup("<wbr>").join(re.findall(r".+?[/_-]+(?=.)|.+", name))


def _from_scores(told: Mapping[str, Any]) -> Shown:
    return Shown(
        dataset=told["dataset"],
        name=told["construction"],
        title=told["construction"],
        phenomenon=told["phenomenon"] or "",
        language=told["language"] or "",
        request="",
        source=told["treebank"] or "",
        example=_example(told["conditions"]),
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


def _panel(rows: pd.DataFrame, preferred: pd.DataFrame) -> dict[str, Any]:
    """Return what the page shows of one dataset and level: a matrix of suites and models, means, errors, the plot."""
    dataset, level = rows[PANEL].iloc[0]
    scored = rows.dropna(subset="accuracy")
    means = scored.groupby("model")["accuracy"].agg(["mean", "size"])
    complete = means[means["size"] == rows["construction"].nunique()]
    own = preferred[(preferred["dataset"] == dataset) & (preferred["level"] == level) & (preferred["wrong"] > 0)]
    return {
        "dataset": dataset,
        "level": level,
        "models": rows.drop_duplicates("model").sort_values("order"),
        "suites": {
            name: suite.set_index("model").to_dict("index") for name, suite in rows.groupby("construction", sort=False)
        },
        "means": complete["mean"].to_dict(),
        "verdicts": scored["verdict"].value_counts().to_dict(),
        "chance": sorted({percent(chance) for chance in scored["chance"]}),
        "errors": {
            key: errors.sort_values(["wrong", "condition"], ascending=[False, True]).to_dict("records")
            for key, errors in own.groupby(["construction", "model"])
        },
        "svg": Markup(plot.panel_svg(rows)),
    }


def _by_treebank(table: pd.DataFrame) -> dict[tuple[str, str], dict[str | None, dict[str, dict[str, Any]]]]:
    """Return accuracies by dataset and level, suite (None: all together), treebank and model.

    Only where items of a dataset are from several treebanks.
    """
    several = table.groupby(PANEL)["treebank"].transform("nunique") > 1
    suites = table.assign(construction=table["construction"].where(table["construction"].notna(), None))
    return {
        key: {
            None if pd.isna(name) else name: {
                treebank: own.set_index("model").to_dict("index") for treebank, own in suite.groupby("treebank")
            }
            for name, suite in panel.groupby("construction", dropna=False)
        }
        for key, panel in suites[several].groupby(PANEL)
    }


def _compared(compared: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Return, by dataset and level, how pairs of models compare on all suites, or on the only one."""
    alone = compared.groupby(PANEL)["construction"].transform(lambda names: names.isna().sum() == 0)
    return dict(iter(compared[compared["construction"].isna() | alone].groupby(PANEL)))


def _datasets(suites: Sequence[Shown]) -> list[str]:
    return list(dict.fromkeys(suite.dataset for suite in suites))


def _treebanks(suites: Sequence[Shown]) -> list[dict[str, Any]]:
    """Return each treebank once per release, with its licence and the datasets that stand on it."""
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for suite in suites:
        for treebank in suite.summary.treebanks if suite.summary else ():
            name, release, licence = (str(treebank.get(field) or "") for field in ("name", "release", "license"))
            found.setdefault((name, release, licence), {})[suite.dataset] = None
    return [
        {"name": name, "release": release, "license": licence, "datasets": list(found[name, release, licence])}
        for name, release, licence in sorted(found)
    ]


def _short_of_items(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Return, by dataset, level and model, how many of the items were scored, where not all were."""
    counts = rows.assign(items=rows["items"].fillna(0).astype(int)).groupby([*PANEL, "order", "label"], as_index=False)
    sums = counts[["items", "wanted"]].sum()
    return sums[sums["items"] < sums["wanted"]].to_dict("records")
