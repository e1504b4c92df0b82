"""Quantiles and calibration."""

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.likely.calibration import BOUNDS, Calibration, PastForecast
from shadowtime.console.session.likely.quantiles import NEVER, level_of, pinball, quantile, share_until

SAMPLES = st.lists(st.integers(0, 50), min_size=1, max_size=30).map(sorted)


@given(samples=SAMPLES, level=st.floats(0, 1))
def test_a_quantile_lies_where_its_level_says(samples: list[int], level: float) -> None:
    """It is between the outermost samples; at the level of a sample it is this sample; it never falls."""
    count = len(samples)
    assert samples[0] <= quantile(samples, level) <= samples[-1]
    assert [quantile(samples, (i + 0.5) / count) for i in range(count)] == pytest.approx(samples)
    assert quantile(samples, level) <= quantile(samples, min(1.0, level + 0.1))


def test_a_job_that_may_never_start_has_no_late_quantile() -> None:
    assert quantile([10, 20, NEVER, NEVER], 0.9) == NEVER
    assert quantile([10, 20, 30, NEVER], 0.5) == 25


@given(samples=SAMPLES, value=st.integers(-1, 51))
def test_levels_count_samples(samples: list[int], value: int) -> None:
    below = sum(sample < value for sample in samples)
    equal = sum(sample == value for sample in samples)
    assert level_of(samples, value) == pytest.approx((below + equal / 2) / len(samples))
    assert share_until(samples, value) == pytest.approx((below + equal) / len(samples))


def test_the_loss_is_least_at_the_quantile() -> None:
    values = range(100)
    losses = {at: sum(pinball(at, value, 0.9) for value in values) for at in range(100)}
    assert min(losses, key=lambda at: losses[at]) in (89, 90)


def naive(outcomes: list[PastForecast], snapshot: int, wanted: float) -> float:
    """The first level at which the product-limit estimate reaches a share, from its definition."""
    rows = [(o.level, o.settled, o.weight * exp((o.snapshot - snapshot) / 400)) for o in outcomes]
    rows += [((i + 0.5) / 100, True, 0.05) for i in range(100)]
    surviving = 1.0
    for level in sorted({level for level, settled, _ in rows if settled}):
        here = sum(weight for at, settled, weight in rows if settled and at == level)
        risk = sum(weight for at, _, weight in rows if at >= level)
        surviving *= 1 - here / risk
        if 1 - surviving >= wanted - 1e-12:
            return level
    return 1.0


OUTCOMES = st.lists(
    st.builds(
        PastForecast,
        snapshot=st.integers(0, 300),
        weight=st.sampled_from([1.0, 0.5, 0.1]),
        level=st.integers(0, 20).map(lambda twentieth: twentieth / 20),
        settled=st.booleans(),
    ),
    max_size=40,
)


@given(outcomes=OUTCOMES, wanted=st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9]))
def test_calibration_is_the_product_limit_estimate_within_bounds(
    outcomes: list[PastForecast], wanted: float
) -> None:
    low, high = BOUNDS.get(wanted, (0.0, 1.0))
    found = Calibration(outcomes, 300).level(wanted)
    assert low <= found <= high
    near = [naive(outcomes, 300, wanted + shift) for shift in (-1e-9, 1e-9)]
    if wanted in BOUNDS:
        assert found in [min(max(level, low), high) for level in near]


def test_without_outcomes_levels_stay() -> None:
    levels = Calibration([], 0).levels([0.1, 0.5, 0.9])
    assert levels == pytest.approx([0.1, 0.5, 0.9], abs=0.011)


def test_samples_that_are_too_narrow_are_widened() -> None:
    """Where starts lie beyond the samples half of the time, the outer levels move to their bounds."""
    outcomes = [PastForecast(i, 1.0, level, True) for i in range(200) for level in (0.0, 1.0)]
    assert Calibration(outcomes, 200).levels([0.1, 0.9]) == [0.03, 0.97]
