"""What holds for every gang schedule: checked on random workloads, and on a real log as a proof."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.oracles.gang.policy import Moment, gang, gang_by_seconds, moments
from tests.oracles.jobs import Job, crowded_workload, random_workload, read_log
from tests.oracles.space.fcfs import fcfs

PACKINGS = ["buddy", "first", "best"]


class Run(NamedTuple):
    """A workload and the parameters of the scheduler that it meets."""

    jobs: list[Job]
    nodes: int
    parameters: dict[str, Any]


def random_runs(seed: int, count: int, **fixed: Any) -> Iterator[Run]:
    """Small workloads full of ties, a few larger, with parameters of every kind but for those fixed."""
    rng = random.Random(seed)
    for _ in range(count):
        jobs, nodes = random_workload(rng) if rng.random() < 0.97 else crowded_workload(rng)
        longest = max(job.runtime for job in jobs)
        quantum = rng.randint(1, max(8, longest // 3))
        parameters = {
            "quantum": quantum,
            "packing": rng.choice(PACKINGS),
            "alternate": rng.random() < 0.7,
            "unify": rng.random() < 0.7,
            "overhead": rng.choice((0, rng.randrange(quantum))),
            "slots": rng.choice((0, 0, 1, 2, 3)),
        }
        yield Run(jobs, nodes, parameters | fixed)


def schedule_of(run: Run) -> list[Moment]:
    """The matrix after every pass."""
    return list(moments(run.jobs, run.nodes, **run.parameters))


@pytest.mark.proof
def test_seconds_and_events_agree() -> None:
    """Going second by second, with a pass in each, gives the schedule that the events alone give."""
    for run in random_runs(60, 200):
        by_seconds = gang_by_seconds(run.jobs, run.nodes, **run.parameters)
        assert gang(run.jobs, run.nodes, **run.parameters) == by_seconds, run


@pytest.mark.parametrize("quantum", [1, 7, 10_000])
@pytest.mark.parametrize("alternate", [True, False])
def test_one_slot_is_fcfs(quantum: int, alternate: bool) -> None:
    """With a single row and `first` packing no job is ever stopped and every start is that of FCFS."""
    for jobs, nodes, _ in random_runs(61, 100):
        outcome = gang(jobs, nodes, quantum, "first", alternate, slots=1)
        assert outcome.starts == fcfs(jobs, nodes)
        assert outcome.finishes == [
            start + job.runtime for start, job in zip(outcome.starts, jobs, strict=True)
        ]
        assert not any(outcome.preemptions)
        assert not outcome.switches


def check_matrix(run: Run, moment: Moment) -> None:
    """Rows are not empty, jobs of a row have no column in common, and blocks are aligned."""
    assert (moment.current is None) == (not moment.rows)
    assert run.parameters["slots"] == 0 or len(moment.rows) <= run.parameters["slots"]
    for row in moment.rows:
        used = [column for _, columns in row for column in columns]
        assert used
        assert len(used) == len(set(used))
        assert set(used) <= set(range(run.nodes))
        for job, columns in row:
            size = run.jobs[job].size
            assert len(columns) == size
            if run.parameters["packing"] == "buddy":
                width = 1 << (size - 1).bit_length()
                assert columns == tuple(range(columns[0], columns[0] + size))
                assert columns[0] % width == 0


def check_running(run: Run, moment: Moment) -> None:
    """No processor runs two jobs; the current row runs; with alternates nobody waits whose columns idle."""
    places = {job: columns for row in moment.rows for job, columns in row}
    busy = [column for job in moment.running for column in places[job]]
    assert len(busy) == len(set(busy))
    current = set() if moment.current is None else {job for job, _ in moment.rows[moment.current]}
    assert current <= moment.running
    if run.parameters["alternate"]:
        assert all(set(busy) & set(places[job]) for job in places.keys() - moment.running)
    else:
        assert moment.running == current


def check_blocks(run: Run, moment: Moment) -> None:
    """With `buddy`, and as long as no rows unite, not even the blocks of a row overlap."""
    if run.parameters["unify"] or run.parameters["packing"] != "buddy":
        return
    for row in moment.rows:
        widths = {job: 1 << (run.jobs[job].size - 1).bit_length() for job, _ in row}
        for (one, here), (other, there) in combinations(row, 2):
            assert here[0] + widths[one] <= there[0] or there[0] + widths[other] <= here[0]


def check_changes(run: Run, before: Moment, after: Moment) -> None:
    """A job keeps its columns; nobody comes before an earlier one; what had to unite has united."""
    old = {job: columns for row in before.rows for job, columns in row}
    new = {job: columns for row in after.rows for job, columns in row}
    assert all(old[job] == new[job] for job in old.keys() & new.keys())
    assert all(job > max(old, default=-1) for job in new.keys() - old.keys())
    if run.parameters["unify"] and old.keys() > new.keys():
        rows = [{column for _, columns in row for column in columns} for row in after.rows]
        assert all(one & other for one, other in combinations(rows, 2))


def check_service(run: Run, schedule: list[Moment]) -> None:
    """Seconds on the processors are the runtime, and at most the overhead of every switch on top."""
    seconds: Counter[int] = Counter()
    for before, after in pairwise(schedule):
        seconds.update(dict.fromkeys(before.running, after.now - before.now))
    outcome = gang(run.jobs, run.nodes, **run.parameters)
    lost = outcome.switches * run.parameters["overhead"]
    for number, job in enumerate(run.jobs):
        assert job.runtime <= seconds[number] <= job.runtime + lost
        assert outcome.finishes[number] - outcome.starts[number] >= seconds[number]
        assert (outcome.finishes[number] - outcome.starts[number] == seconds[number]) == (
            outcome.preemptions[number] == 0
        )


def check(run: Run) -> None:
    """All that has to hold of a schedule."""
    schedule = schedule_of(run)
    for moment in schedule:
        check_matrix(run, moment)
        check_running(run, moment)
        check_blocks(run, moment)
    for before, after in pairwise(schedule):
        assert before.now < after.now
        check_changes(run, before, after)
    assert not schedule[-1].rows
    check_service(run, schedule)


def check_turns(run: Run) -> None:
    """While a job of the matrix does not run, no row becomes current twice."""
    turns: dict[int, Counter[int]] = {}  # job that does not run -> job -> turns of its row meanwhile
    previous: set[int] = set()
    for moment in schedule_of(run):
        current = set() if moment.current is None else {job for job, _ in moment.rows[moment.current]}
        stopped = {job for row in moment.rows for job, _ in row} - moment.running
        turns = {job: turns.get(job, Counter()) for job in stopped}
        for job in stopped:
            turns[job].update(current - previous)
            assert max(turns[job].values(), default=0) <= 1, (run, moment, job)
        previous = current


@pytest.mark.proof
def test_every_schedule_is_sound() -> None:
    """Random workloads with parameters of every kind break none of the rules."""
    for run in random_runs(62, 120):
        check(run)


@pytest.mark.proof
@pytest.mark.parametrize("packing", PACKINGS)
def test_no_job_is_passed_over_for_a_whole_turn_of_the_rows(packing: str) -> None:
    """As long as no rows unite, everybody has a turn before anybody has a second one."""
    for run in random_runs(63, 80, packing=packing, unify=False):
        check_turns(run)


@pytest.mark.proof
@pytest.mark.parametrize("alternate", [True, False])
@pytest.mark.parametrize("packing", PACKINGS)
def test_a_real_log_is_scheduled_soundly(published: Path, packing: str, alternate: bool) -> None:
    """The first 1000 jobs of the KTH log with a quantum of ten minutes break none of the rules either."""
    parameters = {"packing": packing, "alternate": alternate, "quantum": 600, "overhead": 10, "slots": 0}
    jobs = read_log(published / "KTH-SP2.swf.xz")[:1000]
    check(Run(jobs, 100, parameters | {"unify": True}))
    check_turns(Run(jobs, 100, parameters | {"unify": False}))


@pytest.mark.proof
@pytest.mark.parametrize("packing", PACKINGS)
def test_seconds_and_events_agree_on_a_real_log(published: Path, packing: str) -> None:
    """A week of the KTH log is the same second by second."""
    jobs = read_log(published / "KTH-SP2.swf.xz")[:100]
    by_seconds = gang_by_seconds(jobs, 100, 600, packing, overhead=10)
    assert gang(jobs, 100, 600, packing, overhead=10) == by_seconds
