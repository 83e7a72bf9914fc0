"""What commands make of a request itself: the request that finds what they make."""

from __future__ import annotations

import pytest

from starbank.grew import Engine, parse_request
from starbank.grew.changed import changed_request
from starbank.grew.rules import parse_commands
from tests.small_treebank import small_treebank

SENTENCES = (
    """
    We eat red apples
    1 We we PRON _ 2 nsubj
    2 eat eat VERB Tense=Pres 0 root
    3 red red ADJ _ 4 amod
    4 apples apple NOUN Number=Plur 2 obj
    """,
    """
    You ate
    1 You you PRON _ 2 nsubj
    2 ate eat VERB Tense=Past 0 root
    """,
    """
    Apples red they eat
    1 Apples apple NOUN Number=Plur 4 obj
    2 red red ADJ _ 1 amod
    3 they they PRON _ 4 nsubj
    4 eat eat VERB Tense=Pres 0 root
    """,
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return Engine(small_treebank(tmp_path_factory.mktemp("eng"), *SENTENCES, language="eng"))


@pytest.mark.parametrize(
    ("request_", "commands", "before", "after"),
    [
        pytest.param("V -[obj]-> O", "del_node O", ["s1", "s3"], ["s2"], id="what is deleted must not be there"),
        pytest.param(
            "V -[obj]-> O; O [Number=Plur]; O -[amod]-> A",
            "del_phrase O",
            ["s1", "s3"],
            ["s2"],
            id="with all that hangs from it",
        ),
        pytest.param("N -[amod]-> A; A < N", "move_node A :> N", ["s1"], ["s3"], id="another place"),
        pytest.param("V -[obj]-> O; V << O", "move_phrase O :<< V", ["s1"], ["s3"], id="a phrase before another"),
        pytest.param("V [Tense=Pres]", "V.Tense = Past", ["s1", "s3"], ["s2"], id="another value"),
        pytest.param("V [Tense=Past]", 'V.form = "eat"', ["s2"], [], id="a form, where all other tests stay"),
        pytest.param("V []; V.form = ate", "V.Tense = Pres", ["s2"], ["s1", "s3"], id="another cell has another form"),
        pytest.param(
            "O [form=Apples]; O.Number = Plur", 'O.form = "apples"', ["s3"], ["s1", "s3"], id="capitals aside"
        ),
        pytest.param("V -[obj]-> O", "del_feat V.Tense", ["s1", "s3"], [], id="a feature that goes"),
        pytest.param(
            "V [Tense=Past]",
            "V.Tense = Pres; add_node X :> V; X.lemma = red; X.upos = ADJ",
            ["s2"],
            ["s1"],
            id="a new word beside it",
        ),
        pytest.param("O [lemma=apple]; V < O", "add_node X :> V; X.upos = ADJ", [], ["s1"], id="a word between two"),
        pytest.param("O [lemma=apple]; V < O", "add_node X :< O; X.upos = ADJ", [], ["s1"], id="before the second"),
        pytest.param(
            "O [lemma=apple]; e: O -[amod]-> A",
            "add_edge V -[1=e.1]-> O",
            ["s1", "s3"],
            ["s1", "s3"],
            id="an edge with a part of another's label",
        ),
        pytest.param("e: V -[obj]-> O", "e.label = nsubj", ["s1", "s3"], ["s1", "s2", "s3"], id="another label"),
        pytest.param(
            "e: V -[obj]-> O",
            "del_edge e; add_edge V -[nsubj]-> O",
            ["s1", "s3"],
            ["s1", "s2", "s3"],
            id="another edge",
        ),
    ],
)
def test_the_changed_request_finds_what_the_commands_make(engine, request_, commands, before, after):
    request = parse_request(f"pattern {{ V [upos=VERB]; {request_} }}")
    changed = changed_request(parse_commands(commands, request, {}))
    assert sorted(set(engine.match(request)["sent_id"].to_pylist())) == before
    assert sorted(set(engine.match(changed)["sent_id"].to_pylist())) == after


def test_a_block_about_what_changes_does_not_speak_of_what_was_changed(engine):
    request = parse_request("pattern { V [upos=VERB, Tense=Pres] } without { V [Tense=Past] } without { V -[obj]-> O }")
    changed = changed_request(parse_commands("V.Tense = Past", request, {}))
    assert [block.kind for block in changed.conditions] == ["without"]
    assert engine.match(changed)["sent_id"].to_pylist() == ["s2"]


def test_a_value_that_another_node_has_is_sought_there(engine):
    request = parse_request("pattern { V [upos=VERB]; V -[nsubj]-> S }")
    changed = changed_request(parse_commands("S.lemma = V.lemma", request, {}))
    assert engine.count(changed) == 0
