"""The player, the marks and a journey, without a screen."""

import pytest

from shadowtime.console.screens.travel.journey import CourseJourney
from shadowtime.console.screens.travel.playing import FASTEST, SLOWEST, Player
from shadowtime.console.session import open_session
from shadowtime.console.session.course.pace import MOST, WANTED, Pace
from shadowtime.console.session.course.places import LAST, AtEvent
from tests.console.operator import case


def test_events_fall_due_at_the_speed() -> None:
    """Parts of an event are kept: ten frames at a speed give what one long one gives."""
    one, many = Player(), Player()
    one.set_speed(8)
    many.set_speed(8)
    assert one.due(1.0) == 8
    assert sum(many.due(0.1) for _ in range(10)) in (7, 8)


def test_the_first_event_comes_at_once() -> None:
    player = Player()
    player.toggle()
    assert player.due(0.0) == 1


@pytest.mark.parametrize(
    ("speed", "shown"), [(1, "x1"), (0.25, "x1/4"), (2.5, "x2.5"), (4096, "x4,096"), (0.3, "x0.3")]
)
def test_speeds_are_shown_as_they_are_said(speed: float, shown: str) -> None:
    player = Player()
    player.set_speed(speed)
    assert player.speed_shown == shown


def test_speed_has_limits() -> None:
    player = Player()
    player.set_speed(1e12)
    assert player.speed == FASTEST
    player.set_speed(1e-12)
    assert player.speed == SLOWEST


def test_a_journey_goes_on_where_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shadowtime.console.session.course.pace.FIRST", 1)
    session = open_session(case())
    journey = CourseJourney.to(session, "there", AtEvent(9))
    assert not journey.advance(-1.0) and journey.number == 1
    assert journey.advance() and session.number == 9 and journey.origin == 0


def test_a_stopped_journey_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shadowtime.console.session.course.pace.FIRST", 1)
    session = open_session(case())
    journey = CourseJourney.to(session, "there", LAST)
    journey.advance(-1.0)
    journey.stop()
    assert journey.advance() and journey.stopped and session.number == 1


def test_pieces_grow_while_they_are_quick_and_shrink_when_they_are_slow() -> None:
    """Whatever one event costs, a piece takes about as long: so stopping never takes long."""
    pace = Pace()
    for _ in range(20):
        pace.took(0.001)
    assert pace.events == MOST
    pace.took(1.0)
    assert pace.events == MOST // 2
    pace.took(WANTED)
    assert pace.events == MOST // 2
    for _ in range(40):
        pace.took(9.0)
    assert pace.events == 1


def test_what_is_wrong_with_a_place_is_kept_for_the_screen() -> None:
    session = open_session(case())
    journey = CourseJourney(session, "there", iter(()), lambda: session.travel.go_job(99, "start"))
    assert journey.advance()
    assert str(journey.fault).startswith("there is no job 99")
