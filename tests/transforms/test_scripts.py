"""Lexicons of derived treebanks, and requests that mention words which a treebank has in other letters."""

import pytest

from starbank.errors import ConstructionError
from starbank.files import read_metadata
from starbank.pipeline.generate import generate
from starbank.queries.constructions import read_construction
from starbank.transforms import derive
from starbank.transforms.scripts import attests, require_script
from starbank.treebanks import ingest, open_treebank

pytestmark = pytest.mark.slow

QUERY = """\
% ---
% language: kat
% treebanks: [UD_Georgian-Sample]
% target: SUBJ
% vary: {{Case: [Nom, Erg, Dat]}}
% ---
pattern {{ SUBJ [Case=Nom{more}]; V -[nsubj]-> SUBJ }}
"""


@pytest.fixture
def treebanks(sample, tmp_path):
    """The Georgian sample, green and in Latin letters."""
    ingest([sample / "UD_Georgian-Sample"], tmp_path / "UD_Georgian-Sample")
    for name in ("colorless", "latin"):
        derive(name, "UD_Georgian-Sample", tmp_path / f"UD_Georgian-Sample+{name}", ingested=tmp_path)
    return tmp_path


def query(folder, more=""):
    file = folder / "subject.grew"
    file.write_text(QUERY.format(more=more), encoding="utf-8")
    return file


def test_a_lexicon_does_not_count_words_twice_that_a_transform_only_moves(treebanks):
    names = ["UD_Georgian-Sample", "UD_Georgian-Sample+colorless"]
    source, green = (open_treebank(treebanks / name) for name in names)
    assert attests(source, names)
    assert not attests(green, names)
    assert attests(green, ["UD_Georgian-Sample+colorless"])
    paths = [treebanks / name for name in names]
    generate([query(treebanks)], paths, treebanks / "suites")
    lexicon_treebanks = read_metadata(treebanks / "suites" / "subject" / "items.parquet")["inputs"]["lexicons"][0][
        "treebanks"
    ]
    assert [one["name"] for one in lexicon_treebanks] == ["UD_Georgian-Sample"]


def test_words_in_letters_that_the_treebank_lost_are_refused(treebanks):
    latin = open_treebank(treebanks / "UD_Georgian-Sample+latin")
    require_script(read_construction(query(treebanks)), [latin])
    with pytest.raises(ConstructionError) as caught:
        require_script(read_construction(query(treebanks, ', lemma="კაცი"')), [latin])
    assert str(caught.value).endswith(
        "the request mentions words in Georgian letters, and UD_Georgian-Sample+latin has none\n"
        "Run it on the treebank in its own script."
    )


def test_a_construction_runs_on_a_derived_treebank(treebanks):
    for name in ("colorless", "latin"):
        file = query(treebanks)
        file.write_text(file.read_text().replace("UD_Georgian-Sample", f"UD_Georgian-Sample+{name}"))
        (made,) = generate([file], [treebanks / f"UD_Georgian-Sample+{name}"], treebanks / name)
        assert made.items > 100
