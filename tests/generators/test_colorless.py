"""Colorless green sentences: which words are replaced, by which, and what stays."""

import pyarrow.compute as pc
import pytest

from generators import colorless as generator
from starbank.errors import ConfigError
from tests.small_treebank import NOUNS, it_was, small_treebank
from tests.transforms.made import colorless


def english(tmp_path, *sentences):
    return small_treebank(tmp_path, *sentences, language="eng")


def texts(derived):
    return derived.sentences["text"].to_pylist()


def reasons(derived, upos):
    """What became of the words of a UPOS: form and why it was left alone."""
    rows = derived.tables["substitutions"].to_pylist()
    return {row["form"]: row["reason"] for row in rows if row["upos"] == upos}


THE_DOG_SLEEPS = """
    The dog sleeps.
    1 The the DET Definite=Def|PronType=Art 2 det
    2 dog dog NOUN Number=Sing 3 nsubj
    3 sleeps sleep VERB Number=Sing|Tense=Pres 0 root SpaceAfter=No
    4 . . PUNCT _ 3 punct
"""
THE_CAT_RUNS = """
    The cat runs!
    1 The the DET Definite=Def|PronType=Art 2 det
    2 cat cat NOUN Number=Sing 3 nsubj
    3 runs run VERB Number=Sing|Tense=Pres 0 root SpaceAfter=No
    4 ! ! PUNCT _ 3 punct
"""
THE_BOY_SEES_A_HOUSE = """
    The boy sees a house.
    1 The the DET Definite=Def|PronType=Art 2 det
    2 boy boy NOUN Number=Sing 3 nsubj
    3 sees see VERB Number=Sing|Tense=Pres 0 root
    4 a a DET Definite=Ind|PronType=Art 5 det
    5 house house NOUN Number=Sing 3 obj SpaceAfter=No
    6 . . PUNCT _ 3 punct
"""
AN_OLD_MAN_BUYS_A_TREE = """
    An old man buys a tree.
    1 An a DET Definite=Ind|PronType=Art 3 det
    2 old old ADJ Degree=Pos 3 amod
    3 man man NOUN Number=Sing 4 nsubj
    4 buys buy VERB Number=Sing|Tense=Pres 0 root
    5 a a DET Definite=Ind|PronType=Art 6 det
    6 tree tree NOUN Number=Sing 4 obj SpaceAfter=No
    7 . . PUNCT _ 4 punct
"""


def test_content_words_change_places_and_all_else_stays(tmp_path):
    made = colorless(english(tmp_path, THE_DOG_SLEEPS, THE_CAT_RUNS))
    assert texts(made) == ["The cat runs.", "The dog sleeps!"]
    assert made.tokens["lemma"].to_pylist() == ["the", "cat", "run", ".", "the", "dog", "sleep", "!"]


def test_a_verb_takes_the_place_of_one_with_the_same_arguments_only(tmp_path):
    treebank = english(tmp_path, THE_DOG_SLEEPS, THE_CAT_RUNS, THE_BOY_SEES_A_HOUSE)
    strict = colorless(treebank)
    assert "sees" in texts(strict)[2]
    assert reasons(strict, "VERB")["sees"] == "no other word like it"
    assert "sees" not in texts(colorless(treebank, preset="vyakarana", features={"VERB": ["Number"]}, seed=1))[2]


def test_a_vowel_follows_an_and_a_consonant_a(tmp_path):
    """The treebank shows that; what does not fit is drawn again."""
    treebank = english(tmp_path, *map(it_was, NOUNS))
    made = texts(colorless(treebank))
    assert sum(text != before for text, before in zip(made, treebank.sentences["text"].to_pylist(), strict=True)) > 10
    assert all((" an " in text) == (text.split()[-1][0] in "aeiou") for text in made)


def test_a_noun_takes_the_place_of_one_with_the_same_determiner_only(tmp_path):
    made = colorless(english(tmp_path, THE_DOG_SLEEPS, THE_CAT_RUNS, THE_BOY_SEES_A_HOUSE, AN_OLD_MAN_BUYS_A_TREE))
    assert texts(made)[2].endswith((" a tree.", " a man."))


def test_the_first_word_of_a_sentence_has_a_capital_and_takes_it_along_nowhere(tmp_path):
    dogs_sleep, i_like_cats = (
        """
        Dogs sleep.
        1 Dogs dog NOUN Number=Plur 2 nsubj
        2 sleep sleep VERB Number=Plur 0 root SpaceAfter=No
        3 . . PUNCT _ 2 punct
        """,
        """
        You like cats.
        1 You you PRON Person=2 2 nsubj
        2 like like VERB Number=Sing 0 root
        3 cats cat NOUN Number=Plur 2 obj SpaceAfter=No
        4 . . PUNCT _ 2 punct
        """,
    )
    made = colorless(english(tmp_path, dogs_sleep, i_like_cats))
    assert texts(made) == ["Cats sleep.", "You like dogs."]


