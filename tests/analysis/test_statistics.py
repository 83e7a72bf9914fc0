"""Exact tests of proportions, beside scipy's and statsmodels' own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starbank.analysis.statistics import binomial_test, clopper_pearson, holm, sign_test


@settings(deadline=None)  # The first example waits for scipy.
@given(st.integers(1, 200), st.data(), st.sampled_from([0.5, 1 / 3, 1 / 4]))
def test_the_test_rejects_chance_where_the_interval_excludes_it(items, data, chance):
    correct = data.draw(st.integers(0, items))
    low, high = clopper_pearson(np.array([correct]), np.array([items]))
    (p_value,) = binomial_test(np.array([correct]), np.array([items]), chance)
    assert (p_value < 0.05) == (not low[0] <= chance <= high[0])


@pytest.mark.parametrize(("first", "second"), [(5, 0), (3, 9), (12, 12), (1, 30)])
def test_mcnemar_is_that_of_statsmodels(first, second):
    from statsmodels.stats.contingency_tables import mcnemar

    expected = mcnemar([[7, first], [second, 7]], exact=True).pvalue
    assert sign_test(np.repeat([1, -1], [first, second])) == pytest.approx(expected)


@pytest.mark.parametrize("p_values", [[0.04], [0.01, 0.04, 0.03], [0.2, 0.2, 1.0, 0.0, 0.011, 0.012], [0.9, 0.8]])
def test_holm_is_that_of_statsmodels(p_values):
    from statsmodels.stats.multitest import multipletests

    assert holm(np.array(p_values)) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_leads_of_sentences_change_sides_as_a_whole():
    # Dealt to two sides in the eight ways that there are, 3, 1 and 1 balance to 5 twice, to 3 four times, to 1 twice.
    assert sign_test(np.array([3, 1, -1])) == pytest.approx(6 / 8)
    assert sign_test(np.array([3, 1, 1])) == pytest.approx(2 / 8)
    assert sign_test(np.array([1, 1, -1, 1])) == float(binomial_test(np.array(3), 4, 0.5))
    assert sign_test(np.array([], int)) == 1.0
