"""Ablations: treebanks without suffixes, with nothing else, with a neutral case, without verbs."""

from __future__ import annotations

import pytest

from starbank.plugins import load_plugin
from starbank.transforms import derive
from starbank.treebanks import Treebank, ingest, open_stored
from tests.probing.basque import GAVE, SAW_HOUSES
from tests.small_treebank import IS_SOMEBODY_HERE, small_treebank


@pytest.fixture
def text(tmp_path):
    """Return the text of a sentence that a transform makes."""

    def text(name: str, sentence: str, language: str = "eus") -> str:
        treebank = small_treebank(tmp_path / name, sentence, language=language)
        (part,) = load_plugin(name, "transform").function(treebank).parts
        return part.sentences["text"][0].as_py()

    return text


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("without_suffixes", "Gizon ume etxe handi eman diote eta ume altu da ."),
        ("suffixes_only", "ek ari _ a _ _ _ a a _ ."),
        ("neutral_case", "Gizon<plur> ume<sing> etxe handi<sing> eman diote eta ume<sing> altu<sing> da ."),
        ("without_verbs", "Gizonek umeari etxe handia <verb> <verb> eta umea altua <verb> ."),
    ],
)
def test_what_is_seen_of_a_sentence(text, name, made):
    assert text(name, GAVE) == made


def test_an_ending_of_two_numbers_is_ambiguous(text):
    assert text("neutral_case", SAW_HOUSES) == "Gizon<ambiguous> etxe<ambiguous> ikusi ditu ."


def test_a_multiword_token_is_its_words(text):
    assert text("without_verbs", IS_SOMEBODY_HERE, "kat") == "ვინმე<verb> აქ?"


def test_lemmas_do_not_tell_what_forms_do_not(tmp_path):
    treebank = small_treebank(tmp_path, SAW_HOUSES, language="eus")
    lemmas = {}
    for name in ("suffixes_only", "without_verbs", "without_suffixes"):
        (part,) = load_plugin(name, "transform").function(treebank).parts
        lemmas[name] = part.tokens["lemma"].to_pylist()
    assert lemmas["suffixes_only"] == ["ak", "ak", "_", "_", "."]
    assert lemmas["without_verbs"] == ["gizon", "etxe", "<verb>", "<verb>", "."]
    assert lemmas["without_suffixes"] == ["gizon", "etxe", "ikusi", "edun", "."]


def derived(tmp_path, *names: str) -> Treebank:
    """Return what transforms make of a treebank, one after the other."""
    small_treebank(tmp_path / "source", GAVE, language="eus")
    ingest([tmp_path / "source/eu_small-ud-test.conllu"], tmp_path / "eu")
    at, made = "eu", "eu"
    for name in names:
        made = f"{made}+{name}"
        derive(name, tmp_path / at, tmp_path / made)
        at = made
    return open_stored(tmp_path / made)


@pytest.mark.parametrize("names", [("without_verbs", "without_suffixes"), ("without_suffixes", "without_verbs")])
def test_they_compose(tmp_path, names):
    treebank = derived(tmp_path, *names)
    assert treebank.sentences["text"].to_pylist() == ["Gizon ume etxe handi <verb> <verb> eta ume altu <verb> ."]


def test_sentences_that_come_to_look_alike_stay_sentences(tmp_path):
    from starbank.probing import make_tasks

    other = GAVE.replace("Gizon", "Lagun").replace("gizon", "lagun")
    small_treebank(tmp_path / "source", GAVE, GAVE, other, language="eus")
    derive("suffixes_only", tmp_path / "source/eu_small-ud-test.conllu", tmp_path / "made")
    derive("without_verbs", tmp_path / "made", tmp_path / "made-again")
    about = make_tasks(tmp_path / "made-again", tmp_path / "tasks", tasks=["suffix_recovery"])
    # Two of three had the same text before.
    assert about["repeated"] == 1
    assert about["tasks"]["suffix_recovery"]["splits"]["test"]["rows"] == 2


def test_a_treebank_without_suffixes_still_tells_which_they_were(tmp_path):
    treebank = derived(tmp_path, "without_suffixes")
    (rows,) = load_plugin("suffix_recovery", "task").function(treebank, definition="strict").rows
    assert rows["tokens"][0].as_py()[:4] == ["Gizon", "ume", "etxe", "handi"]
    assert rows["labels"][0].as_py()[:4] == ["ek", "ari", "none", "a"]
