"""What becomes of arcs: items of those whose pattern tells the number, and nonce versions of these."""

import pytest

from starbank.errors import ConstructionError
from starbank.grew import Engine
from starbank.morphology import Lexicon, build_lexicon
from starbank.pipeline.generators import load_generator, run_generator, with_covariates
from starbank.queries.constructions import read_construction
from tests.mining.sentences import DOOR, DOORS, KEY, KEYS, lie
from tests.small_treebank import small_treebank

pytestmark = pytest.mark.slow

QUERY = """\
% ---
% language: eng
% treebanks: [UD_Small]
% target: [GOV, DEP]
% vary: {Number: [Sing, Plur]}
% generator: mined_agreement
SETTINGS% ---
pattern { e: GOV -> DEP; GOV [Number]; DEP [Number] }
"""


@pytest.fixture
def mine(tmp_path):
    """Make items of English sentences; returns items and rejects as dicts."""

    def mine(*sentences, options="fewest: 1, nonce: 0", settings="", request=""):
        file = tmp_path / "agreement.grew"
        text = QUERY.replace("SETTINGS", f"% options: {{{options}}}\n{settings}") + request
        file.write_text(text, encoding="utf-8")
        construction = read_construction(file)
        treebank = small_treebank(tmp_path / "treebank", *sentences, language="eng")
        matches = with_covariates(construction, Engine(treebank))
        lexicon = Lexicon(build_lexicon([treebank]))
        (suite,) = run_generator(load_generator(construction), [construction], [matches], treebank, lexicon)
        return suite.items.to_pylist(), suite.rejected.to_pylist()

    return mine


def pairs(items):
    """Return prefix, grammatical and starred form of each item."""
    return [(item["conditions"][0]["regions"][0], *(c["form"] for c in item["conditions"])) for item in items]


def covariates(item):
    return {covariate["name"]: covariate["value"] for covariate in item["covariates"]}


def test_items_of_a_pattern(mine):
    items, _ = mine(KEY, DOOR, KEYS, DOORS)
    assert pairs(items) == [
        ("The key to the old cabinet ", "lies", "lie"),
        ("The door to the old house ", "sleeps", "sleep"),
        ("The keys to the old cellar ", "lie", "lies"),
        ("The doors to the old barn ", "sleep", "sleeps"),
    ]
    assert [[c["name"] for c in item["conditions"]] for item in items[1:3]] == [["Sing", "Plur"], ["Plur", "Sing"]]
    assert [(item["distance"], item["attractors"]) for item in items] == [(5, 0), (5, 0), (5, 1), (5, 1)]
    assert covariates(items[2]) == {
        "pattern NOUN_NOUN_VERB L": 1,
        "attractors like the cue": 1,
        "nonce": 0,
        "replaced": 0,
        "more frequent form": 0,
    }


def test_too_few_arcs_are_no_pattern(mine):
    items, rejected = mine(KEY, DOOR, KEYS)
    assert items == []
    assert {row["reason"] for row in rejected if row["target_id"] == "7"} == {"no pattern"}


def test_the_reasons_of_arcs(mine):
    _, rejected = mine(KEY, DOOR, KEYS, DOORS, options="fewest: 1, nonce: 0, longest: 4")
    reasons = {(row["target_id"], row["reason"], row["detail"]) for row in rejected}
    assert reasons == {("7", "arc of another length", "5 words"), ("6", "no pattern", "NOUN_ADP_DET_ADJ_NOUN R")}


def test_an_arc_whose_ends_disagree_is_rejected(mine):
    slip = lie("gates", "gate", "Plur", "yard", "waits", "wait").replace("Ind|Number=Plur", "Ind|Number=Sing")
    items, rejected = mine(KEY, DOOR, KEYS, DOORS, slip)
    assert len(items) == 4
    (row,) = [row for row in rejected if row["target_id"] == "7"]
    assert (row["reason"], row["detail"]) == ("controller does not agree", "Plur, Sing")


def test_nonce_versions_keep_the_grammar(mine):
    items, _ = mine(KEY, DOOR, KEYS, DOORS, options="fewest: 1, nonce: 3")
    originals = [item for item in items if covariates(item)["nonce"] == 0]
    assert len(originals) == 4
    versions = [item for item in items if covariates(item)["nonce"]]
    assert versions
    for item in versions:
        good, bad = item["conditions"]
        number = "Sing" if item["sent_id"] in ("s1", "s2") else "Plur"
        assert good["name"] == number
        # A sentence keeps all but its content words, which are of the same number.
        subject = good["regions"][0].split()[1]
        assert subject in {"Sing": ("key", "door"), "Plur": ("keys", "doors")}[number]
        assert good["regions"][0].startswith(f"The {subject} to the old ")
        assert {good["form"], bad["form"]} in ({"lie", "lies"}, {"sleep", "sleeps"})
        assert covariates(item)["replaced"] > 0


def test_nonce_versions_are_the_same_with_the_same_seed(mine):
    options = "fewest: 1, nonce: 3"
    assert mine(KEY, DOOR, KEYS, DOORS, options=options) == mine(KEY, DOOR, KEYS, DOORS, options=options)


def test_a_nonce_version_that_the_request_refuses_is_rejected(mine):
    sentences = [KEY, DOOR, KEYS, DOORS, lie("team", "team", "Sing", "sea", "waits", "wait")]
    request = 'without { GOV -[nsubj]-> DEP; DEP [lemma="team"] }'
    items, rejected = mine(*sentences, options="fewest: 1, nonce: 9", request=request)
    assert not any("team to" in pair[0] for pair in pairs(items))
    assert any(row["reason"] == "no match of the request" and "team" in row["text"] for row in rejected)


def test_only_words_of_the_vocabulary(mine, tmp_path):
    (tmp_path / "words.tsv").write_text(
        "\n".join(["the\t9", "The\t9", "to\t9", "old\t9", "house\t2", "cabinet\t2", "cellar\t2", "barn\t2"])
        + "\nkey\t3\nkeys\t2\ndoor\t2\ndoors\t2\nlies\t7\nlie\t5\nsleep\t1\n",
        encoding="utf-8",
    )
    items, rejected = mine(KEY, DOOR, KEYS, DOORS, settings="% vocabulary: [words.tsv]\n")
    assert pairs(items) == [
        ("The key to the old cabinet ", "lies", "lie"),
        ("The keys to the old cellar ", "lie", "lies"),
    ]
    assert [covariates(item)["more frequent form"] for item in items] == [1, 0]
    told = [(row["form"], row["detail"]) for row in rejected if row["reason"] == "not in the vocabulary"]
    assert told == [("sleeps", "sleeps"), ("sleep", "sleep, sleeps")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("distance: 3", "the generator `mined_agreement` has no option `distance`"),
        ("nonce: many", "the option `nonce` of the generator `mined_agreement` cannot be 'many'"),
        ("preset: gulordave", "there is no preset `gulordave`"),
    ],
)
def test_options_that_there_are_not(mine, options, message):
    with pytest.raises(ConstructionError) as raised:
        mine(KEY, options=options)
    assert raised.value.message == message


def test_no_more_arcs_are_judged_than_a_limit_needs(mine):
    old = ["old", "new", "big", "red", "wet", "dry", "hot", "icy"]
    items, rejected = mine(
        *(sentence.replace("old", word) for word in old for sentence in (KEY, DOOR, KEYS, DOORS)),
        settings="% limit: 1\n",
    )
    beyond = [row["detail"] for row in rejected if row["reason"] == "beyond the limit"]
    assert len(items) == 9
    assert beyond == ["the construction wants 1 items"] * (32 - 9)
