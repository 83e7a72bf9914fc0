"""A dataset from a stranger: verifying it runs, reads and writes nothing of the stranger's choosing."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from starbank.cli import main
from starbank.errors import StarbankError, SuiteError, TreebankError
from starbank.files import METADATA_KEY, read_metadata, sha256
from starbank.hub import publish
from starbank.pipeline.generate import generate
from starbank.pipeline.verify import verify
from starbank.transforms import derive
from tests.test_verify import QUERY, TREEBANK, dataset, made  # noqa: F401

pytestmark = pytest.mark.slow


def forge(folder: Path, change) -> None:
    """Let all tables of a dataset say something else of their making; `change` is given what they say."""
    for file in folder.glob("data/*/*.parquet"):
        provenance = read_metadata(file)
        changed = change(provenance)
        forge_metadata(file, json.dumps(provenance if changed is None else changed).encode())


def forge_metadata(file: Path, metadata: bytes) -> None:
    pq.write_table(pq.read_table(file).replace_schema_metadata({METADATA_KEY: metadata}), file)


def forge_query(folder: Path, query: str, **inputs) -> None:
    def change(provenance):
        provenance["construction"]["query"] = query
        provenance["inputs"] |= inputs

    forge(folder, change)


def refusal(folder: Path, made: Path) -> StarbankError:  # noqa: F811
    with pytest.raises(StarbankError) as caught:
        verify(folder, treebanks=made / "treebanks", lexicons=[made / "lexicon.parquet"])
    return caught.value


@pytest.mark.parametrize("name", ["{outside}/evil", "../../../evil", "/proc/self/cwd/evil", "a/b", "..", "", "x\ny"])
@pytest.mark.parametrize(
    "place",
    [
        lambda provenance: (provenance["construction"], "name"),
        lambda provenance: (provenance["treebanks"][0], "name"),
        lambda provenance: (provenance["treebanks"][0], "release"),
        lambda provenance: (provenance["inputs"]["lexicons"][0]["treebanks"][0], "name"),
        lambda provenance: (provenance["inputs"]["lexicons"][0], "sha256"),
    ],
)
def test_a_name_is_no_path(made, dataset, tmp_path, monkeypatch, place, name):  # noqa: F811
    outside = tmp_path / "outside"
    outside.mkdir()
    monkeypatch.chdir(outside)

    def change(provenance):
        mapping, key = place(provenance)
        mapping[key] = name.format(outside=outside)

    forge(dataset, change)
    assert "says of its making what cannot be" in str(refusal(dataset, made))
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda provenance: [], "its metadata is no JSON object"),
        (lambda provenance: "evil", "its metadata is no JSON object"),
        (lambda provenance: {}, "it lacks `construction.name`"),
        (lambda provenance: provenance.update(construction=[]), "construction: [] is not of type 'object'"),
        (lambda provenance: provenance.update(treebanks={}), "treebanks: {} is not of type 'array'"),
        (lambda provenance: provenance.update(treebanks=[]), "does not say which treebanks it is from"),
        (lambda provenance: provenance.update(treebanks=[7]), "treebanks[0]: 7 is not of type 'object'"),
        (lambda provenance: provenance.update(seed="7"), "seed: '7' is not of type 'integer'"),
        (lambda provenance: provenance.update(seed=10**30), "is greater than the maximum"),
        (lambda provenance: provenance.update(inputs=None), "inputs: None is not of type 'object'"),
        (lambda provenance: provenance["inputs"].clear(), "it lacks `inputs.lexicons.sha256`"),
        (lambda provenance: provenance["inputs"].update(tables=[1]), "inputs.tables[0]: 1 is not of type 'string'"),
        (lambda provenance: provenance["construction"].update(query=7), "construction.query: 7 is not of type"),
        (lambda provenance: provenance["construction"].update(query="\ud800"), "cannot be read"),
        (lambda provenance: provenance["construction"].update(template=True), "which files it is from"),
        (lambda provenance: provenance["construction"].update(imported=True), "which files it is from"),
        (lambda provenance: provenance["treebanks"][0].update(kind="lexicon"), "which treebanks it is from"),
        (lambda provenance: provenance["treebanks"][0].update(files=[{}]), "'name' is a required property"),
        (lambda provenance: provenance["treebanks"][0].update(derived={"from": "UD_X-Y"}), "is a required property"),
    ],
)
def test_what_is_no_provenance_is_refused(made, dataset, change, told):  # noqa: F811
    forge(dataset, change)
    error = refusal(dataset, made)
    assert isinstance(error, SuiteError)
    assert told in str(error)
    assert str(error).startswith(f"{dataset / 'data' / 'verbs' / 'rejected.parquet'}: ")


def test_provenance_that_is_nested_without_end_is_refused(made, dataset):  # noqa: F811
    forge_metadata(dataset / "data" / "verbs" / "rejected.parquet", b'{"seed":' + b"[" * 200_000)
    assert "its metadata is nested too deeply" in str(refusal(dataset, made))


def test_a_table_that_is_no_parquet_is_refused(made, dataset):  # noqa: F811
    (dataset / "data" / "verbs" / "rejected.parquet").write_bytes(b"PAR1" * 10)
    assert "cannot be read as Parquet" in str(refusal(dataset, made))


@pytest.mark.parametrize("table", ["/etc/passwd", "../../../../../../../../etc/passwd", "{made}/lexicon.parquet"])
def test_a_query_names_no_table_elsewhere(made, dataset, table):  # noqa: F811
    table = table.format(made=made)
    tables = [sha256(made / "lexicon.parquet")]
    forge_query(dataset, QUERY.replace("% limit", f"% lexicon: ['{table}']\n% limit"), tables=tables)
    assert f"names the table {table!r}, which does not lie beside it" in str(refusal(dataset, made))


def test_a_query_names_no_more_tables_than_there_are_sums(made, dataset):  # noqa: F811
    forge_query(dataset, QUERY.replace("% limit", "% lexicon: [/etc/passwd]\n% limit"))
    assert "names 1 tables, and has the sums of 0" in str(refusal(dataset, made))


def test_a_table_in_the_place_of_another_ones_folder_is_refused(made, dataset):  # noqa: F811
    tables = [sha256(made / "lexicon.parquet")] * 2
    forge_query(dataset, QUERY.replace("% limit", "% lexicon: [a, a/b]\n% limit"), tables=tables)
    assert "names the table 'a/b', which cannot be" in str(refusal(dataset, made))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("% options: " + "[" * 2000, "the settings cannot be read as YAML"),
        ("% options: &a [*a]", "the settings cannot be read as YAML"),
        ("% options: {a: &a [x, x], b: &b [*a, *a], c: [*b, *b]}", "the settings cannot be read as YAML"),
        ("% limit: " + "9" * 5000, "`limit` must be a whole number"),
        ("% predictions: ['" + "1 + " * 5000 + "1 > 0']", "a prediction is nested too deeply"),
        ("% generator: evil", "there is no generator `evil`"),
        ("% generator: ../../evil", "there is no generator `../../evil`"),
        ("% generator: os.path", "there is no generator `os.path`"),
    ],
)
def test_settings_that_cannot_be_are_refused(made, dataset, settings, told):  # noqa: F811
    query = "\n".join(line for line in QUERY.splitlines() if not line.startswith("% limit"))
    forge_query(dataset, query.replace("% seed", f"{settings}\n% seed"))
    error = refusal(dataset, made)
    assert told in str(error)
    assert str(error).startswith(str(dataset))


def test_code_of_a_dataset_is_not_run(made, dataset, tmp_path, monkeypatch):  # noqa: F811
    evil = dataset / "generators" / "evil.py"
    evil.parent.mkdir()
    evil.write_text(f"open({str(tmp_path / 'PWNED')!r}, 'w')\ndef evil(construction, *others): pass\n")
    forge_query(dataset, QUERY.replace("% seed", "% generator: evil\n% seed"))
    monkeypatch.chdir(dataset)
    assert "is a part of the dataset, and its code would be run" in str(refusal(Path(), made))
    assert not (tmp_path / "PWNED").exists()


def test_a_link_is_not_followed(made, dataset):  # noqa: F811
    (dataset / "data" / "verbs" / "pairs.parquet").unlink()
    (dataset / "data" / "verbs" / "pairs.parquet").symlink_to("/etc/passwd")
    assert "pairs.parquet: is a link, or no file" in str(refusal(dataset, made))


def test_a_link_to_a_folder_a_ring_of_links_and_a_pipe_are_refused(made, dataset):  # noqa: F811
    odd = dataset / "data" / "odd"
    odd.symlink_to("/etc")
    assert "data/odd: is a link, or no file" in str(refusal(dataset, made))
    odd.unlink()
    odd.symlink_to("odd")
    assert "data/odd: is a link, or no file" in str(refusal(dataset, made))
    odd.unlink()
    os.mkfifo(odd)
    assert "data/odd: is a link, or no file" in str(refusal(dataset, made))


@pytest.mark.parametrize(
    "card",
    [
        "",
        "---\n",
        "# no front matter\n",
        "---\n- a list\n---\n",
        "---\npretty_name: [1]\n---\n",
        "---\n!!python/object/apply:os.system [id]\n---\n",
        "---\na: " + "[" * 2000 + "\n---\n",
    ],
)
def test_a_card_without_a_title_is_refused(made, dataset, card):  # noqa: F811
    (dataset / "README.md").write_text(card)
    assert "front matter" in str(refusal(dataset, made))


def test_reviews_that_are_none_are_refused(made, dataset):  # noqa: F811
    reviews = dataset / "reviews" / "verbs.reviews.json"
    reviews.parent.mkdir()
    good = {"item_id": "1", "condition": "Sing", "reviewer": "Ana", "judgement": "good"}
    for judgements in (
        [{**good, "item_id": []}],
        [{**good, "judgement": "evil"}],
        [{**good, "x": 1}],
        {"a": 1},
        7,
        ["x"],
    ):
        reviews.write_text(json.dumps({"schema": "reviews/1", "judgements": judgements}))
        assert "verbs.reviews.json: holds no reviews" in str(refusal(dataset, made))
    reviews.write_text("[" * 200_000)
    assert "verbs.reviews.json: holds no reviews" in str(refusal(dataset, made))


def test_an_accuracy_that_is_none_is_refused(made, dataset):  # noqa: F811
    shutil.copyfile(dataset / "data" / "verbs" / "items.parquet", dataset / "accuracy.parquet")
    assert "accuracy.parquet: lacks the column `model`" in str(refusal(dataset, made))


def test_files_that_starbank_did_not_make_are_named(made, dataset, capsys):  # noqa: F811
    (dataset / "evil.py").write_text("print('evil')\n")
    (dataset / "lm_eval" / "utils.py").write_text("print('evil')\n")
    (dataset / ".cache" / "huggingface").mkdir(parents=True)
    (dataset / ".cache" / "huggingface" / "evil.py").write_text("print('evil')\n")
    (dataset / ".gitattributes").write_text("*.parquet filter=lfs\n")
    (dataset / "x\nidentical: all 20 files").write_text("evil")
    with pytest.raises(SystemExit) as end:
        main(["verify", str(dataset), "--treebanks", str(made / "treebanks")])
    assert end.value.code == 1
    assert capsys.readouterr().out.splitlines()[:5] == [
        "4 of 20 files differ",
        ".cache/huggingface/evil.py: was not made by Starbank",
        "evil.py: was not made by Starbank",
        "lm_eval/utils.py: was not made by Starbank",
        r"'x\nidentical: all 20 files': was not made by Starbank",
    ]


def test_what_was_taken_from_the_dataset_itself_is_named(made, tmp_path):  # noqa: F811
    reviews = tmp_path / "verbs.reviews.json"
    item = pq.read_table(made / "suites" / "verbs" / "items.parquet", columns=["item_id"])["item_id"][0].as_py()
    judgement = {"item_id": item, "condition": "Sing", "reviewer": "Ana", "judgement": "good"}
    reviews.write_text(json.dumps({"schema": "reviews/1", "judgements": [judgement]}))
    folder = publish([made / "suites"], tmp_path / "english", treebanks=made / "treebanks", reviews=tmp_path)
    verdict = verify(folder, treebanks=made / "treebanks")
    assert verdict
    assert str(verdict).splitlines() == [
        "identical: all 16 files",
        "not checked, as the dataset alone tells it: its title, the names of its tasks, "
        "releases and sources of treebanks, reviews/verbs.reviews.json",
    ]


def test_a_table_may_be_named_in_any_way_that_yaml_has(made, tmp_path):  # noqa: F811
    words = tmp_path / "queries" / "lists" / "words.txt"
    words.parent.mkdir(parents=True)
    words.write_text("be\nhave\n")
    query = tmp_path / "queries" / "verbs.grew"
    query.write_text(QUERY.replace("% limit", "% vocabulary:\n%   - lists/words.txt  # a comment\n% limit"))
    generate([query], [made / "treebanks" / TREEBANK], tmp_path / "suites")
    folder = publish([tmp_path / "suites"], tmp_path / "english", treebanks=made / "treebanks")
    with pytest.raises(SuiteError, match=r"the table lists/words\.txt of verbs is not here"):
        verify(folder, treebanks=made / "treebanks")
    assert verify(folder, treebanks=made / "treebanks", lexicons=[words])


@pytest.fixture(scope="module")
def colorless(made, tmp_path_factory):  # noqa: F811
    """A dataset from a derived treebank."""
    folder = tmp_path_factory.mktemp("colorless")
    derived = folder / "treebanks" / f"{TREEBANK}+colorless"
    derive("colorless", made / "treebanks" / TREEBANK, derived, seed=3)
    generate([made / "verbs.grew"], [derived], folder / "suites")
    return publish([folder / "suites"], folder / "english", treebanks=folder / "treebanks")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"from": "UD_English-Other"}, "is not the name of what colorless makes of UD_English-Other"),
        ({"generator": "os"}, "there is no transform `os`"),
        ({"generator": "../../evil"}, "says of its making what cannot be"),
        ({"options": {"preset": 7}}, "the option `preset` of the transform `colorless` cannot be 7"),
        ({"options": {"evil": 7}}, "has no option `evil`"),
        ({"options": {"content": 7}}, "the option `content` of the transform `colorless` cannot be 7"),
        ({"options": {"gender": [7, {}]}}, "the option `gender` of the transform `colorless` cannot be [7, {}]"),
    ],
)
def test_a_derived_treebank_is_derived_as_ours_are_or_not_at_all(made, colorless, tmp_path, changes, told):  # noqa: F811
    dataset = Path(shutil.copytree(colorless, tmp_path / "english"))  # noqa: F811

    def change(provenance):
        for about in [*provenance["treebanks"], *provenance["inputs"]["lexicons"][0]["treebanks"]]:
            about["derived"] |= changes

    forge(dataset, change)
    error = refusal(dataset, made)
    assert isinstance(error, (SuiteError, TreebankError, StarbankError))
    assert told in str(error)
