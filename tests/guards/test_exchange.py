"""Subject and object change places where texts have such an order, and the verb goes with what is the object."""

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


def test_several_objects_are_plural_together(reasons):
    # The firm cleans the sea and the field; the sea and the field clean the firm.
    sentence = """Firma čistí moře a pole
1 Firma firma NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
2 čistí čistit VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 moře moře NOUN Case=Nom|Gender=Neut|Number=Sing 2 obj
4 a a CCONJ _ 5 cc
5 pole pole NOUN Case=Nom|Gender=Neut|Number=Sing 3 conj"""
    # The firm means the sea: here either may be in either case.
    beside = """Firma znamená moře
1 Firma firma NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
2 znamená znamenat VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 moře moře NOUN Case=Nom|Gender=Neut|Number=Sing 2 obj"""
    turned = """Moře znamená firma
1 Moře moře NOUN Case=Nom|Gender=Neut|Number=Sing 2 obj
2 znamená znamenat VERB Number=Sing|Person=3|VerbForm=Fin 0 root
3 firma firma NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj"""
    they_clean = """Čistějí
1 Čistějí čistit VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""
    said = ("object could be the subject", "moře may be the subject of čistit")
    assert said in reasons(sentence, beside, turned, they_clean, **AGREEMENT)
    one_object = "\n".join(sentence.splitlines()[:4]).replace("moře a pole", "moře")
    assert said not in reasons(one_object, beside, turned, they_clean, **AGREEMENT)


def test_where_gender_varies_the_verb_goes_with_the_gender_of_the_object(reasons):
    # The strike replaced the plan; the plan replaced the strike.
    sentence = """Stávka nahradila plán
1 Stávka stávka NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj
2 nahradila nahradit VERB Gender=Fem|Number=Sing|VerbForm=Part 0 root
3 plán plán NOUN Case=Nom|Gender=Masc|Number=Sing 2 obj"""
    turned = """Plán viděla stávka
1 Plán plán NOUN Case=Nom|Gender=Masc|Number=Sing 2 obj
2 viděla vidět VERB Gender=Fem|Number=Sing|VerbForm=Part 0 root
3 stávka stávka NOUN Case=Nom|Gender=Fem|Number=Sing 2 nsubj"""
    he_replaced_it = """Nahradil
1 Nahradil nahradit VERB Gender=Masc|Number=Sing|VerbForm=Part 0 root"""
    construction = AGREEMENT | {"settings": "vary: {Gender: [Fem, Masc]}\ncontroller: S"}
    said = ("object could be the subject", "plán may be the subject of nahradit")
    assert said in reasons(sentence, turned, he_replaced_it, **construction)
    feminine = sentence.replace("plán plán NOUN Case=Nom|Gender=Masc", "plán plán NOUN Case=Nom|Gender=Fem")
    assert said not in reasons(feminine, turned, he_replaced_it, **construction)


def test_what_begins_a_relative_clause_may_be_its_object(reasons):
    # The party whose leader got the votes; whose leader the votes got.
    sentence = """partij wiens leider de stemmen kreeg
1 partij partij NOUN Number=Sing 0 root
2 wiens wie DET _ 3 det
3 leider leider NOUN Number=Sing 6 nsubj
4 de de DET Definite=Def 5 det
5 stemmen stem NOUN Number=Plur 6 obj
6 kreeg krijgen VERB Number=Sing|VerbForm=Fin 1 acl:relcl"""
    that_got_votes = """leider die stemmen kreeg
1 leider leider NOUN Number=Sing 0 root
2 die die PRON PronType=Rel 4 nsubj
3 stemmen stem NOUN Number=Plur 4 obj
4 kreeg krijgen VERB Number=Sing|VerbForm=Fin 1 acl:relcl"""
    that_leaders_got = """stemmen die leiders kregen
1 stemmen stem NOUN Number=Plur 0 root
2 die die PRON PronType=Rel 4 obj
3 leiders leider NOUN Number=Plur 4 nsubj
4 kregen krijgen VERB Number=Plur|VerbForm=Fin 1 acl:relcl"""
    leader_saw_party = """leider zag partij
1 leider leider NOUN Number=Sing 2 nsubj
2 zag zien VERB Number=Sing|VerbForm=Fin 0 root
3 partij partij NOUN Number=Sing 2 obj"""
    said = ("object could be the subject", "stemmen may be the subject of krijgen")
    construction = AGREEMENT | {"language": "nld"}
    assert said in reasons(sentence, that_got_votes, that_leaders_got, leader_saw_party, **construction)
    # In a main clause the subject is no relative.
    main_clause = sentence.replace("1 acl:relcl", "0 root").replace(
        "1 partij partij NOUN Number=Sing 0 root", "1 partij partij NOUN Number=Sing 6 vocative"
    )
    assert said not in reasons(main_clause, that_got_votes, that_leaders_got, leader_saw_party, **construction)


# The bakers hold the strike; the bakers held it; the strike hurts; he reads books.
DUTCH = AGREEMENT | {"language": "nld"}
BAKERS_HOLD_STRIKE = """De bakkers hielden een staking
1 De de DET _ 2 det
2 bakkers bakker NOUN Number=Plur 3 nsubj
3 hielden houden VERB Number=Plur|VerbForm=Fin 0 root
4 een een DET _ 5 det
5 staking staking NOUN Number=Sing 3 obj"""
THE_STRIKE_HELD = """De staking hield
1 De de DET _ 2 det
2 staking staking NOUN Number=Sing 3 nsubj
3 hield houden VERB Number=Sing|VerbForm=Fin 0 root"""
HE_READS_BOOKS = """Boeken leest hij
1 Boeken boek NOUN Number=Plur 2 obj
2 leest lezen VERB Number=Sing|VerbForm=Fin 0 root
3 hij hij PRON Case=Nom|Number=Sing|Person=3 2 nsubj"""


def test_a_pronoun_behind_the_verb_tells_that_objects_may_stand_before_it(reasons):
    # The strike held the bakers: De bakkers hield een staking.
    said = ("object could be the subject", "staking may be the subject of houden")
    assert said in reasons(BAKERS_HOLD_STRIKE, THE_STRIKE_HELD, HE_READS_BOOKS, **DUTCH)
    assert said not in reasons(BAKERS_HOLD_STRIKE, THE_STRIKE_HELD, **DUTCH)


def test_a_pronoun_may_be_an_object_in_a_case_that_nouns_do_not_have(reasons):
    # Such shops see you seldom: Winkels zien je zelden.
    sentence = """Winkels zie je zelden
1 Winkels winkel NOUN Number=Plur 2 obj
2 zie zien VERB Number=Sing|VerbForm=Fin 0 root
3 je jij PRON Case=Nom|Number=Sing|Person=2 2 nsubj
4 zelden zelden ADV _ 2 advmod"""
    the_shops_help_you = """Winkels helpen je
1 Winkels winkel NOUN Number=Plur 2 nsubj
2 helpen helpen VERB Number=Plur|VerbForm=Fin 0 root
3 je jij PRON Case=Acc|Number=Sing|Person=2 2 obj"""
    they_see = """Winkels zien
1 Winkels winkel NOUN Number=Plur 2 nsubj
2 zien zien VERB Number=Plur|VerbForm=Fin 0 root"""
    said = ("object could be the subject", "Winkels may be the subject of zien")
    assert said in reasons(sentence, the_shops_help_you, they_see, **DUTCH)
    assert said not in reasons(sentence, they_see, **DUTCH)
