"""The store of bars: what is known of the past is kept, within a limit, and what is missing is recorded."""

import random
from itertools import pairwise

import pytest

from shadowtime.console.session.jobs import bars as module
from shadowtime.console.session.jobs.bars import LIKELY, Bars, BarsWork, Viewport
from shadowtime.console.session.session import Session, open_session
from shadowtime.console.session.travel import landings
from shadowtime.kernels.core.simulation import Simulation
from tests.console.operator import case
from tests.oracles.jobs import random_workload
from tests.session.build import POLICIES, case_of

Cells = list[list[tuple[int, str]]]


def session_of(seed: int, policy: str = "easy") -> Session:
    return Session(case_of(random_workload(random.Random(seed)), policy))


def window(session: Session, since: int = -5, columns: int = 0) -> Viewport:
    """A node a row and a second a column, a while past now where the columns are not given."""
    return Viewport(0, 1, session.case.nodes, since, 1, columns or session.time - since + 60)


def record(bars: Bars, seen: Viewport) -> int:
    """Do all the work that is missing; how much was recorded."""
    work = bars.work(seen)
    if work is None:
        return 0
    while work.run():
        pass
    found = len(work.found)
    bars.take(work, seen)
    return found


def cells(bars: Bars, seen: Viewport) -> Cells:
    """(job or -1, kind) of each second of each node."""
    lanes = bars.lanes(seen)
    found = [[(-1, "")] * seen.columns for _ in range(lanes.count)]
    for row in range(lanes.count):
        for column, columns, job, kind, _ in lanes.runs(row):
            found[row][column : column + columns] = [(job, kind)] * columns
    return found


def naive(session: Session, seen: Viewport) -> Cells:
    """The past as one sees it who looks at the owners after every event."""
    simulation: Simulation = session.case.simulation()
    found = [[(-1, "")] * seen.columns for _ in range(session.case.nodes)]
    while simulation.event <= session.number:
        upcoming = simulation.peek()
        until = session.time if upcoming is None else min(upcoming[0], session.time)
        for node, owner in enumerate(simulation.owners()):
            for second in range(max(simulation.now, seen.since), min(until, seen.until)):
                if owner >= 0:
                    found[node][second - seen.since] = (owner, simulation.state(owner))
        if not simulation.step():
            break
    return found


def recorded_beginning() -> tuple[Session, Bars, Viewport]:
    """A session three seconds after its beginning, of which the past is recorded."""
    session = session_of(5)
    bars, seen = Bars(session), window(session)
    while session.time < bars.first() + 3:
        session.step()
    record(bars, seen)
    return session, bars, seen


@pytest.mark.proof
@pytest.mark.parametrize("policy", [name for name in POLICIES if name != "conservative-replan"])
def test_the_past_is_what_one_sees_who_looks_after_every_event(policy: str) -> None:
    """At any event, wherever one came from; up to now as it was, from now on to the estimates."""
    rng = random.Random(policy)
    for seed in range(6):
        session = session_of(seed, policy)
        session.go_end()
        last = session.number
        bars = Bars(session)
        for _ in range(4):
            session.go_event(rng.randint(0, last))
            session.predict()
            bars.look()
            seen = window(session)
            record(bars, seen)
            assert not bars.gaps(seen)
            found, past = cells(bars, seen), session.time - seen.since
            assert [row[:past] for row in found] == [row[:past] for row in naive(session, seen)]
            assert all(kind != "~" for row in found for _, kind in row[:past])
            shot = session.snapshot()
            if shot.upcoming is not None and shot.upcoming[0] == session.time:
                # Who ends in this very instant still has its nodes, and who is expected then has them too.
                continue
            owners = memoryview(shot.owners).cast("i")
            here = [row[past][0] for row in found]
            assert [now for now, owner in zip(here, owners, strict=True) if owner >= 0] == [
                owner for owner in owners if owner >= 0
            ]


