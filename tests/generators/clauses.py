"""Sentences of a word and a verb, and why matches are rejected."""

AGREE = {"language": "eng", "vary": "{Number: [Sing, Plur]}", "pattern": "SUBJ [Number]; V -[nsubj]-> SUBJ"}
MAN = """
    კაცი დადის.
    1 კაცი კაცი NOUN Case=Nom|Number=Sing 2 nsubj
    2 დადის სვლა VERB VerbForm=Fin 0 root SpaceAfter=No
    3 . . PUNCT _ 2 punct
"""

KEY = """
    A key rattles
    1 A a DET _ 2 det
    2 key key NOUN Number=Sing 3 nsubj
    3 rattles rattle VERB Number=Sing|VerbForm=Fin 0 root
"""


def clause(form, lemma, feats, relation="nsubj", *, upos="NOUN", verb="თქვა", verb_feats="VerbForm=Fin"):
    """Return a sentence of a word and a verb."""
    return f"{form} {verb}\n1 {form} {lemma} {upos} {feats} 2 {relation}\n2 {verb} {verb} VERB {verb_feats} 0 root"


# Sentences that attest more forms of the man, and no nominative subject.
ERGATIVE = clause("კაცმა", "კაცი", "Case=Erg|Number=Sing")
DATIVE = clause("კაცს", "კაცი", "Case=Dat|Number=Sing", "obj")


def reasons(rejected):
    return [(row["reason"], row["detail"]) for row in rejected]


def sentences(item):
    return {condition["name"]: "".join(condition["regions"]) for condition in item["conditions"]}
