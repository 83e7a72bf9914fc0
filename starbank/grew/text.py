"""Matches for people to read."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from starbank.grew.engine import Tables
from starbank.grew.output import words_of


def to_text(matches: pa.Table, treebank: Tables) -> Iterator[str]:
    """Yield each match as a line: the sentence, each node with its CoNLL-U id and form, each edge with its label.

    `wiki_art_00190<TAB>V=7:ესმის<TAB>SUBJ=3:ჩვენ<TAB>e=nsubj`; the root node is `0`, a label that is not there empty.
    """
    columns = [matches["sent_id"].to_pylist()]
    for name in matches.column_names[2:]:
        if pa.types.is_integer(matches.schema.field(name).type):
            words = zip(*words_of(matches[name].combine_chunks(), treebank), strict=True)
            columns.append([f"{name}={i}" + (f":{form}" if form else "") for i, form in words])
        else:
            columns.append([f"{name}={edge['label'] or ''}" for edge in matches[name].to_pylist()])
    for row in zip(*columns, strict=True):
        yield "\t".join(row)
