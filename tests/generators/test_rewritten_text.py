"""What does not change in a sentence is written as it was, character for character."""

from pathlib import Path

import pytest

from starbank.grew import Engine, parse_request
from starbank.grew.rewrite import rewrite
from starbank.grew.rewriting import read_matches
from starbank.grew.rules import parse_rule
from starbank.sets.rewritten.text import originals_of, write
from starbank.sets.rewritten.units import find_units
from starbank.sets.rewritten.window import find_window
from starbank.treebanks import open_treebank
from tests.small_treebank import small_treebank

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


def test_only_the_words_around_a_change_are_written_anew(tmp_path):
    treebank = small_treebank(
        tmp_path,
        """
        Every day she very slowly eats a green apple.
        1 Every every DET _ 2 det
        2 day day NOUN _ 6 obl
        3 she she PRON _ 6 nsubj
        4 very very ADV _ 5 advmod
        5 slowly slowly ADV _ 6 advmod
        6 eats eat VERB _ 0 root
        7 a a DET _ 9 det
        8 green green ADJ _ 9 amod
        9 apple apple NOUN _ 6 obj SpaceAfter=No
        10 . . PUNCT _ 6 punct
        """,
        language="eng",
    )
    rule = parse_rule("rule shorten { pattern { A [lemma=very] } commands { del_node A } }")
    ((_, sentence, (match,)),) = read_matches(rule.request, Engine(treebank).match(rule.request), treebank)
    (original,) = originals_of(treebank, "eng")
    (state,) = rewrite(rule, sentence, match.nodes, match.edges)
    window = find_window(state.sentence, sentence, original)
    assert [unit.form for unit in find_units(state.sentence, window, {}, original, {})] == [
        "day",
        "she",
        "slowly",
        "eats",
    ]
    assert (window.first, window.end) == (1, 6)
