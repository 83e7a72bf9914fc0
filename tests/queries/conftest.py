"""The construction files under `queries/`, tried on sentences and on real treebanks."""

from functools import cache
from pathlib import Path

import pytest

from starbank.grew import Engine, parse_request
from starbank.morphology import Lexicon, build_lexicon
from starbank.pipeline.generate import generate
from starbank.pipeline.generators import load_generator, run_generator, with_covariates
from starbank.queries.constructions import read_construction
from starbank.treebanks import open_treebank
from tests.small_treebank import small_treebank

QUERIES = Path(__file__).resolve().parents[2] / "queries"


@pytest.fixture
def starred(tmp_path):
    """Return the starred sentences that the query file `name` makes of `sentences`, written as in `small_treebank`."""

    def starred(name, *sentences):
        construction = read_construction(QUERIES / f"{name}.grew")
        treebank = small_treebank(tmp_path, *sentences, language=construction.language)
        matches = with_covariates(construction, Engine(treebank))
        lexicon = Lexicon(build_lexicon([treebank]))
        items = run_generator(load_generator(construction), [construction], [matches], treebank, lexicon)[
            0
        ].items.to_pylist()
        conditions = [one for item in items for one in item["conditions"]]
        return ["".join(one["regions"]) for one in conditions if not one["grammatical"]]

    return starred


@pytest.fixture(scope="session")
def matches(shared):
    """Return the matches of a request in a real treebank as lists, by node."""
    engine = cache(lambda treebank: Engine(open_treebank(shared / "treebanks" / treebank)))
    return lambda treebank, request: engine(treebank).match(parse_request(request)).to_pydict()


@pytest.fixture(scope="session")
def make(shared, tmp_path_factory):
    """Make the suites of some query files on a real treebank; return their folder and what became of their matches."""

    @cache
    def make(treebank, *names):
        folder = tmp_path_factory.mktemp("suites")
        files = [QUERIES / f"{name}.grew" for name in names]
        made = generate(files, [shared / "treebanks" / treebank], folder)
        return folder, {one.construction: one for one in made}

    return make
