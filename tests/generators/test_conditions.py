"""What may change in a match: one word or several, one feature or several, towards the exact cell or the closest."""

import pytest

from tests.generators.clauses import clause, reasons
from tests.morphology.test_inflection import STEMS, paradigm

NEW_HOUSE = """
    Das neue Haus fällt auf.
    1 Das der DET Case=Nom|Gender=Neut|Number=Sing 3 det
    2 neue neu ADJ Case=Nom|Gender=Neut|Number=Sing 3 amod
    3 Haus Haus NOUN Case=Nom|Gender=Neut|Number=Sing 4 nsubj
    4 fällt auffallen VERB Number=Sing|VerbForm=Fin 0 root
    5 auf auf ADP _ 4 compound:prt SpaceAfter=No
    6 . . PUNCT _ 4 punct
"""
OF_THE_NEW_HOUSE = """
    Tür des neuen Hauses
    1 Tür Tür NOUN Case=Nom|Gender=Fem|Number=Sing 0 root
    2 des der DET Case=Gen|Gender=Neut|Number=Sing 4 det
    3 neuen neu ADJ Case=Gen|Gender=Neut|Number=Sing 4 amod
    4 Hauses Haus NOUN Case=Gen|Gender=Neut|Number=Sing 1 nmod
"""
CHAIN = {
    "language": "deu",
    "target": "[D, A, N]",
    "vary": "{Case: [Nom, Gen]}",
    "pattern": "N -[det]-> D; N -[amod]-> A; V -[nsubj]-> N",
}

DOGS = """
    The dogs bark loudly.
    1 The the DET _ 2 det
    2 dogs dog NOUN Number=Plur 3 nsubj
    3 bark bark VERB Mood=Ind|Number=Plur|Tense=Pres|VerbForm=Fin 0 root
    4 loudly loudly ADV _ 3 advmod SpaceAfter=No
    5 . . PUNCT _ 3 punct
"""
A_DOG = """
    A dog barks
    1 A a DET _ 2 det
    2 dog dog NOUN Number=Sing 3 nsubj
    3 barks bark VERB Mood=Ind|Number=Sing|Tense=Pres|VerbForm=Fin 0 root
"""
TWO_BY_TWO = """\
% conditions:
%   sing-sing: {SUBJ: {Number: Sing}, V: {Number: Sing}}
%   sing-plur: {SUBJ: {Number: Sing}, V: {Number: Plur}, starred: yes}
%   plur-plur: {SUBJ: {Number: Plur}, V: {Number: Plur}}
%   plur-sing: {SUBJ: {Number: Plur}, V: {Number: Sing}, starred: yes}
"""


def regions(item):
    return {condition["name"]: condition["regions"] for condition in item["conditions"]}


def test_words_that_agree_change_together(generate):
    items, rejected = generate(NEW_HOUSE, known=[OF_THE_NEW_HOUSE], **CHAIN)
    assert rejected == []
    (item,) = items
    assert regions(item) == {
        "Nom": ["", "Das neue Haus", " fällt auf."],
        "Gen": ["", "Des neuen Hauses", " fällt auf."],
    }
    assert item["conditions"][1]["form"] == "Des neuen Hauses"
    assert item["target"]["form" if "form" in item["target"] else "lemma"] == "der"


def test_a_form_that_one_of_the_words_lacks_is_named(generate):
    _, (row,) = generate(NEW_HOUSE, known=[OF_THE_NEW_HOUSE.replace("neu ADJ", "alt ADJ")], **CHAIN)
    assert (row["reason"], row["detail"]) == ("no form", "neu (ADJ): Case=Gen|Gender=Neut|Number=Sing")


CONCORD = """\
% complete: yes
% concord:
%   M: 'N -[det|amod]-> M; M << N; M.Case = N.Case'
%   C: 'N -[amod]-> A; A -[conj]-> C; C.Case = N.Case'
"""


