"""Which words of a treebank count as forms of their lemmas."""

import pyarrow.compute as pc
import pytest

from starbank.errors import StarbankError
from starbank.files import write_parquet
from starbank.morphology import LEXICON, build_lexicon, read_lexicon
from tests.small_treebank import small_treebank


@pytest.fixture
def forms(tmp_path):
    """Return (lemma, feats, form, use, count) of every row that given sentences give, without verbs."""

    def forms(*sentences, language="kat"):
        lexicon = build_lexicon([small_treebank(tmp_path, *sentences, language=language)])
        assert lexicon.schema == LEXICON
        lexicon = lexicon.filter(pc.not_equal(lexicon["upos"], "VERB"))
        return [(row["lemma"], row["feats"], row["form"], row["use"], row["count"]) for row in lexicon.to_pylist()]

    return forms


def test_a_free_word_counts_with_its_frequency(forms):
    assert forms(
        """
        კაცმა კაცი ნახა.
        1 კაცმა კაცი NOUN Case=Erg|Number=Sing 3 nsubj
        2 კაცი კაცი NOUN Case=Nom|Number=Sing 3 obj
        3 ნახა ნახვა VERB VerbForm=Fin 0 root SpaceAfter=No
        4 . . PUNCT _ 3 punct
        """,
        """
        კაცმა იმღერა
        1 კაცმა კაცი NOUN Case=Erg|Number=Sing 2 nsubj
        2 იმღერა მღერა VERB VerbForm=Fin 0 root
        """,
    ) == [
        ("კაცი", "Case=Erg|Number=Sing", "კაცმა", None, 2),
        ("კაცი", "Case=Nom|Number=Sing", "კაცი", None, 1),
    ]


def test_a_noun_before_a_split_postposition_is_no_free_form(forms):
    assert (
        forms(
            """
        სახლში დარჩა
        1 სახლ სახლი NOUN Case=Dat|Number=Sing 3 obl SpaceAfter=No
        2 ში _ში ADP _ 1 case
        3 დარჩა დარჩენა VERB VerbForm=Fin 0 root
        """
        )
        == []
    )


def test_a_part_of_a_multiword_token_is_no_free_form(forms):
    assert (
        forms(
            """
        სახლში დარჩა
        1-2 სახლში _ _ _ _ _
        1 სახლ სახლი NOUN Case=Dat|Number=Sing 3 obl
        2 ში ში ADP _ 1 case
        3 დარჩა დარჩენა VERB VerbForm=Fin 0 root
        """
        )
        == []
    )


@pytest.mark.parametrize("feats", ["Abbr=Yes|Case=Nom", "Case=Nom|Typo=Yes", "Case=Nom|Foreign=Yes"])
def test_abbreviations_misspellings_and_foreign_words_do_not_count(forms, feats):
    assert forms(f"ქ.\n1 ქ. ქალაქი NOUN {feats} 0 root") == []


def test_a_word_with_digits_does_not_count(forms):
    assert forms("77-მა\n1 77-მა 77 NUM Case=Erg 0 root") == []


def test_only_the_last_part_of_a_name_shows_its_case(forms):
    assert forms(
        """
        ჯონ სმითმა იმღერა
        1 ჯონ ჯონი PROPN Case=Erg 3 nsubj
        2 სმითმა სმითი PROPN Case=Erg 1 flat:name
        3 იმღერა მღერა VERB VerbForm=Fin 0 root
        """
    ) == [("სმითი", "Case=Erg", "სმითმა", None, 1)]


def test_modifiers_and_bare_obliques_are_told_from_the_rest(forms):
    assert forms(
        """
        დიდ კაცს წელს ვნახავ
        1 დიდ დიდი ADJ Case=Dat 2 amod
        2 კაცს კაცი NOUN Case=Dat|Number=Sing 4 obj
        3 წელს წელი NOUN Case=Dat|Number=Sing 4 obl
        4 ვნახავ ნახვა VERB VerbForm=Fin 0 root
        """
    ) == [
        ("დიდი", "Case=Dat", "დიდ", "attributive", 1),
        ("კაცი", "Case=Dat|Number=Sing", "კაცს", None, 1),
        ("წელი", "Case=Dat|Number=Sing", "წელს", "adverbial", 1),
    ]


