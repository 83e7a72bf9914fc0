"""The page as a web application on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from starbank.errors import StarbankError
from starbank.studio import compare, exports, judge, saving, search, star
from starbank.studio.answers import Elsewhere, Studio, tell_error
from starbank.studio.jobs import Stopped
from starbank.studio.limits import Limits
from starbank.studio.safety import open_to_all, safeguards
from starbank.studio.shelf import Shelf

_STATIC = Path(__file__).parent / "static"


async def _begin(request: Request) -> Response:
    return RedirectResponse("/search")


def create_app(project: Path, token: str, ingested: Path, elsewhere: Elsewhere) -> Starlette:
    """Return the application for whoever has `token`; it writes into the folder `project` only.

    `ingested` is the folder of ingested treebanks; from `elsewhere` others are fetched.
    """
    studio = Studio(project.resolve(), Shelf(ingested), elsewhere)
    routes = [*search.ROUTES, *exports.ROUTES, *star.ROUTES, *saving.ROUTES, *judge.ROUTES, *compare.ROUTES]
    writing = [*search.WRITING, *saving.WRITING, *judge.WRITING]
    return _app(studio, [*routes, *writing], safeguards(token))


def create_public_app(project: Path, ingested: Path, limits: Limits) -> Starlette:
    """Return the application for everybody, which writes nothing: no files, no downloads, no judgements."""
    studio = Studio(project.resolve(), Shelf(ingested, limits.memory), limits=limits)
    # What speakers say is theirs, and who they are.
    return _app(
        studio, [*search.ROUTES, *exports.ROUTES, *star.ROUTES, *saving.ROUTES, *compare.ROUTES], open_to_all(limits)
    )


def _app(studio: Studio, routes: Sequence[BaseRoute], middleware: Sequence[Middleware]) -> Starlette:
    app = Starlette(
        routes=[Route("/", _begin), *routes, Mount("/static", StaticFiles(directory=_STATIC))],
        middleware=middleware,
        exception_handlers=dict.fromkeys((StarbankError, Stopped, Exception), tell_error),
    )
    app.state.studio = studio
    return app
