"""The card of a dataset: its README.md, YAML for machines and text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.hub.citation import contributors, papers, unique
from starbank.hub.front_matter import config_licences, front_matter, treebank_licences
from starbank.hub.gloss import Gloss, Item, gloss, short, varied_features
from starbank.hub.licences import UNKNOWN, forbids_changes, rows_licence
from starbank.hub.lm_eval import task_name
from starbank.hub.markdown import Markdown, environment, escape, is_right_to_left, isolate, one_line
from starbank.hub.reviews import PREDICTED, Agreement
from starbank.hub.suites import PublishedSuite, languages, with_items
from starbank.suites.schemas import PAIRS
from starbank.treebanks.arrays import filled, numbers, text

# Columns of the items that every card explains one by one.
EXPLAINED = {
    *("item_id", "construction", "phenomenon", "language", "treebank", "split", "sent_id"),
    *("region_names", "conditions", "target", "length", "position", "reviewers", "confirmed"),
}
# What the other columns tell of an item; docs/formats.md says it at length.
COLUMNS = {
    "distance": "words from the target to what it agrees with",
    "tree_distance": "edges of the tree between them",
    "attractors": "nouns, names and pronouns between them that have another value of the feature",
    "lemma_count": "how often the treebanks of the language have the target's lemma",
    "readings": "how many analyses the treebanks have for the target's form",
    "covariates": "what the construction asks of a match besides, by `name`: 1 where it is so, else 0",
    "left_out": "conditions that the item does without, each with its `reason`",
}
# What the card tells of the accuracy of models.
ACCURACY_COLUMNS = pa.schema(
    [(name, pa.string()) for name in ("construction", "model", "level")]
    + [("items", pa.int64()), ("ties", pa.int64())]
    + [(name, pa.float64()) for name in ("accuracy", "low", "high", "chance")]
)
# Words in an example: enough to be a sentence, few enough to be read.
EXAMPLE_LENGTH = 8


@dataclass(frozen=True)
class Card:
    """What a card tells of: the suites; the dataset's title and name; the treebanks whose licence text it has; where
    ingested treebanks lie; how speakers agree with each suite; the accuracy of models; and the suites that are there
    in SyntaxGym's format.
    """

    suites: Sequence[PublishedSuite]
    title: str
    name: str
    licence_files: Sequence[str]
    treebanks: Path | None = None
    agreements: Mapping[str, Agreement | None] | None = None
    accuracy: pa.Table | None = None
    syntaxgym: Sequence[str] = ()

    @property
    def full(self) -> list[PublishedSuite]:
        """The suites that have items."""
        return [suite for suite in self.suites if suite.items.num_rows]

    @property
    def licences(self) -> Mapping[str, str | None]:
        """The licence of each treebank."""
        return treebank_licences(self.suites)


@dataclass(frozen=True)
class Section:
    """What the card says about one suite."""

    name: str
    about: dict[str, Any]
    language: str
    matches: int
    items: int
    pairs: int
    reasons: list[tuple[str, int]]
    example: Item
    gloss: Gloss | None
    agreement: Agreement | None
    treebanks: list[str]
    licence: str
    starbank: str
    seed: int


def render_card(card: Card) -> str:
    """Return the text of README.md."""
    licences = card.licences
    examples = [_example(suite) for suite in card.full]
    glosses = gloss(examples, card.treebanks)
    sections = [_section(*each, card) for each in zip(card.full, examples, glosses, strict=True)]
    starred = _starred(card.suites)
    agreements = [agreement for agreement in (card.agreements or {}).values() if agreement]
    return _template().render(
        card=card,
        front_matter=Markdown(front_matter(card.suites, card.title)),
        sections=sections,
        empty=[suite for suite in card.suites if suite not in card.full],
        starbank=card.suites[0].provenance["starbank"],
        judged=[section for section in sections if section.agreement],
        treebanks=unique(card.suites),
        contributors={
            treebank["name"]: contributors(treebank["name"], card.treebanks)
            for treebank in unique(card.suites)
            if treebank.get("kind") not in ("lexicon", "imported")
        },
        unserved={
            name: reason for suite in card.suites for name, reason in suite.provenance.get("unserved", {}).items()
        },
        searched=sorted({name for suite in card.suites for name in suite.provenance.get("searched", {})}),
        templates=[suite.name for suite in card.suites if suite.is_template],
        imported=[suite.name for suite in card.suites if suite.is_import],
        annotated=[suite.name for suite in card.suites if suite.is_annotated],
        papers=papers(card.suites),
        licences=licences,
        configs=config_licences(card.suites),
        mixed=len(set(licences.values())) > 1,
        frozen=[name for name, licence in licences.items() if forbids_changes(licence)],
        unknown=UNKNOWN,
        languages=languages(card.suites),
        language_names=_language_names(with_items(card.suites)),
        covariates=_covariates(card.suites),
        condition_fields=_fields(card.suites[0].items.schema.field("conditions").type.value_type),
        target_fields=_fields(card.suites[0].items.schema.field("target").type),
        sources=_form_sources(starred),
        predictions=_predictions(starred),
        predictions_read=sum(agreement.predicted for agreement in agreements),
        predictions_wrong=sum(agreement.predicted_wrong for agreement in agreements),
        column_notes={name: Markdown(note) for name, note in COLUMNS.items()},
        pair_columns=PAIRS.names,
        # Names, and so what they are in code, too.
        first=Markdown(card.full[0].name) if card.full else None,
        paired=next((Markdown(suite.name) for suite in card.full if suite.has_pairs), None),
        task=lambda *parts: Markdown(task_name(*parts)),
        accuracy=_accuracy(card),
        rejected=any(suite.tables["rejected"].num_rows for suite in card.suites),
    )


def render_licence(card: Card) -> str:
    """Return the text of LICENSE, which says which licence each row has."""
    values = {"licences": card.licences, "licence_files": card.licence_files, "unknown": UNKNOWN}
    return environment("starbank.hub", one_line).get_template("licence.txt.j2").render(**values)


@cache
def _template() -> jinja2.Template:
    templates = environment("starbank.hub")
    templates.filters["sentence"] = _sentence
    templates.filters["gloss"] = _word_gloss
    templates.filters["isolate"] = isolate
    templates.filters["share"] = lambda share: "" if share is None else f"{share:.0%}"
    return templates.get_template("card.md.j2")


def _accuracy(card: Card) -> list[dict[str, Any]]:
    """Return the rows of the accuracy table that are about this dataset's suites, sentences before words."""
    if card.accuracy is None:
        return []
    names = {suite.construction["name"]: suite.name for suite in card.full}
    rows = [row for row in card.accuracy.to_pylist() if row["construction"] in names]
    return [row | {"suite": names[row["construction"]]} for row in rows if row["level"] == "sentence"]


