"""The examples of the guards, which are their tests and stand on their page: `starbank/guards/examples/*.yaml`.

Each file has the examples of one module of guards, by the guard's name, and under `shared` what several of them repeat.
They stand in a folder of their own, so that no suite is made anew when an example gets better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

_FOLDER = Path(__file__).with_suffix("")
# In the order of the registry.
_FILES = (
    *("places", "controllers", "ambiguity", "governed", "government", "forms", "hapaxes", "readings", "attested"),
    *(
        "syncretism",
        "cells",
        "rivals",
        "owners",
        "subjects",
        "company",
        "clauses",
        "objects",
        "exchanges",
        "adverbials",
        "modifiers",
        "concord",
    ),
    *("neighbours", "sounds", "arcs", "changes", "signs"),
)


@dataclass(frozen=True)
class Example:
    """A sentence that a guard speaks against, in a treebank and by a construction as small as can be.

    - `guard`: the guard's name;
    - `sentence`: a line of text, then a line for each word, ID FORM LEMMA UPOS FEATS HEAD DEPREL [MISC];
    - `starred`: what would be starred without the guard, and `gloss`, what it means or what else there is to say;
    - `detail`: what the guard says of it;
    - `beside`: what more the treebank has, sentences of the same kind; one with `{verb}` stands for as many as there
      are verbs in `verbs.txt`: they suffice to learn how English inflects, and none ends in d;
    - `language` (ISO 639-3), `pattern`, `target`, `settings`: the construction; `files`: those that its settings name.
    """

    guard: str
    sentence: str
    starred: str
    gloss: str
    detail: str
    beside: tuple[str, ...] = ()
    language: str = "eng"
    pattern: str = "V [upos=VERB]; V -[nsubj]-> S"
    target: str = "V"
    settings: str = "vary: {Number: [Sing, Plur]}"
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence as text."""
        return self.sentence.splitlines()[0]

    @property
    def construction(self) -> str:
        """The text of the construction file."""
        settings = [f"language: {self.language}", "treebanks: [UD_Example]", f"target: {self.target}"]
        comments = "\n".join(f"% {line}" for line in ["---", *settings, *self.settings.splitlines(), "---"])
        return f"{comments}\npattern {{ {self.pattern} }}\n"


def read_examples() -> list[Example]:
    """Return the examples of all guards, in the order of the registry; a guard of two modules has one in each."""
    verbs = (_FOLDER / "verbs.txt").read_text(encoding="utf-8").split()
    examples = []
    for name in _FILES:
        entries = yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
        entries.pop("shared", None)
        for guard, entry in entries.items():
            beside = tuple(
                sentence.replace("{verb}", verb)
                for sentence in entry.pop("beside", ())
                for verb in (verbs if "{verb}" in sentence else [""])
            )
            examples.append(Example(guard, beside=beside, **entry))
    return examples
