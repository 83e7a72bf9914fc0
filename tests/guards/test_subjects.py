"""What a subject could be instead, where subjects go unsaid."""

REUTERS = """Ройтерс съобщи
1 Ройтерс Ройтерс PROPN Number=Sing 2 nsubj
2 съобщи съобщя VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
THEY_REPORTED = """Вчера съобщиха
1 Вчера вчера ADV _ 2 advmod
2 съобщиха съобщя VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""
CHILDREN_CAME = """Деца дойдоха
1 Деца дете NOUN Number=Plur 2 nsubj
2 дойдоха дойда VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""
SEVERAL = ("name of several", "Ройтерс may be several")


def test_a_bare_name_may_be_several(reasons):
    """Reuters may have reported in the plural, but not a Paul Reuters, nor where names have articles."""
    paul = REUTERS.replace("Ройтерс съобщи", "Ройтерс Паул съобщи").replace(" 2 nsubj", " 3 nsubj")
    paul = paul.replace("2 съобщи", "2 Паул Паул PROPN Number=Sing 1 flat\n3 съобщи")
    the_agency = """Тя БТА съобщи
1 Тя тя DET Number=Sing 2 det
2 БТА БТА PROPN Number=Sing 3 nsubj
3 съобщи съобщя VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    agreement = {
        "pattern": "V -[nsubj]-> S",
        "target": "V",
        "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
        "language": "bul",
    }
    assert SEVERAL in reasons(REUTERS, THEY_REPORTED, CHILDREN_CAME, **agreement)
    assert not reasons(paul, THEY_REPORTED, CHILDREN_CAME, **agreement)
    assert not reasons(REUTERS, THEY_REPORTED, CHILDREN_CAME, the_agency, **agreement)


def test_the_file_of_a_language_says_which_subjects_look_alike_in_both_numbers(reasons):
    # Her sister found it, and her sisters did; the sister alone is one.
    sentence = """sisarensa löysi
1 sisarensa sisar NOUN Case=Nom|Number=Sing|Person[psor]=3 2 nsubj
2 löysi löytää VERB Number=Sing|Person=3 0 root"""
    they_found = """he löysivät
1 he hän PRON Case=Nom|Number=Plur|Person=3 2 nsubj
2 löysivät löytää VERB Number=Plur|Person=3 0 root"""
    construction = {
        "language": "fin",
        "pattern": "V [upos=VERB]; V -[nsubj]-> S",
        "target": "V",
        "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
    }
    said = ("ambiguous controller", "sisarensa is also Case=Nom|Number=Plur|Person[psor]=3")
    assert reasons(sentence, they_found, **construction) == [said]
    sister = sentence.replace("sisarensa", "sisar").replace("|Person[psor]=3", "")
    assert reasons(sister, they_found, **construction) == []
