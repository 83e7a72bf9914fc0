"""Items as plain pairs."""

from starbank.suites import PAIRS, pairs
from tests.suites.items import COVARIATES, item, suite


def test_each_starred_condition_makes_a_pair_with_the_grammatical_one():
    table = pairs(suite([item(prefix="მერე ")]).items)
    assert table.schema == PAIRS
    assert table.to_pylist() == [
        {
            "item_id": "0123456789abcdef",
            "construction": "erg-subj",
            "phenomenon": "case",
            "language": "kat",
            "treebank": "UD_Georgian-Test",
            "split": "test",
            "sent_id": "s1",
            "sentence_good": "მერე კაცმა იმღერა.",
            "sentence_bad": "მერე კაცი იმღერა.",
            "prefix": "მერე ",
            "suffix": " იმღერა.",
            "form_good": "კაცმა",
            "form_bad": "კაცი",
            "condition_good": "Erg",
            "condition_bad": "Nom",
            "form_good_count": 1,
            "form_bad_count": 2,
            "form_good_source": "treebank",
            "form_bad_source": "treebank",
            "form_bad_confidence": 1.0,
            **COVARIATES,
        },
        {
            "item_id": "0123456789abcdef",
            "construction": "erg-subj",
            "phenomenon": "case",
            "language": "kat",
            "treebank": "UD_Georgian-Test",
            "split": "test",
            "sent_id": "s1",
            "sentence_good": "მერე კაცმა იმღერა.",
            "sentence_bad": "მერე კაცს იმღერა.",
            "prefix": "მერე ",
            "suffix": " იმღერა.",
            "form_good": "კაცმა",
            "form_bad": "კაცს",
            "condition_good": "Erg",
            "condition_bad": "Dat",
            "form_good_count": 1,
            "form_bad_count": 3,
            "form_good_source": "treebank",
            "form_bad_source": "treebank",
            "form_bad_confidence": 1.0,
            **COVARIATES,
        },
    ]


def test_pairs_keep_the_order_of_items_and_conditions():
    table = pairs(suite([item("b"), item("a", grammatical="Dat")]).items)
    assert list(zip(table["item_id"].to_pylist(), table["condition_bad"].to_pylist(), strict=True)) == [
        ("b", "Nom"),
        ("b", "Dat"),
        ("a", "Erg"),
        ("a", "Nom"),
    ]


def test_no_items_make_no_pairs():
    table = pairs(suite().items)
    assert (table.num_rows, table.schema) == (0, PAIRS)


def test_each_starred_condition_is_beside_the_grammatical_one_it_is_held_against():
    two_by_two = item()
    forms = {"sing-sing": None, "plur-plur": None, "sing-plur": "sing-sing", "plur-sing": "plur-plur"}
    two_by_two["conditions"] = [
        two_by_two["conditions"][0] | {"name": name, "grammatical": against is None, "against": against}
        for name, against in forms.items()
    ]
    table = pairs(suite([two_by_two]).items)
    assert list(zip(table["condition_good"].to_pylist(), table["condition_bad"].to_pylist(), strict=True)) == [
        ("sing-sing", "sing-plur"),
        ("plur-plur", "plur-sing"),
    ]
