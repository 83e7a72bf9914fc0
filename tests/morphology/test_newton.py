"""Newton's method finds what calculus finds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from starbank.morphology.newton import minimum


def quartic(point):
    """x⁴ - 2x² + y²: a saddle at the origin, minima at x = ±1."""
    x, y = point
    return x**4 - 2 * x**2 + y**2, np.array([4 * x**3 - 4 * x, 2 * y]), np.diag([12 * x**2 - 4, 2.0])


def test_a_function_that_is_not_convex_leads_to_a_minimum():
    assert minimum(quartic, np.array([0.1, 3.0])).round(9).tolist() == [1.0, 0.0]
    assert minimum(quartic, np.array([-2.0, 1.0])).round(9).tolist() == [-1.0, 0.0]


@given(st.lists(st.floats(-100, 100), min_size=3, max_size=3))
def test_a_paraboloid_takes_one_step_from_anywhere(start):
    bends = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 1.0]])
    lowest = np.array([1.0, -2.0, 0.5])

    def paraboloid(point):
        away = point - lowest
        return away @ bends @ away / 2, bends @ away, bends

    assert np.allclose(minimum(paraboloid, np.array(start)), lowest)
