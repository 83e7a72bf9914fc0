"""What becomes of a match: a minimal set, or a reason."""

import pytest

MAN = """
    კაცი დადის.
    1 კაცი კაცი NOUN Case=Nom|Number=Sing 2 nsubj
    2 დადის სვლა VERB VerbForm=Fin 0 root SpaceAfter=No
    3 . . PUNCT _ 2 punct
"""


def clause(form, lemma, feats, relation="nsubj", *, upos="NOUN", verb="თქვა", verb_feats="VerbForm=Fin"):
    """Return a sentence of a word and a verb."""
    return f"{form} {verb}\n1 {form} {lemma} {upos} {feats} 2 {relation}\n2 {verb} {verb} VERB {verb_feats} 0 root"


# Sentences that attest more forms of the man, and no nominative subject.
ERGATIVE = clause("კაცმა", "კაცი", "Case=Erg|Number=Sing")
DATIVE = clause("კაცს", "კაცი", "Case=Dat|Number=Sing", "obj")


def reasons(rejected):
    return [(row["reason"], row["detail"]) for row in rejected]


def sentences(item):
    return {condition["name"]: "".join(condition["regions"]) for condition in item["conditions"]}


def test_a_minimal_set(generate):
    items, rejected = generate(MAN, known=[ERGATIVE, DATIVE])
    assert rejected == []
    assert items == [
        {
            "item_id": items[0]["item_id"],
            "construction": "subject",
            "phenomenon": "agreement",
            "language": "kat",
            "treebank": "ka_small-ud-test",
            "split": "test",
            "sent_id": "s1",
            "region_names": ["prefix", "target", "suffix"],
            "conditions": [
                {
                    "name": "Nom",
                    "grammatical": True,
                    "against": None,
                    "regions": ["", "კაცი", " დადის."],
                    "feats": "Case=Nom|Number=Sing",
                    "form": "კაცი",
                    "form_source": "treebank",
                    "form_count": 1,
                    "form_confidence": 1.0,
                },
                {
                    "name": "Erg",
                    "grammatical": False,
                    "against": "Nom",
                    "regions": ["", "კაცმა", " დადის."],
                    "feats": "Case=Erg|Number=Sing",
                    "form": "კაცმა",
                    "form_source": "treebank",
                    "form_count": 1,
                    "form_confidence": 1.0,
                },
                {
                    "name": "Dat",
                    "grammatical": False,
                    "against": "Nom",
                    "regions": ["", "კაცს", " დადის."],
                    "feats": "Case=Dat|Number=Sing",
                    "form": "კაცს",
                    "form_source": "treebank",
                    "form_count": 1,
                    "form_confidence": 1.0,
                },
            ],
            "target": {"lemma": "კაცი", "upos": "NOUN", "feats": "Case=Nom|Number=Sing", "id": "1"},
            "length": 3,
            "position": 1,
            "distance": None,
            "tree_distance": None,
            "attractors": None,
            "lemma_count": 3,
            "readings": 1,
            "covariates": [],
        }
    ]


def test_the_id_follows_from_the_content(generate):
    (first,), _ = generate(MAN, known=[ERGATIVE, DATIVE])
    (again,), _ = generate(MAN, known=[ERGATIVE, ERGATIVE, DATIVE])
    (other,), _ = generate(MAN.replace("დადის", "მოდის"), known=[ERGATIVE, DATIVE])
    assert first["item_id"] == again["item_id"] != other["item_id"]
    assert len(first["item_id"]) == 16
    assert set(first["item_id"]) <= set("0123456789abcdef")


def test_the_text_stays_as_it_is_around_the_target(generate):
    (item,), _ = generate(
        """
        „კაცი“ —  იქ!
        1 „ „ PUNCT _ 2 punct SpaceAfter=No
        2 კაცი კაცი NOUN Case=Nom|Number=Sing 5 nsubj SpaceAfter=No
        3 “ “ PUNCT _ 2 punct
        4 — — PUNCT _ 2 punct
        5 იქ იქ ADV _ 0 root SpaceAfter=No
        6 ! ! PUNCT _ 5 punct
        """,
        known=[ERGATIVE, DATIVE],
    )
    assert sentences(item) == {"Nom": "„კაცი“ —  იქ!", "Erg": "„კაცმა“ —  იქ!", "Dat": "„კაცს“ —  იქ!"}


