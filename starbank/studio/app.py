"""The page as a web application on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from starbank.errors import StarbankError
from starbank.studio import compare, judge, search, star
from starbank.studio.answers import Studio, tell_error
from starbank.studio.jobs import Stopped
from starbank.studio.safety import safeguards
from starbank.studio.shelf import Shelf

_STATIC = Path(__file__).parent / "static"


async def _begin(request: Request) -> Response:
    return RedirectResponse("/search")


def create_app(project: Path, token: str, ingested: Path, fetch: Callable[[str], object]) -> Starlette:
    """Return the application for whoever has `token`; it writes into the folder `project` only.

    `ingested` is the folder of ingested treebanks; `fetch` downloads a treebank by its UD name.
    """
    app = Starlette(
        routes=[
            Route("/", _begin),
            *search.ROUTES,
            *star.ROUTES,
            *judge.ROUTES,
            *compare.ROUTES,
            Mount("/static", StaticFiles(directory=_STATIC)),
        ],
        middleware=safeguards(token),
        exception_handlers=dict.fromkeys((StarbankError, Stopped, Exception), tell_error),
    )
    app.state.studio = Studio(project.resolve(), Shelf(ingested), fetch)
    return app
