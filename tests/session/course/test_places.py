"""Places as they are typed: one grammar for a scenario and for a cluster."""

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.clock import ELAPSED, Clock, dated_clock
from shadowtime.console.session.course.places import (
    BEGINNING,
    END,
    LAST,
    SOMEWHERE,
    START,
    SUBMIT,
    AtEvent,
    AtJob,
    AtShare,
    AtTime,
    Place,
    instant_from,
    parse_place,
)

DAY, HOUR, MINUTE = 86_400, 3_600, 60
BERLIN = ZoneInfo("Europe/Berlin")


def second(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp())


CAPTURED = second("2026-10-24 20:00")
CLUSTER = dated_clock(BERLIN, CAPTURED)
LOG = Clock(datetime(1996, 6, 3, 8, 0), calendar=True)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (" #12 ", AtEvent(12)),
        ("#1,284", AtEvent(1284)),
        ("50%", AtShare(0.5)),
        ("start", BEGINNING),
        ("END", LAST),
        ("31 start", AtJob("31", START)),
        ("job 31 end", AtJob("31", END)),
        ("end 31", AtJob("31", END)),
        ("submit job #31", AtJob("31", SUBMIT)),
        ("job 31", AtJob("31", SOMEWHERE)),
        ("job 12_3", AtJob("12_3", SOMEWHERE)),
        ("12_* start", AtJob("12_*", START)),
    ],
)
def test_events_shares_and_jobs_are_the_same_everywhere(text: str, place: Place) -> None:
    for clock in (ELAPSED, LOG, CLUSTER):
        assert parse_place(text, clock, 5) == place


@pytest.mark.parametrize(
    ("text", "elapsed", "log", "cluster"),
    [
        ("+2h", 5 * HOUR, 5 * HOUR, 5 * HOUR),
        ("-30m", 2 * HOUR + 30 * MINUTE, 2 * HOUR + 30 * MINUTE, 2 * HOUR + 30 * MINUTE),
        ("1h30m", 90 * MINUTE, 90 * MINUTE, CAPTURED + 90 * MINUTE),
        ("1 00:00:01", DAY + 1, DAY + 1, CAPTURED + DAY + 1),
        ("14:30", 14 * HOUR + 30 * MINUTE, 6 * HOUR + 30 * MINUTE, second("2026-10-25 14:30")),
        ("14:30:05", 14 * HOUR + 30 * MINUTE + 5, 6 * HOUR + 30 * MINUTE + 5, second("2026-10-25 14:30:05")),
        ("07:00", 7 * HOUR, 23 * HOUR, second("2026-10-25 07:00")),
        ("20:00", 20 * HOUR, 12 * HOUR, CAPTURED),
        ("tomorrow 06:00", DAY + 6 * HOUR, 22 * HOUR, second("2026-10-25 06:00")),
    ],
)
def test_an_instant_is_read_by_the_clock(text: str, elapsed: int, log: int, cluster: int) -> None:
    """Also over the night in which summer time ends."""
    for clock, at in ((ELAPSED, elapsed), (LOG, log), (CLUSTER, cluster)):
        assert parse_place(text, clock, 3 * HOUR) == AtTime(at)


def test_a_date_needs_a_calendar() -> None:
    assert parse_place("2026-10-26 06:00", CLUSTER) == AtTime(second("2026-10-26 06:00"))
    assert parse_place("10-26 06:00", CLUSTER) == AtTime(second("2026-10-26 06:00"))
    for clock in (LOG, LOG.turned("elapsed")):
        assert parse_place("06-04 08:00", clock) == parse_place("1996-06-04 08:00", clock) == AtTime(DAY)
    for text in ("06-04 08:00", "1996-06-04 08:00"):
        with pytest.raises(SessionError, match="UnixStartTime"):
            parse_place(text)


def test_a_time_of_a_log_is_the_next_one_after_here() -> None:
    """A year and a night later: of that day, of the day after it, and of that year."""
    here = 300 * DAY + 3 * HOUR
    for text, then in (("14:30", 6.5), ("07:00", 23), ("tomorrow 06:00", 22)):
        at = 300 * DAY + int(then * HOUR)
        assert parse_place(text, LOG, here) == AtTime(at) and instant_from(text, here, LOG) == at
    assert parse_place("01-04 08:00", LOG, here) == parse_place("1997-01-04 08:00", LOG)


def test_a_number_alone_is_a_second_of_a_scenario_and_a_job_of_a_cluster() -> None:
    assert parse_place("31") == parse_place("31", LOG) == AtTime(31)
    assert parse_place("31", CLUSTER) == AtJob("31", SOMEWHERE)


@pytest.mark.parametrize(
    "text", ["", "soon", "#", "#x", "101%", "-%", "31 begin", "job", "24:30", "99:99", "+soon", "tomorrow"]
)
def test_what_is_no_place_is_one_line_with_the_text(text: str) -> None:
    for clock in (ELAPSED, LOG, CLUSTER):
        with pytest.raises(SessionError) as caught:
            parse_place(text, clock)
        assert text in str(caught.value) and "\n" not in str(caught.value)


def test_the_zone_of_this_machine_has_its_summer_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        here = dated_clock(None, CAPTURED)
        for hour in range(12):
            at = CAPTURED + hour * HOUR
            assert here.format(at) == CLUSTER.format(at) == f"{datetime.fromtimestamp(at):%Y-%m-%d %H:%M:%S}"
        assert here.parse("04:00") == CLUSTER.parse("04:00") == CAPTURED + 9 * HOUR
    finally:
        monkeypatch.undo()
        time.tzset()
    assert dated_clock(UTC).format(0) == "1970-01-01 00:00:00"
