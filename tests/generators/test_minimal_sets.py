"""What becomes of a match: a minimal set, or a reason."""

import pytest

from tests.generators.clauses import AGREE, DATIVE, ERGATIVE, MAN, clause, reasons, sentences


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
            "left_out": [],
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


def test_a_first_letter_is_made_small_as_the_language_has_it(generate):
    # The small letter of I is ı: ışık "light", not *işık.
    items, rejected = generate(
        "Işık yandı\n1 Işık ışık NOUN Case=Nom 2 nsubj\n2 yandı yan VERB _ 0 root",
        "Evde ışıktan ışığa\n1 Evde ev NOUN Case=Loc 0 root\n2 ışıktan ışık NOUN Case=Abl 1 nmod\n"
        "3 ışığa ışık NOUN Case=Dat 1 nmod",
        vary="{Case: [Nom, Abl]}",
        language="tur",
    )
    assert rejected == []
    assert ["".join(condition["regions"]) for condition in items[0]["conditions"]] == ["Işık yandı", "Işıktan yandı"]
    assert items[0]["conditions"][0]["form_count"] == 1


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
    assert reasons(rejected) == [("identical form", "მე, as under Nom")]


def test_a_condition_that_cannot_be_made_is_left_out_and_the_others_stay(generate):
    (item,), rejected = generate(MAN, known=[ERGATIVE], settings="")
    assert list(sentences(item)) == ["Nom", "Erg"]
    assert item["left_out"] == [
        {"name": "Dat", "reason": "no form", "detail": "კაცი (NOUN): Case=Dat|Number=Sing"},
    ]
    assert rejected == []


def test_of_two_starred_conditions_with_one_form_the_first_stays(generate):
    nom, erg, dat = (
        clause(form, "შენ", f"Case={case}|Person=2", upos="PRON")
        for form, case in [("შენი", "Nom"), ("შენ", "Erg"), ("შენ", "Dat")]
    )
    (item,), _ = generate(nom, known=[erg, dat], settings="")
    assert list(sentences(item)) == ["Nom", "Erg"]
    assert [(row["name"], row["reason"]) for row in item["left_out"]] == [("Dat", "identical form")]


def test_a_part_of_a_multiword_token_is_not_replaced_by_what_such_tokens_do_not_show(generate):
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
    assert reasons(rejected) == [("token not seen so", "კაცმაც")]


def test_a_part_of_a_multiword_token_is_replaced_as_such_tokens_are_made_elsewhere(generate):
    begun, seen = (
        f"""
        {subject} {verb}-se
        1 {subject} {subject} NOUN Number={number} 2 nsubj
        2-3 {verb}-se _ _ _ _ _
        2 {verb} iniciar VERB Number={number} 0 root
        3 se se PRON _ 2 obj
        """
        for subject, verb, number in (("jogo", "iniciou", "Sing"), ("jogos", "iniciaram", "Plur"))
    )
    pattern = {"pattern": "V [Number=Sing]; V -[nsubj]-> S", "target": "V", "vary": "{Number: [Sing, Plur]}"}
    alone = clause("iniciaram", "iniciar", "Number=Plur", "conj", upos="VERB")
    items, _ = generate(begun, seen, known=[alone], language="por", **pattern)
    assert sentences(items[0]) == {"Sing": "jogo iniciou-se", "Plur": "jogo iniciaram-se"}


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


CONTRACTION = """
    {token} {noun}
    1-2 {token} _ _ _ _ _
    1 de de ADP _ 3 case
    2 {article} le DET Gender={gender}|Number={number} 3 det
    3 {noun} {noun} NOUN Gender={gender}|Number={number} 0 root
"""
DU_LAC = CONTRACTION.format(token="Du", article="le", noun="lac", gender="Masc", number="Sing")
DES_LACS = CONTRACTION.format(token="des", article="les", noun="lacs", gender="Masc", number="Plur")
LA_MER = """
    {before}la mer
    1 {preposition} {preposition} ADP _ 3 case
    2 la le DET Gender=Fem|Number=Sing 3 det
    3 mer mer NOUN Gender=Fem|Number=Sing 0 root
"""


def articles(vary):
    return {"pattern": "D [upos=DET]; N -[det]-> D", "target": "D", "language": "fra", "vary": vary}


def test_a_contraction_with_another_form_is_written_as_the_treebank_has_it(generate):
    les = clause("les", "le", "Gender=Masc|Number=Plur", "det", upos="DET")
    items, _ = generate(DU_LAC, DES_LACS, known=[les], **articles("{Number: [Sing, Plur]}"))
    assert sentences(items[0]) == {"Sing": "Du lac", "Plur": "Des lac"}
    assert [(c["regions"][1], c["form"]) for c in items[0]["conditions"]] == [("Du", "le"), ("Des", "les")]


