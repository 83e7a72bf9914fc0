"""The numbers that guards judge by, each with its reason."""

from __future__ import annotations

# A reading that is so many times rarer than what it is held against is taken for a slip of annotation: treebanks are
# right in some 95 to 99 of 100 words, and a true homonym is seldom rarer than one in five.
RARER = 5

# A share of one in twenty may all be slips; what is more frequent the language has.
SLIPS = 0.05

# Where fewer of a kind of controllers agree, the other form is an option of the grammar (Turkish plurals, Arabic
# things) rather than a slip of annotation, which would be one in twenty.
FIRM = 0.9

# Where most of a kind do not agree, there is no agreement at all, and the other values show none either; with fewer
# cases than this, chance alone could have it so.
MOSTLY = 0.5
ENOUGH_CASES = 10

# From this confidence on, a form that is predicted to look like another makes that one ambiguous. A guard may err on
# the safe side, so that even odds do.
LIKELY = 0.5

# A sign of suspicion by frequency needs a form that is seen so often.
FREQUENT = 10

# What decides a value further away than so many words is hard to keep in mind, for annotators too.
FAR = 8

# A reading that more than this share of the starred forms have tells nothing of one of them.
COMMON = 0.2

# What commands change must be obligatory: the upper end of the interval for the share of cases that have it the other
# way may not be larger than this. With no such case it takes some thirty of the first kind.
OBLIGATORY = 0.1

# Where fewer sentences than this begin with a small letter, or with a comma, those that do are the ends of others: torn
# by an abbreviation, a heading or the end of a line.
TORN = 0.05

# So many cases without one of another kind say that less than one in ten can be of that kind, with 95% confidence.
CERTAIN_CASES = 30

# A value that so few words of a kind have is no longer one that anybody gives to a word: one in a thousand.
RELIC = 1000