JOHN_SMITH_LEFT_PARIS = """
    John Smith left Paris.
    1 John John PROPN Number=Sing 3 nsubj
    2 Smith Smith PROPN Number=Sing 1 flat
    3 left leave VERB Tense=Past 0 root
    4 Paris Paris PROPN Number=Sing 3 obj SpaceAfter=No
    5 . . PUNCT _ 3 punct
"""
MARY_JONES_SAW_LONDON = """
    Mary Jones saw London.
    1 Mary Mary PROPN Number=Sing 3 nsubj
    2 Jones Jones PROPN Number=Sing 1 flat
    3 saw see VERB Tense=Past 0 root
    4 London London PROPN Number=Sing 3 obj SpaceAfter=No
    5 . . PUNCT _ 3 punct
"""


def test_a_part_of_a_name_takes_the_place_of_a_like_part(tmp_path):
    made = colorless(english(tmp_path, JOHN_SMITH_LEFT_PARIS, MARY_JONES_SAW_LONDON))
    assert texts(made) == ["Mary Jones saw London.", "John Smith left Paris."]


def test_sentences_of_which_too_little_changes_are_left_out_and_counted(tmp_path):
    treebank = english(tmp_path, THE_DOG_SLEEPS, THE_CAT_RUNS, THE_BOY_SEES_A_HOUSE)
    derived = generator.colorless(treebank, min_replaced=0.9)
    (part,) = derived.parts
    assert part.sentences["sent_id"].to_pylist() == ["s1", "s2"]
    assert "left out:      1 sentences of which too little changed" in list(derived.notes)


def test_a_comment_tells_how_many_content_words_in_a_hundred_are_others(tmp_path):
    """Of the third sentence only *boy* has another noun like it, as *house* is the only one with *a*."""
    made = colorless(english(tmp_path, THE_DOG_SLEEPS, THE_CAT_RUNS, THE_BOY_SEES_A_HOUSE))
    assert [comments[-1] for comments in made.sentences["comments"].to_pylist()] == [
        "# replaced = 100",
        "# replaced = 100",
        "# replaced = 33",
    ]


FOR_THE_SAKE_OF = """
        They sing for the sake of {0}.
        1 They they PRON Number=Plur 2 nsubj
        2 sing sing VERB Mood=Ind 0 root
        3 for for ADP _ 5 case
        4 the the DET Definite=Def|PronType=Art 5 det
        5 sake sake NOUN Number=Sing 2 obl
        6 of of ADP _ 7 case
        7 {0} {0} NOUN Number=Sing 5 nmod SpaceAfter=No
        8 . . PUNCT _ 2 punct
"""
IN_A = """
        They sing in a {0} slowly.
        1 They they PRON Number=Plur 2 nsubj
        2 sing sing VERB Mood=Ind 0 root
        3 in in ADP _ 5 case
        4 a a DET Definite=Ind|PronType=Art 5 det
        5 {0} {0} NOUN Number=Sing 2 obl
        6 slowly slowly ADV _ 2 advmod SpaceAfter=No
        7 . . PUNCT _ 2 punct
"""


def test_a_word_that_stands_beside_the_same_words_again_and_again_stays_there(tmp_path):
    """*sake* is a noun by its tag."""
    sentences = [frame.format(noun) for noun in NOUNS[:12] for frame in (FOR_THE_SAKE_OF, IN_A)]
    made = colorless(english(tmp_path, *sentences))
    assert reasons(made, "NOUN")["sake"] == "a function word by what stands around it"
    assert not any(" a sake " in text for text in texts(made))


def test_what_a_word_does_in_sentences_in_a_row_counts_once(tmp_path):
    """They are about the same, and say it in the same words: no more is known of *sake* than of other nouns."""
    sentences = [frame.format(noun) for frame in (FOR_THE_SAKE_OF, IN_A) for noun in NOUNS[:12]]
    made = colorless(english(tmp_path, *sentences))
    assert reasons(made, "NOUN")["sake"] != "a function word by what stands around it"


GEORGIAN = (
    """
    კაცია აქ.
    1-2 კაცია _ _ _ _ _
    1 კაცი კაცი NOUN Case=Nom 3 nsubj Translit=k'aci
    2 ა არის AUX _ 3 cop
    3 აქ აქ PRON _ 0 root SpaceAfter=No
    4 . . PUNCT _ 3 punct
    """,
    """
    სახლია იქ.
    1-2 სახლია _ _ _ _ _
    1 სახლი სახლი NOUN Case=Nom 3 nsubj Translit=saxli
    2 ა არის AUX _ 3 cop
    3 იქ იქ PRON _ 0 root SpaceAfter=No
    4 . . PUNCT _ 3 punct
    """,
    """
    ქალი აქ.
    1 ქალი ქალი NOUN Case=Nom 2 nsubj Translit=kali
    2 აქ აქ PRON _ 0 root SpaceAfter=No
    3 . . PUNCT _ 2 punct
    """,
)