def test_what_tokens_hide_may_have_features_of_its_own(generate):
    """Where only hidden articles are definite, as in one Italian treebank, they are one another's forms."""
    hidden = [noun.replace("DET Gender", "DET Definite=Def|Gender") for noun in (DU_LAC, DES_LACS)]
    les = clause("les", "le", "Gender=Masc|Number=Plur", "det", upos="DET")
    items, _ = generate(*hidden, known=[les], **articles("{Number: [Sing, Plur]}"))
    assert sentences(items[0]) == {"Sing": "Du lac", "Plur": "Des lac"}


def test_a_contraction_comes_apart_where_texts_have_both_words_side_by_side(generate):
    beside = LA_MER.format(before="de ", preposition="de")
    items, _ = generate(DU_LAC, *[beside] * 10, **articles("{Gender: [Masc, Fem]}"))
    assert sentences(items[0]) == {"Masc": "Du lac", "Fem": "De la lac"}


def test_a_word_becomes_one_with_the_word_before_it_where_texts_write_them_so(generate):
    of_the_sea = """
        bord de la mer
        1 bord bord NOUN Gender=Masc|Number=Sing 0 root
        2 de de ADP _ 4 case
        3 la le DET Gender=Fem|Number=Sing 4 det
        4 mer mer NOUN Gender=Fem|Number=Sing 1 nmod
    """
    le = clause("le", "le", "Gender=Masc|Number=Sing", "det", upos="DET")
    items, _ = generate(of_the_sea, *[DU_LAC] * 10, known=[le] * 2, **articles("{Gender: [Masc, Fem]}"))
    assert {c["name"]: c["regions"] for c in items[0]["conditions"]} == {
        "Fem": ["bord ", "de la", " mer"],
        "Masc": ["bord ", "du", " mer"],
    }


def test_where_the_form_is_the_same_two_words_stay_two(generate):
    """German zu der is zur, too."""
    to = """
        zu der Stadt
        1 zu zu ADP _ 3 case
        2 der der DET Case=Dat|Gender=Fem|Number=Sing 3 det
        3 Stadt Stadt NOUN Case=Dat|Gender=Fem|Number=Sing 0 root
    """
    contracted = """
        zur Stadt
        1-2 zur _ _ _ _ _
        1 zu zu ADP _ 3 case
        2 der der DET Case=Dat|Gender=Fem|Number=Sing 3 det
        3 Stadt Stadt NOUN Case=Dat|Gender=Fem|Number=Sing 0 root
    """
    genitive = clause("der", "der", "Case=Gen|Gender=Fem|Number=Sing", "det", upos="DET")
    construction = articles("{Case: [Dat, Gen]}") | {"language": "deu"}
    _, rejected = generate(to, *[contracted] * 10, known=[genitive], **construction)
    assert reasons(rejected)[0] == ("identical form", "der, as under Dat")


def test_what_no_text_has_is_no_token(generate):
    beside = LA_MER.format(before="dans ", preposition="dans")
    _, rejected = generate(DU_LAC, known=[beside] * 10, **articles("{Gender: [Masc, Fem]}"))
    assert reasons(rejected) == [("token not seen so", "de la")]


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


def test_no_matches_make_an_empty_suite(generate):
    assert generate(ERGATIVE) == ([], [])


def test_a_word_without_a_lemma_has_no_other_form(generate):
    items, rejected = generate(MAN.replace("კაცი კაცი NOUN", "კაცი _ NOUN"), known=[ERGATIVE, DATIVE])
    assert items == []
    assert [row["reason"] for row in rejected] == ["target is no plain word"]


def test_a_determiner_that_keeps_its_case_gives_the_noun_away(generate):
    """Estonian *sellist* is a partitive alone, as determiners before such nouns are."""
    rises = "1 {word} {lemma} ADP _ 3 case\n2 {this} see DET Case={case} 3 det\n3 {noun} tõus NOUN Case={case} 0 root"
    partitive = {"word": "pärast", "this": "sellist", "noun": "tõusu", "case": "Par"}
    allative = {"word": "tänu", "this": "sellisele", "noun": "tõusule", "case": "All"}
    good, known = (
        "{word} {this} {noun}\n".format(**words) + rises.format(lemma=words["word"], **words)
        for words in (partitive, allative)
    )
    pattern = {"pattern": "N [Case=Par]; N -[case]-> A", "target": "N", "vary": "{Case: [Par, All]}"}
    _, rejected = generate(good, known, language="est", **pattern)
    assert reasons(rejected) == [("modifier keeps the value", "sellist has Case=Par")]
