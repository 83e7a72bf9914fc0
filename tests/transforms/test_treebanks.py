"""What holds of every colorless green treebank, on the samples and on real treebanks."""

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from starbank.transforms import derive
from starbank.transforms.presets import PRESETS
from starbank.transforms.respell import covering
from starbank.treebanks import Treebank, open_treebank, read_conllu
from starbank.treebanks.arrays import mask, take

pytestmark = pytest.mark.slow

STAYS = ("id", "position", "upos", "xpos", "feats", "deprel", "head", "deps")
SAMPLES = ("UD_English-Sample", "UD_Georgian-Sample", "UD_Hindi-Sample")
# Multiword tokens of several make, elision, names in German, sentences without a name.
REAL = ("UD_Arabic-PUD", "UD_French-PUD", "UD_German-PUD", "UD_Hebrew-HTB", "UD_Swahili-OPUSGV", "UD_Tamil-TTB")


@pytest.fixture(scope="module")
def derived(tmp_path_factory):
    """Derive a colorless treebank from a folder; return both, and the table of substitutions."""
    folder = tmp_path_factory.mktemp("derived")

    def derived(source, preset):
        output = folder / f"{source.name}-{preset}"
        made, _ = derive("colorless", source, output, options={"preset": preset}, seed=1)
        return read_conllu([source]), made, pq.read_table(output / "substitutions.parquet")

    return derived


def check(source: Treebank, made: Treebank, substitutions: pa.Table) -> None:
    for name in STAYS:
        assert made.tokens[name].to_pylist() == source.tokens[name].to_pylist(), name
    check_places(made)
    check_sentences(source, made, substitutions)


def check_places(made: Treebank) -> None:
    """Every word that has a place in the text stands there."""
    assert not pc.any(made.sentences["text_rebuilt"]).as_py()
    texts = made.sentences["text"].to_pylist()
    tokens = made.tokens.select(["sent", "form", "start", "end"]).to_pylist()
    placed = [token for token in tokens if token["start"] is not None]
    assert all(texts[token["sent"]][token["start"] : token["end"]] == token["form"] for token in placed)


def check_sentences(source: Treebank, made: Treebank, substitutions: pa.Table) -> None:
    """Function words stay, and a sentence that could change did."""
    content = mask(pc.is_in(source.tokens["upos"].combine_chunks(), substitutions["upos"].unique()))
    other = (
        ~content & (covering(source.tokens) < 0) & ~mask(pc.match_substring(source.tokens["id"], "-").combine_chunks())
    )
    rows = other.nonzero()[0]
    kept, new = (take(table.tokens["form"].combine_chunks(), rows).to_pylist() for table in (source, made))
    assert kept == new
    could = substitutions.filter(substitutions["reason"].is_null())["sent_id"].unique()
    changed = substitutions.filter(substitutions["changed"])["sent_id"].unique()
    assert set(could.to_pylist()) == set(changed.to_pylist())


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", SAMPLES)
def test_the_tree_stays_and_texts_fit(derived, sample, name, preset):
    check(*derived(sample / name, preset))


@pytest.mark.parametrize("name", REAL)
def test_the_tree_of_real_treebanks_stays_and_texts_fit(derived, shared, name):
    check(*derived(shared / "treebanks" / name, "strict"))


def test_words_are_replaced_as_often_as_in_the_published_tamil_treebank(shared, tmp_path):
    """Of the released splits 87 % of nouns differ from the source, 59 % of names and 85 % of those that have a case,
    and 25 % of verbs; sentences are 480, 320 and 1596, one of 400 in four variants being left out there."""
    options = {"preset": "vyakarana", "variants": 4}
    source = shared / "treebanks" / "UD_Tamil-TTB"
    derive("green", source, tmp_path / "green", generator="colorless", options=options)
    table = pq.read_table(tmp_path / "green" / "substitutions.parquet")
    table = table.filter(pc.is_in(table["split"], pa.array(["test", "dev"])))

    def rate(upos, case=""):
        words = table.filter(pc.and_(pc.equal(table["upos"], upos), pc.match_substring(table["feats"], case)))
        return pc.mean(words["changed"]).as_py()

    assert rate("NOUN") == pytest.approx(0.87, abs=0.03)
    assert rate("PROPN") == pytest.approx(0.59, abs=0.03)
    assert rate("PROPN", "Case=") == pytest.approx(0.85, abs=0.03)
    assert rate("VERB") == pytest.approx(0.25, abs=0.03)
    swapped, _ = derive("swapped", tmp_path / "green", tmp_path / "swapped")
    counts = {file["split"]: file["sentences"] for file in swapped.info["files"]}
    assert counts == {"train": 480, "dev": 320, "test": 1600}


def test_hindi_nouns_of_both_genders_are_nearly_as_many_where_all_are_exchanged(shared, tmp_path):
    options = {"preset": "vyakarana", "gender": ["original", "opposite"]}
    derive("green", shared / "treebanks" / "UD_Hindi-PUD", tmp_path / "green", generator="colorless", options=options)
    tokens = open_treebank(tmp_path / "green").tokens
    nouns = tokens.filter(pc.is_in(tokens["upos"], pa.array(["NOUN", "PROPN"])))
    counts = dict(zip(*(column.to_pylist() for column in nouns["Gender"].value_counts().flatten()), strict=True))
    assert 0.4 < counts["Fem"] / (counts["Fem"] + counts["Masc"]) < 0.45
