"""CoNLL-U -> tables: every column of tokens.parquet and sentences.parquet."""

import os
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest

from starbank.treebanks import read_conllu
from tests.grew import bank
from tests.treebanks.conllu_text import lines, save

DEL_MAR = lines(
    "# sent_id = es-1",
    "# text = dámelo del mar",
    "1-3 dámelo _ _ _ _ _ _ _ _",
    "1 da dar VERB V Mood=Imp|Number[psor]=Plur 0 root 0:root _",
    "2 me yo PRON P Case=Dat 1 iobj 1:iobj _",
    "3 lo él PRON P case=acc|Case=Acc 1 obj 1:obj|3.1:obj _",
    "3.1 da _ VERB _ _ _ _ 1:conj:y _",
    "4-5 del _ _ _ _ _ _ _ Gloss=of-the",
    "4 de de ADP _ _ 6 case 6:case _",
    "5 el el DET _ Voice=Rcp|Gender=Masc|Voice=Act 6 det 6:det _",
    "6 mar mar NOUN _ _ 1 obl 1:obl:de SpaceAfter=No",
    "",
)


def tokens(tmp_path, text):
    return read_conllu([save(tmp_path, text)]).tokens


def column(table: pa.Table, name: str) -> list:
    return table[name].to_pylist()


def test_rows_are_lines_in_corpus_order(tmp_path):
    table = tokens(tmp_path, DEL_MAR)
    assert column(table, "id") == ["1-3", "1", "2", "3", "3.1", "4-5", "4", "5", "6"]
    assert column(table, "form") == ["dámelo", "da", "me", "lo", "da", "del", "de", "el", "mar"]
    assert column(table, "lemma") == [None, "dar", "yo", "él", None, None, "de", "el", "mar"]
    assert column(table, "upos") == [None, "VERB", "PRON", "PRON", "VERB", None, "ADP", "DET", "NOUN"]
    assert column(table, "xpos") == [None, "V", "P", "P", None, None, None, None, None]
    assert column(table, "deprel") == [None, "root", "iobj", "obj", None, None, "case", "det", "obl"]
    assert column(table, "misc") == [*[None] * 5, "Gloss=of-the", None, None, "SpaceAfter=No"]


def test_types_are_those_of_the_format(tmp_path):
    treebank = read_conllu([save(tmp_path, DEL_MAR)])
    assert {field.name: str(field.type) for field in treebank.tokens.schema} == {
        **dict.fromkeys(["node", "head"], "int64"),
        **dict.fromkeys(["sent", "position", "start", "end"], "int32"),
        **dict.fromkeys(
            ["split", "sent_id", "id", "form", "lemma", "upos", "xpos", "feats", "deprel", "misc"], "string"
        ),
        "deps": "list<item: struct<head: int64, deprel: string>>",
        **dict.fromkeys(
            ["Case", "case", "Gender", "Mood", "Number[psor]", "Voice"],
            "dictionary<values=string, indices=int32, ordered=0>",
        ),
    }
    assert {field.name: str(field.type) for field in treebank.sentences.schema} == {
        "sent": "int32",
        "sent_id": "string",
        "split": "string",
        "root": "int64",
        "text": "string",
        "text_rebuilt": "bool",
        "comments": "list<item: string>",
        "file": "string",
        "line": "int32",
    }


def test_positions_count_words_and_empty_nodes_from_one(tmp_path):
    assert column(tokens(tmp_path, DEL_MAR), "position") == [None, 1, 2, 3, 4, None, 5, 6, 7]


def test_heads_are_nodes_of_the_treebank(tmp_path):
    table = tokens(tmp_path, DEL_MAR + DEL_MAR)
    assert column(table, "node") == [*range(1, 10), *range(11, 20)]
    assert column(table, "head") == [None, 0, 2, 2, None, None, 9, 9, 2, None, 10, 12, 12, None, None, 19, 19, 12]


