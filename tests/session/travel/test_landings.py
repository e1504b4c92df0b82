"""Landings and the look ahead: what is found by a copy is what a step finds, and no step is made twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.session import Session
from shadowtime.console.session.travel import landings, lookahead
from shadowtime.console.session.travel.landings import Landings
from shadowtime.console.session.travel.scout import Scout
from shadowtime.console.session.travel.trajectory import Trajectory
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import POLICIES, SOME, session_of

CROWD = Workload([Job(0, 10 + at % 7, 1 + at % 4, 40 - at) for at in range(30)], 4)
"""Thirty jobs at once: most completions move reservations, and many passes start nothing."""
FLOOD = Workload([Job(0, 100_000, 4, 100_000)] + [Job(1 + at, 50, 1 + at % 4, 50) for at in range(600)], 4)
"""One job holds the machine while hundreds arrive: the next start is far away, and no step is costly."""
NEVER = 1e9


def look_ahead(session: Session) -> None:
    """Look ahead to the end, in pieces, as the screen does."""
    work = session.ahead.start_look()
    assert work is not None
    going = True
    while going:
        going = work.run(0.0)
        session.ahead.take_look(work)


def shown(session: Session) -> tuple[object, ...]:
    """What a screen shows at this place."""
    events = session.events(session.number - 4, 9)
    return session.digest(), session.snapshot(), events, session.trend(), session.preempts


MOVES = st.tuples(
    st.sampled_from(["step", "back", "next", "previous", "go", "look", "read"]), st.integers(1, 60)
)


def move(session: Session, name: str, number: int) -> object:
    """Make a move; where a look ahead is not worth while it does nothing."""
    if name == "look":
        if landings.WORTH == 0:
            look_ahead(session)
        return None
    if name == "read":
        return session.events(number, 12)
    if name in ("next", "previous"):
        return session.next_decision() if name == "next" else session.previous_decision()
    if name == "go":
        return session.go_event(number)
    few = 1 + number % 3
    return session.step(few) if name == "step" else session.back(few)


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(15), moves=st.lists(MOVES, max_size=12), most=st.sampled_from([256, 3]))
def test_whatever_is_kept_the_same_is_shown(
    policy: str, workload: Workload, moves: list[tuple[str, int]], most: int
) -> None:
    """Moves in any order lead to the same places, and show the same there, with landings and without."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(landings, "LIMIT_LANDINGS", most)
        patch.setattr(landings, "WORTH", 0.0)
        landing, plain = session_of(workload, policy), session_of(workload, policy)
        for name, number in moves:
            patch.setattr(landings, "WORTH", NEVER)
            wanted, there = move(plain, name, number), shown(plain)
            patch.setattr(landings, "WORTH", 0.0)
            assert move(landing, name, number) == wanted
            assert shown(landing) == there
            assert landing.total == plain.total or landing.total is None


