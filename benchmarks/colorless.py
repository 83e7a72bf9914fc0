"""How long a colorless green treebank takes: a treebank repeated to so many words, derived once for each preset.

python benchmarks/colorless.py [FOLDER] [--words 300000]
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from copies import from_command_line

from starbank.transforms import derive
from starbank.transforms.presets import PRESETS
from starbank.treebanks import write_treebank


def main() -> None:
    _, large, words = from_command_line(__doc__, "UD_English-EWT")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        write_treebank(large, source)
        for preset in PRESETS:
            begun, spent = time.perf_counter(), time.process_time()
            derive("colorless", source, Path(folder) / preset, options={"preset": preset})
            print(
                f"{preset:<10} {words:,} words: {time.perf_counter() - begun:.1f} s, "
                f"{time.process_time() - spent:.1f} s of processor"
            )


if __name__ == "__main__":
    main()
