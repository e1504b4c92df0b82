"""Cycles while nothing changes but the time: what one finds for later ones holds, the rest is found anew."""

from random import Random

import pytest

from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.problem import Problem
from shadowtime.console.session.slurm.queue import queue
from shadowtime.kernels.slurm.cycle import Cycle, run_cycle
from tests.amount import every, many
from tests.oracles.slurm.small import NOW
from tests.session.slurm.over_time.test_over_time import capture_of

CLUSTERS = many(6000)
GROUPS = 2
LATEST = 4 * 3600


def compared(seed: int, later: int) -> tuple[int, int]:
    """Compare later cycles with cycles from nothing: how many were to find the same, and how many did not."""
    random, run = Random(seed), OverTime(capture_of(seed), NOW)
    for _ in run.moments(NOW + random.randint(100, 1500)):
        pass
    problem, now = Problem(run.capture), run.now
    entries = queue(run.capture, now)

    def fresh(at: int) -> list[object]:
        return list(run_cycle(problem.cluster(entries, at, run.capture.jobs)).places)

    cycle = Cycle(problem.cluster(entries, now, run.capture.jobs))
    found, same, moved = cycle.run(), 0, 0
    for at in sorted(now + random.randint(1, LATEST) for _ in range(later)):
        if found.begun or found.preempted or not problem.lasts or at >= cycle.stands:
            break
        expected = fresh(at)
        if at < found.steady:
            assert expected == found.places, (seed, at - now)
            same += 1
        else:
            moved += expected != found.places
            found = cycle.again(at)
            assert found.places == expected, (seed, at - now)
    return same, moved


def test_cycles_without_a_change_find_what_cycles_from_nothing_find() -> None:
    """Both kinds are there: cycles that were known to find the same, and cycles that time has moved."""
    found = [compared(seed, 8) for seed in range(80)]
    assert sum(same for same, _ in found) >= 10 and sum(moved for _, moved in found) >= 3


@pytest.mark.proof
@pytest.mark.parametrize("group", every(2, range(GROUPS)))
def test_every_cycle_without_a_change(group: int) -> None:
    """Random clusters at random instants."""
    for seed in range(group, CLUSTERS, GROUPS):
        compared(seed, 12)
