"""The order of an instant: completions, submissions, then one pass; ties in order of creation."""

from array import array
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import COMPLETIONS, PASS, SETTINGS, SUBMIT, SWITCH, after_passes, events, simulate
from tests.oracles.jobs import Job, Workload, workloads
from tests.oracles.space.conservative import moments
from tests.oracles.space.easy import easy_passes


def test_the_kinds_are_listed_in_the_order_of_an_instant() -> None:
    """Completions come first, the submissions last before the pass, and the pass ends the instant."""
    assert COMPLETIONS == (0, 1)
    assert EVENT_NAMES[-2:] == ("submit", "pass")


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads())
def test_an_instant_ends_with_its_only_pass(setting: str, workload: Workload) -> None:
    """Time never runs back; in an instant the kinds come in their order, and one pass comes last.

    A policy that changes its mind does so right before the pass. A review that changes nothing makes none.
    """
    happened = list(events(simulate(workload, setting)))
    times = [time for time, _, _ in happened]
    assert times == sorted(times)
    for _, instant in groupby(happened, key=lambda event: event[0]):
        kinds = [kind for _, kind, _ in instant]
        if kinds == [SWITCH]:
            continue
        assert kinds.pop() == PASS
        assert PASS not in kinds
        causes = kinds[:-1] if kinds[-1] == SWITCH else kinds
        assert causes == sorted(causes)
        assert kinds


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads())
def test_ties_keep_the_order_of_creation(setting: str, workload: Workload) -> None:
    """Jobs submitted together come in trace order; those that end together, in that of their starts."""
    simulation = simulate(workload, setting)
    submitted, ended, started = list[int](), list[tuple[int, int]](), list[int]()
    for time, kind, job in events(simulation):
        if kind == SUBMIT:
            submitted.append(job)
        if kind in COMPLETIONS:
            ended.append((time, job))
        started += [decided for what, decided, *_ in simulation.decisions() if what in ("start", "backfill")]
    assert submitted == list(range(len(workload.jobs)))
    assert sorted(started) == submitted
    assert ended == sorted(ended, key=lambda end: (end[0], started.index(end[1])))


@pytest.mark.parametrize("setting", ["easy-arrival", "conservative-arrival"])
@given(workload=workloads())
def test_passes_come_when_the_naive_program_makes_them(setting: str, workload: Workload) -> None:
    """A pass at each instant with a completion, a submission or a reservation that is due; at no other."""
    if setting == "easy-arrival":
        expected = [now for now, _ in easy_passes(*workload)]
    else:
        expected = [moment.now for moment in moments(*workload)]
    assert list(after_passes(simulate(workload, setting))) == expected


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads())
def test_a_peek_shows_the_next_event(setting: str, workload: Workload) -> None:
    """What peek() shows is what the next step does; it shows None at the end."""
    simulation = simulate(workload, setting)
    assert (simulation.event, simulation.now, simulation.last) == (0, workload.jobs[0].submit, None)
    upcoming = simulation.peek()
    for number, happened in enumerate(events(simulation), 1):
        assert happened == upcoming
        assert (simulation.event, simulation.now) == (number, happened[0])
        upcoming = simulation.peek()
        assert simulation.over == (upcoming is None)


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8))
def test_events_are_numbered_from_one(setting: str, workload: Workload) -> None:
    """A job's three numbers are those of its submission, of the pass that started it and of its end."""
    simulation, count = simulate(workload, setting), len(workload.jobs)
    nothing: list[int | None] = [None] * count
    submits, starts, finishes = nothing.copy(), nothing.copy(), nothing.copy()
    for _, kind, job in events(simulation):
        if kind == SUBMIT:
            submits[job] = simulation.event
        if kind in COMPLETIONS:
            finishes[job] = simulation.event
        for what, decided, *_ in simulation.decisions():
            if what in ("start", "backfill"):
                starts[decided] = simulation.event
        assert [simulation.submit_event(job) for job in range(count)] == submits
        assert [simulation.start_event(job) for job in range(count)] == starts
        assert [simulation.finish_event(job) for job in range(count)] == finishes


@given(workload=workloads(), data=st.data())
def test_killed_jobs_end_by_a_kill(workload: Workload, data: st.DataObject) -> None:
    """A job that the trace marks as killed ends at its estimate by a kill. Both are completions."""
    marks = data.draw(st.lists(st.integers(0, 1), min_size=len(workload.jobs), max_size=len(workload.jobs)))
    jobs = [
        job._replace(runtime=job.estimate) if mark else job
        for job, mark in zip(workload.jobs, marks, strict=True)
    ]
    submit, runtime, size, estimate = (array("q", column) for column in zip(*jobs, strict=True))
    columns = Jobs(submit=submit, runtime=runtime, size=size, estimate=estimate, killed=array("q", marks))
    simulation = Simulation(columns, workload.nodes, make("easy", {}))
    ends = [(time, kind, job) for time, kind, job in events(simulation) if kind in COMPLETIONS]
    assert {job: kind for _, kind, job in ends} == dict(enumerate(COMPLETIONS[mark] for mark in marks))
    starts = list(simulation.results()["start"])
    assert ends == sorted(ends, key=lambda end: (end[0], starts[end[2]]))


def test_all_who_end_together_free_their_nodes_together() -> None:
    """One pass an instant: the wide head takes what two jobs leave at 4."""
    jobs = [Job(0, 4, 1, 4), Job(0, 4, 1, 4), Job(1, 1, 2, 1), Job(1, 9, 1, 9)]
    simulation = simulate(Workload(jobs, 2), "fcfs")
    simulation.run()
    assert list(simulation.results()["start"]) == [0, 0, 4, 5]


def test_who_comes_when_another_ends_starts_at_once() -> None:
    """Completions come before submissions: the nodes of a job are free for one that comes at its end."""
    simulation = simulate(Workload([Job(0, 4, 2, 9), Job(4, 1, 2, 1)], 2), "conservative-arrival")
    simulation.run()
    assert list(simulation.results()["start"]) == [0, 4]


def test_compression_comes_before_the_reservations_of_newcomers() -> None:
    """At 4 the waiting job moves from 9 into the room that the newcomer would have taken."""
    simulation = simulate(
        Workload([Job(0, 4, 2, 9), Job(1, 5, 2, 5), Job(4, 1, 2, 1)], 2), "conservative-arrival"
    )
    simulation.run()
    assert list(simulation.results()["start"]) == [0, 4, 9]
