"""Star: a request becomes a construction by clicking on words; its minimal sets and rejects appear as it grows."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from starbank.errors import UsageError
from starbank.grew import Engine, parse_request
from starbank.grew.clusters import rows_of
from starbank.names import as_name
from starbank.queries.templates import SUFFIX as TEMPLATE
from starbank.queries.templates import parse_template
from starbank.sets.templates import describe_template
from starbank.studio import edits, project
from starbank.studio.answers import Fields, Studio, fields_of, posts, studio_of
from starbank.studio.clues import changes, clauses, free_name, words_of
from starbank.studio.controllers import find_controller
from starbank.studio.jobs import Job, do
from starbank.studio.search import matches_on
from starbank.studio.sentences import draw_match, show_matches, show_sentence
from starbank.studio.snippets import SNIPPETS
from starbank.studio.trials import Tried, find_match
from starbank.studio.vocabulary import quoted

PAGE = 20
# So many sentences to click on, rejects of a reason, places of a form, clauses about a word are shown.
SENTENCES, REJECTS, PLACES, CLAUSES = 5, 5, 5, 12
# A feature with more values than these is no choice that a paradigm offers.
VALUES = 12
UNNAMED = "untitled"


async def show_page(asked: Asked) -> Response:
    """The page itself."""
    studio = studio_of(asked)
    files = project.list_files(studio.project)
    return HTMLResponse(studio.render("star", view="star", entries=studio.shelf.entries(), files=list(files)))


def trial_of(studio: Studio, fields: Fields, job: Job) -> Tried:
    """Return the trial of the text."""
    opened = studio.shelf.open(fields.text("treebank"))
    return studio.trials.get(fields.text("request"), place_of(studio, fields, opened.source.language), opened, job)


def place_of(studio: Studio, fields: Fields, language: str | None) -> Path:
    """Return where the text stands, or would stand."""
    folder, name = fields.text("folder") or language or "und", fields.text("name") or UNNAMED
    return project.reading_place(studio.project, folder, name, fields.text("suffix") or project.GREW)


async def show_sets(asked: Asked) -> Response:
    """What comes of the text: sentences to click on, and, once something varies, minimal sets and rejects."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        opened, text = studio.shelf.open(fields.text("treebank")), fields.text("request")
        if not text.strip():
            return studio.render("star_begin", snippets=SNIPPETS)
        if fields.text("suffix") == TEMPLATE:
            template = parse_template(text, place_of(studio, fields, None))
            return studio.render("template", about=describe_template(template, PAGE), title=template.title)
        request = parse_request(text, language=opened.source.language)
        with opened.turn(job) as engine:
            matches = matches_on(engine, request, 0, SENTENCES)
            warnings = engine.warnings(request)
        sentences = list(show_matches(matches, opened.treebank))
        tried = trial_of(studio, fields, job) if edits.has_settings(text) else None
        return studio.render(
            "sets", opened=opened, sentences=sentences, warnings=warnings, error=None, known=True, tried=tried,
            items=tried.items[:PAGE] if tried else [], suspicions=None, page=0, size=PAGE, limit=studio.trials.limit,
            shown=REJECTS,
        )  # fmt: skip

    return HTMLResponse(await do(asked, work))


async def learn(asked: Asked) -> Response:
    """The forms of the treebank are learned before they are needed."""
    studio, fields = studio_of(asked), await fields_of(asked)
    await do(asked, lambda job: studio.shelf.open(fields.text("treebank")).learn(job))
    return HTMLResponse(studio.render("learned"))


async def show_items(asked: Asked) -> Response:
    """A page of the items, the most suspicious first."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        opened, tried, page = (
            studio.shelf.open(fields.text("treebank")),
            trial_of(studio, fields, job),
            fields.number("p"),
        )
        with opened.turn(job):
            suspicions = tried.suspicious
        items = tried.doubted[page * PAGE : (page + 1) * PAGE]
        return studio.render(
            "items", opened=opened, tried=tried, items=items, suspicions=suspicions, page=page, size=PAGE
        )

    return HTMLResponse(await do(asked, work))


async def show_rejects(asked: Asked) -> Response:
    """All matches that were rejected for a reason, a page of them."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        tried, reason, page = trial_of(studio, fields, job), fields.text("reason"), fields.number("p")
        rows = tried.rejected.get(reason, [])
        place = list(tried.rejected).index(reason) if rows else 0
        opened = studio.shelf.open(fields.text("treebank"))
        return studio.render(
            "rejects", opened=opened, rows=rows[page * PAGE : (page + 1) * PAGE], reason=reason, place=place, page=page,
            more=len(rows) > (page + 1) * PAGE,
        )  # fmt: skip

    return HTMLResponse(await do(asked, work))