def test_each_sentence_has_a_root_node_without_a_row(tmp_path):
    treebank = read_conllu([save(tmp_path, DEL_MAR + DEL_MAR)])
    assert column(treebank.sentences, "root") == [0, 10]
    assert column(treebank.tokens, "sent") == [0] * 9 + [1] * 9


def test_enhanced_edges_keep_their_order(tmp_path):
    table = tokens(tmp_path, DEL_MAR)
    edges = [[(edge["head"], edge["deprel"]) for edge in deps or []] for deps in column(table, "deps")]
    assert edges[1:5] == [[(0, "root")], [(2, "iobj")], [(2, "obj"), (5, "obj")], [(2, "conj:y")]]
    assert column(table, "deps")[0] is None


def test_an_empty_node_may_stand_before_the_first_word(tmp_path):
    text = lines("0.1 tú _ PRON _ _ _ _ 1:nsubj _", "1 vienes _ VERB _ _ 0 root 0:root|0.1:dep _", "")
    table = tokens(tmp_path, text)
    assert column(table, "id") == ["0.1", "1"]
    assert column(table, "position") == [1, 2]
    assert column(table, "deps")[1] == [{"head": 0, "deprel": "root"}, {"head": 1, "deprel": "dep"}]


def test_features_are_sorted_and_repeated_names_merged(tmp_path):
    table = tokens(tmp_path, DEL_MAR)
    assert column(table, "feats")[3] == "Case=Acc|case=acc"
    assert column(table, "feats")[7] == "Gender=Masc|Voice=Act,Rcp"


def test_each_feature_has_a_column_also_layered_ones(tmp_path):
    table = tokens(tmp_path, DEL_MAR)
    assert table.column_names[-6:] == ["Case", "case", "Gender", "Mood", "Number[psor]", "Voice"]
    assert column(table, "Number[psor]") == [None, "Plur", *[None] * 7]
    assert column(table, "Case") == [None, None, "Dat", "Acc", *[None] * 5]


def test_an_empty_part_of_feats_says_nothing(tmp_path):
    assert column(tokens(tmp_path, lines("1 a a X _ Number=Sing||Person=3 0 root _ _", "")), "feats") == [
        "Number=Sing|Person=3"
    ]


def test_a_feature_called_like_a_column_is_read_from_feats(tmp_path):
    table = tokens(tmp_path, lines("1 a a X _ form=x|Form=y 0 root _ _", ""))
    assert column(table, "form") == ["a"]
    assert column(table, "Form") == ["y"]
    assert column(table, "feats") == ["Form=y|form=x"]


def test_underscore_is_a_form_but_no_lemma(tmp_path):
    table = tokens(tmp_path, lines("1 _ _ X _ _ _ _ _ _", ""))
    assert column(table, "form") == ["_"]
    assert column(table, "lemma") == column(table, "head") == column(table, "deprel") == [None]


def test_words_keep_inner_spaces(tmp_path):
    text = "# text = 10 000 km\n1\t10 000\t10 000\tNUM\t_\t_\t2\tnummod\t_\t_\n2\tkm\tkm\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    assert column(tokens(tmp_path, text), "form") == ["10 000", "km"]


def test_a_missing_sent_id_is_made_of_file_and_rank(tmp_path):
    one = lines("1 a a X _ _ 0 root _ _", "")
    path = save(tmp_path, one + "# sent_id = mine\n" + one + one, "probe.conllu")
    assert column(read_conllu([path]).sentences, "sent_id") == ["probe.conllu_00001", "mine", "probe.conllu_00003"]


def test_an_empty_sent_id_is_a_missing_one(tmp_path):
    text = lines("# sent_id = ", "# text = ", "1 a a X _ _ 0 root _ _", "", "# sent_id =", "1 a a X _ _ 0 root _ _", "")
    sentences = read_conllu([save(tmp_path, text)]).sentences
    assert column(sentences, "sent_id") == ["some.conllu_00001", "some.conllu_00002"]
    assert column(sentences, "text") == ["a", "a"]


