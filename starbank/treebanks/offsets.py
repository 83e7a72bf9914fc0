"""Where words stand in their sentence's text: character offsets, counted as Python counts (code points)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import filled, mask, numbers, offsets, strings, take, truths
from starbank.treebanks.trees import EMPTY, MULTIWORD, Rows

SPACE = ord(" ")


@dataclass(frozen=True)
class Alignment:
    """Texts of the sentences, whether they were rebuilt from tokens, and where rows start and end in them.

    `start` and `end` are -1 for a row without a place of its own.
    """

    text: pa.StringArray
    rebuilt: np.ndarray
    start: np.ndarray
    end: np.ndarray


def align(rows: Rows, form: pa.DictionaryArray, misc: pa.DictionaryArray, text: pa.StringArray) -> Alignment:
    """Find every token in its sentence's `text`, in order, with optional white space between two.

    A text that is null or does not align is replaced by the tokens' forms, joined by spaces but for `SpaceAfter=No`.
    Words of a multiword token get a span where their forms concatenate to the token's.
    """
    token, count, inner = _inner_words(rows)
    hidden = rows.kind == EMPTY
    hidden[inner] = True
    surface = np.flatnonzero(~hidden)
    sent = rows.sent[surface]
    visible = form if len(surface) == len(form) else take(form, surface)
    forms = visible.dictionary_decode()
    spaced = (np.diff(sent, append=-1) == 0) & ~_no_space_after(misc)[surface]
    borders = np.searchsorted(sent, np.arange(len(rows.first) + 1))
    joined = _join(forms, spaced, borders)
    length = numbers(pc.utf8_length(visible.dictionary)).astype(np.int64)[numbers(visible.indices)]
    place = np.cumsum(length + spaced) - length - spaced
    place -= np.repeat(place[borders[:-1]], np.diff(borders))
    # Most texts are their tokens joined by single spaces; the others are searched token by token.
    rebuilt = np.zeros(len(rows.first), dtype=bool)
    for sentence in np.flatnonzero(~mask(pc.equal(text, joined))).tolist():
        tokens = slice(int(borders[sentence]), int(borders[sentence + 1]))
        starts = _find_all(forms[tokens].to_pylist(), text[sentence].as_py())
        if starts is None:
            rebuilt[sentence] = True
        else:
            place[tokens] = starts
    start = np.full(len(rows.kind), -1, dtype=np.int64)
    end = start.copy()
    start[surface], end[surface] = place, place + length
    _place_inner_words(form, token, count, inner, start, end)
    text = pc.if_else(truths(rebuilt), joined, text) if rebuilt.any() else text
    return Alignment(text, rebuilt, start.astype(np.int32), end.astype(np.int32))


def _inner_words(rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows of multiword tokens, how many words each has, and the rows of these words."""
    token = np.flatnonzero(rows.kind == MULTIWORD)
    count = rows.minor[token] - rows.major[token] + 1
    begin = rows.word_start[rows.sent[token]] + rows.major[token] - 1 - np.cumsum(count) + count
    return token, count, rows.word_row[np.repeat(begin, count) + np.arange(count.sum())]


def _no_space_after(misc: pa.DictionaryArray) -> np.ndarray:
    hinted = mask(pc.match_substring_regex(misc.dictionary, r"(^|\|)SpaceAfter=No(\||$)"))
    result: np.ndarray = np.append(hinted, False)[filled(misc.indices, -1)]
    return result


def _join(forms: pa.StringArray, spaced: np.ndarray, borders: np.ndarray) -> pa.StringArray:
    """Return one text per sentence, whose forms lie between two `borders`; a form may be `spaced` from the next."""
    before = offsets(forms)
    place = before - before[0]
    place[1:] += np.cumsum(spaced, dtype=np.int32)
    joined = np.full(place[-1], SPACE, dtype=np.uint8)
    letters = np.ones(len(joined), dtype=bool)
    letters[place[1:][spaced] - 1] = False
    joined[letters] = np.frombuffer(forms.buffers()[2] or b"", dtype=np.uint8)[before[0] : before[-1]]
    return strings(place[borders], joined)


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


def _place_inner_words(
    form: pa.DictionaryArray, token: np.ndarray, count: np.ndarray, row: np.ndarray, start: np.ndarray, end: np.ndarray
) -> None:
    """Give places to the words of those multiword tokens that are nothing but their words side by side."""
    if not len(token):
        return
    first = np.cumsum(count) - count
    words = take(form, row).dictionary_decode()
    length = numbers(pc.utf8_length(words)).astype(np.int64)
    before = np.cumsum(length) - length
    place = before + np.repeat(start[token] - before[first], count)
    joined = strings(offsets(words)[np.append(first, len(row))], words.buffers()[2])
    fits = np.repeat(mask(pc.equal(joined, take(form, token).dictionary_decode())), count)
    start[row[fits]], end[row[fits]] = place[fits], (place + length)[fits]
