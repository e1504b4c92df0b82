"""The gamma distribution's function, against closed forms and plain integration."""

from math import erf, exp, lgamma, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios.models.gamma import gamma_cdf


@given(st.floats(0.001, 50), st.floats(0.1, 10))
def test_shape_one_is_exponential(x: float, scale: float) -> None:
    """1 - exp(-x / scale)."""
    assert gamma_cdf(x, 1, scale) == pytest.approx(1 - exp(-x / scale), rel=1e-11, abs=1e-14)


@given(st.floats(0.001, 30))
def test_shape_one_half_is_the_error_function(x: float) -> None:
    """erf(sqrt(x))."""
    assert gamma_cdf(x, 0.5, 1) == pytest.approx(erf(sqrt(x)), rel=1e-11)


@pytest.mark.parametrize("shape", [3.5, 6.1271, 8.9186, 312.0])
def test_it_is_the_integral_of_the_density(shape: float) -> None:
    """By Simpson's rule, on both sides of the mean."""
    for x in (0.3 * shape, 0.9 * shape, shape + 1, 1.4 * shape):
        steps = 20_000
        width = x / steps
        density = [
            exp((shape - 1) * log(i * width) - i * width - lgamma(shape)) if i else 0.0
            for i in range(steps + 1)
        ]
        area = width / 3 * (density[0] + density[-1] + 4 * sum(density[1::2]) + 2 * sum(density[2:-1:2]))
        assert gamma_cdf(x, shape, 1) == pytest.approx(area, rel=1e-8, abs=1e-12)


@given(st.floats(0, 400), st.floats(0, 10), st.floats(0.2, 200))
def test_it_rises_from_nothing_to_one(x: float, more: float, shape: float) -> None:
    """Never outside of 0 and 1, never falling but for rounding."""
    low, high = gamma_cdf(x, shape, 1), gamma_cdf(x + more, shape, 1)
    assert 0 <= low <= 1 and 0 <= high <= 1
    assert low <= high + 1e-12
    assert gamma_cdf(0, shape, 1) == gamma_cdf(-1, shape, 1) == 0
