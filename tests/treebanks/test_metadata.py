"""What comments of sentences tell, and comments that are added."""

import numpy as np

from starbank.treebanks.metadata import read_number, with_comment
from tests.small_treebank import it_was, small_treebank


def test_a_number_is_read_from_the_comment_that_tells_it(tmp_path):
    sentences = small_treebank(tmp_path, it_was("dog"), it_was("owl")).sentences
    told = with_comment(sentences, "replaced", np.array([60, -1]))
    assert told["comments"][0].as_py()[-1] == "# replaced = 60"
    assert read_number(told, "replaced").to_pylist() == [60, None]
    assert read_number(sentences, "replaced").to_pylist() == [None, None]