def test_what_is_known_is_not_recorded_again() -> None:
    session = next(s for s in map(session_of, range(50)) if s.go_end() and s.time > 60 + Bars(s).first())
    bars = Bars(session)
    first = bars.first()
    seen = window(session, first, 30)
    assert record(bars, seen) > 0 and record(bars, seen) == 0
    for event in (session.number // 2, session.number // 3, session.number):
        session.go_event(event)
        assert not bars.gaps(seen)
    assert bars.gaps(window(session, first + 20, 30)) == [(first + 30, first + 50)]
    assert bars.gaps(window(session, first - 100, 120)) == []


def test_the_recorder_follows_the_cursor_by_itself() -> None:
    session, bars, seen = recorded_beginning()
    while session.step():
        assert bars.follow(seen) and not bars.gaps(seen)
        assert bars._size == sum(piece.count for piece in bars._pieces)
    assert bars.work(seen) is None and len(bars._pieces) == 2, "one more, however many steps"
    assert [row[: session.time - seen.since] for row in cells(bars, seen)] == [
        row[: session.time - seen.since] for row in naive(session, seen)
    ]


def test_the_recorder_stops_at_the_cursor_though_a_look_ahead_knows_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is to come may still be changed."""
    monkeypatch.setattr(landings, "WORTH", 0.0)
    session, bars, seen = recorded_beginning()
    while session.step():
        work = session.ahead.start_look()
        assert work is not None
        work.run()
        session.ahead.take_look(work)
        assert bars.follow(seen)
        assert max(piece.until for piece in bars._pieces) <= session.time


def test_what_is_beyond_an_action_is_forgotten_and_found_anew() -> None:
    session = session_of(7)
    session.go_end()
    bars, seen = Bars(session), window(session)
    record(bars, seen)
    before = cells(bars, seen)
    bars.forget(session.number // 2)
    assert bars.gaps(seen)
    record(bars, seen)
    assert cells(bars, seen) == before
    bars.forget(session.number + 1)
    assert not bars.gaps(seen), "nothing that is known lies beyond"


def test_what_is_expected_in_another_run_is_not_fresh_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the event of the same number, where something else was done and a worker still places the jobs."""
    session = session_of(7)
    session.go_event(20)
    bars = Bars(session)
    session.act("drain 0")
    bars.look()
    assert not bars.stale
    session.undo()
    session.act("drain 1")
    monkeypatch.setattr(module, "FEW", -1)
    bars.look()
    assert bars.stale


def test_what_a_worker_finds_of_a_course_that_is_void_is_thrown_away() -> None:
    session = session_of(7)
    session.go_end()
    bars, seen = Bars(session), window(session)
    work = bars.work(seen)
    assert work is not None
    bars.forget(1)
    while work.run():
        pass
    bars.take(work, seen)
    assert bars.gaps(seen)


def test_another_course_is_noticed() -> None:
    session = session_of(7)
    session.go_end()
    bars, seen = Bars(session), window(session)
    record(bars, seen)
    number = session.number
    session.run.trajectory.simulation = session.case.simulation()
    session.run.trajectory.simulation.run(events=number)
    bars.look()
    assert bars.gaps(seen)


def test_a_worker_that_is_cancelled_does_nothing_more() -> None:
    session = session_of(2)
    session.go_end()
    bars = Bars(session)
    work = bars.work(window(session))
    assert isinstance(work, BarsWork)
    work.cancel()
    assert not work.run() and not work.found and work.over


def test_events_without_end_do_not_make_the_slices_grow_without_end() -> None:
    session = session_of(2)
    session.go_end()
    bars = Bars(session)
    work = bars.work(window(session))
    assert work is not None
    work._gaps *= 60
    while work.run():
        assert 1 <= work._events <= module.MOST


def test_pieces_far_from_the_window_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is bounded; what is looked at stays."""
    monkeypatch.setattr(module, "LIMIT", 12)
    monkeypatch.setattr(module, "PIECE", 3)
    session = session_of(11)
    session.go_end()
    bars = Bars(session)
    for since in range(bars.first(), session.time, 4):
        seen = window(session, since, 4)
        for _ in range(9):
            record(bars, seen)
        assert sum(piece.count for piece in bars._pieces) == bars._size
        assert bars._size <= 12 or all(
            piece.until > seen.since and piece.since < seen.until for piece in bars._pieces[1:-1]
        )
    first = window(session, bars.first(), 4)
    record(bars, first)
    assert bars._pieces[0].since == bars.first()


def test_what_does_not_fit_into_the_limit_stays_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all that is known lies in the window nothing can go: recording ends there, by a worker too."""
    session = session_of(11)
    session.go_end()
    bars, seen = Bars(session), window(session)
    record(bars, seen)
    assert bars._size > 12
    monkeypatch.setattr(module, "LIMIT", 6)
    monkeypatch.setattr(module, "PIECE", 3)
    monkeypatch.setattr(module, "PIECES", 1)
    monkeypatch.setattr(module, "SLICE", 60.0)
    bars = Bars(session)
    work = bars.work(seen)
    assert work is not None
    while work.run():
        bars.take(work, seen)
    bars.take(work, seen)
    size = bars._size
    assert 6 <= size <= 12 and bars.gaps(seen)
    assert bars.work(seen) is None
    for _ in range(9):
        assert not bars.follow(seen)
    assert bars._size == size


def test_what_comes_is_as_strong_as_it_is_likely() -> None:
    """Where there are odds of this very event; the chosen job is seen wherever it may run."""
    session = open_session(case("busy.swf"))
    session.go("85%")
    bars = Bars(session)
    bars.look()
    assert not bars.likely
    work = session.forecasts.start_likely()
    work.run(work.cancel)
    session.forecasts.take_likely(work)
    head = session.snapshot().waiting[0]
    start = session.row(head).likely
    assert start is not None and start.likely is not None
    assert bars.likely and not bars.stale and not bars.unplaced
    rows = session.case.nodes // 8
    seen = Viewport(0, 8, rows, session.time, max(1, (start.likely - session.time) // 4), 40)
    plain, lanes = (bars.lanes(seen, chosen) for chosen in (None, head))
    cells = [run for row in range(lanes.count) for run in lanes.runs(row)]
    assert {run[3] for run in cells} == {LIKELY}
    assert any(run[2] == head for run in cells)
    assert all(run[4] > 1 for run in cells)
    for row in range(lanes.count):
        runs = lanes.runs(row)
        assert all(one[0] + one[1] <= other[0] for one, other in pairwise(runs))
        assert sum(run[1] for run in runs) >= sum(run[1] for run in plain.runs(row))
    session.step()
    assert not bars.likely


def test_many_waiting_jobs_are_placed_by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEW", 0)
    session = next(s for s in map(session_of, range(50)) if _crowded(s))
    bars, seen = Bars(session), window(session)
    bars.look()
    assert bars.stale and "~" not in {kind for row in cells(bars, seen) for _, kind in row}
    record(bars, seen)
    assert not bars.stale and "~" in {kind for row in cells(bars, seen) for _, kind in row}
    assert bars.last >= bars.soon > session.time


def _crowded(session: Session) -> bool:
    """Go to where somebody waits behind somebody who runs."""
    while session.step():
        shot = session.snapshot()
        if shot.waiting and shot.running and not shot.pending:
            session.predict()
            return True
    return False
