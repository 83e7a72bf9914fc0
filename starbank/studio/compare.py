"""Compare: results of models as the report has them, live; and a pair of sentences that somebody types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class Choice:
    """What of a comparison is looked at: a level, models, and suites by dataset and name."""

    level: str
    models: list[str]
    suites: list[tuple[str, str]]

    @classmethod
    def of(cls, fields: Fields, comparison: Comparison) -> Choice:
        """Return what is chosen, all models and suites where none is."""
        level, models, suites = (fields.text(name).split("\n") for name in ("level", "models", "suites"))
        return cls(
            level[0] if level[0] in comparison.levels else comparison.levels[0],
            [model for model in comparison.models if model in models] or comparison.models,
            [suite for suite in comparison.titles if "/".join(suite) in suites] or list(comparison.titles),
        )

    def rows(self, rows: Sequence[dict[str, Any]]) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
        """Yield rows of results that are looked at, each with its suite."""
        for row in rows:
            suite = row["dataset"], row["construction"]
            if row["level"] == self.level and row["model"] in self.models and suite in self.suites:
                yield suite, row


async def show_table(asked: Asked) -> Response:
    """One table of all suites and models, and, where items are grouped, one by group."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        comparison = _comparison(studio, fields)
        if comparison is None:
            return studio.render("no_scores")
        choice, by = Choice.of(fields, comparison), fields.text("covariate")
        cells: dict[tuple[str, str], dict[str, Any]] = {}
        for suite, row in choice.rows(comparison.accuracy):
            cells.setdefault(suite, {})[row["model"]] = row
        groups: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
        for suite, row in choice.rows(comparison.grouped.get(by, [])):
            groups.setdefault(suite, {}).setdefault(row["group"], {})[row["model"]] = row
        predicted: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
        for suite, row in choice.rows(comparison.predictions):
            predicted.setdefault(suite, {}).setdefault(row["formula"], {})[row["model"]] = row
        return studio.render(
            "comparison", comparison=comparison, models=choice.models, cells=cells, measure=fields.text("measure"),
            by=by, groups=groups, predicted=predicted,
        )  # fmt: skip

    return HTMLResponse(await do(asked, work))


async def show_items(asked: Asked) -> Response:
    """The items of a suite on which models differ, with what each makes of them."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        comparison = _comparison(studio, fields)
        if comparison is None:
            return studio.render("no_scores")
        choice = Choice.of(fields, comparison)
        dataset, _, name = fields.text("suite").partition("/")
        if (dataset, name) not in comparison.titles:
            raise UsageError(f"there are no scores of {fields.text('suite')!r}")
        page, every, suite = fields.number("p"), fields.text("every") == "on", (dataset, name)
        items = comparison.disputed(suite, choice.level, choice.models, every)
        shown = [
            (item, comparison.readings(suite, choice.level, choice.models, item["item_id"]))
            for item in items[page * PAGE : (page + 1) * PAGE]
        ]
        alone = replace(choice, suites=[suite])
        return studio.render(
            "disputed", title=comparison.titles[suite], suite=fields.text("suite"), shown=shown, page=page,
            size=PAGE, total=len(items), models=choice.models, every=every,
            errors=[row for _, row in alone.rows(comparison.errors)],
            pairs=[row for _, row in alone.rows(comparison.pairs) if row["other"] in choice.models],
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
