"""The English and Hindi sample treebanks and their constructions hold what their READMEs and comments promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pandas import DataFrame, read_parquet

from starbank.pipeline.generate import generate

# One worker makes the suites.
pytestmark = [pytest.mark.xdist_group("samples"), pytest.mark.slow]

LANGUAGES = {"UD_English-Sample": "en", "UD_Hindi-Sample": "hi"}
QUERIES = {
    "UD_English-Sample": Path("queries/eng/subject-verb-number.grew"),
    "UD_Hindi-Sample": Path("queries/hin/ne-noun-perfective.grew"),
}


@pytest.mark.parametrize(("treebank", "language"), LANGUAGES.items())
def test_the_treebank_is_valid_ud(sample: Path, treebank: str, language: str):
    files = sorted((sample / treebank).glob("*.conllu"))
    assert len(files) == 2
    for file in files:
        command = [Path(sys.executable).with_name("udvalidate"), "--lang", language, "--no-warnings", file]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("treebank", LANGUAGES)
def test_the_readme_counts_the_sentences_right(sample: Path, treebank: str):
    readme = re.sub(r"\s+", " ", (sample / treebank / "README.md").read_text())
    for file in (sample / treebank).glob("*.conllu"):
        sentences = file.read_text().count("# sent_id = ")
        assert re.search(rf"`{file.name}` has {sentences}\b", readme)


def make_pairs(treebank: str, sample: Path, folder: Path) -> DataFrame:
    query = sample.parents[1] / QUERIES[treebank]
    generate([query], [sample / treebank], folder)
    return read_parquet(folder / query.stem / "pairs.parquet")


@pytest.fixture(scope="module")
def english(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    return make_pairs("UD_English-Sample", sample, tmp_path_factory.mktemp("english"))


def test_an_english_verb_agrees_with_its_subject_and_not_with_an_attractor(english: DataFrame):
    starred = dict(zip(english.sentence_bad, english.sentence_good, strict=True))
    assert len(starred) >= 60
    assert starred["The keys to the cellar hangs behind the door."] == "The keys to the cellar hang behind the door."
    assert starred["The key to the rooms hang on a nail."] == "The key to the rooms hangs on a nail."


@pytest.mark.parametrize(
    "sentence",
    [
        "The team play in the city on Saturday.",  # collective noun
        "The sheep sleeps under the old bridge.",  # one form for both numbers
        "The teacher read a story to the children.",  # past tense
        "The book that the students read cost ten dollars.",
        "The coach insists that the goalkeeper wear gloves.",  # subjunctive
        "A number of visitors arrives by boat.",  # quantity
        "Neither the pilot nor the passengers sees the storm.",  # coordination
        "The shop near the station sell fresh bread.",  # people behind an institution
    ],
)
def test_english_that_may_be_said_gets_no_star(english: DataFrame, sentence: str):
    assert sentence not in set(english.sentence_bad)


def test_a_hindi_subject_with_ne_takes_no_habitual(sample: Path, tmp_path: Path):
    pairs = make_pairs("UD_Hindi-Sample", sample, tmp_path)
    assert len(pairs) >= 30
    assert pairs.form_bad.str.fullmatch("[ऀ-ॿ]*(ता|ते|ती|तीं)").all()
    assert pairs.prefix.str.contains(" ने ").all()
    starred = dict(zip(pairs.sentence_bad, pairs.sentence_good, strict=True))
    assert starred["लड़कियों ने मधुर गीत गाते हैं।"] == "लड़कियों ने मधुर गीत गाए हैं।"
