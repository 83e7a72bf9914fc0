"""Suites from constructions and treebanks: what is made, and what cannot be."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from starbank.errors import ConstructionError, PluginError, SuiteError, UsageError
from starbank.files import read_metadata
from starbank.pipeline.generate import generate
from starbank.suites import read_items
from tests.generate.small import ONE, clause, query
from tests.small_treebank import conllu

ROOT = Path(__file__).resolve().parents[2]


def test_a_suite_is_three_files_in_the_folder_of_its_construction(home):
    (made,) = generate([query("nom-subj")], [ONE], Path("out"))
    assert str(made) == "nom-subj: 3 items from 3 matches"
    assert sorted(file.name for file in Path("out/nom-subj").iterdir()) == [
        "items.parquet",
        "pairs.parquet",
        "rejected.parquet",
    ]
    assert pq.read_table("out/nom-subj/pairs.parquet")["sentence_bad"].to_pylist()[:2] == ["კაცმა ზის.", "კაცს ზის."]


def test_rejected_matches_are_counted_by_reason(home):
    Path("sheep.conllu").write_text(
        conllu(clause("ცხვარი", "ცხვარი", "Nom"), clause("თხა", "თხა", "Nom")), encoding="utf-8"
    )
    (made,) = generate([query("nom-subj")], ["sheep.conllu"], Path("out"))
    assert (made.matches, made.items, made.rejects) == (2, 0, {"no form": 2})
    assert str(made) == "nom-subj: 0 items from 2 matches; 2 no form"


def test_the_metadata_say_what_the_suite_was_made_from(home):
    file = query("nom-subj", more="title: Nominative subject")
    generate([file], [ONE], Path("out"))
    metadata = read_metadata(Path("out/nom-subj/items.parquet"))
    assert metadata["construction"] == {
        "name": "nom-subj",
        "title": "Nominative subject",
        "language": "kat",
        "phenomenon": "nom-subj",
        "query": file.read_text(encoding="utf-8"),
        "query_sha256": metadata["construction"]["query_sha256"],
        "cite": "",
        "control": False,
        "predictions": [],
    }
    assert [treebank["name"] for treebank in metadata["treebanks"]] == [ONE]
    assert metadata["treebanks"][0]["files"][0]["name"] == "ka_small-ud-test.conllu"
    assert (metadata["seed"], metadata["matches"], metadata["items"]) == (0, 3, 3)
    assert str(home) not in str(metadata)


def test_two_constructions_of_one_name_are_refused(home):
    Path("other").mkdir()
    first = query("nom-subj")
    second = first.rename("other/nom-subj.grew")
    with pytest.raises(UsageError, match="a second construction named nom-subj"):
        generate([query("nom-subj"), second], [ONE], Path("out"))


BROKEN = """
from starbank.plugins import generator

@generator
def broken(construction, matches, treebank, lexicon):
    return treebank.tokens["Nonsense"]
"""


def test_a_construction_that_fails_does_not_take_the_others_with_it(home):
    Path("generators").mkdir()
    Path("generators/broken.py").write_text(BROKEN)
    Path("unreadable.grew").write_text("pattern { X [upos=VERB }")
    files = [Path("unreadable.grew"), query("broken", more="generator: broken"), query("nom-subj")]
    with pytest.raises(SuiteError) as caught:
        generate(files, [ONE], Path("out"))
    assert caught.value.message == "2 of 3 suites could not be made"
    unreadable, broken = caught.value.hint.split("\n", 2)[0], caught.value.hint.splitlines()[-1]
    assert unreadable.startswith("unreadable.grew:")
    assert broken == (
        "generators/broken.py:6: broken: the generator `broken` failed in UD_Georgian-One with KeyError: "
        "'Field \"Nonsense\" does not exist in schema'"
    )
    assert [folder.name for folder in Path("out").iterdir()] == ["nom-subj"]


def test_an_unknown_generator_names_those_that_exist(home):
    with pytest.raises(ConstructionError) as caught:
        generate([query("nom-subj", more="generator: minimal_set")], [ONE], Path("out"))
    assert caught.value.message == "there is no generator `minimal_set`"
    names = "mined_agreement, minimal_sets, rewritten_sets"
    assert caught.value.hint == f"Did you mean `minimal_sets`? The valid names are {names}."


def test_a_generator_without_its_function_is_refused(home):
    Path("generators").mkdir()
    Path("generators/empty.py").write_text("")
    with pytest.raises(PluginError, match="no function `empty` is registered here"):
        generate([query("nom-subj", more="generator: empty")], [ONE], Path("out"))


def test_georgian_case_from_attested_forms_alone(shared, tmp_path):
    """Grew-TSE 0.1.3 makes 74 three-way sets of the 1287 matches of the published requests in GLC dev and test."""
    queries = sorted((ROOT / "queries/kat/published").glob("*.grew"))
    made = generate(queries, [shared / "treebanks/UD_Georgian-GLC"], tmp_path)
    assert sum(suite.matches for suite in made) == 1287
    assert sum(suite.items for suite in made) >= 200
    for suite in made:
        assert suite.items + sum(suite.rejects.values()) == suite.matches
    items = read_items([tmp_path])
    assert len(set(items["item_id"].to_pylist())) == items.num_rows
    for row in items.to_pylist():
        texts = {"".join(condition["regions"]) for condition in row["conditions"]}
        assert len(texts) == 3
