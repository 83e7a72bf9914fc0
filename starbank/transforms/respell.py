"""Treebanks with words spelt otherwise, and with sentences in several copies: texts and numbers that fit them."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from starbank.morphology.words import covering
from starbank.treebanks import Treebank
from starbank.treebanks.arrays import filled, integers, mask, numbers, pieces, take, text, texts, truths

# Comments that go with the words as they were: translations and transliterations of the text.
_OF_WORDS = re.compile(r"#\s*(text|translit|gloss|sent_text|original_text|orig_text)(\s*|[_\[][^=]*)=")
_OF_DOCUMENT = re.compile(r"#\s*new(doc|par)\b")
_KEYS = re.compile(r"#\s*(sent_id|text)\s*=")


def respell(treebank: Treebank, columns: dict[str, pa.Array]) -> tuple[pa.Table, pa.Table]:
    """Return the tables of a treebank with other `columns` of its tokens, `form` among them, and texts that fit.

    In each text the form of every word or multiword token is replaced where it stands, so that all spacing stays.
    Comments that speak of the text as it was (`# text_en`, `# translit`) are left out. `start` and `end` are those of
    the old text: reading the treebank again finds the new ones.
    """
    tokens = _set(treebank.tokens, **columns)
    sentences = _set(treebank.sentences, text=_new_texts(treebank, tokens["form"].combine_chunks()))
    keep = ~_matching(sentences["comments"].combine_chunks().flatten(), _OF_WORDS)
    return tokens, _with_comments(sentences, keep)


def _new_texts(treebank: Treebank, form: pa.StringArray) -> pa.StringArray:
    """Return the text of each sentence with new forms of its words and multiword tokens."""
    tokens = treebank.tokens
    old_text = treebank.sentences["text"].combine_chunks()
    data = "".join(old_text.to_pylist()).encode()
    # Where each character begins among the bytes, and where the last one ends.
    place = np.append(np.flatnonzero(np.frombuffer(data, dtype=np.uint8) & 0xC0 != 0x80), len(data))
    lengths = numbers(pc.utf8_length(old_text)).astype(np.int64)
    first = np.cumsum(lengths) - lengths
    surface = np.flatnonzero(mask(tokens["start"].combine_chunks().is_valid()) & (covering(tokens) < 0))
    sentence = np.searchsorted(numbers(treebank.sentences["sent"]), numbers(tokens["sent"])[surface])
    start, end = (
        place[first[sentence] + filled(tokens[name], 0)[surface].astype(np.int64)] for name in ("start", "end")
    )
    # Each text is white space, a form, white space, a form, …, white space.
    count = np.bincount(sentence, minlength=len(old_text))
    begin = 2 * np.cumsum(count) - 2 * count + np.arange(len(old_text))
    parts = np.empty(2 * len(surface) + len(old_text), dtype=np.int64)
    form_at = begin[sentence] + 2 * (np.arange(len(surface)) - (np.cumsum(count) - count)[sentence]) + 1
    parts[begin] = place[first]
    parts[form_at], parts[form_at + 1] = start, end
    borders = np.append(parts, len(data)).astype(np.int64)
    old = pieces(data, borders)[: len(parts)]
    is_form = np.zeros(len(parts), dtype=bool)
    is_form[form_at] = True
    source = np.arange(len(parts))
    source[form_at] = len(parts) + np.arange(len(surface))
    new = take(pa.concat_arrays([old, take(form, surface)]), source)
    offsets = integers(np.append(begin, len(parts)).astype(np.int32))
    return pc.binary_join(pa.ListArray.from_arrays(offsets, new), text(""))


def _matching(lines: pa.StringArray, pattern: re.Pattern[str]) -> np.ndarray:
    return mask(pc.match_substring_regex(lines, f"^(?:{pattern.pattern})"))


def _with_comments(sentences: pa.Table, keep: np.ndarray) -> pa.Table:
    """Return the sentences with those comments that are to be kept, and a `sent_id` and `text` as their columns say."""
    comments = sentences["comments"].combine_chunks()
    lines = comments.flatten()
    keep = keep & ~_matching(lines, _KEYS)
    row = np.repeat(np.arange(len(comments)), numbers(pc.list_value_length(comments)))
    heads = [
        pc.binary_join_element_wise(text(f"# {key} = "), sentences[key].combine_chunks(), text(""))
        for key in ("sent_id", "text")
    ]
    chosen = np.flatnonzero(keep)
    # Documents and paragraphs begin before the name of their first sentence.
    rank = np.where(_matching(take(lines, chosen), _OF_DOCUMENT), 0, 2)
    whole = pa.concat_arrays([take(lines, chosen), *heads])
    rows = np.concatenate([row[chosen], np.arange(len(comments)), np.arange(len(comments))])
    ranks = np.concatenate([rank, np.ones(len(comments), dtype=np.int64), np.full(len(comments), 3)])
    order = np.lexsort((ranks, rows))
    borders = np.append(0, np.cumsum(np.bincount(rows, minlength=len(comments)))).astype(np.int32)
    return _set(sentences, comments=pa.ListArray.from_arrays(integers(borders), take(whole, order)))


def copy_sentences(treebank: Treebank, suffixes: list[str]) -> Treebank:
    """Return a treebank with each sentence once for every suffix, side by side, its `sent_id` with that suffix.

    Documents and paragraphs begin with the first copy only. Copies of a row lie as many rows apart as its sentence has.
    """
    tokens, sentences = treebank.tokens, treebank.sentences
    copies = len(suffixes)
    count = sentence_sizes(treebank)
    total = count.sum()
    # The rows of each sentence, once for each copy.
    copied = np.repeat(count, copies)
    begin = np.repeat(np.cumsum(count) - count, copies)
    source = np.arange(total * copies) - np.repeat(np.cumsum(copied) - copied, copied) + np.repeat(begin, copied)
    sentence = np.repeat(np.arange(len(count)), copies)
    numbered = np.arange(len(sentence))
    # A sentence takes as many numbers as it has rows, and one for its root.
    root = np.cumsum(copied + 1) - (copied + 1)
    shift = root - numbers(sentences["root"])[sentence]
    ids = pc.binary_join_element_wise(
        take(sentences["sent_id"].combine_chunks(), sentence), take(texts(suffixes), numbered % copies), text("")
    )
    made = sentences.take(integers(sentence))
    made = _set(made, sent=integers(numbered.astype(np.int32)), sent_id=ids, root=integers(root))
    lines = made["comments"].combine_chunks().flatten()
    owner = np.repeat(numbered, numbers(pc.list_value_length(made["comments"].combine_chunks())))
    made = _with_comments(made, keep=~_matching(lines, _OF_DOCUMENT) | (owner % copies == 0))
    rows, of_row = tokens.take(integers(source)), np.repeat(np.arange(len(sentence)), copied)
    moved = shift[of_row]
    rows = _set(
        rows,
        node=pc.add(rows["node"].combine_chunks(), integers(moved)),
        sent=integers(of_row.astype(np.int32)),
        sent_id=take(ids, of_row),
        head=pc.add(rows["head"].combine_chunks(), integers(moved)),
        deps=_moved_edges(rows["deps"].combine_chunks(), moved),
    )
    return Treebank(treebank.name, treebank.language, rows, made, treebank.info)


def sentence_sizes(treebank: Treebank) -> np.ndarray:
    """Return how many rows each sentence has."""
    place = np.searchsorted(numbers(treebank.sentences["sent"]), numbers(treebank.tokens["sent"]))
    return np.bincount(place, minlength=len(treebank.sentences))


def _moved_edges(deps: pa.ListArray, shift: np.ndarray) -> pa.ListArray:
    counts = filled(pc.list_value_length(deps), 0).astype(np.int64)
    values = deps.flatten()
    heads = pc.add(values.field("head"), integers(np.repeat(shift, counts)))
    moved = pa.StructArray.from_arrays([heads, values.field("deprel")], fields=list(deps.type.value_type))
    borders = integers(np.append(0, np.cumsum(counts)).astype(np.int32))
    return pa.ListArray.from_arrays(borders, moved, mask=truths(~mask(deps.is_valid())))


def _set(table: pa.Table, **columns: pa.Array) -> pa.Table:
    for name, column in columns.items():
        table = table.set_column(table.column_names.index(name), name, column)
    return table
