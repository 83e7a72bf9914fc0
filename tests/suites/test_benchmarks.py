"""Benchmarks of pairs: tables become suites, one for each paradigm, whatever their columns are called."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from starbank.errors import StarbankError, SuiteError
from starbank.files import read_metadata, read_parquet
from starbank.pipeline.generate import generate
from starbank.pipeline.imports import Settings, import_files
from starbank.pipeline.plan import make_plan
from starbank.queries.benchmarks import read_paradigms, read_tables
from starbank.sets.paradigms import make_paradigm, tell_paradigm

KEYS = [("The keys to the cabinet are here.", "The keys to the cabinet is here."), ("He sings.", "He sing.")]


@pytest.fixture
def write(tmp_path):
    def write(name: str, text: str) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write


def blimp(uid: str = "agreement_1", pairs=KEYS, term: str = "subject_verb_agreement") -> str:
    """Return lines as BLiMP has them."""
    return "".join(
        json.dumps({"sentence_good": good, "sentence_bad": bad, "linguistics_term": term, "UID": uid, "pairID": str(n)})
        + "\n"
        for n, (good, bad) in enumerate(pairs)
    )


def sentences(paradigm) -> list[tuple[str, str]]:
    """Return the sentences of each item, put together of their regions."""
    items = make_paradigm(paradigm).items.to_pylist()
    return [tuple("".join(condition["regions"]) for condition in item["conditions"]) for item in items]


def test_blimp_is_known_by_its_columns(write):
    (paradigm,) = read_tables([write("agreement.jsonl", blimp())], {}, language="eng")
    assert (paradigm.name, paradigm.phenomenon, paradigm.source) == (
        "agreement_1",
        "subject_verb_agreement",
        "BLiMP",
    )
    assert paradigm.pairs["id"].to_pylist() == ["0", "1"]
    assert sentences(paradigm) == KEYS


def test_the_regions_are_what_is_shared_and_what_differs(write):
    (paradigm,) = read_tables([write("agreement.jsonl", blimp())], {}, language="eng")
    first, second = make_paradigm(paradigm).items.to_pylist()
    assert first["region_names"] == ["prefix", "target", "suffix"]
    assert [one["regions"] for one in first["conditions"]] == [
        ["The keys to the cabinet ", "are", " here."],
        ["The keys to the cabinet ", "is", " here."],
    ]
    assert [(one["name"], one["grammatical"], one["against"]) for one in first["conditions"]] == [
        ("grammatical", True, None),
        ("starred", False, "grammatical"),
    ]
    assert (first["length"], first["position"], first["sent_id"], first["treebank"]) == (7, 6, "0", "BLiMP")
    assert second["conditions"][1]["regions"] == ["He ", "sing", "."]


def test_rublimp(write):
    file = write(
        "conj.csv",
        "id,source_sentence,target_sentence,source_word,target_word,level,phenomenon,PID,subtype,domain,tree_depth\n"
        '7,"Ты спишь, а я читаю.","Ты спишь, а я читаешь.",читаю,читаешь,Syntax,Agreement,conj_person,x,wiki,3\n',
    )
    (paradigm,) = read_tables([file], {})
    assert (paradigm.name, paradigm.language, paradigm.source) == ("conj_person", "rus", "RuBLiMP")
    (item,) = make_paradigm(paradigm).items.to_pylist()
    assert item["conditions"][0]["regions"] == ["Ты спишь, а я ", "читаю", "."]
    assert item["covariates"] == [{"name": "tree_depth", "value": 3}]


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_turblimp_with_commas_and_with_semicolons(write, delimiter):
    # Its base files have the first, its augmented ones the second.
    rows = [
        ("good_sentence", "bad_sentence", "good_cue", "bad_cue", "critical_region", "phenomenon"),
        ("Ben kendimi gördüm.", "Ben kendini gördüm.", "kendimi", "kendini", "gördüm", "anaphor_agreement"),
        ("Sen geldin.", "Sen geldin.", "∅", "∅", "geldin", "anaphor_agreement"),
    ]
    file = write("augmented_anaphor.csv", "".join(delimiter.join(row) + "\n" for row in rows))
    (paradigm,) = read_tables([file], {})
    assert (paradigm.name, paradigm.language) == ("anaphor_agreement", "tur")
    suite = make_paradigm(paradigm)
    assert suite.items.num_rows == 1
    (reject,) = suite.rejected.to_pylist()
    assert (reject["reason"], reject["sent_id"], reject["text"]) == ("identical form", "2", "Sen geldin.")


def test_multiblimp_has_its_language_as_the_name_of_a_folder_or_a_file(write):
    text = "sen\tdistance\tprefix\twrong_sen\nბავშვი თამაშობს.\t1\tბავშვი\tბავშვი თამაშობენ.\n"
    files = [write("kat/data.tsv", text), write("pairs/eus.tsv", text)]
    found = read_tables(files, {})
    # Where there are two languages, suites are told apart by them.
    assert [(paradigm.name, paradigm.language) for paradigm in found] == [("eus-eus", "eus"), ("kat-kat", "kat")]
    (item,) = make_paradigm(found[1]).items.to_pylist()
    # Items have a column for this covariate. What stands before the verb is in the sentence already.
    assert item["distance"] == 1
    assert item["conditions"][0]["regions"] == ["ბავშვი ", "თამაშობს", "."]


def test_clams_has_true_and_false_before_its_sentences(write):
    file = write("he_evalset/simple.txt", "True\tthe boy laughs\nFalse\tthe boy laugh\nFalse\tthe boy laughing\n")
    (paradigm,) = read_tables([file], {})
    assert (paradigm.name, paradigm.language, paradigm.source) == ("simple", "heb", "CLAMS")
    assert sentences(paradigm) == [
        ("the boy laughs", "the boy laugh"),
        ("the boy laughs", "the boy laughing"),
    ]


def test_bhs_as_the_hub_has_it(write):
    file = write("S_V.csv", "context,ending_good,ending_bad\nMutilak liburuak irakurri,ditu.,du.\n")
    (paradigm,) = read_tables([file], {}, language="eus")
    assert sentences(paradigm) == [("Mutilak liburuak irakurri ditu.", "Mutilak liburuak irakurri du.")]


def test_columns_of_any_name(write):
    file = write("mine.tsv", "n\tok\tstar\tdepth\tkind\na\tWir gehen.\tWir gehst.\t2\tperson\n")
    said = {"good": "ok", "bad": "star", "id": "n", "suite": "kind", "covariates": ("depth",)}
    (paradigm,) = read_tables([file], said, language="deu", license="CC0-1.0", benchmark="Mine")
    assert (paradigm.name, paradigm.source) == ("person", "Mine")
    assert tell_paradigm(paradigm) == [
        "person: 1 pair in deu, Mine",
        "    good: ok, bad: star, id: n, suite: kind",
        "pair a",
        "    Wir gehen.",
        "    *Wir gehst.",
    ]


def test_a_column_language_makes_a_suite_for_each(write):
    file = write("pairs.csv", "good,bad,language\nWir gehen.,Wir geht.,deu\nElle va.,Elle vas.,fra\n")
    found = read_tables([file], {"good": "good", "bad": "bad"})
    assert [paradigm.name for paradigm in found] == ["deu-pairs", "fra-pairs"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "csv.gz", "jsonl.gz"])
def test_the_same_pairs_are_the_same_items_whatever_file_they_are_in(tmp_path, ending):
    pairs = [('She said "no", twice.', 'She say "no", twice.'), ("Il a dit : «non».", "Il as dit : «non».")]
    file = tmp_path / f"pairs.{ending}"
    separator = "\t" if ending == "tsv" else ","
    quoted = [['"' + text.replace('"', '""') + '"' for text in pair] for pair in pairs]
    table = f"good{separator}bad\r\n" + "".join(separator.join(pair) + "\r\n" for pair in quoted)
    lines = "".join(json.dumps({"good": good, "bad": bad}) + "\n" for good, bad in pairs)
    content = (lines if "jsonl" in ending else table).encode()
    if ending == "parquet":
        pq.write_table(pa.table({"good": [good for good, _ in pairs], "bad": [bad for _, bad in pairs]}), file)
    else:
        file.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    (paradigm,) = read_tables([file], {"good": "good", "bad": "bad"}, language="eng")
    assert paradigm.name == "pairs"
    assert sentences(paradigm) == pairs


def test_a_folder_is_all_tables_in_it(write, tmp_path):
    write("data/a.jsonl", blimp("a"))
    write("data/more/b.jsonl", blimp("b"))
    write("data/README.md", "Read me.")
    assert [paradigm.name for paradigm in read_tables([tmp_path / "data"], {}, language="eng")] == ["a", "b"]


def test_a_paradigm_of_several_files_has_their_names_in_its_ids(write):
    text = "good,bad,kind\nWir gehen.,Wir geht.,person\n"
    files = [write("one.csv", text), write("two.csv", text)]
    (paradigm,) = read_tables(files, {"good": "good", "bad": "bad", "suite": "kind"}, language="deu")
    assert paradigm.pairs["id"].to_pylist() == ["one:1", "two:1"]
    assert make_paradigm(paradigm).items.num_rows == 2


def test_a_suite_says_what_it_was_made_from(write, tmp_path):
    file = write("agreement.jsonl", blimp())
    told: list[str] = []
    settings = Settings("eng", {}, {"license": "CC-BY-4.0", "cite": "Warstadt et al. (2020)"})
    import_files([file], tmp_path / "suites", settings, told.append)
    assert told == ["agreement_1: 2 items from 2 in the file", f"1 suite in eng -> {tmp_path / 'suites'}"]
    about = read_metadata(tmp_path / "suites" / "agreement_1" / "items.parquet")
    assert (about["construction"]["benchmark"], about["construction"]["cite"]) == ("BLiMP", "Warstadt et al. (2020)")
    (source,) = about["treebanks"]
    assert (source["name"], source["license"], source["files"][0]["name"]) == ("BLiMP", "CC-BY-4.0", "agreement.jsonl")
    assert read_parquet(tmp_path / "suites" / "agreement_1" / "pairs.parquet")["form_bad"].to_pylist() == ["is", "sing"]
    import_files([file], tmp_path / "suites", settings, told.append)
    assert told[2] == "agreement_1: 2 items from 2 in the file, unchanged"


def test_a_file_among_the_queries_names_the_tables_of_a_project(write, tmp_path):
    write("data/a.jsonl", blimp("a"))
    write("data/b.jsonl", blimp("b"))
    query = write("queries/eng/blimp.import", "files: [../../data]\nlicense: CC-BY-4.0\n")
    plan = make_plan({"queries": tmp_path / "queries", "treebanks": {}, "models": ["unigram"]})
    (batch,) = plan.batches
    assert (batch.dataset, batch.language) == ("eng", "eng")
    assert plan.constructions("eng") == ["a", "b"]
    assert batch.constructions[0].tables == (tmp_path / "queries/eng/../../data/a.jsonl",)
    made = generate([query], [], tmp_path / "suites")
    assert [str(one) for one in made] == ["a: 2 items from 2 in the file", "b: 2 items from 2 in the file"]


def test_what_a_suite_says_is_such_a_file_again(write):
    file = write("mine.csv", "n,ok,star,depth\n1,Wir gehen.,Wir geht.,2\n")
    said = {"good": "ok", "bad": "star", "id": "n", "covariates": ("depth",)}
    (paradigm,) = read_tables([file], said, language="deu", cite="Nobody (2020)")
    again = read_paradigms(write("again.import", paradigm.query))[0]
    assert again.query == paradigm.query
    assert again.columns == paradigm.columns
    assert again.pairs == paradigm.pairs


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("language: eng\n", r"x\.import:1: the file must have `files`"),
        ("files: [a.jsonl]\ngod: ok\n", r"x\.import:2: unknown key `god`\nDid you mean `good`\?"),
        ("files: [nothing.csv]\n", r"nothing\.csv: there is no such file"),
        ("files: [a.jsonl]\nlanguage: english\n", "not an ISO 639-3 code: `english`"),
        ("files: [a.jsonl, both.csv]\ngood: sentence_good\nbad: sentence_bad\n", "several languages: deu, eng"),
    ],
)
def test_a_mistake_in_such_a_file_is_told(write, text, told):
    write("eng/a.jsonl", blimp())
    write("eng/both.csv", "sentence_good,sentence_bad,language\nWir gehen.,Wir geht.,deu\n")
    with pytest.raises(StarbankError, match=told):
        read_paradigms(write("eng/x.import", text))


def test_a_file_of_a_stranger_names_nothing_elsewhere(write):
    write("a.jsonl", blimp())
    with pytest.raises(StarbankError, match="names what does not lie beside it"):
        read_paradigms(write("x/y.import", "files: [../a.jsonl]\nlanguage: eng\n"), confined=True)


def test_published_rublimp(shared):
    found = read_tables([shared / "published" / "rublimp"], {})
    assert len(found) == 45
    assert sum(paradigm.pairs.num_rows for paradigm in found) == 2700
    suites = {paradigm.name: make_paradigm(paradigm) for paradigm in found}
    assert sum(suite.rejected.num_rows for suite in suites.values()) == 0
    by_id = {item["sent_id"]: item for item in suites["add_new_suffix"].items.to_pylist()}
    assert [one["form"] for one in by_id["132968"]["conditions"]] == ["плечи", "плечники"]
    for name, paradigm in zip(suites, found, strict=True):
        pairs = zip(paradigm.pairs["good"].to_pylist(), paradigm.pairs["bad"].to_pylist(), strict=True)
        assert sentences(paradigm) == list(pairs), name


def test_published_bhs_is_read_as_a_folder(shared, tmp_path):
    told: list[str] = []
    import_files([shared / "published" / "bhs"], tmp_path / "bhs", Settings("hin"), told.append)
    assert told[0] == "basque-DO-S_DO_V_AUX: 1000 items from 1000 in the file"
    assert told[3] == f"3 suites in hin -> {tmp_path / 'bhs'}"


@pytest.mark.parametrize("column", ["suite", "good"])
def test_a_column_that_is_not_there_is_told_with_what_is_near(write, column):
    file = write("agreement.jsonl", blimp())
    told = r"agreement\.jsonl:1: has no column `sentence_goot`\nDid you mean `sentence_good`\?"
    with pytest.raises(SuiteError, match=told):
        read_tables([file], {column: "sentence_goot"}, language="eng")
