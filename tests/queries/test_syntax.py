"""Constructions whose conditions are made by commands, on sentences in several languages."""

import pyarrow.parquet as pq
import pytest

from starbank.pipeline.generate import generate
from tests.queries.conftest import QUERIES
from tests.small_treebank import FILES, small_treebank

pytestmark = pytest.mark.slow


@pytest.fixture
def starred(tmp_path):
    """Return the starred sentences that a construction makes of `sentences`, sorted, without repetitions."""

    def starred(name, language, *sentences):
        small_treebank(tmp_path, *sentences, language=language)
        generate([QUERIES / f"{name}.grew"], [tmp_path / f"{FILES[language]}.conllu"], tmp_path / "suites")
        items = pq.read_table(tmp_path / "suites" / name.split("/")[-1] / "items.parquet").to_pylist()
        conditions = [one for item in items for one in item["conditions"]]
        return sorted({"".join(one["regions"]) for one in conditions if not one["grammatical"]})

    return starred


BREAD = """
    she sold bread and cheese.
    1 she she PRON _ 2 nsubj
    2 sold sell VERB _ 0 root
    3 bread bread NOUN _ 2 obj
    4 and and CCONJ _ 5 cc
    5 cheese cheese NOUN _ 3 conj SpaceAfter=No
    6 . . PUNCT _ 2 punct
"""


def test_a_coordinator_does_not_end_a_sentence(starred):
    assert starred("universal/syntax/coordinator-order", "eng", BREAD) == ["she sold bread cheese and."]


def test_where_a_sentence_breaks_off_a_coordinator_may_end_it(starred):
    dots = BREAD.replace("cheese.", "cheese...").replace(". . PUNCT", "... ... PUNCT")
    assert starred("universal/syntax/coordinator-order", "eng", dots) == []


HOUSE = """
    they saw the house near London.
    1 they they PRON _ 2 nsubj
    2 saw see VERB _ 0 root
    3 the the DET Definite=Def|PronType=Art 4 det
    4 house house NOUN _ 2 obj
    5 near near ADP _ 6 case
    6 London London PROPN _ 4 nmod SpaceAfter=No
    7 . . PUNCT _ 2 punct
"""


def test_an_article_stands_before_its_noun(starred):
    houses = [HOUSE] * 40
    assert starred("universal/syntax/article-order", "eng", *houses) == ["they saw house the near London."]


def test_one_article_in_the_name_of_something_makes_no_articles(starred):
    assert starred("universal/syntax/article-order", "eng", HOUSE) == []


def test_before_another_noun_the_article_would_find_a_new_place(starred):
    boy = """
        they gave the boy books.
        1 they they PRON _ 2 nsubj
        2 gave give VERB _ 0 root
        3 the the DET Definite=Def|PronType=Art 4 det
        4 boy boy NOUN _ 2 iobj
        5 books book NOUN _ 2 obj SpaceAfter=No
        6 . . PUNCT _ 2 punct
    """
    assert starred("universal/syntax/article-order", "eng", boy) == []


def test_a_preposition_needs_many_cases_that_show_its_side(starred):
    crown = """
        the crown of Spain fell.
        1 the the DET Definite=Def|PronType=Art 2 det
        2 crown crown NOUN _ 5 nsubj
        3 of of ADP _ 4 case
        4 Spain Spain PROPN _ 2 nmod
        5 fell fall VERB _ 0 root SpaceAfter=No
        6 . . PUNCT _ 5 punct
    """
    assert starred("universal/syntax/preposition-order", "eng", *[crown] * 10) == []
    assert starred("universal/syntax/preposition-order", "eng", *[crown] * 40) == ["the crown Spain of fell."]


def test_an_auxiliary_stands_before_its_infinitive(starred):
    sentence = """
        the child can sleep.
        1 the the DET _ 2 det
        2 child child NOUN _ 4 nsubj
        3 can can AUX VerbForm=Fin 4 aux
        4 sleep sleep VERB VerbForm=Inf 0 root SpaceAfter=No
        5 . . PUNCT _ 4 punct
    """
    assert starred("eng/syntax/auxiliary-order", "eng", sentence) == ["the child sleep can."]


def test_my_lenites_in_irish(starred):
    friend = """
        tháinig mo chara.
        1 tháinig tar VERB _ 0 root
        2 mo mo DET Number=Sing|Person=1|Poss=Yes 3 nmod:poss
        3 chara cara NOUN Case=Nom|Form=Len|Gender=Masc|Number=Sing 1 nsubj SpaceAfter=No
        4 . . PUNCT _ 1 punct
    """
    bare = """
        tháinig cara.
        1 tháinig tar VERB _ 0 root
        2 cara cara NOUN Case=Nom|Gender=Masc|Number=Sing 1 nsubj SpaceAfter=No
        3 . . PUNCT _ 1 punct
    """
    assert starred("gle/syntax/lenition-possessive", "gle", friend, bare) == ["tháinig mo cara."]


def test_a_definite_object_has_its_marker_in_hebrew_and_an_indefinite_one_has_none(starred):
    sentence = """
        ילד קרא ספר.
        1 ילד ילד NOUN Gender=Masc|Number=Sing 2 nsubj
        2 קרא קרא VERB _ 0 root
        3 ספר ספר NOUN Gender=Masc|Number=Sing 2 obj SpaceAfter=No
        4 . . PUNCT _ 2 punct
    """
    assert starred("heb/syntax/object-marker-superfluous", "heb", sentence) == ["ילד קרא את ספר."]
