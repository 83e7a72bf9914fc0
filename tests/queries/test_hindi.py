"""Hindi: a subject with ने needs a perfective, and a transitive verb's perfective needs ने."""

import unicodedata

import duckdb
import pytest

from tests.queries.tables import read_table, read_unimorph

pytestmark = [pytest.mark.xdist_group("queries-hindi"), pytest.mark.slow]

TABLE = "hin/lexicon/participles.tsv"
PUD = "UD_Hindi-PUD"

OVER = "V -[nsubj]-> S; V -[obj]-> O; S << O; O << V;"
NE = f'pattern {{ V [upos=VERB, Aspect=Perf]; {OVER} S -[case]-> NE; NE [lemma="ने"] }}'
FUSED = f'pattern {{ V [upos=VERB, Aspect=Perf]; {OVER} S [upos=PRON, form=re".*ने"] }}'
HABITUAL = (
    f'pattern {{ V [upos=VERB, Aspect=Imp, form=re".*\\(ता\\|ते\\|ती\\|तीं\\)"]; {OVER} }}'
    'without { S -[case]-> NE; NE [lemma="ने"] } without { S [form=re".*ने"] }'
)
POSSESSOR = 'pattern { O -[1=nmod]-> P; P -[case]-> KA; KA [lemma="का"]; S << P; P << O }'


@pytest.mark.parametrize(
    ("request_text", "count"),
    [
        (NE, 157),
        (FUSED, 80),
        (HABITUAL, 97),
        (NE.replace(" }", "; " + POSSESSOR[10:], 1), 40),
        (HABITUAL.replace(" }", POSSESSOR[10:], 1), 33),
        ("pattern { V [upos=VERB, Aspect=Perf] }", 641),
        ("pattern { V [upos=VERB, Aspect=Imp] }", 515),
        ("pattern { V [upos=VERB, Aspect=Prog] }", 8),
    ],
)
def test_counts_in_pud(matches, request_text, count):
    assert len(matches(PUD, request_text)["V"]) == count


@pytest.mark.parametrize(("aspect", "count"), [("Perf", 284), ("Imp", 190)])
def test_clauses_with_a_subject_before_an_object_before_the_verb(matches, aspect, count):
    found = matches(PUD, f"pattern {{ V [upos=VERB, Aspect={aspect}]; V -[nsubj]-> S; V -[obj]-> O }}")
    first = {}
    for verb, subject, thing in zip(found["V"], found["S"], found["O"], strict=True):
        known = first.get(verb, (subject, thing))
        first[verb] = min(known[0], subject), min(known[1], thing)
    assert sum(subject < thing < verb for verb, (subject, thing) in first.items()) == count


def test_every_perfective_has_a_habitual_with_the_same_ending():
    entries = {(lemma, features["Aspect"], features["Ending"]) for lemma, features, _ in read_table(TABLE)}
    assert {(lemma, ending) for lemma, aspect, ending in entries if aspect == "Perf"} == {
        (lemma, ending) for lemma, aspect, ending in entries if aspect == "Imp"
    }


@pytest.mark.parametrize(
    ("lemma", "masculine", "feminine"),
    [
        ("करना", "किया", "की"),
        ("देना", "दिया", "दी"),
        ("पीना", "पिया", "पी"),
        ("खाना", "खाया", "खाई"),
        ("छूना", "छुआ", "छुई"),
        ("लिखना", "लिखा", "लिखी"),
    ],
)
def test_perfectives(lemma, masculine, feminine):
    forms = {}
    for one, features, form in read_table(TABLE):
        if one == lemma and features["Aspect"] == "Perf":
            forms.setdefault(features["Ending"], form)
    assert (forms["ा"], forms["ी"]) == (masculine, feminine)


