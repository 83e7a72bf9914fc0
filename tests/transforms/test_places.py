"""Places in which words of the same features cannot stand, for how they are made or what they govern."""

from tests.small_treebank import small_treebank
from tests.transforms.made import colorless, texts


def test_a_georgian_word_for_while_is_no_dative(tmp_path):
    while_examining = """
        კვლევისას ბავშვი ზის.
        1 კვლევისას კვლევა NOUN Case=Dat|Number=Sing 3 obl
        2 ბავშვი ბავშვი NOUN Case=Nom|Number=Sing 3 nsubj
        3 ზის ზის VERB Mood=Ind|Tense=Pres 0 root SpaceAfter=No
        4 . . PUNCT _ 3 punct
    """
    to_the_mother = """
        დედას კაცი სწერს.
        1 დედას დედა NOUN Case=Dat|Number=Sing 3 obl
        2 კაცი კაცი NOUN Case=Nom|Number=Sing 3 nsubj
        3 სწერს წერს VERB Mood=Ind|Tense=Pres 0 root SpaceAfter=No
        4 . . PUNCT _ 3 punct
    """
    made = texts(tmp_path, "kat", while_examining, to_the_mother)
    assert made == ["კვლევისას კაცი სწერს.", "დედას ბავშვი ზის."]


def test_a_georgian_adjective_that_inflects_does_not_stand_for_one_that_does_not(tmp_path):
    of_living_beings = """
        ცოცხალ არსებათა ძალა
        1 ცოცხალ ცოცხალი ADJ Case=Gen|Number=Sing 2 amod
        2 არსებათა არსება NOUN Case=Gen|Number=Plur 3 nmod
        3 ძალა ძალა NOUN Case=Nom|Number=Sing 0 root
    """
    of_scientific_works = """
        სამეცნიერო ნაშრომების ავტორი
        1 სამეცნიერო სამეცნიერო ADJ Case=Gen|Number=Sing 2 amod
        2 ნაშრომების ნაშრომი NOUN Case=Gen|Number=Plur 3 nmod
        3 ავტორი ავტორი NOUN Case=Nom|Number=Sing 0 root
    """
    made = texts(tmp_path, "kat", of_living_beings, of_scientific_works)
    assert made == ["ცოცხალ არსებათა ავტორი", "სამეცნიერო ნაშრომების ძალა"]


def test_a_verb_that_was_seen_without_an_oblique_takes_no_place_that_has_one(tmp_path):
    maya_tells_of_him = """
        Майя оповідає про нього.
        1 Майя Майя PROPN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 оповідає оповідати VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        3 про про ADP _ 4 case
        4 нього він PRON Case=Acc|Number=Sing|Person=3 2 obl SpaceAfter=No
        5 . . PUNCT _ 2 punct
    """
    kateryna_laughs = """
        Катерина сміється.
        1 Катерина Катерина PROPN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 сміється сміятися VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root SpaceAfter=No
        3 . . PUNCT _ 2 punct
    """
    made = texts(tmp_path, "ukr", maya_tells_of_him, kateryna_laughs)
    assert made == ["Катерина оповідає про нього.", "Майя сміється."]


def test_a_word_that_looks_as_if_it_had_other_features_stays(tmp_path):
    """In Polish treebanks *lewym* is now and then called a feminine: no other feminine ends so."""
    stems = [
        "now",
        "star",
        "ładn",
        "zimn",
        "młod",
        "chor",
        "zdrow",
        "pust",
        "pełn",
        "biał",
        "czarn",
        "czerwon",
        "zielon",
        "wesoł",
    ]
    adjectives = [(f"{stem}ym", "Masc", "domu") for stem in stems] + [(f"{stem}ej", "Fem", "szkole") for stem in stems]
    sentences = [
        f"""
        w {form} {noun}
        1 w w ADP _ 3 case
        2 {form} {form} ADJ Case=Loc|Gender={gender}|Number=Sing 3 amod
        3 {noun} {noun} NOUN Case=Loc|Gender={gender}|Number=Sing 0 root
        """
        for form, gender, noun in [*adjectives, ("lewym", "Fem", "szkole")]
    ]
    table = colorless(small_treebank(tmp_path, *sentences, language="pol")).tables["substitutions"]
    doubtful = {row["form"] for row in table.to_pylist() if row["reason"] == "its form tells of other features"}
    assert doubtful == {"lewym"}
    assert "lewym" not in {row["new_form"] for row in table.to_pylist() if row["changed"]}


