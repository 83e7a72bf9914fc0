"""Words spelt otherwise, sentences in copies: what is read again has exactly these words in these places."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starbank.transforms import copy_sentences, respell
from starbank.treebanks import Treebank, read_conllu, write_conllu
from tests.small_treebank import IS_SOMEBODY_HERE, small_treebank
from tests.treebanks.conllu_text import save, treebanks

pytestmark = pytest.mark.slow

# What depends on the file that was read, and not on its sentences.
PLACES = ("line", "file")


def written_and_read(treebank: Treebank, folder: Path) -> Treebank:
    folder.mkdir(exist_ok=True)
    write_conllu(treebank, folder)
    return read_conllu([folder])


def respelt(treebank: Treebank, **columns: pa.Array) -> Treebank:
    tokens, sentences = respell(treebank, columns)
    return Treebank(treebank.name, treebank.language, tokens, sentences, treebank.info)


def test_a_form_is_replaced_where_it_stands(tmp_path):
    treebank = small_treebank(
        tmp_path,
        """
        “The  dog,” she said.
        1 “ “ PUNCT _ 3 punct SpaceAfter=No
        2 The the DET _ 3 det
        3 dog dog NOUN Number=Sing 0 root SpaceAfter=No
        4 , , PUNCT _ 3 punct SpaceAfter=No
        5 ” ” PUNCT _ 3 punct
        6 she she PRON _ 7 nsubj
        7 said say VERB _ 3 parataxis SpaceAfter=No
        8 . . PUNCT _ 3 punct
        """,
        language="eng",
    )
    forms = pa.array(["“", "The", "elephant", ",", "”", "she", "said", "."])
    made = respelt(treebank, form=forms)
    assert made.sentences["text"].to_pylist() == ["“The  elephant,” she said."]
    assert made.sentences["comments"].to_pylist() == [["# sent_id = s1", "# text = “The  elephant,” she said."]]
    read = written_and_read(made, tmp_path / "again").tokens
    assert list(zip(read["start"].to_pylist(), read["end"].to_pylist(), strict=True))[2] == (6, 14)


def test_a_multiword_token_is_replaced_as_a_whole(tmp_path):
    treebank = small_treebank(tmp_path, IS_SOMEBODY_HERE)
    made = respelt(treebank, form=pa.array(["კაცია", "კაცი", "ა", "იქ", "?"]))
    assert made.sentences["text"].to_pylist() == ["კაცია იქ?"]
    tokens = written_and_read(made, tmp_path / "again").tokens
    assert tokens["start"].to_pylist() == [0, 0, 4, 6, 8]


def test_what_a_comment_says_of_the_old_words_is_left_out(tmp_path):
    text = (
        "# newdoc id = d1\n# sent_id = a\n# text = Dogs .\n# text_en = Dogs.\n# translit = dogs .\n# genre = news\n"
        "1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
    )
    treebank = read_conllu([save(tmp_path, text)])
    made = respelt(treebank, form=pa.array(["Cats", "."]))
    assert made.sentences["comments"].to_pylist() == [
        ["# newdoc id = d1", "# sent_id = a", "# genre = news", "# text = Cats ."]
    ]


def test_blanks_in_a_comment_take_no_time(tmp_path):
    comment = "# text_" + " " * 100_000 + "of old"
    treebank = read_conllu([save(tmp_path, f"# sent_id = a\n{comment}\n1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n\n")])
    assert comment in respelt(treebank, form=pa.array(["No"])).sentences["comments"].to_pylist()[0]


@settings(max_examples=30, deadline=None)
@given(treebanks, st.data())
def test_any_forms_are_read_again_in_their_places(tmp_path_factory, text, data):
    folder = tmp_path_factory.mktemp("respelt")
    treebank = read_conllu([save(folder, text)])
    letters = st.text("abქ😀", min_size=1, max_size=3)
    count = len(treebank.tokens)
    forms = data.draw(st.lists(letters, min_size=count, max_size=count))
    made = respelt(treebank, form=pa.array(forms, pa.string()))
    read = written_and_read(made, folder / "again")
    assert read.tokens["form"].to_pylist() == forms
    assert read.sentences["text"].to_pylist() == made.sentences["text"].to_pylist()
    assert not pc.any(read.sentences["text_rebuilt"]).as_py()
    texts = dict(zip(read.sentences["sent"].to_pylist(), read.sentences["text"].to_pylist(), strict=True))
    for token in read.tokens.to_pylist():
        if token["start"] is not None:
            assert texts[token["sent"]][token["start"] : token["end"]] == token["form"]


@settings(max_examples=30, deadline=None)
@given(treebanks)
def test_copies_are_the_sentences_several_times(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("copied")
    treebank = read_conllu([save(folder, text)])
    treebank = written_and_read(respelt(treebank, form=treebank.tokens["form"].combine_chunks()), folder / "named")
    copied = copy_sentences(treebank, ["-a", "-b"])
    read = written_and_read(copied, folder / "again")
    for name in ("node", "sent", "sent_id", "head", "deps", "form"):
        assert read.tokens[name].to_pylist() == copied.tokens[name].to_pylist(), name
    for name in read.sentences.column_names:
        if name not in PLACES:
            assert read.sentences[name].to_pylist() == copied.sentences[name].to_pylist(), name
    ids = [f"{sent_id}{suffix}" for sent_id in treebank.sentences["sent_id"].to_pylist() for suffix in ("-a", "-b")]
    assert copied.sentences["sent_id"].to_pylist() == ids
