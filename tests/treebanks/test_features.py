"""FEATS in its canonical spelling."""

import pytest

from starbank.treebanks.features import format_features, parse_features


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Number=Sing|Case=Nom", "Case=Nom|Number=Sing"),
        ("NumType=Card|Number[psor]=Plur|Number=Sing", "Number=Sing|Number[psor]=Plur|NumType=Card"),
        ("case=nom|Case=Nom|Animacy=Anim", "Animacy=Anim|Case=Nom|case=nom"),
        ("Voice=Rcp|Voice=Act", "Voice=Act,Rcp"),
        ("Voice=Act|Voice=Act", "Voice=Act"),
        ("Case=Dat|Case=Acc,Nom", "Case=Acc,Dat,Nom"),
        ("Case=Dat,Acc", "Case=Dat,Acc"),
        ("Gloss=a=b", "Gloss=a=b"),
        ("Number=Sing||Person=3", "Number=Sing|Person=3"),
        ("_", None),
        ("|", None),
    ],
)
def test_canonical_spelling(text, canonical):
    assert format_features(parse_features(text)) == canonical


@pytest.mark.parametrize("part", ["Case", "Case=", "=Nom", "="])
def test_a_part_must_be_name_and_value(part):
    with pytest.raises(ValueError, match=f"^{part}$"):
        parse_features(f"Number=Sing|{part}")
