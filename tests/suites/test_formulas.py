"""Formulas of predictions: SyntaxGym's language, read, shown, and evaluated on surprisals."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starbank.errors import SuiteError
from starbank.suites.formulas import (
    Arithmetic,
    Comparison,
    Logic,
    Number,
    Region,
    check_formulas,
    parse_formula,
    regions,
    rename,
    show,
    to_sql,
)


def evaluate(text: str, **bits: list[float]) -> bool | None:
    """Evaluate a formula on the surprisals of an item's regions, by condition."""

    def region(one: Region) -> str:
        values = bits[one.condition]
        return f"{sum(values) if one.region == '*' else values[int(one.region) - 1]}::DOUBLE"

    ((told,),) = duckdb.sql(f"select {to_sql(parse_formula(text), region)}").fetchall()
    return told


def test_a_formula_is_a_typed_tree():
    assert parse_formula("(2;%mismatch%) - (2;%match%) > 0") == Comparison(
        ">", Arithmetic("-", Region(2, "mismatch"), Region(2, "match")), Number(0)
    )


def test_a_region_may_be_named_and_a_star_stands_for_all():
    tree = parse_formula("(target;%Dat%) > (*;%sub_no-matrix%)")
    assert list(regions(tree)) == [Region("target", "Dat"), Region("*", "sub_no-matrix")]


def test_square_brackets_group_as_in_the_suites_of_hu_et_al():
    square = "[(6;%np_bad%)-(6;%np%)]+[[(5;%vp_bad%)+(6;%vp_bad%)]-[(5;%vp%)+(6;%vp%)]]>0"
    assert (
        show(parse_formula(square))
        == "(6;%np_bad%) - (6;%np%) + ((5;%vp_bad%) + (6;%vp_bad%) - ((5;%vp%) + (6;%vp%))) > 0"
    )


def test_and_and_or_bind_alike_and_group_to_the_left():
    tree = parse_formula("(1;%a%) > 1 | (1;%a%) > 2 & (1;%a%) > 3")
    assert isinstance(tree, Logic)
    assert tree.sign == "&"
    # With the precedence of most languages this were true.
    assert evaluate("(1;%a%) > 1 | (1;%a%) > 2 & (1;%a%) > 3", a=[1.5]) is False


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("(2;%bad%) > (2;%good%)", True),
        ("(1;%bad%) > (1;%good%)", False),  # equal: no success
        ("(1;%bad%) = (1;%good%)", True),
        ("(2;%bad%) - (2;%good%) > 4", False),  # 7.5 - 3.5 is 4
        ("(2;%bad%) - (2;%good%) - 1 < 3.5", True),
        ("(*;%bad%) > (*;%good%)", False),  # 10.5 against 10.5
        ("((2;%bad%) > 7) | ((3;%bad%) > (3;%good%))", True),
        ("((2;%bad%) > 7) & ((3;%bad%) > (3;%good%))", False),
        ("(2;%bad%) > -1e1", True),
    ],
)
def test_values(formula, told):
    assert evaluate(formula, good=[2.0, 3.5, 5.0], bad=[2.0, 7.5, 1.0]) is told


@pytest.mark.parametrize(("difference", "told"), [(0.0010, True), (0.0012, False)])
def test_equal_is_equal_within_a_thousandth_of_a_bit(difference, told):
    assert evaluate("(1;%a%) = (1;%b%)", a=[1 + difference], b=[1.0]) is told


def test_and_large_ones_within_a_hundred_thousandth_of_the_second():
    # |difference| <= 0.001 + 0.00001 * 1000
    assert evaluate("(1;%a%) = (1;%b%)", a=[1000.0109], b=[1000.0]) is True
    assert evaluate("(1;%a%) = (1;%b%)", a=[1000.0111], b=[1000.0]) is False


