"""The reconstructed models of Feitelson: they draw and submit by the structure that was published."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import exp, log, sqrt

import attrs
import pytest

from shadowtime.scenarios.models.constants import DEFAULTS, Constants, ThreeStages
from shadowtime.scenarios.models.feitelson import Session, feitelson, sessions, submitted
from shadowtime.scenarios.models.generated import Generated, LoadError
from shadowtime.scenarios.models.registry import Recipe

MODELS = list(DEFAULTS)
COUNT = 20_000


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def variation(values: Sequence[float]) -> float:
    """The coefficient of variation: 1 for an exponential distribution."""
    middle = mean(values)
    return sqrt(mean([(value - middle) ** 2 for value in values])) / middle


def exponent(values: Sequence[int], largest: int) -> float:
    """The exponent a that makes n^-a, n = 1 .. largest, most likely: it gives log(n) the mean that it has."""
    target, low, high = mean([log(value) for value in values]), 0.0, 10.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        weights = [n**-middle for n in range(1, largest + 1)]
        expected = sum(weight * log(n) for n, weight in enumerate(weights, 1)) / sum(weights)
        low, high = (middle, high) if expected > target else (low, middle)
    return low


@pytest.mark.parametrize("order", [1.5, 2.2])
def test_the_exponent_of_the_sizes(order: float) -> None:
    """Without emphasis a size n has the weight n^-size_exponent."""
    plain = Constants(size_exponent=order, small_factor=1, power_factor=1)
    sizes = [session.size for session in sessions(COUNT, 128, plain)]
    assert abs(exponent(sizes, 128) - order) < 0.04


@pytest.mark.parametrize("order", [2.5, 1.2])
def test_the_exponent_of_the_runs(order: float) -> None:
    """A job is run r times with the weight r^-run_exponent, at most longest_run times."""
    constants = Constants(run_exponent=order, longest_run=30)
    runs = [session.runs for session in sessions(COUNT, 128, constants)]
    assert abs(exponent(runs, 30) - order) < 0.04
    assert max(runs) <= 30


@pytest.mark.proof
def test_the_mean_number_of_runs() -> None:
    """1.79 by the default constants: sum(r^-1.5) / sum(r^-2.5), r = 1 .. 100."""
    expected = sum(r**-1.5 for r in range(1, 101)) / sum(r**-2.5 for r in range(1, 101))
    assert abs(expected - 1.799) < 0.001
    assert abs(mean([session.runs for session in sessions(COUNT, 128, Constants())]) / expected - 1) < 0.04


@pytest.mark.parametrize("nodes", [100, 128, 1024])
def test_small_sizes_and_powers_of_two(nodes: int) -> None:
    """Both are as frequent as their factors say, and more frequent than without."""
    constants = Constants()
    given = sessions(COUNT, nodes, constants)

    def shares(small: float, power: float) -> tuple[float, float]:
        weights = {
            n: n**-1.5 * (small if n <= 8 else 1) * (power if n > 1 and n.bit_count() == 1 else 1)
            for n in range(1, nodes + 1)
        }
        powers = sum(weight for n, weight in weights.items() if n > 1 and n.bit_count() == 1)
        return sum(list(weights.values())[:8]) / sum(weights.values()), powers / sum(weights.values())

    small, power = shares(constants.small_factor, constants.power_factor)
    assert abs(mean([session.size <= 8 for session in given]) - small) < 0.01
    assert (
        abs(mean([session.size > 1 and session.size.bit_count() == 1 for session in given]) - power) < 0.012
    )
    assert small > shares(1, constants.power_factor)[0]
    assert power > 2 * shares(constants.small_factor, 1)[1]
    assert max(session.size for session in given) <= nodes


def test_where_small_ends() -> None:
    """small_size is the largest size that counts as small."""
    constants = Constants(size_exponent=1, small_size=2, small_factor=1000, power_factor=1)
    sizes = [session.size for session in sessions(COUNT, 128, constants)]
    assert set(sizes[:100]) == {1, 2} and abs(mean([size == 2 for size in sizes]) - 1 / 3) < 0.015


@pytest.mark.proof
@pytest.mark.parametrize("model", MODELS)
def test_runtimes_grow_with_the_size(model: str) -> None:
    """The weights of the stages go from those of one node to those of the whole machine."""
    constants = attrs.evolve(DEFAULTS[model], size_exponent=0, small_factor=1, power_factor=1)
    given = sessions(3 * COUNT, 128, constants)
    for least, most in ((1, 32), (97, 128)):
        runtimes = [session.runtime for session in given if least <= session.size <= most]
        expected = mean_runtime(constants, ((least + most) / 2 - 1) / 127)
        assert abs(mean(runtimes) / expected - 1) < 0.08
        # More than an exponential distribution has: there is more than one stage.
        assert variation(runtimes) > 1.3
    assert mean_runtime(constants, 1) > 2 * mean_runtime(constants, 0)


def mean_runtime(constants: Constants, fullness: float) -> float:
    """The mean over the stages."""
    return mean([constants.stage((u + 0.5) / 1000, fullness) for u in range(1000)])


def test_two_and_three_stages() -> None:
    """Each stage has its share, at both ends of the sizes."""
    two, three = Constants(), ThreeStages()
    assert stages(two, 0) == {300: 95, 7200: 5} and stages(two, 1) == {300: 75, 7200: 25}
    assert stages(three, 0) == {60: 60, 900: 30, 14_400: 10}
    assert stages(three, 1) == {60: 20, 900: 40, 14_400: 40}


def stages(constants: Constants, fullness: float) -> dict[float, int]:
    found = [constants.stage((u + 0.5) / 100, fullness) for u in range(100)]
    return {value: found.count(value) for value in set(found)}


@pytest.mark.proof
@pytest.mark.parametrize("model", MODELS)
def test_first_runs_arrive_as_poisson(model: str) -> None:
    """Gaps are exponential: the mean is the constant, the variation 1, and e^-1 of them pass the mean."""
    arrivals = [session.arrival for session in sessions(COUNT, 128, DEFAULTS[model])]
    gaps = [later - earlier for earlier, later in zip([0.0, *arrivals], arrivals, strict=False)]
    middle = DEFAULTS[model].interarrival
    assert abs(mean(gaps) / middle - 1) < 0.03
    assert abs(variation(gaps) - 1) < 0.03
    assert abs(mean([gap > middle for gap in gaps]) - exp(-1)) < 0.015


def chains(made: Generated) -> Iterator[tuple[int, int]]:
    """The rows of each job that is run again and of the run that follows."""
    assert made.preceding is not None
    return ((before - 1, row) for row, before in enumerate(made.preceding) if before)


@pytest.mark.parametrize("load", [None, Fraction(1, 2), Fraction(2)])
@pytest.mark.parametrize("model", MODELS)
def test_a_run_follows_the_run_before(model: str, load: Fraction | None) -> None:
    """It is the same job, submitted at the second at which the one before would end, if started at once."""
    made = Recipe(model, 3000, load=load).make(128)
    jobs, seen = made.workload, set[int]()
    for before, row in chains(made):
        assert (jobs.size[row], jobs.runtime[row]) == (jobs.size[before], jobs.runtime[before])
        assert jobs.submit[row] == jobs.submit[before] + jobs.runtime[before]
        assert before not in seen
        seen.add(before)
    assert len(seen) > 1000


def check_submitted(made: Generated, nodes: int, count: int) -> None:
    jobs = made.workload
    assert jobs.id == array("q", range(1, count + 1)) and jobs.rows == count
    assert list(jobs.submit) == sorted(jobs.submit) and jobs.submit[0] >= 0
    assert jobs.estimate == jobs.runtime and min(jobs.runtime) >= 1
    assert all(1 <= size <= nodes for size in jobs.size)
    assert any("is a reconstruction" in note for note in jobs.notes)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("nodes", [1, 2, 3, 100, 93_312])
def test_jobs_fit_every_machine(model: str, nodes: int) -> None:
    """Sizes are 1 to the machine's; submissions ascend; what is ours is said."""
    check_submitted(Recipe(model, 400).make(nodes), nodes, 400)


