"""Words beside the target that tell by themselves that another form should stand there."""

ARTICLE = {
    "pattern": "N [Number]; N -[det]-> D",
    "target": "D",
    "settings": "vary: {Number: [Sing, Plur]}\ncontroller: N",
    "language": "gle",
}
# Some of the books; some of the book; the book.
OF_THE_BOOKS = """cuid de na leabhair
1 cuid cuid NOUN Number=Sing 0 root
2 de de ADP _ 4 case
3 na an DET Definite=Def|Number=Plur|PronType=Art 4 det
4 leabhair leabhar NOUN Number=Plur 1 nmod"""
OF_THE_BOOK = """cuid den leabhar
1 cuid cuid NOUN Number=Sing 0 root
2 den de ADP Number=Sing|PronType=Art 3 case
3 leabhar leabhar NOUN Number=Sing 1 nmod"""
THE_BOOK = """an leabhar
1 an an DET Definite=Def|Number=Sing|PronType=Art 2 det
2 leabhar leabhar NOUN Number=Sing 0 root"""
WRITTEN_AS_ONE = ("contracted with the word before", "de and an are written as one")


def test_an_adposition_that_has_the_article_in_it_does_not_stand_before_one(reasons):
    assert WRITTEN_AS_ONE in reasons(OF_THE_BOOKS, *10 * [OF_THE_BOOK], *10 * [THE_BOOK], **ARTICLE)
    assert WRITTEN_AS_ONE not in reasons(OF_THE_BOOKS, *10 * [THE_BOOK], **ARTICLE)


CLITICS = {
    "pattern": "V -[nsubj]-> S; V -[aux]-> X",
    "target": "X",
    "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
    "language": "slv",
}
# The house hid her; the houses hid him, them.
THE_HOUSE_HID_HER = """Hiša jo je skrila
1 Hiša hiša NOUN Case=Nom|Number=Sing 4 nsubj
2 jo on PRON Case=Acc|Gender=Fem|Number=Sing|PronType=Prs 4 obj
3 je biti AUX Number=Sing|Person=3|Tense=Pres 4 aux
4 skrila skriti VERB VerbForm=Part 0 root"""
THE_HOUSES_HID = """Hiše so {pronoun} skrile
1 Hiše hiša NOUN Case=Nom|Number=Plur 4 nsubj
2 so biti AUX Number=Plur|Person=3|Tense=Pres 4 aux
3 {pronoun} on PRON Case=Acc|Gender=Masc|Number={number}|PronType=Prs 4 obj
4 skrile skriti VERB VerbForm=Part 0 root"""
BEFORE_THE_PRONOUN = ("another order", "so stands before jo")


def test_pronouns_of_a_kind_have_one_place_beside_a_form(reasons):
    """“So jo” is nowhere; “so ga” and “so jih” tell that “*jo so” has another fault than its number."""
    him = THE_HOUSES_HID.format(pronoun="ga", number="Sing")
    them = THE_HOUSES_HID.format(pronoun="jih", number="Plur")
    assert BEFORE_THE_PRONOUN in reasons(*10 * [THE_HOUSE_HID_HER], *3 * [him], *3 * [them], **CLITICS)
    assert BEFORE_THE_PRONOUN not in reasons(*10 * [THE_HOUSE_HID_HER], him, them, **CLITICS)


# You hid him: another form of the auxiliary, behind the pronoun.
THOU_HAST_HIDDEN = """Ga si skrila
1 Ga on PRON Case=Acc|Gender=Masc|Number=Sing|PronType=Prs 3 obj
2 si biti AUX Number=Sing|Person=2|Tense=Pres 3 aux
3 skrila skriti VERB VerbForm=Part 0 root"""


def test_what_a_form_itself_shows_counts_whatever_others_of_its_word_do(reasons):
    him = THE_HOUSES_HID.format(pronoun="ga", number="Sing")
    others = (*2 * [THOU_HAST_HIDDEN], *6 * [him])
    assert BEFORE_THE_PRONOUN in reasons(*6 * [THE_HOUSE_HID_HER], *others, **CLITICS)
    # Too few for what je does.
    assert BEFORE_THE_PRONOUN not in reasons(*3 * [THE_HOUSE_HID_HER], *others, **CLITICS)


# The bird's day; islands and the islands: na has an h before vowels.
DAY_OF_THE_BIRD = """lá an éin
1 lá lá NOUN Number=Sing 0 root
2 an an DET Number=Sing|PronType=Art 3 det
3 éin éan NOUN Number=Sing 1 nmod"""
MANY = """{lemma} na h{lemma}
1 {lemma} {lemma} NOUN Number=Plur 0 root
2 na an DET Number=Plur|PronType=Art 3 det
3 h{lemma} {lemma} NOUN Number=Plur 1 nmod"""
WITHOUT_ITS_H = ("word behind is mutated", "éin does not begin so behind na")


def test_letters_that_have_one_thing_before_them_are_alike(reasons):
    """“Na hé…” is there once, but nothing else stands before other vowels: “*na éin” lacks an h, too."""
    lemmas = ("éan", "oileáin", "amhráin", "iarthair", "ealaí", "urláir")
    birds, *others = (MANY.format(lemma=lemma) for lemma in lemmas)
    assert WITHOUT_ITS_H in reasons(*10 * [DAY_OF_THE_BIRD], birds, *2 * others, **ARTICLE)
    assert WITHOUT_ITS_H not in reasons(*10 * [DAY_OF_THE_BIRD], birds, *others, **ARTICLE)


HAS_TO_BE_ELIDED = ("word before has to be elided", "le seldom stands before a")
OF_THE_FRIEND = """l'ami lit
1 l' le DET Number=Sing 2 det SpaceAfter=No
2 ami ami NOUN Number=Sing 3 nsubj
3 lit lire VERB Number=Sing 0 root"""
FRENCH = {"language": "fra", "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S", "pattern": "V -[nsubj]-> S"}


def test_what_is_elided_before_a_vowel_has_to_be(reasons):
    # It sees it, they have it: before “ont” it is “l'”.
    sentence = """Tu le vois
1 Tu toi PRON Number=Sing 3 nsubj
2 le le PRON _ 3 obj
3 vois apercevoir VERB Number=Sing 0 root"""
    they_see = """Amis aperçoivent
1 Amis ami NOUN Number=Plur 2 nsubj
2 aperçoivent apercevoir VERB Number=Plur 0 root"""
    construction = FRENCH | {"target": "V"}
    assert HAS_TO_BE_ELIDED in reasons(sentence, they_see, *[OF_THE_FRIEND] * 10, **construction)
    # Nine do not tell.
    assert HAS_TO_BE_ELIDED not in reasons(sentence, they_see, *[OF_THE_FRIEND] * 9, **construction)


def test_another_form_of_what_is_elided_may_stand_before_vowels(reasons):
    sentence = """Tu les vois
1 Tu toi PRON Number=Sing 3 nsubj
2 les le PRON _ 3 obj
3 vois apercevoir VERB Number=Sing 0 root"""
    they_see = """Les amis aperçoivent
1 Les le DET Number=Plur 2 det
2 amis ami NOUN Number=Plur 3 nsubj
3 aperçoivent apercevoir VERB Number=Plur 0 root"""
    said = reasons(sentence, *[they_see] * 3, *[OF_THE_FRIEND] * 10, **FRENCH | {"target": "V"})
    assert "word before has to be elided" not in {reason for reason, _ in said}
