"""Nonce sentences beside those that they were made of."""

from starbank.sets.mining import beside
from tests.mining.sentences import DOOR, KEY
from tests.small_treebank import small_treebank


def test_nonce_sentences_stand_before_those_of_the_treebank(tmp_path):
    nonsense = small_treebank(tmp_path / "nonsense", DOOR, language="eng")
    treebank = small_treebank(tmp_path / "treebank", KEY, DOOR, language="eng")
    both = beside(nonsense, treebank)
    assert both.sentences["text"].to_pylist() == [
        "The door to the old house sleeps here.",
        "The key to the old cabinet lies here.",
        "The door to the old house sleeps here.",
    ]
    nodes = both.tokens["node"].to_pylist()
    assert nodes[: len(nonsense.tokens)] == nonsense.tokens["node"].to_pylist()
    assert nodes == sorted(set(nodes))


def test_words_hang_from_words_of_their_own_sentence(tmp_path):
    nonsense = small_treebank(tmp_path / "nonsense", DOOR, language="eng")
    treebank = small_treebank(tmp_path / "treebank", KEY, DOOR, language="eng")
    tokens = beside(nonsense, treebank).tokens.select(["node", "sent", "head", "form"]).to_pylist()
    words = {token["node"]: token for token in tokens}
    heads = [(token["form"], words[token["head"]]["form"]) for token in tokens if token["head"] in words]
    assert heads.count(("key", "lies")) == 1
    assert heads.count(("door", "sleeps")) == 2
    assert all(words[token["head"]]["sent"] == token["sent"] for token in tokens if token["head"] in words)
