"""Priorities that grow with the age of the jobs: by hand, as recorded, and the plans that follow."""

from itertools import takewhile
from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session.course.places import LAST
from shadowtime.console.session.slurm.caveats import caveats
from shadowtime.console.session.slurm.guard.caveat import Left
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.priorities.standing import Priorities, next_calculation
from shadowtime.console.session.slurm.stepping.cluster import Boards
from shadowtime.console.session.slurm.stepping.coming import coming
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.event_text import event_text
from shadowtime.console.widgets.slurm.why_text import next_line
from shadowtime.console.words.cluster.events import befell
from shadowtime.kernels.slurm.over_time.moments import Happening
from shadowtime.scenarios.slurm import Ageing, Capture, CaptureError, FairShare, Job, read_capture
from tests.amount import every
from tests.oracles.slurm.over_time import OverTime as NaiveOverTime
from tests.oracles.slurm.queue import priority_at as naive_priority_at
from tests.oracles.slurm.small import NOW, cluster, running, waiting
from tests.scenarios.slurm.support import files, write
from tests.scenarios.slurm.test_capture import SHARES
from tests.session.slurm.over_time.test_over_time import AHEAD, as_naive, capture_of

REORDERED = [5, 35, 104, 116, 155, 164, 185, 212]
"""Random clusters on which an event differs unless a cycle is planned anew once the order has changed."""


def aged(jobs: list[Job], ageing: Ageing, **parameters: Any) -> Capture:
    """A small cluster whose priorities were calculated at NOW."""
    capture = cluster(1, jobs, **parameters)
    settings = attrs.evolve(capture.settings, priority="priority/multifactor", ageing=ageing)
    return attrs.evolve(capture, settings=settings, calculated=NOW)


def test_a_priority_grows_by_steps_until_the_greatest_age() -> None:
    """1000 points in 600 s, calculated every 60 s, of a job that is 300 s old."""
    jobs = [
        waiting(1, 1, 10, accrued_since=NOW - 300, priority_by_partition={"urgent": 7}),
        waiting(2, 1, 10, priority=0),
        waiting(3, 1, 10, eligible=NOW + 90),
        waiting(4, 1, 10, dependency="afterok:1(unfulfilled)"),
    ]
    capture = aged(jobs, Ageing(1000, 600, 60))

    def grown(job: Job, partition: str = "") -> list[int]:
        seconds = (-9, 0, 59, 60, 119, 120, 299, 300, 360, 9000)
        captured = job.priority_by_partition.get(partition, job.priority)
        return [Priorities(capture, NOW + each).of(job, partition) - captured for each in seconds]

    assert grown(jobs[0]) == grown(jobs[0], "urgent") == [0, 0, 0, 100, 100, 200, 400, 500, 500, 500]
    assert grown(jobs[1]) == grown(jobs[3]) == [0] * 10
    assert grown(jobs[2]) == [0, 0, 0, 0, 0, 50, 250, 350, 450, 1000]
    instants = [next_calculation(capture, jobs[:1], NOW + each) for each in (0, 59, 60, 299, 300)]
    assert instants == [NOW + 60, NOW + 60, NOW + 120, NOW + 300, None]
    assert next_calculation(capture, [jobs[2]], NOW) == NOW + 120
    assert next_calculation(capture, [jobs[1], jobs[3]], NOW) is None


@pytest.mark.parametrize(
    ("since", "first", "priorities"),
    [
        (452, 512, [826, 1427]), (459, 512, [807, 1407, 2008]), (459, 512, [1634, 2235, 2836]),
        (459, 512, [269, 869, 1470]), (555, 572, [396, 996, 1597]), (559, 572, [356, 956, 1557]),
    ],
)  # fmt: skip
def test_recorded_priorities_are_met_within_a_point(since: int, first: int, priorities: list[int]) -> None:
    """Of 22.05.8: 6007 points in 600 s, calculated every 60 s; a captured priority has lost its fraction."""
    first += NOW
    job = waiting(1, 1, 10, priority=priorities[0], accrued_since=NOW + since)
    capture = attrs.evolve(aged([job], Ageing(6007, 600, 60)), calculated=first)
    for place, recorded in enumerate(priorities):
        ours = Priorities(capture, first + 60 * place).of(job, "")
        assert 0 <= recorded - ours <= 1
        assert ours == naive_priority_at(capture, job, "", first + 60 * place)


def test_jobs_that_pass_others_are_an_event_that_is_foreseen() -> None:
    """A job of the greatest age is passed by a younger one, which then starts first; the board shows it."""
    old = waiting(2, 1, 10, priority=1300, accrued_since=NOW - 9000)
    young = waiting(3, 1, 10, priority=1000, accrued_since=NOW)
    history = History(aged([running(1, [1], 900), old, young], Ageing(1000, 600, 60)), NOW)
    found = coming(history)
    assert (found.what, found.change, found.changing) == (Happening.PRIORITIES, NOW + 240, ("3",))
    assert history.next(lambda moment: moment.what is Happening.PRIORITIES)
    assert history.moment is not None and (history.time, history.moment.subjects) == (NOW + 240, ("3",))
    assert event_text(history.moment, Dates(), NOW) == befell(Happening.PRIORITIES, ("3",))
    boards = Boards(history)
    line = next_line(found, boards.board(0), Dates(), 80)
    assert befell(Happening.PRIORITIES, ("3",)) in line
    shown = [(row.job, row.priority) for row in boards.board(history.number).rows]
    assert shown == [("3", 1400), ("2", 1300)]
    before = [(row.job, row.priority) for row in boards.board(history.number - 1).rows]
    assert before[0] == ("2", 1300) and before[1][0] == "3" and before[1][1] < 1300
    history.go_place(LAST)
    starts = [(event.job, event.at) for event in OverTime(history.capture, NOW).events() if event.starts]
    assert starts == [("3", NOW + 903), ("2", NOW + 1505)]


