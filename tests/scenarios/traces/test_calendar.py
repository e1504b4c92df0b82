"""Instants in the formats that SLURM_TIME_FORMAT can set."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios.traces.calendar import Calendar
from tests.scenarios.traces.plain_times import meanings

NOON = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp())
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ("UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "US/Pacific")
SET = {
    "Europe/Berlin": datetime(2026, 10, 25, 3),
    "America/St_Johns": datetime(2010, 11, 7, 0, 1),
    "Australia/Lord_Howe": datetime(2026, 4, 5, 2),
    "US/Pacific": datetime(2026, 3, 8, 2),
}
"""When a clock is set back or, in the last zone, forward."""


@pytest.mark.parametrize(
    ("text", "after_noon"),
    [
        ("2026-03-01T12:00:01", 1),
        ("2026-03-01 12:00:01", 1),
        ("2026-03-01T12:00", 0),
        ("2026-03-01T14:00:01+0200", 1),
        ("2026-03-01T14:00:01+02:00", 1),
        ("2026-03-01T04:30:01-07:30", 1),
        ("2026-03-01T12:00:01Z", 1),
        ("2026-03-01T12:00:01.500000", 2),
        ("20260301T120001", 1),
        (str(NOON), 0),
        (f"{NOON}.0", 0),
        ("Sun Mar  1 12:00:01 2026", 1),
        ("1 Mar 2026 12:00", 0),
        ("01-Mar-2026 12:00:01", 1),
        ("2026/03/01 12:00:01", 1),
        ("  2026-03-01T12:00:01 ", 1),
    ],
)
def test_formats(text: str, after_noon: int) -> None:
    """Whatever has one reading."""
    assert Calendar(UTC).seconds(text) == NOON + after_noon


def test_an_offset_counts_before_the_zone() -> None:
    """Also in the hour that comes twice, whichever is read first."""
    berlin = Calendar(BERLIN)
    texts = [f"2026-10-25T02:10:00{offset}" for offset in ("", "+0200", "+0100", "")]
    first, summer, winter, again = map(berlin.seconds, texts)
    assert first == summer == again and winter == (summer or 0) + 3600
    assert berlin.again(texts[0]) == winter and berlin.again(texts[1]) is None


def test_no_instant() -> None:
    """What Slurm, R and pandas write for none."""
    texts = ("", "Unknown", "None", "N/A", "0", "NA", "NaT", "nan")
    assert [Calendar(UTC).seconds(text) for text in texts] == [None] * len(texts)
    assert Calendar(UTC).again("Unknown") is None


@pytest.mark.parametrize(
    "text",
    [
        "yesterday", "2026-13-01T00:00:00", "2026-03-01T12:61:00", "2026-03-01T1200:000", "2026-03-01",
        "2026-03-01T12:00:60",
        "20260301", "05 Jan 09:00", "Mon 09:00", "Ystday 09:00", "09:00:00", "5 Jan 2024",
        "03/02/2026 08:00:00", "02.03.2026 08:00:00", "2026-03-01T12:00:00 CET", "1 Foo 2026 12:00",
        "9" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_instant_is_refused(text: str) -> None:
    """Nothing is guessed: no year, two readings, no time of the day."""
    with pytest.raises(ValueError, match=r"no instant.*SLURM_TIME_FORMAT"):
        Calendar(BERLIN).seconds(text)


@given(st.sampled_from(ZONES), st.integers(0, 2 * 10**9), st.lists(st.integers(-9000, 9000), max_size=2))
def test_every_clock_time_is_the_first_second_that_shows_it(zone: str, near: int, steps: list[int]) -> None:
    """And `again` is the second one; times close to each other share what is remembered of their hour."""
    moment = (
        SET.get(zone, datetime(2026, 3, 1)) if near % 2 else datetime(1972, 1, 2) + timedelta(seconds=near)
    )
    calendar = Calendar(ZoneInfo(zone))
    for step in (0, *steps):
        text = (moment + timedelta(seconds=step)).isoformat(timespec="seconds")
        wanted = meanings(text, ZoneInfo(zone))
        if wanted:
            found, again = calendar.seconds(text), calendar.again(text)
            assert [found, again] == [*wanted, None][:2], text
