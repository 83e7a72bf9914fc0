"""Causal and masked Hugging Face models as scorers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from starbank.scoring import plans
from starbank.scoring.conditions import LEVELS, Text
from starbank.scoring.regions import TokenScores
from starbank.scoring.sources import CAUSAL, Source

if TYPE_CHECKING:
    from starbank.scoring.network import Network

LIBRARIES = ("torch", "transformers", "tokenizers")
CHARACTERS_PER_TOKEN = 4


class LanguageModel:
    """A model from a folder or the Hub. Its weights are loaded when the first text is scored."""

    def __init__(self, source: Source, device: str | None, batch_tokens: int) -> None:
        """Describe the model at `source`; `device` and `batch_tokens` are as in `starbank.scoring.score`."""
        self.name, self.kind, self.revision = source.name, source.kind, source.revision
        self.fingerprint = source.fingerprint
        self._source, self._device, self._batch_tokens = source, device, batch_tokens

    @property
    def about(self) -> dict[str, Any]:
        """What the scores depend on besides the model."""
        return {"dtype": "float32", "libraries": {name: _version(name) for name in LIBRARIES}}

    def work(self, text: Text) -> int:
        """Estimate how many tokens run through the network for `text`."""
        tokens = 1 + len(text.text) // CHARACTERS_PER_TOKEN
        return tokens if self.kind == CAUSAL else tokens**2

    def token_scores(self, texts: Sequence[Text]) -> dict[str, TokenScores]:
        """Return the scores of the tokens of `texts` by level. A causal model needs one pass for both levels."""
        network = self._network
        tokens = network.tokenise([text.text for text in texts])
        if self.kind == CAUSAL:
            return dict.fromkeys(LEVELS, plans.causal(tokens, network.frame).run(network.logprobs))
        sentence = plans.masked_sentence(tokens, network.frame)
        word = plans.masked_word(tokens, [text.word_span for text in texts], network.frame)
        return {"sentence": sentence.run(network.logprobs), "word": word.run(network.logprobs)}

    @cached_property
    def _network(self) -> Network:
        from starbank.scoring.network import Network

        return Network(self._source, self._device, self._batch_tokens)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
