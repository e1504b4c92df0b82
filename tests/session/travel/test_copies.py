"""The copies: bounded in memory, dense near the cursor, the first one always there."""

from itertools import pairwise

import pytest

from shadowtime.console.session.travel.copies import Recent, Tape
from shadowtime.kernels.core.simulation import Copy, Simulation
from tests.oracles.jobs import Job, Workload
from tests.session.build import case_of

JOBS = Workload([Job(k, 1 + k * 7 % 11, 1 + k * 5 % 4, 12) for k in range(400)], 5)


@pytest.fixture(scope="module")
def copies() -> list[Copy]:
    """A copy after every event of a run."""
    simulation: Simulation = case_of(JOBS).simulation()
    made = [simulation.copy()]
    while simulation.step():
        made.append(simulation.copy())
    return made


def filled(copies: list[Copy], limit: int, cursor: int) -> Tape:
    """Return a tape on which every copy was laid in order, each a second from the one before."""
    tape = Tape(copies[0], limit)
    for copy in copies[1:]:
        tape.lay(copy, 1.0)
        tape.thin(cursor)
    return tape


def test_the_nearest_copy_is_found(copies: list[Copy]) -> None:
    """By event and by time: the last one that is not later; the first where there is none."""
    tape = Tape(copies[0])
    for copy in copies[20:100:20]:
        tape.lay(copy, 1.0)
    assert [tape.before_event(event).event for event in (0, 19, 20, 59, 1000)] == [0, 0, 20, 40, 80]
    time = copies[40].now
    assert tape.before_time(time).event == 40
    assert tape.before_time(time - 1).event == 20
    assert tape.before_time(-1).event == 0
    assert (tape.following(40), tape.following(80)) == (60, None)
    marks = tape.marks()
    assert [marks.before_event(event).event for event in (19, 20)] == [0, 20]
    assert marks.before_time(time).event == 40


def test_a_copy_is_laid_once_and_anywhere(copies: list[Copy]) -> None:
    """Copies may come in any order; a second one of the same event is left out."""
    tape = Tape(copies[0])
    for event in (30, 10, 20, 10):
        tape.lay(copies[event], 1.0)
    assert [copy.event for copy, _ in tape.laid(0)] == [10, 20, 30]
    assert [copy.event for copy, _ in tape.laid(10)] == [20, 30]
    assert tape.size == sum(copies[event].size for event in (0, 10, 20, 30))


def test_the_limit_is_kept(copies: list[Copy]) -> None:
    """However many are laid, the copies stay within the limit; the first is never dropped."""
    limit = sum(copy.size for copy in copies) // 8
    tape = filled(copies, limit, cursor=len(copies) // 2)
    assert tape.size <= limit
    assert tape.size == sum(copy.size for copy, _ in tape.laid(-1))
    assert tape.before_event(0).event == 0


def test_the_copies_are_densest_near_the_cursor(copies: list[Copy]) -> None:
    """What is left lies closest together around the cursor, wherever that is."""
    limit, count = sum(copy.size for copy in copies) // 8, len(copies)
    for cursor in (count // 10, count // 2, count - 1):
        tape = Tape(copies[0], limit)
        tape.adopt((copy, 1.0) for copy in copies[1:])
        tape.thin(cursor)
        left = [copy.event for copy, _ in tape.laid(-1)]
        gaps = [(later - earlier, abs(earlier - cursor)) for earlier, later in pairwise(left)]
        near = [gap for gap, distance in gaps if distance <= count // 20]
        far = [gap for gap, distance in gaps if distance > count // 4]
        assert max(near) * 3 <= max(far)


def test_a_single_huge_copy_is_kept(copies: list[Copy]) -> None:
    """A limit below one copy still leaves the first and one more."""
    tape = filled(copies[:50], 1, cursor=25)
    assert len(tape) == 2


def test_recent_copies_are_few_and_found(copies: list[Copy]) -> None:
    """The oldest kept is forgotten first; the last one not later than an event is found."""
    recent = Recent(count=3)
    assert recent.before_event(10) is None
    for event in (5, 9, 7, 9, 8):
        recent.keep(copies[event])
    assert recent.before_event(6) is None
    found = [recent.before_event(event) for event in (7, 8, 100)]
    assert [copy.event for copy in found if copy is not None] == [7, 8, 9]
    small = Recent(limit=1)
    for event in (3, 4):
        small.keep(copies[event])
    only = small.before_event(100)
    assert only is not None
    assert only.event == 4


def test_a_recent_copy_that_is_kept_again_counts_once(copies: list[Copy]) -> None:
    """However often one comes back to a place, the others are not forgotten for it."""
    recent = Recent(limit=sum(copies[event].size for event in (5, 6, 7)))
    for event in (5, 6, *[7] * 9):
        recent.keep(copies[event])
    found = [recent.before_event(event) for event in (5, 6, 7)]
    assert [copy.event for copy in found if copy is not None] == [5, 6, 7]


def test_a_copy_that_is_dropped_leaves_its_cost_to_the_next(copies: list[Copy]) -> None:
    """What is left covers the whole way, however much of it has been dropped."""
    limit = sum(copy.size for copy in copies) // 8
    tape = Tape(copies[0], limit)
    tape.adopt((copy, 1.0) for copy in copies[1:])
    tape.lay(copies[-1], 5.0)
    tape.thin(0)
    laid = tape.laid(0)
    assert len(laid) < len(copies) // 2
    assert [cost for _, cost in laid] == [
        later.event - earlier.event for earlier, later in pairwise([copies[0], *(copy for copy, _ in laid)])
    ]
