"""Which treebanks and which lexicon a suite is made from."""

from pathlib import Path

import pytest

from starbank.errors import TreebankError, UsageError
from starbank.files import read_metadata, write_parquet
from starbank.morphology import build_lexicon
from starbank.morphology.files import write_lexicon
from starbank.pipeline.generate import generate
from starbank.suites import read_items
from starbank.transforms import derive
from starbank.treebanks import ingest, read_conllu
from tests.generate.small import EVERYWHERE, ONE, SENTENCES, TWO, clause, query
from tests.small_treebank import conllu

pytestmark = pytest.mark.slow


def test_treebanks_that_are_given_take_the_place_of_those_that_a_construction_names(home):
    generate([query("one", treebank=ONE), query("both", treebank=f"{ONE}, {TWO}")], [ONE, TWO], Path("out"))
    for suite in ("one", "both"):
        assert read_items([Path("out", suite)])["treebank"].to_pylist() == [ONE] * 3 + [TWO] * 3


def test_without_them_each_construction_runs_on_those_that_it_names(home):
    for name in (ONE, TWO):
        ingest([name], Path("outputs/treebanks") / name)
    generate([query("one", treebank=ONE), query("both", treebank=f"{ONE}, {TWO}")], [], Path("out"))
    assert read_items([Path("out/one")])["treebank"].to_pylist() == [ONE] * 3
    assert read_items([Path("out/both")])["treebank"].to_pylist() == [ONE] * 3 + [TWO] * 3


def test_a_given_treebank_that_a_construction_is_not_for_is_told(home, caplog):
    Path("en_small-ud-test.conllu").write_text(conllu(*SENTENCES), encoding="utf-8")
    generate([query("nom-subj")], [ONE, "en_small-ud-test.conllu"], Path("out"))
    assert caplog.messages == ["nom-subj: not run on en_small-ud-test, which it is not for"]
    assert set(read_items([Path("out")])["treebank"].to_pylist()) == {ONE}


def test_a_construction_runs_on_what_was_derived_from_a_treebank_that_it_names(home):
    derived = Path("outputs/treebanks") / f"{ONE}+swapped"
    ingest([ONE], Path("outputs/treebanks") / ONE)
    derive("swapped", Path("outputs/treebanks") / ONE, derived)
    generate([query("one", treebank=ONE)], [Path("outputs/treebanks") / ONE, derived], Path("out"))
    told = read_metadata(Path("out/one/items.parquet"))["treebanks"]
    assert [treebank["name"] for treebank in told] == [ONE, f"{ONE}+swapped"]


def test_one_that_names_none_of_them_runs_on_all_of_its_language(home):
    generate([query("nom-subj", treebank="UD_Georgian-Other")], [TWO], Path("out"))
    assert set(read_items([Path("out")])["treebank"].to_pylist()) == {TWO}


def test_a_treebank_of_another_language_is_refused(home):
    with pytest.raises(UsageError, match="none of the treebanks is for this construction"):
        generate([query("nom-subj", language="hin", treebank="UD_Hindi-HDTB")], [ONE], Path("out"))


def test_without_treebanks_those_that_are_named_are_looked_up(home):
    ingest([TWO], Path("outputs/treebanks") / TWO)
    (made,) = generate([query("nom-subj", treebank=TWO)], [], Path("out"))
    assert made.items == 3
    with pytest.raises(TreebankError, match="no treebank 'UD_Georgian-Three'"):
        generate([query("other", treebank="UD_Georgian-Three")], [], Path("out"))


def test_the_lexicon_may_come_from_elsewhere(home):
    Path("man.conllu").write_text(conllu(clause("კაცი", "კაცი", "Nom")), encoding="utf-8")
    write_parquet(build_lexicon([read_conllu([ONE])]), Path("kat.parquet"), "lexicon/1")
    (without,) = generate([query("nom-subj")], ["man.conllu"], Path("out"))
    (with_lexicon,) = generate([query("nom-subj")], ["man.conllu"], Path("out"), lexicons=[Path("kat.parquet")])
    assert (without.items, with_lexicon.items) == (0, 1)


def test_a_lexicon_of_another_language_is_refused(home):
    write_parquet(build_lexicon([read_conllu([ONE])]), Path("kat.parquet"), "lexicon/1")
    Path("hindi.conllu").write_text(conllu(clause("आदमी", "आदमी", "Nom")), encoding="utf-8")
    with pytest.raises(UsageError, match="the lexicon has no forms of hin"):
        generate([query("nom-subj", language="hin")], ["hindi.conllu"], Path("out"), lexicons=[Path("kat.parquet")])


def test_a_lexicon_made_of_a_treebank_without_lemmas_has_no_forms_and_is_used(home):
    lemmaless = conllu(*SENTENCES).replace("\tძაღლი\tNOUN", "\t_\tNOUN")
    lemmaless = lemmaless.replace("\tქალი\tNOUN", "\t_\tNOUN").replace("\tკაცი\tNOUN", "\t_\tNOUN")
    Path("ck_small-ud-test.conllu").write_text(lemmaless.replace("\tჯდომა\t", "\t_\t"), encoding="utf-8")
    treebank = read_conllu(["ck_small-ud-test.conllu"])
    assert write_lexicon([treebank], Path("all.parquet")) == (0, [treebank.language or "und"])
    Path("everywhere.grew").write_text(
        EVERYWHERE.replace("Number: [Sing, Plur]", "Case: [Nom, Erg]").replace("Number", "Case")
    )
    (made,) = generate([Path("everywhere.grew")], [treebank], Path("out"), lexicons=[Path("all.parquet")])
    assert (made.matches, made.items) == (6, 0)


def test_a_named_treebank_that_is_missing_fails_only_those_that_name_it(home):
    ingest([TWO], Path("outputs/treebanks") / TWO)
    with pytest.raises(TreebankError, match="no treebank 'UD_Georgian-Three'"):
        generate([query("three", treebank="UD_Georgian-Three"), query("two", treebank=TWO)], [], Path("out"))
    assert [folder.name for folder in Path("out").iterdir()] == ["two"]
