"""Runs of one cluster that are followed at once, each in a thread of its own."""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import attrs

from shadowtime.console.session.slurm.impact.following import Names
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.scenarios.slurm import read_capture

CLUSTER = Path(__file__).parents[4] / "scenarios" / "clusters" / "two-tiers"
THREADS = 4
ROUNDS = 4

Asked = TypeVar("Asked")
Found = TypeVar("Found")


@contextmanager
def short_turns() -> Iterator[None]:
    """Each thread has to give way after a microsecond."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


def at_once(find: Callable[[Asked], Found], asked: Iterable[Asked]) -> list[Found]:
    with short_turns(), ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(find, asked))


def starts(over_time: OverTime) -> list[tuple[str, int]]:
    return [(event.job, event.at) for event in over_time.events() if event.starts]


def test_forks_in_several_threads_start_what_one_starts_alone() -> None:
    capture = read_capture(CLUSTER)
    alone = starts(OverTime(capture, capture.taken))
    for _ in range(ROUNDS):
        here = OverTime(capture, capture.taken)
        assert at_once(starts, [here.fork() for _ in range(THREADS)]) == [alone] * THREADS


def test_a_job_that_several_threads_name_at_once_has_one_index() -> None:
    """Of one outlook, as when an impact is asked for before the last one has broken off."""
    names, one = Names(), read_capture(CLUSTER).jobs[0]
    jobs = [attrs.evolve(one, id=each, user=f"user{each}") for each in range(1, 2000)]

    def places(_: int) -> list[int]:
        return [names.add(job) for job in jobs]

    first, *others = at_once(places, range(THREADS))
    assert others == [first] * (THREADS - 1)
    assert [(names.id[place], names.user[place]) for place in first] == [(job.id, job.user) for job in jobs]
    assert len(names.id) == len(names.user) == len(names.size) == len(jobs)