def test_an_adjective_that_shows_no_gender_has_that_of_its_noun_beside_it(tmp_path):
    a_big_house_burned = """
        Een groot huis brandde.
        1 Een een DET Definite=Ind|PronType=Art 3 det
        2 groot groot ADJ Degree=Pos 3 amod
        3 huis huis NOUN Gender=Neut|Number=Sing 4 nsubj
        4 brandde branden VERB Number=Sing|Tense=Past|VerbForm=Fin 0 root SpaceAfter=No
        5 . . PUNCT _ 4 punct
    """
    an_old_town_slept = """
        Een oude stad sliep.
        1 Een een DET Definite=Ind|PronType=Art 3 det
        2 oude oud ADJ Degree=Pos 3 amod
        3 stad stad NOUN Gender=Com|Number=Sing 4 nsubj
        4 sliep slapen VERB Number=Sing|Tense=Past|VerbForm=Fin 0 root SpaceAfter=No
        5 . . PUNCT _ 4 punct
    """
    made = texts(tmp_path, "nld", a_big_house_burned, an_old_town_slept)
    assert made == ["Een groot huis sliep.", "Een oude stad brandde."]


def test_a_relative_clause_that_lacks_an_object_takes_no_verb_of_one_that_lacks_a_subject(tmp_path):
    """Icelandic sem says nothing of its place: it is the subject that tells."""
    the_book_that_ari_read = """
        bókin sem Ari las
        1 bókin bók NOUN Case=Nom|Definite=Def|Gender=Fem|Number=Sing 0 root
        2 sem sem SCONJ _ 4 mark
        3 Ari Ari PROPN Case=Nom|Gender=Masc|Number=Sing 4 nsubj
        4 las lesa VERB Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin 1 acl:relcl
    """
    the_boat_that_sank = """
        skútan sem sökk
        1 skútan skúta NOUN Case=Nom|Definite=Def|Gender=Fem|Number=Sing 0 root
        2 sem sem SCONJ _ 3 nsubj
        3 sökk sökkva VERB Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin 1 acl:relcl
    """
    made = texts(tmp_path, "isl", the_book_that_ari_read, the_boat_that_sank)
    assert made == ["skútan sem Ari las", "bókin sem sökk"]


def test_an_infinitive_has_the_preposition_that_its_verb_asks_for(tmp_path):
    he_began_to_save = """
        Ana empezó a ahorrar.
        1 Ana Ana PROPN _ 2 nsubj
        2 empezó empezar VERB Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin 0 root
        3 a a ADP _ 4 case
        4 ahorrar ahorrar VERB VerbForm=Inf 2 xcomp SpaceAfter=No
        5 . . PUNCT _ 2 punct
    """
    eva_insisted_on_coming = """
        Eva insistió en venir.
        1 Eva Eva PROPN _ 2 nsubj
        2 insistió insistir VERB Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin 0 root
        3 en en ADP _ 4 case
        4 venir venir VERB VerbForm=Inf 2 xcomp SpaceAfter=No
        5 . . PUNCT _ 2 punct
    """
    made = texts(tmp_path, "spa", he_began_to_save, eva_insisted_on_coming)
    assert made == ["Eva empezó a venir.", "Ana insistió en ahorrar."]


def test_a_polish_genitive_of_denial_asks_for_no_verb_that_always_has_one(tmp_path):
    ania_does_not_read_the_book = """
        Ania nie czyta książki.
        1 Ania Ania PROPN Case=Nom|Gender=Fem|Number=Sing 3 nsubj
        2 nie nie PART Polarity=Neg 3 advmod
        3 czyta czytać VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        4 książki książka NOUN Case=Gen|Gender=Fem|Number=Sing 3 obj SpaceAfter=No
        5 . . PUNCT _ 3 punct
    """
    ewa_looks_for_a_job = """
        Ewa szuka pracy.
        1 Ewa Ewa PROPN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 szuka szukać VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        3 pracy praca NOUN Case=Gen|Gender=Fem|Number=Sing 2 obj SpaceAfter=No
        4 . . PUNCT _ 2 punct
    """
    made = texts(tmp_path, "pol", ania_does_not_read_the_book, ewa_looks_for_a_job)
    assert made == ["Ewa nie czyta pracy.", "Ania szuka książki."]