def test_a_word_of_a_multiword_token_is_replaced_by_one_beside_the_same_others(tmp_path):
    made = colorless(small_treebank(tmp_path, *GEORGIAN))
    assert texts(made) == ["სახლია აქ.", "კაცია იქ.", "ქალი აქ."]
    assert made.tokens["form"].to_pylist()[:3] == ["სახლია", "სახლი", "ა"]
    assert made.tokens["misc"].to_pylist()[1] == "Translit=saxli"


def test_a_variant_has_a_name_of_its_own_and_a_single_one_keeps_it(tmp_path):
    treebank = english(tmp_path, THE_DOG_SLEEPS, THE_CAT_RUNS)
    assert colorless(treebank).sentences["sent_id"].to_pylist() == ["s1", "s2"]
    several = colorless(treebank, variants=2).sentences
    assert several["sent_id"].to_pylist() == ["s1-org1", "s1-org2", "s2-org1", "s2-org2"]


def test_gulordava_wants_words_that_occur_twice_and_with_one_part_of_speech(tmp_path):
    made = colorless(english(tmp_path, THE_DOG_SLEEPS, THE_CAT_RUNS), preset="gulordava")
    assert texts(made) == ["The dog sleeps.", "The cat runs!"]
    often = colorless(english(tmp_path / "often", *2 * [THE_DOG_SLEEPS], *2 * [THE_CAT_RUNS]), preset="gulordava")
    assert texts(often)[0] == "The cat runs."


def test_the_same_seed_gives_the_same_sentences(sample):
    from starbank.treebanks import read_conllu

    treebank = read_conllu([sample / "UD_Hindi-Sample"])
    one, same, other = (colorless(treebank, preset="vyakarana", seed=seed) for seed in (1, 1, 2))
    assert texts(one) == texts(same)
    assert texts(one) != texts(other)


def test_mistakes_are_named(tmp_path):
    treebank = english(tmp_path, THE_DOG_SLEEPS)
    with pytest.raises(ConfigError, match="no preset `strickt`") as caught:
        colorless(treebank, preset="strickt")
    assert "Did you mean `strict`?" in str(caught.value)
    with pytest.raises(ConfigError, match="no donors `tests`"):
        colorless(treebank, donors="tests")
    with pytest.raises(ConfigError, match="gender is controlled in Hindi only"):
        colorless(treebank, gender=["opposite"])
    with pytest.raises(ConfigError, match="no gender `female`"):
        colorless(treebank, gender=["female"])


HINDI = (
    """
    लड़के का घर बड़ा था।
    1 लड़के लड़का NOUN Case=Acc|Gender=Masc|Number=Sing 3 nmod:poss
    2 का का ADP Case=Gen|Gender=Masc|Number=Sing 1 case
    3 घर घर NOUN Case=Nom|Gender=Masc|Number=Sing 4 nsubj
    4 बड़ा बड़ा ADJ Gender=Masc 0 root
    5 था था AUX Gender=Masc|Number=Sing|Tense=Past 4 cop SpaceAfter=No
    6 । । PUNCT _ 4 punct
    """,
    """
    लड़के की किताब बड़ी थी।
    1 लड़के लड़का NOUN Case=Acc|Gender=Masc|Number=Sing 3 nmod:poss
    2 की का ADP Case=Gen|Gender=Fem|Number=Sing 1 case
    3 किताब किताब NOUN Case=Nom|Gender=Fem|Number=Sing 4 nsubj
    4 बड़ी बड़ा ADJ Gender=Fem 0 root
    5 थी था AUX Gender=Fem|Number=Sing|Tense=Past 4 cop SpaceAfter=No
    6 । । PUNCT _ 4 punct
    """,
)


