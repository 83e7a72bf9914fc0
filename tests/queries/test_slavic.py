"""Constructions of Slavic languages whose starred sentences commands make, on sentences."""

import pyarrow.parquet as pq
import pytest

from starbank.pipeline.generate import generate
from tests.queries.conftest import QUERIES
from tests.small_treebank import FILES, small_treebank

pytestmark = pytest.mark.slow


@pytest.fixture
def starred(tmp_path):
    """Return the starred sentences that a construction makes of `sentences`, sorted."""

    def starred(name, *sentences):
        language = name.partition("/")[0]
        small_treebank(tmp_path, *sentences, language=language)
        file = tmp_path / f"{FILES[language]}.conllu"
        generate([QUERIES / f"{name}.grew"], [file], tmp_path / "suites")
        items = pq.read_table(tmp_path / "suites" / name.rpartition("/")[2] / "items.parquet").to_pylist()
        conditions = [one for item in items for one in item["conditions"]]
        return sorted("".join(one["regions"]) for one in conditions if not one["grammatical"])

    return starred


PAST = "Aspect=Perf|Gender=Masc|Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin"
NOBODY = f"""
    nikt nie otworzył okna
    1 nikt nikt PRON Case=Nom|PronType=Neg 3 nsubj
    2 nie nie PART Polarity=Neg 3 advmod:neg
    3 otworzył otworzyć VERB {PAST} 0 root
    4 okna okno NOUN Case=Gen|Gender=Neut|Number=Sing 3 obj
"""
WINDOW = f"""
    sąsiad otworzył okno
    1 sąsiad sąsiad NOUN Case=Nom|Gender=Masc|Number=Sing 2 nsubj
    2 otworzył otworzyć VERB {PAST} 0 root
    3 okno okno NOUN Case=Acc|Gender=Neut|Number=Sing 2 obj
"""


def test_a_negative_pronoun_asks_for_a_negated_verb(starred):
    nobody_came = f"""
        nikt nie przyszedł
        1 nikt nikt PRON Case=Nom|PronType=Neg 3 nsubj
        2 nie nie PART Polarity=Neg 3 advmod:neg
        3 przyszedł przyjść VERB {PAST} 0 root
    """
    # The genitive of an object would be wrong without the negation, too.
    assert starred("pol/syntax/negative-concord", nobody_came, NOBODY, WINDOW) == ["nikt przyszedł"]


def test_what_two_words_negate_stays_negated_without_one_of_them(starred):
    twice = """
        nikt nie mógł nie widzieć
        1 nikt nikt PRON Case=Nom|PronType=Neg 3 nsubj
        2 nie nie PART Polarity=Neg 3 advmod:neg
        3 mógł móc VERB Mood=Ind|Tense=Past|VerbForm=Fin 0 root
        4 nie nie PART Polarity=Neg 5 advmod:neg
        5 widzieć widzieć VERB VerbForm=Inf 3 xcomp
    """
    assert starred("pol/syntax/negative-concord", twice) == []


def test_the_object_of_a_negated_verb_is_in_the_genitive(starred):
    assert starred("pol/syntax/genitive-of-negation", NOBODY, WINDOW) == ["nikt nie otworzył okno"]


def test_a_plural_that_looks_like_a_genitive_singular_is_no_error(starred):
    windows = f"""
        nie otworzył okien
        1 nie nie PART Polarity=Neg 2 advmod:neg
        2 otworzył otworzyć VERB {PAST} 0 root
        3 okien okno NOUN Case=Gen|Gender=Neut|Number=Plur 2 obj
    """
    all_of_them = f"""
        otworzył okna
        1 otworzył otworzyć VERB {PAST} 0 root
        2 okna okno NOUN Case=Acc|Gender=Neut|Number=Plur 1 obj
    """
    assert starred("pol/syntax/genitive-of-negation", windows, all_of_them) == []


def test_a_perfective_verb_has_no_compound_future(starred):
    buy = """
        завтра она купит хлеб
        1 завтра завтра ADV _ 3 advmod
        2 она она PRON Case=Nom 3 nsubj
        3 купит купить VERB Aspect=Perf|Mood=Ind|Number=Sing|Person=3|Tense=Fut|VerbForm=Fin 0 root
        4 хлеб хлеб NOUN Case=Acc 3 obj
    """
    assert starred("rus/syntax/future-aspect", buy) == ["завтра она будет купить хлеб"]


def test_a_pronoun_behind_an_adposition_begins_with_n_but_not_a_possessor(starred):
    without = """
        мы ушли без него
        1 мы мы PRON Case=Nom 2 nsubj
        2 ушли уйти VERB _ 0 root
        3 без без ADP _ 4 case
        4 него он PRON Case=Gen 2 obl
    """
    near = """
        у них дома тихо
        1 у у ADP _ 2 case
        2 них они PRON Case=Gen 4 obl
        3 дома дом NOUN Case=Gen 4 obl
        4 тихо тихо ADV _ 0 root
    """
    assert starred("rus/syntax/pronoun-after-preposition", without, near) == ["мы ушли без его"]


def test_a_relative_pronoun_stands_before_its_verb(starred):
    book = """
        вот книга , которую она купила
        1 вот вот PART _ 2 discourse
        2 книга книга NOUN Case=Nom 0 root
        3 , , PUNCT _ 6 punct
        4 которую который PRON Case=Acc 6 obj
        5 она она PRON Case=Nom 6 nsubj
        6 купила купить VERB VerbForm=Fin 2 acl:relcl
    """
    assert starred("rus/syntax/relative-pronoun-fronting", book) == ["вот книга , она купила которую"]
