"""What the comments of sentences tell: lines of `# key = value`."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import filled, integers, mask, take, texts, truths, whole

# The comment of a colorless sentence: how many content words in a hundred are others.
REPLACED = "replaced"
# That of a sentence of which words or endings were taken away: a checksum of the text with all of them.
FULL_TEXT = "full_text"


def read_number(sentences: pa.Table, key: str) -> pa.Array:
    """Return the whole number that a comment `# key = number` tells of each sentence, null where there is none."""
    comments = whole(sentences["comments"])
    lines = whole(comments.flatten())
    found = mask(pc.match_substring_regex(lines, rf"^#\s*{re.escape(key)}\s*=\s*[0-9]+\s*$"))
    owner = np.repeat(np.arange(len(comments)), filled(pc.list_value_length(comments), 0))
    told = pc.extract_regex(lines.filter(truths(found)), r"(?P<number>[0-9]+)\s*$").field("number").cast(pa.int64())
    place = np.full(len(comments), -1)
    place[owner[found]] = np.arange(int(found.sum()))
    return take(told, np.maximum(place, 0), place < 0) if len(told) else pa.nulls(len(comments), pa.int64())


def with_comment(sentences: pa.Table, key: str, values: np.ndarray) -> pa.Table:
    """Return the sentences with a comment `# key = value` at the end of those that they have, -1 for none."""
    comments = whole(sentences["comments"])
    count = filled(pc.list_value_length(comments), 0).astype(np.int64)
    added = np.flatnonzero(values >= 0)
    lines = texts([f"# {key} = {value}" for value in values[added].tolist()])
    old = np.repeat(np.arange(len(comments)), count)
    order = np.argsort(np.concatenate([old, added]), kind="stable")
    merged = take(pa.concat_arrays([whole(comments.flatten()), lines]), order)
    borders = np.append(0, np.cumsum(count + (values >= 0))).astype(np.int32)
    column = pa.ListArray.from_arrays(integers(borders), merged)
    return sentences.set_column(sentences.column_names.index("comments"), "comments", column)
