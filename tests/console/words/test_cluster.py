"""The words of a cluster: why a job waits, what happened, what a plan leaves out."""

import attrs
import pytest

from shadowtime.console.session.slurm.board.fitting import Bar, IdleNodes
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.session.slurm.stepping.coming import Coming
from shadowtime.console.widgets.slurm.why_text import priority_lines
from shadowtime.console.words.cluster.caveats import SENTENCES, caveat
from shadowtime.console.words.cluster.events import befell, happened, name, parameter
from shadowtime.console.words.cluster.why import (
    BARRED,
    beside_plan,
    expected,
    idle,
    mark,
    next_change,
    next_cycle,
    next_in_line,
    note,
    slurm,
)
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment, Started
from tests.oracles.slurm.small import NOW, cluster, running, waiting


def clock(seconds: int) -> str:
    """Seconds after the capture."""
    return f"+{seconds - NOW}"


def test_everything_that_is_left_out_has_a_sentence() -> None:
    """With the names that it has, and without those that it may lack."""
    assert SENTENCES.keys() == set(Left) and BARRED.keys() == set(Bar)
    assert caveat(Caveat(Left.LIMIT, ("GrpTRES", "license/x"))) == "the limit GrpTRES of license/x"
    assert caveat(Caveat(Left.LIMIT, ("GrpWall", ""))) == "the limit GrpWall"
    assert caveat(Caveat(Left.FLOATS)) == "when a reservation with TIME_FLOAT was made"
    assert caveat(Caveat(Left.SCHEDULER, ("",))) == "scheduler "
    assert caveat(Caveat(Left.UNREADABLE, ("job", "7", "cpus is -4"))) == "job 7 (cpus is -4)"
    assert caveat(Caveat(Left.UNREADABLE, ("job", "", "cpus is -4"))) == "job (cpus is -4)"


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (Left.RESTS, ("rests on", "job 3, whose start is marked ~")),
        (Left.NEVER, ("~ never", "3")),
        (Left.SCHEDULER, ("~ without", "scheduler 3 (this job)")),
    ],
)
def test_a_mark_says_what_stands_behind_it(left: Left, words: tuple[str, str]) -> None:
    """A label and a text."""
    assert mark(Caveat(left, ("3",))) == words


@pytest.mark.parametrize(
    ("kind", "until", "words"),
    [
        ("free", 0, "n2: 1 node, it asks for 2"),
        ("reserved", -60, "n2: reservation x has them since +-60"),
        ("reserved", 60, "n2: free until +60, then reservation x begins"),
        ("planned", 0, "n2: job x of ada starts there"),
        ("planned", 60, "n2: free until +60, then job x of ada is planned there"),
    ],
)
def test_who_comes_to_idle_nodes(kind: str, until: int, words: str) -> None:
    """Who has them, who comes before the job would end, or that there are too few."""
    (row,) = board(cluster(2, [waiting(1, 2, 10)])).rows
    assert idle(IdleNodes(kind, "x", "ada", ("n2",), NOW + until), row, NOW, clock) == words


@pytest.mark.parametrize(
    ("start", "words"),
    [(NOW, "1m00s earlier"), (NOW + 30, "30s earlier"), (NOW + 60, ""), (NOW + 90, "30s later")],
)
def test_a_start_over_time_is_compared_with_the_planned_one(start: int, words: str) -> None:
    found = beside_plan(start, NOW + 60, clock)
    assert found.startswith(f"+{start - NOW}, {words}" if words else "") and bool(found) == bool(words)


def test_licences_that_are_short_are_counted_and_their_holders_named() -> None:
    """Job 1 runs with two of three, job 2 starts with the third; nobody has the one of the other kind."""
    jobs = [running(1, [1], 300), *(waiting(number, 1, 10, licenses="x:1") for number in (2, 3))]
    jobs[0] = attrs.evolve(jobs[0], request=attrs.evolve(jobs[0].request, licenses="x:2"))
    plain = cluster(4, [*jobs, waiting(4, 1, 10, licenses="y:2")])
    found = board(attrs.evolve(plain, settings=attrs.evolve(plain.settings, licenses={"x": 3, "y": 1})))
    assert [note(found, row, clock) for row in found.rows] == [
        "",
        "its licences are not free now: 0 of 3 of x are free, held by jobs 1, 2",
        "its licences are not free now: 1 of 1 of y are free",
    ]


