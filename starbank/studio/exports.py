"""Matches as files to take away: tables, sentences, trees."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from urllib.parse import parse_qs

import pyarrow as pa
import pyarrow.compute as pc
from starlette.requests import Request as Asked
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from starbank.errors import UsageError
from starbank.grew import parse_request
from starbank.grew.output import to_jsonl, to_tsv
from starbank.grew.show import picture_name, to_trees
from starbank.studio.answers import Fields, studio_of
from starbank.studio.jobs import Job, do, stream
from starbank.studio.search import PAGE, TREES, matches_on
from starbank.treebanks.write import to_conllu

# Of a file, so many lines are written at once.
LINES = 10_000


async def export_matches(asked: Asked) -> Response:
    """All matches as a file: a table, JSON as Grew prints it, or the sentences; piece by piece, never all at once."""
    studio, fields, kind = studio_of(asked), await _fields_of(asked), asked.path_params["kind"]
    if kind not in ("tsv", "jsonl", "conllu"):
        raise UsageError(f"matches cannot be had as {kind}")
    opened = studio.shelf.open(fields.text("treebank"))
    request = parse_request(fields.text("request"), language=opened.source.language)

    def work(job: Job) -> Iterator[str]:
        with opened.turn(job) as engine:
            batches = engine.batches(request, studio.limits.rows if studio.limits else None)
        first, last = True, -1
        while True:
            with opened.turn(job):
                batch = next(batches, None)
            if batch is None:
                return
            if kind == "conllu":
                # Those of one sentence come together.
                sents = pc.unique(batch["sent"])
                sents = sents.filter(pc.greater(sents, last))
                last = sents[-1].as_py() if len(sents) else last
                yield to_conllu(opened.treebank.only(sents))
                continue
            for place in range(0, batch.num_rows, LINES):
                matches = pa.Table.from_batches([batch.slice(place, LINES)])
                lines = (to_tsv if kind == "tsv" else to_jsonl)(matches, opened.treebank)
                if kind == "tsv" and not first:
                    next(lines)
                yield "".join(chain.from_iterable((line, "\n") for line in lines))
                first = False

    return StreamingResponse(stream(work), media_type="text/plain", headers=_named(f"{opened.name}.{kind}"))


async def export_trees(asked: Asked) -> Response:
    """The trees of the matches from the page that is shown on, some of them, as a zip file of pictures."""
    studio, fields = studio_of(asked), await _fields_of(asked)
    opened, first = studio.shelf.open(fields.text("treebank")), fields.number("page") * PAGE
    request = parse_request(fields.text("request"), language=opened.source.language)
    enhanced = fields.text("enhanced") == "on"

    def work(job: Job) -> bytes:
        with opened.turn(job) as engine:
            matches = matches_on(engine, request, first, TREES)
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as pictures:
            trees = to_trees(matches, opened.treebank, request, enhanced)
            for number, (sent_id, svg) in enumerate(trees, first + 1):
                job.check()
                pictures.writestr(picture_name(number, sent_id), svg)
        return packed.getvalue()

    return Response(await do(asked, work), media_type="application/zip", headers=_named(f"{opened.name}.zip"))


async def _fields_of(asked: Asked) -> Fields:
    """Return what the form has sent, as a browser does that saves a file."""
    return Fields({name: values[-1] for name, values in parse_qs((await asked.body()).decode()).items()})


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


ROUTES = [
    Route("/search/export/svg", export_trees, methods=["POST"]),
    Route("/search/export/{kind}", export_matches, methods=["POST"]),
]