def test_words_in_concord_change_along_where_there_are_any(generate):
    settings = {"language": "deu", "target": "N", "vary": "{Case: [Nom, Gen]}", "pattern": "V -[nsubj]-> N"}
    houses_fall = """
        Häuser fallen auf.
        1 Häuser Haus NOUN Case=Nom|Gender=Neut|Number=Plur 2 nsubj
        2 fallen auffallen VERB Number=Plur|VerbForm=Fin 0 root
        3 auf auf ADP _ 2 compound:prt SpaceAfter=No
        4 . . PUNCT _ 2 punct
    """
    of_houses = "Häuser\n1 Häuser Haus NOUN Case=Gen|Gender=Neut|Number=Plur 0 root".replace("Häuser", "Häusern")
    known = [OF_THE_NEW_HOUSE, of_houses]
    (house, houses), _ = generate(NEW_HOUSE, houses_fall, known=known, settings=CONCORD, **settings)
    assert regions(house) == {
        "Nom": ["", "Das neue Haus", " fällt auf."],
        "Gen": ["", "Des neuen Hauses", " fällt auf."],
    }
    # The noun is the target, whatever changes along with it.
    assert house["target"]["lemma"] == "Haus"
    assert regions(houses) == {"Nom": ["", "Häuser", " fallen auf."], "Gen": ["", "Häusern", " fallen auf."]}


def test_words_whose_values_differ_do_not_vary(generate):
    dative = NEW_HOUSE.replace("2 neue neu ADJ Case=Nom", "2 neue neu ADJ Case=Dat")
    _, (row,) = generate(dative, known=[OF_THE_NEW_HOUSE], **CHAIN)
    assert row["reason"] == "target value not varied"


def test_a_design_of_two_by_two(generate):
    (item,), _ = generate(
        DOGS, known=[A_DOG], language="eng", target="V", settings=TWO_BY_TWO, pattern="V -[nsubj]-> SUBJ"
    )
    assert regions(item) == {
        "sing-sing": ["The dog ", "barks", " loudly."],
        "plur-plur": ["The dogs ", "bark", " loudly."],
        "sing-plur": ["The dog ", "bark", " loudly."],
        "plur-sing": ["The dogs ", "barks", " loudly."],
    }
    assert {one["name"]: (one["grammatical"], one["against"]) for one in item["conditions"]} == {
        "sing-sing": (True, None),
        "plur-plur": (True, None),
        "sing-plur": (False, "sing-sing"),
        "plur-sing": (False, "plur-plur"),
    }


PERFECTIVE = """
    लड़के ने पत्र लिखा
    1 लड़के लड़का NOUN Case=Acc 4 nsubj
    2 ने ने ADP _ 1 case
    3 पत्र पत्र NOUN Case=Nom 4 obj
    4 लिखा लिख VERB Aspect=Perf|Gender=Masc|Number=Sing|Tense=Past|VerbForm=Part 0 root
"""
HABITUAL = """
    लड़का लिखता है
    1 लड़का लड़का NOUN Case=Nom 2 nsubj
    2 लिखता लिख VERB Aspect=Imp|Gender=Masc|Number=Sing|VerbForm=Part 0 root
    3 है है AUX _ 2 aux
"""
ASPECT = {"language": "hin", "target": "V", "vary": "{Aspect: [Perf, Imp]}", "pattern": "V [Aspect]; V -[nsubj]-> S"}


def test_a_cell_must_be_equal_in_all_else(generate):
    _, (row, _) = generate(PERFECTIVE, HABITUAL, **ASPECT)
    assert row["reason"] == "no form"


def test_features_that_may_differ_are_relaxed(generate):
    items, _ = generate(PERFECTIVE, HABITUAL, settings="% relax: [Tense]\n", **ASPECT)
    assert [(regions(item)["Perf"][1], regions(item)["Imp"][1]) for item in items] == [
        ("लिखा", "लिखता"),
        ("लिखा", "लिखता"),
    ]
    assert items[0]["conditions"][1]["feats"] == "Aspect=Imp|Gender=Masc|Number=Sing|VerbForm=Part"


