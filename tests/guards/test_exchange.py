"""Subject and object change places where texts have such an order, and the object may be that of an infinitive."""

AGREEMENT = {
    "pattern": "V -[nsubj]-> S",
    "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
    "language": "ces",
}
# The firm cleans the sea; the firm sees the aid; the seas are, and rustle; they help.
FIRM_CLEANS_SEA = """Firma čistí moře
1 Firma firma NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
2 čistí čistit VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 moře moře NOUN Case=Acc|Gender=Neut|Number=Sing 2 obj"""
HELP_SEES_FIRM = """Pomoc vidí firma
1 Pomoc pomoc NOUN Case=Acc|Gender=Fem|Number=Sing 2 obj
2 vidí vidět VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 firma firma NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj"""
SEAS_ARE = """Moře jsou Moře šumějí
1 Moře moře NOUN Case=Nom|Gender=Neut|Number=Plur 2 nsubj
2 jsou být VERB Number=Plur|Person=3|VerbForm=Fin 0 root
3 Moře moře NOUN Case=Nom|Gender=Neut|Number=Plur 4 nsubj
4 šumějí šumět VERB Number=Plur|Person=3|VerbForm=Fin 2 parataxis"""
THEY_HELP = """Pomáhají
1 Pomáhají pomáhat VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""


def test_the_object_of_an_infinitive_may_be_the_subject(reasons):
    # The aid helps to clean the seas; the seas help to clean the aid.
    sentence = """Pomoc pomáhá čistit moře
1 Pomoc pomoc NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
2 pomáhá pomáhat VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 čistit čistit VERB VerbForm=Inf 2 xcomp
4 moře moře NOUN Case=Acc|Gender=Neut|Number=Plur 3 obj"""
    said = ("object could be the subject", "moře may be the subject of pomáhat")
    assert said in reasons(sentence, FIRM_CLEANS_SEA, HELP_SEES_FIRM, SEAS_ARE, THEY_HELP, **AGREEMENT)
    # Texts that have no object before the verb do not have that order.
    assert said not in reasons(sentence, FIRM_CLEANS_SEA, SEAS_ARE, THEY_HELP, **AGREEMENT)
