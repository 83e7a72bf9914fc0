"""What is offered, added to a request and written into a construction, without a browser."""

import math

import pytest

pytest.importorskip("starlette")

from starbank.errors import UsageError
from starbank.grew import Engine, parse_request
from starbank.studio import edits
from starbank.studio.clues import changes, clauses, words_of
from starbank.studio.controllers import find_controller
from starbank.studio.narrowing import narrow
from starbank.studio.readings import by_word
from starbank.studio.vocabulary import Vocabulary, complete
from tests.small_treebank import small_treebank

CONSTRUCTION = """\
% ---
% # Who speaks?
% title: "Person: of V"
% target: V
% vary:
%   Person: [1, 2]
% limit: 5
% ---
pattern { V [upos=VERB] }
"""


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    lines = [
        "1 The the DET _ 2 det",
        "2 owl owl NOUN Number=Sing 3 nsubj",
        "3 sees see VERB Number=Sing|Number[psor]=Plur 0 root",
        "4 two two NUM _ 5 nummod",
        "5 cats cat NOUN Number=Plur 3 obj",
        "6 . . PUNCT _ 3 punct",
    ]
    sentence = "\n".join(["The owl sees two cats.", *lines])
    return small_treebank(tmp_path_factory.mktemp("small"), sentence, language="eng")


@pytest.fixture(scope="module")
def vocabulary(treebank):
    return Vocabulary(next(Engine(treebank).parts()).graph)


@pytest.mark.parametrize(
    ("text", "offers"),
    [
        ("pattern { X [upos=", ["NOUN", "DET", "VERB", "NUM", "PUNCT"]),
        ("pattern { X [upos=NOUN|N", ["NOUN", "NUM"]),
        ("pattern { X [upos=NOUN, Num", ["Number", "Number__psor"]),
        ("pattern { X [lemma=t", ["the", "two"]),
        ("pattern { X -[n", ["nsubj", "nummod"]),
        ("pattern { Verb []; V", ["Verb"]),
        ("pattern { V []; V.Num", ["Number", "Number__psor"]),
        ("wit", ["with", "without"]),
        ("% ---\n% targ", ["target"]),
        ("pattern { V []; ", []),
        ("pattern { V [] }\n", []),
        ("", ["pattern", "with", "without", "global"]),
    ],
)
def test_what_may_follow_is_offered(vocabulary, text, offers):
    shown = [offer.label for offer in complete(text, len(text), vocabulary).offers]
    assert sorted(shown) == sorted(offers)


def test_a_value_is_quoted_where_a_request_wants_it(vocabulary):
    (offer, *_) = complete('pattern { X [form=".', 20, vocabulary).offers
    assert (offer.text, offer.detail) == ('"."', "1")


@pytest.mark.parametrize(
    ("key", "value", "block"),
    [
        ("V.Number", "Sing", "pattern { V [Number=Sing] }"),
        ("V.Number", None, "pattern { V [!Number] }"),
        ("S.form", "d'or !", 'pattern { S [form="d\'or !"] }'),
        ("e.label", "nsubj", "pattern { e.label = nsubj }"),
        ("V#S", "S << V", "pattern { S << V }"),
        ("V -> S", "nsubj", "pattern { V -[nsubj]-> S }"),
        ("{ V -[obj]-> O }", "No", "without { V -[obj]-> O \n}"),
        ("meta.genre", "news", "global { genre = news }"),
    ],
)
def test_a_value_of_a_key_becomes_a_block_of_the_request(key, value, block):
    text = "pattern { e: V -> S }"
    longer = narrow(text, parse_request(text), key, value)
    assert longer == f"{text}\n{block}\n"
    parse_request(longer)


def test_tokens_are_added_up_by_word():
    half = -0.5 * math.log(2)
    words = list(by_word("An unseen owl.", [0, 3, 5, 10, 13], [half, half, half, None, half]))
    assert [(word.text, word.bits) for word in words] == [("An ", 0.5), ("unseen ", 1.0), ("owl", None), (".", 0.5)]


def test_what_no_clause_says_does_not_narrow():
    text = "pattern { V [] }"
    with pytest.raises(UsageError, match="no clause says"):
        narrow(text, parse_request(text), "height(V)", "3")