def test_all_matches_of_a_sentence_count(generate):
    items, _ = generate(
        """
        კაცი დადის, კაცი ზის
        1 კაცი კაცი NOUN Case=Nom|Number=Sing 2 nsubj
        2 დადის სვლა VERB VerbForm=Fin 0 root SpaceAfter=No
        3 , , PUNCT _ 5 punct
        4 კაცი კაცი NOUN Case=Nom|Number=Sing 5 nsubj
        5 ზის ჯდომა VERB VerbForm=Fin 2 conj
        """,
        known=[ERGATIVE, DATIVE],
    )
    assert [sentences(item)["Erg"] for item in items] == ["კაცმა დადის, კაცი ზის", "კაცი დადის, კაცმა ზის"]


AGREE = {"language": "eng", "vary": "{Number: [Sing, Plur]}", "pattern": "SUBJ [Number]; V -[nsubj]-> SUBJ"}
DOGS = "We like dogs\n1 We we PRON _ 2 nsubj\n2 like like VERB VerbForm=Fin 0 root\n3 dogs dog NOUN Number=Plur 2 obj"


@pytest.mark.parametrize(("written", "starred"), [("Dog", "Dogs"), ("DOG", "DOGS"), ("dog", "dogs")])
def test_capitals_follow_the_word_that_is_replaced(generate, written, starred):
    (item,), _ = generate(
        f"{written} sleeps\n1 {written} dog NOUN Number=Sing 2 nsubj\n2 sleeps sleep VERB VerbForm=Fin 0 root",
        known=[DOGS],
        **AGREE,
    )
    assert sentences(item) == {"Sing": f"{written} sleeps", "Plur": f"{starred} sleeps"}


def test_a_capital_of_the_lexicon_goes_where_the_text_has_none(generate):
    (item,), _ = generate(
        "A dog sleeps\n1 A a DET _ 2 det\n2 dog dog NOUN Number=Sing 3 nsubj\n3 sleeps sleep VERB VerbForm=Fin 0 root",
        known=[DOGS.replace("dogs", "DOGS")],
        **AGREE,
    )
    assert sentences(item)["Plur"] == "A dogs sleeps"


def test_a_cell_without_a_form_is_named(generate):
    items, rejected = generate(MAN, known=[ERGATIVE])
    assert items == []
    assert rejected == [
        {
            "construction": "subject",
            "language": "kat",
            "treebank": "ka_small-ud-test",
            "split": "test",
            "sent_id": "s1",
            "target_id": "1",
            "form": "კაცი",
            "lemma": "კაცი",
            "feats": "Case=Nom|Number=Sing",
            "reason": "no form",
            "detail": "კაცი (NOUN): Case=Dat|Number=Sing",
            "text": "კაცი დადის.",
        }
    ]


def test_a_form_to_avoid_gives_way_to_the_next(generate):
    archaic = clause("კაცთა", "კაცი", "Case=Dat|Number=Sing", "obj")
    known = [ERGATIVE, archaic, archaic, DATIVE]
    [item], _ = generate(MAN, known=known)
    assert sentences(item)["Dat"] == "კაცთა დადის."
    [item], _ = generate(MAN, known=known, settings="% avoid: .+თა\n")
    assert sentences(item)["Dat"] == "კაცს დადის."


def test_a_target_with_another_value_is_rejected(generate):
    _, rejected = generate(MAN, vary="{Case: [Erg, Dat]}")
    assert reasons(rejected) == [("target value not varied", "Case=Nom|Number=Sing")]


def test_one_form_for_two_cells_is_no_minimal_set(generate):
    nom, erg, dat = (clause("მე", "მე", f"Case={case}|Person=1", upos="PRON") for case in ("Nom", "Erg", "Dat"))
    _, rejected = generate(nom, known=[erg, dat])
    assert reasons(rejected) == [("identical form", "Nom, Erg, Dat: მე")]


