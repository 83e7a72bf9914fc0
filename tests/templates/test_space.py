"""The sentences of a template: how many there are, and which ones are drawn."""

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starbank.errors import ConstructionError
from starbank.queries.templates import read_template
from starbank.sets.templates import Space, different
from starbank.sets.templates.draw import draw, share, shuffled
from starbank.sets.templates.sentences import conditions
from tests.templates.conftest import TEMPLATE

TWO_NOUNS = TEMPLATE.replace("the {N}]", "the {N} near the {M}]").replace("slots:\n", "slots:\n  M: {from: nouns}\n")
TWO_NUMBERS = TWO_NOUNS.replace("M: {from: nouns}", "M: {from: nouns, Number: $other}")


def drawn(path, limit=1000, seed="0"):
    template = read_template(path)
    space = Space(template)
    rows = draw(space, limit, seed)
    return space, [conditions(template, choices)[0].text for _, choices in rows]


def test_agreement_and_selection_decide_what_goes_together(write):
    space, texts = drawn(write())
    assert space.size == 2 * (2 + 2 + 2)  # The dog barks or sleeps; the man, and the king, sleeps or laughs.
    assert sorted(text for text in texts if "dog" in text) == [
        "The dog barks.",
        "The dog sleeps.",
        "The dogs bark.",
        "The dogs sleep.",
    ]
    assert len(set(texts)) == space.size


def test_each_number_is_another_sentence(write):
    space = Space(read_template(write(TWO_NOUNS)))
    texts = {conditions(space.template, space.choose(number)[1])[0].text for number in range(space.size)}
    assert len(texts) == space.size == 12 * 6


def test_two_slots_may_be_told_to_hold_different_words(write):
    space, texts = drawn(write(TWO_NOUNS + "where: [N != M]\n"))
    assert space.size == len(set(texts)) == 12 * 4
    assert not any(text.startswith("The man near the m") for text in texts)


def test_words_of_two_tables_are_those_of_the_first_where_both_have_the_lemma(write):
    published = "lemma\tform\tNumber\tkind\nman\tman\tSing\tperson\nman\tmans\tPlur\tperson\n"
    _, texts = drawn(write(TEMPLATE.replace("from: nouns", "from: published|nouns"), published=published))
    assert {"The mans laugh.", "The dogs bark."} <= set(texts)
    assert not any("men" in text for text in texts)


def test_opposite_numbers(write):
    space, texts = drawn(write(TWO_NUMBERS + "where: [$number != $other, N != M]\n"))
    assert space.size == 12 * 2
    assert "The dog near the men sleeps." in texts
    assert "The dog near the man sleeps." not in texts


def test_a_star_agrees_with_anything(write):
    sheep = "lemma\tNumber\tkind\nsheep\t*\tanimal\nlamb\tSing\tanimal\n"
    text = TEMPLATE.replace("from: nouns", "from: flock")
    _, texts = drawn(write(text, flock=sheep))
    assert sorted(texts) == [
        "The lamb barks.", "The lamb sleeps.",
        "The sheep bark.", "The sheep barks.", "The sheep sleep.", "The sheep sleeps.",
    ]  # fmt: skip


def test_words_that_differ_in_nothing_that_matters_are_one(write):
    sheep = "lemma\tNumber\tform\nsheep\tSing\tsheep\nsheep\tPlur\tsheep\nlamb\tSing\tlamb\n"
    space, texts = drawn(write(TWO_NOUNS.replace("M: {from: nouns", "M: {from: flock"), flock=sheep))
    assert space.size == len(texts) == 12 * 2


def test_a_paradigm_takes_the_first_row_that_fits(write):
    _, texts = drawn(write(verbs="lemma\tsubject\ncry\tperson\n"))
    assert sorted(texts) == ["The king cries.", "The kings cry.", "The man cries.", "The men cry."]


def test_a_form_that_does_not_change_is_not_starred(write):
    sheep = (
        "lemma\tsubject\tform\tNumber\ncan\tperson\tcan\tSing|Plur\nrun\tperson\trun\tPlur\nrun\tperson\truns\tSing\n"
    )
    _, texts = drawn(write(TEMPLATE.replace("from: verbs", "from: modals"), modals=sheep))
    assert sorted(texts) == ["The king runs.", "The kings run.", "The man runs.", "The men run."]