@pytest.mark.parametrize(
    ("formula", "message", "caret"),
    [
        ("(1;%a%) < (1;%b%) < (2;%c%)", "a comparison has two sides", "                  ^"),
        ("(1;%a%) + 3", "a prediction compares: this is only a number", "^"),
        ("(1;%a%) > 2 &", "the formula ends too early", "             ^"),
        ("(1;%a%) & (2;%b%) > 1", "“&” wants comparisons on both sides, and here is a number", "^"),
        ("((1;%a%) > 2) + 1 > 3", "“+” wants numbers on both sides, and here is a comparison", " ^"),
        ("(1;a) > 2", "this is no region", "  ^"),
        ("(1;%a%) >> 2", "“>” cannot stand here", "         ^"),
        ("(1;%a%) > 2 )", "“)” cannot stand here", "            ^"),
        ("", "the formula ends too early", "^"),
    ],
)
def test_a_mistake_is_shown_at_its_character(formula, message, caret):
    with pytest.raises(SuiteError) as raised:
        parse_formula(formula, "suite.json")
    lines = str(raised.value).splitlines()
    assert lines[:3] == [f"suite.json: {message}", f"    {formula}", f"    {caret}"]


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("(2;%mismatch%) > (2;%macth%)", "there is no condition macth"),
        ("(4;%match%) > 1", "there is no region 4"),
        ("(0;%match%) > 1", "there is no region 0"),
        ("(verbs;%match%) > 1", "there is no region verbs"),
    ],
)
def test_conditions_and_regions_have_to_be_there(formula, message):
    with pytest.raises(SuiteError, match=message):
        check_formulas([formula], ["match", "mismatch"], ["subject", "verb", "rest"])


def test_names_become_numbers_for_syntaxgym():
    tree = rename(parse_formula("(target;%Case=Dat%) > (*;%Nom%)"), {"Case=Dat": "Case_Dat"}, ["prefix", "target"])
    assert show(tree) == "(2;%Case_Dat%) > (*;%Nom%)"


NAMES = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
ATOMS = st.builds(Region, st.integers(1, 12) | st.just("*"), NAMES) | st.builds(
    Number, st.integers(-9, 99).map(float) | st.floats(-1e6, 1e6).filter(lambda one: abs(one) > 1e-3)
)
VALUES = st.recursive(ATOMS, lambda inner: st.builds(Arithmetic, st.sampled_from("+-"), inner, inner), max_leaves=6)
FORMULAS = st.recursive(
    st.builds(Comparison, st.sampled_from("<>="), VALUES, VALUES),
    lambda inner: st.builds(Logic, st.sampled_from("&|"), inner, inner),
    max_leaves=5,
)


@given(FORMULAS)
def test_what_is_shown_reads_as_the_same(formula):
    assert parse_formula(show(formula)) == formula


def as_syntaxgym(formula, bits: dict[str, float]) -> float | bool:
    """Evaluate a tree as SyntaxGym's own program does: plain Python, and NumPy's `isclose` for `=`."""
    if isinstance(formula, Region):
        return bits[formula.condition]
    if isinstance(formula, Number):
        return formula.value
    left, right = as_syntaxgym(formula.left, bits), as_syntaxgym(formula.right, bits)
    return {
        "+": lambda: left + right,
        "-": lambda: left - right,
        "<": lambda: left < right,
        ">": lambda: left > right,
        "=": lambda: bool(np.isclose(left, right, rtol=1e-5, atol=1e-3)),
        "&": lambda: left and right,
        "|": lambda: left or right,
    }[formula.sign]()


@settings(deadline=None)
@given(FORMULAS, st.floats(0, 30), st.floats(0, 1e-3))
def test_the_database_evaluates_as_syntaxgym_does(formula, first, apart):
    # Conditions that are as surprising as one another, nearly so, and not at all.
    bits = {one.condition: first + apart * place**3 for place, one in enumerate(regions(formula))}
    sql = to_sql(formula, lambda one: f"{bits[one.condition]!r}::DOUBLE")
    assert duckdb.sql(f"select {sql}").fetchall() == [(as_syntaxgym(formula, bits),)]
