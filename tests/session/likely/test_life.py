"""The life of one job: how its forecast moved, and its odds on the way."""

import pytest

from shadowtime.console.session.jobs import history as module
from shadowtime.console.session.likely.starts import ENDED, FIRST
from shadowtime.console.session.session import Session, open_session
from tests.console.operator import case


@pytest.fixture(scope="module")
def session() -> Session:
    """A run that stands late enough for odds."""
    session = open_session(case("busy.swf"))
    session.go("85%")
    return session


def waiting(session: Session) -> int:
    """The job that waits and came first."""
    return min(session.snapshot().waiting)


def test_the_odds_on_the_way_are_those_of_their_moments(session: Session) -> None:
    """At some of the moments at which the prediction moved, the first and the last among them."""
    job = waiting(session)
    work = session.forecasts.life_of(session.id_of(job))
    plain = work.predicted()
    assert plain.predicted == session.forecasts.life_of(session.id_of(job)).run()
    events = [made.event for made in plain.predicted]
    assert [plain.instants[event] for event in events] == [
        session.events(event, 1)[0].time for event in events
    ]
    life = work.odds(plain)
    assert {events[0], events[-1]} <= life.odds.keys() <= set(events)
    assert len(life.odds) <= module.MOMENTS
    other = open_session(session.case)
    for event in (events[0], events[-1]):
        other.go(f"#{event}")
        samples = other.run.likely.sampled(other.run.simulation, [job], samples=FIRST)
        odds = life.odds[event]
        assert odds.early is not None and odds.late is not None and odds.likely == sorted(samples)[FIRST // 2]
        assert min(samples) <= odds.early <= odds.likely <= odds.late <= max(samples)


def test_without_history_a_life_has_no_odds(session: Session) -> None:
    other = open_session(session.case)
    while not other.snapshot().waiting:
        other.step()
    work = other.forecasts.life_of(other.id_of(waiting(other)))
    assert other.run.simulation.finished < ENDED
    assert work.odds(work.predicted()).odds == {}


def test_a_life_that_is_cancelled_ends(session: Session) -> None:
    work = session.forecasts.life_of(session.id_of(waiting(session)))
    life = work.predicted()
    work.cancel()
    assert work.odds(life).odds == {}