def test_the_starred_form_may_agree_with_another_slot(write):
    text = TWO_NUMBERS.replace("{Number: [Sing, Plur]}", "{Number: $other}")
    template = read_template(write(text))
    space = Space(template)
    pairs = [[one.text for one in conditions(template, space.choose(number)[1])] for number in range(space.size)]
    assert space.size == 12 * 3
    assert ["The dog near the men sleeps.", "The dog near the men sleep."] in pairs


def test_draws_are_distinct_and_the_same_for_the_same_seed(write):
    path = write(TWO_NOUNS)
    assert drawn(path, 20, "a")[1] == drawn(path, 20, "a")[1]
    assert drawn(path, 20, "a")[1] != drawn(path, 20, "b")[1]
    assert len(set(drawn(path, 50)[1])) == 50


def test_a_limit_beyond_the_space_gives_the_whole_space_once(write):
    _, texts = drawn(write(), limit=10_000)
    assert len(texts) == len(set(texts)) == 12


def test_what_is_balanced_occurs_equally_often_as_far_as_it_can(write):
    many = "".join(f"noun{number}\tnoun{number}s\tperson\t\n" for number in range(20))
    path = write(
        TEMPLATE + "balance: [N.kind]\n", nouns="lemma\tplural\tkind\tgloss\n" + many + "dog\tdogs\tanimal\t\n"
    )
    _, texts = drawn(path, limit=8)
    assert Counter("dog" in text for text in texts) == {True: 4, False: 4}
    _, texts = drawn(path, limit=20)  # There are four sentences about dogs.
    assert Counter("dog" in text for text in texts) == {True: 4, False: 16}


def test_weights_say_how_often(write):
    path = write(TWO_NOUNS + "weights: {$number: {Sing: 3, Plur: 1}}\n")
    _, texts = drawn(path, limit=24)
    assert Counter(text.removesuffix(".").endswith("s") for text in texts) == {True: 18, False: 6}


def test_a_word_of_weight_zero_does_not_occur(write):
    nouns = "lemma\tplural\tkind\tgloss\tweight\ndog\tdogs\tanimal\tdog\t0\nman\tmen\tperson\tman\t1\n"
    _, texts = drawn(write(TEMPLATE + "weights: {N: weight}\n", nouns=nouns))
    assert texts
    assert not any("dog" in text for text in texts)


def test_a_million_million_sentences_are_no_trouble(write):
    many = "lemma\tplural\tkind\tgloss\n" + "".join(f"n{number}\tp{number}\tperson\t\n" for number in range(500))
    slots = "".join(f"  M{place}: {{from: nouns}}\n" for place in range(4))
    text = TEMPLATE.replace("the {N}]", "the {N} {M0} {M1} {M2} {M3}]").replace("slots:\n", "slots:\n" + slots)
    space, texts = drawn(write(text + "where: [N != M0, M0 != M1, M1 != N]\n", nouns=many), limit=200)
    assert space.size == 500 * 499 * 498 * 2**3 * 1000**2 * 2
    assert len(set(texts)) == 200


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=3),
    st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)).filter(lambda edge: edge[0] < edge[1])),
)
def test_choices_that_differ_are_counted_and_numbered_exactly(columns, edges):
    edges = sorted(edge for edge in edges if edge[1] < len(columns))
    arrays = [np.array(column) for column in columns]
    ways = [[(thing, way) for thing, count in enumerate(column) for way in range(count)] for column in columns]
    expected = {choice for choice in product(*ways) if all(choice[one][0] != choice[other][0] for one, other in edges)}
    count = int(different.count(arrays, edges))
    assert {tuple(different.choose(number, arrays, edges)) for number in range(count)} == expected
    assert count == len(expected)


@settings(deadline=None)
@given(st.integers(0, 50), st.integers(0, 10))
def test_a_random_order_names_every_number_once(size, seed):
    assert sorted(shuffled(size, Random(seed))) == list(range(size))


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(0, 100), st.dictionaries(st.text(max_size=2), st.integers(1, 9), min_size=1, max_size=9))
def test_shares_add_up_and_are_fair(total, weights):
    quotas = share(total, weights, Random(0))
    assert sum(quotas.values()) == total
    whole = sum(weights.values())
    assert all(abs(quotas[key] - total * weights[key] / whole) < 1 for key in weights)


def test_nothing_fits_together(write):
    with pytest.raises(
        ConstructionError, match=r"\$kind has no value that all of its 2 slots have: animal, person; plant"
    ):
        Space(read_template(write(verbs="lemma\tsubject\ngrow\tplant\n")))