def test_blanks_inside_of_a_sent_id_take_no_time(tmp_path):
    name = "a" + " " * 100_000 + "b"
    assert column(tokens(tmp_path, lines(f"#sent_id = {name} ", "1 Yes yes INTJ _ _ 0 root _ _", "")), "sent_id") == [
        name
    ]


def test_a_repeated_sent_id_is_kept_with_a_warning(tmp_path, caplog):
    one = lines("# sent_id = twin", "1 a a X _ _ 0 root _ _", "")
    path = save(tmp_path, one + one)
    treebank = read_conllu([path])
    assert column(treebank.sentences, "sent_id") == ["twin", "twin"]
    assert column(treebank.tokens, "node") == [1, 3]
    assert caplog.messages == [f"{path}:4: the sent_id 'twin' occurs a second time; both sentences are kept"]


@pytest.mark.parametrize("heads", ["2 1", "1 0", "2 3"], ids=["ring", "self", "ring below nothing"])
def test_a_cycle_is_kept_with_a_warning(tmp_path, caplog, heads):
    text = lines(*(f"{number} a a X _ _ {head} dep _ _" for number, head in enumerate([*heads.split(), "2"], 1)), "")
    path = save(tmp_path, text)
    assert len(read_conllu([path]).tokens) == 3
    assert caplog.messages == [f"{path}:1: the heads form a cycle; the sentence is kept"]


def test_a_missing_root_is_kept_with_a_warning(tmp_path, caplog):
    path = save(tmp_path, lines("1 a a X _ _ _ _ _ _", "2 b b X _ _ 1 dep _ _", ""))
    assert column(read_conllu([path]).tokens, "head") == [None, 1]
    assert caplog.messages == [f"{path}:1: no word has the head 0; the sentence is kept"]


def test_several_roots_are_kept(tmp_path, caplog):
    assert column(tokens(tmp_path, lines("1 a a X _ _ 0 root _ _", "2 b b X _ _ 0 root _ _", "")), "head") == [0, 0]
    assert not caplog.messages


def test_a_long_chain_is_no_cycle(tmp_path, caplog):
    chain = [f"{number} w w X _ _ {number - 1} dep _ _" for number in range(1, 300)]
    tokens(tmp_path, lines(*chain, ""))
    assert not caplog.messages


def test_comments_and_places_are_kept(tmp_path):
    text = "\n\n" + lines(
        "# newdoc", "#tight=yes", "# text = a", "1 a a X _ _ 0 root _ _", "", "", "# x = ", "1 b b X _ _ 0 root _ _"
    )
    sentences = read_conllu([save(tmp_path, text)]).sentences
    assert column(sentences, "comments") == [["# newdoc", "#tight=yes", "# text = a"], ["# x = "]]
    assert column(sentences, "line") == [3, 9]
    assert column(sentences, "file") == ["some.conllu"] * 2


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n",
    ],
    ids=["CRLF", "byte-order mark", "no final blank line", "more blank lines"],
)
def test_ways_of_saving_do_not_matter(tmp_path, change):
    plain, changed = read_conllu([save(tmp_path, DEL_MAR)]), read_conllu([save(tmp_path, change(DEL_MAR))])
    assert changed.tokens.equals(plain.tokens)
    assert changed.sentences.equals(plain.sentences)


def test_other_line_separators_are_not_lines(tmp_path):
    text = "# text = a\u2028b\x0bc\x85d\n1\ta\u2028b\x0bc\x85d\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    assert column(tokens(tmp_path, text), "form") == ["a\u2028b\x0bc\x85d"]


def test_composed_and_decomposed_letters_stay_as_they_are(tmp_path):
    text = lines("1 \u00e9 _ X _ _ 0 root _ _", "2 e\u0301 _ X _ _ 1 dep _ _", "")
    assert column(tokens(tmp_path, text), "form") == ["\u00e9", "e\u0301"]


