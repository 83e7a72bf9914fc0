"""A suite for SyntaxGym has one design: its regions, joined by single spaces, are the sentences."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starbank.errors import SuiteError
from starbank.suites.syntaxgym import to_syntaxgym

REGIONS = ["prefix", "target", "suffix"]


def items(*sets: dict[str, tuple[str, ...]], regions: list[str] = REGIONS) -> pa.Table:
    """Return items of conditions, the first of each grammatical."""
    return pa.Table.from_pylist([
        {
            "region_names": regions,
            "conditions": [
                {"name": name, "grammatical": place == 0, "against": None, "regions": list(texts)}
                for place, (name, texts) in enumerate(conditions.items())
            ],
        }
        for conditions in sets
    ])  # fmt: skip


def told(table: pa.Table, **about: object) -> dict:
    """Return what the JSON of a suite says."""
    return json.loads(to_syntaxgym(table, **about))


GEORGIAN = {
    "Erg": ("", "კაცმა", " სახლი ააშენა."),
    "Nom": ("", "კაცი", " სახლი ააშენა."),
    "Dat": ("", "კაცს", " სახლი ააშენა."),
}


def test_a_suite_in_full():
    assert told(items(GEORGIAN), name="erg-subj", comment="from UD_Georgian-GLC") == {
        "meta": {"name": "erg-subj", "metric": "sum", "comment": "from UD_Georgian-GLC", "grammatical": ["Erg"]},
        "region_meta": {"1": "prefix", "2": "target", "3": "suffix"},
        "predictions": [
            {
                "type": "formula",
                "formula": "((1;%Nom%) + (2;%Nom%) + (3;%Nom%)) > ((1;%Erg%) + (2;%Erg%) + (3;%Erg%))",
            },
            {
                "type": "formula",
                "formula": "((1;%Dat%) + (2;%Dat%) + (3;%Dat%)) > ((1;%Erg%) + (2;%Erg%) + (3;%Erg%))",
            },
        ],
        "items": [
            {
                "item_number": 1,
                "conditions": [
                    {
                        "condition_name": name,
                        "regions": [
                            {"region_number": 1, "content": ""},
                            {"region_number": 2, "content": form},
                            {"region_number": 3, "content": "სახლი ააშენა."},
                        ],
                    }
                    for name, form in (("Erg", "კაცმა"), ("Nom", "კაცი"), ("Dat", "კაცს"))
                ],
            }
        ],
    }


def test_what_is_written_together_with_the_word_goes_with_it():
    suite = told(
        items({"Sing": ('She said:  "', "dogs", '", and left.'), "Plur": ('She said:  "', "dog", '", and left.')}),
        name="x",
    )
    regions = [region["content"] for region in suite["items"][0]["conditions"][0]["regions"]]
    assert regions == ["She said:", '"dogs",', "and left."]


def test_conditions_are_named_by_their_part_where_another_is_grammatical_in_each_item():
    suite = told(
        items(
            {"Sing": ("The dog ", "barks", "."), "Plur": ("The dog ", "bark", ".")},
            {"Plur": ("Dogs ", "bark", "."), "Sing": ("Dogs ", "barks", ".")},
        ),
        name="x",
    )
    assert [[one["condition_name"] for one in item["conditions"]] for item in suite["items"]] == [
        ["grammatical", "starred"]
    ] * 2
    assert [region["content"] for region in suite["items"][1]["conditions"][1]["regions"]] == ["Dogs", "barks.", ""]


def test_a_starred_condition_is_held_against_its_own_grammatical_one():
    names = {"sg": None, "pl": None, "sg-bad": "sg", "pl-bad": "pl"}
    verbs = {"sg": "barks", "pl": "bark", "sg-bad": "bark", "pl-bad": "barks"}
    conditions = [
        {"name": name, "grammatical": against is None, "against": against, "regions": ["Dogs ", verbs[name]]}
        for name, against in names.items()
    ]
    table = pa.Table.from_pylist([{"region_names": ["subject", "verb"], "conditions": conditions}])
    assert [one["formula"] for one in told(table, name="x")["predictions"]] == [
        "((1;%sg-bad%) + (2;%sg-bad%)) > ((1;%sg%) + (2;%sg%))",
        "((1;%pl-bad%) + (2;%pl-bad%)) > ((1;%pl%) + (2;%pl%))",
    ]


def test_names_that_formulas_cannot_have_are_mended():
    suite = told(items({"Case=Erg": ("", "a", " b"), "Case=Nom": ("", "c", " b")}), name="x")
    assert suite["predictions"][0]["formula"].startswith("((1;%Case_Nom%)")


def test_predictions_of_ones_own():
    suite = told(items(GEORGIAN), name="x", predictions=["(2;%Nom%) > (2;%Erg%)"])
    assert suite["predictions"] == [{"type": "formula", "formula": "(2;%Nom%) > (2;%Erg%)"}]


def test_items_of_several_designs_are_no_suite():
    two = {name: GEORGIAN[name] for name in ("Erg", "Nom")}
    with pytest.raises(SuiteError, match="the items are of 2 designs"):
        to_syntaxgym(items(GEORGIAN, two), name="erg-subj")


def test_no_items_are_no_suite():
    with pytest.raises(SuiteError, match="of 0 designs"):
        to_syntaxgym(items(GEORGIAN).slice(0, 0), name="erg-subj")


@given(st.lists(st.text("ab .«»", max_size=6), min_size=3, max_size=3), st.text("ab", min_size=1))
def test_joined_by_spaces_the_regions_are_the_sentence(regions, form):
    starred = [regions[0], form, regions[2]]
    suite = told(items({"good": tuple(regions), "bad": tuple(starred)}), name="x")
    for condition, texts in zip(suite["items"][0]["conditions"], (regions, starred), strict=True):
        contents = [region["content"] for region in condition["regions"]]
        assert " ".join(filter(None, contents)) == " ".join("".join(texts).split())
        assert all(content == " ".join(content.split()) for content in contents)