async def look_closer(asked: Asked) -> Response:
    """The sentence that an item or a reject is of, with its tree, to click on what is wrong."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        opened, tried = studio.shelf.open(fields.text("treebank")), trial_of(studio, fields, job)
        match = find_match(tried.construction, opened, fields.text("sent_id"), fields.text("target_id"))
        if match is None:
            raise UsageError(f"{fields.text('sent_id')} is no match any more")
        sent, bound = match
        request = parse_request(fields.text("request"), language=opened.source.language)
        svg = draw_match(request, sent, opened.treebank, bound, fields.text("enhanced") == "on")
        shown = show_sentence(sent, opened.treebank, bound)
        return studio.render(
            "closer", opened=opened, sentence=shown, svg=svg, place="closer", about=fields.text("about")
        )

    return HTMLResponse(await do(asked, work))


async def show_word(asked: Asked) -> Response:
    """What can be done with a word: let it vary, leave out what has it, ask for it."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        opened, text = studio.shelf.open(fields.text("treebank")), fields.text("request")
        bound, node = fields.nodes("bound"), fields.number("node")
        request = parse_request(text, language=opened.source.language)
        with opened.turn(job) as engine:
            words = words_of(fields.number("sent"), opened.treebank, bound)
            if node not in words or not set(bound) <= set(request.nodes):
                raise UsageError("this word is no longer there")
            word = words[node]
            target = edits.target_of(text) or request.nodes[0]
            name = free_name(text)
            total = engine.count(request)
            counts = {
                clause: engine.count(
                    parse_request(text, language=opened.source.language, conditions=f"with {{ {clause} }}")
                )
                for clause in islice(clauses(word, words, target, name), CLAUSES)
            }
            values = {feature: _values(engine, word.upos, feature) for feature in word.feats} if word.names else {}
        varying = {feature: several for feature, several in values.items() if 1 < len(several) <= VALUES}
        return studio.render(
            "word", word=word, total=total, varying=varying, opened=opened,
            changes=list(changes(word, words)) if word.names else [],
            # What all matches have leaves none.
            clauses=[(clause, count) for clause, count in counts.items() if count < total],
            links=[clause for clause in counts if "->" in clause and ";" not in clause],
        )  # fmt: skip

    return HTMLResponse(await do(asked, work))


def _values(engine: Engine, upos: str, feature: str) -> list[tuple[str, int]]:
    """Return the values that words of a kind have of a feature, with their counts; no several at once."""
    request = parse_request(f"pattern {{ X [upos={quoted(upos)}, {feature}] }}")
    rows = rows_of(engine.cluster(request, [f"X.{feature}"]))
    return [(value, count) for (value,), count in rows if value and "," not in value]


async def vary(asked: Asked) -> Response:
    """The text in which a feature of a node varies."""
    studio, fields = studio_of(asked), await fields_of(asked)
    text, target, feature = fields.text("request"), fields.text("target"), fields.text("feature")
    opened = studio.shelf.open(fields.text("treebank"))
    values = fields.values.get("values")
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise UsageError("there are no values to vary")
    language = opened.source.language or "und"

    def work(job: Job) -> str:
        request = parse_request(text, language=opened.source.language)
        with opened.turn(job) as engine:
            controller = find_controller(engine, request, target, feature)
        begun = text
        if not edits.has_settings(text):
            title = f"{feature} of {target}"
            begun = edits.begin(text, title=title, language=language, treebank=opened.name, target=target)
        return edits.vary(begun, target, feature, values, controller)

    name = fields.text("name") or f"{feature}-of-{target}".lower().replace("$", "")
    varied = await do(asked, work)
    kept = {"request": varied, "folder": fields.text("folder") or language, "name": name}
    return HTMLResponse(studio.render("set", fields=kept))


async def change(asked: Asked) -> Response:
    """The text with a condition more, which a command makes."""
    studio, fields = studio_of(asked), await fields_of(asked)
    text, target = fields.text("request"), fields.text("target")
    opened = studio.shelf.open(fields.text("treebank"))
    language, condition = opened.source.language or "und", fields.text("condition")
    if not edits.has_settings(text):
        text = edits.begin(text, title=condition, language=language, treebank=opened.name, target=target)
    name = fields.text("name") or as_name(condition.lower().replace(" ", "-"))
    kept = {
        "request": edits.change(text, condition, fields.text("command")),
        "folder": fields.text("folder") or language,
        "name": name,
    }
    return HTMLResponse(studio.render("set", fields=kept))


async def add_block(asked: Asked) -> Response:
    """The text with a block more."""
    studio, fields = studio_of(asked), await fields_of(asked)
    kind, clause = fields.text("kind"), fields.text("clause")
    if kind not in ("pattern", "with", "without"):
        raise UsageError(f"there is no block {kind}")
    text = edits.with_block(fields.text("request"), f"{kind} {{ {clause} }}")
    return HTMLResponse(studio.render("set", fields={"request": text}))


async def show_form(asked: Asked) -> Response:
    """Where a form comes from, and the places where the treebank has it."""
    studio, fields = studio_of(asked), await fields_of(asked)

    def work(job: Job) -> str:
        opened, form = studio.shelf.open(fields.text("treebank")), fields.text("form")
        # As in the sentence, and as within and at the beginning of others.
        spellings = dict.fromkeys([form, form.lower(), form[:1].upper() + form[1:]])
        text = f"pattern {{ X [form={'|'.join(map(quoted, spellings))}] }}"
        request = parse_request(text)
        with opened.turn(job) as engine:
            counts = list(rows_of(engine.cluster(request, ["X.lemma", "X.upos"])))
            matches = matches_on(engine, request, 0, PLACES)
        sentences = list(show_matches(matches, opened.treebank))
        return studio.render(
            "form", opened=opened, about=_about(fields.values), counts=counts, sentences=sentences, text=text
        )

    return HTMLResponse(await do(asked, work))


def _about(values: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: str(values.get(name) or "") for name in ("form", "source", "count", "confidence", "feats", "condition")
    }


ROUTES = [
    Route("/star", show_page),
    *posts(
        "star", sets=show_sets, learn=learn, items=show_items, rejects=show_rejects, closer=look_closer, word=show_word,
        vary=vary, change=change, block=add_block, form=show_form,
    ),
]  # fmt: skip
