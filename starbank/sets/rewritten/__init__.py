"""Conditions that Grew commands make: matches -> changed graphs -> words without a form -> forms -> text.

`make_rewritten` makes, of the tables that `starbank/sets/__init__.py` names, `cells`, `against` and `conditions`, and

- `faults`: a row for each condition that cannot be made; `kind` (`commands`, `word`, `form` or `text`) and `detail` say
  why;
- `changes`: a row for each word of a starred condition whose form is another, with what it was;
- `surroundings`: a row for each starred condition, with the lemmas that are sought in the treebanks.
"""

from starbank.sets.rewritten.conditions import Rewritten, cut_rewritten, make_rewritten
from starbank.sets.rewritten.usage import Usage

__all__ = ["Rewritten", "Usage", "cut_rewritten", "make_rewritten"]
