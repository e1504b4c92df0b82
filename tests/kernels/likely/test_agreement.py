"""The compiled samples of what may come are those of the naive program, bit for bit."""

import random
from itertools import islice

import pytest

from shadowtime.kernels.likely.odds import Odds
from shadowtime.kernels.operator.steering import Intervention
from tests.amount import many
from tests.kernels.likely.acts import acted
from tests.kernels.likely.naive import Begin, begin_under, fitted, known_of, starts_of
from tests.oracles.jobs import Job
from tests.oracles.likely.known import NO_USER
from tests.oracles.likely.sample import Sample
from tests.oracles.likely.workloads import UsersWorkload, repeated_workload

MIXTURES = 18
"""So many samples have different constants."""
LATEST = 1 << 60
NAMES = (
    *("easy-arrival", "fcfs", "conservative-arrival", "easy-shortest", "flex", "easy-kept"),
    *("gang", "checkpoint", "t3d", "maui", "unicos"),
)
"""Policies whose past does not depend on runtimes that are not over, and under which no queue starves."""


def check(
    begin: Begin,
    workload: UsersWorkload,
    rng: random.Random,
    *,
    events: list[int],
    samples: int,
    arrivals: int,
) -> None:
    """Runtimes, first arrivals and starts are those of the naive program, each so many events further on.

    The samples of a moment follow each other; where they begin is drawn.
    """
    simulation = begin(workload, LATEST)
    odds = Odds(simulation)
    for steps in events:
        simulation.run(events=steps)
        known, waiting = known_of(simulation, workload), list(simulation.waiting())
        seed, first = rng.choice((0, -1, rng.getrandbits(63))), rng.randrange(MIXTURES)
        starts = []
        for place in range(first, first + samples):
            sample = Sample(known, seed, place)
            runtimes, compiled = odds.runtimes(simulation, seed=seed, sample=place)
            assert runtimes == sample.runtimes
            naive = [
                (arrival.row, arrival.submit, arrival.runtime)
                for arrival in islice(sample.arrivals(), arrivals)
            ]
            assert compiled[:arrivals] == naive
            starts += starts_of(begin, simulation, workload, sample, waiting)
        found = odds.starts(simulation, waiting, seed=seed, samples=samples, first=first)
        assert list(found) == starts


def check_acting(begin: Begin, workload: UsersWorkload, rng: random.Random, events: int) -> None:
    """With something done at a moment, a sample has the runtimes and arrivals that it has without."""
    simulation = begin(workload, LATEST)
    simulation.run(events=events)
    deed = acted(simulation, rng, most=2, requests=False)
    expected = deed.simulation.expected()
    expected.run()
    # Those that start no more at the limits may wait for as long as jobs come.
    left = [job for job in simulation.waiting() if simulation.start_of(job) is None]
    left = [job for job in left if expected.start_of(job) is not None]
    sample = Sample(known_of(simulation, workload), seed=8, sample=3)
    naive = starts_of(begin, simulation, workload, sample, left, deed.deeds)
    found = Odds(simulation).starts(simulation, left, seed=8, samples=1, first=3, done=deed.deeds)
    assert list(found) == naive


def check_random_acting(seed: int) -> None:
    """One random workload under one policy, where something is done."""
    rng = random.Random(seed)
    name = NAMES[seed % len(NAMES)]
    workload = fitted(name, repeated_workload(rng))
    check_acting(begin_under(name), workload, rng, rng.randint(1, 3 * len(workload.jobs)))


@pytest.mark.parametrize("name", NAMES)
def test_random_workloads_where_something_is_done(name: str) -> None:
    """What is done concerns some jobs; all draw what they would draw without."""
    for seed in range(NAMES.index(name), 8 * len(NAMES), len(NAMES)):
        check_random_acting(seed)


def random_actions(rng: random.Random, count: int) -> list[Intervention]:
    """Return actions on so many jobs: some are cancelled, some held, some of those released."""
    events = sorted(rng.sample(range(1, 4 * count), min(count, 8)))
    verbs = ("cancel", "hold", "release")
    return [Intervention(rng.choice(verbs), after=event, job=rng.randrange(count)) for event in events]


def check_random(seed: int) -> None:
    """One random workload under one policy, now and then steered."""
    rng = random.Random(seed)
    name = NAMES[seed % len(NAMES)]
    workload = fitted(name, repeated_workload(rng))
    actions = random_actions(rng, len(workload.jobs)) if rng.random() < 0.3 else ()
    events = [rng.randint(1, 1 + len(workload.jobs)) for _ in range(3)]
    check(begin_under(name, actions), workload, rng, events=events, samples=2, arrivals=8)


@pytest.mark.parametrize("name", NAMES)
def test_random_workloads(name: str) -> None:
    """Users ask for the same again, jobs are killed, cancelled and held; some logs are weeks long."""
    for seed in range(NAMES.index(name), 5 * len(NAMES), len(NAMES)):
        check_random(seed)


def test_every_mixture() -> None:
    """Two dozen jobs of four weeks, half of them over, in all mixtures."""
    rng = random.Random(18)
    workload = repeated_workload(rng, 24)
    check(begin_under("easy-arrival"), workload, rng, events=[48], samples=MIXTURES, arrivals=8)


@pytest.mark.proof
def test_many_random_workloads() -> None:
    """As above, on thousands of them."""
    for seed in range(1000, 1000 + many(2500)):
        check_random(seed)


def test_more_have_started_and_wait_than_count() -> None:
    """More jobs of a user than the window has, and more in the queue than count."""
    rng = random.Random(300)
    workload = repeated_workload(rng, 300, (0.2,))
    check(begin_under("easy-arrival"), workload, rng, events=[400], samples=3, arrivals=4)


@pytest.mark.parametrize(("count", "estimate"), [(600, 10), (601, 10), (2000, 40), (2001, 40)])
def test_the_last_entry_of_a_level_of_all_users(count: int, estimate: int) -> None:
    """One job has ended at its limit, all others long before. One that has run longer goes by the first.

    The job that runs is of the class of the others, or of none.
    """
    ended = [Job(0, 10, 1, 10)] + [Job(0, 1, 1, 10)] * (count - 1)
    middle = 10 + count - 1 + estimate // 2
    jobs = [*ended, Job(0, estimate, 1, estimate), Job(middle, 1, 1, 1)]
    workload = UsersWorkload(jobs, [NO_USER] * len(jobs), 1)
    # All but one are submitted, begin one after the other, and end; half of the last but one is over.
    events = (count + 1) + 1 + 2 * count + 1
    check(begin_under("fcfs"), workload, random.Random(1), events=[events], samples=MIXTURES, arrivals=2)
