"""How instants are written and read."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from shadowtime.console.session.clock import ELAPSED, Clock

BLUE = Clock(datetime(2000, 4, 25, 17, 0, 3, tzinfo=ZoneInfo("US/Pacific")), calendar=True)
LOCAL = Clock(datetime(1996, 6, 3, 8, 0), calendar=True)


def test_an_instant_is_elapsed_time_or_a_time_of_the_calendar() -> None:
    assert ELAPSED.format(22_364) == "0d 06:12:44"
    assert LOCAL.format(22_364) == "1996-06-03 14:12:44"
    assert LOCAL.format(-3600) == "1996-06-03 07:00:00"
    assert LOCAL.turned("elapsed").format(22_364) == "0d 06:12:44"


def test_the_zone_of_a_log_has_its_summer_time() -> None:
    clock = Clock(datetime(1998, 4, 5, 0, 0, tzinfo=ZoneInfo("US/Pacific")), calendar=True)
    assert clock.format(2 * 3600 - 1) == "1998-04-05 01:59:59"
    assert clock.format(2 * 3600) == "1998-04-05 03:00:00"
    assert clock.parse("1998-04-05 03:00") == 2 * 3600


def test_an_instant_beyond_the_calendar_is_elapsed_time() -> None:
    assert LOCAL.format(2**61).endswith("d 17:13:52") or "d " in LOCAL.format(2**61)


@pytest.mark.parametrize("seconds", [0, 1, 86_399, 3_000_000, 20_000_000])
def test_what_is_written_is_read(seconds: int) -> None:
    for clock in (BLUE, LOCAL, LOCAL.turned("elapsed")):
        assert clock.parse(clock.format(seconds)) == seconds


def test_a_calendar_time_is_read_whatever_is_written() -> None:
    clock = LOCAL.turned("elapsed")
    assert clock.parse("1996-06-04") == 16 * 3600
    assert clock.parse("1996-06-04 08:00") == clock.parse("1996-06-04T08:00:00") == 86_400
    assert clock.parse("1h30m") == 5400


@pytest.mark.parametrize("text", ["1996-02-30", "1996-06-04 25:00", "1996-13-01 08:00"])
def test_what_no_calendar_has_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no time of the calendar; expected YYYY-MM-DD HH:MM:SS"):
        LOCAL.parse(text)


def test_without_a_calendar_one_line_says_what_gives_one() -> None:
    with pytest.raises(ValueError, match="UnixStartTime"):
        ELAPSED.parse("2000-06-01 14:00")
    with pytest.raises(ValueError, match="UnixStartTime"):
        ELAPSED.turned("calendar")
    with pytest.raises(ValueError, match="did you mean calendar"):
        LOCAL.turned("calender")


def test_the_clock_describes_itself() -> None:
    assert LOCAL.described == "instants are written by the calendar; second 0 is 1996-06-03 08:00:00"
    assert "PDT" in BLUE.turned("elapsed").described and "elapsed" in BLUE.turned("elapsed").described
