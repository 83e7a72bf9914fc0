"""Words as rows of letters, many at once: hashes of their parts, and which of their letters are vowels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from starbank.treebanks.arrays import integers, numbers

# One vowel sign after another, which no Indic script allows: Hindi उठाी, put together by rule, for उठाई.
MISSPELT = "[\u093e-\u094c]{2}"

_BASE = np.uint64(0x9E3779B97F4A7C15)
# So many words, letter by letter, stay near the processor.
_AT_ONCE = 4096


def mix(*parts: np.ndarray | int) -> np.ndarray:
    """Return one hash (uint64) of whole numbers or hashes, which may be arrays that NumPy can broadcast."""
    value = np.asarray(np.uint64(0xCBF29CE484222325))
    with np.errstate(over="ignore"):
        for part in parts:
            # Multiplied, for what is mixed already and a part, mixed on its own, must not be exchangeable.
            value = (value * _BASE ^ np.asarray(part).astype(np.uint64)) * np.uint64(0xFF51AFD7ED558CCD)
            value = (value ^ (value >> np.uint64(32))) * np.uint64(0xC4CEB9FE1A85EC53)
            value = value ^ (value >> np.uint64(29))
    return value


def distinct(hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the distinct ones of some hashes or numbers, in order, where each is found, and which of them each is.

    Nobody asks where it is found first; so this takes a third of the time of `np.unique`.
    """
    order = np.argsort(hashes)
    ordered = hashes[order]
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(hashes)]
    number = np.empty(len(hashes), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return ordered[new], order[new], number


class Letters:
    """Words as rows of letters, with the hashes of all their parts.

    `codes` (uint32, words by letters) holds their characters and 0 past their ends; `length` is in characters.
    """

    def __init__(self, codes: np.ndarray) -> None:
        self.codes, self.length = codes, np.count_nonzero(codes, axis=1)
        words, width = codes.shape
        letters = mix(np.arange(int(codes.max(initial=0)) + 1))
        self._hashes = np.zeros((words, width + 1), dtype=np.uint64)
        self._powers = np.ones(width + 1, dtype=np.uint64)
        with np.errstate(over="ignore"):
            for place in range(width):
                self._powers[place + 1] = self._powers[place] * _BASE
            for start in range(0, words, _AT_ONCE):
                block = codes[start : start + _AT_ONCE].T
                hashes = np.zeros((width + 1, block.shape[1]), dtype=np.uint64)
                for place in range(width):
                    np.multiply(hashes[place], _BASE, out=hashes[place + 1])
                    hashes[place + 1] += letters[block[place]]
                self._hashes[start : start + _AT_ONCE] = hashes.T

    def part(self, word: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the hash of the letters from `start` to `end` of the word of each row."""
        with np.errstate(over="ignore"):
            part: np.ndarray = self._hashes[word, end] - self._hashes[word, start] * self._powers[end - start]
        return part

    def ending(self, word: np.ndarray, size: int) -> np.ndarray:
        """Return the hash of the last `size` letters, which differs where the word has no more than those."""
        length = self.length[word]
        part = self.part(word, np.maximum(length - size, 0), length)
        return np.where(size > length, mix(part, 1), part)

    def endings(self, most: int) -> np.ndarray:
        """Return the hashes of the last letters of all words: words by numbers of letters, from 0 to `most`."""
        word = np.arange(len(self.codes))
        return np.stack([self.ending(word, size) for size in range(most + 1)], axis=1)

    def letter(self, word: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Return the character at a place, counted from 1; 0 before the first."""
        return np.where(place > 0, self.codes[word, np.maximum(place - 1, 0)], 0)


class Words(Letters):
    """Texts without the character NUL, as rows of letters."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        fixed = np.array([*self.texts, "-"], dtype=str)
        super().__init__(fixed.view(np.uint32).reshape(len(fixed), -1)[:-1])


def find_vowels(texts: Iterable[str]) -> frozenset[str]:
    """Tell the vowels of a language from which letters stand beside which: vowels shun vowels.

    The algorithm is Sukhotin's (B. V. Sukhotin 1962, Eksperimental'noe vydelenie klassov bukv s pomoščju EVM).
    """
    codes = Words(sorted(set(texts))).codes
    letters, number = np.unique(codes, return_inverse=True)
    number = number.reshape(codes.shape)
    pairs = integers((number[:, :-1] * len(letters) + number[:, 1:])[codes[:, 1:] > 0]).value_counts()
    first, second = np.divmod(numbers(pairs.field("values")), max(len(letters), 1))
    apart = first != second
    first, second, count = first[apart], second[apart], numbers(pairs.field("counts"))[apart]
    beside = np.concatenate([first, second]), np.concatenate([second, first]), np.concatenate([count, count])
    sums = np.zeros(len(letters), dtype=np.int64)
    np.add.at(sums, beside[0], beside[2])
    vowels: list[int] = []
    while sums.max(initial=0) > 0:
        # Of letters with the same sum the one that Unicode has last goes first.
        vowels.append(len(sums) - 1 - int(sums[::-1].argmax()))
        near = beside[0] == vowels[-1]
        np.subtract.at(sums, beside[1][near], 2 * beside[2][near])
        sums[vowels] = 0
    return frozenset(map(chr, letters[vowels].tolist()))


class Vowels:
    """What words are without regard to which vowel, and what their vowels are without the rest."""

    def __init__(self, vowels: Iterable[str]) -> None:
        self.letters = frozenset(vowels)
        self._codes = np.array(sorted(map(ord, self.letters)), dtype=np.uint32)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vowels) and self.letters == other.letters

    def __hash__(self) -> int:
        return hash(self.letters)

    def merged(self, words: Letters) -> Letters:
        """Return the words with all vowels made one: the same in `talossa` and `kylässä` is the ending."""
        return Letters(np.where(np.isin(words.codes, self._codes), np.uint32(ord("\ufffd")), words.codes))

    def present(self, words: Letters) -> np.ndarray:
        """Return which vowels each word has: truth values, words by vowels."""
        columns = [(words.codes == code).any(axis=1) for code in self._codes]
        return np.stack(columns, axis=1) if columns else np.zeros((len(words.codes), 0), dtype=bool)

    def contexts(self, words: Letters) -> np.ndarray:
        """Return what a vowel that is to be added could follow, from coarse to fine: hashes, words by six."""
        word = np.arange(len(words.codes))
        place = np.where(np.isin(words.codes, self._codes), np.arange(1, words.codes.shape[1] + 1), 0)
        last = place.max(axis=1, initial=0)
        before = np.where(place < last[:, None], place, 0).max(axis=1, initial=0)
        final = (last == words.length).astype(np.uint64)
        vowel, vowel_before = words.letter(word, last), words.letter(word, before)
        letter, letter_before = words.letter(word, words.length), words.letter(word, words.length - 1)
        columns = [
            mix(np.zeros(len(word))),
            mix(final),
            mix(vowel, final),
            mix(vowel, letter),
            mix(vowel, letter, letter_before),
            mix(vowel, vowel_before, letter, letter_before),
        ]
        return np.stack(columns, axis=1)
