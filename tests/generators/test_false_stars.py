"""A match is rejected where a starred form might be grammatical."""

import pytest

from tests.generators.clauses import AGREE, DATIVE, ERGATIVE, MAN, clause, reasons, sentences


def test_a_starred_form_that_is_also_grammatical_is_syncretism(generate):
    variant = clause("კაცმა", "კაცი", "Case=Nom|Number=Plur", "xcomp")
    _, rejected = generate(MAN, known=[ERGATIVE, DATIVE, variant])
    assert reasons(rejected) == [("syncretism", "კაცმა is also კაცი (NOUN, Case=Nom|Number=Plur), 1×")]


def test_a_form_that_no_sentence_attests_comes_from_unimorph(generate):
    (item,), _ = generate(MAN, known=[ERGATIVE], unimorph=["კაცი\tკაცს\tN;DAT;SG"])
    assert [(one["form"], one["form_source"], one["form_count"]) for one in item["conditions"]] == [
        ("კაცი", "treebank", 1),
        ("კაცმა", "treebank", 1),
        ("კაცს", "unimorph", 0),
    ]


def test_a_reading_that_only_unimorph_knows_is_syncretism_too(generate):
    _, rejected = generate(MAN, known=[ERGATIVE, DATIVE], unimorph=["კაცი\tკაცმა\tN;NOM;PL"])
    assert reasons(rejected) == [("syncretism", "კაცმა is also კაცი (NOUN, Case=Nom|Number=Plur), unimorph")]


def test_what_unimorph_does_not_name_does_not_make_a_reading(generate):
    items, rejected = generate(MAN, known=[ERGATIVE, DATIVE], unimorph=["კაცი\tკაცმა\tN;SG", "კაცი\tკაცმა\tN;ERG;SG"])
    assert (len(items), rejected) == (1, [])


def test_a_starred_form_that_is_the_grammatical_one_of_another_word_is_a_homograph(generate):
    other = clause("კაცმა", "კაცმა", "Case=Nom|Number=Sing", "xcomp")
    _, rejected = generate(MAN, known=[ERGATIVE, DATIVE, other])
    assert reasons(rejected) == [("homograph", "კაცმა is also კაცმა (NOUN, Case=Nom|Number=Sing), 1×")]


def test_a_rare_reading_beside_a_frequent_one_is_taken_for_a_slip(generate):
    slip = clause("კაცმა", "კაცი", "Case=Nom|Number=Sing", "xcomp")
    items, _ = generate(MAN, known=[*[ERGATIVE] * 5, DATIVE, slip])
    assert len(items) == 1
    _, rejected = generate(MAN, known=[*[ERGATIVE] * 4, DATIVE, slip])
    assert [reason for reason, _ in reasons(rejected)] == ["syncretism"]


def test_a_grammatical_form_that_fills_a_starred_cell_too_is_ambiguous(generate):
    cut = clause("კაცი", "კაცი", "Case=Dat|Number=Sing", "obj")
    _, rejected = generate(MAN, known=[ERGATIVE, DATIVE, DATIVE, cut])
    assert reasons(rejected) == [("ambiguous grammatical form", "კაცი is also კაცი (NOUN, Case=Dat|Number=Sing), 1×")]


def this(form, number):
    """Return a phrase with a Hindi determiner; the treebank does not tell यह from its oblique इस."""
    return f"{form} घर\n1 {form} यह DET Number={number} 2 det\n2 घर घर NOUN Number={number} 0 root"


DETERMINER = {"language": "hin", "pattern": "N [Number]; N -[det]-> D", "target": "D", "vary": "{Number: [Sing, Plur]}"}


def test_a_form_that_another_one_of_its_cell_leads_to_is_not_used(generate):
    known = [*[this("इस", "Sing")] * 2, this("इन", "Plur")]
    items, rejected = generate(this("यह", "Sing"), known=known, **DETERMINER)
    assert items == []
    assert reasons(rejected) == [
        ("cell with several forms", "इस stands in the cell of यह, too, and looks more like इन")
    ]
    (item,), _ = generate(this("इस", "Sing"), known=[this("यह", "Sing"), this("इन", "Plur")], **DETERMINER)
    assert sentences(item)["Plur"] == "इन घर"


def possession(subject, form, person):
    """Return an Albanian sentence of a treebank that does not tell tenses apart."""
    return f"""
        {subject} {form} libra
        1 {subject} {subject.lower()} PRON Person={person} 2 nsubj
        2 {form} kam VERB Person={person} 0 root
        3 libra libër NOUN _ 2 obj
    """


def test_a_form_that_looks_like_one_of_two_by_far_goes_with_that_one(generate):
    beside = [*[possession("Unë", "kam", 1)] * 10, *[possession("Ai", "ka", 3)] * 2]
    settings = {"language": "sqi", "pattern": "V -[nsubj]-> S", "target": "V", "vary": "{Person: [1, 3]}"}
    (item,), _ = generate(possession("Ai", "ka", 3), known=beside, **settings)
    assert sentences(item)["1"] == "Ai kam libra"
    items, rejected = generate(possession("Ai", "kishte", 3), known=beside, **settings)
    assert items == []
    assert reasons(rejected) == [
        ("cell with several forms", "ka stands in the cell of kishte, too, and looks more like kam")
    ]


