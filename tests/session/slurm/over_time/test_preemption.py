"""Preemption and turns over time: the fast program does what the naive one does."""

from collections import Counter
from itertools import takewhile
from random import Random

import attrs
import pytest

from shadowtime.console.session.slurm import forecast_of
from shadowtime.console.session.slurm.caveats import caveats
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.kernels.slurm.over_time.moments import JobEvent
from shadowtime.scenarios.slurm import Capture, Quality, Share, parse_hosts
from tests.amount import every, many
from tests.oracles.slurm.cycle import plan
from tests.oracles.slurm.over_time import Event as NaiveEvent
from tests.oracles.slurm.over_time import OverTime as NaiveOverTime
from tests.oracles.slurm.small import NOW, cluster, running, waiting
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


def as_naive(event: JobEvent) -> NaiveEvent:
    """An event as the naive program has it."""
    return NaiveEvent(event.at, event.what.value, event.job, frozenset(parse_hosts(event.nodes)))


def events_of(capture: Capture) -> list[NaiveEvent]:
    """What happens, by the fast program."""
    events = takewhile(lambda event: event.at <= NOW + AHEAD, OverTime(capture, NOW).events())
    return [as_naive(event) for event in events]


def test_a_job_past_its_limit_stays_so_after_a_preemption() -> None:
    """Job 10 preempts another one, then job 9 takes turns with a job that is past its limit."""
    capture = capture_of(8)
    rows = {row.job: (row.outcome, row.start) for row in plan(capture, NOW)}
    assert rows["9"] == ("started", NOW)
    found = {row.job_id: (row.outcome, row.start) for row in forecast_of(capture, NOW).rows}
    assert found == rows


@pytest.mark.proof
@pytest.mark.parametrize("group", every(4, range(GROUPS)))
def test_no_event_differs_on_random_clusters(group: int) -> None:
    """Every start, suspension, resumption, requeue and cancellation, with its second."""
    for seed in range(group, CLUSTERS, GROUPS):
        capture = capture_of(seed)
        theirs, ours = NaiveOverTime(capture, NOW).run(NOW + AHEAD), events_of(capture)
        assert ours == theirs[: len(ours)], seed
        assert {event.what for event in theirs[len(ours) :]} <= {"end", "suspend", "resume"}, seed


@pytest.mark.proof
def test_random_clusters_have_every_happening() -> None:
    """Else the comparison above would prove little."""
    kinds = Counter(event.what for seed in range(60) for event in events_of(capture_of(seed)))
    assert min(kinds[what] for what in ("suspend", "resume", "requeue", "cancel")) > 0


def sharing(mode: str, memory: int) -> Capture:
    """A node of 4,000 MiB, of which a job of the partition `low` holds 3,000; another job asks for some."""
    holder = running(1, [1], 3000, partitions=("low",), exclusive=False, begin=NOW - 100)
    holder = attrs.evolve(holder, shares=(Share("n1", 4, 3000, ""),))
    partition = "high" if "SUSPEND" in mode else "low"
    job = waiting(2, 1, 10, partitions=(partition,), exclusive=False, cpus=4, tasks=4, memory_per_node=memory)
    capture = cluster(1, [holder, job])
    shares = 1 if "SUSPEND" in mode else 2
    low = attrs.evolve(capture.partitions[0], name="low", exclusive=False, forced=True, shares=shares)
    high = attrs.evolve(low, name="high", tier=2, preempt_mode="OFF")
    kind = "preempt/partition_prio" if "SUSPEND" in mode else "preempt/none"
    settings = attrs.evolve(capture.settings, preempt=kind, preempt_mode=mode)
    return attrs.evolve(capture, partitions=(low, high), settings=settings)


@pytest.mark.parametrize("mode", ["SUSPEND,GANG", "GANG"])
@pytest.mark.parametrize(("memory", "starts"), [(1000, True), (1001, False)])
def test_a_job_that_is_suspended_keeps_its_memory(mode: str, memory: int, starts: bool) -> None:
    """A job that would have its CPUs starts now only if the memory beside it suffices."""
    capture = sharing(mode, memory)
    first = OverTime(capture, NOW).events()
    found = next((event for event in first if event.starts), None)
    assert found is not None and (found.at < NOW + 60) is starts
    assert events_of(capture) == NaiveOverTime(capture, NOW).run(NOW + AHEAD)[: len(events_of(capture))]


def test_a_grace_time_that_counts_is_a_caveat() -> None:
    """Of a partition under preempt/partition_prio, of a quality of service under preempt/qos."""
    capture = sharing("SUSPEND,GANG", 1000)
    low, high = capture.partitions
    graced = attrs.evolve(capture, partitions=(attrs.evolve(low, grace=40), high))
    settings = attrs.evolve(capture.settings, preempt="preempt/qos")
    graced_away = Caveat(Left.GRACE)
    assert graced_away in caveats(graced) and graced_away not in caveats(capture)
    assert graced_away not in caveats(attrs.evolve(graced, settings=settings))
    quality = Quality("urgent", 0, (), {}, grace=40)
    assert graced_away in caveats(attrs.evolve(capture, settings=settings, qualities=(quality,)))
