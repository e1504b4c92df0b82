"""Likely starts at the moments of a run."""

from array import array
from collections import defaultdict
from statistics import median_low

import pytest

from shadowtime.console.session.facts import TrackRecord
from shadowtime.console.session.likely.starts import ENDED, FIRST, WHOLE, Likely, LikelyStarts, LikelyWork
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError, make
from tests.kernels.drive import SUBMIT


def workload(count: int = 400) -> Jobs:
    """Jobs of five users who ask for ten times what they need, on a machine that is never idle."""
    rows = range(count)
    return Jobs(
        submit=array("q", (40 * row for row in rows)),
        runtime=array("q", (60 + 17 * (row * row % 23) for row in rows)),
        estimate=array("q", (600 * (2 + row % 7) for row in rows)),
        size=array("q", (1 + row * 7 % 16 for row in rows)),
        user=array("q", (row % 5 for row in rows)),
    )


def at(event: int) -> tuple[Trajectory, Likely]:
    """A run that stands after an event."""
    trajectory = Trajectory(Simulation(workload(), 32, make("easy", {})), 600)
    trajectory.go(event)
    return trajectory, Likely(trajectory.simulation)


def answer(trajectory: Trajectory, likely: Likely) -> tuple[LikelyWork, LikelyStarts]:
    """The answer where the run stands."""
    work = likely.start(trajectory.simulation, trajectory.tape.marks())
    work.run()
    likely.take(work)
    found = likely.at(trajectory.number)
    assert found is not None
    return work, found


def test_every_waiting_job_has_ordered_odds() -> None:
    trajectory, likely = at(800)
    _, found = answer(trajectory, likely)
    assert found.starts.keys() == set(trajectory.simulation.waiting())
    for start in found.starts.values():
        assert start.samples == WHOLE
        assert start.calibrated
        assert start.early is not None
        assert start.likely is not None
        assert start.late is not None
        assert trajectory.simulation.now <= start.early <= start.likely <= start.late
    assert 0 < found.record.held <= found.record.settled


def test_the_same_moment_has_the_same_answer_whatever_was_asked_before() -> None:
    trajectory, likely = at(600)
    answer(trajectory, likely)
    trajectory.go(800)
    later = answer(trajectory, likely)[1]
    assert later == answer(*at(800))[1]
    trajectory.go(600)
    assert answer(trajectory, likely)[1] == answer(*at(600))[1]


def test_a_moment_does_not_calibrate_itself() -> None:
    """Only moments of earlier instants do, also where a submission has just come."""
    trajectory, likely = at(800)
    while trajectory.simulation.last is None or trajectory.simulation.last[1] != SUBMIT:
        trajectory.go(trajectory.number + 1)
    answer(trajectory, likely)
    assert max(likely._made) < trajectory.simulation.now


def test_without_history_there_are_no_odds() -> None:
    trajectory, likely = at(40)
    assert trajectory.simulation.finished < ENDED
    found = answer(trajectory, likely)[1]
    assert (found.starts, found.absent) == ({}, "history")


def test_a_run_of_few_jobs_never_has_odds() -> None:
    trajectory = Trajectory(Simulation(workload(ENDED), 16, make("easy", {})), ENDED)
    trajectory.go(8)
    assert trajectory.simulation.waiting()
    assert answer(trajectory, Likely(trajectory.simulation))[1].absent == "few"


def test_the_last_answer_stands_until_there_is_another() -> None:
    trajectory, likely = at(600)
    first = answer(trajectory, likely)[1]
    trajectory.go(800)
    assert likely.latest(800) is first
    later = answer(trajectory, likely)[1]
    assert [likely.latest(event) for event in (599, 600, 799, 800, 9999)] == [
        None,
        first,
        first,
        later,
        later,
    ]


def test_the_first_answer_is_calibrated_as_the_one_before_it() -> None:
    """Not by what was learned at a later moment."""
    trajectory, likely = at(800)
    record = answer(trajectory, likely)[1].record
    for event, known in ((810, record), (600, TrackRecord(0, 0))):
        trajectory.go(event)
        work = likely.start(trajectory.simulation, trajectory.tape.marks())
        work.run(work.cancel)
        assert work.answer is not None
        assert {start.record for start in work.answer.starts.values()} == {known}


def test_likely_ends_are_the_likely_starts_and_the_median_runtime() -> None:
    """Of a running job they are the median of its ends."""
    trajectory, likely = at(600)
    simulation = trajectory.simulation
    _, found = answer(trajectory, likely)
    assert found.chances is not None
    drawn = defaultdict[int, list[int]](list)
    for job, _, count, since, until, _ in found.chances.made.rows():
        if job >= 0:
            drawn[job] += count * [until - since]
    for job, lengths in drawn.items():
        assert len(lengths) == simulation.jobs.row(job)[3] * FIRST
        start = found.starts[job].likely if job in found.starts else simulation.now
        assert start is not None
        assert found.ends[job] == start + median_low(lengths)
    assert found.starts.keys() < found.ends.keys()


def test_work_that_is_cancelled_ends_with_what_it_has() -> None:
    """Before the first samples that is nothing; after them it is an answer that is not final."""
    trajectory, likely = at(800)
    work = likely.start(trajectory.simulation, trajectory.tape.marks())
    work.cancel()
    work.run()
    assert work.answer is None
    work = likely.start(trajectory.simulation, trajectory.tape.marks())
    work.run(work.cancel)
    assert work.answer is not None and not work.answer.final
    assert {start.samples for start in work.answer.starts.values()} == {25}


def test_a_policy_that_fails_in_a_sample_has_no_odds() -> None:
    trajectory, likely = at(800)
    work = likely.start(trajectory.simulation, trajectory.tape.marks())

    class Failing:
        def starts(self, *arguments: object, **named: object) -> None:
            raise PolicyError("fails in what has not come")

    likely._odds = Failing()  # type: ignore[assignment]
    work.run()
    assert work.answer == LikelyStarts(work.event, {}, TrackRecord(0, 0), absent="failed")


def test_likely_starts_are_nearer_than_those_at_the_limits() -> None:
    trajectory, likely = at(800)
    _, found = answer(trajectory, likely)
    forecast = trajectory.simulation.forecast()
    forecast.run()
    expected = forecast.starts()
    whole = trajectory.simulation.fork()
    whole.run()
    came = {job: whole.start_of(job) or 0 for job in found.starts}
    off = sum(abs((start.likely or 0) - came[job]) for job, start in found.starts.items())
    assert off < sum(abs(expected[job] - came[job]) for job in found.starts) / 2


@pytest.mark.parametrize("event", [500, 700])
def test_answers_of_many_moments_are_bounded(event: int) -> None:
    trajectory, likely = at(event)
    for step in range(40):
        trajectory.go(event + step)
        work = likely.start(trajectory.simulation, trajectory.tape.marks())
        work.run(work.cancel)
        likely.take(work)
    assert sum(likely.at(event + step) is not None for step in range(40)) == 32
