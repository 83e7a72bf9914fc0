"""Texts -> tokens with their characters, by a model's own tokenizer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from starbank.errors import ModelError
from starbank.scoring.plans import Frame, Tokens
from starbank.scoring.sources import CAUSAL, ENCODER_DECODER

SENTINEL = "<extra_id_0>"
# So large a part of the tokens may be unknown before it is told.
MUCH_UNKNOWN = 0.1


def tokenise(tokenizer: Any, texts: Sequence[str]) -> list[Tokens]:
    """Return the tokens of each of `texts`, without special ones."""
    if not texts:
        return []
    options = {"add_special_tokens": False, "return_offsets_mapping": True, "return_attention_mask": False}
    encoded = tokenizer(list(texts), **options, verbose=False)
    counts = np.fromiter(map(len, encoded["input_ids"]), np.int64, len(texts))
    first = np.concatenate([[0], np.cumsum(counts)])
    ids = np.fromiter(chain.from_iterable(encoded["input_ids"]), np.int64, first[-1])
    offsets = chain.from_iterable(chain.from_iterable(encoded["offset_mapping"]))
    spans = np.fromiter(offsets, np.int64, 2 * first[-1]).reshape(-1, 2)
    numbers = (encoded.word_ids(number) for number in range(len(texts)))
    words = (-1 if number is None else number for number in chain.from_iterable(numbers))
    word = np.fromiter(words, np.int64, first[-1])
    # All texts end to end, one character apart, so that spaces are looked for once.
    base = np.concatenate([[0], np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1)])
    origin = np.repeat(base[:-1], counts)
    space = np.zeros(base[-1], bool)
    space[[match.start() for match in re.finditer(r"\s", "\0".join(texts))]] = True
    place = np.where(space, len(space), np.arange(len(space)))
    visible = np.minimum.accumulate(place[::-1])[::-1]
    start = visible[origin + spans[:, 0]]
    end = np.maximum(origin + spans[:, 1], start + 1)
    # A word begins where the tokenizer's does, and also after a space: some tokenizers take a text for one word.
    spaces = np.concatenate([[0], np.cumsum(space)])
    begins = np.ones(len(ids), bool)
    begins[1:] = (word[1:] != word[:-1]) | (spaces[start[1:]] > spaces[np.minimum(end[:-1], len(space))])
    begins[first[:-1][counts > 0]] = True
    columns = ids, start - origin, end - origin, np.cumsum(begins)
    return [Tokens(*(column[a:b] for column in columns)) for a, b in pairwise(first)]


def find_frame(tokenizer: Any, name: str, kind: str, limit: int | None, start: int | None = None) -> Frame:
    """Return what the model `name` wants around a text; `start` is the token that its decoder begins with.

    Raises `ModelError` where the tokenizer does not fit the kind of model.
    """
    plain = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    begin = next((place for place in range(len(whole)) if whole[place : place + len(plain)] == plain), None)
    if begin is None or not plain:
        raise ModelError(f"the tokenizer of {name} changes a text when it adds its special tokens")
    before, after = whole[:begin], whole[begin + len(plain) :]
    mask, prompt, fills = tokenizer.mask_token_id, [], False
    if kind == CAUSAL:
        after = []
        if not before and tokenizer.bos_token_id is not None:
            before = [tokenizer.bos_token_id]
    elif kind == ENCODER_DECODER:
        sentinel = tokenizer.get_vocab().get(SENTINEL)
        fills, mask = sentinel is not None, mask if sentinel is None else sentinel
        if start is None:
            raise ModelError(f"the model {name} does not say what its decoder begins with")
        if not before and not after:
            raise ModelError(f"the tokenizer of {name} puts nothing around a text: its encoder cannot see an empty one")
        prompt = [start, *before]
    if mask is None and kind != CAUSAL:
        raise ModelError(f"the tokenizer of {name} has no mask token: it is no masked language model")
    before_ids, after_ids, prompt_ids = (np.array(special, np.int64) for special in (before, after, prompt))
    return Frame(before_ids, after_ids, mask, limit, prompt_ids, fills)


def find_mismatches(tokenizer: Any, config: Any, name: str, vocabulary: int) -> list[str]:
    """Return what tells that the tokenizer of the model `name`, which knows so many tokens, may be another model's."""
    mismatches = []
    largest = max(tokenizer.get_vocab().values(), default=0)
    if largest >= vocabulary:
        more = f"the tokenizer of {name} has tokens up to {largest}, but the model knows only {vocabulary} tokens"
        mismatches.append(more)
    for special, what in (("bos", "beginning"), ("eos", "end"), ("mask", "mask"), ("pad", "padding")):
        configured, token = (getattr(part, f"{special}_token_id", None) for part in (config, tokenizer))
        # Some models have several ends, and a configuration that nobody filled in has ids beyond the vocabulary.
        ids = [number for number in np.atleast_1d([] if configured is None else configured) if 0 <= number < vocabulary]
        if ids and token is not None and token not in ids:
            text = " or ".join(map(str, ids))
            mismatches.append(f"the {what} token of {name} is {token} in its tokenizer and {text} in its config.json")
    return mismatches


def find_doubts(tokenizer: Any, name: str, vocabulary: int, tokens: Sequence[Tokens], logprob: np.ndarray) -> list[str]:
    """Return what tells that texts were not cut as the model `name` has learnt it: unknown `tokens`, or a mean of
    `logprob` worse than a guess among all of its `vocabulary`."""
    doubts = []
    ids = np.concatenate([text.ids for text in tokens])
    unknown = np.mean(ids == tokenizer.unk_token_id) if len(ids) and tokenizer.unk_token_id is not None else 0
    if unknown > MUCH_UNKNOWN:
        what = f"{unknown:.0%} of the tokens are unknown to the tokenizer of {name}"
        doubts.append(f"{what}: sentences that differ in unknown words have the same score")
    if len(logprob) and logprob.mean() < -np.log(vocabulary):
        what = f"the model {name} gives these texts less than a blind guess among its {vocabulary} tokens would"
        doubts.append(f"{what}: is its tokenizer another model's, or has it not learnt this language?")
    return doubts
