"""What `starbank new` proposes for a treebank, and the files that it writes."""

import pytest

from starbank.errors import UsageError
from starbank.grew import Engine, parse_request
from starbank.pipeline.proposals import choose, propose, to_construction, to_lines, weigh_guards
from starbank.pipeline.proposals.government import quoted
from starbank.queries.constructions import read_construction
from starbank.treebanks import read_conllu
from tests.small_treebank import small_treebank

pytestmark = [pytest.mark.xdist_group("proposals"), pytest.mark.slow]


@pytest.fixture(scope="module")
def english(sample):
    return read_conllu([sample / "UD_English-Sample"])


@pytest.fixture(scope="module")
def georgian(sample):
    return read_conllu([sample / "UD_Georgian-Sample"])


@pytest.fixture(scope="module")
def hindi(sample):
    return read_conllu([sample / "UD_Hindi-Sample"])


def test_a_verb_that_shares_the_number_of_its_subject_is_proposed(english):
    (proposal,) = propose(english)
    assert (proposal.name, proposal.upos, proposal.feature) == ("subject-verb-number", "VERB", "Number")
    assert proposal.values == ("Sing", "Plur")
    assert proposal.holds > 0.95
    assert proposal.chance == pytest.approx(0.5, abs=0.02)
    assert proposal.example == "baker sells"


def test_counts_tell_that_hindi_perfectives_agree_with_their_objects(hindi):
    names = [proposal.name for proposal in propose(hindi)]
    assert "object-verb-gender" in names
    assert "subject-verb-gender" not in names


def test_cases_that_a_relation_or_an_adposition_decides_are_proposed(georgian):
    found = {proposal.name: proposal for proposal in propose(georgian)}
    assert found["object-nom-perf"].pattern[0].text == "V [upos=VERB, Aspect=Perf]"
    assert found["adposition-noun-case"].holds == 1.0


def test_a_mutation_is_proposed_with_its_lack(tmp_path):
    """Irish: do "to" lenites, bróg -> do bhróg."""
    nouns = [("bróg", "bhróg"), ("cat", "chat"), ("fear", "fhear"), ("bord", "bhord"), ("muc", "mhuc")]
    plain = [f"{noun} mór\n1 {noun} {noun} NOUN _ 0 root\n2 mór mór ADJ _ 1 amod" for noun, _ in nouns for _ in "123"]
    lenited = [
        f"do {form}\n1 do do ADP _ 2 case\n2 {form} {noun} NOUN Form=Len 0 root" for noun, form in nouns for _ in "1234"
    ]
    # Other nouns have another mutation, or else all mutated nouns would be lenited by chance.
    eclipses = [("mbróg", "bróg"), ("gcat", "cat"), ("bhfear", "fear"), ("mbord", "bord")]
    eclipsed = [
        f"i {form}\n1 i i ADP _ 2 case\n2 {form} {noun} NOUN Form=Ecl 0 root" for form, noun in eclipses for _ in "1234"
    ]
    (proposal,) = propose(small_treebank(tmp_path, *plain, *lenited, *eclipsed))
    assert proposal.name == "adposition-noun-mutation"
    assert proposal.values == ("Len", "Ecl", None)
    assert "%   none: {Form: ~}\n" in to_construction(proposal, small_treebank(tmp_path, *plain))


def test_features_that_come_and_go_with_the_varied_one_are_relaxed(tmp_path):
    """German adjectives have a gender in the singular only."""
    adjectives = ["alt", "jung", "klein", "groß", "neu"]
    singular = [
        f"{a}er Mann\n1 {a}er {a} ADJ Gender=Masc|Number=Sing 2 amod\n2 Mann Mann NOUN Gender=Masc|Number=Sing 0 root"
        for a in adjectives
    ]
    plural = [
        f"{a}e Männer\n1 {a}e {a} ADJ Number=Plur 2 amod\n2 Männer Mann NOUN Gender=Masc|Number=Plur 0 root"
        for a in adjectives
    ]
    (proposal,) = propose(small_treebank(tmp_path, *(singular + plural) * 3))
    assert (proposal.name, proposal.relax) == ("adjective-noun-number", ("Gender",))
    assert proposal.attested == proposal.matches == 30


def test_where_all_values_have_one_form_there_is_nothing_to_star(tmp_path):
    """English verbs show their number in the present only."""
    verbs = ["walk", "play", "work", "stay", "call", "talk", "ask", "need", "help", "look"]

    def sentence(noun, number, verb, form, tense):
        lines = f"1 {noun} dog NOUN Number={number} 2 nsubj\n2 {form} {verb} VERB Number={number}|Tense={tense} 0 root"
        return f"{noun} {form}\n{lines}"

    present = [sentence("dog", "Sing", verb, f"{verb}s", "Pres") for verb in verbs]
    present += [sentence("dogs", "Plur", verb, verb, "Pres") for verb in verbs]
    past = [sentence("dog", "Sing", verb, f"{verb}ed", "Past") for verb in verbs]
    past += [sentence("dogs", "Plur", verb, f"{verb}ed", "Past") for verb in verbs]
    (proposal,) = propose(small_treebank(tmp_path, *present, *past))
    assert proposal.without[0].text == 'V [Tense="Past"]'
    assert (proposal.matches, proposal.attested) == (20, 20)


def test_a_treebank_without_features_gives_no_proposal(tmp_path):
    assert propose(small_treebank(tmp_path, "A b.\n1 A a NOUN _ 2 nsubj\n2 b b VERB _ 0 root SpaceAfter=No")) == []


@pytest.mark.parametrize("treebank", ["english", "georgian", "hindi"])
def test_each_proposal_is_a_construction_with_the_matches_that_it_tells(treebank, tmp_path, request):
    treebank = request.getfixturevalue(treebank)
    engine = Engine(treebank)
    for proposal in propose(treebank):
        file = tmp_path / f"{proposal.name}.grew"
        file.write_text(to_construction(weigh_guards(proposal, treebank), treebank), encoding="utf-8")
        construction = read_construction(file)
        assert construction.treebanks == (treebank.name,)
        assert list(construction.features) == [proposal.feature]
        assert engine.count(construction.request) == proposal.matches


def test_a_guard_says_how_many_matches_it_leaves_out_and_is_gone_if_none(english):
    (proposal,) = propose(english)
    assert "A plural of respect" in proposal.without[0].comment
    guards = weigh_guards(proposal, english).without
    assert [guard.comment[-12:] for guard in guards] == ["(3 left out)"]


def test_the_list_can_be_narrowed(georgian):
    proposals = propose(georgian)
    (chosen,) = choose(proposals, phenomenon="government", upos="NOUN", feature="Case")
    assert chosen.name == "adposition-noun-case"
    assert next(line for line in to_lines([chosen]) if "82" in line).startswith("adposition-noun-case ")


def test_a_name_that_is_none_is_answered_with_the_closest(georgian):
    with pytest.raises(UsageError, match="no proposal is named adposition-case") as error:
        choose(propose(georgian), name="adposition-case")
    assert error.value.hint.startswith("Did you mean `adposition-noun-case`?")


def test_lemmas_with_quotes_stay_in_their_request():
    lemmas = quoted(['d"où', "to"])
    assert parse_request(f"pattern {{ G [lemma={lemmas}] }}").nodes == ("G",)
