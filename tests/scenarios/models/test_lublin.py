"""The Lublin-Feitelson model against its published means, and its own promises."""

from array import array
from fractions import Fraction

import pytest

from shadowtime.scenarios import Workload, lublin99
from shadowtime.scenarios.models.lublin import BATCH, INTERACTIVE, KINDS, UNTYPED, daily_weights

# Means that are published for 100,000 jobs on 128 nodes: runtime (s), size, interarrival (s), load.
PUBLISHED = {"typed": (1613.6, 8.91, 524.7, 0.390), "untyped": (4367.7, 12.18, 898.5, 0.741)}


def means(workload: Workload, nodes: int = 128) -> tuple[float, float, float, float]:
    count, span = len(workload), workload.submit[-1] - workload.submit[0]
    area = sum(size * runtime for size, runtime in zip(workload.size, workload.runtime, strict=True))
    return sum(workload.runtime) / count, sum(workload.size) / count, span / (count - 1), area / nodes / span


def agree(found: tuple[float, ...], published: tuple[float, ...], tolerance: tuple[float, ...]) -> None:
    for value, target, share in zip(found, published, tolerance, strict=True):
        assert abs(value - target) <= share * target, (found, published)


@pytest.mark.parametrize("kind", PUBLISHED)
def test_means_of_many_jobs(kind: str) -> None:
    """Over 20,000 jobs runtimes and gaps, whose tails are heavy, come within 10 %, sizes within 3 %."""
    agree(means(lublin99(20_000, 128, kind=kind)), PUBLISHED[kind], (0.1, 0.03, 0.1, 0.15))


@pytest.mark.proof
@pytest.mark.parametrize("kind", PUBLISHED)
def test_published_means(kind: str) -> None:
    """The mean of five runs of 100,000 jobs; single runs scatter by about 4 %."""
    runs = [means(lublin99(100_000, 128, seed=seed, kind=kind)) for seed in range(1, 6)]
    average = tuple(sum(column) / len(runs) for column in zip(*runs, strict=True))
    agree(average, PUBLISHED[kind], (0.04, 0.01, 0.03, 0.06))


def test_the_same_seed_gives_the_same_jobs() -> None:
    """Another seed gives others."""
    assert lublin99(500, 128).runtime == lublin99(500, 128).runtime
    assert lublin99(500, 128, seed=2).runtime != lublin99(500, 128).runtime


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 100, 128, 1000, 93_312])
@pytest.mark.parametrize("kind", KINDS)
def test_jobs_fit_every_machine(nodes: int, kind: str) -> None:
    """Sizes are 1 to the machine's; runtimes at least a second; submissions ascend; ids count from 1."""
    jobs = lublin99(500, nodes, kind=kind)
    assert jobs.id == array("q", range(1, 501))
    assert all(1 <= size <= nodes for size in jobs.size)
    assert min(jobs.runtime) >= 1 and jobs.estimate == jobs.runtime
    assert list(jobs.submit) == sorted(jobs.submit) and jobs.submit[0] >= 0
    assert jobs.rows == 500 and not jobs.dropped and not any(jobs.killed)


def test_shares_of_the_sizes() -> None:
    """Serial jobs and powers of two are as frequent as the constants say."""
    jobs = lublin99(20_000, 128, kind="batch")
    serial = sum(size == 1 for size in jobs.size) / len(jobs)
    powers = sum(size > 1 and size & (size - 1) == 0 for size in jobs.size) / len(jobs)
    assert abs(serial - BATCH.serial) < 0.015
    # Some of the other sizes are powers of two by chance.
    assert BATCH.power_of_two - 0.015 < powers < BATCH.power_of_two + 0.03


def test_classes() -> None:
    """`typed` has both, `untyped` has no class."""
    assert set(lublin99(500, 128).klass) == {"interactive", "batch"}
    assert set(lublin99(50, 128, kind="batch").klass) == {"batch"}
    assert set(lublin99(50, 128, kind="interactive").klass) == {"interactive"}
    assert set(lublin99(50, 128, kind="untyped").klass) == {""}


@pytest.mark.parametrize("load", [Fraction(1, 10), Fraction(7, 10), Fraction(1), Fraction(3)])
def test_the_load_is_set_by_the_gaps_alone(load: Fraction) -> None:
    """One sequence, stretched: sizes and runtimes stay, gaps keep their proportions."""
    natural, jobs = lublin99(3000, 256), lublin99(3000, 256, load=load)
    assert (jobs.size, jobs.runtime, jobs.klass) == (natural.size, natural.runtime, natural.klass)
    assert abs(means(jobs, 256)[3] / float(load) - 1) < 1e-3
    stretch = jobs.submit[-1] / natural.submit[-1]
    pairs = zip(jobs.submit, natural.submit, strict=True)
    assert all(abs(time - other * stretch) < 1 + stretch * 1.1 for time, other in pairs)


@pytest.mark.parametrize("constants", [BATCH, INTERACTIVE, UNTYPED])
def test_the_day_has_a_rhythm(constants: object) -> None:
    """The pace is 1 on average, low in the small hours and high in the afternoon."""
    weights = daily_weights(constants)  # type: ignore[arg-type]
    assert len(weights) == 48 and min(weights) > 0
    assert abs(sum(weights) - 48) < 1e-9
    assert weights.index(min(weights)) in range(6, 15)
    assert weights.index(max(weights)) in range(20, 36)


def test_arrivals_follow_the_day() -> None:
    """More jobs come from 10 to 18 than from 0 to 8."""
    hours = [time % 86_400 // 3600 for time in lublin99(5000, 128).submit]
    assert sum(10 <= hour < 18 for hour in hours) > 2 * sum(hour < 8 for hour in hours)


def test_a_load_needs_two_jobs() -> None:
    """One job has no gap to stretch."""
    assert len(lublin99(1, 128)) == 1
    with pytest.raises(ValueError, match="a load needs at least two jobs"):
        lublin99(1, 128, load=Fraction(1))