@pytest.mark.parametrize(("own", "other", "items"), [(1, 1, 0), (2, 1, 1), (10, 2, 1), (9, 2, 0)])
def test_a_rare_form_of_the_cell_does_no_harm(generate, own, other, items):
    known = [*[this("यह", "Sing")] * (own - 1), *[this("इस", "Sing")] * other, this("इन", "Plur")]
    made, _ = generate(this("यह", "Sing"), known=known, **DETERMINER)
    assert len(made) == items


def test_a_form_that_also_stands_alone_as_an_adverbial_is_not_starred(generate):
    """„წელი იწყება“ ("the year begins") would turn into „წელს იწყება“ ("it begins this year")."""
    _, rejected = generate(
        clause("წელი", "წელი", "Case=Nom|Number=Sing", verb="იწყება"),
        known=[
            clause("წელმა", "წელი", "Case=Erg|Number=Sing"),
            clause("წელს", "წელი", "Case=Dat|Number=Sing", "obj"),
            clause("წელს", "წელი", "Case=Dat|Number=Sing", "obl"),
        ],
    )
    assert reasons(rejected) == [("adverbial form", "წელს is also წელი (NOUN, Case=Dat|Number=Sing), 1×")]


def test_an_oblique_that_its_verb_governs_is_no_adverbial(generate):
    items, _ = generate(MAN, known=[ERGATIVE, DATIVE, DATIVE.replace(" obj", " obl:arg")])
    assert len(items) == 1


SOPHIE = """
    სოფი {rest}
    1 სოფი სოფი PROPN Case=Nom 3 nsubj
    {second}
    3 ხატავს ხატვა VERB VerbForm=Fin 0 root
"""
SOPHIES = [
    clause("სოფიმ", "სოფი", "Case=Erg", upos="PROPN"),
    clause("სოფის", "სოფი", "Case=Dat", "obj", upos="PROPN"),
    clause("სოფის", "სოფი", "Case=Gen", "obj", upos="PROPN"),
]


def test_a_starred_form_that_may_be_the_genitive_of_the_next_noun_is_not_used(generate):
    """„სოფი სახლს ხატავს“ ("Sophie draws a house") would turn into „სოფის სახლს ხატავს“ ("draws Sophie's house")."""
    house = SOPHIE.format(rest="სახლს ხატავს", second="2 სახლს სახლი NOUN Case=Dat|Number=Sing 3 obj")
    _, rejected = generate(house, known=SOPHIES)
    assert reasons(rejected) == [("genitive beside a noun", "სოფის is also სოფი (PROPN, Case=Gen), 1×, beside სახლს")]


def test_an_adverb_beside_it_does_no_harm(generate):
    items, _ = generate(SOPHIE.format(rest="კარგად ხატავს", second="2 კარგად კარგად ADV _ 3 advmod"), known=SOPHIES)
    assert [sentences(item)["Dat"] for item in items] == ["სოფის კარგად ხატავს"]


VERB = {"language": "eng", "vary": "{Number: [Sing, Plur]}", "target": "V", "pattern": 'V [form="hangs"|"puts"]'}


def english(subject, verb, feats):
    return clause(subject, subject, "_", upos="PRON", verb=verb, verb_feats=feats).replace(
        f" {verb} VERB", " lemma VERB"
    )


def test_the_first_person_of_a_verb_does_not_license_it_in_the_third(generate):
    (item,), _ = generate(
        english("It", "hangs", "Number=Sing|Person=3|VerbForm=Fin"),
        known=[
            english("They", "hang", "Number=Plur|Person=3|VerbForm=Fin"),
            english("I", "hang", "Number=Sing|Person=1|VerbForm=Fin"),
        ],
        **VERB,
    )
    assert sentences(item) == {"Sing": "It hangs", "Plur": "It hang"}


def test_a_verb_of_unimorph_is_read_as_finite_where_nothing_contradicts_that(generate):
    hangs = english("It", "hangs", "Number=Sing|Person=3|VerbForm=Fin")
    hang = english("They", "hang", "Number=Plur|Person=3|VerbForm=Fin")
    _, rejected = generate(hangs, known=[hang], unimorph=["lemma\thang\tV;PRS;SG"], **VERB)
    assert [reason for reason, _ in reasons(rejected)] == ["syncretism"]
    items, _ = generate(hangs, known=[hang], unimorph=["hang\thang\tN;SG", "lemma\thang\tV;NFIN"], **VERB)
    assert len(items) == 1


