"""How long mined agreement takes: a treebank repeated to so many words, its arcs, its patterns, its items.

python benchmarks/mining.py [FOLDER] [--words 300000]
"""

from __future__ import annotations

import time
from pathlib import Path

import pyarrow.compute as pc
from copies import from_command_line

from starbank.grew import Engine
from starbank.morphology import Lexicon, build_lexicon
from starbank.pipeline.generators import load_generator, run_generator, with_covariates
from starbank.queries.constructions import read_construction
from starbank.sets.mining import find_arcs, find_patterns

ROOT = Path(__file__).resolve().parent.parent
QUERY = ROOT / "queries" / "universal" / "distant-agreement-number.grew"


def main() -> None:
    treebank, large, words = from_command_line(__doc__, "UD_Spanish-PUD")
    construction = read_construction(QUERY)
    lexicon = Lexicon(build_lexicon([treebank]))
    begun = time.perf_counter()
    matches = with_covariates(construction, Engine(large))
    searched = time.perf_counter()
    arcs = find_arcs(large, matches["GOV"].combine_chunks(), matches["DEP"].combine_chunks(), "Number")
    patterns = find_patterns(arcs.filter(pc.and_(arcs["projective"], pc.greater(arcs["length"], 3))), 0.001, 2)
    mined = time.perf_counter()
    suite = run_generator(load_generator(construction), [construction], [matches], large, lexicon)[0]
    made = time.perf_counter()
    items = suite.items.num_rows
    print(f"{words:,} words: {len(arcs):,} arcs found in {searched - begun:.1f} s")
    speed = len(arcs) / (mined - searched)
    print(f"{len(patterns)} patterns of them in {mined - searched:.2f} s, {speed:,.0f} arcs a second")
    print(
        f"{items:,} items, nonce versions among them, in {made - mined:.1f} s, {items / (made - mined):,.0f} a second"
    )


if __name__ == "__main__":
    main()