def test_an_oblique_with_an_adposition_is_no_bare_one(forms):
    assert forms(
        """
        barks at dogs
        1 barks bark VERB VerbForm=Fin 0 root
        2 at at ADP _ 3 case
        3 dogs dog NOUN Number=Plur 1 obl
        """,
        language="eng",
    ) == [("at", "", "at", None, 1), ("dog", "Number=Plur", "dogs", None, 1)]


def test_a_title_before_its_noun_agrees_with_it_and_may_be_cut_short(forms):
    assert forms(
        """
        ბატონ კაცს ვნახავ
        1 ბატონ ბატონი NOUN Case=Dat 2 nmod
        2 კაცს კაცი NOUN Case=Dat|Number=Sing 3 obj
        3 ვნახავ ნახვა VERB VerbForm=Fin 0 root
        """
    ) == [
        ("ბატონი", "Case=Dat", "ბატონ", "attributive", 1),
        ("კაცი", "Case=Dat|Number=Sing", "კაცს", None, 1),
    ]


DOGS = "Dogs bark\n1 Dogs dog NOUN Number=Plur 2 nsubj\n2 bark bark VERB VerbForm=Fin 0 root"


def test_a_capital_that_only_the_beginning_explains_is_folded(forms):
    assert forms(DOGS, language="eng") == [("dog", "Number=Plur", "dogs", None, 1)]


def test_names_keep_their_capital(forms):
    assert forms(
        "Rome sleeps\n1 Rome Rome PROPN Number=Sing 2 nsubj\n2 sleeps sleep VERB _ 0 root", language="eng"
    ) == [("Rome", "Number=Sing", "Rome", None, 1)]


def test_what_stands_inside_sentences_outweighs_the_lemma(forms):
    inside = (
        "Wo Hunde bellen\n1 Wo wo ADV _ 3 advmod\n2 Hunde hund NOUN Number=Plur 3 nsubj\n3 bellen bellen VERB _ 0 root"
    )
    initial = "Hunde bellen\n1 Hunde hund NOUN Number=Plur 2 nsubj\n2 bellen bellen VERB _ 0 root"
    assert ("hund", "Number=Plur", "Hunde", None, 2) in forms(inside, initial, language="deu")


def test_turkish_has_two_letters_i(forms):
    assert forms(
        "Işıklar İnce\n1 Işıklar ışık NOUN Number=Plur 2 nsubj\n2 İnce ince ADJ _ 0 root",
        "İnsan geldi\n1 İnsan insan NOUN Number=Sing 2 nsubj\n2 geldi gel VERB _ 0 root",
        language="tur",
    ) == [
        ("ince", "", "İnce", None, 1),
        ("insan", "Number=Sing", "insan", None, 1),
        ("ışık", "Number=Plur", "ışıklar", None, 1),
    ]


def test_georgian_letters_are_no_capitals(forms):
    assert forms("კაცი\n1 კაცი კაცი NOUN Case=Nom 0 root") == [("კაცი", "Case=Nom", "კაცი", None, 1)]


def test_treebanks_of_one_language_are_counted_together(tmp_path):
    sentence = "კაცი\n1 კაცი კაცი NOUN Case=Nom 0 root"
    treebanks = [small_treebank(tmp_path / name, sentence) for name in ("one", "other")]
    assert build_lexicon(treebanks).to_pylist() == [
        {
            "language": "kat",
            "lemma": "კაცი",
            "upos": "NOUN",
            "feats": "Case=Nom",
            "form": "კაცი",
            "use": None,
            "count": 2,
            "source": "treebank",
            "confidence": 1.0,
        }
    ]


def test_a_lexicon_survives_its_file(tmp_path):
    lexicon = build_lexicon([small_treebank(tmp_path, DOGS, language="eng")])
    write_parquet(lexicon, tmp_path / "eng.parquet", "lexicon/1")
    assert read_lexicon(tmp_path / "eng.parquet").equals(lexicon)


def test_another_table_is_no_lexicon(tmp_path):
    lexicon = build_lexicon([small_treebank(tmp_path, DOGS, language="eng")])
    write_parquet(lexicon, tmp_path / "items.parquet", "items/1")
    with pytest.raises(StarbankError, match="holds items/1 instead of lexicon/1"):
        read_lexicon(tmp_path / "items.parquet")


