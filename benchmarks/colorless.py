"""How long a colorless green treebank takes: a treebank repeated to so many words, derived once for each preset.

python benchmarks/colorless.py [FOLDER] [--words 300000]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from starbank.transforms import copy_sentences, derive
from starbank.transforms.presets import PRESETS
from starbank.treebanks import read_conllu, write_treebank

ROOT = Path(__file__).resolve().parent.parent


def default_folder() -> Path:
    """Return a real treebank beside the repository, or else the bundled sample."""
    real = ROOT.parent / "shared" / "treebanks" / "UD_English-EWT"
    return real if real.is_dir() else ROOT / "treebanks" / "sample" / "UD_English-Sample"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=default_folder())
    parser.add_argument("--words", type=int, default=300_000)
    options = parser.parse_args()
    treebank = read_conllu([options.folder])
    words = sum(file["words"] for file in treebank.info["files"])
    copies = -(-options.words // words)
    large = copy_sentences(treebank, [f"-{number}" for number in range(copies)])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        write_treebank(large, source)
        for preset in PRESETS:
            begun, spent = time.perf_counter(), time.process_time()
            derive("colorless", source, Path(folder) / preset, options={"preset": preset})
            print(
                f"{preset:<10} {words * copies:,} words: {time.perf_counter() - begun:.1f} s, "
                f"{time.process_time() - spent:.1f} s of processor"
            )


if __name__ == "__main__":
    main()
