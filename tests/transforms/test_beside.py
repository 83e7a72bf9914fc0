"""Places in which words of the same features cannot stand, for what is beside them."""

from tests.small_treebank import small_treebank
from tests.transforms.made import colorless, texts


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


def test_a_noun_with_an_article_takes_no_place_without_one(tmp_path):
    the_dog_slept = """
        The dog slept.
        1 The the DET Definite=Def|PronType=Art 2 det
        2 dog dog NOUN Number=Sing 3 nsubj
        3 slept sleep VERB Mood=Ind|Tense=Past|VerbForm=Fin 0 root SpaceAfter=No
        4 . . PUNCT _ 3 punct
    """
    somebody_came = """
        Somebody came.
        1 Somebody somebody NOUN Number=Sing 2 nsubj
        2 came come VERB Mood=Ind|Tense=Past|VerbForm=Fin 0 root SpaceAfter=No
        3 . . PUNCT _ 2 punct
    """
    the_cat_laughed = """
        The cat laughed.
        1 The the DET Definite=Def|PronType=Art 2 det
        2 cat cat NOUN Number=Sing 3 nsubj
        3 laughed laugh VERB Mood=Ind|Tense=Past|VerbForm=Fin 0 root SpaceAfter=No
        4 . . PUNCT _ 3 punct
    """
    made = texts(tmp_path, "eng", the_dog_slept, somebody_came, the_cat_laughed)
    assert [sentence.split(" ")[:-1] for sentence in made] == [["The", "cat"], ["Somebody"], ["The", "dog"]]


def test_a_noun_with_a_bare_name_beside_it_is_one_that_has_some(tmp_path):
    in_the_river = """
        Iz reke Sava pije.
        1 Iz iz ADP Case=Gen 2 case
        2 reke reka NOUN Case=Gen|Gender=Fem|Number=Sing 4 obl
        3 Sava Sava PROPN Case=Nom|Gender=Fem|Number=Sing 2 nmod
        4 pije piti VERB Mood=Ind|Number=Sing|Person=3 0 root SpaceAfter=No
        5 . . PUNCT _ 4 punct
    """
    out_of_the_cup = """
        Iz skodelice pije.
        1 Iz iz ADP Case=Gen 2 case
        2 skodelice skodelica NOUN Case=Gen|Gender=Fem|Number=Sing 3 obl
        3 pije piti VERB Mood=Ind|Number=Sing|Person=3 0 root SpaceAfter=No
        4 . . PUNCT _ 3 punct
    """
    out_of_the_bottle = out_of_the_cup.replace("skodelic", "steklenic")
    made = texts(tmp_path, "slv", in_the_river, out_of_the_cup, out_of_the_bottle)
    assert made == ["Iz reke Sava pije.", "Iz steklenice pije.", "Iz skodelice pije."]


def test_no_word_is_followed_by_itself(tmp_path):
    the_old_big_house = """
        The old big house stood.
        1 The the DET _ 4 det
        2 old old ADJ Degree=Pos 4 amod
        3 big big ADJ Degree=Pos 4 amod
        4 house house NOUN Number=Sing 5 nsubj
        5 stood stand VERB Tense=Past 0 root SpaceAfter=No
        6 . . PUNCT _ 5 punct
    """
    the_red_house = """
        The red house stood.
        1 The the DET _ 3 det
        2 red red ADJ Degree=Pos 3 amod
        3 house house NOUN Number=Sing 4 nsubj
        4 stood stand VERB Tense=Past 0 root SpaceAfter=No
        5 . . PUNCT _ 4 punct
    """
    for seed in range(12):
        treebank = small_treebank(tmp_path / str(seed), the_old_big_house, the_red_house, language="eng")
        text = colorless(treebank, seed=seed).sentences["text"][0].as_py()
        assert "red red" not in text
