"""Treebanks in Latin letters."""

import pytest

from generators import latin as generator
from starbank.errors import ConfigError
from starbank.transforms.romanise import find_scheme
from tests.small_treebank import IS_SOMEBODY_HERE, small_treebank

HINDI = """
    उसने आम खाया।
    1 उसने वह PRON _ 3 nsubj Translit=usne
    2 आम आम NOUN Gender=Masc 3 obj Gloss=mango|Translit=ām|LTranslit=ām
    3 खाया खाना VERB Gender=Masc 0 root SpaceAfter=No
    4 । । PUNCT _ 3 punct
"""


def latin(treebank, **options):
    """Return the one part that the transform makes of a small treebank."""
    (part,) = generator.latin(treebank, **options).parts
    return part


def test_forms_lemmas_and_text_are_written_in_latin_letters(tmp_path):
    treebank = small_treebank(tmp_path, HINDI, language="hin")
    made = latin(treebank)
    assert made.sentences["text"].to_pylist() == ["usanē āma khāyā।"]
    assert made.tokens["lemma"].to_pylist() == ["vaha", "āma", "khānā", "।"]
    assert made.tokens["misc"].to_pylist() == [None, "Gloss=mango", "SpaceAfter=No", None]
    assert generator.latin(treebank).about == {"scheme": "iso"}


def test_georgian_is_written_as_georgia_writes_it(tmp_path):
    treebank = small_treebank(tmp_path, IS_SOMEBODY_HERE)
    made = latin(treebank)
    assert made.sentences["text"].to_pylist() == ["vinmea ak?"]
    assert made.tokens["form"].to_pylist() == ["vinmea", "vinme", "a", "ak", "?"]


@pytest.mark.parametrize(
    ("scheme", "script", "word", "written"),
    [
        ("national", "georgian", "ჭიქა წყალი", "ch'ika ts'q'ali"),
        ("iso9984", "georgian", "ჭიქა წყალი", "čik̕a cqali"),
        ("iso", "tamil", "தமிழ்", "tamiḻ"),
        ("iso", "tamil", "ஃபேஸ்புக்", "ḵpēspuk"),
        ("hk", "devanagari", "लड़का", "lar3akA"),
        ("iso", "bengali", "বাংলা", "bāṁlā"),
        ("iso", "bengali", "হঠাৎ আষাঢ়", "haṭhāt āṣāṛha"),
        ("iso", "gujarati", "કૉલેજ", "kôlēja"),
    ],
)
def test_schemes(scheme, script, word, written):
    name, romanise = find_scheme(scheme, script, None)
    assert (name, romanise(word)) == (scheme, written)


def test_a_scheme_is_for_its_scripts():
    with pytest.raises(ConfigError, match="`national` is not for the script tamil"):
        find_scheme("national", "tamil", "tam")
    with pytest.raises(ConfigError, match="no scheme for the script latin"):
        find_scheme("auto", "latin", "eng")
    with pytest.raises(ConfigError, match="no scheme `isoo`") as caught:
        find_scheme("isoo", "tamil", "tam")
    assert "Did you mean `iso`?" in str(caught.value)


def test_the_published_romanisation_wants_a_library_that_is_not_installed_for_all():
    with pytest.raises(ConfigError, match="needs the library indictrans") as caught:
        find_scheme("indictrans", "tamil", "tam")
    assert "starbank[indictrans]" in str(caught.value)
