"""Who comes along with a singular subject: with that one it may be plural, wherever it is attached."""

COMPANY = {
    "pattern": "V -[nsubj]-> S",
    "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
    "language": "rus",
}
CHILDREN_GO = """Дети идут
1 Дети ребёнок NOUN Case=Nom|Gender=Masc|Number=Plur 2 nsubj
2 идут идти VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""
REASON = "company of the subject"


def test_it_may_depend_on_the_verb_or_on_an_adverb(reasons):
    # Mother goes together with the son.
    sentence = """Мать вместе с сыном идёт
1 Мать мать NOUN Case=Nom|Gender=Fem|Number=Sing 5 nsubj
2 вместе вместе ADV _ 5 advmod
3 с с ADP _ 4 case
4 сыном сын NOUN Case=Ins|Gender=Masc|Number=Sing 2 obl
5 идёт идти VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    said = (REASON, "с сыном comes along with Мать")
    assert said in reasons(sentence, CHILDREN_GO, **COMPANY)
    of_the_verb = sentence.replace("Number=Sing 2 obl", "Number=Sing 5 obl")
    assert said in reasons(of_the_verb, CHILDREN_GO, **COMPANY)


def test_it_may_depend_on_the_infinitive_below(reasons):
    # Mother wants to go with the son.
    sentence = """Мать с сыном будет идти
1 Мать мать NOUN Case=Nom|Gender=Fem|Number=Sing 4 nsubj
2 с с ADP _ 3 case
3 сыном сын NOUN Case=Ins|Gender=Masc|Number=Sing 5 obl
4 идёт идти VERB Number=Sing|Person=3|VerbForm=Fin 0 root
5 гулять гулять VERB VerbForm=Inf 4 xcomp""".replace("будет идти", "идёт гулять")
    assert (REASON, "с сыном comes along with Мать") in reasons(sentence, CHILDREN_GO, **COMPANY)


def test_what_comes_from_somewhere_is_no_company(reasons):
    # The snow goes off the roof.
    sentence = """Снег с крыши идёт
1 Снег снег NOUN Case=Nom|Gender=Masc|Number=Sing 4 nsubj
2 с с ADP _ 3 case
3 крыши крыша NOUN Case=Gen|Gender=Fem|Number=Sing 1 nmod
4 идёт идти VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    assert REASON not in [reason for reason, _ in reasons(sentence, CHILDREN_GO, **COMPANY)]


def test_behind_the_verb_it_goes_with_what_is_done(reasons):
    # Mother goes with the son.
    sentence = """Мать идёт с сыном
1 Мать мать NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
2 идёт идти VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 с с ADP _ 4 case
4 сыном сын NOUN Case=Ins|Gender=Masc|Number=Sing 2 obl"""
    assert REASON not in [reason for reason, _ in reasons(sentence, CHILDREN_GO, **COMPANY)]