def measured(made: Generated, nodes: int) -> float:
    jobs = made.workload
    area = sum(size * runtime for size, runtime in zip(jobs.size, jobs.runtime, strict=True))
    return area / nodes / (jobs.submit[-1] - jobs.submit[0])


@pytest.mark.parametrize("load", [Fraction(1, 10), Fraction(7, 10), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("model", MODELS)
def test_the_load_is_met(model: str, load: Fraction) -> None:
    """To the second of the last submission."""
    made = Recipe(model, 3000, load=load).make(256)
    assert abs(measured(made, 256) / float(load) - 1) < 1e-3
    check_submitted(made, 256, 3000)


@pytest.mark.parametrize("load", [Fraction(1, 1000), Fraction(1, 2), Fraction(40)])
def test_the_load_of_few_jobs_is_met(load: Fraction) -> None:
    """Also where one job's runs are nearly all there is."""
    for seed in range(30):
        made = Recipe("feitelson97", 2 + seed % 5, seed, load).make(128)
        jobs = made.workload
        area = sum(size * runtime for size, runtime in zip(jobs.size, jobs.runtime, strict=True))
        assert abs(jobs.submit[-1] - jobs.submit[0] - area / 128 / load) <= 1.5


@pytest.mark.parametrize("model", MODELS)
def test_the_load_is_set_by_the_gaps_of_first_runs_alone(model: str) -> None:
    """One sequence: the same jobs arrive at every load, their gaps in the same proportion."""
    slack, tight = (
        first_runs(Recipe(model, 3000, load=load).make(256)) for load in (Fraction(1, 2), Fraction(1))
    )
    count = min(len(slack), len(tight))
    assert count > 1500
    assert [job[1:] for job in slack[:count]] == [job[1:] for job in tight[:count]]
    stretch = slack[count - 1][0] / tight[count - 1][0]
    assert stretch > 1.8
    assert all(abs(a[0] - b[0] * stretch) < 2 * (1 + stretch) for a, b in zip(slack, tight, strict=False))


def first_runs(made: Generated) -> list[tuple[int, int, int]]:
    jobs = made.workload
    rows = zip(jobs.submit, jobs.size, jobs.runtime, made.preceding or (), strict=True)
    return [(submit, size, runtime) for submit, size, runtime, before in rows if before == 0]


def test_more_jobs_of_a_model_begin_with_the_fewer() -> None:
    """What comes later changes nothing before it."""
    fewer, more = (Recipe("feitelson96", jobs).make(64).workload for jobs in (500, 900))
    assert more.submit[:500] == fewer.submit and more.runtime[:500] == fewer.runtime


def test_the_seed_decides() -> None:
    """The same one gives the same jobs, another one others."""
    first, again, other = (Recipe("feitelson97", 200, seed=seed).make(64).workload for seed in (3, 3, 4))
    assert (first.submit, first.runtime, first.size) == (again.submit, again.runtime, again.size)
    assert first.runtime != other.runtime


def test_a_load_needs_two_jobs() -> None:
    """One job has no gap to stretch."""
    assert len(Recipe("feitelson96", 1).make(128).workload) == 1
    with pytest.raises(ValueError, match="a load needs at least two jobs"):
        feitelson("feitelson96", 1, 128, Constants(), load=Fraction(1))


def test_a_load_where_the_first_jobs_come_together() -> None:
    """The gaps after them are stretched; without any there is no load to set."""
    arrivals = (5.0, 5.0, 5.0, 9.0, 12.0)
    given = [Session(arrival, 2, 10, 1, 10) for arrival in arrivals]
    submit = submitted(given, 4, Fraction(1, 2), "").workload.submit
    assert submit[0] == submit[2] < submit[3] < submit[4] and submit[4] - submit[0] in (50, 49)
    with pytest.raises(LoadError, match="a load needs jobs that arrive at different times"):
        submitted(given[:3], 4, Fraction(1, 2), "")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Constants(size_exponent=11), "size_exponent must be a number from 0 to 10"),
        (lambda: Constants(longest_run=2.5), "longest_run must be a whole number from 1 to 10000"),
        (lambda: Constants(runtime_long=0), "runtime_long must be a duration from 1 to"),
        (
            lambda: ThreeStages(medium_most=0.7),
            "medium_most and long_most are 1.1 together; expected at most 1",
        ),
    ],
)
def test_constants_are_checked(make: Callable[[], Constants], words: str) -> None:
    """Each has bounds, and the stages share what there is."""
    with pytest.raises(ValueError, match=words):
        make()


def test_progress_is_reported() -> None:
    """Now and then, up to the number of jobs."""
    calls: list[tuple[int, int]] = []
    sessions(10_000, 16, Constants(), progress=lambda done, total: calls.append((done, total)))
    assert calls == [(0, 10_000), (4096, 10_000), (8192, 10_000)]
    assert isinstance(sessions(1, 16, Constants())[0], Session)
