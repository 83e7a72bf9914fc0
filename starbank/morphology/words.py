"""The words of a treebank, with what decides whether and where a word's form may stand for a cell of its paradigm."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.treebanks.arrays import coded, filled, mask, numbers, take, texts, truths, whole
from starbank.treebanks.features import parse_features

# The columns of tokens and of sentences that describe words.
READ = (
    ("node", "sent", "id", "position", "form", "lemma", "upos", "feats", "head", "deprel", "start", "end"),
    ("sent", "text"),
)

_CODED = ("upos", "feats", "deprel")

# Relations whose members show their inflection together, as a rule on the last of them: ჯონ სმითმა "John Smith" (Erg).
_NAME = re.compile("(^|:)(flat|fixed|goeswith|name)(:|$)")
_AGREEING = frozenset({"amod", "det", "nummod", "compound"})
# A verb may govern an oblique as it does an object; then it is no adverbial.
_ADVERBIAL = frozenset({"advmod", "obl"})
_GOVERNED = frozenset({"obl:agent", "obl:arg"})
_NO_WORDS = frozenset({"PUNCT", "SYM", "X"})
_NOT_PLAIN = frozenset({"Abbr", "Foreign", "Typo"})


def describe_words(tokens: pa.Table, sentences: pa.Table) -> pa.Table:
    """Return one row per word, in corpus order, from the tables of a treebank or of some of its sentences.

    Columns: `node`, `form`, `lemma`, `upos`, `feats` and

    - `plain`: it is a word of the language, neither misspelt, foreign, abbreviated nor written with digits;
    - `initial`: nothing but punctuation precedes it in the sentence;
    - `multiword_token`: the form of the multiword token that it is a part of, or null;
    - `glued`: a letter, mark or digit of another token touches it; null where the text does not show the word;
    - `in_name`: more of its name follows, or of a fixed expression;
    - `use`: `attributive` (it agrees within a noun phrase), `adverbial` (a bare oblique) or null (anything else).
    """
    # The few texts of some columns are asked about again and again.
    column = {name: (coded if name in _CODED else whole)(tokens[name]) for name in READ[0]}
    cover = covering(tokens)
    described = {name: tokens[name] for name in ("node", "form", "lemma", "upos", "feats")} | {
        "plain": _plain(column),
        "initial": _initial(column),
        "multiword_token": take(column["form"], cover, null=cover < 0),
        "glued": _glued(column, sentences),
        **_places(column, head_rows(tokens)),
    }
    return pa.table(described).filter(column["position"].is_valid())


def covering(tokens: pa.Table) -> np.ndarray:
    """Return for each row of `tokens` the row of the multiword token that it is a word of, -1 for all others."""
    ids = tokens["id"].combine_chunks()
    words = np.flatnonzero(mask(pc.ascii_is_decimal(ids)))
    multiword = np.flatnonzero(mask(pc.match_substring(ids, "-")))
    ends = pc.split_pattern(take(ids, multiword), "-").flatten().cast(pa.int64())
    first, last = numbers(ends).reshape(-1, 2).T
    lengths = last - first + 1
    # The words of a multiword token are those that follow its row.
    begin = np.repeat(np.searchsorted(words, multiword) - np.cumsum(lengths) + lengths, lengths)
    source = np.full(len(ids), -1, dtype=np.int64)
    source[words[begin + np.arange(len(begin))]] = np.repeat(multiword, lengths)
    return source


def head_rows(tokens: pa.Table) -> np.ndarray:
    """Return the row of each token's head, -1 where it has none or the root."""
    node = numbers(tokens["node"])
    head = tokens["head"].combine_chunks()
    head_node = filled(head, -1)
    place = np.minimum(np.searchsorted(node, head_node), len(node) - 1)
    return np.where((node[place] == head_node) & mask(head.is_valid()), place, -1)


def _by_value(array: pa.Array, test: Callable[[str], bool], null: bool = False) -> np.ndarray:
    """Return by row what `test` says of the text, asking once for each distinct text, or `null` where there is none."""
    encoded = coded(array)
    answers = np.array([*map(test, encoded.dictionary.to_pylist()), null], dtype=bool)
    return answers.take(filled(encoded.indices, -1))


