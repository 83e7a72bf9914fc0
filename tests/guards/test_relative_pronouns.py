"""A relative pronoun that looks like an object may be one, of a verb with another subject, or with none."""

from __future__ import annotations

from functools import partial

import pytest

AGREEMENT = {
    "pattern": "V -[nsubj]-> S",
    "settings": "vary: {Number: [Sing, Plur]}\ncontroller: S",
    "language": "deu",
}
# What they read, the women read.
READ_BY_WOMEN = """Bücher , die Frauen lesen
1 Bücher Buch NOUN Case=Nom|Gender=Neut|Number=Plur 0 root
2 , , PUNCT _ 5 punct
3 die der PRON Case=Acc|Number=Plur|PronType=Rel 5 obj
4 Frauen Frau NOUN Case=Nom|Gender=Fem|Number=Plur 5 nsubj
5 lesen lesen VERB Number=Plur|Person=3|VerbForm=Fin 1 acl:relcl"""
THEY_READ = """Bücher , die lesen
1 Bücher Buch NOUN Case=Nom|Gender=Neut|Number=Plur 0 root
2 , , PUNCT _ 4 punct
3 die der PRON Case=Acc|Number=Plur|PronType=Rel 4 obj
4 lesen lesen VERB Number=Plur|Person=3|VerbForm=Fin 1 acl:relcl"""
SHE_READS = """Sie liest
1 Sie sie PRON Case=Nom|Gender=Fem|Number=Sing|Person=3 2 nsubj
2 liest lesen VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""


@pytest.fixture
def reasons(reasons):
    """Return what is said of the first of some German sentences."""
    return partial(reasons, **AGREEMENT)


def test_the_object_may_be_the_subject_of_the_relative_clause(reasons):
    # Men who read a book; *Men who a book reads.
    sentence = """Männer , die ein Buch lesen
1 Männer Mann NOUN Case=Nom|Gender=Masc|Number=Plur 0 root
2 , , PUNCT _ 6 punct
3 die der PRON Case=Nom|Number=Plur|PronType=Rel 6 nsubj
4 ein ein DET Case=Acc|Gender=Neut|Number=Sing 5 det
5 Buch Buch NOUN Case=Acc|Gender=Neut|Number=Sing 6 obj
6 lesen lesen VERB Number=Plur|Person=3|VerbForm=Fin 1 acl:relcl"""
    book = """Buch
1 Buch Buch NOUN Case=Nom|Gender=Neut|Number=Sing 0 root"""
    said = ("object could be the subject", "Buch may be the subject of lesen")
    assert said in reasons(sentence, READ_BY_WOMEN, SHE_READS, book)
    assert said not in reasons(sentence, SHE_READS, book)


def test_the_pronoun_may_be_the_object_where_subjects_go_unsaid(reasons):
    # Books that read (so well); *books that (she) reads.
    sentence = """Bücher , die lesen
1 Bücher Buch NOUN Case=Nom|Gender=Neut|Number=Plur 0 root
2 , , PUNCT _ 4 punct
3 die der PRON Case=Nom|Number=Plur|PronType=Rel 4 nsubj
4 lesen lesen VERB Number=Plur|Person=3|VerbForm=Fin 1 acl:relcl"""
    reads = """Liest
1 Liest lesen VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    assert ("subject could be the object", "die may be the object of lesen") in reasons(sentence, THEY_READ, reads)