def test_files_come_in_the_order_train_dev_test_then_by_name(tmp_path):
    for name in ("b-ud-test", "a-ud-dev", "z-ud-train", "extra", "a-ud-test"):
        save(tmp_path, lines(f"1 {name} _ X _ _ 0 root _ _", ""), f"{name}.conllu")
    sentences = read_conllu([tmp_path]).sentences
    assert column(sentences, "file") == [
        f"{name}.conllu" for name in ("z-ud-train", "a-ud-dev", "a-ud-test", "b-ud-test", "extra")
    ]
    assert column(sentences, "split") == ["train", "dev", "test", "test", None]


def test_blocks_of_a_file_join_without_a_seam(tmp_path, monkeypatch):
    text = "".join(DEL_MAR.replace("es-1", f"es-{number}") for number in range(50)) + DEL_MAR.replace("# sent_id", "#")
    path = save(tmp_path, text)
    whole = read_conllu([path])
    monkeypatch.setattr("starbank.treebanks.lines.BLOCK_BYTES", (700, 700))
    pieces = read_conllu([path])
    assert pieces.tokens.num_rows == 51 * 9
    assert pieces.tokens.equals(whole.tokens)
    assert pieces.sentences.equals(whole.sentences)
    assert column(pieces.sentences, "sent_id")[-1] == "some.conllu_00051"


def test_a_large_file_is_read_as_a_small_one(tmp_path, monkeypatch):
    comment = "# 1\t2\t3\t4\t5\tMade=Up\t7\t8\t9\t10\n"
    misspelt = lines("1 \x01o o X _ Typo=Yes|Abbr=Yes 0 root 0:root _", "2 \ufeffb b X _ Abbr=Yes 1 dep _ _")
    path = save(tmp_path, "\n\n" + comment + DEL_MAR + comment + misspelt.removesuffix("\n"))
    small = read_conllu([path])
    monkeypatch.setattr("starbank.treebanks.inputs.KEPT_BYTES", 0)
    large = read_conllu([path])
    assert large.tokens.equals(small.tokens)
    assert large.sentences.equals(small.sentences)
    assert "Typo" in large.columns
    assert "Made" not in large.columns


def test_line_ends_of_two_characters_may_lie_across_blocks(tmp_path, monkeypatch):
    text = "".join(DEL_MAR.replace("es-1", f"es-{number}") for number in range(50))
    whole = read_conllu([save(tmp_path, text)])
    monkeypatch.setattr("starbank.treebanks.lines.BLOCK_BYTES", (7, 7))
    assert read_conllu([save(tmp_path, "\ufeff" + text.replace("\n", "\r\n"))]).tokens.equals(whole.tokens)


def test_a_pipe_is_read_as_a_file(tmp_path):
    pipe = tmp_path / "some.conllu"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(pipe.write_text, DEL_MAR, encoding="utf-8")
        assert len(read_conllu([pipe]).tokens) == 9


def test_comments_may_hold_tabs(tmp_path):
    text = DEL_MAR.replace("# sent_id", "# newdoc\tid = 1\n# sent_id")
    assert read_conllu([save(tmp_path, text)]).tokens.equals(read_conllu([save(tmp_path, DEL_MAR)]).tokens)


def test_the_grew_probe_is_read_whole(caplog):
    treebank = read_conllu([bank.FOLDER / "probe" / "probe.conllu"])
    sentences = {row["sent_id"]: row for row in treebank.sentences.to_pylist()}
    assert len(sentences) == 12
    assert "probe.conllu_00012" in sentences
    assert sentences["p-mwt"]["text_rebuilt"] is False
    assert sentences["p-chars"]["text"] == '* " \\ / % a|b _ ab abab xab a b a.b'
    assert [message.split(": ")[1] for message in caplog.messages] == [
        "the heads form a cycle; the sentence is kept",
        "no word has the head 0; the sentence is kept",
    ]
