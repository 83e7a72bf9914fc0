"""Comments of the sentences, and what two of them say: `# sent_id` and `# text`."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.lines import Lines, spans


@dataclass(frozen=True)
class Comments:
    """Per sentence of a block: its comment lines, and the values of `sent_id` and `text`, null where missing."""

    lines: pa.ListArray
    sent_id: pa.StringArray
    text: pa.StringArray


def read_comments(lines: Lines) -> Comments:
    """Collect the comments of every sentence in `lines`, of which each has tokens; a repeated key counts once."""
    starts = np.flatnonzero(np.append(True, lines.rank[1:] != lines.rank[:-1])) if len(lines.rank) else lines.rank
    before = np.concatenate(([0], np.cumsum(lines.comment)))
    offsets = np.append(before[starts], before[-1])
    comments = lines.select(lines.comment)
    strings = comments.strings()
    return Comments(
        pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), strings),
        _values(comments, strings, offsets, "sent_id"),
        _values(comments, strings, offsets, "text"),
    )


def _values(comments: Lines, strings: pa.StringArray, offsets: np.ndarray, key: str) -> pa.StringArray:
    """Return the value of the first comment `# key = value` of each sentence, without white space around it."""
    prefix = f"# {key} = "
    index = np.flatnonzero(pc.starts_with(strings, prefix).to_numpy(zero_copy_only=False))
    sent, first = np.unique(np.searchsorted(offsets, index, side="right") - 1, return_index=True)
    index = index[first]
    values = pc.utf8_trim_whitespace(spans(comments.data, comments.start[index] + len(prefix), comments.end[index]))
    place = np.full(len(offsets) - 1, -1, dtype=np.int64)
    place[sent] = np.arange(len(sent))
    found = values.take(pa.array(place, mask=place < 0))
    missing = np.flatnonzero(place < 0)
    return _loosely(found, missing, strings, offsets, key) if len(missing) else found


def _loosely(
    found: pa.StringArray, missing: np.ndarray, strings: pa.StringArray, offsets: np.ndarray, key: str
) -> pa.StringArray:
    """Look again where the usual spelling was not found: white space around key and `=` may differ."""
    pattern = re.compile(rf"#\s*{key}\s*=\s*(.*?)\s*")
    values = found.to_pylist()
    for sentence in missing.tolist():
        for comment in strings[int(offsets[sentence]) : int(offsets[sentence + 1])].to_pylist():
            if match := pattern.fullmatch(comment):
                values[sentence] = match[1]
                break
    return pa.array(values, pa.string())
