"""Each way of breaking the format is one message with file and line; `skip_bad` keeps the good sentences."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starbank.errors import ConlluError, StarbankError, TreebankError
from starbank.treebanks import read_conllu
from tests.treebanks.conllu_text import lines, save, treebanks

GOOD = lines("# sent_id = good", "1 a a X _ _ 0 root _ _", "")

# Each breaks its last line but one, the fifth of the file.
BROKEN = {
    "nine columns": ("1 b b X _ _ 0 root _", "10 columns expected, 9 found"),
    "eleven columns": ("1 b b X _ _ 0 root _ _ _", "10 columns expected, 11 found"),
    "not a table": ("Hello", "10 columns expected, 1 found"),
    "an empty column": ("1\tb\t\tX\t_\t_\t0\troot\t_\t_", "the column LEMMA is empty"),
    "no ID": ("x b b X _ _ 0 root _ _", "'x' is not an ID"),
    "leading zero": ("01 b b X _ _ 0 root _ _", "'01' is not an ID"),
    "gap": ("2 b b X _ _ 0 root _ _", "ID 2 is out of order: after word 0 of the sentence"),
    "empty node out of place": ("1.1 b b X _ _ _ _ _ _", "ID 1.1 is out of order: after word 0 of the sentence"),
    "second empty node first": ("0.2 b b X _ _ _ _ _ _", "ID 0.2 is out of order: after word 0 of the sentence"),
    "multiword token too long": (
        "1-2 b _ _ _ _ _ _ _ _\n1 b b X _ _ 0 root _ _",
        "the multiword token 1-2 does not fit the words of its sentence",
    ),
    "multiword token turned round": ("1-0 b _ _ _ _ _ _ _ _", "'1-0' is not an ID"),
    "only an empty node": ("0.1 b b X _ _ _ _ _ _", "a sentence without words"),
    "head that is no number": ("1 b b X _ _ a root _ _", "HEAD is 'a', not a number"),
    "head in hexadecimal": ("1 b b X _ _ 0x0 root _ _", "HEAD is '0x0', not a number"),
    "head with a leading zero": ("1 b b X _ _ 00 root _ _", "HEAD is '00', not a number"),
    "head with a space": ("1\tb\tb\tX\t_\t_\t 0\troot\t_\t_", "HEAD is ' 0', not a number"),
    "head with a sign": ("1 b b X _ _ +0 root _ _", "HEAD is '+0', not a number"),
    "head in wide digits": ("1 b b X _ _ ０ root _ _", "HEAD is '０', not a number"),
    "head that is an empty node": ("1 b b X _ _ 0.1 root _ _", "HEAD is '0.1', not a number"),
    "ID with a sign": ("+1 b b X _ _ 0 root _ _", "'+1' is not an ID"),
    "ID in wide digits": ("１ b b X _ _ 0 root _ _", "'１' is not an ID"),
    "ID with a space": ("1 \tb\tb\tX\t_\t_\t0\troot\t_\t_", "'1 ' is not an ID"),
    "range with a leading zero": ("1-01 b _ _ _ _ _ _ _ _\n1 b b X _ _ 0 root _ _", "'1-01' is not an ID"),
    "empty node with a leading zero": ("0.01 b b X _ _ _ _ _ _\n1 b b X _ _ 0 root _ _", "'0.01' is not an ID"),
    "edge with a leading zero": (
        "1 b b X _ _ 0 root 00:root _",
        "the enhanced edge '00:root' has no head in its sentence",
    ),
    "edge in hexadecimal": (
        "1 b b X _ _ 0 root 0x0:root _",
        "the enhanced edge '0x0:root' has no head in its sentence",
    ),
    "edge with a space": (
        "1\tb\tb\tX\t_\t_\t0\troot\t 0:root\t_",
        "the enhanced edge ' 0:root' has no head in its sentence",
    ),
    "negative head": ("1 b b X _ _ -1 root _ _", "HEAD is '-1', not a number"),
    "head that does not exist": ("1 b b X _ _ 2 root _ _", "head 2 does not exist: the sentence ends at word 1"),
    "head of an empty node": (
        "0.1 b b X _ _ 1 dep _ _\n1 b b X _ _ 0 root _ _",
        "only words have a HEAD, multiword tokens and empty nodes have not",
    ),
    "feature without value": ("1 b b X _ Case=Nom|Plur 0 root _ _", "the feature 'Plur' is not Name=Value"),
    "feature with empty value": ("1 b b X _ Case= 0 root _ _", "the feature 'Case=' is not Name=Value"),
    "edge from nowhere": ("1 b b X _ _ 0 root 2:obj _", "the enhanced edge '2:obj' has no head in its sentence"),
    "edge from an absent empty node": (
        "1 b b X _ _ 0 root 0:root|1.1:obj _",
        "the enhanced edge '1.1:obj' has no head in its sentence",
    ),
    "edge without label": ("1 b b X _ _ 0 root 0 _", "the enhanced edge '0' has no head in its sentence"),
}


@pytest.fixture(params=BROKEN)
def broken(request):
    rows, message = BROKEN[request.param]
    return "# sent_id = bad\n" + (rows + "\n\n" if "\t" in rows else lines(*rows.split("\n"), "")), message


def test_a_broken_line_is_one_error_with_file_and_line(tmp_path, broken):
    text, message = broken
    path = save(tmp_path, GOOD + text + GOOD)
    with pytest.raises(ConlluError) as caught:
        read_conllu([path])
    assert (caught.value.message, caught.value.file, caught.value.line) == (message, path, 5)
    assert caught.value.hint
    assert str(caught.value).startswith(f"{path}:5: {message}\n")


def test_a_broken_line_is_the_same_error_in_a_large_file(tmp_path, broken, monkeypatch):
    monkeypatch.setattr("starbank.treebanks.inputs.KEPT_BYTES", 0)
    test_a_broken_line_is_one_error_with_file_and_line(tmp_path, broken)


def test_skip_bad_keeps_the_good_sentences_and_reports_the_bad_one(tmp_path, caplog, broken):
    text, message = broken
    path = save(tmp_path, GOOD + text + GOOD.replace("good", "better"))
    treebank = read_conllu([path], skip_bad=True)
    assert treebank.sentences["sent_id"].to_pylist() == ["good", "better"]
    assert treebank.tokens["node"].to_pylist() == [1, 3]
    assert treebank.info["skipped"] == [{"file": "some.conllu", "line": 5, "message": message}]
    assert caplog.messages == [f"{path}:5: {message}; the sentence is skipped"]


def error(path) -> tuple[str, int | None]:
    with pytest.raises(ConlluError) as caught:
        read_conllu([path])
    assert caught.value.hint
    return caught.value.message, caught.value.line


def test_a_forgotten_blank_line(tmp_path):
    word = lines("1 a a X _ _ 0 root _ _")
    message = "ID 1 is out of order: after word 1 of the sentence"
    assert error(save(tmp_path, word + word + "\n")) == (message, 2)
    assert error(save(tmp_path, word + "# text = a\n" + word + "\n")) == ("a comment inside a sentence", 2)


def test_comments_without_a_sentence(tmp_path):
    assert error(save(tmp_path, GOOD + "# newdoc\n# by me\n\n" + GOOD)) == ("comments without a sentence", 5)


def test_multiword_tokens_that_share_a_word(tmp_path):
    text = lines("1-2 ab _ _ _ _ _ _ _ _", "1 a _ X _ _ 0 root _ _", "2-3 bc _ _ _ _ _ _ _ _", "2 b _ X _ _ 1 dep _ _")
    text += lines("3 c _ X _ _ 1 dep _ _", "")
    assert error(save(tmp_path, text)) == ("the multiword token 2-3 does not fit the words of its sentence", 3)


def test_bytes_that_are_not_utf8(tmp_path):
    path = save(
        tmp_path, GOOD.encode() + GOOD.encode().replace(b"a\ta", b"\xe9\ta") + GOOD.replace("good", "b").encode()
    )
    assert error(path) == ("the line is not valid UTF-8", 5)
    treebank = read_conllu([path], skip_bad=True)
    assert treebank.sentences["sent_id"].to_pylist() == ["good", "b"]


def test_a_carriage_return_inside_a_line(tmp_path):
    text = "# b\rc\n1\ta\ta\tX\t_\t_\t0\troot\t_\t{}\n\n"
    assert len(read_conllu([save(tmp_path, text.format("_"))]).tokens) == 1
    for misc in ("b\rc", "b\r\r", "_\r1\ta\ta\tX\t_\t_\t0\troot\t_\t_"):
        message, line = error(save(tmp_path, text.format(misc)))
        assert line == 2
        assert message in ("a carriage return inside the line", "10 columns expected, 19 found")


def test_the_first_of_several_errors_of_a_kind_is_told(tmp_path):
    bad = lines("1 b b X _ Case 0 root _ _", "")
    assert error(save(tmp_path, GOOD + bad + bad)) == ("the feature 'Case' is not Name=Value", 4)


def test_a_sentence_is_skipped_once_however_bad_it_is(tmp_path, caplog):
    bad = lines("1 b b X _ Case 0 root _ _", "2 b b X _ Case 9 root _ _", "")
    treebank = read_conllu([save(tmp_path, bad + GOOD + bad)], skip_bad=True)
    assert treebank.sentences["line"].to_pylist() == [4]
    assert [skipped["line"] for skipped in treebank.info["skipped"]] == [1, 7]
    assert len(caplog.messages) == 2


def test_made_sent_ids_count_skipped_sentences(tmp_path):
    good = GOOD.replace("# sent_id = good\n", "")
    treebank = read_conllu([save(tmp_path, good + "1\tbad\n\n" + good)], skip_bad=True)
    assert treebank.sentences["sent_id"].to_pylist() == ["some.conllu_00001", "some.conllu_00003"]


@pytest.mark.parametrize("text", ["", "\n", "\r\n\r\n", "\ufeff"])
def test_a_file_without_sentences(tmp_path, text):
    assert error(save(tmp_path, text)) == ("the file holds no sentences", None)


def test_a_file_without_a_single_good_sentence(tmp_path):
    path = save(tmp_path, "Hello\n\nworld\n")
    with pytest.raises(ConlluError, match="the file holds no sentence that can be read"):
        read_conllu([path], skip_bad=True)


def test_a_folder_without_conllu_files_names_what_it_holds(tmp_path):
    (tmp_path / "notes.txt").touch()
    (tmp_path / "more").mkdir()
    with pytest.raises(TreebankError, match=r"no \*\.conllu files in this folder\nIt holds more/, notes\.txt\."):
        read_conllu([tmp_path])


def test_an_empty_folder(tmp_path):
    with pytest.raises(TreebankError, match="It is empty"):
        read_conllu([tmp_path])


def test_a_path_that_does_not_exist(tmp_path):
    with pytest.raises(TreebankError, match="no such file or folder"):
        read_conllu([tmp_path / "missing.conllu"])


def test_no_paths():
    with pytest.raises(TreebankError, match="no CoNLL-U files were named"):
        read_conllu([])


def test_a_source_that_is_not_json(tmp_path):
    save(tmp_path, GOOD)
    save(tmp_path, "{", "source.json")
    with pytest.raises(TreebankError, match=r"source\.json: not JSON"):
        read_conllu([tmp_path])


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(text=treebanks, damage=st.lists(st.tuples(st.integers(0), st.integers(0, 9), st.binary(max_size=4)), max_size=4))
def test_damaged_files_are_errors_or_treebanks_but_never_surprises(tmp_path_factory, text, damage):
    content = text.encode()
    for place, length, put in damage:
        place %= len(content) + 1
        content = content[:place] + put + content[place + length :]
    path = save(tmp_path_factory.mktemp("damaged"), content)
    try:
        read_conllu([path])
        sound = True
    except StarbankError:
        sound = False
    try:
        good = read_conllu([path], skip_bad=True)
    except ConlluError:
        assert not sound
    else:
        assert ("skipped" in good.info) != sound


def test_compressed_files_are_to_be_unpacked(tmp_path):
    (tmp_path / "ka_glc-ud-test.conllu.gz").write_bytes(gzip.compress(b"# sent_id = 1"))
    with pytest.raises(TreebankError, match=r"is compressed by gzip.*\nUnpack it first: gunzip ka_glc-ud-test"):
        read_conllu([tmp_path / "ka_glc-ud-test.conllu.gz"])
    with pytest.raises(TreebankError, match=r"no \*\.conllu files in this folder\nUnpack what it holds: gunzip"):
        read_conllu([tmp_path])
