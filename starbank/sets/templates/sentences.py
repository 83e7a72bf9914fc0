"""Choices -> the regions of a sentence, under each of its conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starbank.languages import language_of
from starbank.queries.templates.template import TARGET, Region, Template
from starbank.queries.templates.words import NONE, Word
from starbank.sets.templates.choices import Choice


@dataclass(frozen=True)
class Condition:
    """A sentence as text by region, with the word that varies, and the form of the target without its punctuation."""

    name: str
    regions: tuple[str, ...]
    word: Word
    form: str

    @property
    def text(self) -> str:
        """The sentence."""
        return "".join(self.regions)


def conditions(template: Template, choices: Mapping[str, Choice]) -> list[Condition]:
    """Return the sentence and its starred variants, the grammatical one first, each with a capital at its beginning."""
    words = {name: choice.word for name, choice in choices.items()}
    varying = choices[template.vary.slot]
    variants = ((varying.condition, varying.word), *varying.starred)
    return [_condition(template, name, words | {template.vary.slot: word}) for name, word in variants]


def identity(template: Template, choices: Mapping[str, Choice]) -> tuple[str, ...]:
    """Return what makes two items the same: the texts of all conditions."""
    return tuple(condition.text for condition in conditions(template, choices))


def _condition(template: Template, name: str, words: Mapping[str, Word]) -> Condition:
    filled = {region.name: _pieces(region, words) for region in template.sentence}
    regions = ["".join(pieces) for pieces in filled.values()]
    first = next((place for place, text in enumerate(regions) if text.strip()), 0)
    regions[first] = language_of(template.language).capital(regions[first])
    return Condition(name, tuple(regions), words[template.vary.slot], "".join(filled[TARGET][1:-1]))


def _pieces(region: Region, words: Mapping[str, Word]) -> list[str]:
    """Return the texts of a region and the forms between them."""
    pieces = [region.texts[0]]
    for slot, text in zip(region.slots, region.texts[1:], strict=True):
        pieces += [words[slot].form, text]
    return pieces


def gloss(template: Template, choices: Mapping[str, Choice]) -> list[tuple[str, str]]:
    """Return the forms of the slots in the order of the sentence, each with its meaning and what it agrees in."""
    order = [slot for region in template.sentence for slot in region.slots]
    words = [(name, choices[name].word) for name in order]
    return [(word.form.strip(), _gloss(template, name, word)) for name, word in words if word.form.strip()]


def _gloss(template: Template, slot: str, word: Word) -> str:
    spec = template.slots[slot]
    named = [*spec.fixed, *spec.variables]
    values = ["/".join(sorted(word.values(name) - {NONE})) for name in named if name[0].isupper() or name == "class"]
    return ".".join([(word.gloss or word.lemma).replace(" ", "_"), *filter(None, values)])


def feats(word: Word) -> str | None:
    """Return the features of a word as UD writes them: the attributes whose names begin with a capital."""
    features = {name: values for name, values in word.attributes.items() if name[0].isupper() and values != {NONE}}
    return "|".join(f"{name}={','.join(sorted(features[name]))}" for name in sorted(features, key=str.lower)) or None


def place_of_target(regions: Sequence[str], names: Sequence[str]) -> int:
    """Return how many words come before the target."""
    return len("".join(regions[: list(names).index(TARGET)]).split())