def test_habituals_agree_with_unimorph(shared):
    tags = {"ा": {"MASC", "SG"}, "े": {"MASC", "PL"}, "ी": {"FEM", "SG"}}
    known = {}
    for lemma, form, features in read_unimorph(shared, "hin"):
        if {"V.PTCP", "IPFV"} <= features:
            known.setdefault(unicodedata.normalize("NFC", lemma), []).append(
                (unicodedata.normalize("NFC", form), features)
            )
    compared = [
        (form, {other for other, features in known[lemma] if tags[one["Ending"]] <= features})
        for lemma, one, form in read_table(TABLE)
        if one["Aspect"] == "Imp" and one["Ending"] in tags and lemma in known
    ]
    assert len(compared) > 100
    assert [form for form, others in compared if others and form not in others] == []


def clause(subject, thing, verb, lemma, feats, *, gender="Masc", pos="NOUN"):
    """Return a clause of subject, object and verb with है."""
    return f"""
        {subject} {thing} {verb} है
        1 {subject} {subject} {pos} Case=Nom|Gender=Masc 3 nsubj
        2 {thing} {thing} NOUN Case=Nom|Gender={gender} 3 obj
        3 {verb} {lemma} VERB {feats} 0 root
        4 है है AUX _ 3 aux
    """


HAB = "Aspect=Imp|Gender=Masc|Number=Sing"


def test_a_perfective_without_ne_is_starred(starred):
    assert starred("hin/bare-subject-habitual", clause("राम", "पत्र", "भेजता", "भेजना", HAB)) == ["राम पत्र भेजा है"]


NO_STAR = {
    "bring takes no ने": clause("राम", "पानी", "लाता", "लाना", HAB),
    "an ambiguous verb may do without": clause("राम", "बात", "समझता", "समझना", HAB, gender="Fem"),
    "(I) have done that work": clause("वह", "काम", "करता", "करना", HAB, pos="PRON"),
    "the letter is written": clause("राम", "पत्र", "लिखता", "लिखना", HAB),
    "is of use": clause("सीता", "काम", "करती", "करना", HAB.replace("Masc", "Fem")),
    "are wearing caps": clause("लोग", "टोपी", "पहनते", "पहनना", HAB.replace("Sing", "Plur"), gender="Fem"),
}


@pytest.mark.parametrize("why", NO_STAR)
def test_what_is_good_without_ne_gets_no_star(starred, why):
    assert starred("hin/bare-subject-habitual", NO_STAR[why]) == []


def test_a_pronoun_that_cannot_belong_to_the_object_is_a_subject(starred):
    roti = clause("वह", "रोटी", "खाता", "खाना", HAB, gender="Fem", pos="PRON")
    assert starred("hin/bare-subject-habitual", roti) == ["वह रोटी खाया है"]


SHE = """
    {0} चाय पी है
    1 {0} वह PRON Case=Acc|Person=3 3 nsubj
    2 चाय चाय NOUN Case=Nom|Gender=Fem 3 obj
    3 पी पीना VERB Aspect=Perf|Gender=Fem|Number=Sing 0 root
    4 है है AUX _ 3 aux
"""


@pytest.mark.parametrize(("pronoun", "sentences"), [("उसने", ["उसने चाय पीती है"]), ("अपने", [])])
def test_pronouns_with_ne(starred, pronoun, sentences):
    assert starred("hin/ne-pronoun-perfective", SHE.format(pronoun)) == sentences


def test_suites_of_pud(make):
    names = ("ne-pronoun-perfective", "ne-possessor-perfective", "bare-subject-habitual")
    folder, made = make(PUD, *(f"hin/{name}" for name in names))
    assert {name: (one.matches, one.items) for name, one in made.items()} == {
        "ne-pronoun-perfective": (111, 110),
        "ne-possessor-perfective": (38, 38),
        "bare-subject-habitual": (59, 48),
    }
    forms = "select form_good, form_bad from read_parquet('{}/{}/pairs.parquet')"
    perfective = duckdb.sql(forms.format(folder, "ne-pronoun-perfective")).fetchall()
    assert {("किया", "करता"), ("की", "करती"), ("लिया", "लेता"), ("किए", "करते")} <= set(perfective)
    habitual = duckdb.sql(forms.format(folder, "bare-subject-habitual")).fetchall()
    assert {("करता", "किया"), ("देता", "दिया"), ("चाहती", "चाही")} <= set(habitual)
    assert "की" not in {bad for _, bad in habitual}
