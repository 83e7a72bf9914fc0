"""What Latin letters lose: by scheme, the share of different words that are read back as they were written.

python benchmarks/latin.py [--treebanks FOLDER] [--sentences N]

Words are all forms but signs that have letters of the treebank's script, composed (NFC). Beside the share that is read
back stands that of words which no other is written like: what a dictionary could bring back. Schemes whose library is
not installed are left out. With `--sentences`, some of each treebank are written out.
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from starbank.errors import ConfigError
from starbank.transforms.romanisation import SCHEMES, Scheme, find_schemes, script_of
from starbank.treebanks import Treebank, open_stored

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "treebanks"
TREEBANKS = [
    *("UD_Arabic-PUD", "UD_Armenian-ArmTDP", "UD_Bulgarian-BTB", "UD_Chukchi-HSE", "UD_Georgian-GLC"),
    *("UD_Georgian-GNC", "UD_Greek-GDT", "UD_Hebrew-HTB", "UD_Hindi-PUD", "UD_Marathi-UFAL", "UD_Russian-PUD"),
    *("UD_Tamil-TTB", "UD_Ukrainian-IU", "UD_Urdu-UDTB"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=TREEBANKS, metavar="UD_NAME")
    parser.add_argument("--treebanks", type=Path, default=SHARED, help="a folder of treebanks")
    parser.add_argument("--sentences", type=int, default=0, help="how many of each treebank to write out")
    arguments = parser.parse_args()
    print("| treebank | words | scheme | read back | written as no other | such as |")
    print("| --- | ---: | --- | ---: | ---: | --- |")
    for name in arguments.names:
        treebank = open_stored(arguments.treebanks / name)
        words = words_of(treebank)
        for scheme in schemes(words, treebank.language):
            print(f"| {name} | {len(words)} | {scheme.name} | {measured(scheme, words)} |", flush=True)
        usual = find_schemes("auto", words, treebank.language)
        for text in treebank.sentences["text"].to_pylist()[: arguments.sentences]:
            print(f"\n{text}\n{reduce(lambda words, scheme: scheme.write(words), usual, text)}")


def words_of(treebank: Treebank) -> list[str]:
    """Return the different forms of a treebank that have letters of its script, but for signs."""
    tokens = treebank.tokens
    forms = tokens["form"].filter(pc.invert(pc.is_in(tokens["upos"], pa.array(["PUNCT", "SYM"]))))
    words = {unicodedata.normalize("NFC", form) for form in pc.unique(forms).to_pylist()}
    script = script_of(words)
    return sorted(word for word in words if any(script_of(letter) == script for letter in word))


def schemes(words: list[str], language: str | None) -> Iterator[Scheme]:
    """Yield the schemes that write the script of the words, and are installed."""
    for name in SCHEMES:
        try:
            yield find_schemes(name, words, language)[0]
        except ConfigError as error:
            if "needs the library" in str(error):
                print(f"{name}: left out, {error}", file=sys.stderr)


def measured(scheme: Scheme, words: list[str]) -> str:
    """Return the share of words that are read back, that of words that are written as no other, and some that err."""
    written = {word: scheme.write(word) for word in words}
    alike = Counter(written.values())
    own = [word for word in words if alike[written[word]] == 1]
    lost = [word for word in words if scheme.read and scheme.read(written[word]) != word]
    back = f"{1 - len(lost) / len(words):.2%}" if scheme.read else "–"
    shown = "; ".join(f"{word} {written[word]}" for word in lost[:: len(lost) // 4 + 1])
    return f"{back} | {len(own) / len(words):.2%} | {shown}"


if __name__ == "__main__":
    main()
