"""Baselines never learn from a sentence that an item comes from."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from starbank.errors import UsageError
from starbank.files import write_parquet
from starbank.scoring.conditions import read_conditions
from starbank.scoring.training import HeldOut, read_training
from tests.scoring.items import ITEMS, case_item, write_suite


@pytest.fixture
def held_out(suite: Path) -> HeldOut:
    return HeldOut.of(read_conditions([suite]))


def treebank(folder: Path, sentences: list[tuple[str | None, str, str]], name: str | None = "UD_Test-T") -> Path:
    """Write (split, sent_id, text) as an ingested treebank."""
    schema = pa.schema({"split": pa.string(), "sent_id": pa.string(), "text": pa.string()})
    rows = [{"split": split, "sent_id": sent_id, "text": text} for split, sent_id, text in sentences]
    write_parquet(pa.Table.from_pylist(rows, schema), folder / "sentences.parquet", "sentences/1")
    if name:
        (folder / "treebank.json").write_text(json.dumps({"name": name}))
    return folder


def lines(sentences: list[list[str]]) -> list[str]:
    return [" ".join(words) for words in sentences]


def test_plain_text_is_read_line_by_line(tmp_path: Path, held_out: HeldOut) -> None:
    path = tmp_path / "text.txt"
    path.write_text("\ufeffEin Satz.\r\n\nNoch einer!\n", encoding="utf-8")
    assert lines(read_training([path], held_out).sentences) == ["ein satz .", "noch einer !"]


def test_a_line_that_holds_an_items_sentence_is_left_out(tmp_path: Path, held_out: HeldOut) -> None:
    path = tmp_path / "text.txt"
    path.write_text('მან თქვა: "კაცმა  სახლი ააშენა." და გაიცინა.\nკაცმა სახლი დახატა.\n', encoding="utf-8")
    training = read_training([path], held_out)
    assert lines(training.sentences) == ["კაცმა სახლი დახატა ."]
    assert training.about["held_out"] == 1


def test_an_items_sentence_is_found_over_a_line_break(tmp_path: Path, held_out: HeldOut) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Once. The man's dogs\ndon't bark. Then\nthey do.\n", encoding="utf-8")
    assert lines(read_training([path], held_out).sentences) == ["they do ."]


def test_only_the_train_split_of_a_treebank_is_read(tmp_path: Path, held_out: HeldOut) -> None:
    folder = treebank(tmp_path, [("train", "a", "One."), ("dev", "b", "Two."), ("test", "c", "Three.")])
    assert lines(read_training([folder], held_out).sentences) == ["one ."]


def test_a_treebank_without_a_train_split_is_read_whole(tmp_path: Path, held_out: HeldOut) -> None:
    folder = treebank(tmp_path, [("dev", "b", "Two."), (None, "c", "Three.")])
    assert lines(read_training([folder / "sentences.parquet"], held_out).sentences) == ["two .", "three ."]


def test_a_treebanks_sentence_is_left_out_by_its_id(tmp_path: Path, held_out: HeldOut) -> None:
    sentences = [("train", "s1", "A sentence that an item changed beyond recognition."), ("train", "s77", "Another.")]
    assert lines(read_training([treebank(tmp_path, sentences)], held_out).sentences) == ["another ."]


def test_the_same_id_in_another_treebank_is_another_sentence(tmp_path: Path, held_out: HeldOut) -> None:
    folder = treebank(tmp_path, [("train", "s1", "One.")], name="UD_Test-Other")
    assert lines(read_training([folder], held_out).sentences) == ["one ."]


def test_a_derived_treebank_has_the_sentences_of_the_one_it_was_made_from(tmp_path: Path) -> None:
    derived = case_item(1, "ა ", ["ბ", "გ"], " დ.", treebank="UD_Test-T+colorless")
    suite = write_suite([derived], tmp_path / "data" / "colorless")
    folder = treebank(tmp_path / "ud", [("train", "s1", "One."), ("train", "s2", "Two.")])
    assert lines(read_training([folder], HeldOut.of(read_conditions([suite]))).sentences) == ["two ."]


def test_an_id_counts_everywhere_where_the_treebanks_name_is_unknown(tmp_path: Path, held_out: HeldOut) -> None:
    folder = treebank(tmp_path, [("train", "s1", "One."), ("train", "s77", "Two.")], name=None)
    assert lines(read_training([folder], held_out).sentences) == ["two ."]


def test_a_sentence_of_one_word_is_left_out_only_as_a_line_of_its_own(tmp_path: Path) -> None:
    suite = write_suite([case_item(1, "", ["Go", "Goes"], "")], tmp_path / "data" / "imperative")
    path = tmp_path / "text.txt"
    path.write_text("Go\nGo home\n", encoding="utf-8")
    assert lines(read_training([path], HeldOut.of(read_conditions([suite]))).sentences) == ["go home"]


def test_without_text_the_message_says_what_to_pass(held_out: HeldOut) -> None:
    with pytest.raises(UsageError, match=r"(?s)needs text to learn from.*ingested treebank.*plain text"):
        read_training([], held_out)


def test_nothing_left_is_an_error(tmp_path: Path, held_out: HeldOut) -> None:
    path = tmp_path / "text.txt"
    path.write_text("".join(ITEMS[0]["conditions"][0]["regions"]), encoding="utf-8")
    with pytest.raises(UsageError, match="no text to learn from is left: 1 sentences are the items' own"):
        read_training([path], held_out)


def test_bytes_that_are_not_utf8_are_named_by_line(tmp_path: Path, held_out: HeldOut) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes("Gut.\nSchön.".encode("latin-1"))
    with pytest.raises(UsageError, match=r"text\.txt:2: not UTF-8 text"):
        read_training([path], held_out)


@pytest.mark.parametrize(
    ("name", "message"),
    [("absent.txt", "no such text"), ("dev.conllu", "an ingested treebank, not from CoNLL-U"), (".", "no such text")],
)
def test_what_is_no_text_is_refused(tmp_path: Path, held_out: HeldOut, name: str, message: str) -> None:
    (tmp_path / "dev.conllu").write_text("# text = x\n")
    with pytest.raises(UsageError, match=message):
        read_training([tmp_path / name], held_out)


def test_a_table_of_something_else_is_refused(suite: Path, held_out: HeldOut) -> None:
    with pytest.raises(UsageError, match="not a table of sentences"):
        read_training([suite / "items.parquet"], held_out)
