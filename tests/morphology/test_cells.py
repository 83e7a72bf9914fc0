"""When two sets of features name the same cell."""

import pytest

from starbank.morphology import same_cell
from starbank.treebanks.features import parse_features


@pytest.mark.parametrize(
    ("upos", "one", "other"),
    [
        ("NOUN", "Case=Erg|Number=Sing", "Case=Erg|Number=Sing"),
        ("NOUN", "Animacy=Anim|Case=Erg|Number=Sing", "Animacy=Inan|Case=Erg|Number=Sing"),
        ("NOUN", "Case=Nom|Number=Sing|VerbForm=Vnoun", "Case=Nom|Number=Sing"),
        ("PROPN", "Case=Dat|NameType=Prs", "Case=Dat|NameType=Sur"),
        ("PRON", "Case=Erg|Number=Sing|Person=3|PronType=Prs", "Case=Erg|Number=Sing|PronType=Prs"),
        ("AUX", "ExtPos=AUX|Mood=Cnd|Number=Sing|VerbForm=Fin", "Mood=Cnd|Number=Sing|VerbForm=Fin"),
    ],
)
def test_what_belongs_to_the_lexeme_does_not_split_cells(upos, one, other):
    assert same_cell(upos, parse_features(one), parse_features(other))


@pytest.mark.parametrize(
    ("upos", "one", "other"),
    [
        ("NOUN", "Case=Erg|Number=Sing", "Case=Erg|Number=Plur"),
        ("NOUN", "Case=Nom|Number=Sing", "Case=Nom|Encl=C|Number=Sing"),
        ("NOUN", "Case=Dat|Number=Sing", "Case=Dat"),
        ("ADJ", "Animacy=Anim|Case=Acc|Number=Plur", "Animacy=Inan|Case=Acc|Number=Plur"),
        ("PRON", "Case=Nom|Person=1|PronType=Prs", "Case=Nom|Person=3|PronType=Prs"),
        ("VERB", "Number=Sing|VerbForm=Fin", "Number=Sing|VerbForm=Part"),
    ],
)
def test_every_other_feature_does(upos, one, other):
    assert not same_cell(upos, parse_features(one), parse_features(other))
