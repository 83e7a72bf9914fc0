"""Where words stand in their sentence's text: character offsets, counted as Python counts (code points)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.lines import spans
from starbank.treebanks.trees import EMPTY, MULTIWORD, Rows, code


@dataclass(frozen=True)
class Alignment:
    """Texts of the sentences, whether they were rebuilt from tokens, and where rows start and end in them."""

    text: pa.StringArray
    rebuilt: np.ndarray
    start: pa.Array
    end: pa.Array


def align(rows: Rows, form: pa.StringArray, misc: pa.StringArray, text: pa.StringArray) -> Alignment:
    """Find every token in its sentence's `text`, in order, with optional white space between two.

    A text that is null or does not align is replaced by the tokens' forms, joined by spaces but for `SpaceAfter=No`.
    Words of a multiword token get a span where their forms concatenate to the token's.
    """
    surface = np.flatnonzero((rows.kind != EMPTY) & ~_covered(rows))
    sent = rows.sent[surface]
    forms = form.take(pa.array(surface))
    last = np.append(sent[1:] != sent[:-1], True)
    spaced = ~last & ~_no_space_after(misc.take(pa.array(surface)))
    begin = np.searchsorted(sent, np.arange(len(rows.first)))
    rebuilt_text = _join(forms, spaced, begin)
    length = pc.utf8_length(forms).to_numpy().astype(np.int64)
    place = np.cumsum(length + spaced) - length - spaced
    place -= place[begin][sent]
    rebuilt = np.zeros(len(rows.first), dtype=bool)
    texts: dict[int, str] = {}
    unequal = ~pc.fill_null(pc.equal(text, rebuilt_text), False).to_numpy(zero_copy_only=False)
    ends = np.append(begin[1:], len(surface))
    for sentence in np.flatnonzero(unequal).tolist():
        tokens = slice(int(begin[sentence]), int(ends[sentence]))
        found = _find_all(forms[tokens].to_pylist(), text[sentence].as_py())
        if found is None:
            rebuilt[sentence] = True
            texts[sentence] = rebuilt_text[sentence].as_py()
        else:
            place[tokens] = found
    if texts:
        text = pc.if_else(pa.array(rebuilt), rebuilt_text, text)
    start = np.full(len(rows.kind), -1, dtype=np.int64)
    end = start.copy()
    start[surface], end[surface] = place, place + length
    _place_inner_words(rows, form, start, end)
    nowhere = start < 0
    return Alignment(
        text, rebuilt, pa.array(start.astype(np.int32), mask=nowhere), pa.array(end.astype(np.int32), mask=nowhere)
    )


def _covered(rows: Rows) -> np.ndarray:
    """Return which rows are words of a multiword token."""
    token = np.flatnonzero(rows.kind == MULTIWORD)
    begin = rows.word_start[rows.sent[token]]
    change = np.zeros(len(rows.word_row) + 1, dtype=np.int8)
    change[begin + rows.major[token] - 1] += 1
    change[begin + rows.minor[token]] -= 1
    covered = np.zeros(len(rows.kind), dtype=bool)
    covered[rows.word_row] = np.cumsum(change[:-1]) > 0
    return covered


def _no_space_after(misc: pa.StringArray) -> np.ndarray:
    codes, distinct = code(misc)
    return np.array(["SpaceAfter=No" in value.split("|") for value in distinct], dtype=bool)[codes]


def _join(forms: pa.StringArray, spaced: np.ndarray, begin: np.ndarray) -> pa.StringArray:
    """Return one text per sentence; `begin` says which form is its first."""
    separators = pa.array(["", " "]).take(pa.array(spaced.astype(np.int8)))
    pieces = pc.binary_join_element_wise(forms, separators, "")
    offsets = np.frombuffer(pieces.buffers()[1], dtype=np.int32)[: len(pieces) + 1]
    borders = pa.py_buffer(np.ascontiguousarray(offsets[np.append(begin, len(pieces))]))
    return pa.StringArray.from_buffers(len(begin), borders, pieces.buffers()[2])


def _find_all(forms: list[str], text: str | None) -> list[int] | None:
    """Return where each form starts in `text`, or None where anything but white space would be left over."""
    if text is None:
        return None
    starts, position = [], 0
    for form in forms:
        start = text.find(form, position)
        if start < 0 or not _is_blank(text[position:start]):
            return None
        starts.append(start)
        position = start + len(form)
    return starts if _is_blank(text[position:]) else None


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _place_inner_words(rows: Rows, form: pa.StringArray, start: np.ndarray, end: np.ndarray) -> None:
    token = np.flatnonzero(rows.kind == MULTIWORD)
    if not len(token):
        return
    begin = rows.word_start[rows.sent[token]]
    first, last = begin + rows.major[token] - 1, begin + rows.minor[token] - 1
    words = form.take(pa.array(rows.word_row))
    offsets = np.frombuffer(words.buffers()[1], dtype=np.int32)[: len(words) + 1]
    joined = spans(words.buffers()[2], offsets[first], offsets[last + 1])
    fits = pc.equal(joined, form.take(pa.array(token))).to_numpy(zero_copy_only=False)
    length = pc.utf8_length(words).to_numpy().astype(np.int64)
    before = np.cumsum(length) - length
    token, first, last = token[fits], first[fits], last[fits]
    count = last - first + 1
    word = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(count.sum())
    row = rows.word_row[word]
    start[row] = np.repeat(start[token] - before[first], count) + before[word]
    end[row] = start[row] + length[word]
