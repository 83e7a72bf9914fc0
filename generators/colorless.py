"""Colorless green sentences: grammatical, and of no sense (Gulordava et al. 2018, Patil et al. 2021)."""

from __future__ import annotations

from collections.abc import Mapping

from starbank.errors import ConfigError, nearest
from starbank.plugins import transform
from starbank.transforms import Derived
from starbank.transforms.gender import MODES
from starbank.transforms.presets import DONORS, make_preset
from starbank.transforms.substitution import colour_out
from starbank.treebanks import Treebank


@transform
def colorless(
    treebank: Treebank,
    *,
    seed: int = 0,
    preset: str = "strict",
    content: list[str] | None = None,
    features: Mapping[str, list[str]] | None = None,
    donors: str = "split",
    variants: int = 1,
    gender: list[str] | None = None,
    min_replaced: float = 0.0,
) -> Derived:
    """Return the treebank with its content words replaced by others that stand in the like place elsewhere in it.

    Trees, function words, punctuation and spacing stay. `preset` says what must be alike (`PRESETS`); `content` (UPOS)
    and `features` (names by UPOS) change that. `donors` are words of the sentence's own `split`, of `all` splits, or of
    the one named. A sentence gets as many `variants`, called `<sent_id>-org1` and so on; a single one keeps its name.
    `gender` (Hindi) asks for so many of each of some `MODES`: with nouns of their `original` gender, of the `opposite`
    one, all `masculine`, all `feminine`; they are called `<sent_id>-org`, `-opp`, `-masc` and `-fem`. Sentences
    in which less than the share `min_replaced` (0 to 1) of the content words is another are left out, and counted.
    """
    if donors not in DONORS:
        raise ConfigError(f"colorless: there are no donors `{donors}`", hint=nearest(donors, DONORS))
    if variants < 1:
        raise ConfigError(f"colorless: there are no {variants} variants", hint="Ask for one or more.")
    if not 0 <= min_replaced <= 1:
        raise ConfigError(f"colorless: min_replaced is {min_replaced}", hint="It is a share of words, from 0 to 1.")
    for mode in gender or []:
        if mode not in MODES:
            raise ConfigError(f"colorless: there is no gender `{mode}`", hint=nearest(mode, MODES))
    return colour_out(
        treebank, make_preset(preset, content, features), donors, variants, gender or [], seed, min_replaced
    )
