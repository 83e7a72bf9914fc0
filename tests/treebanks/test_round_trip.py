"""Tables give the CoNLL-U back, and the `conllu` library reads the same from both."""

import re

import conllu
import pytest
from hypothesis import given, settings

from starbank.treebanks import Treebank, read_conllu, to_conllu, write_conllu
from starbank.treebanks.features import format_features, parse_features
from tests.treebanks.conllu_text import lines, save, treebanks


def canonical(text: str) -> str:
    """Return CoNLL-U with the features of each line in canonical order and one blank line after each sentence."""
    rows = []
    for row in re.sub("\n{3,}", "\n\n", text.rstrip("\n")).split("\n"):
        columns = row.split("\t")
        if len(columns) == 10 and not row.startswith("#"):
            columns[5] = format_features(parse_features(columns[5])) or "_"
        rows.append("\t".join(columns))
    return "\n".join(rows) + "\n\n"


def oracle(text: str) -> list[list[dict]]:
    """Return the tokens that the `conllu` library finds."""
    return [[dict(token) for token in sentence] for sentence in conllu.parse(text)]


def tokens(treebank: Treebank) -> list[list[dict]]:
    """Return the tokens of the tables as the `conllu` library would give them."""
    names = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
    ids = dict(zip(treebank.tokens["node"].to_pylist(), treebank.tokens["id"].to_pylist(), strict=True))
    ids |= dict.fromkeys(treebank.sentences["root"].to_pylist(), "0")
    sentences: list[list[dict]] = [[] for _ in range(len(treebank.sentences))]
    for row in treebank.tokens.select(["sent", *names]).to_pylist():
        sentence = sentences[row.pop("sent")]
        row["id"] = number(row["id"])
        row["head"] = number(ids[row["head"]]) if row["head"] is not None else None
        row["deps"] = [(edge["deprel"], number(ids[edge["head"]])) for edge in row["deps"] or []] or None
        row |= {name: row[name] or "_" for name in ("lemma", "upos", "deprel")}
        row |= {name: pairs(row[name]) for name in ("feats", "misc")}
        sentence.append(row)
    return sentences


def number(text: str) -> int | tuple[int, str, int]:
    """Return an ID as the `conllu` library gives it: `7`, `(7, "-", 8)`, `(7, ".", 1)`."""
    parts = re.split("([-.])", text)
    return int(text) if len(parts) == 1 else (int(parts[0]), parts[1], int(parts[2]))


def pairs(text: str | None) -> dict[str, str | None] | None:
    """Return FEATS or MISC as the `conllu` library gives them: `A=` is null, and what follows a second `=` lost."""
    parts = [part.split("=") for part in text.split("|")] if text else []
    empty = {"": None, "_": None}
    return {name: empty.get(*values[:1] * 2) if values else "" for name, *values in parts} if text else None


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(treebanks)
def test_any_conllu_comes_back_as_it_was(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("random")
    treebank = read_conllu([save(folder, text)])
    assert to_conllu(treebank) == text
    for row in treebank.tokens.to_pylist():
        sentence = treebank.sentences["text"][row["sent"]].as_py()
        assert row["start"] is None or sentence[row["start"] : row["end"]] == row["form"]


def test_files_come_back_under_their_names(tmp_path):
    one, two = lines("1 a _ X _ _ 0 root _ _", ""), lines("# by me", "1 b _ X _ _ 0 root _ _", "")
    save(tmp_path, two, "x-ud-dev.conllu")
    save(tmp_path, one, "x-ud-train.conllu")
    treebank = read_conllu([tmp_path])
    write_conllu(treebank, tmp_path / "copy")
    assert (tmp_path / "copy" / "x-ud-train.conllu").read_text() == one
    assert (tmp_path / "copy" / "x-ud-dev.conllu").read_text() == two
    write_conllu(treebank, tmp_path / "both.conllu")
    assert (tmp_path / "both.conllu").read_text() == one + two


def test_some_sentences_of_a_treebank_can_be_written(tmp_path):
    sentences = [lines("1-2 ab _ _ _ _ _ _ _ _", "1 a _ X _ _ 2 dep 2:dep _", "2 b _ X _ _ 0 root 0:root _", "")] * 3
    treebank = read_conllu([save(tmp_path, "".join(sentences))])
    some = Treebank(
        treebank.name, treebank.language, treebank.tokens.slice(3), treebank.sentences.slice(1), treebank.info
    )
    assert to_conllu(some) == "".join(sentences[1:])


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(treebanks)
def test_the_conllu_library_reads_the_same_from_any_conllu(tmp_path_factory, text):
    assert tokens(read_conllu([save(tmp_path_factory.mktemp("random"), text)])) == oracle(text)


@pytest.fixture(scope="module")
def real(real_treebank) -> Treebank:
    """What is read from a real treebank."""
    return read_conllu([real_treebank])


def test_every_real_treebank_comes_back(real_treebank, real, tmp_path):
    write_conllu(real, tmp_path)
    for file in real_treebank.glob("*.conllu"):
        assert (tmp_path / file.name).read_text(encoding="utf-8") == canonical(file.read_text(encoding="utf-8"))


def test_the_conllu_library_reads_the_same_from_the_beginning_of_every_real_treebank(real_treebank, tmp_path):
    file = min(real_treebank.glob("*.conllu"), key=lambda path: path.stat().st_size)
    beginning = "\n\n".join(file.read_text(encoding="utf-8").split("\n\n")[:100]).rstrip("\n") + "\n\n"
    assert tokens(read_conllu([save(tmp_path, beginning, file.name)])) == oracle(canonical(beginning))


def test_every_word_of_every_real_treebank_stands_where_its_offsets_say(real):
    texts = real.sentences["text"].to_pylist()
    columns = (real.tokens[name].to_pylist() for name in ("sent", "id", "form", "start", "end"))
    covered = {}
    for sent, token, form, start, end in zip(*columns, strict=True):
        if "-" in token:
            covered[sent] = int(token.split("-")[1])
        if start is None:
            # Only empty nodes and words of a multiword token have no place.
            assert "." in token or int(token) <= covered[sent]
        else:
            assert texts[sent][start:end] == form
    comments = real.sentences["comments"].to_pylist()
    rebuilt = [not any(comment.startswith("# text = ") for comment in several) for several in comments]
    assert real.sentences["text_rebuilt"].to_pylist() == rebuilt
