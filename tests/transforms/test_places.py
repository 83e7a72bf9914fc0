"""Places in which words of the same features cannot stand, for how they sound or what is beside them."""

from generators import colorless as generator
from tests.small_treebank import small_treebank


def colorless(treebank, **options):
    """Return the one part that the transform makes of a small treebank."""
    (part,) = generator.colorless(treebank, **options).parts
    return part


def texts(tmp_path, language, *sentences):
    return colorless(small_treebank(tmp_path, *sentences, language=language)).sentences["text"].to_pylist()


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


def test_a_noun_that_only_stands_before_another_is_no_subject(tmp_path):
    """Compounds have refugees without a gender, but a refugee who comes is a `he` or a `she`."""
    the_refugee_house_burned = """
        அகதி வீடு எரிந்தது.
        1 அகதி அகதி NOUN Case=Nom|Gender=Neut|Number=Sing 2 nmod
        2 வீடு வீடு NOUN Case=Nom|Gender=Neut|Number=Sing 3 nsubj
        3 எரிந்தது எரி VERB Gender=Neut|Number=Sing|Tense=Past 0 root SpaceAfter=No
        4 . . PUNCT _ 3 punct
    """
    the_car_stood = """
        கார் நின்றது.
        1 கார் கார் NOUN Case=Nom|Gender=Neut|Number=Sing 2 nsubj
        2 நின்றது நில் VERB Gender=Neut|Number=Sing|Tense=Past 0 root SpaceAfter=No
        3 . . PUNCT _ 2 punct
    """
    made = texts(tmp_path, "tam", the_refugee_house_burned, the_car_stood)
    assert made == ["அகதி கார் நின்றது.", "வீடு எரிந்தது."]


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


def test_a_word_at_the_beginning_has_the_capital_of_its_language(tmp_path):
    a_house_burned = """
        Ev yandı.
        1 Ev ev NOUN Case=Nom|Number=Sing 2 nsubj
        2 yandı yan VERB Number=Sing|Person=3|Tense=Past 0 root SpaceAfter=No
        3 . . PUNCT _ 2 punct
    """
    he_found_work = """
        Dün iş buldu.
        1 Dün dün ADV _ 3 advmod
        2 iş iş NOUN Case=Nom|Number=Sing 3 obj
        3 buldu bul VERB Number=Sing|Person=3|Tense=Past 0 root SpaceAfter=No
        4 . . PUNCT _ 3 punct
    """
    assert texts(tmp_path, "tur", a_house_burned, he_found_work) == ["İş yandı.", "Dün ev buldu."]


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


def test_a_word_that_clitics_touch_gives_way_to_one_that_the_same_touch(tmp_path):
    """Where a treebank has no multiword tokens, an Arabic preposition stands as a word without a space."""
    in_a_house = """
        سكن ببيت.
        1 سكن سكن VERB Aspect=Perf|Gender=Masc|Number=Sing|Person=3 0 root
        2 ب ب ADP _ 3 case SpaceAfter=No
        3 بيت بيت NOUN Case=Gen|Definite=Ind|Gender=Masc|Number=Sing 1 obl SpaceAfter=No
        4 . . PUNCT _ 1 punct
    """
    with_a_pen = """
        كتب بقلم.
        1 كتب كتب VERB Aspect=Perf|Gender=Masc|Number=Sing|Person=3 0 root
        2 ب ب ADP _ 3 case SpaceAfter=No
        3 قلم قلم NOUN Case=Gen|Definite=Ind|Gender=Masc|Number=Sing 1 obl SpaceAfter=No
        4 . . PUNCT _ 1 punct
    """
    assert texts(tmp_path, "ara", in_a_house, with_a_pen) == ["كتب بقلم.", "سكن ببيت."]


def test_a_german_verb_that_begins_with_its_particle_stands_at_the_end(tmp_path):
    he_arrives = """
        Er kommt an.
        1 Er er PRON Case=Nom|Number=Sing|Person=3 2 nsubj
        2 kommt ankommen VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres 0 root
        3 an an ADP _ 2 compound:prt SpaceAfter=No
        4 . . PUNCT _ 2 punct
    """
    whether_he_arrives = """
        Ob Peter morgen ankommt?
        1 Ob ob SCONJ _ 4 mark
        2 Peter Peter PROPN Case=Nom|Gender=Masc|Number=Sing 4 nsubj
        3 morgen morgen ADV _ 4 advmod
        4 ankommt ankommen VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres 0 root SpaceAfter=No
        5 ? ? PUNCT _ 4 punct
    """
    paul_sleeps_today = """
        Paul schläft heute.
        1 Paul Paul PROPN Case=Nom|Gender=Masc|Number=Sing 2 nsubj
        2 schläft schlafen VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres 0 root
        3 heute heute ADV _ 2 advmod SpaceAfter=No
        4 . . PUNCT _ 2 punct
    """
    made = texts(tmp_path, "deu", he_arrives, whether_he_arrives, paul_sleeps_today)
    assert made == ["Er kommt an.", "Ob Paul morgen ankommt?", "Peter schläft heute."]