def test_a_job_reaches_the_least_priority_of_a_plan_by_growing_older() -> None:
    """With bf_min_prio_reserve=1200 it is planned from the calculation after 120 s on."""
    job = waiting(2, 1, 10, priority=1000, accrued_since=NOW)
    capture = aged([running(1, [1], 900), job], Ageing(1000, 600, 60), min_prio_reserve=1200)
    history = History(capture, NOW)
    assert coming(history).change == NOW + 120
    boards = Boards(history)
    assert [row.start for row in boards.board(0).rows] == [None]
    assert history.next(lambda moment: moment.what is Happening.PRIORITIES) and history.time == NOW + 120
    assert [row.start for row in boards.board(history.number).rows] == [NOW + 900]


@pytest.mark.parametrize("seed", every(4, REORDERED))
def test_no_event_differs_once_the_order_has_changed(seed: int) -> None:
    """The naive program makes every cycle, the fast one only those that can find something new."""
    capture = capture_of(seed)
    theirs = NaiveOverTime(capture, NOW).run(NOW + AHEAD)
    events = takewhile(lambda event: event.at <= NOW + AHEAD, OverTime(capture, NOW).events())
    ours = [as_naive(event) for event in events]
    assert ours == theirs[: len(ours)]
    assert not [event for event in theirs[len(ours) :] if event.what != "end"]


LINES = """PriorityType = priority/multifactor
AccountingStorageType = accounting_storage/slurmdbd
PriorityCalcPeriod = 00:02:00
PriorityMaxAge = 7-00:00:00
PriorityWeightAge = 1003
"""


@pytest.mark.parametrize(
    ("old", "new", "ageing"),
    [
        ("", "", Ageing(1003, 604_800, 120)),
        ("PriorityCalcPeriod = 00:02:00", "", Ageing(1003, 604_800, 300)),
        ("slurmdbd", "none", None),
        ("multifactor", "basic", None),
        ("= 1003", "= 0", None),
    ],
)
def test_how_priorities_grow_is_read(tmp_path: Path, old: str, new: str, ageing: Ageing | None) -> None:
    """Priorities do not grow without the accounts, under priority/basic, or without a weight."""
    contents = files(42)
    kept = [line for line in contents["config.txt"].splitlines() if not line.startswith("PriorityType")]
    contents["config.txt"] = "\n".join(kept) + "\n" + LINES.replace(old, new)
    contents["squeue.json"]["jobs"][0]["accrue_time"] = {"set": True, "infinite": False, "number": 12345}
    capture = read_capture(write(tmp_path, contents))
    assert capture.settings.ageing == ageing
    assert capture.jobs[0].accrued_since == 12345 and capture.calculated == capture.taken


SHARE = """PriorityType = priority/multifactor
AccountingStorageType = accounting_storage/slurmdbd
PriorityCalcPeriod = 00:02:00
PriorityDecayHalfLife = 7-00:00:00
PriorityWeightFairShare = 9
PriorityFlags = {flags}
PriorityUsageResetPeriod = {reset}
"""
MOVES = [
    ("", "NONE", FairShare(9, 604_800, 120), []),
    ("NO_FAIR_TREE,MAX_TRES", "NONE", FairShare(9, 604_800, 120, tree=False), []),
    ("DEPTH_OBLIVIOUS", "NONE", FairShare(9, 604_800, 120, oblivious=True), [Left.OBLIVIOUS]),
    ("", "DAILY", FairShare(9, 604_800, 120, reset="DAILY"), [Left.RESETS]),
]


@pytest.mark.parametrize(("flags", "reset", "share", "left_out"), MOVES)
def test_how_fair_share_moves_is_read(
    tmp_path: Path, flags: str, reset: str, share: FairShare, left_out: list[Left]
) -> None:
    """What cannot move, or is not reset, is a line; so is a capture without the usage of the associations."""
    contents = files(42) | {"assoc_mgr.txt": SHARES}
    kept = [row for row in contents["config.txt"].splitlines() if not row.startswith("PriorityType")]
    contents["config.txt"] = "\n".join(kept) + "\n" + SHARE.format(flags=flags, reset=reset)
    capture = read_capture(write(tmp_path, contents))
    assert capture.settings.greatest_billing == ("MAX_TRES" in flags)
    assert capture.settings.fair_share == share and capture.settings.calculation_period == 120
    moves = (Left.OBLIVIOUS, Left.RESETS, Left.USAGE)
    assert [row.left for row in caveats(capture) if row.left in moves] == left_out
    (tmp_path / "assoc_mgr.txt").unlink()
    assert any(row.left in (Left.OBLIVIOUS, Left.USAGE) for row in caveats(read_capture(tmp_path)))


def test_a_weight_that_is_no_number_is_one_line(tmp_path: Path) -> None:
    """The setting and what was expected."""
    contents = files(42)
    kept = [line for line in contents["config.txt"].splitlines() if not line.startswith("PriorityType")]
    contents["config.txt"] = "\n".join(kept) + "\n" + LINES.replace("1003", "much")
    with pytest.raises(CaptureError, match="PriorityWeightAge: is"):
        read_capture(write(tmp_path, contents))
