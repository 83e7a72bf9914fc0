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
