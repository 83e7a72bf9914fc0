"""A reading that its cell often has is no slip of annotation, however much more often the form is something else."""

from __future__ import annotations

from starbank.guards.examples import Example

HE_SPEAKS = """ta räägib
1 ta tema PRON Case=Nom|Number=Sing|Person=3 2 nsubj
2 räägib rääkima VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
THEY_SPEAK_OF_HIS_LIFE = """ta elust räägivad
1 ta tema PRON Case=Gen|Number=Sing|Person=3 2 nmod
2 elust elu NOUN Case=Ela|Number=Sing 3 obl
3 räägivad rääkima VERB Number=Plur|Person=3|VerbForm=Fin 0 root"""
THEY_SPEAK_OF_MOTHERS_LIFE = THEY_SPEAK_OF_HIS_LIFE.replace("ta tema PRON", "ema ema NOUN").replace("ta ", "ema ", 1)


def test_a_pronoun_that_is_mostly_a_subject_may_be_a_genitive(run):
    sentence = """ta elust räägib
1 ta tema PRON Case=Nom|Number=Sing|Person=3 3 nsubj
2 elust elu NOUN Case=Ela|Number=Sing 3 obl
3 räägib rääkima VERB Number=Sing|Person=3|VerbForm=Fin 0 root"""
    beside = (THEY_SPEAK_OF_MOTHERS_LIFE, *[THEY_SPEAK_OF_HIS_LIFE] * 10, *[HE_SPEAKS] * 60)
    settings = "vary: {Number: [Sing, Plur]}\ncontroller: S"
    pattern = "V -[nsubj]-> S"
    _, suite, _, _ = run(Example("", sentence, "", "", "", beside, "est", pattern, "V", settings))
    reasons = [(row["reason"], row["detail"]) for row in suite.rejected.to_pylist() if row["sent_id"] == "s1"]
    assert reasons == [("subject could belong to a noun", "ta may belong to elust")]
