"""Constructions and templates as files of the project: opened, saved, and made into suites."""

from __future__ import annotations

from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, Response

from starbank.pipeline.generate import generate
from starbank.pipeline.plan import dataset_of
from starbank.queries.templates import SUFFIX as TEMPLATE
from starbank.queries.templates import parse_template
from starbank.studio import project
from starbank.studio.answers import fields_of, posts, studio_of
from starbank.studio.jobs import Job, do
from starbank.studio.speakers import SUITES
from starbank.studio.star import place_of, trial_of


async def open_file(asked: Asked) -> Response:
    """A construction or template of the project, or one that Starbank ships."""
    studio, fields = studio_of(asked), await fields_of(asked)
    opened = project.open_file(studio.project, fields.text("file"))
    kept = {"request": opened.text} | {name: getattr(opened, name) for name in ("folder", "name", "suffix", "known")}
    return HTMLResponse(studio.render("set", fields=kept))


async def save_file(asked: Asked) -> Response:
    """The construction is written into the project, if it can be read."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        suffix, text = fields.text("suffix") or project.GREW, fields.text("request")
        if suffix == TEMPLATE:
            parse_template(text, place_of(studio, fields, None))
        else:
            trial_of(studio, fields, job)
        saved = project.save_file(
            studio.project, fields.text("folder"), fields.text("name"), suffix, text, fields.text("known")
        )
        file = f"{project.QUERIES}/{saved.folder}/{saved.name}{saved.suffix}"
        return studio.render("saved", file=file, known=saved.known)

    return HTMLResponse(await do(asked, work))


async def make_suite(asked: Asked) -> Response:
    """The suite of a construction that was saved is made, of all matches, where the pipeline has it."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        treebank = studio.shelf.open(fields.text("treebank")).name
        folder, name = fields.text("folder"), fields.text("name")
        file = project.place_of(studio.project, folder, name, fields.text("suffix") or project.GREW)
        suites = studio.project / SUITES / dataset_of(file, studio.project / project.QUERIES)
        (made,) = generate([file], [treebank], suites, ingested=studio.shelf.ingested)
        return studio.render("made", made=made, suite=f"{suites.name}/{name}")

    return HTMLResponse(await do(asked, work))


ROUTES = posts("star", open=open_file)
WRITING = posts("star", save=save_file, make=make_suite)
