"""The folder of a new project: settings and constructions of its own, and a Snakefile that uses Starbank's workflow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from starbank.files import require_free, write_text
from starbank.pipeline.beginning.choice import ships
from starbank.pipeline.proposals import propose, to_construction, weigh_guards
from starbank.shipped import shipped
from starbank.treebanks import open_treebank
from starbank.treebanks.places import find_conllu

_TEMPLATES = Path(__file__).parent
# Where it lies in the project, and here.
_FILES = {"Snakefile": "Snakefile", "config.yaml": "config.yaml", "README.md": "README.md", ".gitignore": "gitignore"}
_PROFILE = "profiles/default/profile.yaml"
# What is tried where neither a construction of the language nor its treebank is at hand.
_USUAL = "queries/universal/subject-verb-number.grew"


@dataclass(frozen=True)
class Beginning:
    """What a project begins with: a language (ISO 639-3), the treebanks to use for it, the release that they are of.

    Without treebanks its constructions run on those that they name.
    """

    language: str
    treebanks: Sequence[str]
    release: str


@dataclass(frozen=True)
class Begun:
    """The constructions of a new project, as paths in it, and the command that tries the first of them out."""

    constructions: Sequence[str]
    check: str


def begin(folder: Path, beginning: Beginning) -> Begun:
    """Write a project to `folder`.

    Its constructions are those that Starbank has for the language; else what the first of the treebanks suggests; else,
    where that is not on this machine, one that many languages have. Raises `UsageError` where a file would be
    overwritten.
    """
    constructions, others = _queries(beginning)
    names = ", ".join(beginning.treebanks)
    values = {
        "language": beginning.language,
        "release": beginning.release,
        "treebanks": f"{beginning.language}: [{names}]" if names else "",
        "check": f"starbank check {next(iter(constructions))}",
    }
    texts = {
        name: Template((_TEMPLATES / file).read_text(encoding="utf-8")).substitute(values)
        for name, file in _FILES.items()
    }
    texts |= {_PROFILE: shipped(_PROFILE).read_text(encoding="utf-8")} | constructions | others
    files = {folder / name: text for name, text in texts.items()}
    require_free(files)
    for path, text in files.items():
        write_text(text, path)
    return Begun(list(constructions), values["check"])


def _queries(beginning: Beginning) -> tuple[dict[str, str], dict[str, str]]:
    """Return the texts of constructions by their paths in the project, and those of what lies beside them."""
    home = f"queries/{beginning.language}"
    if ships(beginning.language):
        constructions = _texts(sorted(shipped(home).glob("*.grew")))
        used = "".join(constructions.values())
        tables = [file for file in sorted(shipped(home).glob("lexicon/*")) if f"lexicon/{file.name}" in used]
        return constructions, _texts(tables)
    treebank = beginning.treebanks[0]
    if find_conllu(treebank) and (proposals := propose(opened := open_treebank(treebank))):
        best = weigh_guards(proposals[0], opened)
        return {f"{home}/{best.name}.grew": to_construction(best, opened)}, {}
    named = f"% language: {beginning.language}\n% treebanks: [{', '.join(beginning.treebanks)}]"
    text = shipped(_USUAL).read_text(encoding="utf-8").replace("% treebanks: all", named)
    return {f"{home}/{Path(_USUAL).name}": text}, {}


def _texts(files: Sequence[Path]) -> dict[str, str]:
    return {str(file.relative_to(shipped(""))): file.read_text(encoding="utf-8") for file in files}