def test_a_noun_of_the_other_gender_brings_what_agrees_with_it_along(tmp_path):
    treebank = small_treebank(tmp_path, *HINDI, language="hin")
    made = colorless(treebank, gender=["opposite", "masculine", "feminine"])
    assert dict(zip(made.sentences["sent_id"].to_pylist(), texts(made), strict=True)) == {
        "s1-opp": "लड़के की किताब बड़ी थी।",
        "s1-masc": "लड़के का घर बड़ा था।",
        "s1-fem": "लड़के की किताब बड़ी थी।",
        "s2-opp": "लड़के का घर बड़ा था।",
        "s2-masc": "लड़के का घर बड़ा था।",
        "s2-fem": "लड़के की किताब बड़ी थी।",
    }
    changed = made.tokens.filter(pc.equal(made.tokens["sent_id"], "s1-opp"))
    assert changed["feats"].to_pylist()[1:5] == [
        "Case=Gen|Gender=Fem|Number=Sing",
        "Case=Nom|Gender=Fem|Number=Sing",
        "Gender=Fem",
        "Gender=Fem|Number=Sing|Tense=Past",
    ]
    told = made.tables["genders"].to_pylist()
    rows = made.tables["substitutions"].to_pylist()
    inflected = [row["sent_id"] for row in rows if row["reason"] == "agrees with a noun of the other gender"]
    assert inflected == ["s1-opp", "s1-fem", "s2-opp", "s2-masc"]
    assert {"mode": "feminine", "upos": "NOUN", "before": "Masc", "after": "Fem", "reason": None, "count": 1} in told


ERGATIVE = (
    """
    उसने घर और दीवार में पत्थर देखा।
    1 उसने वह PRON Case=Acc|Number=Sing|Person=3 7 nsubj
    2 घर घर NOUN Case=Acc|Gender=Masc|Number=Sing 7 obl
    3 और और CCONJ _ 4 cc
    4 दीवार दीवार NOUN Case=Acc|Gender=Fem|Number=Sing 2 conj
    5 में में ADP _ 2 case
    6 पत्थर पत्थर NOUN Case=Nom|Gender=Masc|Number=Sing 7 obj
    7 देखा देखना VERB Gender=Masc|Number=Sing 0 root SpaceAfter=No
    8 । । PUNCT _ 7 punct
    """,
    """
    उसने दीवार और घर में मिट्टी देखी।
    1 उसने वह PRON Case=Acc|Number=Sing|Person=3 7 nsubj
    2 दीवार दीवार NOUN Case=Acc|Gender=Fem|Number=Sing 7 obl
    3 और और CCONJ _ 4 cc
    4 घर घर NOUN Case=Acc|Gender=Masc|Number=Sing 2 conj
    5 में में ADP _ 2 case
    6 मिट्टी मिट्टी NOUN Case=Nom|Gender=Fem|Number=Sing 7 obj
    7 देखी देखना VERB Gender=Fem|Number=Sing 0 root SpaceAfter=No
    8 । । PUNCT _ 7 punct
    """,
)


def test_the_verb_agrees_with_the_object_of_an_ergative_and_nothing_with_coordinated_obliques(tmp_path):
    made = colorless(small_treebank(tmp_path, *ERGATIVE, language="hin"), gender=["opposite"])
    assert texts(made) == ["उसने दीवार और घर में मिट्टी देखी।", "उसने घर और दीवार में पत्थर देखा।"]


POSSESSING = (
    """
    उसने घर का पत्थर देखा।
    1 उसने वह PRON Case=Acc|Number=Sing|Person=3 5 nsubj
    2 घर घर NOUN Case=Acc|Gender=Masc|Number=Sing 5 obl
    3 का का ADP _ 2 case
    4 पत्थर पत्थर NOUN Case=Nom|Gender=Masc|Number=Sing 5 obj
    5 देखा देखना VERB Gender=Masc|Number=Sing 0 root SpaceAfter=No
    6 । । PUNCT _ 5 punct
    """,
    """
    उसने दीवार की मिट्टी देखी।
    1 उसने वह PRON Case=Acc|Number=Sing|Person=3 5 nsubj
    2 दीवार दीवार NOUN Case=Acc|Gender=Fem|Number=Sing 5 obl
    3 की का ADP _ 2 case
    4 मिट्टी मिट्टी NOUN Case=Nom|Gender=Fem|Number=Sing 5 obj
    5 देखी देखना VERB Gender=Fem|Number=Sing 0 root SpaceAfter=No
    6 । । PUNCT _ 5 punct
    """,
)


def test_a_genitive_that_is_called_an_oblique_agrees_with_what_follows_it(tmp_path):
    made = colorless(small_treebank(tmp_path, *POSSESSING, language="hin"), gender=["opposite"])
    assert texts(made) == ["उसने दीवार की मिट्टी देखी।", "उसने घर का पत्थर देखा।"]


def test_a_noun_keeps_its_gender_where_a_word_that_agrees_has_no_other_form(tmp_path):
    green_house = HINDI[0].replace("बड़ा", "हरा")
    made = colorless(small_treebank(tmp_path, green_house, HINDI[1], language="hin"), gender=["opposite"])
    assert texts(made)[0] == "लड़के का घर हरा था।"
    assert {row["reason"] for row in made.tables["genders"].to_pylist()} >= {"no form of a word that agrees with it"}