def test_the_closest_cell_wins(generate):
    past = HABITUAL.replace("VerbForm=Part 0", "Tense=Past|VerbForm=Part 0").replace("लिखता", "लिखताथा")
    (item, *_), _ = generate(PERFECTIVE, known=[HABITUAL, HABITUAL, past], settings="% relax: [Tense]\n", **ASPECT)
    assert regions(item)["Imp"][1] == "लिखताथा"


def test_several_features_of_a_word_change_at_once(generate):
    finite = PERFECTIVE.replace("Tense=Past|VerbForm=Part", "VerbForm=Fin")
    cells = "{perfective: {Aspect: Perf, VerbForm: Fin}, habitual: {Aspect: Imp, VerbForm: Part}}"
    items, rejected = generate(
        finite, known=[HABITUAL], **ASPECT | {"vary": cells, "settings": "% forms: [treebank]\n"}
    )
    assert rejected == []
    assert regions(items[0]) == {
        "perfective": ["लड़के ने पत्र ", "लिखा", ""],
        "habitual": ["लड़के ने पत्र ", "लिखता", ""],
    }


def house(form, feats, deprel="nsubj"):
    """Return a sentence of a house and a verb."""
    return f"{form} da\n1 {form} etxe NOUN {feats} 2 {deprel}\n2 da izan VERB VerbForm=Fin 0 root"


HOUSES = [
    house("etxea", "Case=Abs|Number=Sing"),
    house("etxeak", "Case=Abs|Number=Plur"),
    house("etxeak", "Case=Erg|Number=Sing"),
    house("etxeek", "Case=Erg|Number=Plur"),
]
ENDINGS = {
    "language": "eus",
    "vary": "{-a: {Case: Abs, Number: Sing}, -ak: [{Case: Abs, Number: Plur}, {Case: Erg, Number: Sing}], "
    "-ek: {Case: Erg, Number: Plur}}",
    "pattern": "V -[nsubj]-> SUBJ",
}


def test_cells_that_look_alike_are_one_condition(generate):
    items, rejected = generate(*HOUSES, **ENDINGS)
    assert rejected == []
    assert [[(one["name"], one["form"], one["feats"]) for one in item["conditions"][:1]] for item in items] == [
        [("-a", "etxea", "Case=Abs|Number=Sing")],
        [("-ak", "etxeak", "Case=Abs|Number=Plur")],
        [("-ak", "etxeak", "Case=Erg|Number=Sing")],
        [("-ek", "etxeek", "Case=Erg|Number=Plur")],
    ]
    assert {tuple(sorted(one["form"] for one in item["conditions"])) for item in items} == {
        ("etxea", "etxeak", "etxeek")
    }


def test_of_cells_that_look_alike_the_one_most_like_the_text_is_starred(generate):
    items, _ = generate(*HOUSES, **ENDINGS)
    # The number stays where it can: the first feature that a cell names changes rather than the next.
    assert [
        condition["feats"] for item in items for condition in item["conditions"][1:] if condition["name"] == "-ak"
    ] == ["Case=Erg|Number=Sing", "Case=Abs|Number=Plur"]


@pytest.mark.parametrize(
    ("upos", "starred", "refused"),
    [("ADJ", ["puolussa"], []), ("DET", [], [("no form", "puolu (DET): Case=Ine")])],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_form_of_a_closed_class_is_predicted(generate, upos, starred, refused):
    """Each determiner inflects in its own way: what others do would make Russian *ти* of *тот*."""
    attested = [
        clause(form, lemma, case, "dep", upos=upos)
        for stem in (*STEMS, *(stem + stem for stem in STEMS))
        for lemma, case, form in paradigm(stem)
    ]
    items, rejected = generate(
        clause("puolu", "puolu", "Case=Nom", upos=upos), known=attested, language="fin", vary="{Case: [Nom, Ine]}"
    )
    assert [item["conditions"][1]["form"] for item in items] == starred
    assert reasons(rejected) == refused
