"""Tables that are not as they should be are told in one message, with the file and the line."""

from __future__ import annotations

import csv
import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starbank.errors import SuiteError
from starbank.queries.benchmarks import read_tables
from starbank.sets.paradigms import make_paradigm

SAID = {"good": "good", "bad": "bad"}
LINE = '{"good": "He sings.", "bad": "He sing."}\n'


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("x.csv", "good,bad\nHe sings.,He sing.\nHe is.,\n", r"x\.csv:3: `bad` is empty"),
        ("x.csv", "good,bad\nHe sings.,He sing.\n  ,He are.\n", r"x\.csv:3: `good` is empty"),
        # Lines are counted as an editor counts them: with those inside of fields, and those that are blank.
        ("x.csv", 'good,bad\n"He\nsings.",He sing.\n\nHe is.,\n', r"x\.csv:5: `bad` is empty"),
        ("x.csv", "good,bad\nHe sings.,He sing.\nHe is.\n", r"x\.csv:3: has 1 fields in place of 2"),
        ("x.csv", "good,bad\nHe sings, too.,He sing, too.\n", r"x\.csv:2: has more than 2 fields"),
        ("x.csv", 'good,bad\n"Yes" he said.,x\n', r"x\.csv:2: has a quote that does not end where its field ends"),
        ("x.tsv", 'good\tbad\nHe sings.\tHe sing.\n"He is.\tHe are.\n', r"x\.tsv:3: has a quote that does not end"),
        ("x.csv", "good,bad\n" + "a" * 3_000_000 + ",b\n", r"x\.csv:2: has a line of more than two million bytes"),
        ("x.csv", "good,good\na,b\n", r"x\.csv:1: has two columns `good`"),
        ("x.csv", "good,wrong\na,b\n", r"x\.csv:1: has no column `bad`\nDid you mean|has no column `bad`"),
        ("x.csv", "", r"x\.csv: is empty"),
        ("x.csv", "good,bad\n", r"x\.csv: has no pairs"),
        ("x.jsonl", LINE + '{"good": "He is."}\n', r"x\.jsonl:2: `bad` is empty"),
        ("x.jsonl", LINE + "\n" + '{"good": "He is.", "bad": null}\n', r"x\.jsonl:3: `bad` is empty"),
        ("x.jsonl", LINE + "nothing\n", r"x\.jsonl:2: is not a JSON object on each line"),
        ("x.jsonl", LINE + '["He is.", "He are."]\n', r"x\.jsonl:2: is not a JSON object"),
        ("x.jsonl", LINE + '{"good": "\\ud800", "bad": "x"}\n', r"x\.jsonl:2: is not a JSON object"),
        ("x.jsonl", "[]\n", r"x\.jsonl:1: is not a JSON object"),
        ("x.jsonl", "\ufeff" + LINE, r"x\.jsonl:1: begins with a byte order mark"),
        ("x.parquet", "good,bad\n", r"x\.parquet: cannot be read as Parquet"),
        ("x.docx", "good,bad\n", r"x\.docx: is no table of pairs\nPairs are read from \.csv"),
    ],
)
def test_a_broken_table_is_told_with_its_line(tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content.encode())
    with pytest.raises(SuiteError, match=told):
        read_tables([tmp_path / name], SAID, language="eng")


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.csv.gz"])
def test_latin_1_is_told_with_the_line_and_what_to_do(tmp_path, name):
    line = "Élle va.,Elle vas.\n" if "csv" in name else '{"good": "Élle va.", "bad": "Elle vas."}\n'
    content = ("good,bad\n" if "csv" in name else '{"good": "a", "bad": "b"}\n').encode() + line.encode("latin-1")
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(SuiteError, match=r"x\..*:2: is not UTF-8 text\nSave the file as UTF-8"):
        read_tables([tmp_path / name], SAID, language="fra")


def test_a_cut_archive_is_told(tmp_path):
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"good,bad\n" + b"a,b\n" * 1000)[:40])
    with pytest.raises(SuiteError, match="cannot be read"):
        read_tables([tmp_path / "x.csv.gz"], SAID, language="eng")


def test_an_id_of_two_pairs_is_told_with_both_lines(tmp_path):
    (tmp_path / "x.csv").write_text("id,good,bad\n7,He sings.,He sing.\n8,a,b\n7,He is.,He are.\n")
    with pytest.raises(
        SuiteError, match=r"x\.csv:4: has '7' as `id` once more, first in line 2\nLeave that column out"
    ):
        read_tables([tmp_path / "x.csv"], {**SAID, "id": "id"}, language="eng")


