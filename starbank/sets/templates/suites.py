"""Templates -> suites, as treebanks give them: a lexicon stands in the place of the treebank."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from starbank.files import sha256
from starbank.queries.templates.template import TARGET, Reference, Template
from starbank.sets.templates.choices import Choice
from starbank.sets.templates.draw import draw
from starbank.sets.templates.sentences import Condition, conditions, feats, gloss, place_of_target
from starbank.sets.templates.space import Space
from starbank.suites import ITEMS, REJECTED, Suite
from starbank.treebanks.arrays import integers, texts, truths

SPLIT = "test"
# Where the forms of a template are from.
SOURCE = "table"
# How many items have glosses in the metadata.
GLOSSED = 20
_NOMINAL = ("NOUN", "PROPN", "PRON")


def make_suite(template: Template, seed: int, limit: int | None = None) -> tuple[Suite, dict[str, Any]]:
    """Return the suite of a template, with at most `limit` items if that is less than it wants, and what to say of it.

    `treebank` is the name of the lexicon, `split` is `test`, and `sent_id` the number of the sentence in the space.
    Said of it are `space`, the exact number of sentences, and `glosses` of some items by their id, which a card shows:
    the words with their glosses. Raises `ConstructionError` where there is no sentence.
    """
    space = Space(template)
    drawn = draw(space, min(template.limit, limit or template.limit), f"{template.name} {seed}")
    rows = [_item(template, number, choices) for number, choices in drawn]
    columns = [_array([row.get(field.name) for row in rows], field.type) for field in ITEMS]
    # Items of a middling length are those that cards choose from.
    shown = sorted(range(len(rows)), key=lambda place: abs(rows[place]["length"] - 8))[:GLOSSED]
    glosses = {rows[place]["item_id"]: [list(word) for word in gloss(template, drawn[place][1])] for place in shown}
    suite = Suite(pa.table(columns, schema=ITEMS), pa.Table.from_batches([], schema=REJECTED))
    return suite, {"space": space.size, "glosses": glosses}


def provenance(template: Template) -> dict[str, Any]:
    """Return what a suite says of its template and lexicon."""
    lexicon = template.lexicon
    files = [{"name": file.name, "sha256": sha256(file)} for file in template.tables]
    return {
        "construction": {
            **template.heading,
            "query": template.text,
            "query_sha256": template.sha256,
            "control": False,
            "predictions": list(template.predictions),
            "template": True,
        },
        "treebanks": [
            {
                "name": lexicon.name,
                "kind": "lexicon",
                "license": lexicon.license,
                "release": None,
                "source": None,
                "files": files,
            }
        ],
    }


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return Python values as an Arrow array. (`pa.array` imports pandas, see `starbank/treebanks/arrays.py`.)"""
    if pa.types.is_string(kind):
        return texts(values)
    if pa.types.is_boolean(kind):
        return truths(np.array(values, dtype=bool))
    if pa.types.is_list(kind):
        borders = np.cumsum([0, *map(len, values)], dtype=np.int32)
        return pa.ListArray.from_arrays(
            integers(borders), _array([part for value in values for part in value], kind.value_type)
        )
    if pa.types.is_struct(kind):
        fields = list(kind)
        parts = [_array([value.get(field.name) for value in values], field.type) for field in fields]
        return pa.StructArray.from_arrays(parts, fields=fields)
    null = np.array([value is None for value in values], dtype=bool)
    return integers(np.array([value or 0 for value in values], dtype=kind.to_pandas_dtype()), null)


def _item(template: Template, number: int, choices: Mapping[str, Choice]) -> dict[str, Any]:
    variants = conditions(template, choices)
    good = variants[0]
    names = [region.name for region in template.sentence]
    place = place_of_target(good.regions, names)
    content = [template.name, template.language, *(condition.text for condition in variants)]
    return {
        "item_id": hashlib.sha256("\x1f".join(content).encode()).hexdigest()[:16],
        "construction": template.name,
        "phenomenon": template.phenomenon,
        "language": template.language,
        "treebank": template.lexicon.name,
        "split": SPLIT,
        "sent_id": str(number),
        "region_names": names,
        "conditions": [_condition(variant, good) for variant in variants],
        "target": {
            "lemma": good.word.lemma,
            "upos": good.word.upos,
            "feats": feats(good.word),
            "id": str(place + 1),
        },
        "length": _length(good.text),
        "position": place + 1,
        **_controlled(template, choices, place, names),
        "covariates": [],
        "left_out": [],
    }


def _condition(condition: Condition, good: Condition) -> dict[str, Any]:
    return {
        "name": condition.name,
        "grammatical": condition is good,
        "against": None if condition is good else good.name,
        "regions": list(condition.regions),
        "feats": feats(condition.word),
        "form": condition.form,
        "form_source": SOURCE,
        "form_confidence": 1.0,
    }


def _controlled(
    template: Template, choices: Mapping[str, Choice], place: int, names: list[str]
) -> dict[str, int | None]:
    """Return how many words lie between the controller and the target, and how many nouns there have another value."""
    controller = template.controller
    if controller is None or controller.slot is None:
        return {}
    order = [slot for region in template.sentence[: names.index(TARGET)] for slot in region.slots]
    between = order[order.index(controller.slot) + 1 :]
    values = choices[controller.slot].word.values(controller.attribute)
    nouns = [choices[slot].word for slot in between if choices[slot].word.upos in _NOMINAL]
    attractors = sum(not word.values(controller.attribute) & values for word in nouns)
    return {"distance": place - _words_to(template, choices, controller), "attractors": attractors}


def _words_to(template: Template, choices: Mapping[str, Choice], controller: Reference) -> int:
    """Return how many words there are up to the controller, itself included, less one."""
    text = ""
    for region in template.sentence:
        for before, slot in zip(region.texts, region.slots, strict=False):
            text += before + choices[slot].word.form
            if slot == controller.slot:
                return len(text.split()) - 1
        text += region.texts[-1]
    return 0


def _length(text: str) -> int:
    """Return the number of words as treebanks count them: the full stop is one."""
    ends = sum(unicodedata.category(char) == "Po" for char in text if char in ".,;:?!।")
    return len(text.split()) + ends
