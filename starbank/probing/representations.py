"""Texts and places in them -> what each layer of a model has there, in a file that a killed run goes on with."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from starbank.errors import ModelError, StarbankError
from starbank.files import write_json
from starbank.probing.questions import Questions
from starbank.probing.tasks import MASK
from starbank.progress import progress
from starbank.scoring.loading import is_memory, torch
from starbank.scoring.plans import Tokens
from starbank.scoring.properties import Loaded
from starbank.scoring.sources import CAUSAL, ENCODER_DECODER, Settings, Source
from starbank.scoring.tokens import tokenise

# Finished batches are noted as often as this.
_NOTE = 64
# How far layers may be apart with padding and without, in parts of the largest number: what 16 bits leave open.
COARSE = 0.02
WHOLE = -1


class Encoder(Loaded):
    """A frozen model without its head."""

    def __init__(self, source: Source, settings: Settings, longest: int | None = None) -> None:
        """Load `source` as `settings` say; texts are cut after `longest` tokens. Raises `ModelError`."""
        super().__init__(source, settings)
        self._source, self._settings = source, settings
        self._body = self._model.get_encoder() if source.kind == ENCODER_DECODER else self._model.base_model
        self._longest = min((limit for limit in (self.frame.limit, longest) if limit), default=None)
        self._pads = self._can_pad()

    def _can_pad(self) -> bool:
        """Try whether a short text has the same layers in a batch with a long one as alone."""
        bodies = (np.resize(self._ordinary, length) for length in (2, max(1, min(64, self._longest or 64) - 2)))
        inputs = [np.concatenate([self.frame.before, body, self.frame.after]).astype(np.int64) for body in bodies]
        text = np.zeros(len(inputs[0]), np.int64)
        position = np.arange(len(text))
        alone = self._forward(inputs, text, position)
        beside = self._forward(inputs, np.append(text, 1), np.append(position, 0))[:, :-1]
        return bool(np.abs(alone - beside).max() <= COARSE * np.abs(alone).max())

    def encode(
        self, texts: Sequence[str], text: np.ndarray, start: np.ndarray, end: np.ndarray, folder: Path
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what all layers have for each place, and which row of it each place has.

        A place is the word with the characters from `start` to before `end` in the text of number `text`, whose first
        token counts, or, where `start` is `WHOLE`, the text's own token: the first special one, or the last token of
        all where there is none or the model is causal. The first array, of shape (layers, rows, width) and type
        float16, has the embeddings as layer 0; it is a file in `folder`. The second is int64, -1 for places that the
        model does not read, because the text is too long or the tokenizer has nothing for them.
        """
        tokens = tokenise(self._tokenizer, self._masked(texts))
        inputs, position = self._place(tokens, text, start, end)
        places, row = np.unique(np.stack([text, position]), axis=1, return_inverse=True)
        read = places[1] >= 0
        # The rows of the file: the longest texts first, the places of a text together.
        lengths = np.fromiter(map(len, inputs), np.int64, len(inputs))
        order = np.lexsort((places[1], places[0], -lengths[places[0]], ~read))[: np.count_nonzero(read)]
        where = np.full(len(read), -1)
        where[order] = np.arange(len(order))
        ordered = places[:, order]
        file = folder / f"{self._key(inputs, ordered)}.npy"
        return self._fill(inputs, ordered[0], ordered[1], file), where[row.reshape(-1)]

    def _masked(self, texts: Sequence[str]) -> list[str]:
        mask = self._tokenizer.mask_token
        if mask is None and any(MASK in text for text in texts):
            hint = "`agreement` shows none by the definitions `strict` and `paper`; name such tasks with --task."
            raise ModelError(f"the model {self._source.name} has no mask, which a task shows", hint=hint)
        return [text.replace(MASK, mask) if MASK in text else text for text in texts]

    def _place(
        self, tokens: list[Tokens], text: np.ndarray, start: np.ndarray, end: np.ndarray
    ) -> tuple[list[np.ndarray], np.ndarray]:
        """Return the inputs of the network, and the position in them of each place."""
        before, after = self.frame.before, self.frame.after
        most = (self._longest or 10**9) - len(before) - len(after)
        inputs = [np.concatenate([before, pieces.ids[:most], after]) for pieces in tokens]
        # All tokens end to end; characters are told apart by texts, which are far from one another.
        counts = np.fromiter((len(pieces.ids) for pieces in tokens), np.int64, len(tokens))
        first = np.cumsum(counts) - counts
        starts, ends = (np.concatenate([getattr(pieces, side) for pieces in tokens]) for side in ("start", "end"))
        far = 1 + ends.max(initial=0)
        place = np.searchsorted(
            ends + np.repeat(np.arange(len(tokens)), counts) * far, start + text * far, side="right"
        )
        inside = place < first[text] + counts[text]
        inside &= np.append(starts, 0)[np.minimum(place, len(starts))] < end
        token = place - first[text]
        word = np.where(inside & (token < most), token + len(before), -1)
        whole = np.zeros(len(inputs), np.int64)
        if self._source.kind == CAUSAL or not len(before):
            whole = np.fromiter(map(len, inputs), np.int64) - 1
        return inputs, np.where(start == WHOLE, whole[text], word)

    def _key(self, inputs: list[np.ndarray], places: np.ndarray) -> str:
        digest = hashlib.blake2b(digest_size=16)
        precision = " ".join(filter(None, [self._settings.dtype, self._settings.quantize]))
        settings = (self._source.fingerprint, precision, self._batch_tokens)
        digest.update(repr(settings if self._pads else (*settings, "unpadded")).encode())
        digest.update(np.array([len(ids) for ids in inputs], np.int64).tobytes())
        digest.update(np.concatenate([*inputs, places.ravel()]).astype(np.int64).tobytes())
        return digest.hexdigest()

    def _fill(self, inputs: list[np.ndarray], text: np.ndarray, position: np.ndarray, file: Path) -> np.ndarray:
        """Return the file with what all layers have at each `position` of the input `text`, filled where it is not."""
        notes = file.with_suffix(".json")
        if not len(text):
            raise ModelError(f"the tokenizer of {self._source.name} has nothing for any word of the tasks")
        batches = list(self._batches(inputs, text))
        done = json.loads(notes.read_text())["batches"] if notes.is_file() and file.is_file() else 0
        if done:
            store = np.lib.format.open_memmap(file, mode="r+")
        else:
            notes.unlink(missing_ok=True)
            file.parent.mkdir(parents=True, exist_ok=True)
            layers, _, width = self._forward(inputs, text[:1], position[:1]).shape
            _check_room(file.parent, 2 * layers * len(text) * width)
            store = np.lib.format.open_memmap(file, "w+", np.float16, (layers, len(text), width))
        with progress(len(text), self._source.name, "word") as bar:
            for number, (begin, stop) in enumerate(batches):
                if number >= done:
                    store[:, begin:stop] = self._halving(inputs, text[begin:stop], position[begin:stop])
                    if number + 1 == len(batches) or (number + 1) % _NOTE == 0:
                        store.flush()
                        write_json({"batches": number + 1}, notes)
                bar.update(stop - begin)
        return store

    def _batches(self, inputs: list[np.ndarray], text: np.ndarray) -> Iterator[tuple[int, int]]:
        """Yield places from … to before …: those of as many texts as the budget of tokens allows, at least one. Where
        padding changes what the model has, they are equally long."""
        begins = np.append(np.flatnonzero(np.diff(text, prepend=-1)), len(text))
        number = 0
        while number < len(begins) - 1:
            longest = len(inputs[text[begins[number]]])
            after = min(number + max(1, self._batch_tokens // longest), len(begins) - 1)
            if not self._pads:
                lengths = [len(inputs[text[begin]]) for begin in begins[number:after]]
                after = number + lengths.count(longest)  # The longest come first.
            yield int(begins[number]), int(begins[after])
            number = after

    def _halving(self, inputs: list[np.ndarray], text: np.ndarray, position: np.ndarray) -> np.ndarray:
        try:
            return self._forward(inputs, text, position)
        except (RuntimeError, MemoryError) as error:
            if not is_memory(error):
                raise
            texts = np.flatnonzero(np.diff(text)) + 1
            if not len(texts):
                hint = "Use another device (for example --device cpu) or a smaller model."
                message = f"a text of {len(inputs[text[0]])} tokens is too much for the memory of {self.device}"
                raise ModelError(message, hint=hint) from error
            middle = int(texts[len(texts) // 2])
            parts = [(text[:middle], position[:middle]), (text[middle:], position[middle:])]
            return np.concatenate([self._halving(inputs, *part) for part in parts], axis=1)

    @torch.inference_mode()
    def _forward(self, inputs: list[np.ndarray], text: np.ndarray, position: np.ndarray) -> np.ndarray:
        """Return what all layers have at each `position` of the input `text`: float16, (layers, places, width)."""
        which, row = np.unique(text, return_inverse=True)
        batch = self._pad([inputs[number] for number in which])
        states = self._body(**batch, output_hidden_states=True).hidden_states
        at, column = self._put(row), self._put(position)
        picked = torch.stack([state[at.to(state.device), column.to(state.device)].cpu() for state in states])
        layers = picked.to(torch.float16)
        if not torch.isfinite(layers).all():
            broken = "no numbers (NaN)" if torch.isnan(picked).any() else "numbers too large for 16 bits"
            raise ModelError(f"the layers of {self._source.name} have {broken}: no probe can read them")
        return layers.numpy()


def _check_room(folder: Path, size: int) -> None:
    """Raise `StarbankError` where a disk has no room: writing to a file in memory would end the program."""
    free = shutil.disk_usage(folder).free
    if free < size:
        message = f"what the layers have takes {size / 1e9:.1f} GB, and the disk has {free / 1e9:.1f} GB"
        hint = "Free some space, name another folder with --cache, or probe less."
        raise StarbankError(message, file=folder, hint=hint)


def read_places(questions: Sequence[Questions]) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray]:
    """Return the different texts of several `Questions`, and the places of all their rows, end to end."""
    numbers: dict[str, int] = {}
    places = [np.array([numbers.setdefault(text, len(numbers)) for text in task.texts], np.int64) for task in questions]
    text = np.concatenate([place[task.text] for place, task in zip(places, questions, strict=True)])
    start, end = (np.concatenate([getattr(task, name) for task in questions]) for name in ("start", "end"))
    return tuple(numbers), text, start, end
