"""What stands beside the words that change."""

import pyarrow as pa

from starbank.sets.neighbours import with_neighbours
from tests.small_treebank import small_treebank

SHE_OFTEN_READS_LONG_BOOKS = """
    She often reads long books.
    1 She she PRON Case=Nom 3 nsubj
    2 often often ADV _ 3 advmod
    3 reads read VERB _ 0 root
    4 long long ADJ _ 5 amod
    5 books book NOUN _ 3 obj SpaceAfter=No
    6 . . PUNCT _ 3 punct
"""


def beside(folder, *words, governing=()):
    """Return the length of the sentence, and what stands before and after each of some words of one match."""
    treebank = small_treebank(folder, SHE_OFTEN_READS_LONG_BOOKS, language="eng")
    node = dict(zip(treebank.tokens["form"].to_pylist(), treebank.tokens["node"].to_pylist(), strict=True))
    tables = [
        pa.table({"row": pa.array([0] * len(forms), pa.int64()), "token": pa.array(map(node.get, forms), pa.int64())})
        for forms in (words, governing)
    ]
    columns = with_neighbours(*tables, treebank.tokens).select(["length", "before", "after"])
    return [tuple(row.values()) for row in columns.to_pylist()]


def test_an_adverb_is_passed_over_and_only_what_may_be_of_a_noun_phrase_counts(tmp_path):
    assert beside(tmp_path, "reads", "books") == [(6, "She", "long"), (6, "long", None)]


def test_what_changes_itself_is_passed_over_too(tmp_path):
    assert beside(tmp_path, "reads", "long") == [(6, "She", "books"), (6, "She", "books")]


def test_what_governs_builds_no_noun_phrase(tmp_path):
    assert beside(tmp_path, "books", governing=["long"]) == [(6, None, None)]
