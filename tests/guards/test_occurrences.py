"""How often the treebanks of a language have what commands make."""

from starbank.grew import Engine
from starbank.guards import count_occurrences
from starbank.queries.constructions import read_construction
from tests.small_treebank import small_treebank

WITHOUT_OBJECT = """\
% ---
% language: eng
% phenomenon: valency
% treebanks: [UD_English-EWT]
% target: V
% conditions: {without object: [del_node O]}
% ---
pattern { V [upos=VERB]; V -[obj]-> O }
"""
EAT = """
    {0} eat
    1 {0} {0} PRON _ 2 nsubj
    2 eat eat VERB _ 0 root
"""
APPLES = """
    We eat apples
    1 We we PRON _ 2 nsubj
    2 eat eat VERB _ 0 root
    3 apples apple NOUN _ 2 obj
"""


def test_treebanks_are_added_up_in_any_order(tmp_path):
    (tmp_path / "query.grew").write_text(WITHOUT_OBJECT, encoding="utf-8")
    construction = read_construction(tmp_path / "query.grew")
    treebanks = [small_treebank(tmp_path / word, APPLES, EAT.format(word), language="eng") for word in ("They", "You")]
    searched = [(treebank, Engine(treebank)) for treebank in treebanks]
    counts = count_occurrences(construction, searched)
    # Both treebanks call their second sentence s2.
    assert [(row["starred"], row["count"], row["text"]) for row in counts.to_pylist()] == [
        (False, 2, "We eat apples"),
        (True, 2, "They eat"),
    ]
    assert counts.equals(count_occurrences(construction, searched[::-1]))
    assert count_occurrences(construction, []).num_rows == 0
