"""Sentences in which a verb agrees with a subject some words before it."""


def lie(subject: str, lemma: str, number: str, place: str, verb: str, verb_lemma: str) -> str:
    """Return `The <subject> to the old <place> <verb> here.`"""
    return f"""
    The {subject} to the old {place} {verb} here.
    1 The the DET Definite=Def|PronType=Art 2 det
    2 {subject} {lemma} NOUN Number={number} 7 nsubj
    3 to to ADP _ 6 case
    4 the the DET Definite=Def|PronType=Art 6 det
    5 old old ADJ Degree=Pos 6 amod
    6 {place} {place} NOUN Number=Sing 2 nmod
    7 {verb} {verb_lemma} VERB Mood=Ind|Number={number}|Person=3|Tense=Pres|VerbForm=Fin 0 root
    8 here here ADV _ 7 advmod SpaceAfter=No
    9 . . PUNCT _ 7 punct
    """


KEY = lie("key", "key", "Sing", "cabinet", "lies", "lie")
DOOR = lie("door", "door", "Sing", "house", "sleeps", "sleep")
KEYS = lie("keys", "key", "Plur", "cellar", "lie", "lie")
DOORS = lie("doors", "door", "Plur", "barn", "sleep", "sleep")
