"""Samples of a cluster over time: the naive program finds the same starts; limits give the expected ones."""

from collections import Counter
from collections.abc import Callable
from random import Random

import attrs
import pytest

from shadowtime.console.session.slurm.over_time import Arrival, followed
from shadowtime.console.session.slurm.sampling import NEVER, Future, Sampler
from shadowtime.scenarios.slurm import Capture, Job
from tests.amount import every, many
from tests.oracles.slurm.sampling import Sample
from tests.oracles.slurm.small import NOW, array, cluster, running, waiting
from tests.session.slurm.over_time.test_over_time import AHEAD, capture_of
from tests.session.slurm.over_time.test_preemption import capture_of as preempting

CLUSTERS = many(96)
GROUPS = 2
LONG = 1 << 40


def test_with_the_limits_as_runtimes_and_nobody_coming_a_job_starts_as_expected() -> None:
    """Also tasks, jobs that take turns or are preempted, and jobs that never start."""
    compared = 0
    for capture in (*map(capture_of, range(7)), *map(preempting, range(4))):
        sampler = Sampler(capture, NOW)
        asked = [place for place, unit in enumerate(sampler.units) if unit.job.waiting]
        found = sampler.starts(asked, [Future([LONG] * len(sampler.units))])
        expected = Counter((each.job_id, each.start) for each in followed(capture, NOW)[0] if each.start)
        names = [sampler.units[place].name for place in asked]
        ours = Counter(each for each in zip(names, found, strict=True) if each[1] != NEVER)
        assert ours <= expected and {name for name, _ in ours} == {name for name, _ in expected}
        compared += sum(ours.values())
    assert compared > 40


def test_a_job_starts_once_a_drawn_runtime_is_over_and_an_arrival_that_goes_before_it_as_well() -> None:
    """Job 1 ends after 100 s, so that 2 can start at 102; the job that comes at 50 takes both nodes first."""
    first = running(1, [1, 2], 600, begin=NOW - 20)
    capture = cluster(2, [first, waiting(2, 2, 10), array(3, 2, 10, "4-5")])
    sampler = Sampler(capture, NOW)
    assert [unit.name for unit in sampler.units] == ["1", "2", "3_4", "3_5"]
    before = attrs.evolve(waiting(9, 2, 10), priority=5000)
    runtimes = [120, 30, 40, 50]
    alone, beside = Future(runtimes), Future(runtimes, [Arrival(NOW + 50, before, 77)])
    found = [start - NOW for start in sampler.starts([1, 2, 3], [alone, beside])]
    assert found == [102, 134, 176, 180, 212, 254]
    assert Sampler(capture, NOW).starts([0], [alone]).tolist() == [NOW - 20]


def futures(sampler: Sampler, jobs: tuple[Job, ...], random: Random) -> Future:
    """Random runtimes of half of the units, and copies of waiting jobs that come."""
    runtimes = [LONG if random.random() < 0.3 else random.randint(1, 1500) for _ in sampler.units]
    models = [
        job for job in jobs if job.waiting and job.array is None and not job.depends and not job.het_job
    ]
    instants = sorted(NOW + random.randint(1, 2000) for _ in range(random.randint(0, 6) if models else 0))
    return Future(runtimes, [Arrival(at, random.choice(models), random.randint(1, 900)) for at in instants])


def differing(capture: Capture, seed: int) -> tuple[int, int]:
    """How many starts of a sample there are, and how many of them the naive program does not have."""
    sampler = Sampler(capture, NOW)
    drawn = futures(sampler, capture.jobs, Random(seed))
    asked = [place for place, unit in enumerate(sampler.units) if unit.job.waiting]
    # What another sample has left behind in the sampler makes no difference.
    other = futures(sampler, capture.jobs, Random(seed + 1000))
    ours = sampler.starts(asked, [other, drawn]).tolist()[len(asked) :]
    keys = {unit.key: drawn.runtimes[place] for place, unit in enumerate(sampler.units)}
    arrivals = [(each.at, each.job, each.runtime) for each in drawn.arrivals]
    naive = Sample(capture, NOW, keys, arrivals)
    naive.run(NOW + AHEAD)
    expected = [naive.starts.get(sampler.units[place].key, NEVER) for place in asked]
    ours = [start if start <= NOW + AHEAD else NEVER for start in ours]
    pairs = list(zip(ours, expected, strict=True))
    return sum(start != NEVER for start in ours), sum(one != other for one, other in pairs)


@pytest.mark.parametrize("make", [capture_of, preempting])
def test_the_naive_program_finds_the_same_starts(make: Callable[[int], Capture]) -> None:
    """Of a few random clusters."""
    found = [differing(make(seed), seed) for seed in range(2)]
    assert sum(starts for starts, _ in found) > 5 and not any(differ for _, differ in found)


@pytest.mark.proof
@pytest.mark.parametrize("group", every(2, range(GROUPS)))
def test_no_start_of_a_sample_differs_on_random_clusters(group: int) -> None:
    """Each start of 50 minutes."""
    for seed in range(group, CLUSTERS, GROUPS):
        assert differing(capture_of(seed), seed)[1] == 0, seed
