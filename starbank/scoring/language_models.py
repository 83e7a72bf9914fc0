"""Causal, masked and encoder–decoder Hugging Face models as scorers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from starbank.errors import UsageError
from starbank.scoring import plans
from starbank.scoring.conditions import LEVELS, SENTENCE, WORD, Text
from starbank.scoring.precision import settle
from starbank.scoring.regions import TokenScores
from starbank.scoring.sources import CAUSAL, ENCODER_DECODER, MASKED, Settings, Source

if TYPE_CHECKING:
    from starbank.scoring.network import Network

logger = logging.getLogger("starbank")

LIBRARIES = ("torch", "transformers", "tokenizers")
CHARACTERS_PER_TOKEN = 4
ORIGINAL, TOGETHER = f"{SENTENCE}-original", f"{WORD}-together"
# Which question asks for a level of a kind of model; those about words also want to know where they are.
PLANS: dict[tuple[str, str], Callable[..., plans.Plan]] = {
    (MASKED, SENTENCE): plans.masked_sentence,
    (MASKED, ORIGINAL): plans.masked_original,
    (MASKED, WORD): plans.masked_word,
    (MASKED, TOGETHER): plans.masked_together,
    (ENCODER_DECODER, SENTENCE): plans.decoder_sentence,
    (ENCODER_DECODER, WORD): plans.decoder_word,
}


class LanguageModel:
    """A model from a folder or the Hub. Its weights are loaded when the first text is scored."""

    def __init__(self, source: Source, settings: Settings) -> None:
        """Describe the model at `source`, which runs as `settings` say. Raises `UsageError` where it cannot."""
        if not settings.beginning and source.kind != CAUSAL:
            message = f"{source.name} is {source.kind}: it never saw a text without its special tokens"
            raise UsageError(message, hint="Leave out --no-beginning, which is for causal models.")
        settings = settle(source, settings)
        self.name, self.kind, self.revision = source.name, source.kind, source.revision
        self.fingerprint = f"{source.fingerprint} {settings.dtype}" + " no beginning" * (not settings.beginning)
        if settings.quantize:
            self.fingerprint += f" {settings.quantize}"
        self.levels: tuple[str, ...] = (SENTENCE, ORIGINAL, WORD, TOGETHER) if self.kind == MASKED else LEVELS
        self._source, self._settings = source, settings
        self._doubted: list[str] = []

    @property
    def about(self) -> dict[str, Any]:
        """What the scores depend on besides the model, and how large and how long trained that is."""
        size = {"step": self._source.step, "parameters": self._source.parameters}
        without = {} if self._settings.beginning else {"beginning": False}
        adapter = {} if self._source.adapter is None else {"adapter": self._source.adapter.name}
        bits = {} if self._settings.quantize is None else {"quantized": self._settings.quantize}
        return {"dtype": self._settings.dtype, "libraries": library_versions(), **size, **without, **adapter, **bits}

    def work(self, text: Text) -> int:
        """Estimate how many tokens run through the network for `text`."""
        tokens = 1 + len(text.text) // CHARACTERS_PER_TOKEN
        return tokens**2 if self.kind == MASKED else tokens

    def token_scores(self, texts: Sequence[Text], levels: Sequence[str]) -> dict[str, TokenScores]:
        """Return the scores of the tokens of `texts` by level. A causal model needs one pass for all."""
        return self.ask(texts, levels)()

    def ask(self, texts: Sequence[Text], levels: Sequence[str]) -> Callable[[], dict[str, TokenScores]]:
        """Return what gives the scores of the tokens of `texts` by level when it is called: all but the network's work
        is done already.

        Texts that get no numbers are named in a warning, and so is a tokenizer that seems to be another model's.
        """
        network = self._network
        tokens = network.tokenise([text.text for text in texts])
        if self.kind == CAUSAL:
            by_level = dict.fromkeys(levels, plans.causal(tokens, network.frame))
        else:
            spans = [text.word_span for text in texts]
            inputs = {level: (tokens, spans) if level.startswith(WORD) else (tokens,) for level in levels}
            by_level = {level: PLANS[self.kind, level](*inputs[level], network.frame) for level in levels}
        return partial(self._answer, texts, tokens, by_level)

    def _answer(
        self, texts: Sequence[Text], tokens: Sequence[plans.Tokens], by_level: Mapping[str, plans.Plan]
    ) -> dict[str, TokenScores]:
        network = self._network
        # Levels that ask the same have one plan.
        different = {id(plan): plan for plan in by_level.values()}
        runs = {number: plan.run(network.logprobs) for number, plan in different.items()}
        scores = {level: runs[id(plan)] for level, plan in by_level.items()}
        for number in np.unique(np.concatenate([level.broken for level in scores.values()])):
            message = "the model %s gives no probabilities (NaN) for a text, which stays without a score: %s"
            logger.warning(message, self.name, texts[number].text)
        if not self._doubted:
            logprob = np.concatenate([level.logprob for level in scores.values()])
            self._doubted = network.doubts(tokens, logprob[np.isfinite(logprob)])
            for doubt in self._doubted:
                logger.warning(doubt)
        return scores

    def token_strings(self, texts: Sequence[Text]) -> list[list[str]]:
        """Return the tokens of each of `texts` as the tokenizer writes them (`Ġthe`, `▁the`, `##ing`)."""
        return self._network.token_strings([text.text for text in texts])

    @cached_property
    def _network(self) -> Network:
        from starbank.scoring.network import Network

        return Network(self._source, self._settings)


def library_versions() -> dict[str, str | None]:
    """Return the versions of what runs a model, None where it is not there."""
    versions: dict[str, str | None] = dict.fromkeys(LIBRARIES)
    for name in LIBRARIES:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions
