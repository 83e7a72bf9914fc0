"""Search: matches page by page, trees, counts, completions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pyarrow as pa
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from starbank.errors import StarbankError, UsageError
from starbank.grew import Engine, Request, parse_request
from starbank.grew.clusters import rows_of
from starbank.grew.counts import cross_table
from starbank.grew.keys import split_keys
from starbank.grew.results import match_schema
from starbank.progress import Listener, told_to
from starbank.queries.templates import SUFFIX as TEMPLATE
from starbank.studio.answers import SEPARATOR, Elsewhere, Studio, fields_of, posts, studio_of
from starbank.studio.jobs import Job, do, steps_of, stream
from starbank.studio.narrowing import can_narrow, narrow
from starbank.studio.sentences import draw_match, show_matches, show_sentence
from starbank.studio.shelf import OpenTreebank
from starbank.studio.snippets import SNIPPETS
from starbank.studio.vocabulary import Completions, complete
from starbank.treebanks.places import is_ud_name

PAGE = 20
# The first request of an engine loads the columns that it asks for, the second all others.
WARMING = [parse_request(f"pattern {{ X [{name}] }}") for name in ("upos", "lemma")]
# So many trees are in a file.
TREES = 100
# A table with more rows than people read is cut.
ROWS = 200


def matches_on(engine: Engine, request: Request, first: int, size: int) -> pa.Table:
    """Return the matches from number `first` (from 0) on, at most `size`; those before are passed over."""
    pieces, passed = [], 0
    for batch in engine.batches(request, first + size):
        if passed + batch.num_rows > first:
            pieces.append(batch.slice(max(0, first - passed)))
        passed += batch.num_rows
    return pa.Table.from_batches(pieces, match_schema(request))


async def show_page(asked: Asked) -> Response:
    """The page itself, empty: what its form says is asked for by the browser."""
    studio = studio_of(asked)
    page = studio.render("search", view="search", entries=studio.shelf.entries(), snippets=SNIPPETS, trees=TREES)
    return HTMLResponse(page)


async def show_found(asked: Asked) -> Response:
    """The matches of a request, a page of them."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        opened, first = studio.shelf.open(fields.text("treebank")), fields.number("page") * PAGE
        if not fields.text("request").strip():
            with opened.turn(job) as engine:
                for request in WARMING:
                    engine.count(request)
            return studio.render("begin", opened=opened, snippets=SNIPPETS)
        request = parse_request(fields.text("request"), language=opened.source.language)
        with opened.turn(job) as engine:
            matches = matches_on(engine, request, first, PAGE + 1)
            warnings = engine.warnings(request)
        more = matches.num_rows > PAGE
        sentences = list(show_matches(matches.slice(0, PAGE), opened.treebank))
        return studio.render(
            "matches", opened=opened, request=request, sentences=sentences, warnings=warnings, error=None, known=True,
            first=first, page=fields.number("page"), more=more, keys=suggested_keys(request, opened),
        )  # fmt: skip

    return HTMLResponse(await do(asked, work))


def suggested_keys(request: Request, opened: OpenTreebank) -> list[str]:
    """Return keys that one may want to count by."""
    features = ["upos", "lemma", "form", *(name for name in opened.vocabulary.features if name[:1].isupper())]
    orders = ["#".join(request.nodes)] if len(request.nodes) > 1 else []
    labels = [f"{edge}.label" for edge in request.edges]
    return orders + labels + [f"{node}.{feature}" for node in request.nodes for feature in features]


async def show_count(asked: Asked) -> Response:
    """How many matches there are, told again and again while they are counted."""
    studio, fields = studio_of(asked), await fields_of(asked)
    opened = studio.shelf.open(fields.text("treebank"))
    request = parse_request(fields.text("request"), language=opened.source.language)

    def work(job: Job) -> Iterator[str]:
        with opened.turn(job) as engine:
            totals = engine.counting(request)
        total = 0
        while True:
            with opened.turn(job):
                following = next(totals, None)
            yield studio.render("count", total=total if following is None else following, whole=following is None)
            if following is None:
                return
            total = following

    return in_pieces(work)


