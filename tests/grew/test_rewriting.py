"""Rules as Grew applies them: once to each match, on the sentence as it was."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from starbank.errors import RequestError
from starbank.grew import Engine
from starbank.grew.rewriting import rewritings
from starbank.grew.rules import parse_rule
from starbank.grew.sentence import read_sentence, write_sentence
from starbank.treebanks import open_treebank, read_conllu, to_conllu
from tests.small_treebank import small_treebank

SAMPLES = Path(__file__).resolve().parents[2] / "treebanks/sample"
NO_ONE_KNOWS_HIM = """
    We don't know him.
    1 We we PRON Case=Nom|Number=Plur 4 nsubj
    2-3 don't _ _ _ _ _
    2 do do AUX Mood=Ind 4 aux
    3 n't not PART Polarity=Neg 4 advmod
    4 know know VERB VerbForm=Inf 0 root
    5 him he PRON Case=Acc|Number=Sing 4 obj SpaceAfter=No
    6 . . PUNCT _ 4 punct
"""


@pytest.fixture
def rewrite(tmp_path):
    """Return what a rule, or the commands of one with this pattern, makes of a sentence."""

    def rewrite(text, pattern="V -[nsubj]-> S; e: V -[obj]-> O; N [upos=PART]", sentence=NO_ONE_KNOWS_HIM):
        if not text.startswith("rule"):
            text = f"rule r {{ pattern {{ {pattern} }} commands {{ {text} }} }}"
        treebank = small_treebank(tmp_path, sentence, language="eng")
        return [one for several in rewritings(parse_rule(text), treebank, Engine(treebank)) for one in several]

    return rewrite


def words(made):
    """Return form, head and relation of each word, and the form of multiword tokens."""
    return " ".join(row[1] if "-" in row[0] else f"{row[1]}:{row[6]}:{row[7]}" for row in made.rows)


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ("O.form = them", "We:4:nsubj don't do:4:aux n't:4:advmod know:0:root them:4:obj .:4:punct"),
        ('O.form = O.lemma + "-" + S.form[0:1]',
         "We:4:nsubj don't do:4:aux n't:4:advmod know:0:root he-W:4:obj .:4:punct"),
        ('e.label = "obl:tmod"', "We:4:nsubj don't do:4:aux n't:4:advmod know:0:root him:4:obl:tmod .:4:punct"),
        ("del_node O", "We:4:nsubj don't do:4:aux n't:4:advmod know:0:root .:4:punct"),
        ("shift_out V ==> O; shift_in V ==> O; del_node V",
         "We:_:_ don't do:4:aux n't:_:_ him:0:root .:4:punct"),
        ("unorder O; insert O :< S", "him:5:obj We:5:nsubj don't do:5:aux n't:5:advmod know:0:root .:5:punct"),
        ("add_node E :> V; E.form = not; add_edge V -[advmod]-> E",
         "We:4:nsubj don't do:4:aux n't:4:advmod know:0:root not:4:advmod him:4:obj .:4:punct"),
        ("del_node N", "We:3:nsubj do:3:aux know:0:root him:3:obj .:3:punct"),
        ("del_edge e; add_edge S -[nmod]-> O",
         "We:4:nsubj don't do:4:aux n't:4:advmod know:0:root him:1:nmod .:4:punct"),
    ],
)  # fmt: skip
def test_commands(rewrite, commands, expected):
    (made,) = rewrite(commands)
    assert words(made) == expected


def test_the_text_is_that_of_the_new_words(rewrite):
    (made,) = rewrite("unorder O; insert O :< S; O.form = Him")
    assert "# text = HimWe don't know ." in made.conllu()
    assert made.forms == ["Him", "We", "do", "n't", "know", "."]


def test_features_are_copied_and_deleted(rewrite):
    (made,) = rewrite('append_feats "," S ==> O; del_feat V.VerbForm; N.Polarity = S.Number + 2')
    feats = {row[1]: row[5] for row in made.rows}
    assert (feats["him"], feats["know"], feats["n't"]) == ("Case=Acc,Nom|Number=Sing,Plur", "_", "Polarity=Plur2")


LEXICON = """\
rule r { pattern { X [upos=PRON, lemma=pronouns.one] } commands { X.form = pronouns.other } }
#BEGIN pronouns
one	other
he	himself
he	herself
she	herself
#END
"""


def test_a_lexicon_gives_a_graph_for_each_value_of_the_rows_that_fit(rewrite):
    assert [made.forms[4] for made in rewrite(LEXICON)] == ["himself", "herself"]


def test_what_a_command_cannot_do_is_an_error_of_its_match(rewrite):
    assert [made.error for made in rewrite("O.form = O.Gender")] == ["O has no Gender"]
    assert [made.error for made in rewrite("insert O :< S")] == ["O has a place: `unorder O` takes it out first"]
    assert [made.error for made in rewrite("del_phrase V; del_feat S.Number")] == ["S is gone"]
    assert [made.error for made in rewrite("del_phrase V; del_node S")] == ["S is gone"]
    (left,) = rewrite("unorder O")
    assert left.error == "a word is left without a place in the sentence"


def test_a_multiword_token_is_not_written_over_other_words(rewrite):
    (made,) = rewrite("del_node A", pattern="V -[aux]-> A")
    assert made.error == "a multiword token would cover words that it was not written for"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("rule r { pattern { X [] } commands { del_node Y } }", "no node Y is known here"),
        ("rule r { pattern { X [] } commands { del_node X; X.form = a } }", "X is deleted before"),
        ("rule r { pattern { X [] } with { X -> Y } commands { del_node Y } }", "no node Y is known here"),
        ("rule r { pattern { X [lemma=lex.a] } commands { } }", "there is no lexicon lex"),
        ("rule r { pattern { e: X -> Y } commands { e.length = 3 } }", "length is computed, and cannot be set"),
        (LEXICON.replace("pronouns.other", "pronouns.third"), "the lexicon pronouns has no field third"),
        (LEXICON.replace("he\thimself", "he"), "the lexicon has 2 fields, and this row has 1"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(rule, message):
    with pytest.raises(RequestError, match=message):
        parse_rule(rule)


@pytest.mark.parametrize("sample", sorted(folder.name for folder in SAMPLES.iterdir() if folder.is_dir()))
def test_sentences_come_back_as_they_were(sample):
    for block in to_conllu(open_treebank(SAMPLES / sample)).split("\n\n")[:-1]:
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        assert [plain(row) for row in write_sentence(read_sentence(rows))] == [plain(row) for row in rows]


def plain(row):
    """Return a row with its pairs in one order: Grew puts them in the order of the alphabet, capitals aside."""
    return [*row[:5], sorted(row[5].split("|")), *row[6:8], sorted(row[8].split("|")), sorted(row[9].split("|"))]


@pytest.mark.slow
def test_the_bank_of_rules_gives_what_grew_gives(shared):
    bank = shared / "commands"
    treebanks = [read_conllu([bank / f"corpora/{name}.conllu"], name=name) for name in ("kat", "eus", "eng", "syn")]
    engines = {treebank.name: Engine(treebank) for treebank in treebanks}
    different = []
    for file in sorted((bank / "rules").glob("*.grs")):
        rule = parse_rule(file.read_text(encoding="utf-8"), file)
        for treebank in treebanks:
            expected = answers(bank / f"expected/{file.stem}-{treebank.name}.jsonl")
            made = defaultdict(list)
            for one in (one for several in rewritings(rule, treebank, engines[treebank.name]) for one in several):
                made[key(one.to_json())].append(tree(one.to_json()))
            different += [
                f"{file.stem} {treebank.name} {match}"
                for match, graphs in expected.items()
                if sorted(graphs) != sorted(made[match])
            ]
    assert different == []


def answers(file):
    """Return Grew's graphs by match, but for those that the bank calls odd."""
    graphs = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        answer = json.loads(line)
        graphs[key(answer)].append("odd" if answer.get("odd") else tree(answer))
    return {match: several for match, several in graphs.items() if "odd" not in several}


def key(line):
    return json.dumps([line["sent_id"], line["match"]["nodes"], line["match"].get("edges") or {}], sort_keys=True)


def tree(line):
    """Return the lines of a graph; Grew notes in MISC what a form was before."""
    if line.get("error") or line.get("output_error"):
        return "error"
    rows = [text.split("\t") for text in line["conllu"].splitlines() if text and not text.startswith("#")]
    for row in rows:
        row[9] = "|".join(pair for pair in row[9].split("|") if not pair.startswith("wordform=")) or "_"
    return str([plain(row) for row in rows])