def test_an_object_beside_a_numeral_has_the_case_of_the_numeral(tmp_path):
    """A Polish noun that is counted is a genitive, and the numeral tells what the verb asks for."""
    she_has_ten_cats = """
        Ona ma dziesięć kotów.
        1 Ona on PRON Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 ma mieć VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        3 dziesięć dziesięć NUM Case=Acc|Number=Plur 4 nummod:gov
        4 kotów kot NOUN Case=Gen|Gender=Masc|Number=Plur 2 obj SpaceAfter=No
        5 . . PUNCT _ 2 punct
    """
    she_gets_water = """
        Ona dostaje wodę.
        1 Ona on PRON Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 dostaje dostawać VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        3 wodę woda NOUN Case=Acc|Gender=Fem|Number=Sing 2 obj SpaceAfter=No
        4 . . PUNCT _ 2 punct
    """
    she_seeks_a_garden = """
        Ona szuka ogrodu.
        1 Ona on PRON Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 szuka szukać VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        3 ogrodu ogród NOUN Case=Gen|Gender=Masc|Number=Sing 2 obj SpaceAfter=No
        4 . . PUNCT _ 2 punct
    """
    made = texts(tmp_path, "pol", she_has_ten_cats, she_gets_water, she_seeks_a_garden)
    assert made == ["Ona dostaje dziesięć kotów.", "Ona ma wodę.", "Ona szuka ogrodu."]


def test_a_verb_that_begins_something_takes_no_clause_of_another_aspect(tmp_path):
    """Greek αρχίζω stands before imperfectives."""
    she_begins_to_run = """
        Αυτή αρχίζει να τρέχει.
        1 Αυτή αυτός PRON Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 αρχίζει αρχίζω VERB Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        3 να να AUX _ 4 aux
        4 τρέχει τρέχω VERB Aspect=Imp|Mood=Ind|Number=Sing|Person=3|VerbForm=Fin 2 xcomp SpaceAfter=No
        5 . . PUNCT _ 2 punct
    """
    she_wants_to_leave = """
        Αυτή θέλει να φύγει.
        1 Αυτή αυτός PRON Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 θέλει θέλω VERB Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        3 να να AUX _ 4 aux
        4 φύγει φεύγω VERB Aspect=Perf|Mood=Ind|Number=Sing|Person=3|VerbForm=Fin 2 xcomp SpaceAfter=No
        5 . . PUNCT _ 2 punct
    """
    she_can_come = """
        Αυτή μπορεί να έρθει.
        1 Αυτή αυτός PRON Case=Nom|Gender=Fem|Number=Sing 2 nsubj
        2 μπορεί μπορώ VERB Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
        3 να να AUX _ 4 aux
        4 έρθει έρχομαι VERB Aspect=Perf|Mood=Ind|Number=Sing|Person=3|VerbForm=Fin 2 xcomp SpaceAfter=No
        5 . . PUNCT _ 2 punct
    """
    made = texts(tmp_path, "ell", she_begins_to_run, she_wants_to_leave, she_can_come)
    assert made == ["Αυτή αρχίζει να τρέχει.", "Αυτή μπορεί να έρθει.", "Αυτή θέλει να φύγει."]


def test_a_participle_whose_number_was_left_out_stays(tmp_path):
    a_boy_runs = """
        ילד רץ.
        1 ילד ילד NOUN Gender=Masc|Number=Sing 2 nsubj
        2 רץ רץ VERB Gender=Masc|Number=Sing|VerbForm=Part 0 root SpaceAfter=No
        3 . . PUNCT _ 2 punct
    """
    boys_sit = """
        ילדים יושבים.
        1 ילדים ילד NOUN Gender=Masc|Number=Plur 2 nsubj
        2 יושבים ישב VERB VerbForm=Part 0 root SpaceAfter=No
        3 . . PUNCT _ 2 punct
    """
    a_boy_sleeps = """
        ילד ישן.
        1 ילד ילד NOUN Gender=Masc|Number=Sing 2 nsubj
        2 ישן ישן VERB VerbForm=Part 0 root SpaceAfter=No
        3 . . PUNCT _ 2 punct
    """
    made = texts(tmp_path, "heb", boys_sit, a_boy_sleeps, *[a_boy_runs] * 20)
    assert made[:2] == ["ילדים יושבים.", "ילד ישן."]
