"""Which arcs there are between words, and which patterns of them tell a value."""

from collections import Counter

import pyarrow as pa
import pyarrow.compute
import pytest

from starbank.sets.mining import balance, find_arcs, find_patterns
from tests.mining.sentences import KEY
from tests.small_treebank import small_treebank


def arcs(tmp_path, sentence, governor, dependent):
    """Return the arc between two words, given by their ids, of a sentence."""
    treebank = small_treebank(tmp_path, sentence, language="eng")
    nodes = dict(zip(treebank.tokens["id"].to_pylist(), treebank.tokens["node"].to_pylist(), strict=True))
    (found,) = find_arcs(treebank, pa.array([nodes[governor]]), pa.array([nodes[dependent]]), "Number").to_pylist()
    ids = {node: number for number, node in nodes.items()}
    return {**found, "cue": ids[found["cue"]], "target": ids[found["target"]]}


def test_an_arc(tmp_path):
    assert arcs(tmp_path, KEY, "7", "2") == {
        "cue": "2",
        "target": "7",
        "length": 5,
        "projective": True,
        "coordinated": False,
        "direction": "L",
        "pattern": "NOUN_NOUN_VERB",
        "cue_value": "Sing",
        "target_value": "Sing",
    }


def test_a_dependent_that_follows(tmp_path):
    arc = arcs(tmp_path, KEY, "2", "6")
    assert (arc["cue"], arc["target"], arc["direction"], arc["pattern"]) == ("2", "6", "R", "NOUN_ADP_DET_ADJ_NOUN")


def test_an_arc_that_another_crosses(tmp_path):
    hearing = """
        A hearing starts today about it
        1 A a DET _ 2 det
        2 hearing hearing NOUN Number=Sing 3 nsubj
        3 starts start VERB Number=Sing 0 root
        4 today today ADV _ 3 advmod
        5 about about ADP _ 6 case
        6 it it PRON Number=Sing 2 nmod
    """
    assert not arcs(tmp_path, hearing, "2", "6")["projective"]
    assert arcs(tmp_path, hearing, "3", "2")["projective"]


def test_a_cue_that_is_coordinated(tmp_path):
    sentence = """
        The man and the woman sit
        1 The the DET _ 2 det
        2 man man NOUN Number=Sing 6 nsubj
        3 and and CCONJ _ 5 cc
        4 the the DET _ 5 det
        5 woman woman NOUN Number=Sing 2 conj
        6 sit sit VERB Number=Plur 0 root
    """
    assert arcs(tmp_path, sentence, "6", "2")["coordinated"]


def test_a_pattern_of_more_than_half_has_fewer_versions():
    originals = [("NOUN_VERB", row) for row in range(6)] + [("NOUN_NOUN_VERB", row) for row in (6, 7)]
    versions = [(pattern, row, nonce) for pattern, row in originals for nonce in range(1, 10)]
    tables = (
        pa.table({"pattern": [row[0] for row in rows], "direction": ["L"] * len(rows), "row": [row[1] for row in rows]})
        for rows in (versions, originals)
    )
    of_versions, of_originals = tables
    of_versions = of_versions.append_column("nonce", pa.array([nonce for *_, nonce in versions]))
    kept = balance(of_versions, of_originals, 9)
    # Twenty items of two originals, and three of each of the six others.
    assert Counter(kept["pattern"].to_pylist()) == {"NOUN_VERB": 12, "NOUN_NOUN_VERB": 18}
    assert set(kept.filter(pa.compute.equal(kept["pattern"], "NOUN_VERB"))["nonce"].to_pylist()) == {1, 2}


def counted(*counts):
    """Return arcs of one pattern: cue's value, target's value, how many."""
    rows = [
        {"pattern": "NOUN_VERB", "direction": "L", "cue_value": cue, "target_value": target}
        for cue, target, count in counts
        for _ in range(count)
    ]
    return pa.Table.from_pylist(rows)


def test_a_pattern_whose_ends_always_agree():
    (pattern,) = find_patterns(counted(("Sing", "Sing", 6), ("Plur", "Plur", 7)), 0.001, 5).to_pylist()
    assert (pattern["pattern"], pattern["values"], pattern["arcs"]) == ("NOUN_VERB", ["Plur", "Sing"], 13)


def test_a_pair_of_values_that_was_seen_once_is_a_slip():
    arcs = counted(("Sing", "Sing", 6), ("Plur", "Plur", 6), ("Plur", "Sing", 1))
    assert find_patterns(arcs, 0.001, 5)["arcs"].to_pylist() == [12]


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ([("Sing", "Sing", 6), ("Plur", "Plur", 5)], "five are too few"),
        ([("Sing", "Sing", 6), ("Plur", "Plur", 6), ("Plur", "Sing", 2)], "the ends disagree now and then"),
        ([("Sing", "Sing", 6), ("Plur", "Sing", 6)], "the target is always singular"),
        ([("Sing", "Sing", 12)], "there is no plural"),
    ],
)
def test_no_pattern(counts, why):
    assert find_patterns(counted(*counts), 0.001, 5).num_rows == 0, why


def test_the_entropy_is_that_of_the_values_given_the_other_end():
    # H = -(6/14 ln 6/8 + 2/14 ln 2/8 + 6/14 ln 1) = 0.321 nats of the cue, given the target
    arcs = counted(("Sing", "Sing", 6), ("Plur", "Plur", 6), ("Plur", "Sing", 2))
    (pattern,) = find_patterns(arcs, 0.4, 5).to_pylist()
    assert pattern["cue_entropy"] == pytest.approx(0.3214, abs=1e-4)
    assert pattern["target_entropy"] == pytest.approx(0.3214, abs=1e-4)
