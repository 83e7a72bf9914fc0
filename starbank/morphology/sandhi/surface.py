"""Words beside one another as a reader sees them: multiword tokens that hide their words stand for these."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.words import covering
from starbank.treebanks.arrays import mask, numbers, take, whole

# The columns of tokens that are read.
READ = ("node", "sent", "id", "form", "lemma", "upos", "feats", "start")


def surface_words(tokens: pa.Table) -> pa.Table:
    """Return the words of a table of tokens that show in the text, in corpus order, with what stands beside them.

    Columns: `node`, `form`, `lemma`, `upos`, `feats`, `previous` and `following` (the forms beside the word,
    punctuation and multiword tokens among them, null at the edges of the sentence), `previous_upos`, `following_upos`.
    """
    word = mask(pc.match_substring_regex(whole(tokens["id"]), "^[0-9]+$"))
    cover = covering(tokens)
    hidden = (cover >= 0) & ~mask(tokens["start"].combine_chunks().is_valid())
    shown = word & ~hidden
    shown[cover[hidden]] = True
    row = np.flatnonzero(shown)
    sent = numbers(tokens["sent"])[row]
    same = np.diff(sent) == 0
    columns = {name: take(whole(tokens[name]), row) for name in ("node", "form", "lemma", "upos", "feats")}
    number = np.arange(len(row))
    for side, step, edge in (("previous", -1, np.append(False, same)), ("following", 1, np.append(same, False))):
        beside = np.clip(number + step, 0, max(len(row) - 1, 0))
        columns[side] = take(columns["form"], beside, null=~edge[: len(row)])
        columns[f"{side}_upos"] = take(columns["upos"], beside, null=~edge[: len(row)])
    return pa.table(columns).filter(pa.array(word[row]))
