"""A loaded model as a function: inputs to probabilities, in batches."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from starbank.errors import ModelError, StarbankError
from starbank.scoring.loading import failure, is_memory, torch, unloadable
from starbank.scoring.packing import pack
from starbank.scoring.passes import MOST_LOGITS, Passes, ranges
from starbank.scoring.plans import Plan, Tokens
from starbank.scoring.probes import SMALLEST, Probe, Way, alike, check_kind, longest, probe, sizes
from starbank.scoring.properties import find_parts
from starbank.scoring.sources import CAUSAL, Settings, Source
from starbank.scoring.tokens import find_doubts, find_mismatches, tokenise

logger = logging.getLogger("starbank")

# More tokens than any batch has.
EVERYTHING = 2**62


class Network(Passes):
    """A loaded model that has been tried; `vocabulary` is how many tokens it knows."""

    def __init__(self, source: Source, settings: Settings) -> None:
        """Load `source` as `settings` say, and try it. Raises `ModelError`, also where it is of another kind."""
        try:
            super().__init__(source, settings)
            self._name = source.name
            embeddings = self._model.get_input_embeddings()
            self.vocabulary = int(getattr(embeddings, "num_embeddings", None) or self._config.vocab_size)
            for mismatch in find_mismatches(self._tokenizer, self._config, self._name, self.vocabulary):
                logger.warning("%s: are tokenizer and weights those of one model?", mismatch)
            self._readable = np.array([token for token in self._ordinary if token < self.vocabulary])
            if not len(self._readable):
                self._check_vocabulary([np.array(self._ordinary)])
            self._results: dict[int, np.ndarray] = {}
            self._holding: dict[tuple[Way, int], bool] = {}
            self._reading = self._find_reading()
            self._body = self._find_body()
            check_kind(self._probe(SMALLEST), self._plain(SMALLEST), source, exact=self._exact)
        except StarbankError:
            raise
        except Exception as error:  # A stranger's folder breaks wherever it is broken.
            raise unloadable(source, "model", error) from error

    def tokenise(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each of `texts`, without special ones. Raises `ModelError`."""
        try:
            return tokenise(self._tokenizer, texts)
        except Exception as error:  # Tokenizers raise nothing else.
            raise failure(self._name, "has a tokenizer that fails", error) from error

    def token_strings(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each of `texts` as the tokenizer writes them. Raises `ModelError`."""
        return [self._tokenizer.convert_ids_to_tokens(tokens.ids.tolist()) for tokens in self.tokenise(texts)]

    def doubts(self, tokens: Sequence[Tokens], logprob: np.ndarray) -> list[str]:
        """Return what tells that the tokenizer does not fit, by the `tokens` of texts and what they were given."""
        return find_doubts(self._tokenizer, self._name, self.vocabulary, tokens, logprob)

    def logprobs(self, plan: Plan, row: np.ndarray, position: np.ndarray, token: np.ndarray) -> np.ndarray:
        """Return ln p (float64) of each `token` at `position` of the plan's input `row`, NaN where the model gives no
        number; the softmax is in float32.

        Batches halve where the device's memory is too small. Raises `ModelError` where one input alone is too large,
        or where the model fails.
        """
        if not len(row):
            return np.empty(0)
        self._check_vocabulary([*plan.inputs, *plan.sources])
        way, lengths = self._ways(plan)
        reads, result = np.stack([row, position, token]), np.empty(len(row))
        for used in map(Way, np.unique(way)):
            which = way[row] == used
            most = self._find_size(used, int(lengths[way == used].max()))
            result[which] = self._read(plan, reads[:, which], used, most, self._batch_tokens)
        # Where inputs share a row, one without numbers takes them from the others.
        broken = np.isin(row, row[np.isnan(result)]) & (way[row] == Way.SHARED)
        if broken.any():
            result[broken] = self._read(plan, reads[:, broken], Way.ALONE)
        return result

    def _read(self, plan: Plan, reads: np.ndarray, way: Way, most: int = 0, budget: int = 0) -> np.ndarray:
        """Return what the inputs that are read give when they are computed that `way`, in trees of up to `most` tokens
        and batches of `budget`."""
        row, position, token = reads
        numbers, row = np.unique(row, return_inverse=True)
        inputs = [plan.inputs[number] for number in numbers]
        sources = [plan.sources[number] for number in numbers] if plan.sources else []
        rows = pack(inputs, way == Way.SHARED, most)
        place = rows.places[row, position]
        row = np.searchsorted(rows.first, place, side="right") - 1
        position = place - rows.first[row]
        order = np.argsort(row, kind="stable")
        first = np.searchsorted(row[order], np.arange(len(rows.first)))
        result = np.empty(len(row))
        lengths = np.stack([rows.lengths, np.fromiter(map(len, sources), np.int64) if sources else 0 * rows.lengths])
        batches = deque(self._batches(lengths, np.diff(first), way, budget))
        # What a GPU is asked for is fetched when all has been asked: it need not wait for the next batch.
        answers: list[tuple[np.ndarray, torch.Tensor]] = []
        while batches:
            batch = batches.popleft()
            counts = first[batch + 1] - first[batch]
            places = order[ranges(first[batch], counts)]
            local = np.stack([np.repeat(np.arange(len(batch)), counts), position[places], token[places]])
            shown = [sources[number] for number in batch] if sources else []
            try:
                answers.append((places, self._forward(rows, batch, shown, local)))
            except Exception as error:  # A model that is not made for such inputs raises whatever happens to break.
                size = int(lengths[:, batch[0]].sum())
                if not is_memory(error):
                    raise failure(self._name, f"fails on a text of {size} tokens", error) from error
                if len(batch) == 1:
                    message = f"a text of {size} tokens is too much for the memory of {self.device}"
                    hint = "Use another device (for example --device cpu) or a smaller model."
                    raise ModelError(message, hint=hint) from error
                batches.extendleft(reversed(np.array_split(batch, 2)))
        for places, answer in answers:
            result[places] = answer.cpu().numpy()
        return result

    def _ways(self, plan: Plan) -> tuple[np.ndarray, np.ndarray]:
        """Return for each input of `plan` the fastest way that gives what it gives alone, and how long it is."""
        lengths = np.fromiter(map(len, plan.inputs), np.int64)
        if plan.sources:
            lengths = np.maximum(lengths, np.fromiter(map(len, plan.sources), np.int64))
        way = np.full(len(lengths), Way.ALONE)
        for faster in (Way.SHARED, Way.PADDED, Way.EQUAL)[self._kind != CAUSAL :]:
            alone = way == Way.ALONE
            if alone.any():
                size = self._find_size(faster, int(lengths[alone].max()))
                way[alone & (lengths <= longest(size))] = faster
        return way, lengths

    def _find_size(self, way: Way, length: int) -> int:
        """Return the largest size, among those that inputs of `length` tokens ask for, at which `way` holds, or 0."""
        if way == Way.ALONE:
            return 0
        return next((size for size in sizes(way, length) if self._holds(way, size)), 0)

    def _holds(self, way: Way, size: int) -> bool:
        if (way, size) not in self._holding:
            self._holding[way, size] = self._is_exact(way, size)
            if way == Way.EQUAL and not self._holding[way, size]:
                self._check_repeatable(size)
        return self._holding[way, size]

    def _check_repeatable(self, size: int) -> None:
        if not self._is_exact(Way.ALONE, size):
            hint = "No score of it could be had again. Choose another model."
            raise ModelError(f"the model {self._name} gives a text other probabilities each time", hint=hint)

    def _check_vocabulary(self, inputs: list[np.ndarray]) -> None:
        largest = max(map(np.max, inputs))
        if largest >= self.vocabulary:
            message = f"the tokenizer of {self._name} gives token {largest}, but the model knows only {self.vocabulary}"
            raise ModelError(f"{message} tokens", hint="Are tokenizer and weights those of one model?")

    def _batches(self, lengths: np.ndarray, reads: np.ndarray, way: Way, budget: int) -> Iterator[np.ndarray]:
        """Yield numbers of rows, longest first, as many at once as their `way`, the `budget` of tokens and that of
        logits allow. `lengths` are those of the rows and of their sources."""
        total = lengths.sum(axis=0)
        order = np.lexsort((-lengths[0], -total))
        most_reads = MOST_LOGITS // self.vocabulary if self._body is None else EVERYTHING
        read = np.concatenate([[0], np.cumsum(reads[order])])
        ends = np.append(np.flatnonzero(np.diff(lengths[:, order]).any(axis=0)) + 1, len(order))
        first = 0
        while first < len(order):
            fitting = np.searchsorted(read, read[first] + most_reads, side="right") - 1 - first
            rows = max(1, min(budget // int(total[order[first]]), int(fitting)))
            if way == Way.EQUAL:
                rows = min(rows, int(ends[np.searchsorted(ends, first, side="right")]) - first)
            rows = 1 if way == Way.ALONE else rows
            yield order[first : first + rows]
            first += rows

    def _find_reading(self) -> Any:
        """Return the part of the model that can be left to the positions that are read; None where none can.

        That is its head, or, of BERT and its like, a module in the last layer that adds what attention gives to what
        it got. Raises `ModelError` where the model gives no numbers, or other ones each time.
        """
        self._reading = self._body = None
        if np.isnan(self._plain(SMALLEST)).all():
            raise ModelError(f"the model {self._name} gives no probabilities (NaN): its weights are broken")
        for part in find_parts(self._model, self._kind):
            self._reading = part
            if self._is_exact(Way.ALONE, SMALLEST):
                return part
        self._reading = None
        self._check_repeatable(SMALLEST)
        return None

    def _find_body(self) -> Any:
        """Return the model without its head, where the head can be left to slices of what the body gives, else None."""
        self._body = self._model.base_model
        return self._body if self._body is not self._model and self._is_exact(Way.ALONE, SMALLEST) else None

    def _probe(self, size: int) -> Probe:
        return probe(size, self._kind, self.frame, self._readable)

    def _plain(self, size: int) -> np.ndarray:
        """Return what the probe of that size gives, one input at a time."""
        if size not in self._results:
            trial = self._probe(size)
            self._results[size] = self._read(trial.plan, trial.reads, Way.ALONE)
        return self._results[size]

    def _is_exact(self, way: Way, size: int) -> bool:
        """Tell whether the probe of that size gives the same when it is computed that `way`, all at once, so that the
        shortest input meets the longest."""
        plain, trial = self._plain(size), self._probe(size)
        try:
            together = self._read(trial.plan, trial.reads, way, size, EVERYTHING)
        except ModelError:  # The model cannot.
            return False
        return alike(plain, together, trial.reads[0], self._exact)
