"""Words are found in any script, and a target is widened to what is written together with it."""

import pytest

from starbank.scoring.words import split_words, widen_to_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("კაცმა სახლი ააშენა.", ["კაცმა", "სახლი", "ააშენა", "."]),
        ("लड़के ने किताब पढ़ी।", ["लड़के", "ने", "किताब", "पढ़ी", "।"]),
        ("EAJ-k ez du.", ["eaj", "-", "k", "ez", "du", "."]),
        ("Doesn't  it?", ["doesn", "'", "t", "it", "?"]),
        ("می\u200cروم", ["می\u200cروم"]),
        ("", []),
    ],
)
def test_words_are_runs_of_letters_and_marks(text: str, words: list[str]) -> None:
    assert [word for _, _, word in split_words(text)] == words


def test_a_word_says_where_it_is() -> None:
    text = "Ez, Mikel!"
    assert [text[start:end] for start, end, _ in split_words(text)] == ["Ez", ",", "Mikel", "!"]


def test_capitals_and_unicode_forms_are_one_word() -> None:
    composed, decomposed = "Été", "E\u0301TE\u0301"
    assert {word for text in (composed, decomposed) for _, _, word in split_words(text)} == {"été"}


@pytest.mark.parametrize(
    ("text", "target", "word"),
    [
        ("ის სახლში წავიდა.", "სახლ", "სახლში"),  # A postposition is written together with its noun.
        ("הכלב נבח", "כלב", "הכלב"),  # And so is the Hebrew article.
        ("l'homme dort", "homme", "homme"),
        ("लड़के ने पढ़ा", "लड़के", "लड़के"),
        ("我喜歡狗們。", "狗", "狗"),  # No spaces between words: the neighbours are other words.
        ("Dogs bark.", ".", "."),
    ],
)
def test_a_target_is_widened_to_its_word(text: str, target: str, word: str) -> None:
    place = text.index(target)
    start, end = widen_to_words(text, place, place + len(target))
    assert text[start:end] == word