@pytest.mark.parametrize("policy", ["conservative", "easy", "fcfs"])
def test_after_a_look_ahead_no_key_takes_a_step(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forward, back, and the decisions before and after are copies, and so is the list of events there."""
    monkeypatch.setattr(landings, "WORTH", 0.0)
    wanted = session_of(CROWD, policy)
    wanted.go_end()
    session = session_of(CROWD, policy)
    session.go_event(50)
    # As after a survey: a sample of the trend that is not known would be worth a step.
    session.run.trajectory.trend, session.run.trajectory.total = wanted.run.trajectory.trend, wanted.total
    shown(session)
    for name in ("step", "back", "next", "previous"):
        session.go_event(50)
        shown(session)
        look_ahead(session)
        with monkeypatch.context() as patch:
            patch.setattr(Trajectory, "run", _unexpected)
            patch.setattr(Trajectory, "run_to_decision", _unexpected)
            patch.setattr(Scout, "at_event", _unexpected)
            assert move(session, name, 3)
            found = shown(session)
        wanted.go_event(session.number)
        assert found == shown(wanted)


def _unexpected(*_: object, **__: object) -> None:
    raise AssertionError("a step is made again")


def test_a_decision_behind_a_long_stretch_of_arrivals_is_found_in_advance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cheap steps say nothing of the next one where many jobs wait; on the way only numbers are kept."""
    monkeypatch.setattr(landings, "WORTH", NEVER)
    monkeypatch.setattr(lookahead, "MANY", 100)
    monkeypatch.setattr(lookahead, "FAR_BACK", 64)
    session = session_of(FLOOD, "conservative")
    session.go_end()
    session.go_event(300)
    look_ahead(session)
    kept = session.run.trajectory.landings
    reached, known = kept.next_act(300)
    assert known and reached > 560
    assert kept.at(reached) is not None and kept.at(reached - 1) is not None
    assert kept.at(299) is not None
    assert len(kept.all()) < 64
    with monkeypatch.context() as patch:
        patch.setattr(Trajectory, "run_to_decision", _unexpected)
        assert session.next_decision()
    assert session.number == reached


def test_the_list_around_the_last_decision_is_found_in_advance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it goes on into the next stretch of events that are stepped together on the way back."""
    monkeypatch.setattr(landings, "WORTH", NEVER)
    monkeypatch.setattr(lookahead, "MANY", 10)
    session = session_of(FLOOD, "conservative")
    session.go_event(60)
    look_ahead(session)
    kept = session.run.trajectory.landings
    decision, known = kept.last_act(60)
    assert known and kept.at(60 - 2 * lookahead.BLOCK) is None
    assert all(kept.at(number) is not None for number in range(decision, decision + lookahead.BLOCK))


def test_few_landings_are_kept_on_the_way_to_a_far_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them would take a gigabyte."""
    monkeypatch.setattr(lookahead, "MANY", 10)
    session = session_of(FLOOD, "conservative")
    session.go_event(60)
    work = session.ahead.start_look()
    assert work is not None
    work.run()
    assert len(work._landings) < 200


def test_where_steps_cost_little_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """No landing is kept, and nothing looks ahead."""
    monkeypatch.setattr(landings, "WORTH", NEVER)
    session = session_of(CROWD, "conservative")
    session.step(40)
    session.events(30, 20)
    assert session.ahead.start_look() is None
    assert not session.run.trajectory.landings.all()


def test_the_landings_used_least_recently_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """By number and by size; which events started jobs is still known."""
    monkeypatch.setattr(landings, "WORTH", 0.0)
    session = session_of(CROWD, "conservative")
    session.go_event(40)
    session.events(41, 20)
    every = session.run.trajectory.landings.all()
    assert list(every) == [40, *range(41, 61)]
    monkeypatch.setattr(landings, "LIMIT_LANDINGS", 3)
    few = Landings()
    for event in (41, 42, 43, 41, 44):
        few.keep(every[event])
    assert list(few.all()) == [43, 41, 44]
    monkeypatch.setattr(landings, "LIMIT_BYTES", every[44].size + every[45].size)
    few.keep(every[45])
    assert list(few.all()) == [44, 45]
    copy = few.before_event(100)
    assert copy is not None
    assert copy.event == 45
    assert few.next_act(40)[0] in range(41, 46)


def test_another_run_keeps_the_landings_of_its_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action parts the run: what came after it is forgotten, and is found anew."""
    monkeypatch.setattr(landings, "WORTH", 0.0)
    session = session_of(CROWD, "conservative")
    session.go_event(45)
    shown(session)
    look_ahead(session)
    session.act(f"hold {session.id_of(session.snapshot().waiting[-1])}")
    assert max(session.run.trajectory.landings.all()) <= 46
    fresh = session.fork("again")
    for _ in range(6):
        look_ahead(session)
        assert session.next_decision() == fresh.next_decision()
        assert shown(session) == shown(fresh)
