"""Endings of the cases of arguments: listed for a language, learned from a treebank, or kept by a derived one."""

from __future__ import annotations

import pytest

from starbank.morphology.suffixes import Suffixes, find_suffixes
from starbank.treebanks import read_conllu
from tests.probing.basque import SAW_HOUSES
from tests.small_treebank import small_treebank


def test_a_language_may_list_its_endings(tmp_path):
    found = find_suffixes(small_treebank(tmp_path, SAW_HOUSES, language="eus"))
    assert found.cells["Erg", "Sing"] == ("ak",)
    assert found.cells["Abs", "Plur"] == ("ak",)


def test_an_ending_tells_number_or_case_or_not():
    found = Suffixes({("Abs", "Plur"): ("ak",), ("Erg", "Sing"): ("ak",), ("Erg", "Plur"): ("ek",)})
    assert found.numbers == {"ak": "ambiguous", "ek": "plur"}
    assert found.syncretic == ["ak"]


def test_words_that_keep_their_suffix_in_misc_tell_of_it(tmp_path):
    kept = """
        etxe erori dira
        1 etxe etxe NOUN Case=Abs|Number=Plur 2 nsubj Suffix=ak
        2 erori erori VERB VerbForm=Part 0 root
        3 dira izan AUX VerbForm=Fin 2 aux
    """
    found = find_suffixes(small_treebank(tmp_path, kept, language="eus"))
    assert found == Suffixes({("Abs", "Plur"): ("ak",)}, kept=True)


def test_a_treebank_without_case_has_none(tmp_path):
    assert find_suffixes(small_treebank(tmp_path, "Yes\n1 Yes yes INTJ _ 0 root", language="eng")) == Suffixes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cell", "endings"),
    [
        ("UD_Georgian-GLC", ("Erg", "Sing"), ("მ", "მა")),
        ("UD_Georgian-GLC", ("Nom", "Plur"), ("ები",)),
        ("UD_Hindi-PUD", ("Acc", "Sing"), ("े",)),
        ("UD_Turkish-Kenet", ("Dat", "Sing"), ("a", "e", "ya", "ye", "ına")),
    ],
)
def test_endings_are_learned_from_the_treebank(shared, name, cell, endings):
    assert find_suffixes(read_conllu([shared / "treebanks" / name])).cells[cell] == endings


@pytest.mark.slow
def test_what_is_learned_from_basque_has_what_is_listed(shared, tmp_path, monkeypatch):
    treebank = read_conllu([shared / "treebanks/UD_Basque-BDT"])
    listed = find_suffixes(treebank).cells
    # A file of one's own, which lists nothing.
    (tmp_path / "languages").mkdir()
    (tmp_path / "languages/eus.yaml").write_text("name: Basque\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    learned = find_suffixes(treebank).cells
    assert {cell: set(endings) <= set(learned[cell]) for cell, endings in listed.items()} == dict.fromkeys(listed, True)
