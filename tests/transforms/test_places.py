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
