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


def test_misc_is_taken_apart_only_where_its_texts_have_the_name_of_a_feature(tmp_path):
    file = tmp_path / "test.conllu"
    file.write_text("1\ta\ta\tX\t_\tCase=Nom\t0\troot\t_\tGloss=b|Number[psor]=Sing\n\n")
    treebank = read_conllu([file])
    graph = Graph(treebank.tokens, treebank.sentences)
    assert graph.bundles("Case") == [graph.feats]
    assert "misc" not in vars(graph)
    assert graph.bundles("Gloss") == graph.bundles("__MISC__Number__psor") == [graph.misc]
    assert graph.bundles("Glos") == []
