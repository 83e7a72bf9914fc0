"""Where a construction has a limit, no more matches are judged than it takes to find so many items."""

from collections import Counter

from tests.generators.clauses import DATIVE, ERGATIVE, MAN, clause, reasons

LIMIT = "% complete: yes\n% limit: 2\n"
BEYOND = ("beyond the limit", "the construction wants 2 items")


def singers(count):
    """Return so many sentences in which somebody sings, each a sentence of its own."""
    return [MAN.replace("დადის", f"დადის{'ო' * number}") for number in range(count)]


def test_three_matches_are_judged_for_an_item_that_is_wanted(generate):
    items, rejected = generate(*singers(12), known=[ERGATIVE, DATIVE], settings=LIMIT)
    assert len(items) == 6
    assert reasons(rejected) == [BEYOND] * 6


def test_a_few_matches_more_are_judged_with_the_others(generate):
    items, rejected = generate(*singers(9), known=[ERGATIVE, DATIVE], settings=LIMIT)
    assert (len(items), rejected) == (9, [])


def test_without_a_limit_all_are_judged(generate):
    items, rejected = generate(*singers(12), known=[ERGATIVE, DATIVE])
    assert (len(items), rejected) == (12, [])


def test_more_are_judged_until_there_are_enough_items(generate):
    # Of the woman no other form is known, and she stands in most sentences.
    women = [text.replace("კაცი", "ქალი") for text in singers(60)]
    items, rejected = generate(*women, *singers(2), known=[ERGATIVE, DATIVE], settings=LIMIT)
    assert len(items) == 2
    assert Counter(reason for reason, _ in reasons(rejected)) == {"no form": 60}


def test_each_kind_has_its_own_limit(generate):
    ergatives = [clause("კაცმა", "კაცი", "Case=Erg|Number=Sing", verb=f"თქვა{'ო' * number}") for number in range(3)]
    settings = LIMIT + "% balance: [condition]\n"
    items, rejected = generate(
        *singers(12), *ergatives, known=[DATIVE], settings=settings, pattern="V -[nsubj]-> SUBJ", target="SUBJ"
    )
    assert Counter(item["conditions"][0]["name"] for item in items) == {"Nom": 6, "Erg": 3}
    assert set(reasons(rejected)) == {("beyond the limit", "the construction wants 2 items of a kind (condition)")}


def test_what_is_known_of_items_alone_cannot_limit_what_is_judged(generate):
    settings = LIMIT + "% balance: [distance]\n"
    items, rejected = generate(*singers(12), known=[ERGATIVE, DATIVE], settings=settings)
    assert (len(items), rejected) == (12, [])


def test_which_are_judged_depends_on_the_seed(generate):
    drawn = [
        {item["sent_id"] for item in generate(*singers(12), known=[ERGATIVE, DATIVE], settings=LIMIT + seed)[0]}
        for seed in ("", "% seed: 1\n", "")
    ]
    assert drawn[0] == drawn[2] != drawn[1]
