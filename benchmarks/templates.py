"""How many different items a second come from templates, on one core, after the space is counted.

python benchmarks/templates.py
"""

from __future__ import annotations

import time
from pathlib import Path

from starbank.queries.templates import read_template
from starbank.sets.templates import Space
from starbank.sets.templates.draw import draw
from starbank.sets.templates.sentences import identity

QUERIES = Path(__file__).resolve().parents[1] / "queries"
NAMES = (
    "eus/bhs/S-S_IO_DO_V_AUX",
    "hin/bhs/S_ne_PossPRN_PossN_O_V",
    "swa/bhs/N_of_Poss_D_AP_V_ni_AN",
    "eng/clams/object-relative",
)
ITEMS = 10_000


def main() -> None:
    for name in NAMES:
        begun = time.process_time()
        template = read_template(QUERIES / f"{name}.template")
        space = Space(template)
        counted = time.process_time()
        drawn = draw(space, ITEMS, "0", lambda choices, template=template: identity(template, choices))
        rate = len(drawn) / (time.process_time() - counted)
        print(f"{name}: {space.size:,} sentences counted in {counted - begun:.2f} s, {rate:,.0f} items/s")


if __name__ == "__main__":
    main()
