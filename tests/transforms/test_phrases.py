"""Nouns that stand alone behind an adposition again and again: they belong to the phrase."""

from tests.small_treebank import small_treebank
from tests.transforms.made import colorless

PEOPLE = ("he", "she", "they", "we", "you", "it")
NOUNS = ("house", "door", "key", "barn", "tree", "road", "boat", "hill", "lamp", "coat", "book", "horse")


def kept(person: str, adposition: str) -> str:
    return f"""
        {person} keep this {adposition} mind
        1 {person} {person} PRON Case=Nom 2 nsubj
        2 keep keep VERB VerbForm=Fin 0 root
        3 this this PRON _ 2 obj
        4 {adposition} {adposition} ADP _ 5 case
        5 mind mind NOUN Number=Sing 2 obl
    """


def seen(noun: str) -> str:
    return f"""
        we see the {noun} near the {noun}
        1 we we PRON Case=Nom 2 nsubj
        2 see see VERB VerbForm=Fin 0 root
        3 the the DET _ 4 det
        4 {noun} {noun} NOUN Number=Sing 2 obj
        5 near near ADP _ 7 case
        6 the the DET _ 7 det
        7 {noun} {noun} NOUN Number=Sing 2 obl
    """


def test_a_noun_may_have_two_phrases_of_half_its_words_each(tmp_path):
    phrases = [kept(person, adposition) for adposition in ("in", "on") for person in PEOPLE]
    made = colorless(small_treebank(tmp_path, *phrases, *map(seen, NOUNS), language="eng"))
    words = made.tables["substitutions"].to_pylist()
    reasons = [row["reason"] for row in words if row["form"] == "mind"]
    assert reasons == ["within a name or a fixed expression"] * 12
