"""The forms of a lexicon as examples of how forms are made."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest

from starbank.morphology import LEXICON
from starbank.morphology.evidence import Evidence, Seen, without_given
from starbank.morphology.letters import Vowels, find_vowels
from starbank.morphology.paradigms import Paradigms, Queries

ROWS = [
    ("talo", "NOUN", "Case=Nom|Number=Sing", "talo", 3),
    ("talo", "NOUN", "Case=Gen|Number=Sing", "talon", 1),
    ("talo", "NOUN", "Case=Nom|Number=Plur", "talot", 1),
    ("katu", "NOUN", "Case=Nom|Number=Sing", "katu", 1),
    ("katu", "NOUN", "Case=Gen|Number=Sing", "kadun", 3),
    ("katu", "NOUN", "Case=Gen|Number=Sing", "katun", 1),
    ("uusi", "ADJ", "Case=Nom|Number=Sing", "uusi", 1),
    ("uusi", "ADJ", "Case=Gen|Number=Sing", "uuden", 1),
]


def lexicon(rows):
    names = ("lemma", "upos", "feats", "form", "count")
    same = {"language": "fin", "use": None, "source": "treebank", "confidence": 1.0}
    return Paradigms(pa.Table.from_pylist([same | dict(zip(names, row, strict=True)) for row in rows], schema=LEXICON))


@pytest.fixture
def finnish():
    return lexicon(ROWS)


def genitive_of_sana(paradigms):
    """Ask for the genitive of *sana*, of which the nominative is known."""
    cells = [paradigms.cells.number("NOUN", f"Case={case}|Number=Sing", None) for case in ("Gen", "Nom")]
    goal, given = (np.array([cell]) for cell in cells)
    return Queries(["sana"], goal, ["sana"], given, np.array([-1]))


def test_what_changes_between_cells_is_the_same_in_all_parts_of_speech(finnish):
    keys = [("NOUN", "Case=Nom|Number=Sing"), ("NOUN", "Case=Gen|Number=Sing"), ("ADJ", "Case=Nom|Number=Sing")]
    keys += [("ADJ", "Case=Gen|Number=Sing"), ("NOUN", "Case=Nom|Number=Plur")]
    cell = np.array([finnish.cells.number(*key, None) for key in keys])
    of_noun, of_adjective, number = finnish.cells.changes(cell[[0, 2, 0]], cell[[1, 3, 4]])
    assert of_noun == of_adjective != number
    assert finnish.cells.distances(cell[[0, 1, 0]], cell[[1, 4, 0]]).tolist() == [1, 2, 0]


def test_forms_are_examples_by_the_other_forms_of_their_lemmas(finnish):
    _, forms, transitions = finnish.examples(genitive_of_sana(finnish))
    words = finnish.entries.words.texts
    shown = {
        (words[source], words[target]): weight
        for source, target, weight in zip(forms.source, forms.target, forms.weight, strict=True)
    }
    assert shown == {("katu", "kadun"): 0.75, ("katu", "katun"): 0.25, ("talo", "talon"): 1, ("uusi", "uuden"): 1}
    # Adjectives go from nominative to genitive as nouns do, but are of other cells.
    assert list(transitions.values()) == [0]
    assert len(set(forms.wide)) == 1
    assert len(set(forms.exact)) == 2


def test_forms_are_examples_by_their_lemmas(finnish):
    lemmas, _, _ = finnish.examples(genitive_of_sana(finnish))
    words = finnish.entries.words.texts
    shown = [(words[source], words[target]) for source, target in zip(lemmas.source, lemmas.target, strict=True)]
    assert shown == [("uusi", "uuden"), ("katu", "kadun"), ("katu", "katun"), ("talo", "talon")]


def test_of_many_examples_a_draw_chooses_2000_whatever_else_is_asked_for():
    stems = ["".join(letters) + "a" for letters in product("aeiou", "hklmnprstv", "aeiou", "hklmnprstv")]
    rows = [(stem, upos, f"Case={case}|Number=Sing", stem + ending, 1)
            for stem in stems for upos in ("ADJ", "NOUN") for case, ending in (("Gen", "n"), ("Nom", ""))]  # fmt: skip
    paradigms = lexicon(rows)
    _, forms, _ = paradigms.examples(genitive_of_sana(paradigms))
    # Nouns and adjectives are alike; of nouns, which are asked for, there are 2000 with those that were drawn before.
    asked = forms.exact == forms.exact[np.flatnonzero(~forms.sampled)[0]]
    assert forms.sampled.sum() == asked.sum() == 2000


def test_what_the_lemma_says_is_the_same_with_a_given_form_and_without(finnish):
    seen = Seen(finnish, Vowels(find_vowels(["talo", "katu", "uusi", "sana"])))
    queries = genitive_of_sana(finnish)
    asked = Evidence(seen, queries)
    row, forms, of_lemma = asked.candidates()
    alone = Evidence(seen, queries.without_given())
    alone_row, alone_forms, _ = alone.candidates()
    assert [form for form, by_lemma in zip(forms, of_lemma, strict=True) if by_lemma] == alone_forms
    weighed = without_given(*(column[of_lemma] for column in asked.weigh(row, forms)))
    assert all(map(np.array_equal, weighed, alone.weigh(alone_row, alone_forms)))


def test_of_a_great_many_lemmas_each_cell_has_as_many_as_it_needs():
    nouns = ["".join(parts) + "la" for parts in product("aeioulnrst", repeat=4)][:4000]
    essives = [noun + "na" for noun in nouns[:100]]
    rows = [(noun, "NOUN", "Case=Nom|Number=Sing", noun, 1) for noun in nouns]
    rows += [(noun, "NOUN", "Case=Ess|Number=Sing", form, 1) for noun, form in zip(nouns, essives, strict=False)]
    words = set(lexicon(rows).entries.words.texts)
    assert words.issuperset(essives)
    assert 3000 <= len(words - set(essives)) <= 3100
