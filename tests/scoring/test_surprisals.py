"""Log-probabilities of the words and tokens of any text, and where they stand in it."""

from __future__ import annotations

import io
import math
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from starbank.errors import UsageError
from starbank.files import read_metadata
from starbank.scoring import score
from starbank.scoring.passages import Columns, read_passages
from starbank.scoring.surprisals import score_passages
from tests.command_line import starbank
from tests.scoring.items import item, write_suite

STORY = "The keys to the\ncabinet are here.\n\nქალმა კაცი დაინახა.\n"
PARAGRAPH = (
    "The keys to the cabinet are on the table. The man's dog doesn't bark, but the cats do. "
    "ქალმა კაცი დაინახა და გაიცინა. लड़की ने लड़के को देखा। Mutilak liburuak irakurri ditu."
)


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "story.txt"
    path.write_text(STORY, encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """One sentence in two rows, and one with a context of its own."""
    path = tmp_path / "sentences.csv"
    path.write_text('id,text,before\na,"The keys, all",\nb,კაცი მიდის,ქალი და\na,are here.,\n', encoding="utf-8")
    return path


def of(table: pa.Table, unit: str, *columns: str) -> list[tuple[Any, ...]]:
    rows = table.filter(pc.equal(table["unit"], unit))
    return list(zip(*(rows[column].to_pylist() for column in columns), strict=True))


@pytest.mark.parametrize(
    ("passage", "texts"),
    [
        ("line", ["The keys to the", "cabinet are here.", "ქალმა კაცი დაინახა."]),
        ("paragraph", ["The keys to the\ncabinet are here.", "ქალმა კაცი დაინახა."]),
        ("document", [STORY]),
    ],
)
def test_lines_paragraphs_or_all_of_a_file_are_texts(story: Path, passage: str, texts: list[str]) -> None:
    assert [one.text for one in read_passages([story], passage=passage)] == texts


def test_rows_of_a_table_are_texts_alone_or_together(table: Path) -> None:
    alone = read_passages([table], columns=Columns("text"))
    assert [(one.name, one.text) for one in alone] == [("1", "The keys, all"), ("2", "კაცი მიდის"), ("3", "are here.")]
    together = read_passages([table], columns=Columns("text", "id", "before"), context="Once:")
    assert [(one.name, one.text, one.numbers) for one in together] == [
        ("a", "Once: The keys, all are here.", (1, 3)),
        ("b", "ქალი და კაცი მიდის", (2,)),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id,txt\n1,a\n", r"table\.csv:1: the table has no column 'text'\nDid you mean `txt`\?"),
        (
            b"id;txt\n1;a\n",
            r"table\.csv:1: the table has no column 'text'\nDid you mean `txt`\? The valid names are id, txt\.",
        ),
        (b"id,text\n1,a\n2\n", r"table\.csv:3: the row has 1 cells, and the header 2"),
        (b'id,text\n1,"a\n', r"table\.csv:\d: not a table: unexpected end of data"),
        (b"id,text\n1,\xff\n", r"table\.csv:2: not UTF-8 text"),
        (b"id,text\n1,\n", r"table\.csv: there is no word"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_passages([path], columns=Columns("text"))


def test_words_and_tokens_stand_in_their_lines(table: Path, corpus: Path, tmp_path: Path) -> None:
    passages = read_passages([table], columns=Columns("text", "id", "before"))
    rows = score_passages(passages, "unigram", tmp_path / "s.parquet", text=[corpus], strings=True)
    assert of(rows, "word", "passage", "line", "word", "token", "start", "end", "tokens", "string") == [
        ("a", 1, 1, None, 0, 3, 1, "The"),
        ("a", 1, 2, None, 4, 9, 2, "keys,"),
        ("a", 1, 3, None, 10, 13, 1, "all"),
        ("a", 3, 4, None, 0, 3, 1, "are"),
        ("a", 3, 5, None, 4, 9, 2, "here."),
        ("b", 2, 1, None, 0, 4, 1, "კაცი"),  # Of the context, nothing.
        ("b", 2, 2, None, 5, 10, 1, "მიდის"),
    ]
    assert of(rows, "token", "passage", "word", "token", "start", "end", "string")[:4] == [
        ("a", 1, 1, 0, 3, "the"),
        ("a", 2, 2, 4, 8, "keys"),
        ("a", 2, 3, 8, 9, ","),
        ("a", 3, 4, 10, 13, "all"),
    ]
    (keys,), (comma,) = of(rows, "token", "logprob")[1:3]
    assert of(rows, "word", "logprob", "surprisal")[1] == (keys + comma, -(keys + comma) / math.log(2))


def test_the_file_says_what_it_is_and_is_not_overwritten_unasked(story: Path, corpus: Path, tmp_path: Path) -> None:
    output, passages = tmp_path / "s.parquet", read_passages([story])
    rows = score_passages(passages, "unigram", output, text=[corpus], units=["word"])
    assert pq.read_table(output).equals(rows)
    about = read_metadata(output)
    assert (about["schema"], about["model"], about["files"][0]["name"]) == ("surprisals/1", "unigram", str(story))
    with pytest.raises(UsageError, match="there is such a file already"):
        score_passages(passages, "ngram", output, text=[corpus])
    score_passages(passages, "ngram", output, text=[corpus], overwrite=True)
    assert read_metadata(output)["model"] == "ngram"


def test_standard_input_and_tabs(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "words.tsv"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO('Say "კაცი"!'.encode())))
    options = ("--model", "unigram", "--text", corpus, "--unit", "word", "--strings", "-o", output)
    assert starbank("score", "-", *options).stderr == f"2 rows about 1 text -> {output}\n"
    head, *rows = output.read_text(encoding="utf-8").splitlines()
    assert (
        head == "model\tlevel\tfile\tpassage\tline\tunit\tword\ttoken\tstart\tend\ttokens\tlogprob\tsurprisal\tstring"
    )
    assert rows[1].startswith("unigram\tsentence\t-\t1\t1\tword\t2\t\t4\t11\t4\t-")
    assert rows[1].endswith('\t"""კაცი""!"')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((".", "README.md"), "suites and texts are scored one after the other"),
        ((".", "--strings"), "--strings is for texts, not for suites"),
        (("README.md", "--by", "id"), "--by and --context-column are for tables"),
        (("README.md", "--level", "word"), "no such level of a baseline model for texts that are no suite: word"),
        (("README.md", "--no-beginning"), "unigram has no beginning that could be left out"),
        (("absent.txt",), "absent.txt: cannot be read: No such file"),
    ],
)
def test_options_that_mean_nothing_are_refused(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    output = tmp_path / "s.parquet"
    ended = starbank("score", *arguments, "--model", "unigram", "--text", "docs/index.md", "-o", output)
    assert (ended.returncode, output.exists()) == (2, False)
    assert message in ended.stderr


@pytest.mark.models
@pytest.mark.xdist_group("models")
class TestModels:
    """What networks give."""

    @pytest.fixture
    def paragraph(self, tmp_path: Path) -> Path:
        path = tmp_path / "paragraph.txt"
        path.write_text(PARAGRAPH, encoding="utf-8")
        return path

    @pytest.mark.parametrize("name", ["causal-pieces", "masked-pieces"])
    def test_long_texts_have_the_windows_of_suites(
        self, models: Path, paragraph: Path, tmp_path: Path, name: str
    ) -> None:
        # Both read 64 tokens at once.
        rows = score_passages(read_passages([paragraph]), str(models / name), tmp_path / "s.parquet")
        suite = write_suite([item(1, ("good", True, (PARAGRAPH[:20], PARAGRAPH[20:], "")))], tmp_path / "d" / "s")
        (sentence,) = score([suite], str(models / name), tmp_path / "suite.parquet", levels=["sentence"]).to_pylist()
        tokens = of(rows, "token", "start", "end", "logprob")
        assert len(tokens) > 100
        assert tokens == list(
            zip(sentence["token_starts"], sentence["token_ends"], sentence["token_logprobs"], strict=True)
        )

    def test_a_context_changes_nothing_but_what_is_told(self, models: Path, story: Path, tmp_path: Path) -> None:
        model = str(models / "causal")
        whole = read_passages([story], passage="document")
        begun = Path(tmp_path / "rest.txt")
        begun.write_text(STORY.partition(" ")[2], encoding="utf-8")
        rest = read_passages([begun], passage="document", context="The")
        assert rest[0].text == whole[0].text
        full = score_passages(whole, model, tmp_path / "a.parquet", units=["word"])
        after = score_passages(rest, model, tmp_path / "b.parquet", units=["word"])
        assert after["logprob"].to_pylist() == full["logprob"].to_pylist()[1:]
        assert after["word"].to_pylist() == [1, 2, 3, 4, 5, 6, 7, 8, 9]

    def test_without_a_beginning_nothing_predicts_the_first_word(
        self, models: Path, story: Path, tmp_path: Path
    ) -> None:
        passages = read_passages([story], passage="document")
        bare = score_passages(passages, str(models / "causal"), tmp_path / "a.parquet", beginning=False)
        told = score_passages(passages, str(models / "causal-without-beginning"), tmp_path / "b.parquet")
        assert bare["logprob"].to_pylist()[:2] == [None, None]
        assert bare["logprob"].equals(told["logprob"])
        assert read_metadata(tmp_path / "a.parquet")["beginning"] is False
        with pytest.raises(UsageError, match="masked is masked: it never saw a text without its special tokens"):
            score_passages(passages, str(models / "masked"), tmp_path / "c.parquet", beginning=False)

    @pytest.mark.parametrize(
        ("name", "options", "theirs"),
        [
            ("causal", {}, {"bos_token": True}),
            ("causal", {"beginning": False}, {}),
            ("masked", {}, {"PLL_metric": "within_word_l2r"}),
            ("masked", {"levels": ["sentence-original"]}, {"PLL_metric": "original"}),
        ],
    )
    def test_the_paragraph_is_as_surprising_as_to_minicons(
        self, models: Path, paragraph: Path, tmp_path: Path, name: str, options: dict[str, Any], theirs: dict[str, Any]
    ) -> None:
        scorer = pytest.importorskip("minicons.scorer", reason="needs minicons")
        rows = score_passages(
            read_passages([paragraph]), str(models / name), tmp_path / "s.parquet", strings=True, **options
        )
        kind = scorer.MaskedLMScorer if name == "masked" else scorer.IncrementalLMScorer
        model = kind(str(models / name))
        model.tokenizer.batch_encode_plus = lambda text, **options: model.tokenizer(text, **options)
        (pairs,) = model.token_score([PARAGRAPH], surprisal=True, base_two=True, **theirs)
        expected = [surprisal for token, surprisal in pairs if token != "<|endoftext|>"]
        ours = [0.0 if surprisal is None else surprisal for (surprisal,) in of(rows, "token", "surprisal")]
        assert ours == pytest.approx(expected, abs=1e-4)
        if theirs == {"bos_token": True}:
            (words,) = model.word_score_tokenized(
                [PARAGRAPH], surprisal=True, base_two=True, tokenize_function=str.split, **theirs
            )
            assert [word for word, _ in words] == [word for (word,) in of(rows, "word", "string")]
            bits = [surprisal for (surprisal,) in of(rows, "word", "surprisal")]
            assert bits == pytest.approx([surprisal for _, surprisal in words], abs=1e-4)