def test_the_third_person_does(generate):
    _, rejected = generate(
        english("It", "puts", "Number=Sing|Person=3|VerbForm=Fin"),
        known=[
            english("They", "put", "Number=Plur|Person=3|VerbForm=Fin"),
            english("It", "put", "Number=Sing|Person=3|VerbForm=Fin"),
        ],
        **VERB,
    )
    assert reasons(rejected) == [("syncretism", "put is also lemma (VERB, Number=Sing|Person=3|VerbForm=Fin), 1×")]


def test_a_verb_does_not_license_a_noun(generate):
    items, _ = generate(
        clause("Offers", "offer", "Number=Plur", verb="stand"),
        known=[
            clause("offer", "offer", "Number=Sing", verb="stands"),
            clause("they", "they", "_", verb="offer", verb_feats="Number=Plur|Person=3|VerbForm=Fin"),
        ],
        **AGREE,
    )
    assert [sentences(item)["Sing"] for item in items] == ["Offer stand"]


MODIFIED = """
    {adjective} კაცი დადის
    1 {adjective} {lemma} ADJ Case=Nom 2 amod
    2 კაცი კაცი NOUN Case=Nom|Number=Sing 3 nsubj
    3 დადის სვლა VERB VerbForm=Fin 0 root
"""


def modified(adjective, lemma, case, form):
    """Return a sentence that shows an adjective beside a noun in a case."""
    return (
        f"{adjective} {form} აქ\n1 {adjective} {lemma} ADJ Case={case} 2 amod\n"
        f"2 {form} კაცი NOUN Case={case}|Number=Sing 3 dislocated\n3 აქ აქ ADV _ 0 root"
    )


@pytest.mark.parametrize(
    ("adjective", "lemma", "beside", "reason"),
    [
        ("ახალი", "ახალი", ["ახალმა", "ახალ"], "modifier gives it away"),
        # Of a rare adjective the last letters tell.
        ("მაღალი", "მაღალი", ["ახალმა", "ახალ"], "modifier gives it away"),
        # One with a vowel stem has one form for all cases.
        ("პატარა", "პატარა", ["პატარა", "პატარა"], None),
    ],
)
def test_a_modifier_that_would_change_with_the_noun_gives_the_star_away(generate, adjective, lemma, beside, reason):
    plain = "ახალი" if lemma == "მაღალი" else adjective
    ergative, dative = beside
    known = [
        *[modified(plain, plain, "Nom", "კაცი")] * 11,
        *[modified(ergative, plain, "Erg", "კაცმა")] * 12,
        *[modified(dative, plain, "Dat", "კაცს")] * 12,
    ]
    items, rejected = generate(MODIFIED.format(adjective=adjective, lemma=lemma), *known)
    assert [one for one, _ in reasons(rejected)] == ([reason] if reason else [])
    assert len(items) == (0 if reason else 1)


def test_a_modifier_that_changes_along_gives_nothing_away(generate):
    known = [
        *[modified("ახალი", "ახალი", "Nom", "კაცი")] * 11,
        *[modified("ახალმა", "ახალი", "Erg", "კაცმა")] * 12,
        *[modified("ახალ", "ახალი", "Dat", "კაცს")] * 12,
    ]
    settings = "% complete: yes\n% concord: {M: 'SUBJ -[amod]-> M; M.Case = SUBJ.Case'}\n"
    (item,), _ = generate(MODIFIED.format(adjective="ახალი", lemma="ახალი"), *known, settings=settings)
    assert sentences(item) == {"Nom": "ახალი კაცი დადის", "Erg": "ახალმა კაცმა დადის", "Dat": "ახალ კაცს დადის"}


@pytest.mark.parametrize(("after", "items"), [("მნიშვნელობა", 0), ("მნიშვნელობას", 1)])
def test_a_pronoun_that_may_be_the_determiner_of_the_next_noun_is_not_used(generate, after, items):
    """„ამას მნიშვნელობა აქვს“ ("this has meaning") would turn into „ეს მნიშვნელობა აქვს“ ("it has this meaning")."""
    case = "Nom" if after == "მნიშვნელობა" else "Dat"
    sentence = (
        f"ამას {after} აქვს\n1 ამას ეს PRON Case=Dat 3 nsubj\n"
        f"2 {after} მნიშვნელობა NOUN Case={case}|Number=Sing 3 obj\n3 აქვს ქონა VERB VerbForm=Fin 0 root"
    )
    phrase = "ეს კაცი აქ\n1 ეს ეს PRON Case=Nom 2 det\n2 კაცი კაცი NOUN Case=Nom 3 dislocated\n3 აქ აქ ADV _ 0 root"
    alone = "ეს აქ\n1 ეს ეს PRON Case=Nom 2 dislocated\n2 აქ აქ ADV _ 0 root"
    pattern = {"pattern": "S [Case=Dat, upos=PRON]; V -[nsubj]-> S", "target": "S", "vary": "{Case: [Dat, Nom]}"}
    made, _ = generate(sentence, phrase, alone, **pattern)
    assert len(made) == items
