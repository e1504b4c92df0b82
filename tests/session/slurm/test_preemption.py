"""Preemption and turns over time: the fast program does what the naive one does."""

from collections import Counter
from itertools import takewhile
from random import Random

import attrs
import pytest

from console.session.slurm.moments import Event
from console.session.slurm.over_time import OverTime
from scenarios.slurm import Capture, parse_hosts
from tests.amount import every, many
from tests.oracles.slurm.over_time import Event as NaiveEvent
from tests.oracles.slurm.over_time import OverTime as NaiveOverTime
from tests.oracles.slurm.small import NOW
from tests.session.slurm.clusters import random_capture

CLUSTERS = many(240)
AHEAD = 2000
GROUPS = 4
MODES = ["SUSPEND,GANG", "REQUEUE", "CANCEL", "GANG"]


def capture_of(seed: int) -> Capture:
    """A random cluster in which `small` preempts `batch`, or the narrow quality of service the others."""
    draw, capture = Random(seed), random_capture(seed)
    mode = draw.choice(MODES)
    batch, small = capture.partitions
    batch = attrs.evolve(
        batch, exclusive=False, forced=draw.random() < 0.6, shares=draw.choice([1, 2, 3]),
        preempt_mode=draw.choice(["", "REQUEUE"]) if "GANG" not in mode else "",
    )  # fmt: skip
    small = attrs.evolve(small, forced=True, shares=draw.choice([1, 2]), preempt_mode="OFF")
    by_quality = draw.random() < 0.3
    none = mode == "GANG"
    settings = attrs.evolve(
        capture.settings,
        preempt="preempt/none" if none else "preempt/qos" if by_quality else "preempt/partition_prio",
        preempt_mode=mode,
        preempt_exempt=draw.choice([0, 0, 150]),
        time_slice=draw.choice([30, 45]),
    )
    jobs = []
    for job in capture.jobs:
        changed = job
        if job.holding:
            state = "SUSPENDED" if "GANG" in mode and draw.random() < 0.1 else "RUNNING"
            changed = attrs.evolve(job, states=(state,), begin=NOW - draw.randint(0, 400))
        elif draw.random() < 0.5:
            eligible = NOW + draw.randint(1, 900)
            changed = attrs.evolve(job, submit=eligible, eligible=eligible)
        request = attrs.evolve(changed.request, exclusive=changed.request.exclusive and draw.random() < 0.3)
        jobs.append(attrs.evolve(changed, request=request))
    qualities = tuple(attrs.evolve(each, preempts=("",)) for each in capture.qualities)
    return attrs.evolve(
        capture, jobs=tuple(jobs), settings=settings, partitions=(batch, small), qualities=qualities
    )


def as_naive(event: Event) -> NaiveEvent:
    """An event as the naive program has it."""
    return NaiveEvent(event.at, event.what.value, event.job, frozenset(parse_hosts(event.nodes)))


def events_of(capture: Capture) -> list[NaiveEvent]:
    """What happens, by the fast program."""
    events = takewhile(lambda event: event.at <= NOW + AHEAD, OverTime(capture, NOW).events())
    return [as_naive(event) for event in events]


@pytest.mark.parametrize("group", every(4, range(GROUPS)))
def test_no_event_differs_on_random_clusters(group: int) -> None:
    """Every start, suspension, resumption, requeue and cancellation, with its second."""
    for seed in range(group, CLUSTERS, GROUPS):
        capture = capture_of(seed)
        theirs, ours = NaiveOverTime(capture, NOW).run(NOW + AHEAD), events_of(capture)
        assert ours == theirs[: len(ours)], seed
        assert {event.what for event in theirs[len(ours) :]} <= {"end", "suspend", "resume"}, seed


def test_random_clusters_have_every_happening() -> None:
    """Else the comparison above would prove little."""
    kinds = Counter(event.what for seed in range(60) for event in events_of(capture_of(seed)))
    assert min(kinds[what] for what in ("suspend", "resume", "requeue", "cancel")) > 0
