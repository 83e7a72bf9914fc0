"""A small suite, a text to learn from, and tiny models."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.scoring.items import ITEMS, write_suite
from tests.scoring.tiny_models import TEXT, build_all

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite of five items in three scripts."""
    return write_suite(ITEMS, tmp_path / "georgian" / "ergative")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Plain text that holds no sentence of `suite`."""
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(TEXT[1:]), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tiny trained models.

    `causal` (byte-level BPE with a beginning token), `causal-without-beginning` (the same, told to have none),
    `causal-pieces` (SentencePiece-like, no beginning), `masked` (WordPiece, BERT), `masked-pieces` (SentencePiece-like,
    XLM-RoBERTa), `encoder-decoder` (SentencePiece-like, T5), `encoder-decoder-bart` (byte-level BPE, BART).
    """
    torch = pytest.importorskip("torch")
    # Tiny matrices gain nothing from more threads; child processes must use as many as this one for equal bytes.
    torch.set_num_threads(1)
    os.environ["OMP_NUM_THREADS"] = "1"
    folder = tmp_path_factory.mktemp("models")
    build_all(folder)
    return folder