async def show_table(asked: Asked) -> Response:
    """Matches counted by keys."""
    studio, fields = studio_of(asked), await fields_of(asked)
    opened = studio.shelf.open(fields.text("treebank"))
    request = parse_request(fields.text("request"), language=opened.source.language)
    keys = [key for key in split_keys(fields.text("by")) if key]

    def work(job: Job) -> str:
        if not keys:
            return studio.render("table", keys=[], rows=[], cross=None, total=0, cut=0, narrows={})
        with opened.turn(job) as engine:
            counts = engine.cluster(request, keys, opened.name)
        rows = list(rows_of(counts))
        values = {(key, value) for row, _ in rows[:ROWS] for key, value in zip(keys, row, strict=True)}
        return studio.render(
            "table", keys=keys, rows=rows[:ROWS], cross=cross_table(counts), cut=max(0, len(rows) - ROWS),
            total=sum(count for _, count in rows),
            narrows={pair for pair in values if can_narrow(request, *pair)},
        )  # fmt: skip

    return HTMLResponse(await do(asked, work))


async def narrow_request(asked: Asked) -> Response:
    """The request of those matches that have values of keys."""
    studio, fields = studio_of(asked), await fields_of(asked)
    text = fields.text("request")
    for key, value in fields.pairs("pairs"):
        text = narrow(text, parse_request(text), key, value)
    return HTMLResponse(studio.render("set", fields={"request": text, "page": "0"}))


async def show_tree(asked: Asked) -> Response:
    """The tree of a match."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        opened, sent, bound = studio.shelf.open(fields.text("treebank")), fields.number("sent"), fields.nodes("bound")
        enhanced = fields.text("enhanced") == "on"
        request = parse_request(fields.text("request"), language=opened.source.language)
        with opened.turn(job):
            pass  # It is read.
        svg = draw_match(request, sent, opened.treebank, bound, enhanced)
        shown = show_sentence(sent, opened.treebank, bound)
        return studio.render("tree", svg=svg, place=fields.number("place"), sentence=shown)

    return HTMLResponse(await do(asked, work))


async def name_others(asked: Asked) -> Response:
    """The names of treebanks that can be fetched."""
    studio = studio_of(asked)

    def work(job: Job) -> str:
        here = {entry.name for entry in studio.shelf.entries()}
        return studio.render("others", names=[name for name in others_of(studio).names() if name not in here])

    return HTMLResponse(await do(asked, work))


async def fetch_treebank(asked: Asked) -> Response:
    """A treebank that is not at hand is downloaded; how far that has come is told meanwhile."""
    studio, fields = studio_of(asked), await fields_of(asked)
    name = fields.text("wanted").strip()
    if not is_ud_name(name):
        raise UsageError(f"{name!r} is no name of a treebank", hint="Such a name is UD_Irish-IDT.")
    others = others_of(studio)

    def fetch(listener: Listener) -> None:
        with told_to(listener):
            others.fetch(name)

    def work(job: Job) -> Iterator[str]:
        yield studio.render("fetching", name=name, come=0, total=None)
        try:
            for come, total in steps_of(fetch, job):
                yield studio.render("come", name=name, come=come, total=total)
        except StarbankError as error:
            yield studio.render("not_fetched", error=error, known=True, warnings=[])
        else:
            yield studio.render("fetched", name=name)

    return in_pieces(work)


def others_of(studio: Studio) -> Elsewhere:
    """Return what fetches treebanks; a page that is open to all has no route that asks for it."""
    assert studio.elsewhere is not None
    return studio.elsewhere


def in_pieces(work: Callable[[Job], Iterator[str]]) -> Response:
    """Return an answer of which each piece takes the place of the one before."""

    async def pieces() -> AsyncIterator[str]:
        async for piece in stream(work):
            yield piece + SEPARATOR

    return StreamingResponse(pieces(), media_type="text/html")


async def offer_completions(asked: Asked) -> Response:
    """What may stand at the cursor."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> dict[str, Any]:
        opened = studio.shelf.open(fields.text("treebank"))
        if fields.text("suffix") == TEMPLATE:
            return Completions(fields.number("cursor"), ()).as_json()
        return complete(fields.text("text"), fields.number("cursor"), opened.vocabulary).as_json()

    return JSONResponse(await do(asked, work))


ROUTES = [
    Route("/search", show_page),
    *posts(
        "search", matches=show_found, count=show_count, table=show_table, narrow=narrow_request, tree=show_tree,
        complete=offer_completions,
    ),
]  # fmt: skip
WRITING = posts("search", fetch=fetch_treebank, others=name_others)
