"""What words agree as, learned from the agreement that a treebank shows."""

from starbank.guards.agreement import Agreement, Controller

NUMBER = {"Number": ("Sing", "Plur")}
TROUSERS = Controller("NOUN", "spodnie", "Number=Ptan")
EVERYBODY = Controller("PRON", "iedereen", "Person=3|PronType=Ind")
THEY = Controller("PRON", "ze", "Person=3|PronType=Prs")
BRUSSELS = Controller("PROPN", "brussel", "")


def test_a_word_has_the_value_that_it_shows():
    cat = Controller("NOUN", "kot", "Number=Sing")
    agreement = Agreement([(cat, "Number=Plur", 20)], NUMBER)
    assert agreement.value(cat, "Number") == "Sing"
    assert not agreement.agrees(cat, "Number=Plur")


def test_polish_trousers_agree_as_plurals():
    agreement = Agreement([(TROUSERS, "Number=Plur", 9)], NUMBER)
    assert agreement.value(TROUSERS, "Number") == "Plur"
    assert agreement.kind(TROUSERS) == "Ptan as Plur"
    assert not agreement.is_varied(TROUSERS)


def test_a_few_cases_tell_nothing():
    agreement = Agreement([(TROUSERS, "Number=Plur", 3)], NUMBER)
    assert agreement.value(TROUSERS, "Number") == "Ptan"
    assert not agreement.agrees(TROUSERS, "Number=Plur")


def test_a_pronoun_without_number_has_that_of_its_verbs():
    agreement = Agreement([(EVERYBODY, "Number=Sing", 12)], NUMBER)
    assert agreement.value(EVERYBODY, "Number") == "Sing"


def test_a_pronoun_that_is_both_has_none():
    agreement = Agreement([(THEY, "Number=Sing", 12), (THEY, "Number=Plur", 12)], NUMBER)
    assert agreement.value(THEY, "Number") is None
    assert not agreement.agrees(THEY, "Number=Sing")


def test_names_without_number_agree_as_other_names_do():
    names = [(Controller("PROPN", name, ""), "Number=Sing", 1) for name in "abcdefghij"]
    assert Agreement(names, NUMBER).value(BRUSSELS, "Number") == "Sing"


def test_two_genders_at_once_leave_agreement_open():
    guest = Controller("NOUN", "gost", "Gender=Fem,Masc")
    agreement = Agreement([], {"Gender": ("Fem", "Masc", "Neut")})
    assert agreement.is_open(guest)
    assert agreement.agrees(guest, "Gender=Fem")
