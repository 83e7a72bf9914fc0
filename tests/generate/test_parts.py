"""Suites from treebanks of several languages: the same from one run, and from a part for each language."""

from pathlib import Path

import pytest

from starbank.errors import SuiteError
from starbank.files import read_metadata
from starbank.hub.card import Card, render_card
from starbank.hub.suites import read_suites
from starbank.morphology.files import write_lexicon
from starbank.pipeline.generate import generate, generate_parts, merge_parts
from starbank.suites import REJECTED, Suite, merge, read_items
from starbank.treebanks import ingest, open_treebank
from tests.generate.small import EVERYWHERE, ONE, SENTENCES, TWO, contents, query
from tests.small_treebank import conllu

pytestmark = pytest.mark.slow

TURKISH = "UD_Turkish-One"
CASES = EVERYWHERE.replace("{Number: [Sing, Plur]}", "{Case: [Nom, Erg, Dat]}").replace("Number", "Case")


@pytest.fixture
def parts(home):
    """Constructions that run everywhere, treebanks of two languages, a lexicon of each, and their parts."""
    for name in ("cases", "others"):
        Path(f"{name}.grew").write_text(CASES, encoding="utf-8")
    Path(TURKISH).mkdir()
    turkish = conllu(*SENTENCES).replace("Case=Nom", "Case=Nom|Person=3")
    Path(TURKISH, "tr_small-ud-test.conllu").write_text(turkish, encoding="utf-8")
    for name in (ONE, TWO, TURKISH):
        ingest([name], Path("treebanks") / name)
    write_lexicon([open_treebank(Path("treebanks") / name) for name in (ONE, TWO)], Path("kat.parquet"))
    write_lexicon([open_treebank(Path("treebanks") / TURKISH)], Path("tur.parquet"))
    make_parts()
    return [Path("parts/Georgian"), Path("parts/Turkish")]


def queries():
    return sorted(Path().glob("*.grew"))


def make_parts(folder="parts", of=(ONE, TWO, TURKISH)):
    treebanks = [Path("treebanks") / name for name in of]
    generate_parts(queries(), treebanks, Path(folder), lexicons=[Path("kat.parquet"), Path("tur.parquet")])


def test_parts_make_the_same_suites_as_one_run_in_whatever_order(parts):
    together = [Path("treebanks") / name for name in (TURKISH, TWO, ONE)]
    made = generate(queries(), together, Path("direct"), lexicons=[Path("tur.parquet"), Path("kat.parquet")])
    merged = merge_parts(queries(), parts[::-1], Path("merged"))
    assert [str(suite) for suite in merged] == [str(suite) for suite in made]
    assert contents("merged") == contents("direct")
    assert read_items([Path("merged/cases")])["treebank"].to_pylist() == [ONE] * 6 + [TWO] * 6 + [TURKISH] * 6


def test_limits_hold_for_the_whole(parts):
    for file in queries():
        file.write_text(CASES.replace("% target", "% limit: 2\n% target"), encoding="utf-8")
    make_parts()
    (cases, _) = merge_parts(queries(), parts, Path("merged"))
    assert (cases.items, cases.rejects["beyond the limit"]) == (2, 16)


def test_a_limit_keeps_what_it_would_keep_if_all_matches_were_judged(home):
    generate([query("cases")], [ONE], Path("all"))
    generate([query("cases", more="limit: 1")], [ONE], Path("limited"))
    whole = Suite(read_items([Path("all/cases")]), REJECTED.empty_table())
    items = read_items([Path("limited/cases")])["item_id"].to_pylist()
    assert len(items) == 1
    assert items == merge([whole], limit=1).items["item_id"].to_pylist()


def test_only_what_has_changed_is_made_again(parts):
    merge_parts(queries(), parts, Path("merged"))
    before = contents("parts")
    make_parts()
    assert contents("parts") == before
    assert [suite.unchanged for suite in merge_parts(queries(), parts, Path("merged"))] == [True, True]
    Path("cases.grew").write_text(CASES.replace("Erg, ", ""), encoding="utf-8")
    make_parts()
    assert [suite.unchanged for suite in merge_parts(queries(), parts, Path("merged"))] == [False, True]


def test_a_part_of_another_version_of_a_construction_is_refused(parts):
    Path("cases.grew").write_text(CASES.replace("Erg, ", ""), encoding="utf-8")
    with pytest.raises(SuiteError, match=r"cases.grew: the part of Georgian was made from another version"):
        merge_parts(queries(), parts, Path("merged"))
    assert [folder.name for folder in Path("merged").iterdir()] == ["others"]


def test_what_fails_in_a_part_is_raised_where_the_suite_is_put_together(parts, caplog):
    Path("cases.grew").write_text(CASES.replace("% target", "% generator: nonesuch\n% target"), encoding="utf-8")
    make_parts()
    assert "cases.grew: Turkish: cases.grew: there is no generator `nonesuch`" in caplog.text
    with pytest.raises(SuiteError, match="there is no generator `nonesuch`"):
        merge_parts(queries(), parts, Path("merged"))
    assert [folder.name for folder in Path("merged").iterdir()] == ["others"]


def test_a_treebank_that_cannot_be_used_is_left_out_and_told(parts, caplog):
    tokens = Path("treebanks", TURKISH, "tokens.parquet")
    tokens.write_bytes(tokens.read_bytes()[:-100])
    Path("parts/Turkish/items.parquet").unlink()
    make_parts()
    (cases, _) = merge_parts(queries(), parts, Path("merged"))
    assert cases.items == 12
    assert f"cases.grew: {TURKISH} is left out" in caplog.text
    assert str(cases).endswith(f"; not used: {TURKISH}")
    assert read_metadata(Path("merged/cases/items.parquet"))["unserved"].keys() == {TURKISH}
    (published,) = read_suites([Path("merged/cases")])
    assert f"**{TURKISH} could not be used** and gave nothing: this ingested treebank is damaged" in render_card(
        Card([published], "Cases", "cases", [])
    )


def test_a_folder_without_parts_is_told(parts):
    Path("parts/Turkish/items.parquet").unlink()
    with pytest.raises(SuiteError, match=r"parts/Turkish: holds no parts of suites"):
        merge_parts(queries(), parts, Path("merged"))


def test_a_part_does_not_depend_on_the_languages_that_are_made_with_it(parts):
    make_parts("alone", [ONE, TWO])
    make_parts("alone", [TURKISH])
    assert contents("alone") == contents("parts")
