"""Treebanks in Latin letters."""

import sys

import pytest

from generators import latin as generator
from starbank.errors import ConfigError
from starbank.transforms.romanisation import find_schemes
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
    assert generator.latin(treebank).about == {"schemes": {"devanagari": "iso15919"}}


def test_georgian_is_written_as_georgia_writes_it(tmp_path):
    treebank = small_treebank(tmp_path, IS_SOMEBODY_HERE)
    made = latin(treebank)
    assert made.sentences["text"].to_pylist() == ["vinmea ak?"]
    assert made.tokens["form"].to_pylist() == ["vinmea", "vinme", "a", "ak", "?"]


def test_a_word_in_two_scripts_is_written_by_the_schemes_of_both(tmp_path):
    treebank = small_treebank(
        tmp_path,
        """
        XX-й Θεός там
        1 XX-й XX-й ADJ _ 2 amod
        2 Θεός Θεός NOUN _ 0 root
        3 там там ADV _ 2 advmod
        """,
        language="rus",
    )
    assert latin(treebank).sentences["text"].to_pylist() == ["XX-j Theós tam"]
    assert generator.latin(treebank).about == {"schemes": {"cyrillic": "iso9", "greek": "iso843"}}


@pytest.mark.parametrize(
    ("scheme", "word", "written"),
    [
        ("iso9", "Щётка ОБЪЁМ яйцо", "Ŝëtka OBʺËM âjco"),
        ("iso9", "Україна їжак", "Ukraïna ïžak"),
        ("iso9", "Њујорк ѓаво", "N̂uǰork ǵavo"),
        ("iso843", "Ψυχή ΨΥΧΗ αυτού άυλος Θεός", "Psychī́ PSYCHĪ autoú áylos Theós"),
        ("iso9985", "Երևան ՈՒՍՈՒՑԻՉ ճանապարհ", "Erewan USUC’IČ č̣anaparh"),
        ("national", "ჭიქა წყალი", "ch'ika ts'q'ali"),
        ("iso9984", "ჭიქა წყალი", "čik̕a cqali"),
        ("iso259", 'שלום בָּרָא צה"ל', 's̀lwm ḃåråʾ ṣh"l'),
        ("iso233", "القرآن مؤسسة محمّد", "ʾlqrʾân mwˈssẗ mḥm̄d"),
        ("urdu", "گئے ٹھیک ہے میں", "gyˈe ʈʰyk he myṉ"),
        ("iso11940", "ประเทศไทย ประชาธิปไตย", "pratheṣ̄thịy prachāṭhiptịy"),
        ("iso15919", "लड़का ख़ुद दुःख आँख", "laṛakā k͟huda duḥkha ām̐kha"),
        ("iso15919", "अइ ऐ क्हा खा", "a:i ai k:hā khā"),
        ("iso15919", "தமிழ் ஃபேஸ்புக்", "tamiḻ ḵpēspuk"),
        ("iso15919", "বাংলা আষাঢ়", "bāṁlā āṣāṛha"),
        ("iso15919", "કૉલેજ ગુજરાતી", "kôlēja gujarātī"),
        ("iso15919", "සිංහල ගඳ", "siṁhala gan̆da"),
        ("hk", "लड़का", "lar3akA"),
        ("itrans", "தமிழ்", "tamizh"),
    ],
)
def test_schemes_and_the_way_back(scheme, word, written):
    (found,) = find_schemes(scheme, [word], None)
    assert found.write(word) == written
    assert found.read(written) == word


@pytest.mark.parametrize(
    ("scheme", "word", "read"),
    [
        ("national", "თსუ", "ცუ"),
        ("iso15919", "क्‍या", "क्या"),
        ("iso15919", "হঠাৎ", "হঠাত্"),
        ("iso259", "קליפ", "קליף"),
        ("iso9", "I-им", "И-им"),
    ],
)
def test_what_a_scheme_does_not_tell_is_not_read_back(scheme, word, read):
    (found,) = find_schemes(scheme, [word], None)
    assert found.read(found.write(word)) == read


@pytest.mark.parametrize(
    ("word", "scheme"),
    [("مؤسسة", "iso233"), ("گئے", "urdu"), ("წყალი", "national"), ("ჴელი", "iso9984"), ("ਪੰਜਾਬੀ", "iso15919")],
)
def test_the_usual_scheme_knows_most_letters(word, scheme):
    assert [found.name for found in find_schemes("auto", [word], None)] == [scheme]


def test_a_scheme_is_for_its_scripts():
    with pytest.raises(ConfigError, match="`national` is not for the script tamil") as caught:
        find_schemes("national", ["தமிழ்"], "tam")
    assert "These are: iso15919, iast" in str(caught.value)
    with pytest.raises(ConfigError, match="no scheme for the script latin"):
        find_schemes("auto", ["owl"], "eng")
    with pytest.raises(ConfigError, match="no scheme `iso99`") as caught:
        find_schemes("iso99", ["сова"], "rus")
    assert "Did you mean `iso9`?" in str(caught.value)


@pytest.mark.parametrize(
    ("library", "scheme", "language", "word", "written"),
    [
        ("pypinyin", "auto", "zho", "西安大学", "xī'āndàxué"),
        ("cutlet", "auto", "jpn", "東京に", "Tokyoni"),
        ("uroman", "uroman", "ukr", "їжак", "yizhak"),
        ("icu", "icu", "amh", "ኢትዮጵያ", "itǝyoṗǝyā"),
    ],
)
def test_schemes_of_libraries_that_are_installed_by_choice(library, scheme, language, word, written):
    pytest.importorskip(library)
    (found, *_) = find_schemes(scheme, [word], language)
    assert found.write(word) == written


def test_a_library_that_is_not_installed_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "indictrans.utils.Transliterator", None)
    with pytest.raises(ConfigError, match="needs the library indictrans") as caught:
        find_schemes("indictrans", ["தமிழ்"], "tam")
    assert "starbank[indictrans]" in str(caught.value)
