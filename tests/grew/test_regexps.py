"""The two dialects of regular expressions."""

from __future__ import annotations

from typing import Literal

import pytest

from starbank.errors import RequestError
from starbank.grew.regexps import compile_regexp
from starbank.grew.syntax import Regexp


def accepts(pattern: str, value: str, dialect: Literal["str", "perl"], ignore_case: bool = False) -> bool:
    return compile_regexp(Regexp(pattern, dialect, ignore_case))(value)


@pytest.mark.parametrize(
    ("pattern", "accepted", "refused"),
    [
        ("un.*", "unfair", "run"),
        (r"colou?r\|tak\(e\|en\)", "taken", "take n"),
        (r".*\([a-z]\)\1.*", "letter", "later"),
        ("a|b(c){2}", "a|b(c){2}", "a"),
        (r"\$.*\.", "$5.", "5."),
        ("[^]a-c]+", "xyz", "x]"),
        (r"[a\b]", "\\", "\\b"),
        ("*", "*", ""),
        (r"\(ab\)+?", "abab", "aba"),
        ("a**", "aaa", "ab"),
        (r"\bwh.*\b", "what", "what!"),
        (r".*\(a\|b\)\(c*\)\1\2", "acac", "acbc"),
        (r"\(\(a\|b\)x\)*\2", "axbxb", "axbxa"),
        ("[^z-a]", "a", ""),
        ("..", "და", "დ"),
        ("[ა-ჰ]+", "და", "da"),
    ],
)
def test_str_dialect(pattern: str, accepted: str, refused: str) -> None:
    assert accepts(pattern, accepted, "str")
    assert not accepts(pattern, refused, "str")


@pytest.mark.parametrize(
    ("pattern", "accepted", "refused"),
    [
        ("(can|could)", "could", "coul"),
        (r"\d{4}", "2004", "20045"),
        ("[[:upper:]]{3}", "USA", "Usa"),
        ("[[:alpha:]0-9]+", "a1", "a-1"),
        (r"a\/b", "a/b", "a"),
        (r"\Awom[ae]n('s)?\z", "women's", "women'"),
        ("(?:ab)+", "abab", "aba"),
        ("a|an", "an", "n"),
        ("[]a]+", "a]", "b"),
        (r"[\W_]+", "-_", "a"),
        ("[[:^alpha:]]", "1", "a"),
        ("a(?# one more)b", "ab", "a"),
    ],
)
def test_perl_dialect(pattern: str, accepted: str, refused: str) -> None:
    assert accepts(pattern, accepted, "perl")
    assert not accepts(pattern, refused, "perl")


def test_flag_i_folds_ascii_letters_only() -> None:
    assert accepts("École", "ÉCOLE", "perl", ignore_case=True)
    assert not accepts("école", "École", "perl", ignore_case=True)
    assert accepts("[a-c]+", "aBC", "perl", ignore_case=True)
    assert not accepts("[^a-c]", "B", "perl", ignore_case=True)
    assert not accepts("k", "\N{KELVIN SIGN}", "perl", ignore_case=True)


def test_digits_and_words_are_ascii() -> None:
    assert not accepts(r"\d+", "२००४", "perl")
    assert not accepts(r"\w+", "და", "perl")


def test_lazy_quantifier_takes_little() -> None:
    assert accepts("wh.*?", "wh", "perl")
    assert not accepts("wh.*?", "what", "perl")
    assert accepts("(.*?)*?", "", "perl")


@pytest.mark.parametrize(("pattern", "dialect"), [("(.*)*(.*)*Z", "perl"), (r"\(a*\)*\(a\|aa\)*b", "str")])
def test_time_is_linear_in_the_value(pattern: str, dialect: Literal["str", "perl"]) -> None:
    assert not accepts(pattern, "a" * 100_000, dialect)


def test_back_references_that_can_be_read_in_too_many_ways_are_an_error() -> None:
    with pytest.raises(RequestError, match="too many ways"):
        accepts(r".*\(..*\).*\1.*", "".join(map(chr, range(0x4E00, 0x4F00))), "str")


@pytest.mark.parametrize(
    ("pattern", "dialect"),
    [
        (r"\(a", "str"),
        (r"a\)", "str"),
        ("[a", "str"),
        ("a\\", "str"),
        ("(a", "perl"),
        ("a(?=b)", "perl"),
        ("(?i)a", "perl"),
        (r"(a)\1", "perl"),
        (r"\p{L}", "perl"),
        ("[[:letter:]]", "perl"),
        ("a{3,1}", "perl"),
        ("a{,3}", "perl"),
        ("a*+", "perl"),
        ("a{1001}", "perl"),
        ("(a{1000}){1000}", "perl"),
        ("(" * 5000 + ")" * 5000, "perl"),
        (r"\(" * 5000 + r"\)" * 5000, "str"),
    ],
)
def test_malformed_expression_is_refused(pattern: str, dialect: Literal["str", "perl"]) -> None:
    with pytest.raises(ValueError, match=r"."):
        compile_regexp(Regexp(pattern, dialect))