def test_a_request_becomes_a_construction():
    begun = edits.begin("pattern { V [] }", title="Possessors", language="eng", treebank="UD_X-Y", target="V")
    assert edits.vary(begun, "V", "Number__psor", ["A", "B"], controller="S") == (
        "% ---\n% title: Possessors\n% language: eng\n% treebanks: [UD_X-Y]\n% target: V\n% vary:\n"
        "%   Number[psor]: [A, B]\n% controller: S\n% ---\npattern { V [] }\n"
    )


def test_the_word_that_another_agrees_with_controls_it(tmp_path):
    sentences = [
        f"{subject} see {thing}.\n1 {subject} who PRON Number={number} 2 nsubj\n2 see see VERB Number={number} 0 root\n"
        f"3 {thing} thing NOUN Number={other} 2 obj\n4 . . PUNCT _ 2 punct"
        for subject, number in (("we", "Plur"), ("I", "Sing"))
        for thing, other in (("owls", "Plur"), ("an-owl", "Sing"))
        for _ in range(5)
    ]
    engine = Engine(small_treebank(tmp_path, *sentences, language="eng"))
    request = parse_request("pattern { V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O }")
    assert find_controller(engine, request, "V", "Number") == "S"
    assert find_controller(engine, request, "O", "Number") is None


def test_another_feature_varies_and_all_else_stays():
    assert edits.vary(CONSTRUCTION, "V", "Number", ["Sing", "Plur"]) == CONSTRUCTION.replace(
        "Person: [1, 2]", "Number: [Sing, Plur]"
    )


def test_a_setting_goes_with_all_its_lines():
    assert edits.with_setting(CONSTRUCTION, "vary", []) == CONSTRUCTION.replace("% vary:\n%   Person: [1, 2]\n", "")


def test_conditions_that_commands_make_take_the_place_of_what_varied_and_add_up():
    once = edits.change(CONSTRUCTION, "S left out", "del_node S")
    assert once == CONSTRUCTION.replace(
        "% vary:\n%   Person: [1, 2]\n% limit: 5\n",
        "% limit: 5\n% conditions:\n%   S left out:\n%     - del_node S\n",
    )
    twice = edits.change(once, "S after V", "move_phrase S :> V")
    assert twice == once.replace("del_node S\n", "del_node S\n%   S after V:\n%     - move_phrase S :> V\n")
    with pytest.raises(UsageError, match="there is a condition"):
        edits.change(twice, "S after V", "move_phrase S :> V")


def test_commands_leave_a_word_out_and_put_it_on_the_other_side(treebank):
    nodes = dict(zip(treebank.tokens["form"].to_pylist(), treebank.tokens["node"].to_pylist(), strict=True))
    bound = {"V": nodes["sees"], "O": nodes["cats"]}
    words = words_of(treebank.sentences["sent"][0].as_py(), treebank, bound)
    assert list(changes(words[nodes["cats"]], words)) == [
        ("O left out", "del_node O"),
        ("phrase of O left out", "del_phrase O"),
        ("O before V", "move_phrase O :< V"),
    ]
    assert list(changes(words[nodes["sees"]], words))[-1] == ("V after O", "move_node V :> O")


def test_a_word_below_a_bound_one_is_told_by_its_edge(treebank):
    nodes = dict(zip(treebank.tokens["form"].to_pylist(), treebank.tokens["node"].to_pylist(), strict=True))
    words = words_of(treebank.sentences["sent"][0].as_py(), treebank, {"V": nodes["sees"]})
    assert list(clauses(words[nodes["cats"]], words, "V", "X")) == [
        "V -[obj]-> X",
        "V -[obj]-> X; X [lemma=cat]",
        "V -[obj]-> X; X [upos=NOUN]",
        "V -[obj]-> X; X [Number=Plur]",
    ]
    assert list(clauses(words[nodes["two"]], words, "V", "X")) == ["X [lemma=two]; V << X", "X [upos=NUM]; V << X"]
    assert next(clauses(words[nodes["sees"]], words, "V", "X")) == "V [lemma=see]"
