"""What must be alike in two words for one to stand in the place of the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from starbank.errors import ConfigError, nearest

# From where donors come: the sentence's own split, all of the treebank, or one split.
DONORS = ("split", "all", "train", "dev", "test")


@dataclass(frozen=True)
class Preset:
    """Which words are replaced, and by which.

    - `content`: the UPOS of words that are replaced;
    - `features`: the features that must be alike, by UPOS, all of which a word must have; None for the whole of FEATS;
    - `frequent`: a donor's form occurs more than once;
    - `unambiguous`: a donor's form occurs with one UPOS only;
    - `capitals`: a donor is written in capitals and small letters as the word that it replaces;
    - `sounds`: it fits beside its neighbours, and ends as that one does where features are silent;
    - `syntax`: it takes the same dependents, and stands in the same relation to its head, see `frames`; a noun, name or
      adjective has the same tag of the treebank (XPOS);
    - `itself`: a word may be drawn for its own place.
    """

    content: tuple[str, ...]
    features: Mapping[str, tuple[str, ...]] | None = None
    frequent: bool = False
    unambiguous: bool = False
    capitals: bool = True
    sounds: bool = True
    syntax: bool = False
    itself: bool = False


_NOMINAL = ("Case", "Gender", "Number", "Person")

PRESETS = {
    # Agreement, government and position as far as the treebank tells: the sentence stays grammatical.
    "strict": Preset(("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"), syntax=True),
    # Gulordava et al. 2018, Colorless green recurrent networks dream hierarchically, NAACL.
    "gulordava": Preset(("NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV"), frequent=True, unambiguous=True),
    # Patil et al. 2021, Vyākarana, as recovered from their Tamil files: verbs of any tense and form replace each other.
    "vyakarana": Preset(
        ("NOUN", "PROPN", "VERB", "ADJ"),
        {
            "NOUN": _NOMINAL,
            "PROPN": _NOMINAL,
            "VERB": ("Gender", "Number", "Person"),
            "ADJ": ("Case", "Gender", "Number"),
        },
        capitals=False,
        sounds=False,
        itself=True,
    ),
}


def make_preset(name: str, content: list[str] | None, features: Mapping[str, list[str]] | None) -> Preset:
    """Return the preset of a name with other UPOS or features, where these are given.

    `features` are by UPOS; words of others keep the preset's. Raises `ConfigError` for a preset that there is not.
    """
    if name not in PRESETS:
        raise ConfigError(f"colorless: there is no preset `{name}`", hint=nearest(name, PRESETS))
    preset = PRESETS[name]
    if content is not None:
        preset = replace(preset, content=tuple(content))
    if features is not None:
        chosen = {upos: tuple(names) for upos, names in features.items()}
        preset = replace(preset, features={**(preset.features or {}), **chosen})
    return preset
