"""Compare: results of models as the report has them, live; and a pair of sentences that somebody types."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from starbank.analysis.scores import MEASURES
from starbank.errors import UsageError
from starbank.models import BASELINES
from starbank.studio.answers import Fields, Studio, fields_of, posts, studio_of
from starbank.studio.comparison import Comparison
from starbank.studio.jobs import Job, do
from starbank.studio.scorers import models_of

PAGE = 10


async def show_page(asked: Asked) -> Response:
    """The page itself."""
    studio = studio_of(asked)

    def work(job: Job) -> str:
        return studio.render(
            "compare",
            view="compare",
            comparison=studio.comparisons.get(studio.project, next(iter(MEASURES))),
            measures=list(MEASURES),
            entries=studio.shelf.entries(),
            baselines=BASELINES,
            models=list(_models(studio)),
        )

    return HTMLResponse(await do(asked, work))


def _comparison(studio: Studio, fields: Fields) -> Comparison | None:
    """Return the comparison by the measure that is chosen, the first where none is."""
    measure = fields.text("measure")
    return studio.comparisons.get(studio.project, measure if measure in MEASURES else next(iter(MEASURES)))


def _choice(fields: Fields, comparison: Comparison) -> tuple[str, list[str]]:
    """Return the level and the models that are chosen, all where none is."""
    chosen = fields.text("models").split("\n")
    models = [model for model in comparison.models if model in chosen] or comparison.models
    level = fields.text("level")
    return (level if level in comparison.levels else comparison.levels[0]), models


async def show_table(asked: Asked) -> Response:
    """One table of all suites and models, and, where a covariate is chosen, one by its values."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        comparison = _comparison(studio, fields)
        if comparison is None:
            return studio.render("no_scores")
        level, models = _choice(fields, comparison)
        rows = [row for row in comparison.accuracy if row["level"] == level and row["model"] in models]
        cells: dict[tuple[str, str], dict[str, Any]] = {}
        for row in rows:
            cells.setdefault((row["dataset"], row["construction"]), {})[row["model"]] = row
        covariate = fields.text("covariate")
        by = [
            row
            for row in comparison.by_covariate
            if row["covariate"] == covariate and row["level"] == level and row["model"] in models
        ]
        return studio.render(
            "comparison", comparison=comparison, level=level, models=models, cells=cells,
            covariate=covariate, covariates=sorted({row["covariate"] for row in comparison.by_covariate}), by=by,
        )  # fmt: skip

    return HTMLResponse(await do(asked, work))


async def show_items(asked: Asked) -> Response:
    """The items of a suite on which models differ, with what each makes of them."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        comparison = _comparison(studio, fields)
        if comparison is None:
            return studio.render("no_scores")
        level, models = _choice(fields, comparison)
        dataset, _, name = fields.text("suite").partition("/")
        if (dataset, name) not in comparison.titles:
            raise UsageError(f"there are no scores of {fields.text('suite')!r}")
        page, every = fields.number("p"), fields.text("every") == "on"
        items = comparison.disputed((dataset, name), level, models, every)
        shown = [
            (item, comparison.readings((dataset, name), level, models, item["item_id"]))
            for item in items[page * PAGE : (page + 1) * PAGE]
        ]
        return studio.render(
            "disputed", title=comparison.titles[dataset, name], suite=fields.text("suite"), shown=shown, page=page,
            size=PAGE, total=len(items), models=models, every=every,
        )  # fmt: skip

    return HTMLResponse(await do(asked, work))


async def score_pair(asked: Asked) -> Response:
    """What a model, or a baseline that has read a treebank, makes of two sentences."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        opened, name = studio.shelf.open(fields.text("treebank")), fields.text("scorer")
        sentences = [fields.text(field).strip() for field in ("good", "bad")]
        readings = studio.scorers.read(name, sentences, opened, _models(studio), job)
        return studio.render("pair", readings=readings, opened=opened, scorer=name, baseline=name in BASELINES)

    return HTMLResponse(await do(asked, work))


def _models(studio: Studio) -> dict[str, tuple[str, str | None]]:
    """Return the models that may score what is typed; none where the page is open to all, for the memory they need."""
    return {} if studio.limits else models_of(studio.project)


ROUTES = [
    Route("/compare", show_page),
    *posts(
        "compare", table=show_table, items=show_items, pair=score_pair,
    ),
]  # fmt: skip
