"""The model of given means: it agrees with its naive program, and its jobs have the given means."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import attrs
import pytest

from shadowtime.scenarios.models.constants import Means
from shadowtime.scenarios.models.means import cut_mean, means, sessions, size_exponent
from shadowtime.scenarios.models.registry import Recipe
from shadowtime.scenarios.workload import Workload
from tests.amount import every
from tests.oracles.models.means import jobs_of

COUNT = 30_000
SETS = {
    "set1": Means(),
    "set2": Means(mean_size=10.11, mean_runtime=6697.88, mean_estimate=21_634, interarrival=1277.34),
}


def drawn(random: Random) -> tuple[int, int, Means]:
    """How many jobs, on how many nodes, and constants, all at random."""
    nodes = random.choice([2, 3, 16, 96, 130])
    longest = random.choice([60, 3600, 43_200, 1_000_000])
    estimate = longest * random.choice([0.006, 0.2, 0.5, 0.9, 0.99])
    estimate = max(1.0, estimate)
    constants = Means(
        mean_size=1.2 + random.random() * (0.8 * nodes - 1.2),
        mean_runtime=max(1.0, estimate * random.choice([0.01, 0.3, 0.7, 1])),
        mean_estimate=estimate,
        longest_estimate=longest,
        looseness=random.choice([0, 0.05, 0.5, 0.9]),
        correlation=random.choice([-1, -0.4, 0, 0.3, 1]),
        interarrival=random.choice([0.5, 30, 2000]),
        small_size=random.randrange(20),
        small_factor=random.choice([0.5, 1, 3]),
        power_factor=random.choice([0.5, 1, 6]),
        run_exponent=random.choice([0, 1.5, 2.5]),
        longest_run=random.choice([1, 7, 100]),
    )
    return random.randrange(1, 120), nodes, constants


@pytest.mark.parametrize("block", every(10, range(10)))
def test_it_agrees_with_its_naive_program(block: int) -> None:
    """Submissions, sizes, runtimes, estimates, runs: 1,000 sets of constants, no difference."""
    random = Random(block)
    for seed in range(100):
        count, nodes, constants = drawn(random)
        made = means(count, nodes, constants, seed=seed)
        jobs = made.workload
        expected = jobs_of(count, nodes, attrs.asdict(constants), seed)
        found = list(zip(jobs.submit, jobs.size, jobs.runtime, jobs.estimate, strict=True))
        assert found == [job[:4] for job in expected]
        latest = dict[int, int]()
        for row, job in enumerate(expected):
            assert made.preceding is not None and made.preceding[row] == latest.get(job[4], 0)
            latest[job[4]] = row + 1


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def looseness(runtimes: Sequence[int], estimates: Sequence[int]) -> float:
    """The variance of the share, weighted by the estimates, over the greatest that its mean allows."""
    middle = sum(runtimes) / sum(estimates)
    spread = sum(e * (r / e - middle) ** 2 for r, e in zip(runtimes, estimates, strict=True)) / sum(estimates)
    return spread / (middle * (1 - middle))


@pytest.mark.proof
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("loose", [0, 0.3, 0.6, 0.9])
def test_the_means_and_the_looseness_are_those_asked_for(name: str, loose: float) -> None:
    """Of jobs, each taken once. No estimate is above the longest, no runtime above its estimate."""
    constants = attrs.evolve(SETS[name], looseness=loose)
    given = sessions(COUNT, 96, constants)
    runtimes, estimates = [job.runtime for job in given], [job.estimate for job in given]
    assert mean([job.size for job in given]) == pytest.approx(constants.mean_size, rel=0.02)
    assert mean(runtimes) == pytest.approx(constants.mean_runtime, rel=0.02)
    assert mean(estimates) == pytest.approx(constants.mean_estimate, rel=0.02)
    assert looseness(runtimes, estimates) == pytest.approx(loose, abs=0.01)
    assert max(estimates) <= constants.longest_estimate
    assert all(1 <= job.runtime <= job.estimate for job in given)
    assert given[-1].arrival / COUNT == pytest.approx(1.79 * constants.interarrival, rel=0.02)


@pytest.mark.proof
@pytest.mark.parametrize("correlation", [-1, -0.5, 0, 0.5, 1])
def test_the_correlation_of_the_ranks(correlation: float) -> None:
    """Of many sizes without a preferred one, so that few of them are equal."""
    constants = Means(correlation=correlation, mean_size=400, small_factor=1, power_factor=1)
    given = sessions(COUNT // 3, 1024, constants)
    sizes, estimates = ranks([job.size for job in given]), ranks([job.estimate for job in given])
    middle = (len(given) - 1) / 2
    product = mean([(a - middle) * (b - middle) for a, b in zip(sizes, estimates, strict=True)])
    assert product / (middle * (middle + 1) / 3) == pytest.approx(correlation, abs=0.03)


def ranks(values: Sequence[int]) -> list[int]:
    places = [0] * len(values)
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        places[place] = rank
    return places


@pytest.mark.proof
def test_uncorrelated_jobs_ask_for_the_product_of_the_means() -> None:
    """Streit 2002, Table 1, at a shrinking factor of 0.75: 84.6 % (set1) and 73.6 % (set2) of 96 nodes."""
    for constants, asked in zip(SETS.values(), (0.846, 0.736), strict=True):
        area = constants.mean_size * constants.mean_runtime
        assert area / (96 * 0.75 * constants.interarrival) == pytest.approx(asked, abs=0.001)
        given = sessions(COUNT, 96, constants)
        area = mean([job.size * job.runtime for job in given])
        assert area == pytest.approx(constants.mean_size * constants.mean_runtime, rel=0.04)


def test_the_runs_of_a_job_have_its_estimate() -> None:
    made = Recipe("means", 4000, seed=2).make(96)
    jobs, again = made.workload, made.preceding or ()
    pairs = [(before - 1, row) for row, before in enumerate(again) if before]
    assert len(pairs) > 1000
    assert all(jobs.estimate[before] == jobs.estimate[row] for before, row in pairs)


@pytest.mark.parametrize("load", [Fraction(1, 3), Fraction(9, 10), Fraction(2)])
def test_the_load_is_met_by_the_gaps_alone(load: Fraction) -> None:
    jobs = Recipe("means", 3000, load=load).make(96).workload
    area = sum(size * runtime for size, runtime in zip(jobs.size, jobs.runtime, strict=True))
    assert area / 96 / (jobs.submit[-1] - jobs.submit[0]) == pytest.approx(float(load), rel=1e-3)
    assert list(jobs.submit) == sorted(jobs.submit)


def test_the_mean_of_the_cut_distribution() -> None:
    """By its rate: half of the longest at 0, and falling."""
    assert cut_mean(0, 100) == 50
    found = [cut_mean(rate / 100, 100) for rate in (-200, -3, -1, 0, 1, 3, 200)]
    assert found == sorted(found, reverse=True) and found[0] == pytest.approx(99.5)
    # e - 2 over e - 1: by hand, for a rate of 1 on [0, 1].
    assert cut_mean(1, 1) == pytest.approx((2.718281828 - 2) / (2.718281828 - 1))


def test_the_exponent_of_the_sizes() -> None:
    """Of the sizes 1 and 2 the second has the weight 4 * 2^-a of the first: as many of each at a = 2."""
    assert size_exponent(2, Means(mean_size=1.5)) == pytest.approx(2)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"looseness": 0.95}, "looseness is 0.95; expected a number from 0 to 0.9"),
        ({"mean_runtime": 7000}, "mean_runtime is 7000; expected at most mean_estimate, 6697.88 seconds"),
        ({"mean_estimate": 50_000}, "mean_estimate is 50000; expected from 216 to 42984"),
        ({"correlation": 2}, "correlation must be a number from -1 to 1"),
    ],
)
def test_constants_are_checked(given: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Means(**given)


def test_a_mean_size_that_no_job_of_the_machine_has_is_refused() -> None:
    """What the message shows is accepted."""
    with pytest.raises(
        ValueError, match=r"mean_size is 13\.49; expected from 1\.01 to 7\.9 on a machine of 8 nodes"
    ):
        means(5, 8, Means())
    assert len(means(5, 8, Means(mean_size=7.9)).workload) == 5
    assert set(means(5, 1, Means(mean_size=1)).workload.size) == {1}


def test_the_seed_decides() -> None:
    def columns(seed: int) -> tuple[object, ...]:
        made: Workload = Recipe("means", 200, seed=seed).make(64).workload
        return made.submit, made.size, made.runtime, made.estimate

    assert columns(3) == columns(3) != columns(4)
