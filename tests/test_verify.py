"""A dataset tells how it was made, well enough to make it again and to find what somebody changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from starbank.cli import main
from starbank.errors import SuiteError, TreebankError
from starbank.files import read_metadata, write_parquet
from starbank.hub import publish, push
from starbank.pipeline.generate import generate
from starbank.pipeline.verify import verify
from starbank.queries.imports import read_import
from starbank.sets.imported import import_suite
from starbank.transforms import derive
from starbank.treebanks import ingest
from starbank.treebanks.fetch import fetch
from tests.hub.conftest import certificate, hub  # noqa: F401
from tests.suites.test_imports import NUMBER, syntaxgym

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("verify")]

TREEBANK = "UD_English-Sample"
QUERY = """\
% ---
% language: eng
% phenomenon: agreement
% treebanks: [UD_English-Sample]
% target: V
% vary: {Number: [Sing, Plur]}
% limit: 20
% seed: 7
% ---
pattern { V [upos=VERB, Number=Sing, Person=3, Tense=Pres]; V -[nsubj]-> S }
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory, sample):
    """Treebanks as fetched and ingested, and a dataset made from them with a lexicon of its own file."""
    folder = tmp_path_factory.mktemp("made")
    (downloaded,) = fetch(
        [TREEBANK], release="2.18", sources=[str(sample)], output=folder / "downloads", lock=folder / "no.lock"
    )
    ingest([downloaded], folder / "treebanks" / TREEBANK)
    (folder / "verbs.grew").write_text(QUERY)
    main(["lexicon", "build", TREEBANK, "--ingested", str(folder / "treebanks"), "-o", str(folder / "lexicon.parquet")])
    generate(
        [folder / "verbs.grew"],
        [folder / "treebanks" / TREEBANK],
        folder / "suites",
        lexicons=[folder / "lexicon.parquet"],
    )
    publish([folder / "suites"], folder / "english", treebanks=folder / "treebanks")
    return folder


@pytest.fixture
def dataset(made, tmp_path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(made / "english", tmp_path / "english"))


def test_a_dataset_that_nobody_changed_is_identical(made, capsys):
    main(["verify", str(made / "english"), "--treebanks", str(made / "treebanks")])
    assert capsys.readouterr().out == (
        "identical: all 16 files\n"
        "not checked, as the dataset alone tells it: its title, the names of its tasks, "
        "releases and sources of treebanks\n"
    )


def test_its_treebanks_are_fetched_where_they_are_not_at_hand(made, sample, tmp_path):
    assert verify(made / "english", treebanks=tmp_path / "none", sources=[str(sample)])


def test_the_name_of_the_folder_does_not_matter(made, tmp_path):
    shutil.copytree(made / "english", tmp_path / "renamed")
    assert verify(tmp_path / "renamed", treebanks=made / "treebanks")


def test_a_lexicon_made_on_the_way_is_made_so_again(made, tmp_path):
    generate([made / "verbs.grew"], [made / "treebanks" / TREEBANK], tmp_path / "suites")
    publish([tmp_path / "suites"], tmp_path / "english", treebanks=made / "treebanks")
    assert verify(tmp_path / "english", treebanks=made / "treebanks")


def test_a_dataset_of_several_languages_is_made_again_from_what_the_tables_of_each_tell(made, sample, tmp_path):
    """Treebanks without a match, here the English one, are told of too."""
    other = "UD_Georgian-Sample"
    treebanks = Path(shutil.copytree(made / "treebanks", tmp_path / "treebanks"))
    for name in (other, "UD_Hindi-Sample"):
        ingest([sample / name], treebanks / name)
    query = tmp_path / "nouns.grew"
    query.write_text(
        "% ---\n% treebanks: all\n% target: N\n% vary: {Case: all}\n% ---\npattern { N [upos=NOUN, Case] }\n"
    )
    generate([query], sorted(treebanks.iterdir()), tmp_path / "suites")
    dataset = publish([tmp_path / "suites"], tmp_path / "cases", treebanks=treebanks)
    tables = sorted(dataset.glob("data/*/rejected.parquet"))
    told = {table.parent.name: [each["name"] for each in read_metadata(table)["treebanks"]] for table in tables}
    assert told == {"hin-nouns": [TREEBANK, "UD_Hindi-Sample"], "kat-nouns": [other]}
    assert verify(dataset, treebanks=treebanks)


