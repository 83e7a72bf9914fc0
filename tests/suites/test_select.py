"""The parts of a suite put together."""

from starbank.suites import merge
from tests.suites.items import item, rejected, suite


def ids(table):
    return table["item_id"].to_pylist()


def test_parts_follow_one_another():
    whole = merge([suite([item("b")], [rejected("s1")]), suite([item("a")], [rejected("s2")])])
    assert ids(whole.items) == ["b", "a"]
    assert whole.rejected["sent_id"].to_pylist() == ["s1", "s2"]


def test_an_item_that_occurs_again_is_kept_once():
    whole = merge([suite([item("a", "s1")]), suite([item("a", "s2"), item("b", "s3")])])
    assert whole.items["sent_id"].to_pylist() == ["s1", "s3"]
    assert whole.rejected.to_pylist() == [
        {
            "construction": "erg-subj",
            "language": "kat",
            "treebank": "UD_Georgian-Test",
            "split": "test",
            "sent_id": "s2",
            "target_id": "1",
            "form": "კაცმა",
            "lemma": "კაცი",
            "feats": "Case=Erg|Number=Sing",
            "reason": "duplicate item",
            "detail": "the same as UD_Georgian-Test s1, word 1",
            "text": "კაცმა იმღერა.",
        }
    ]


def test_a_limit_draws_from_the_seed_and_keeps_the_order():
    part = suite([item(str(number), f"s{number}") for number in range(40)])
    drawn = merge([part], limit=10, seed=1)
    assert drawn.items.num_rows == 10
    assert ids(drawn.items) == sorted(ids(drawn.items), key=int)
    assert set(drawn.rejected["reason"].to_pylist()) == {"beyond the limit"}
    assert drawn.rejected.num_rows == 30
    assert ids(merge([part], limit=10, seed=1).items) == ids(drawn.items)
    assert ids(merge([part], limit=10, seed=2).items) != ids(drawn.items)


def test_what_a_limit_draws_does_not_depend_on_what_else_there_is_before_it():
    part = suite([item(str(number)) for number in range(40)])
    drawn = set(ids(merge([part], limit=10).items))
    more = set(ids(merge([suite([item("x"), item("y")]), part], limit=10).items))
    assert len(drawn & more) >= 8


def test_a_limit_beyond_what_there_is_keeps_all():
    assert merge([suite([item()])], limit=9).rejected.num_rows == 0
