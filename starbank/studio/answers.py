"""How the page asks and is answered: fields as JSON, pieces of HTML back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from starbank.errors import StarbankError, UsageError
from starbank.studio.comparison import Comparisons
from starbank.studio.jobs import Stopped
from starbank.studio.limits import Limits
from starbank.studio.scorers import Scorers
from starbank.studio.shelf import Shelf
from starbank.studio.trials import Trials

Endpoint = Callable[[Request], Awaitable[Response]]

# Between the pieces of an answer that comes piece by piece (`static/page.js`).
SEPARATOR = "\x1e"


@dataclass(frozen=True)
class Fields:
    """What the form of a page holds, and the button that was pressed."""

    values: dict[str, Any]

    def text(self, name: str) -> str:
        """Return a field, empty where there is none; raises `UsageError` for what is no text."""
        value = self.values.get(name, "")
        if not isinstance(value, str) or "\0" in value:
            raise UsageError(f"the field {name} is no text")
        return value.replace("\r\n", "\n")

    def number(self, name: str, default: int = 0) -> int:
        """Return a field that is a whole number from 0 up; raises `UsageError` for what is none."""
        value = self.values.get(name, default)
        if not str(value or default).isdecimal() or len(str(value)) > 15:
            raise UsageError(f"the field {name} is no number")
        return int(value or default)

    def pairs(self, name: str) -> list[tuple[str, str | None]]:
        """Return a field that has keys with values; raises `UsageError` for what is none."""
        pairs = self.values.get(name)
        if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
            raise UsageError(f"the field {name} has no keys and values")
        return [(key, value) for key, value in pairs]

    def nodes(self, name: str) -> dict[str, int]:
        """Return a field that has numbers of nodes by their names; raises `UsageError` for what is none."""
        value = self.values.get(name) or {}
        if not isinstance(value, dict) or not all(isinstance(node, int) for node in value.values()):
            raise UsageError(f"the field {name} is no match")
        return value


def _is_pair(pair: object) -> bool:
    match pair:
        case [str(), str() | None]:
            return True
    return False


@dataclass(frozen=True)
class Elsewhere:
    """Treebanks that are not at hand: `names` lists them, `fetch` downloads one into the project."""

    names: Callable[[], Sequence[str]]
    fetch: Callable[[str], object]


@dataclass(frozen=True)
class Studio:
    """What all answers are made from: the project, the treebanks at hand, others, what is kept.

    Where there are `limits` the page is open to all, and nothing can be written.
    """

    project: Path
    shelf: Shelf
    elsewhere: Elsewhere | None = None
    limits: Limits | None = None
    comparisons: Comparisons = field(default_factory=Comparisons)
    scorers: Scorers = field(default_factory=Scorers)

    @cached_property
    def trials(self) -> Trials:
        """The constructions that are tried out."""
        return Trials(self.limits.tried) if self.limits else Trials()

    @cached_property
    def templates(self) -> Environment:
        """The templates, which escape all that they are given."""
        environment = Environment(
            loader=PackageLoader("starbank.studio", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= {
            "number": "{:,}".format,
            "svg": Markup,
            "zip": lambda a, b: list(zip(a, b, strict=True)),
        }
        environment.globals["limits"] = self.limits
        return environment

    def render(self, template: str, **values: Any) -> str:
        """Return what a template makes of values."""
        return self.templates.get_template(f"{template}.html.jinja").render(**values)


def studio_of(request: Request) -> Studio:
    """Return what answers are made from."""
    studio: Studio = request.app.state.studio
    return studio


def posts(view: str, **endpoints: Endpoint) -> list[Route]:
    """Return the routes of what a view asks, by their names."""
    return [Route(f"/{view}/{name}", endpoint, methods=["POST"]) for name, endpoint in endpoints.items()]


async def fields_of(request: Request) -> Fields:
    """Read what the page has sent; raises `UsageError` where that is no JSON object."""
    try:
        values = await request.json()
    except (ValueError, RecursionError) as error:
        raise UsageError("this is no JSON") from error
    if not isinstance(values, dict):
        raise UsageError("this is no JSON object")
    return Fields(values)


async def tell_error(request: Request, error: Exception) -> Response:
    """Return what went wrong as a piece of the page."""
    if isinstance(error, Stopped):
        return Response(status_code=499)
    # What is not known is raised again by Starlette, and so told in the terminal.
    known = isinstance(error, StarbankError)
    page = studio_of(request).render("messages", error=error, known=known, warnings=[])
    return HTMLResponse(page, 422 if known else 500)
