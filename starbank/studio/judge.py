"""Read and judge: speakers say of sentences whether they are right; how far they agree, and what follows for items."""

from __future__ import annotations

import tempfile
from pathlib import Path
from urllib.parse import parse_qs

from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from starbank.documents import read_text
from starbank.files import write_text
from starbank.hub.agreement import measure_agreement
from starbank.hub.review_page import export_review, paragraphs
from starbank.studio.answers import Fields, Studio, fields_of, posts, studio_of
from starbank.studio.jobs import Job, do
from starbank.studio.speakers import ITEMS, SEED, Review, list_suites

# So many items with their verdicts are shown.
SHOWN = 100


async def show_page(asked: Asked) -> Response:
    """The page itself."""
    studio = studio_of(asked)
    return HTMLResponse(studio.render("judge", view="judge", suites=list(list_suites(studio.project))))


def _overview(studio: Studio, review: Review, note: str = "") -> str:
    answers = review.read()
    judgements = [judgement for each in answers for judgement in each.judgements]
    file = review.instructions
    return studio.render(
        "judging", review=review, note=note, speakers=review.speakers(), answers=answers, total=len(review.sentences),
        agreement=measure_agreement(judgements), verdicts=review.verdicts(judgements)[:SHOWN],
        instructions=read_text(file) if file.is_file() else "",
    )  # fmt: skip


def _sentence(studio: Studio, review: Review, speaker: str, place: int) -> str:
    value, order = review.speaker(speaker), review.order(speaker)
    said = {answer["id"]: answer for answer in value["judgements"]}
    if place < 0:
        place = next((place for place, sentence in enumerate(order) if sentence not in said), len(order))
    file = review.instructions
    told = paragraphs(read_text(file)) if file.is_file() else []
    shown = order[place] if place < len(order) else None
    return studio.render(
        "sentence", review=review, value=value, place=place, total=len(order), sentence=shown, instructions=told,
        text=review.sentences[shown] if shown else "", said=said.get(shown or "", {}), done=len(said),
    )  # fmt: skip


async def show_suite(asked: Asked) -> Response:
    """Who has judged a suite and how far they agree, or, for a speaker, the next sentence."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        if not fields.text("suite"):
            return studio.render("no_suites")
        review = Review.of(studio.project, fields.text("suite"))
        speaker = fields.text("speaker")
        return _sentence(studio, review, speaker, -1) if speaker else _overview(studio, review)

    return HTMLResponse(await do(asked, work))


async def begin(asked: Asked) -> Response:
    """Somebody begins to judge."""
    studio, fields = studio_of(asked), await fields_of(asked)
    review = Review.of(studio.project, fields.text("suite"))
    background = {key: fields.text(key).strip() for key in ("first_language", "dialect")}
    speaker = review.begin(fields.text("reviewer"), background)
    cleared = {"reviewer": "", "first_language": "", "dialect": ""}
    return HTMLResponse(studio.render("set", fields={"speaker": speaker} | cleared))


async def judge(asked: Asked) -> Response:
    """A judgement is written down; the next sentence."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        review, speaker, place = _place(studio, fields)
        review.judge(speaker, fields.text("sentence"), fields.text("judgement"), fields.text("comment"))
        return _sentence(studio, review, speaker, place + 1)

    return HTMLResponse(await do(asked, work))


async def go_back(asked: Asked) -> Response:
    """The sentence before."""
    studio, fields = studio_of(asked), await fields_of(asked)
    review, speaker, place = _place(studio, fields)
    return HTMLResponse(_sentence(studio, review, speaker, max(0, place - 1)))


def _place(studio: Studio, fields: Fields) -> tuple[Review, str, int]:
    return Review.of(studio.project, fields.text("suite")), fields.text("speaker"), fields.number("place")


async def keep(asked: Asked) -> Response:
    """What was said goes beside the construction, for the next release."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        review = Review.of(studio.project, fields.text("suite"))
        return _overview(studio, review, f"Kept in {review.keep().relative_to(studio.project)}.")

    return HTMLResponse(await do(asked, work))


async def instruct(asked: Asked) -> Response:
    """What speakers are told, in their language."""
    studio, fields = studio_of(asked), await fields_of(asked)
    review = Review.of(studio.project, fields.text("suite"))
    file = review.instructions
    write_text(fields.text("instructions").strip() + "\n", file)
    return HTMLResponse(_overview(studio, review, f"Saved in {file.relative_to(studio.project)}."))


async def take(asked: Asked) -> Response:
    """What a speaker has sent is taken in."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        review = Review.of(studio.project, fields.text("suite"))
        answers = review.take(fields.text("file"))
        return _overview(studio, review, f"{answers.reviewer}: {len(answers.judgements)} judgements.")

    return HTMLResponse(await do(asked, work))


async def save_page(asked: Asked) -> Response:
    """The page to send to a speaker: one file."""
    studio = studio_of(asked)
    form = {name: values[-1] for name, values in parse_qs((await asked.body()).decode()).items()}
    review = Review.of(studio.project, Fields(dict(form)).text("suite"))
    file = review.instructions
    told = paragraphs(read_text(file)) if file.is_file() else []
    with tempfile.TemporaryDirectory(prefix="starbank-") as folder:
        page = Path(folder) / "review.html"
        export_review(review.folder, page, n=ITEMS, seed=SEED, instructions=told)
        content = page.read_text(encoding="utf-8")
    return Response(
        content,
        media_type="application/octet-stream",
        headers={"content-disposition": f'attachment; filename="{review.suite.name}.html"'},
    )


ROUTES = [Route("/judge", show_page), *posts("judge", suite=show_suite, back=go_back, page=save_page)]
WRITING = posts("judge", begin=begin, judge=judge, keep=keep, instruct=instruct, take=take)
