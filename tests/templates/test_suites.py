"""Templates -> suites that are like any other."""

import json
import re
from pathlib import Path

import pytest

from starbank.errors import SuiteError
from starbank.files import read_metadata, read_parquet
from starbank.hub import publish
from starbank.pipeline.generate import generate
from starbank.pipeline.verify import verify
from starbank.queries.templates import read_template
from starbank.scoring.conditions import read_conditions, to_texts
from starbank.sets.templates import Space, describe
from starbank.sets.templates.sentences import identity
from starbank.suites import ITEMS, PAIRS
from tests.templates.conftest import TEMPLATE

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = sorted((ROOT / "queries").rglob("*.template"))


@pytest.fixture
def suite(write, tmp_path):
    text = TEMPLATE.replace("the {N}] ", "the {N}] [attractor near the {M}] ").replace(
        "slots:\n", "slots:\n  M: {from: nouns, kind: animal, Number: Plur}\n"
    )
    generate([write(text)], [], tmp_path / "suites" / "eng-dogs")
    return tmp_path / "suites" / "eng-dogs" / "verbs"


def test_an_item_has_named_regions_and_comes_from_the_lexicon(suite):
    items = read_parquet(suite / "items.parquet")
    assert items.schema.remove_metadata() == ITEMS
    item = next(row for row in items.to_pylist() if row["conditions"][0]["regions"][0] == "The king ")
    assert item["region_names"] == ["subject", "attractor", "target", "suffix"]
    verb = item["conditions"][0]["form"]
    good, bad = item["conditions"]
    assert (good["name"], good["grammatical"], good["regions"]) == (
        "Sing",
        True,
        ["The king ", "near the dogs ", verb, "."],
    )
    assert (bad["name"], bad["grammatical"], bad["against"], bad["form"]) == (
        "Plur",
        False,
        "Sing",
        verb.removesuffix("s"),
    )
    assert (item["treebank"], item["split"]) == ("English-Lexicon", "test")
    assert (item["target"]["upos"], item["target"]["feats"], item["position"]) == ("VERB", "Number=Sing", 6)
    assert (item["length"], item["distance"], item["attractors"]) == (7, 4, 1)


def test_predictions_are_formulas_over_its_regions_and_conditions(write, tmp_path):
    formula = "(target;%Plur%) > (target;%Sing%)"
    generate([write(f"{TEMPLATE}predictions:\n  - {formula}\n")], [], tmp_path)
    assert read_metadata(tmp_path / "verbs" / "items.parquet")["construction"]["predictions"] == [formula]
    with pytest.raises(SuiteError, match=r"verbs\.template:\d+: there is no region verb\n"):
        read_template(write(f"{TEMPLATE}predictions:\n  - (verb;%Plur%) > 1\n"))


def test_a_pair_has_all_before_the_target_as_its_prefix(suite):
    pairs = read_parquet(suite / "pairs.parquet")
    assert pairs.schema.remove_metadata() == PAIRS
    pair = next(row for row in pairs.to_pylist() if row["sentence_good"] == "The men near the dogs sleep.")
    assert (pair["prefix"], pair["form_good"], pair["form_bad"], pair["suffix"]) == (
        "The men near the dogs ",
        "sleep",
        "sleeps",
        ".",
    )


@pytest.mark.parametrize(("sentence", "scored"), [("[target {V}].", "barks"), ("[target {V}.]", "barks.")])
def test_what_is_scored_is_the_target(write, tmp_path, sentence, scored):
    """The published metric of BHS has the full stop in it."""
    generate([write(TEMPLATE.replace("[target {V}].", sentence))], [], tmp_path / "suites")
    texts = to_texts(read_conditions([tmp_path / "suites" / "verbs"]))
    assert next(text.text[slice(*text.word_span)] for text in texts if text.text == "The dog barks.") == scored
    [form] = [row["form_good"] for row in read_parquet(tmp_path / "suites" / "verbs" / "pairs.parquet").to_pylist()
              if row["sentence_good"] == "The dog barks."]  # fmt: skip
    assert form == "barks"


def test_the_same_template_leaves_the_suite_and_another_lexicon_makes_it_anew(suite, write, tmp_path):
    template = tmp_path / "verbs.template"
    [again] = generate([template], [], suite.parent)
    assert again.unchanged
    lexicon = tmp_path / "lexicon" / "verbs.tsv"
    lexicon.write_text(lexicon.read_text().replace("laugh", "smile"))
    [changed] = generate([template], [], suite.parent)
    assert not changed.unchanged
    assert read_metadata(suite / "items.parquet")["space"] == changed.items


def test_a_dataset_is_under_the_licence_of_the_lexicon_and_can_be_verified(suite, tmp_path):
    dataset = publish([suite.parent], tmp_path / "eng-dogs")
    card = (dataset / "README.md").read_text()
    assert "license: cc-by-4.0" in card
    assert "made by Starbank from templates and a lexicon." in card
    assert re.search(r"\| (dog|man|king)\.(Sing|Plur) \| dog\.Plur \|", card)
    assert "treebank" not in (dataset / "CITATION.cff").read_text().split("references:")[1]
    regions = json.loads((dataset / "suites" / "verbs.json").read_text())["region_meta"]
    assert regions == {"1": "subject", "2": "attractor", "3": "target", "4": "suffix"}
    assert (dataset / "lm_eval" / "verbs-items.yaml").is_file()
    found = verify(dataset, treebanks=tmp_path / "none", lexicons=[tmp_path / "lexicon" / "nouns.tsv"])
    assert found, found


def test_a_description_has_the_size_and_glossed_sentences(write):
    described = describe(write(), examples=3)
    assert (described.size, described.slots, len(described.examples)) == (12, {"N": 6, "V": 8}, 3)
    assert str(described).startswith("verbs: 12 sentences, all of them; words by slot: N 6, V 8\n")
    example = next(one for one in describe(write()).examples if one.good == "The men laugh.")
    assert (example.starred, example.gloss) == (
        ("The men laughs.",),
        (("men", "man.Plur"), ("laugh", "laugh.Plur")),
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: str(path.relative_to(ROOT / "queries")))
def test_a_bundled_template_has_enough_sentences_and_each_is_well_formed(path):
    described = describe(path, examples=20)
    assert described.size >= min(described.limit, 480)
    assert len({example.good for example in described.examples}) == 20
    for example in described.examples:
        for text in (example.good, *example.starred):
            assert text == " ".join(text.split())
            assert text[-1] in ".।"
            assert text[0].isupper() or text[-1] == "।"
            assert "{" not in text
        assert example.good not in example.starred


@pytest.mark.parametrize("name", ["eng/clams/verb-coordination", "fra/clams/simple", "deu/clams/simple"])
def test_the_count_of_sentences_is_exact(name):
    template = read_template(ROOT / "queries" / f"{name}.template")
    space = Space(template)
    assert len({identity(template, space.choose(number)[1]) for number in range(space.size)}) == space.size


def test_each_language_has_the_suites_of_bhs():
    names = {
        language: {path.stem for path in BUNDLED if path.parts[-3:-1] == (language, "bhs")}
        for language in ("eus", "hin", "swa")
    }
    assert {language: len(found) for language, found in names.items()} == {"eus": 8, "hin": 6, "swa": 8}
    assert all(read_template(path).limit == 1000 for path in BUNDLED if "bhs" in path.parts)
