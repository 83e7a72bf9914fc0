"""A loaded model as a function: texts to tokens, inputs to probabilities in batches."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from starbank.errors import ModelError
from starbank.scoring.loading import load, torch
from starbank.scoring.plans import Frame, Tokens
from starbank.scoring.regions import visible_spans
from starbank.scoring.sources import CAUSAL, Source

# Logits of one batch, in numbers: 1 GiB of float32, whatever the size of the vocabulary.
MOST_LOGITS = 2**28
# Positions whose logits are normalised at once.
SLICE = 512


class Network:
    """A model with its tokenizer on a device. `frame` is what it wants around a text."""

    def __init__(self, source: Source, device: str | None, batch_tokens: int) -> None:
        """Load `source`; `batch_tokens` is how many tokens, padding included, run at once. Raises `ModelError`."""
        self._name = source.name
        self._batch_tokens = batch_tokens
        self._model, self._tokenizer, self._device = load(source, device)
        self._config = self._model.config.get_text_config()
        self._head = _find_head(self._model)
        self.frame = self._find_frame(source.kind)

    def tokenise(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each of `texts`, without special ones."""
        options = {"add_special_tokens": False, "return_offsets_mapping": True, "return_attention_mask": False}
        encoded = self._tokenizer(list(texts), **options, verbose=False)
        columns = zip(texts, encoded["input_ids"], encoded["offset_mapping"], strict=True)
        return [
            _to_tokens(text, ids, offsets, encoded.word_ids(number))
            for number, (text, ids, offsets) in enumerate(columns)
        ]

    def logprobs(
        self, inputs: list[np.ndarray], row: np.ndarray, position: np.ndarray, token: np.ndarray
    ) -> np.ndarray:
        """Return ln p (float64) of each `token` at `position` of input `row`; the softmax is in float32.

        Batches halve where the device's memory is too small. Raises `ModelError` where one input alone is too large,
        or where the model gives no numbers.
        """
        self._check_vocabulary(inputs)
        result = np.empty(len(row))
        order = np.argsort(row, kind="stable")
        reads_of = np.split(order, np.searchsorted(row[order], np.arange(1, len(inputs))))
        batches = deque(self._batches([len(ids) for ids in inputs], [len(reads) for reads in reads_of]))
        while batches:
            batch = batches.popleft()
            reads = np.concatenate([reads_of[number] for number in batch])
            local = np.repeat(np.arange(len(batch)), [len(reads_of[number]) for number in batch])
            try:
                result[reads] = self._forward(
                    [inputs[number] for number in batch], local, position[reads], token[reads]
                )
            except torch.OutOfMemoryError as error:
                if len(batch) == 1:
                    message = f"a text of {len(inputs[batch[0]])} tokens is too much for the memory of {self._device}"
                    hint = "Use another device (for example --device cpu) or a smaller model."
                    raise ModelError(message, hint=hint) from error
                batches.extendleft(reversed(np.array_split(batch, 2)))
        if np.isnan(result).any():
            raise ModelError(f"the model {self._name} gives no probabilities (NaN): its weights are broken")
        return result

    def _check_vocabulary(self, inputs: list[np.ndarray]) -> None:
        known, largest = self._model.get_input_embeddings().num_embeddings, max(map(np.max, inputs), default=0)
        if largest >= known:
            message = f"the tokenizer of {self._name} gives token {largest}, but the model knows only {known} tokens"
            raise ModelError(message, hint="Are tokenizer and weights those of one model?")

    def _batches(self, lengths: list[int], reads: list[int]) -> Iterator[np.ndarray]:
        """Yield numbers of inputs, longest first, as many at once as the budgets of tokens and of logits allow."""
        order = np.argsort(-np.array(lengths, np.int64), kind="stable")
        most_reads = MOST_LOGITS // self._config.vocab_size
        first = 0
        while first < len(order):
            rows = max(1, self._batch_tokens // lengths[order[first]])
            read = np.cumsum([reads[number] for number in order[first : first + rows]])
            rows = max(1, int(np.searchsorted(read, most_reads, side="right")))
            yield order[first : first + rows]
            first += rows

    @torch.inference_mode()
    def _forward(
        self, inputs: list[np.ndarray], row: np.ndarray, position: np.ndarray, token: np.ndarray
    ) -> np.ndarray:
        """Run `inputs` as one right-padded batch; the head runs only at the positions that are read."""
        longest = max(map(len, inputs))
        ids = torch.full((len(inputs), longest), self._padding(), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for number, sequence in enumerate(inputs):
            ids[number, : len(sequence)] = torch.from_numpy(sequence)
            mask[number, : len(sequence)] = 1
        places, read = np.unique(row * longest + position, return_inverse=True)
        rows, columns, read_at, tokens = (
            torch.from_numpy(array).to(self._device) for array in (places // longest, places % longest, read, token)
        )
        with _only_at(self._head, rows, columns):
            logits = self._model(input_ids=ids.to(self._device), attention_mask=mask.to(self._device)).logits
        if logits.dim() == 3:
            logits = logits[rows, columns]
        totals = torch.cat([part.float().logsumexp(-1) for part in logits.split(SLICE)])
        return (logits[read_at, tokens].float() - totals[read_at]).double().cpu().numpy()

    def _padding(self) -> int:
        # RoBERTa counts positions by what is not padding, so it must be the model's own where it has one.
        known = (self._tokenizer.pad_token_id, getattr(self._config, "pad_token_id", None))
        return next((pad for pad in known if pad is not None), 0)

    def _find_frame(self, kind: str) -> Frame:
        plain = self._tokenizer("a", add_special_tokens=False)["input_ids"]
        whole = self._tokenizer("a")["input_ids"]
        begin = next((place for place in range(len(whole)) if whole[place : place + len(plain)] == plain), None)
        if begin is None or not plain:
            raise ModelError(f"the tokenizer of {self._name} changes a text when it adds its special tokens")
        before, after = whole[:begin], whole[begin + len(plain) :]
        if kind == CAUSAL:
            after = []
            if not before and self._tokenizer.bos_token_id is not None:
                before = [self._tokenizer.bos_token_id]
        elif self._tokenizer.mask_token_id is None:
            raise ModelError(f"the tokenizer of {self._name} has no mask token: it is no masked language model")
        limit = _find_limit(self._model, self._config, self._tokenizer)
        return Frame(np.array(before, np.int64), np.array(after, np.int64), self._tokenizer.mask_token_id, limit)


def _find_head(model: Any) -> Any:
    """Return the direct part of `model` that turns hidden states into logits, or None where it does not say."""
    embeddings = model.get_output_embeddings()
    for part in model.children():
        if embeddings is not None and any(module is embeddings for module in part.modules()):
            return part
    return None


@contextlib.contextmanager
def _only_at(head: Any, rows: Any, columns: Any) -> Iterator[None]:
    """Let `head` see the hidden states at (`rows`, `columns`) only: of shape (positions, width)."""

    def select(_: Any, inputs: tuple) -> tuple:
        return (inputs[0][rows, columns], *inputs[1:])

    handle = head.register_forward_pre_hook(select) if head is not None else contextlib.nullcontext()
    with handle:
        yield


def _find_limit(model: Any, config: Any, tokenizer: Any) -> int | None:
    """The most tokens that the model reads at once; None where nothing says."""
    limits = [tokenizer.model_max_length, getattr(config, "max_position_embeddings", None)]
    for module in model.modules():
        table = getattr(module, "position_embeddings", None)
        # RoBERTa and its like begin to count after the padding.
        if isinstance(table, torch.nn.Embedding) and table.padding_idx is not None:
            limits.append(table.num_embeddings - table.padding_idx - 1)
    known = [limit for limit in limits if limit and limit < 10**9]
    return min(known, default=None)


def _to_tokens(text: str, ids: list[int], offsets: list[tuple[int, int]], words: list[int | None]) -> Tokens:
    spans = np.array(offsets, np.int64).reshape(-1, 2)
    start, end = visible_spans(text, spans[:, 0], spans[:, 1])
    word = np.array([-1 if number is None else number for number in words], np.int64)
    # A word begins where the tokenizer's does, and also after a space: some tokenizers take a text for one word.
    spaces = np.cumsum([0, *map(str.isspace, text)])
    after_space = spaces[start[1:]] > spaces[np.minimum(end[:-1], len(text))]
    begins = np.concatenate([[True], (word[1:] != word[:-1]) | after_space])[: len(ids)]
    return Tokens(np.array(ids, np.int64), start, end, np.cumsum(begins))
