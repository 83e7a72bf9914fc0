"""Mining: which places of a treebank's sentences show a feature on two words that always agree in it.

Gulordava, Bojanowski, Grave, Linzen & Baroni 2018, Colorless green recurrent networks dream hierarchically, NAACL.
"""

from starbank.sets.mining.arcs import find_arcs
from starbank.sets.mining.instances import choose, rematch
from starbank.sets.mining.nonce import beside, make_nonce
from starbank.sets.mining.patterns import balance, find_patterns

__all__ = ["balance", "beside", "choose", "find_arcs", "find_patterns", "make_nonce", "rematch"]
