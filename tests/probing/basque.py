"""Basque sentences whose verbs index three arguments, and whose nominals end in what tells case and number."""

# The man has seen the houses: -ak is the ergative singular and the absolutive plural.
SAW_HOUSES = """
    Gizonak etxeak ikusi ditu .
    1 Gizonak gizon NOUN Case=Erg|Number=Sing 3 nsubj
    2 etxeak etxe NOUN Case=Abs|Number=Plur 3 obj
    3 ikusi ikusi VERB VerbForm=Part 0 root
    4 ditu edun AUX Number[abs]=Plur|Number[erg]=Sing|VerbForm=Fin 3 aux
    5 . . PUNCT _ 3 punct
"""
# The men have given the child a house, and the child is tall: two finite verbs.
GAVE = """
    Gizonek umeari etxe handia eman diote eta umea altua da .
    1 Gizonek gizon NOUN Case=Erg|Number=Plur 5 nsubj
    2 umeari ume NOUN Case=Dat|Number=Sing 5 iobj
    3 etxe etxe NOUN _ 5 obj
    4 handia handi ADJ Case=Abs|Number=Sing 3 amod
    5 eman eman VERB VerbForm=Part 0 root
    6 diote edun AUX Number[abs]=Sing|Number[dat]=Sing|Number[erg]=Plur|VerbForm=Fin 5 aux
    7 eta eta CCONJ _ 9 cc
    8 umea ume NOUN Case=Abs|Number=Sing 9 nsubj
    9 altua altu ADJ Case=Abs|Number=Sing 5 conj
    10 da izan AUX Number[abs]=Sing|VerbForm=Fin 9 cop
    11 . . PUNCT _ 5 punct
"""
# The girl, whose lemma ends in the letter of the ending, has come to the one who saw the man: the nearest verb to
# the man is his own, that to the girl is not.
CAME = """
    Neska gizona ikusi duenarekin etorri da .
    1 Neska neska NOUN Case=Abs|Number=Sing 5 nsubj
    2 gizona gizon NOUN Case=Abs|Number=Sing 3 obj
    3 ikusi ikusi VERB VerbForm=Part 5 obl
    4 duenarekin edun AUX Number[abs]=Sing|Number[erg]=Sing|VerbForm=Fin 3 aux
    5 etorri etorri VERB VerbForm=Part 0 root
    6 da izan AUX Number[abs]=Sing|VerbForm=Fin 5 aux
    7 . . PUNCT _ 5 punct
"""
# A word is far from its own verb, and near to another: the houses that the man saw have fallen.
FELL = """
    Etxeak gizonak ikusi ditu eta berehala erori dira .
    1 Etxeak etxe NOUN Case=Abs|Number=Plur 7 nsubj
    2 gizonak gizon NOUN Case=Erg|Number=Sing 3 nsubj
    3 ikusi ikusi VERB VerbForm=Part 7 advcl
    4 ditu edun AUX Number[abs]=Plur|Number[erg]=Sing|VerbForm=Fin 3 aux
    5 eta eta CCONJ _ 7 cc
    6 berehala berehala ADV _ 7 advmod
    7 erori erori VERB VerbForm=Part 0 root
    8 dira izan AUX Number[abs]=Plur|VerbForm=Fin 7 aux
    9 . . PUNCT _ 7 punct
"""
