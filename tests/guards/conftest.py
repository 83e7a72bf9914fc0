"""Suites of examples: a construction and a treebank as small as can be."""

from __future__ import annotations

import pytest

from starbank.grew import Engine
from starbank.guards.examples import Example
from starbank.morphology import Lexicon, build_lexicon
from starbank.pipeline.generators import load_generator, run_generator, with_covariates
from starbank.queries.constructions import read_construction
from tests.small_treebank import small_treebank


@pytest.fixture
def run(tmp_path):
    """Make the suite of an example; returns the construction, the suite, the treebank and the lexicon."""

    def run(example: Example):
        (tmp_path / "example.grew").write_text(example.construction, encoding="utf-8")
        for file, text in example.files.items():
            (tmp_path / file).write_text(text, encoding="utf-8")
        construction = read_construction(tmp_path / "example.grew")
        sentences = (example.sentence, *example.beside)
        treebank = small_treebank(tmp_path / "treebank", *sentences, language=example.language)
        lexicon = Lexicon(build_lexicon([treebank]))
        matches = with_covariates(construction, Engine(treebank))
        (suite,) = run_generator(load_generator(construction), [construction], [matches], treebank, lexicon)
        return construction, suite, treebank, lexicon

    return run


@pytest.fixture
def reasons(run):
    """Return what is said of the first of some sentences, as pairs of a guard and its words."""

    def reasons(*sentences: str, **construction: str):
        example = Example(
            "", sentence=sentences[0], starred="", gloss="", detail="", beside=sentences[1:], **construction
        )
        _, suite, _, _ = run(example)
        return [(row["reason"], row["detail"]) for row in suite.rejected.to_pylist() if row["sent_id"] == "s1"]

    return reasons