def test_a_prefix_that_is_in_the_sentences_already_is_told(tmp_path):
    (tmp_path / "x.csv").write_text("prefix,good,bad\nThe key,The key is here.,The key are here.\n")
    with pytest.raises(SuiteError, match=r"x\.csv:2: `prefix` stands in the sentences, too\nIts sentences are whole"):
        read_tables([tmp_path / "x.csv"], {**SAID, "prefix": "prefix"}, language="eng")


def test_a_covariate_that_is_no_number_is_told(tmp_path):
    (tmp_path / "x.csv").write_text("good,bad,depth\na,b,3.0\nc,d,\ne,f,deep\n")
    with pytest.raises(SuiteError, match=r"x\.csv:4: `depth` is no whole number"):
        read_tables([tmp_path / "x.csv"], {**SAID, "covariates": ("depth",)}, language="eng")


def test_a_language_that_is_none_is_told(tmp_path):
    (tmp_path / "x.csv").write_text("good,bad,language\na,b,English\n")
    with pytest.raises(SuiteError, match="the language is not an ISO 639-3 code: `English`"):
        read_tables([tmp_path / "x.csv"], SAID)


def test_a_language_that_nothing_tells_is_asked_for(tmp_path):
    (tmp_path / "pairs").mkdir()
    (tmp_path / "pairs" / "x.csv").write_text("good,bad\na,b\n")
    with pytest.raises(SuiteError, match="does not say which language it is in\nSay it: --language eng"):
        read_tables([tmp_path / "pairs" / "x.csv"], SAID)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("x.txt", "True\ta\nFalse\tb\nfalse\tc\n", r"x\.txt:3: has 'false' in place of True or False"),
        ("x.txt", "False\tb\nTrue\ta\n", r"x\.txt:1: has a starred sentence before any grammatical one"),
        ("x.txt", "True\ta\n", r"x\.txt: has no starred sentence"),
        ("x.txt", "True\ta\nFalse\n", r"x\.txt:2: has 1 fields in place of 2"),
    ],
)
def test_broken_lines_of_clams_are_told(tmp_path, name, content, told):
    (tmp_path / name).write_text(content)
    with pytest.raises(SuiteError, match=told):
        read_tables([tmp_path / name], {}, language="eng")


def test_a_name_of_a_file_is_no_pattern(tmp_path):
    (tmp_path / "[a]*.csv").write_text("good,bad\na,b\n")
    (tmp_path / "a1.csv").write_text("good,bad\nc,d\n")
    (paradigm,) = read_tables([tmp_path / "[a]*.csv"], SAID, language="eng")
    assert paradigm.pairs["good"].to_pylist() == ["a"]


def test_columns_that_sql_would_read_are_only_names(tmp_path):
    name = "a'\"; drop table x"
    (tmp_path / "x.jsonl").write_text(json.dumps({name: "He sings.", "bad": "He sing.", "n": 1}) + "\n")
    pq.write_table(pa.table({name: ["He sings."], "bad": ["He sing."], "n": [1]}), tmp_path / "x.parquet")
    said = {"good": name, "bad": "bad", "covariates": ("n",)}
    for file in ("x.jsonl", "x.parquet"):
        (paradigm,) = read_tables([tmp_path / file], said, language="eng")
        assert paradigm.pairs["good"].to_pylist() == ["He sings."]
        assert make_paradigm(paradigm).items["covariates"].to_pylist() == [[{"name": "n", "value": 1}]]


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=8)
FIELD = st.lists(TEXT, min_size=1, max_size=4).map(" ".join)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(FIELD, FIELD), min_size=1, max_size=5), st.sampled_from([",", ";", "\t"]), st.booleans())
def test_what_is_written_as_csv_is_read_as_it_was(tmp_path_factory, pairs, delimiter, marked):
    file = tmp_path_factory.mktemp("pairs") / "x.csv"
    with file.open("w", encoding="utf-8-sig" if marked else "utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_ALL)
        writer.writerows([("good", "bad"), *pairs])
    (paradigm,) = read_tables([file], SAID, language="eng")
    suite = make_paradigm(paradigm)
    made = {item["sent_id"]: [one["regions"] for one in item["conditions"]] for item in suite.items.to_pylist()}
    same = {reject["sent_id"]: reject["text"] for reject in suite.rejected.to_pylist()}
    for number, (good, bad) in enumerate(pairs, 1):
        if good == bad:
            assert same[str(number)] == good
        else:
            assert ["".join(regions) for regions in made[str(number)]] == [good, bad]