def test_a_part_of_a_multiword_token_is_not_replaced(generate):
    _, rejected = generate(
        """
        კაციც დადის
        1-2 კაციც _ _ _ _ _
        1 კაცი კაცი NOUN Case=Nom|Number=Sing 3 nsubj
        2 ც ც PART _ 1 advmod
        3 დადის სვლა VERB VerbForm=Fin 0 root
        """,
        known=[ERGATIVE, DATIVE],
    )
    assert reasons(rejected) == [("target in a multiword token", "კაცი is a part of კაციც")]


def test_a_word_with_a_clitic_is_not_replaced(generate):
    _, rejected = generate(
        """
        ეს კაციო
        1 ეს ეს DET _ 2 det
        2 კაცი კაცი NOUN Case=Nom|Number=Sing 0 root SpaceAfter=No
        3 ო ო PART _ 2 discourse
        """,
        known=[ERGATIVE, DATIVE],
        pattern="SUBJ [Case=Nom]",
    )
    assert reasons(rejected) == [("target glued to another word", "…ეს კაციო…")]


def test_a_word_that_the_text_does_not_show_is_not_replaced(generate):
    _, rejected = generate(
        """
        du lac
        1-2 du _ _ _ _ _
        1 de de ADP _ 3 case
        2 le le DET Number=Sing 3 det
        3 lac lac NOUN Number=Sing 0 root
        """,
        **AGREE | {"pattern": "SUBJ [upos=DET]"},
    )
    assert reasons(rejected) == [("target in a multiword token", "le is a part of du")]


def test_abbreviations_are_not_replaced(generate):
    _, rejected = generate(MAN.replace("NOUN Case=Nom", "NOUN Abbr=Yes|Case=Nom"), known=[ERGATIVE, DATIVE])
    assert reasons(rejected) == [("target is no plain word", "კაცი (NOUN, Abbr=Yes|Case=Nom|Number=Sing)")]


def test_the_first_part_of_a_name_is_not_replaced(generate):
    _, rejected = generate(
        """
        ჯონი სმითი დადის
        1 ჯონი ჯონი PROPN Case=Nom 3 nsubj
        2 სმითი სმითი PROPN Case=Nom 1 flat:name
        3 დადის სვლა VERB VerbForm=Fin 0 root
        """
    )
    assert reasons(rejected) == [("target inside a name", "more of the name follows ჯონი")]


def test_a_text_made_from_tokens_is_not_used(generate):
    _, rejected = generate(MAN.replace("კაცი დადის.\n", "სხვა ტექსტი\n", 1), known=[ERGATIVE, DATIVE])
    assert [reason for reason, _ in reasons(rejected)] == ["sentence text rebuilt"]


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
    items, rejected = generate(this("यह", "Sing"), known=[this("इस", "Sing"), this("इन", "Plur")], **DETERMINER)
    assert items == []
    assert reasons(rejected) == [
        ("cell with several forms", "इस stands in the cell of यह, too, and looks more like इन")
    ]
    (item,), _ = generate(this("इस", "Sing"), known=[this("यह", "Sing"), this("इन", "Plur")], **DETERMINER)
    assert sentences(item)["Plur"] == "इन घर"


def test_a_rare_form_of_the_cell_does_no_harm(generate):
    known = [*[this("यह", "Sing")] * 5, this("इस", "Sing"), this("इन", "Plur")]
    items, _ = generate(this("यह", "Sing"), known=known, **DETERMINER)
    assert len(items) == 1


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


def test_no_matches_make_an_empty_suite(generate):
    assert generate(ERGATIVE) == ([], [])


def test_a_word_without_a_lemma_has_no_other_form(generate):
    items, rejected = generate(MAN.replace("კაცი კაცი NOUN", "კაცი _ NOUN"), known=[ERGATIVE, DATIVE])
    assert items == []
    assert [row["reason"] for row in rejected] == ["target is no plain word"]
