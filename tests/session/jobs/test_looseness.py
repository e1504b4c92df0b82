"""How loosely runtimes follow estimates."""

import pytest

from shadowtime.console.session.jobs.looseness import estimate_use
from shadowtime.scenarios.models.constants import Means
from shadowtime.scenarios.models.registry import Recipe
from shadowtime.scenarios.workload import Workload


def workload(runtimes: list[int], estimates: list[int]) -> Workload:
    """Jobs of one node that are submitted together."""
    count = len(runtimes)
    return Workload.modelled(submit=[0] * count, runtime=runtimes, size=[1] * count, estimate=estimates)


@pytest.mark.parametrize(
    ("runtimes", "estimates", "share", "looseness"),
    [
        ([10, 5], [10, 10], 0.75, 1 / 3),
        ([5, 10], [10, 20], 0.5, 0.0),
        # The shares 1 and 1/3 have the weights 10 and 30: the mean is 1/2, the variance 1/12.
        ([10, 10], [10, 30], 0.5, 1 / 3),
    ],
)
def test_by_hand(runtimes: list[int], estimates: list[int], share: float, looseness: float) -> None:
    """The variance is weighted by the estimates."""
    assert estimate_use(workload(runtimes, estimates)) == pytest.approx((share, looseness))


def test_exact_estimates_are_not_loose() -> None:
    """Nothing can be said of them, nor of no jobs."""
    assert estimate_use(workload([3, 4], [3, 4])) is None
    assert estimate_use(workload([], [])) is None


@pytest.mark.parametrize("looseness", [0.2, 0.6])
def test_the_model_of_means_is_as_loose_as_it_was_asked_to_be(looseness: float) -> None:
    """Its parameter comes back, but for chance."""
    made = Recipe("means", 20_000, constants=Means(looseness=looseness)).make(96).workload
    use = estimate_use(made)
    assert use is not None
    assert use.share == pytest.approx(2835.83 / 6697.88, rel=0.05)
    assert use.looseness == pytest.approx(looseness, abs=0.02)
