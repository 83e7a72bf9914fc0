"""How often a form is wrong beside the next word: in treebanks, and in colorless green versions of them.

python benchmarks/sandhi.py [--treebanks FOLDER] [--code LANGUAGE …]

The rules are of grammars, and know nothing of what Starbank learns; what only a dictionary tells (French h, English u)
is not counted. `own` is the share of wrong places in the treebank itself.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from starbank.transforms import derive
from starbank.treebanks import Treebank, open_stored, read_conllu, write_treebank

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "treebanks"


@dataclass(frozen=True)
class Rule:
    """Before words that begin so the first forms are right, before those that begin so the second; in small letters."""

    first: str
    before: str
    second: str
    before_second: str


_CONSONANT = "[bcćčdďfghjklłmnńňprřsśštťvwzźżž]"
_GREEK_STOP = "[αάεέηήιίοόυύωώκπτξψ]|γκ|μπ|ντ|τσ|τζ"
_GREEK_OTHER = "(?!γκ|μπ|ντ|τσ|τζ)[βγδζθλμνρσφχ]"
_ACUTE = "άέήίόύώΐΰ"
_PLAIN, _REST = f"[^{_ACUTE}]*", "[βγδζθκλμνξπρσςτφχψ]*"
_ACCENT = f"(?>[αε]ύ|ού|αί|εί|οί|υί|[{_ACUTE}])"
_NUCLEUS = f"{_REST}(?>αι|ει|οι|υι|ου|αυ|ευ|[αεηιουωϊϋ])"
_THIRD_SYLLABLE = f"{_PLAIN}{_ACCENT}{_NUCLEUS}{_NUCLEUS}{_REST}"
_TWO_ACCENTS = f"{_PLAIN}{_ACCENT}{_PLAIN}[{_ACUTE}]{_REST}"
_ENCLITIC = "(?:μου|σου|του|της|μας|σας|τους)/PRON"
RULES: dict[str, tuple[str, tuple[Rule, ...]]] = {
    "eng": ("UD_English-EWT", (Rule("a", "[bcdfgjklmnpqrstvwyz]", "an", "[aio](?!ne)|e(?!u|w)"),)),
    "fra": (
        "UD_French-PUD",
        (Rule("le|la|de|que|ne|se|je|me", "[bcdfgjklmnpqrstvwxz]", "(?:l|d|qu|n|s|j|m)['’]", "[aeiouéèêàâîôœ]"),),
    ),
    "ita": (
        "UD_Italian-PUD",
        (
            Rule("la|una", "[bcdfgjklmnpqrstvwxz]", "(?:l|un)['’]", "[aeiou]"),
            Rule("il|un|i|dei|del|nel|al", "[bcdfgjklmqrtv]|p(?!s)", "lo|uno|gli|degli|dello|nello", "z|s[ctpbdfgmv]"),
        ),
    ),
    "hun": ("UD_Hungarian-Szeged", (Rule("a", "[bcdfghjklmnpqrstvwxz]", "az", "[aáeéiíoóöőuúüű]"),)),
    "slv": (
        "UD_Slovenian-SSJ",
        (Rule("z", "[^cčfhkpsštwxy\\W\\d_]", "s", "[cčfhkpsšt]"), Rule("k", "[^gk\\W\\d_]", "h", "[gk]")),
    ),
    "bul": (
        "UD_Bulgarian-BTB",
        (Rule("с", "[^сз\\W\\d_]", "със", "[сз]"), Rule("в", "[^вф\\W\\d_]", "във", "[вф]")),
    ),
    "ell": (
        "UD_Greek-GDT",
        (Rule("τη|στη|μη|δε", _GREEK_OTHER, "την|στην|μην|δεν", _GREEK_STOP),),
    ),
    # An accent on the third syllable from the end, and a second one before an enclitic.
    "ell accents": (
        "UD_Greek-GDT",
        (
            Rule(_THIRD_SYLLABLE, "(?!)", f"(?!{_THIRD_SYLLABLE}$).*[{_ACUTE}].*", _ENCLITIC),
            Rule("(?!)", f"(?!{_ENCLITIC})", _TWO_ACCENTS, _ENCLITIC),
        ),
    ),
    "pol": (
        "UD_Polish-PDB",
        (
            Rule("z", "[^sśzźżwlmrd\\W\\d_]|[sśzźż][aeiouyóąę]", "ze", f"(?:s(?!z)|ś|z|ź|ż){_CONSONANT}"),
            Rule("w", "[^wf\\W\\d_]|[wf][aeiouyóąę]", "we", f"[wf]{_CONSONANT}"),
        ),
    ),
    "tam": (
        "UD_Tamil-TTB",
        (
            Rule("(?!)", "[^க]", "[^ ]*க்", "க"), Rule("(?!)", "[^ச]", "[^ ]*ச்", "ச"),
            Rule("(?!)", "[^த]", "[^ ]*த்", "த"), Rule("(?!)", "[^ப]", "[^ ]*ப்", "ப"),
        ),
    ),
    "spa": ("UD_Spanish-PUD", (Rule("y", "[^ihy\\W\\d_]", "e", "h?i(?!e)"), Rule("o", "[^oh\\W\\d_]", "u", "h?o"))),
    "ces": (
        "UD_Czech-PUD",
        (
            Rule("v", "[^vfws\\W\\d_]|[vf][aeiouyáéíóúůýě]", "ve", f"[vf]{_CONSONANT}"),
            Rule("z", "[^szšž\\W\\d_]|[szšž][aeiouyáéíóúůýě]", "ze", f"[szšž]{_CONSONANT}"),
        ),
    ),
    "rus": (
        "UD_Russian-PUD",
        (
            Rule("о", "[бвгджзклмнпрстфхцчшщ]", "об", "[аиоуэ]"),
            Rule("с", "[^сзшжщмвл\\W\\d_]|[сзшж][аеиоуыэюя]", "со", "[сзшж][бвгдклмнпрстфхцчшщ]"),
            Rule("в", "[^вф\\W\\d_]|[вф][аеиоуыэюя]", "во", "[вф][бвгдклмнпрстфхцчшщ]"),
        ),
    ),
}  # fmt: skip


def places(treebank: Treebank) -> Iterator[tuple[str, str]]:
    """Yield each word or multiword token with the next one and its part of speech: `an`, `owl/NOUN`."""
    rows = treebank.tokens.select(["sent", "id", "form", "upos"]).to_pylist()
    shown = []
    until = (-1, 0)
    for row in rows:
        if "." in row["id"]:
            continue
        first, _, last = row["id"].partition("-")
        if last:
            until = (row["sent"], int(last))
        elif row["sent"] == until[0] and int(first) <= until[1]:
            continue
        shown.append((row["sent"], row["form"].lower(), row["upos"]))
    for (sent, form, _), (next_sent, following, upos) in pairwise(shown):
        if sent == next_sent:
            yield form, f"{following}/{upos}"


def count(treebank: Treebank, rules: tuple[Rule, ...]) -> tuple[int, int]:
    """Return how many places the rules tell of, and in how many of them the other form stands."""
    told = wrong = 0
    for form, following in places(treebank):
        for rule in rules:
            first, second = (re.fullmatch(pattern, form) is not None for pattern in (rule.first, rule.second))
            if not (first or second):
                continue
            before = [re.match(pattern, following) is not None for pattern in (rule.before, rule.before_second)]
            if before[0] != before[1]:
                told += 1
                wrong += first if before[1] else second
    return told, wrong


def changed(treebank: Treebank, source: Treebank) -> float:
    """Return the share of content words that are others."""
    content = pc.is_in(source.tokens["upos"], value_set=pa.array(["NOUN", "PROPN", "VERB", "ADJ", "ADV"]))
    other = pc.not_equal(pc.utf8_lower(source.tokens["form"]), pc.utf8_lower(treebank.tokens["form"]))
    return float(pc.sum(pc.and_(content, other)).as_py() / pc.sum(content).as_py())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebanks", type=Path, default=SHARED)
    parser.add_argument("--code", nargs="*", default=list(RULES))
    parser.add_argument("--preset", default="strict")
    options = parser.parse_args()
    print("language    places  own wrong      colorless: places  wrong          content words changed")
    for code in options.code:
        name, rules = RULES[code]
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / name
            write_treebank(read_conllu([options.treebanks / name]), source)
            stored = open_stored(source)
            made, _ = derive("colorless", source, Path(folder) / "made", options={"preset": options.preset})
            told, wrong = count(stored, rules)
            made_told, made_wrong = count(made, rules)
            share = changed(made, stored)
        print(
            f"{code:<11} {told:>6}  {wrong:>4} {wrong / max(told, 1):>7.2%}  {made_told:>15}  {made_wrong:>4}"
            f" {made_wrong / max(made_told, 1):>7.2%}  {share:>18.1%}"
        )


if __name__ == "__main__":
    main()
