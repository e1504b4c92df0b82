"""Breakpoints: what may be typed, and that a search finds the event that a look at every event finds."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.course.breakpoints import EXPECTED, Point, Points, parse_breakpoint
from shadowtime.console.session.course.course import go_on
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel.moving import ScenarioTerms
from shadowtime.kernels.core.simulation import Simulation
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import FIRST_ID, case_of, straight

Holds = Callable[[Simulation], bool]


def index_of(job: int) -> int:
    if job != 31:
        raise SessionError(f"there is no job {job}")
    return 7


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("preempt", "preempt"),
        (" Node_Down ", "node_down"),
        ("31", "job 31"),
        ("job  31", "job 31"),
        ("utilization<0.5", "utilization < 0.5"),
        ("utilization_now >= 50%", "utilization_now >= 50%"),
        ("queue > 100", "queue > 100"),
        ("mean_wait > 1h30m", "mean_wait > 1h30m"),
        ("wait( 31 ) > 2h", "wait(31) > 2h"),
    ],
)
def test_what_is_a_breakpoint(typed: str, text: str) -> None:
    """Kinds, jobs and conditions, in the spelling in which they are listed; which is a breakpoint again."""
    assert parse_breakpoint(typed, ScenarioTerms(index_of)).text == text
    assert parse_breakpoint(text, ScenarioTerms(index_of)).text == text


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("", f"a breakpoint needs a place to stop; expected {EXPECTED}"),
        ("prempt", "'prempt' is no breakpoint; did you mean preempt?"),
        ("queue", "'queue' is no breakpoint; expected a comparison, such as queue > 0"),
        ("job 30", "there is no job 30"),
        ("wait(30) > 5", "there is no job 30"),
        ("slowdown(31) > 5", "slowdown(31) is not known; expected wait(31)"),
        ("wait > 5", "there is no metric 'wait'; expected wait(JOB) or mean_wait"),
        ("utilisation > 5", "there is no metric 'utilisation'; did you mean utilization?"),
        ("queue > many", "'queue > many' compares with 'many'; expected a number, a share or a duration"),
        ("queue > nan", "'queue > nan' compares with 'nan'; expected a number, a share or a duration"),
        ("queue > inf%", "'queue > inf%' compares with 'inf%'; expected a number, a share or a duration"),
        ("queue >", "'queue >' compares with ''; expected a number, a share or a duration"),
    ],
)  # fmt: skip
def test_what_is_none(typed: str, error: str) -> None:
    """One line says what was expected."""
    with pytest.raises(SessionError) as raised:
        parse_breakpoint(typed, ScenarioTerms(index_of))
    assert str(raised.value) == error


def test_the_list_of_breakpoints() -> None:
    """They are added, turned off and on, and removed; one that is typed again is enabled again."""
    made = [parse_breakpoint(text, ScenarioTerms(index_of)) for text in ("start", "job 31", "queue > 3")]
    points = Points[Simulation]()
    for each in made:
        points = points.add(each)
    assert [each.text for each in points.toggle(1).enabled] == ["start", "queue > 3"]
    assert points.toggle(1).toggle(1) == points
    assert points.toggle(1).add(made[1]) == points
    assert [each.text for each in points.remove(0).all] == ["job 31", "queue > 3"]


def value(name: str) -> Callable[[Simulation], float]:
    return lambda simulation: simulation.metrics()[name] or 0


CONDITIONS: Mapping[str, Holds] = {
    "queue > 1": lambda simulation: len(simulation.waiting()) > 1,
    "running = 2": lambda simulation: len(simulation.running()) == 2,
    "free < 2": lambda simulation: simulation.free < 2,
    "utilization >= 60%": lambda simulation: value("utilization")(simulation) >= 0.6,
    f"wait({FIRST_ID}) > 3": lambda simulation: (simulation.waited(0) or 0) > 3,
}


def naive(session: Session, made: Point[Simulation]) -> list[int]:
    """Return every event at which a breakpoint is met, by looking at each event in turn."""
    simulation = session.case.simulation()
    holds = CONDITIONS.get(made.text)
    found, was = [], holds is not None and holds(simulation)
    for number, moment in enumerate(straight(session.case)[1:], 1):
        simulation.step()
        if holds is None:
            assert moment.last is not None
            rows = {moment.last[2], *(job for _, job, _ in moment.decided)}
            kinds = {moment.last[1], *(kind for kind, _, _ in moment.decided)}
            met = made.text in kinds or (made.text == f"job {FIRST_ID}" and 0 in rows)
        else:
            now = holds(simulation)
            met, was = now and not was, now
        if met:
            found.append(number)
    return found


@pytest.mark.proof
@pytest.mark.parametrize("text", ["start", "backfill", "finish", "submit", f"job {FIRST_ID}", *CONDITIONS])
@pytest.mark.parametrize("window", [3, 4096])
@given(workload=workloads(8), place=st.floats(0, 1))
def test_going_on_stops_where_a_look_at_each_event_does(
    text: str, window: int, workload: Workload, place: float
) -> None:
    """Forward at the next event that meets it, back at the one before; a condition where it comes true."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shadowtime.console.session.course.seeking.WINDOW", window)
        patch.setattr("shadowtime.console.session.course.seeking.PIECE", window)
        session = Session(case_of(workload))
        made = session.stops.set(text)
        events = naive(session, made)
        session.travel.go_fraction(place)
        here = session.number
        later = [number for number in events if number > here]
        assert go_on(session) == ((text,) if later else ())
        assert session.number == (later[0] if later else here)
        session.go_event(here)
        earlier = [number for number in events if number < here]
        assert go_on(session, forward=False) == ((text,) if earlier else ())
        assert session.number == (earlier[-1] if earlier else here)


@given(workloads(6))
def test_the_first_of_several_stops(workload: Workload) -> None:
    """All that are met at an event are returned; those that are disabled are passed."""
    session = Session(case_of(workload))
    for text in ("submit", "free < 1000", f"job {FIRST_ID}"):
        session.stops.set(text)
    assert go_on(session) == ("submit", f"job {FIRST_ID}")
    session.stops.points = Points()
    assert go_on(session) == ()
    assert session.number == 1


def test_a_search_goes_on_where_its_time_was_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece at a time it finds what it finds at once."""
    monkeypatch.setattr("shadowtime.console.session.course.seeking.PIECE", 1)
    session = Session(case_of(Workload([Job(0, 5, 2, 5)], 4)))
    session.stops.set("finish")
    seeking, pieces = session.stops.seek(), 1
    while not seeking.run(0.0):
        pieces += 1
    assert (seeking.found, seeking.met) == (3, ("finish",))
    assert pieces > 2


def test_a_search_can_be_stopped() -> None:
    """It then finds nothing, and the session stands where it stood."""
    session = Session(case_of(Workload([Job(0, 5, 2, 5)], 4)))
    session.stops.set("finish")
    seeking = session.stops.seek()
    seeking.cancel()
    assert seeking.run()
    assert seeking.found is None
    assert session.number == 0