def _plain(column: dict[str, pa.Array]) -> pa.Array:
    def is_plain(feats: str) -> bool:
        return not any(name in _NOT_PLAIN and value == "Yes" for name, value in parse_features(feats).items())

    return truths(
        mask(column["lemma"].is_valid())
        & ~mask(pc.match_substring_regex(column["form"], r"[\p{N}_]"))
        & _by_value(column["upos"], lambda upos: upos not in _NO_WORDS)
        & _by_value(column["feats"], is_plain, null=True)
    )


def _initial(column: dict[str, pa.Array]) -> pa.Array:
    counted = np.flatnonzero(mask(column["position"].is_valid()) & ~_by_value(column["upos"], "PUNCT".__eq__))
    first = np.diff(numbers(column["sent"])[counted], prepend=-1) != 0
    initial = np.zeros(len(column["sent"]), dtype=bool)
    initial[counted[first]] = True
    return truths(initial)


def _glued(column: dict[str, pa.Array], sentences: pa.Table) -> pa.Array:
    """Tell of each row whether a letter, mark or digit touches it; null where it has no place in the text."""
    text = whole(sentences["text"])
    points = np.frombuffer("".join(text.to_pylist()).encode("utf-32-le"), dtype=np.uint32)
    lengths = numbers(pc.utf8_length(text)).astype(np.int64)
    sentence = np.searchsorted(numbers(sentences["sent"]), numbers(column["sent"]))
    first = (np.cumsum(lengths) - lengths)[sentence]
    start, end = first + filled(column["start"], 0), first + filled(column["end"], 0)
    kinds = np.zeros(int(points.max(initial=0)) + 1, dtype=bool)
    kinds[points] = True
    kinds[kinds] = [unicodedata.category(chr(point))[0] in "LMN" for point in np.flatnonzero(kinds).tolist()]
    of_word = kinds[points]
    before = (start > first) & np.append(of_word, False)[start - 1]
    after = (end < first + lengths[sentence]) & np.append(of_word, False)[end]
    return pc.if_else(column["start"].is_valid(), truths(before | after), pa.nulls(len(before), pa.bool_()))


def _places(column: dict[str, pa.Array], head: np.ndarray) -> dict[str, pa.Array]:
    """Return the columns `in_name` and `use`, which follow from the tree."""
    rows = len(column["node"])
    # Roots and rows without a head get the row past the last, of which nothing is true.
    head = np.where(head < 0, rows, head)
    position = np.append(filled(column["position"], 0), 0)

    def related(relations: Container[str], but: Container[str] = ()) -> np.ndarray:
        return _by_value(column["deprel"], lambda relation: relation.split(":")[0] in relations and relation not in but)

    part = _by_value(column["deprel"], lambda relation: _NAME.search(relation) is not None)
    last = np.zeros(rows + 1, dtype=position.dtype)
    np.maximum.at(last, head[part], position[:-1][part])
    last = np.where(last > 0, np.maximum(last, position), 0)
    in_name = (last > position)[:-1] | part & (last[head] > position[:-1])
    marked = np.zeros(rows + 1, dtype=bool)
    marked[head[related({"case"})]] = True

    # A conjunct stands where the first conjunct stands.
    stands = np.where(related({"conj"}), head, np.arange(rows))
    governor = position[np.append(head, rows)[stands]]
    in_case = _by_value(column["feats"], lambda feats: parse_features(feats).get("Case", "Gen") != "Gen")
    bare_noun = np.append(related({"nmod"}), False)[stands] & in_case & ~marked[:-1] & (position[:-1] < governor)
    attributive = np.append(related(_AGREEING), False)[stands] | bare_noun
    adverbial = np.append(related(_ADVERBIAL, but=_GOVERNED), False)[stands] & ~marked[:-1] & ~attributive
    uses = texts(["attributive", "adverbial"])
    return {
        "in_name": truths(in_name),
        "use": take(uses, adverbial.astype(np.int64), null=~(attributive | adverbial)),
    }
