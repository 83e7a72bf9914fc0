"""What could be starred in a treebank: constructions proposed from counts, and the files that a linguist edits.

`propose` looks at which features vary within lemmas, which words share their values far above chance, and which cases,
moods and mutations depend on an adposition, a subordinator or a relation; `choose` picks from these, and
`to_construction` is the text of a construction file.
"""

from starbank.pipeline.proposals.choose import choose
from starbank.pipeline.proposals.proposal import PHENOMENA, Proposal
from starbank.pipeline.proposals.propose import propose, weigh_guards
from starbank.pipeline.proposals.show import to_lines
from starbank.pipeline.proposals.write import to_construction

__all__ = ["PHENOMENA", "Proposal", "choose", "propose", "to_construction", "to_lines", "weigh_guards"]
