"""Comments of the sentences, and what two of them say: `# sent_id` and `# text`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import integers, mask, numbers, offsets, spans, take, texts, truths
from starbank.treebanks.lines import Lines


@dataclass(frozen=True)
class Comments:
    """The comment lines of each sentence of a block."""

    lines: pa.ListArray

    @cached_property
    def sent_id(self) -> pa.StringArray:
        """Each sentence's `sent_id`, null where it is missing."""
        return _values(self.lines.values, numbers(self.lines.offsets), "sent_id")

    @cached_property
    def text(self) -> pa.StringArray:
        """Each sentence's `text`, null where it is missing."""
        return _values(self.lines.values, numbers(self.lines.offsets), "text")


def read_comments(lines: Lines) -> Comments:
    """Collect the comments of every sentence in `lines`; of several with the same key, the first counts."""
    index = np.flatnonzero(lines.comment)
    borders = np.searchsorted(index, np.append(lines.first(), len(lines.rank)))
    content = spans(lines.data, lines.start[index], lines.end[index])
    return Comments(pa.ListArray.from_arrays(integers(borders.astype(np.int32)), content))


def _values(content: pa.StringArray, borders: np.ndarray, key: str) -> pa.StringArray:
    """Return the value of the first comment `# key = value` of each sentence, without white space around it.

    `borders` are the indices of the sentences' first comments, and the number of all.
    """
    prefix = f"# {key} = "
    index = np.flatnonzero(mask(pc.starts_with(content, prefix)))
    sent = np.searchsorted(borders, index, side="right") - 1
    first = np.diff(sent, prepend=-1) > 0
    index, sent = index[first], sent[first]
    begin = offsets(content)
    values = pc.utf8_trim_whitespace(spans(content.buffers()[2] or b"", begin[index] + len(prefix), begin[index + 1]))
    filled = numbers(pc.binary_length(values)) > 0
    if not filled.all():
        values, sent = values.filter(truths(filled)), sent[filled]
    if len(sent) == len(borders) - 1:
        return values
    place = np.full(len(borders) - 1, -1, dtype=np.int64)
    place[sent] = np.arange(len(sent))
    return _look_again(take(values, place, place < 0), content, borders, key)


def _look_again(column: pa.StringArray, content: pa.StringArray, borders: np.ndarray, key: str) -> pa.StringArray:
    """Fill what is null in a column where white space around key and `=` is not the usual."""
    pattern = re.compile(rf"#\s*{key}\s*=\s*(\S.*)", re.DOTALL)
    values = column.to_pylist()
    for sentence in np.flatnonzero(~mask(column.is_valid())).tolist():
        inside = content[int(borders[sentence]) : int(borders[sentence + 1])].to_pylist()
        values[sentence] = next(
            (match[1].rstrip() for comment in inside if (match := pattern.fullmatch(comment))), None
        )
    return texts(values)
