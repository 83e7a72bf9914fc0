"""Matches for people to read."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from starbank.grew.engine import Tables


def to_text(matches: pa.Table, treebank: Tables) -> Iterator[str]:
    """Yield each match as a line: the sentence, then each node with its CoNLL-U id and form, separated by tabs.

    `wiki_art_00190<TAB>V=7:ესმის<TAB>SUBJ=3:ჩვენ`; the root node is `0`.
    """
    words = treebank.tokens.select(["node", "id", "form"])
    columns = [matches["sent_id"].to_pylist()]
    for name in matches.column_names[2:]:
        if pa.types.is_integer(matches.schema.field(name).type):
            # An index into the words keeps the order of the matches, which a join would not.
            places = pc.index_in(matches[name], value_set=words["node"].combine_chunks())
            ids = pc.fill_null(words["id"].take(places), "0").to_pylist()
            forms = words["form"].take(places).to_pylist()
            columns.append([f"{name}={i}" + (f":{form}" if form else "") for i, form in zip(ids, forms, strict=True)])
        else:
            columns.append([f"{name}={edge['label']}" for edge in matches[name].to_pylist()])
    for row in zip(*columns, strict=True):
        yield "\t".join(row)
