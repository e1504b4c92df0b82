"""Times and durations in all their notations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios import format_duration, format_time, parse_duration, parse_time
from shadowtime.scenarios.times import MAX_TIME


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (0, 0),
        (3600, 3600),
        (MAX_TIME, MAX_TIME),
        ("0", 0),
        ("90", 90),
        (" 90 ", 90),
        ("1h30m", 5400),
        ("1h 30m", 5400),
        ("7d", 604_800),
        ("2d3h4m5s", 183_845),
        ("5s", 5),
        ("90m", 5400),
        ("0 00:10:00", 600),
        ("1 06:12:44", 108_764),
        ("12d 23:59:59", 1_123_199),
        ("06:12:44", 22_364),
        ("36:00:00", 129_600),
    ],
)
def test_notations(text: str | int, seconds: int) -> None:
    """A bare number is seconds; units and clocks mean what they say, as times and as durations."""
    assert parse_time(text) == parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "-1", -1, "1.5h", "1h30", "30m1h", "1h1h", "h", "1 24:00:00", "0 00:60:00", "0 00:00:60",
        "0 0:0:0", "00:10", "1e3", "٣", "1_000", "nan", "inf", "0x10", "7w", "1 d", "9" * 50, "9" * 5000,
        2**62, str(2**62), "99999999999999999999d", True, False, 1.0, None, [], "1\n2",
    ],
)  # fmt: skip
def test_what_is_no_time(text: object) -> None:
    """Everything else is refused in a line that says what was expected; truths are no numbers."""
    for parse, noun in ((parse_time, "time"), (parse_duration, "duration")):
        with pytest.raises(ValueError, match=f'is not a {noun}; expected seconds, "D HH:MM:SS" or "1h30m"'):
            parse(text)  # type: ignore[arg-type]


@given(st.integers(0, MAX_TIME))
def test_round_trips(seconds: int) -> None:
    """What is shown is read as the same number of seconds."""
    assert parse_time(format_time(seconds)) == seconds
    assert parse_duration(format_duration(seconds)) == seconds
    assert parse_time(str(seconds)) == parse_time(seconds) == seconds


@given(st.integers(0, 9999), st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_clock_and_units_agree(days: int, hours: int, minutes: int, seconds: int) -> None:
    """The same moment written as a clock and with units is the same number."""
    clock = f"{days} {hours:02d}:{minutes:02d}:{seconds:02d}"
    assert parse_time(clock) == parse_time(f"{days}d{hours}h{minutes}m{seconds}s")
    assert format_time(parse_time(clock)) == clock


def test_shown() -> None:
    """Durations leave out what is zero; times never do; what is negative has a sign."""
    assert format_duration(0) == "0s"
    assert format_duration(5400) == "1h30m"
    assert format_duration(-86_401) == "-1d1s"
    assert format_time(0) == "0 00:00:00"
    assert format_time(-61) == "-0 00:01:01"
