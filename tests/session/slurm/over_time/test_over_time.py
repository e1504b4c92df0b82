"""A cluster over time: the fast program does what the naive one does, second by second."""

from itertools import takewhile
from random import Random
from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm.over_time import OverTime, followed
from shadowtime.kernels.slurm.over_time.moments import JobEvent, put
from shadowtime.scenarios.slurm import Ageing, Association, Capture, Quality, parse_hosts
from tests.amount import every, many
from tests.oracles.slurm.over_time import Event as NaiveEvent
from tests.oracles.slurm.over_time import OverTime as NaiveOverTime
from tests.oracles.slurm.small import NOW, array, cluster, running, waiting
from tests.session.slurm.clusters import random_capture
from tests.session.slurm.over_time.large import large

CLUSTERS = many(240)
AHEAD = 3000
GROUPS = 4


def as_naive(event: JobEvent) -> NaiveEvent:
    """An event as the naive program has it."""
    return NaiveEvent(event.at, event.what.value, event.job, frozenset(parse_hosts(event.nodes)))


def capture_of(seed: int) -> Capture:
    """A random cluster with dependencies and jobs still to come."""
    capture = random_capture(seed)
    first = capture.jobs[0].id
    changes: dict[int, dict[str, Any]] = {
        0: {"dependency": f"afterok:{first}(unfulfilled)"},
        1: {"eligible": NOW + 45},
        2: {"eligible": NOW + 300},
        3: {"dependency": "singleton(unfulfilled)"},
    }
    jobs = [
        attrs.evolve(job, **changes.get((job.id + seed) % 12, {})) if job.waiting else job
        for job in capture.jobs
    ]
    scheduler = "sched/builtin" if seed % 5 == 0 else "sched/backfill"
    settings = attrs.evolve(capture.settings, scheduler=scheduler, queue_depth=3 if seed % 3 else 100)
    capture = attrs.evolve(capture, jobs=tuple(jobs), settings=settings, entry_cost=seed % 4 * 40_000)
    return growing(capture, Random(seed)) if seed % 3 == 2 else capture


def growing(capture: Capture, random: Random) -> Capture:
    """The cluster with priorities that grow until each job has reached the greatest age."""
    ageing = Ageing(random.randint(5, 200), random.randint(100, 1500), random.choice([60, 60, 300]))
    jobs = []
    for job in capture.jobs:
        parts = {name: job.priority + random.randint(-9, 9) for name in job.partitions}
        since = random.choice([0, job.submit, job.submit - 300])
        parts = parts if random.random() < 0.3 else {}
        counts = not job.depends and job.eligible <= NOW
        jobs.append(attrs.evolve(job, accrued_since=since, priority_by_partition=parts) if counts else job)
    settings = attrs.evolve(capture.settings, priority="priority/multifactor", ageing=ageing)
    return attrs.evolve(capture, jobs=tuple(jobs), settings=settings, calculated=NOW - random.randint(0, 59))


@pytest.mark.parametrize("seed", (4, 5))
def test_no_event_differs_where_tasks_start_together(seed: int) -> None:
    """Three arrays, of which one pass or cycle starts many tasks, beside jobs of several nodes."""
    capture, until = large(nodes=3, tasks=90, jobs=6, arrays=3, seed=seed), NOW + 700
    theirs = NaiveOverTime(capture, NOW).run(until)
    ours = [
        as_naive(event)
        for event in takewhile(lambda event: event.at <= until, OverTime(capture, NOW).events())
    ]
    assert ours == theirs[: len(ours)] and sum(event.what != "end" for event in ours) >= 10
    assert not [event for event in theirs[len(ours) :] if event.what != "end"]


def test_how_far_a_run_is_counts_tasks() -> None:
    """Six tasks and a job wait for two nodes; the job waits for ever."""
    found: list[tuple[int, int]] = []
    followed(cluster(2, [running(1, [1, 2], 600), array(2, 1, 10, "1-6"), waiting(9, 3, 10)]), NOW,
             lambda done, total: found.append((done, total)))  # fmt: skip
    assert sorted(set(found)) == [(0, 7), (2, 7), (4, 7), (6, 7)] and found == sorted(found)


@pytest.mark.proof
@pytest.mark.parametrize("group", every(4, range(GROUPS)))
def test_no_event_differs_on_random_clusters(group: int) -> None:
    """Every end, submission and start of 50 minutes, with its nodes."""
    for seed in range(group, CLUSTERS, GROUPS):
        capture = capture_of(seed)
        theirs = NaiveOverTime(capture, NOW).run(NOW + AHEAD)
        events = takewhile(lambda event: event.at <= NOW + AHEAD, OverTime(capture, NOW).events())
        ours = [as_naive(event) for event in events]
        assert ours == theirs[: len(ours)], seed
        assert not [event for event in theirs[len(ours) :] if event.what != "end"], seed


