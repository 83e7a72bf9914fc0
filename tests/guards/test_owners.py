"""A starred modifier may be an owner: a word that stands for somebody, beside the noun that is theirs."""

SUCH_A_POLICY = """sellise poliitika
1 sellise selline DET Case=Gen|Number=Sing 2 det
2 poliitika poliitika NOUN Case=Gen|Number=Sing 0 root"""
SUCH_PEOPLE = """selliste inimeste
1 selliste selline DET Case=Gen|Number=Plur 2 det
2 inimeste inimene NOUN Case=Gen|Number=Plur 0 root"""
HOUSE_OF_THE_CITY = """linna maja
1 linna linn NOUN Case=Gen|Number=Sing 2 nmod
2 maja maja NOUN Case=Nom|Number=Sing 0 root"""
SUCH_A_ONE = """selline lahkus
1 selline selline DET Case=Nom|Number=Sing 2 nsubj
2 lahkus lahkuma VERB Number=Sing 0 root"""


def test_a_determiner_that_stands_alone_may_be_an_owner(reasons):
    """“Sellise poliitika” (of such a policy) would turn into “selliste poliitika” (of such people's policy)."""
    agreement = {
        "pattern": "N [Number]; N -[det]-> D",
        "target": "D",
        "settings": "vary: {Number: [Sing, Plur]}\ncontroller: N",
        "language": "est",
    }
    sentences = (SUCH_A_POLICY, *10 * [SUCH_PEOPLE], *10 * [HOUSE_OF_THE_CITY])
    owner = ("genitive of its own", "selliste may stand alone beside poliitika")
    assert owner in reasons(*sentences, SUCH_A_ONE, **agreement)
    assert owner not in reasons(*sentences, **agreement)


def test_a_determiner_may_be_an_owner_where_nouns_are_not(reasons):
    """“Σε άλλη χώρα” (in another country) would turn into “σε άλλης χώρα” (in another woman's country)."""
    agreement = {
        "pattern": "N [Number]; N -[det]-> D",
        "target": "D",
        "settings": "vary: {Case: [Acc, Gen]}\ncontroller: N",
        "language": "ell",
    }
    elsewhere = """σε άλλη χώρα
1 σε σε ADP _ 3 case
2 άλλη άλλος DET Case=Acc|Gender=Fem|Number=Sing 3 det
3 χώρα χώρα NOUN Case=Acc|Gender=Fem|Number=Sing 0 root"""
    of_another = """τιμή άλλης πόλης
1 τιμή τιμή NOUN Case=Nom|Gender=Fem|Number=Sing 0 root
2 άλλης άλλος DET Case=Gen|Gender=Fem|Number=Sing 3 det
3 πόλης πόλη NOUN Case=Gen|Gender=Fem|Number=Sing 1 nmod"""
    another_came = """ήρθε άλλη
1 ήρθε έρχομαι VERB Number=Sing 0 root
2 άλλη άλλος DET Case=Nom|Gender=Fem|Number=Sing 1 nsubj"""
    owner = ("genitive of its own", "άλλης may stand alone beside χώρα")
    assert owner in reasons(*10 * [elsewhere], *10 * [of_another], another_came, **agreement)
    assert owner not in reasons(*10 * [elsewhere], *10 * [of_another], **agreement)
