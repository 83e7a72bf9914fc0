"""Exact tests of proportions, beside scipy's and statsmodels' own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starbank.analysis.statistics import binomial_test, clopper_pearson, holm, mcnemar_test


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
    assert mcnemar_test(np.array([first]), np.array([second]))[0] == pytest.approx(expected)


@pytest.mark.parametrize("p_values", [[0.04], [0.01, 0.04, 0.03], [0.2, 0.2, 1.0, 0.0, 0.011, 0.012], [0.9, 0.8]])
def test_holm_is_that_of_statsmodels(p_values):
    from statsmodels.stats.multitest import multipletests

    assert holm(np.array(p_values)) == pytest.approx(multipletests(p_values, method="holm")[1])