def _section(suite: PublishedSuite, example: Item, glossed: Gloss | None, card: Card) -> Section:
    reasons = [
        (each["values"], each["counts"]) for each in suite.tables["rejected"]["reason"].value_counts().to_pylist()
    ]
    return Section(
        name=suite.name,
        about=suite.construction,
        language=suite.language,
        matches=suite.provenance.get("space", suite.matches),
        items=suite.items.num_rows,
        pairs=suite.tables["pairs"].num_rows,
        reasons=sorted(reasons, key=lambda reason: (-reason[1], reason)),
        example=example,
        gloss=glossed or _own_gloss(suite, example),
        agreement=(card.agreements or {}).get(suite.name),
        treebanks=[treebank["name"] for treebank in suite.treebanks],
        licence=rows_licence(treebank_licences([suite]).values()),
        starbank=suite.provenance["starbank"],
        seed=suite.provenance.get("seed", 0),
    )


def _own_gloss(suite: PublishedSuite, item: Item) -> Gloss | None:
    """Return the gloss that a suite from a template brings along."""
    words = suite.provenance.get("glosses", {}).get(item["item_id"])
    return {"words": words, "translation": None} if words else None


def _example(suite: PublishedSuite) -> Item:
    """Return the item whose sentence is nearest to a good length, the first of those."""
    distances = np.abs(filled(suite.items["length"], 0) - EXAMPLE_LENGTH)
    item: Item = suite.items.slice(int(distances.argmin()), 1).to_pylist()[0]
    texts = [condition["regions"] for condition in item["conditions"]]
    item["varying"] = [len(set(region)) > 1 for region in zip(*texts, strict=True)]
    item["varied"] = varied_features(item["conditions"])
    item["right_to_left"] = is_right_to_left("".join(texts[0]))
    return item


def _language_names(suites: Sequence[PublishedSuite]) -> list[str]:
    """Return the languages as `Georgian (kat)`, by their codes."""
    names = {suite.language: suite.language_name for suite in suites}
    return [code if names[code] == code else f"{names[code]} ({code})" for code in languages(suites)]


def _covariates(suites: Sequence[PublishedSuite]) -> list[str]:
    """Return the columns of the items that the card does not explain one by one."""
    names = dict.fromkeys(name for suite in suites for name in suite.items.schema.names)
    return [name for name in names if name not in EXPLAINED]


def _fields(struct: pa.StructType) -> list[str]:
    return [struct.field(place).name for place in range(struct.num_fields)]


def _starred(suites: Sequence[PublishedSuite]) -> pa.Table:
    """Return of each starred condition where its form is from, and how sure it is."""
    columns = ("grammatical", "form_source", "form_confidence")
    listed = [pc.list_flatten(suite.items["conditions"].combine_chunks()) for suite in suites]
    conditions = [pa.table([pc.struct_field(each, name) for name in columns], columns) for each in listed]
    starred = pa.concat_tables(conditions)
    return starred.filter(pc.invert(starred["grammatical"]))  # With an expression it would import pandas.


def _form_sources(starred: pa.Table) -> dict[str, int]:
    """Return how many starred forms come from each source, where it is known."""
    return dict(sorted(Counter(starred["form_source"].drop_null().to_pylist()).items()))


def _predictions(starred: pa.Table) -> dict[str, float] | None:
    """Return how many starred forms are predicted, how sure the least sure of them is, and how many of them are wrong
    if all are as sure as they say; None where none is predicted.
    """
    predicted = starred.filter(pc.equal(starred["form_source"], text(PREDICTED)))
    sure = numbers(predicted["form_confidence"].drop_null())
    if not len(sure):
        return None
    return {"forms": len(sure), "of": len(starred), "least": float(sure.min()), "wrong": float((1 - sure).sum())}


def _word_gloss(condition: dict[str, Any], example: Item) -> str:
    """Return the varying word with its features: ბავშვი-SG.ERG; nothing where they are not known."""
    target = example["target"]
    if not target and not condition["feats"]:
        return ""
    lemma = (target or {}).get("lemma") or condition["form"]
    return "-".join(filter(None, [isolate(lemma or ""), short(condition["feats"], example["varied"])]))


def _sentence(condition: dict[str, Any], varying: Sequence[bool]) -> Markdown:
    """Return a condition for a cell of a table: starred where it is, what varies in bold, in its own direction."""
    regions = [
        f"**{escape(region)}**" if varies and region.strip() == region != "" else escape(region)
        for region, varies in zip(condition["regions"], varying, strict=True)
    ]
    text = (r"\*" if condition["grammatical"] is False else "") + "".join(regions)
    return Markdown(f'<span dir="rtl">{text}</span>' if is_right_to_left("".join(condition["regions"])) else text)
