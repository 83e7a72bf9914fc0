"""Sentences in which nothing changed are written as they were, character for character."""

from pathlib import Path

import pytest

from starbank.grew import Engine, parse_request
from starbank.grew.rewriting import read_matches
from starbank.sets.rewritten.text import originals_of, write
from starbank.sets.rewritten.units import find_units
from starbank.sets.rewritten.window import find_window
from starbank.treebanks import open_treebank

SAMPLES = sorted(Path("treebanks/sample").glob("UD_*"))


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
def test_what_did_not_change_is_written_as_it_was(folder):
    treebank = open_treebank(folder)
    request = parse_request("pattern { X [] } without { Y [] ; Y < X }")
    matches = Engine(treebank).match(request)
    texts = []
    for (_, sentence, _), original in zip(
        read_matches(request, matches, treebank),
        originals_of(treebank, treebank.language),
        strict=True,
    ):
        window = find_window(sentence, sentence, original)
        texts.append("".join(write(find_units(sentence, window, {}, original, {}), window, original)))
    assert texts == treebank.sentences["text"].to_pylist()
