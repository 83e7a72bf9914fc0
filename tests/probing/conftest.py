"""A small Hindi treebank, a folder for its tasks, and tiny models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scoring.tiny_models import byte_level_gpt, pieces_roberta, wordpiece_bert

# Each line has ID FORM LEMMA UPOS FEATS HEAD DEPREL.
ERGATIVE = """
    लड़के ने किताब पढ़ी ।
    1 लड़के लड़का NOUN Case=Acc,Erg|Gender=Masc|Number=Sing 4 nsubj
    2 ने ने ADP Case=Erg 1 case
    3 किताब किताब NOUN Case=Nom|Gender=Fem|Number=Sing 4 obj
    4 पढ़ी पढ़ VERB Aspect=Perf|Gender=Fem|Number=Sing 0 root
    5 । । PUNCT _ 4 punct
"""
HABITUAL = """
    लड़का किताब पढ़ता है ।
    1 लड़का लड़का NOUN Case=Nom|Gender=Masc|Number=Sing 3 nsubj
    2 किताब किताब NOUN Case=Nom|Gender=Fem|Number=Sing 3 obj
    3 पढ़ता पढ़ VERB Aspect=Imp|Gender=Masc|Number=Sing 0 root
    4 है है AUX Number=Sing 3 aux
    5 । । PUNCT _ 3 punct
"""
# The object has को, and the verb the masculine singular that agrees with nothing.
DEFAULT = """
    लड़के ने लड़के को देखा ।
    1 लड़के लड़का NOUN Case=Acc,Erg|Gender=Masc|Number=Sing 5 nsubj
    2 ने ने ADP Case=Erg 1 case
    3 लड़के लड़का NOUN Case=Acc|Gender=Masc|Number=Sing 5 obj
    4 को को ADP Case=Acc 3 case
    5 देखा देख VERB Aspect=Perf|Gender=Masc|Number=Sing 0 root
    6 । । PUNCT _ 5 punct
"""
INFINITIVE = """
    किताब पढ़ना ।
    1 किताब किताब NOUN Case=Nom|Gender=Masc|Number=Sing 2 obj
    2 पढ़ना पढ़ VERB Case=Nom|Gender=Masc|Number=Sing|VerbForm=Inf 0 root
    3 । । PUNCT _ 2 punct
"""
VERB_FIRST = """
    पढ़ी ।
    1 पढ़ी पढ़ VERB Aspect=Perf|Gender=Fem|Number=Sing 0 root
    2 । । PUNCT _ 1 punct
"""


def about(name: str, sentence: str) -> str:
    """Return a sentence about somebody of that name in place of the boy."""
    return sentence.replace("लड़के", name).replace("लड़का", name)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tiny trained models: `causal`, `masked` and `masked-pieces`."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("models")
    for build in (byte_level_gpt, wordpiece_bert, pieces_roberta):
        build(folder)
    return folder