def test_a_task_that_starts_has_the_place_of_its_array_and_the_others_go_to_the_end() -> None:
    """Jobs that leave in the same second are taken away in this order."""
    jobs = {number: waiting(number, 1, 10) for number in (1, 2, 3)}
    put(jobs, 2, waiting(9, 1, 10))
    put(jobs, 2, waiting(2, 1, 10))
    assert list(jobs) == [1, 9, 3, 2]
    put(jobs, 2, waiting(10, 1, 10))
    put(jobs, 2, waiting(2, 1, 10))
    assert list(jobs) == [1, 9, 3, 10, 2]
    put(jobs, 10, None)
    put(jobs, 3, waiting(3, 1, 20))
    put(jobs, 1, None)
    assert list(jobs) == [9, 3, 2] and jobs[3].limit == 20


def test_a_singleton_waits_for_jobs_of_its_name_submitted_before_and_for_those_that_run() -> None:
    """Job 2 waits until 900 for job 6, which came later and runs; job 3 for job 2; job 4 has another user.

    Job 0 is over, though it is still listed.
    """
    singleton = {"dependency": "singleton(unfulfilled)"}
    jobs = [
        running(1, [1], 600), waiting(2, 1, 10, **singleton), waiting(3, 1, 10, **singleton),
        waiting(4, 1, 10, user="grace", **singleton), waiting(5, 1, 10, name="other"), running(6, [2], 900),
        attrs.evolve(running(0, [1], -10), states=("COMPLETED",)),
    ]  # fmt: skip
    capture = cluster(2, jobs)
    found = {each.job_id: each.start and each.start - NOW for each in followed(capture, NOW)[0]}
    assert found == {"4": 603, "2": 903, "5": 1205, "3": 1504}
    events = NaiveOverTime(capture, NOW).run(NOW + AHEAD)
    starts = {event.job: event.at - NOW for event in events if event.what in ("main pass", "backfill")}
    assert starts == found


def test_expected_starts_name_every_waiting_job_once() -> None:
    """Also a job behind the limits of the cycle, and one that can never start; 2 or 3 s after an end."""
    jobs = [running(1, [1, 2], 600), *(waiting(each, 2, 10) for each in range(2, 6)), waiting(9, 3, 10)]
    found = followed(cluster(2, jobs, max_job_test=1), NOW)[0]
    assert [(each.job_id, each.start) for each in found] == [
        ("2", NOW + 603), ("3", NOW + 1205), ("4", NOW + 1807), ("5", NOW + 2409), ("9", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "resource", "most", "reason"),
    [
        ("GrpTRES", "gres/gpu", 3, "AssocGrpGRES"), ("GrpTRES", "cpu", 11, "AssocGrpCpuLimit"),
        ("GrpTRES", "mem", 11_000, "AssocGrpMemLimit"), ("GrpTRES", "billing", 11, "AssocGrpBilling"),
        ("GrpTRES", "node", 2, "AssocGrpNodeLimit"), ("GrpJobs", "", 1, "AssocGrpJobsLimit"),
        ("GrpTRESRunMins", "mem", 40_000, "AssocGrpMemRunMinutes"),
        ("MaxTRESPU", "gres/gpu", 3, "QOSMaxGRESPerUser"),
        ("MaxTRESPA", "mem", 11_000, "MaxMemoryPerAccount"),
        ("MaxJobsPU", "", 1, "QOSMaxJobsPerUserLimit"), ("MaxJobsPA", "", 1, "MaxJobsPerAccount"),
        ("MaxTRESRunMinsPU", "mem", 40_000, "Priority"), ("MaxTRESRunMinsPA", "cpu", 40, "Priority"),
    ],
)  # fmt: skip
def test_a_job_that_a_limit_keeps_out_starts_when_its_holder_ends(
    name: str, resource: str, most: int, reason: str
) -> None:
    """Two nodes of four are always free; the holder ends after 600 s, and has no minute left after 541 s."""
    jobs = [running(1, [1, 2], 600), waiting(2, 1, 10, reason=reason, devices_per_node="gres/gpu:1")]
    jobs = [attrs.evolve(job, association=2, account="physics", qos="day") for job in jobs]
    holder = attrs.evolve(
        jobs[0], shares=tuple(attrs.evolve(each, devices="gpu:1") for each in jobs[0].shares)
    )
    if resource == "gres/gpu":
        holder = attrs.evolve(
            holder, shares=tuple(attrs.evolve(each, devices="gpu:2") for each in holder.shares)
        )
    capture = cluster(4, [holder, *jobs[1:]])
    of_quality = name.endswith(("PU", "PA"))
    bound = {(name, resource): most}
    capture = attrs.evolve(
        capture,
        nodes=tuple(attrs.evolve(each, devices="gpu:4") for each in capture.nodes),
        qualities=(Quality("day", 0, (), bound if of_quality else {}),),
        associations=(
            Association(1, "physics", "", "", 1, {} if of_quality else bound),
            Association(2, "physics", "ada", "", 1, {}),
        ),
    )
    (found,) = followed(capture, NOW)[0]
    assert found.start is not None and NOW + (541 if "RunMins" in name else 601) <= found.start <= NOW + 630
    starts = [
        each.at
        for each in NaiveOverTime(capture, NOW).run(NOW + 700)
        if each.what in ("main pass", "backfill")
    ]
    assert starts == [found.start]
