"""Words of running text in any script."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# A vowel sign or an accent is part of its word, although `\w` leaves it out; so are the two joiners.
_MARKS = "".join(chr(code) for code in range(0x300, 0x1F000) if unicodedata.category(chr(code)).startswith("M"))
_LETTERS = rf"[\w{_MARKS}\u200c\u200d]"
_WORD = re.compile(rf"{_LETTERS}+|\S")
# Scripts that put no space between words: Thai, Lao, Burmese, Khmer, kana, Han.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?:(?![{_UNSPACED}]){_LETTERS})*")


def split_words(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, word) of each word of `text`: a run of letters, digits and marks, or one other character.

    The word is folded (NFC, no case), so that a capital at a sentence's beginning hides no frequency.

    >>> split_words("किताब, ETA-k")
    [(0, 5, 'किताब'), (5, 6, ','), (7, 10, 'eta'), (10, 11, '-'), (11, 12, 'k')]
    """
    return [(*match.span(), _fold(match.group())) for match in _WORD.finditer(text)]


def widen_to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the whole words that `text[start:end]` is in, where its script puts spaces between words.

    >>> widen_to_words("in der Haustür.", 7, 11)
    (7, 14)
    """
    inside = text[start:end]
    if _run(inside):
        start -= _run(text[:start][::-1])
    if _run(inside[::-1]):
        end += _run(text[end:])
    return start, end


def _run(text: str) -> int:
    """How many letters `text` begins with."""
    run = _RUN.match(text)
    return run.end() if run else 0


@cache
def _fold(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold()