def test_an_emphatic_ending_is_told_from_the_plain_one(forms):
    assert forms(
        """
        კაცსა კაცს ვნახავ
        1 კაცსა კაცი NOUN Case=Dat|Number=Sing 3 obj
        2 კაცს კაცი NOUN Case=Dat|Number=Sing 3 iobj
        3 ვნახავ ნახვა VERB VerbForm=Fin 0 root
        """
    ) == [
        ("კაცი", "Case=Dat|Number=Sing", "კაცს", None, 1),
        ("კაცი", "Case=Dat|Number=Sing", "კაცსა", "extended", 1),
    ]


def test_a_georgian_plural_of_the_older_declension_fills_no_cell_of_the_usual_one(forms):
    assert forms(
        """
        ფიქრებმა ფიქრთა დარდნი დაფარა
        1 ფიქრებმა ფიქრი NOUN Case=Erg|Number=Plur 4 nsubj
        2 ფიქრთა ფიქრი NOUN Case=Gen|Number=Plur 3 nmod
        3 დარდნი დარდი NOUN Case=Nom|Number=Plur 4 obj
        4 დაფარა დაფარვა VERB VerbForm=Fin 0 root
        """
    ) == [
        ("დარდი", "Case=Nom|Number=Plur", "დარდნი", "older", 1),
        ("ფიქრი", "Case=Erg|Number=Plur", "ფიქრებმა", None, 1),
        ("ფიქრი", "Case=Gen|Number=Plur", "ფიქრთა", "older", 1),
    ]


def test_a_basque_auxiliary_with_a_conjunction_is_bound(forms):
    words = ["du", "duela", "duen", "zuen", "baitu"]
    lines = [f"{at} {word} edun AUX VerbForm=Fin 1 aux" for at, word in enumerate(words, start=1)]
    found = forms("\n".join([" ".join(words), lines[0].replace("1 aux", "0 root"), *lines[1:]]), language="eus")
    assert {form: use for _, _, form, use, _ in found} == {
        "du": None,
        "zuen": None,
        "duela": "bound",
        "duen": "bound",
        "baitu": "bound",
    }


def test_a_bare_hindi_stem_before_an_auxiliary_is_bound(tmp_path):
    sentence = "वह कर रहा\n1 वह वह PRON _ 2 nsubj\n2 कर करना VERB _ 0 root\n3 रहा रहना AUX Aspect=Prog 2 aux"
    lexicon = build_lexicon([small_treebank(tmp_path, sentence, language="hin")]).to_pylist()
    assert [row["use"] for row in lexicon if row["form"] == "कर"] == ["bound"]


def test_a_piece_with_a_hyphen_is_no_word(forms):
    assert forms(
        "Haus- und Hof\n1 Haus- Haus NOUN _ 0 root\n2 und und CCONJ _ 3 cc\n3 Hof Hof NOUN _ 1 conj", language="deu"
    ) == [("Hof", "", "Hof", None, 1), ("und", "", "und", None, 1)]


def test_capitals_that_have_lost_their_accent_are_no_form(forms):
    school = "ŠKOLA VOLÁ\n1 ŠKOLA škola NOUN Number=Sing 2 nsubj\n2 VOLÁ volat VERB _ 0 root"
    assert ("škola", "Number=Sing", "škola", None, 1) in forms(school, language="ces")
    without = school.replace("ŠKOLA", "SKOLA")
    assert [form for lemma, _, form, *_ in forms(without, language="ces") if lemma == "škola"] == []
    # What looks like an accent may be a letter of the lemma alone: Russian новый.
    new = "НОВЫМ\n1 НОВЫМ новый ADJ Case=Ins 0 root"
    assert forms(new, language="rus") == [("новый", "Case=Ins", "новым", None, 1)]


def test_capitals_of_a_headline_are_folded_and_those_of_an_acronym_stay(forms):
    assert forms(
        "DOGS LOVE NATO\n1 DOGS dog NOUN Number=Plur 2 nsubj\n2 LOVE love ADV _ 0 root\n3 NATO NATO PROPN _ 2 obj",
        language="eng",
    ) == [("NATO", "", "NATO", None, 1), ("dog", "Number=Plur", "dogs", None, 1), ("love", "", "love", None, 1)]
