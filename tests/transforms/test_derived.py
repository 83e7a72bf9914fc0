"""Derived treebanks as files: what they hold, where they say they come from, and that they compose."""

import json

import pytest

from starbank.errors import ConfigError
from starbank.transforms import derive
from starbank.treebanks import ingest, open_treebank


@pytest.fixture
def ingested(sample, tmp_path):
    """The folder of ingested treebanks, with the Hindi sample."""
    ingest([sample / "UD_Hindi-Sample"], tmp_path / "UD_Hindi-Sample")
    return tmp_path


def make(ingested, name, source, **more):
    output = ingested / f"{source}+{name}"
    derive(name, source, output, ingested=ingested, **more)
    return output


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_derived_treebank_says_what_it_was_made_from_and_keeps_its_licence(ingested):
    output = make(ingested, "latin", "UD_Hindi-Sample", options={"scheme": "itrans"}, seed=3)
    info = json.loads((output / "treebank.json").read_text())
    source = json.loads((ingested / "UD_Hindi-Sample" / "treebank.json").read_text())
    assert info["name"] == "UD_Hindi-Sample+latin"
    for key in ("language", "license", "release", "readme"):
        assert info[key] == source[key]
    derived = info["derived"]
    assert (derived["from"], derived["transform"], derived["seed"]) == ("UD_Hindi-Sample", "latin", 3)
    assert (derived["options"], derived["schemes"]) == ({"scheme": "itrans"}, {"devanagari": "itrans"})
    assert derived["files"] == source["files"]
    assert (output / "LICENSE.txt").read_bytes() == (ingested / "UD_Hindi-Sample" / "LICENSE.txt").read_bytes()


def test_the_same_seed_gives_the_same_bytes(ingested):
    once = contents(make(ingested, "colorless", "UD_Hindi-Sample", options={"preset": "vyakarana"}, seed=7))
    again = contents(make(ingested, "colorless", "UD_Hindi-Sample", options={"preset": "vyakarana"}, seed=7))
    other = contents(make(ingested, "colorless", "UD_Hindi-Sample", options={"preset": "vyakarana"}, seed=8))
    assert once == again
    assert once["tokens.parquet"] != other["tokens.parquet"]


def test_conllu_read_again_gives_the_same_tables(ingested, tmp_path):
    conllu = tmp_path / "conllu"
    output = make(ingested, "colorless", "UD_Hindi-Sample", options={"preset": "vyakarana"}, conllu=conllu)
    read = ingest([conllu], tmp_path / "again", name="UD_Hindi-Sample+colorless")
    made = open_treebank(output)
    assert read.tokens.equals(made.tokens)
    assert read.sentences.equals(made.sentences)
    assert read.info["files"] == made.info["files"]


def test_transforms_compose(ingested):
    options = {"preset": "vyakarana", "variants": 2}
    make(ingested, "green", "UD_Hindi-Sample", generator="colorless", options=options)
    output = make(ingested, "latin", "UD_Hindi-Sample+green")
    made = open_treebank(output)
    assert made.name == "UD_Hindi-Sample+green+latin"
    assert made.sentences.num_rows == 2 * open_treebank(ingested / "UD_Hindi-Sample").sentences.num_rows
    assert made.info["derived"]["steps"]["options"] == options
    # Green sentences have the words of their source, which Latin letters make others.
    assert open_treebank(ingested / "UD_Hindi-Sample+green").info["derived"]["words"] == "UD_Hindi-Sample"
    assert made.info["derived"]["words"] == "UD_Hindi-Sample+latin"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("colorles", {}, "there is no transform `colorles`\nDid you mean `colorless`?"),
        ("minimal_sets", {}, "`minimal_sets` is no transform: it makes suites of constructions"),
        ("colorless", {"prest": "strict"}, "the transform `colorless` has no option `prest`\nDid you mean `preset`?"),
        ("colorless", {"variants": "four"}, "cannot be 'four'\nBy default it is 1."),
        ("swapped", {"preset": "strict"}, "has no option `preset`\nIt has none."),
    ],
)
def test_a_slip_is_told(ingested, name, options, message):
    with pytest.raises(ConfigError) as caught:
        make(ingested, name, "UD_Hindi-Sample", options=options)
    assert message in str(caught.value)
