"""The network of a model that learns a task: embeddings, an encoder, and an MLP for each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from starbank.probing.datasets import UNLABELLED
from starbank.probing.learning.recipes import LSTM, TRANSFORMER, WORDS, Learning
from starbank.probing.learning.vocabulary import Vocabulary, Words
from starbank.scoring.loading import torch

nn = torch.nn
# Texts are read to here; what comes after has the place of the last.
_PLACES = 512


@dataclass(frozen=True)
class Batch:
    """Some rows: their different words, as `Words` has them, and which of these stands in each place.

    `word` (int64) is of shape (rows, places), 0 where a row has ended and 1 and up where it has not; `lengths` (int64)
    are on the processor; `labels` (int64) are of shape (questions, rows, places).
    """

    form: torch.Tensor
    lemma: torch.Tensor
    ngrams: torch.Tensor
    first: torch.Tensor
    word: torch.Tensor
    lengths: torch.Tensor
    labels: torch.Tensor


def make_batch(words: Words, labels: np.ndarray, borders: np.ndarray, rows: np.ndarray, device: torch.device) -> Batch:
    """Return the `rows` (numbers) of what `words` and `labels` have end to end; row i begins at `borders[i]`."""
    lengths = np.diff(borders)[rows]
    inside = np.arange(lengths.max()) < lengths[:, None]
    place = (borders[rows][:, None] + np.arange(lengths.max()))[inside]
    different, which = np.unique(words.word[place], return_inverse=True)
    word = np.zeros(inside.shape, np.int64)
    word[inside] = which + 1
    asked = np.full((len(labels), *inside.shape), UNLABELLED)
    asked[:, inside] = labels[:, place]
    ngrams, first = words.some(different)
    arrays = (words.form[different], words.lemma[different], ngrams, first, word)
    form, lemma, pieces, begins, at = (torch.from_numpy(array).to(device) for array in arrays)
    return Batch(form, lemma, pieces, begins, at, torch.from_numpy(lengths), torch.from_numpy(asked).to(device))


class Network(nn.Module):
    """Words in, the layers of the encoder and the answers to questions out."""

    def __init__(self, recipe: Learning, vocabulary: Vocabulary, questions: Mapping[str, Sequence[str]]) -> None:
        """Make a network as `recipe` has it, with random weights, for `questions` with their classes."""
        super().__init__()
        width = recipe.width
        self.forms = nn.Embedding(len(vocabulary.form) + 1, width, sparse=True)
        self.lemmas = nn.Embedding(len(vocabulary.lemma) + 1, width, sparse=True)
        self.ngrams = nn.EmbeddingBag(max(1, len(vocabulary.ngram)), width, mode="sum", sparse=True)
        for table in (self.forms, self.lemmas, self.ngrams):
            nn.init.normal_(table.weight, std=width**-0.5)
        self.dropout, self._forget = nn.Dropout(recipe.dropout), recipe.forget
        self.encoder, size = _make_encoder(recipe)
        self.answers = nn.ModuleList(
            nn.Sequential(nn.Linear(size, recipe.classifier), nn.Tanh(), nn.Linear(recipe.classifier, len(classes)))
            for classes in questions.values()
        )

    def embeddings(self) -> list[torch.Tensor]:
        """Return the weights whose gradients are sparse."""
        return [table.weight for table in (self.forms, self.lemmas, self.ngrams)]

    def layers(self, batch: Batch) -> list[torch.Tensor]:
        """Return what all layers have, embeddings first, each of shape (rows, places, width of the layer)."""
        known = torch.ones_like(batch.form)
        if self.training and self._forget:
            known = (torch.rand(known.shape, device=known.device) >= self._forget).long()
        words = self.forms(batch.form * known) + self.lemmas(batch.lemma * known)
        words = words + self.ngrams(batch.ngrams, batch.first)
        # The first is for places after a row's end.
        table = nn.functional.pad(words, (0, 0, 1, 0))
        layers: list[torch.Tensor] = self.encoder(
            self.dropout(nn.functional.embedding(batch.word, table)), batch.lengths
        )
        return layers

    def forward(self, batch: Batch) -> tuple[list[torch.Tensor], torch.Tensor]:
        """Return the logits of each question, of shape (places, classes), for the places that have a label, row by row,
        and the labels, of shape (questions, places)."""
        asked = (batch.labels != UNLABELLED).any(0)
        states = self.dropout(self.layers(batch)[-1][asked])
        return [answer(states) for answer in self.answers], batch.labels[:, asked]


class Alone(nn.Module):
    """Each word by itself."""

    def forward(self, words: torch.Tensor, lengths: torch.Tensor) -> list[torch.Tensor]:
        """Return the embeddings as the only layer."""
        return [words]


class Recurrent(nn.Module):
    """An LSTM that reads forward, or both ways."""

    def __init__(self, recipe: Learning) -> None:
        """Make it as `recipe` has it."""
        super().__init__()
        both = recipe.encoder != LSTM
        sizes = [recipe.width] + [recipe.hidden * (1 + both)] * (recipe.layers - 1)
        self.lstms = nn.ModuleList(nn.LSTM(size, recipe.hidden, batch_first=True, bidirectional=both) for size in sizes)

    def forward(self, words: torch.Tensor, lengths: torch.Tensor) -> list[torch.Tensor]:
        """Return the embeddings and the states of each layer."""
        layers = [words]
        for lstm in self.lstms:
            packed = nn.utils.rnn.pack_padded_sequence(layers[-1], lengths, batch_first=True, enforce_sorted=False)
            layers.append(nn.utils.rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True)[0])
        return layers


class Attending(nn.Module):
    """A Transformer."""

    def __init__(self, recipe: Learning) -> None:
        """Make it as `recipe` has it."""
        super().__init__()
        self.places = nn.Embedding(_PLACES, recipe.width)
        nn.init.normal_(self.places.weight, std=recipe.width**-0.5)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(
                recipe.width, recipe.attention, recipe.hidden, recipe.dropout, batch_first=True, norm_first=True
            )
            for _ in range(recipe.layers)
        )

    def forward(self, words: torch.Tensor, lengths: torch.Tensor) -> list[torch.Tensor]:
        """Return the embeddings with their places and the states of each layer."""
        place = torch.arange(words.shape[1], device=words.device)
        ended = place >= lengths.to(words.device)[:, None]
        layers = [words + self.places(place.clamp_max(_PLACES - 1))]
        for block in self.blocks:
            layers.append(block(layers[-1], src_key_padding_mask=ended))
        return layers


def _make_encoder(recipe: Learning) -> tuple[nn.Module, int]:
    """Return an encoder, and how wide its last layer is."""
    if recipe.encoder == WORDS:
        return Alone(), recipe.width
    if recipe.encoder == TRANSFORMER:
        return Attending(recipe), recipe.width
    return Recurrent(recipe), recipe.hidden * (1 if recipe.encoder == LSTM else 2)
