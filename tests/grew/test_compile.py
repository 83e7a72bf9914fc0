"""What a request becomes for a treebank."""

from pathlib import Path

from starbank.grew import parse_request
from starbank.grew.compile import compile_request
from starbank.grew.graph import Graph
from starbank.treebanks import read_conllu

SAMPLE = Path(__file__).resolve().parents[2] / "treebanks/sample/UD_English-Sample"
SUBJECTS = "pattern { V -[nsubj]-> S }"


def test_a_without_that_no_word_of_the_treebank_can_be_costs_nothing():
    treebank = read_conllu([SAMPLE])
    graph = Graph(treebank.tokens, treebank.sentences)

    def compiled(text: str) -> str:
        return compile_request(parse_request(text), graph).sql

    assert compiled(f'{SUBJECTS} without {{ S ->> X; X [form="nowhere"] }}') == compiled(SUBJECTS)
    assert compiled(f"{SUBJECTS} without {{ S -[nowhere]-> X }}") == compiled(SUBJECTS)
    assert compiled(f"{SUBJECTS} without {{ S ->> X; X [upos=DET] }}") != compiled(SUBJECTS)
    assert compiled(f'{SUBJECTS} with {{ S ->> X; X [form="nowhere"] }}') != compiled(SUBJECTS)
