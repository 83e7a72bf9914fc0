"""How models learn tasks: those of a published work, and others to compare with. Needs no PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from starbank.errors import UsageError, nearest

BILSTM, LSTM, TRANSFORMER, WORDS = "bilstm", "lstm", "transformer", "words"


@dataclass(frozen=True)
class Learning:
    """What a model is, and how it learns.

    A word is the sum of three embeddings of `width` numbers: of its form, its lemma, and its n-grams of `shortest` to
    `longest` characters, ends marked, each of the `vocabulary` most frequent that occur `least` times. `encoder` reads
    them: `bilstm` or `lstm` with `layers` of `hidden` numbers (a direction), a `transformer` of `width`, with as many
    `attention` heads and `hidden` numbers between its layers, or `words`, each by itself. An MLP with one layer of
    `classifier` numbers answers each question. While it learns, numbers are dropped with probability `dropout`, and the
    form and lemma of a word are unknown with probability `forget`. Adam with a constant `learning_rate` sees `batch`
    rows at once, for `epochs`; the weights with the lowest loss on dev are kept, and `patience` epochs without a lower
    one end it.
    """

    encoder: str = BILSTM
    width: int = 150
    hidden: int = 150
    layers: int = 1
    attention: int = 6
    classifier: int = 128
    vocabulary: int = 100_000
    least: int = 2
    shortest: int = 1
    longest: int = 5
    dropout: float = 0.0
    forget: float = 0.0
    learning_rate: float = 1e-3
    batch: int = 32
    epochs: int = 20
    patience: int = 3


LEARNING = {
    # Ravfogel, Goldberg & Tyers 2018: widths, vocabularies and optimiser are theirs.
    "ravfogel": Learning(),
    "ravfogel-forward": Learning(encoder=LSTM),
    "ravfogel-words": Learning(encoder=WORDS),
    "transformer": Learning(encoder=TRANSFORMER, hidden=300, layers=2, dropout=0.1),
}


def make_recipe(name: str, options: Mapping[str, Any]) -> Learning:
    """Return the recipe of a name with other values of some fields; raises `UsageError` for what there is not."""
    if name not in LEARNING:
        raise UsageError(f"no such recipe: {name}", hint=nearest(name, list(LEARNING)))
    kinds = {one.name: type(getattr(LEARNING[name], one.name)) for one in fields(Learning)}
    for key, value in options.items():
        if key not in kinds:
            raise UsageError(f"a recipe has no option `{key}`", hint=nearest(key, list(kinds)))
        if type(value) is not kinds[key] and not (kinds[key] is float and type(value) is int):
            default = getattr(LEARNING[name], key)
            raise UsageError(f"the option `{key}` cannot be {value!r}", hint=f"By default it is {default!r}.")
    recipe = replace(LEARNING[name], **options)
    if recipe.encoder not in (BILSTM, LSTM, TRANSFORMER, WORDS):
        raise UsageError(f"no such encoder: {recipe.encoder}", hint=f"Known: {BILSTM}, {LSTM}, {TRANSFORMER}, {WORDS}.")
    _check_numbers(recipe)
    return recipe


def _check_numbers(recipe: Learning) -> None:
    for field in fields(Learning):
        value = getattr(recipe, field.name)
        if field.name in ("dropout", "forget"):
            if not 0 <= value < 1:
                raise UsageError(
                    f"the option `{field.name}` cannot be {value}", hint="It is a share, from 0 to less than 1."
                )
        elif not isinstance(value, str) and value <= 0:
            raise UsageError(f"the option `{field.name}` cannot be {value}", hint="It is more than 0.")
    if recipe.encoder == TRANSFORMER and recipe.width % recipe.attention:
        message = f"{recipe.attention} attention heads cannot share a width of {recipe.width}"
        raise UsageError(message, hint="Choose a width that is a multiple of `attention`.")