def test_a_derived_treebank_is_derived_again(made, tmp_path):
    derived = f"{TREEBANK}+colorless"
    source = made / "treebanks" / TREEBANK
    derive("colorless", source, tmp_path / "treebanks" / derived, seed=3)
    shutil.copytree(source, tmp_path / "treebanks" / TREEBANK)
    generate(
        [made / "verbs.grew"], [tmp_path / "treebanks" / name for name in (TREEBANK, derived)], tmp_path / "suites"
    )
    dataset = publish([tmp_path / "suites"], tmp_path / "english", treebanks=tmp_path / "treebanks")
    assert f"The sentences of {derived} are nobody's" in (dataset / "README.md").read_text()
    assert verify(dataset, treebanks=made / "treebanks")


def test_a_repository_is_verified_too(made, hub):  # noqa: F811
    push(made / "english", "lab/english", tag="v1.0.0")
    assert verify("lab/english", treebanks=made / "treebanks", revision="v1.0.0")


def test_what_differs_is_told(made, dataset, capsys):
    (dataset / "LICENSE").write_text("Do what you like.\n")
    (dataset / "CITATION.cff").unlink()
    items, pairs = (dataset / "data" / "verbs" / f"{name}.parquet" for name in ("items", "pairs"))
    table = pq.read_table(pairs)
    write_parquet(table.slice(1), pairs, "pairs/1", read_metadata(pairs))
    write_parquet(pq.read_table(items), items, "items/1", {**read_metadata(items), "seed": 8})
    with pytest.raises(SystemExit) as end:
        main(["verify", str(dataset), "--treebanks", str(made / "treebanks")])
    assert end.value.code == 1
    assert capsys.readouterr().out == (
        "4 of 16 files differ\n"
        "CITATION.cff: is only in what was made again\n"
        "LICENSE: has other text\n"
        "data/verbs/items.parquet: the same rows, but tells another seed\n"
        "data/verbs/pairs.parquet: 0 rows are only here, 1 only in what was made again\n"
        "not checked, as the dataset alone tells it: its title, the names of its tasks, "
        "releases and sources of treebanks\n"
    )


def test_a_treebank_that_is_not_to_be_had_is_told(made, tmp_path):
    with pytest.raises(TreebankError, match="UD_English-Sample is not here, or is another version"):
        verify(made / "english", treebanks=tmp_path)


def test_what_is_no_dataset_is_told(tmp_path):
    with pytest.raises(SuiteError, match="does not say how it was made"):
        verify(tmp_path, treebanks=tmp_path)


def test_a_table_of_paradigms_is_found_by_its_sum(made, tmp_path):
    table = tmp_path / "queries" / "lexicon" / "verbs.tsv"
    table.parent.mkdir(parents=True)
    table.write_text("lemma\tupos\tfeats\tform\nbe\tVERB\tNumber=Sing\tis\nbe\tVERB\tNumber=Plur\tare\n")
    query = tmp_path / "queries" / "verbs.grew"
    query.write_text(QUERY.replace("% limit", "% lexicon: [lexicon/verbs.tsv]\n% limit"))
    generate([query], [made / "treebanks" / TREEBANK], tmp_path / "suites")
    publish([tmp_path / "suites"], tmp_path / "english", treebanks=made / "treebanks")
    with pytest.raises(SuiteError, match=r"the table lexicon/verbs.tsv of verbs is not here"):
        verify(tmp_path / "english", treebanks=made / "treebanks")
    assert verify(tmp_path / "english", treebanks=made / "treebanks", lexicons=[table])


def test_an_imported_suite_is_made_again_from_the_same_file(tmp_path):
    file = tmp_path / "number.json"
    file.write_text(json.dumps(syntaxgym(NUMBER)))
    folder = tmp_path / "suites" / "eng" / "agreement"
    read = read_import(file, name="agreement", language="eng", grammatical=["match_sing"], license="CC0-1.0")
    import_suite(read, folder)
    dataset = publish([folder.parent], tmp_path / "eng")
    assert verify(dataset, treebanks=tmp_path, lexicons=[file])
    file.write_text(json.dumps(syntaxgym(NUMBER, comment="changed")))
    with pytest.raises(SuiteError, match=r"number\.json is not here, or is another version"):
        verify(dataset, treebanks=tmp_path, lexicons=[file])