def test_what_slurm_expected_stands_with_its_reason() -> None:
    """Also a start that squeue still shows."""
    found = board(cluster(2, [waiting(1, 1, 10)]))
    (row,) = found.rows
    words = "showed no start when the queue was read; no reason"
    assert slurm(found, row, clock) == words
    row = attrs.evolve(
        row,
        record=attrs.evolve(row.record, reason="Priority"),
        entry=attrs.evolve(row.entry, slurm_start=NOW + 9),
    )
    assert slurm(found, row, clock) == "showed +9 when the queue was read; reason Priority"
    found = board(cluster(2, [waiting(1, 1, 10, reason="Dependency")]))
    row = attrs.evolve(found.rows[0], entry=attrs.evolve(found.rows[0].entry, slurm_start=NOW + 9))
    assert slurm(found, row, clock) == "reason Dependency keeps it out; squeue still shows the start +9"


def test_a_job_behind_one_of_less_priority_has_the_tiers_of_both() -> None:
    """Within a tier the priorities say it."""
    capture = cluster(2, [waiting(1, 1, 10), waiting(2, 1, 10, partitions=("fast",)), waiting(3, 1, 10)])
    (batch,) = capture.partitions
    found = board(attrs.evolve(capture, partitions=(batch, attrs.evolve(batch, name="fast", tier=5))))
    texts = ["".join(text for text, _ in lines) for lines in priority_lines(found, found.rows[1], 99)]
    assert texts[-2].endswith(f"998, 1 less, but fast has tier 5, batch {batch.tier}")
    assert texts[-1].endswith("997, 2 less")


def test_what_befalls_jobs_is_of_one_or_of_several() -> None:
    """Of many the first are named."""
    assert befell(Happening.END, ("1",)) == "job 1 ends"
    assert befell(Happening.END, ("1", "2", "3", "4"), 3) == "jobs 1, 2, 3 and others end"
    assert befell(Happening.PRIORITIES, ("3",)) == "job 3 moves up by priority"
    assert befell(Happening.REQUEUE, ("3",)).endswith("its nodes are wanted by a job that may preempt it")


def test_a_cycle_shows_its_starts_and_its_numbers() -> None:
    """The first start with its end, the others with their nodes."""
    starts = [Started(job, job, "batch", nodes, NOW + 60) for job, nodes in (("1", "n1"), ("2", "n2"))]
    cycle = Moment(NOW, Happening.BACKFILL, started=tuple(starts), tried=3, planned=1, stopped="bf_max_time")
    assert name(cycle) == "backfill cycle"
    assert happened(cycle, clock) == (
        "backfill cycle: 2 start: 1 on n1 until +60, 2 on n2; 3 tried, 1 planned, ended by bf_max_time"
    )
    assert happened(attrs.evolve(cycle, started=()), clock).startswith("backfill cycle: nobody starts;")
    begins = Moment(NOW, Happening.RESERVATION, subjects=("maint",), begins=True)
    assert happened(begins, clock) == "reservation maint begins"


def test_when_the_queue_is_tried_next() -> None:
    """What comes first stands first, in words as there is room; a cycle says why it comes then."""
    found = board(cluster(2, [waiting(1, 1, 10)]))
    coming = Coming(NOW, NOW + 9, ("1",), Happening.END, NOW + 30, False, NOW + 20)
    after = f"+30, {parameter('bf_interval', found)} s after the last one"
    assert next_change(coming, clock) == "+9 job 1 ends"
    assert next_cycle(coming, found, clock) == after
    long, short = "+9 job 1 ends; whole pass +20; backfill cycle +30", "+9 job 1 ends; pass +20; cycle +30"
    assert [next_in_line(coming, found, clock, room) for room in (len(long), len(long) - 1)] == [long, short]
    several = attrs.evolve(coming, changing=("1", "2", "3", "4"), cycle=NOW)
    assert next_in_line(several, found, clock, 80) == (
        "backfill cycle now; +9 jobs 1, 2, 3 and others end; whole pass +20"
    )
    assert next_in_line(several, found, clock, 50) == "cycle now; +9 job 1 and others end; pass +20"
    idle_cycle = attrs.evolve(coming, cycle=None)
    assert next_cycle(idle_cycle, found, clock) == "none as things stand: nothing changes any more"


def test_an_expected_start_says_on_what_it_rests() -> None:
    """On limits; a job that never starts says so."""
    assert expected(NOW + 60, NOW, clock, clock) == "+60, 1m00s after +0, if every job runs to its limit"
    assert expected(None, NOW, clock, clock).startswith("never, ")
