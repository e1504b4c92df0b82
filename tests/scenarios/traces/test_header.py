"""The header of a log, and the months it makes known."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios.traces.header import Header
from shadowtime.scenarios.traces.months import month_name, month_starts, month_window

START = "; UnixStartTime: 843480031\n"
STOCKHOLM = datetime(1996, 9, 23, 14, 0, 31, tzinfo=ZoneInfo("Europe/Stockholm"))


def test_keys_and_values() -> None:
    """Indented or not, with any blanks; remarks and drawings are passed over; the first of two counts."""
    text = (
        "; Version: 2.2\n;       MaxJobs:   10  \n;MaxProcs:100\n;\tand MaxProcs fields.\n; MaxProcs: 7\n;\n"
        ";;  Note: x\n; Acknowledge: \xe9\x07\n;  /\\  :  \\\n"
    )
    header = Header.read(text.encode("latin-1"))
    assert header.values["Version"] == "2.2"
    assert header.number("MaxJobs") == 10
    assert header.nodes == 100
    assert header.number("Note") is None
    assert header.about == "Acknowledge: �\\x07"


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("; MaxNodes: 5544\n; MaxProcs: 93312\n", 93312),
        ("; MaxNodes: 128\n", 128),
        ("; MaxProcs: -1\n; MaxNodes: 128\n", 128),
        ("; MaxProcs: unknown\n; MaxNodes: 128 (8 a node)\n", 128),
        ("; MaxProcs: 99999999999999999999\n", None),
        ("; MaxProcs: 999999999\n", None),
        ("; MaxProcs: 1,024\n", 1024),
        ("; MaxProcs: 1,024,000 (all)\n", 1_024_000),
        ("; MaxProcs: 128, of which 8 serve\n", 128),
        ("; MaxProcs: 128.0\n", 128),
        ("; MaxProcs : 128\n; maxprocs: 7\n", 128),
        ("; MAXPROCS: 128\n", 128),
        ("; MaxProcs: 1.024\n; MaxNodes: 128\n", None),
        ("; MaxProcs: 1 024\n", None),
        ("; MaxProcs: 1,02\n", None),
        ("; MaxProcs: 1'024\n", None),
        ("; MaxProcs: 64K\n", None),
        ("; MaxProcs:\n", None),
        ("", None),
    ],
)
def test_the_size_of_the_machine(text: str, nodes: int | None) -> None:
    """MaxProcs, else MaxNodes, as far as they are sizes."""
    assert Header.read(text.encode()).nodes == nodes


def test_the_epoch_is_in_the_log_s_own_time_zone() -> None:
    """TimeZoneString counts before TimeZone, which some logs have wrong and which knows no summer."""
    text = START + "; TimeZone: -28800\n; TimeZoneString: Europe/Stockholm\n"
    epoch, note = Header.read(text.encode()).epoch()
    assert epoch == STOCKHOLM and epoch.tzinfo == STOCKHOLM.tzinfo
    assert note is None


def test_a_time_zone_that_is_not_known() -> None:
    """The offset is taken, and said so; without one UTC."""
    epoch, note = Header.read((START + "; TimeZone: 3600\n; TimeZoneString: Mars/Base\n").encode()).epoch()
    assert epoch is not None and epoch.tzinfo == timezone(timedelta(hours=1))
    assert note == 'the time zone "Mars/Base" is not known here: TimeZone 3600 is taken'
    epoch, note = Header.read((START + "; TimeZone: 3600\n").encode()).epoch()
    assert epoch is not None and epoch.utcoffset() == timedelta(hours=1) and note is None
    epoch, note = Header.read((START + "; TimeZoneString: Mars/Base\n").encode()).epoch()
    assert epoch is not None and epoch.tzinfo == UTC
    assert note == 'the time zone "Mars/Base" is not known here: UTC is taken'
    assert Header.read(START.encode()).epoch()[1] == "the header names no time zone: UTC is taken"


@pytest.mark.parametrize("zone", ["../../etc/passwd", "/etc/passwd", "Europe", "a\0b", "x" * 5000, ""])
def test_texts_that_are_no_time_zone(zone: str) -> None:
    """None of them is looked up as a file."""
    epoch, note = Header.read((START + f"; TimeZoneString: {zone}\n").encode()).epoch()
    assert epoch is not None and epoch.tzinfo == UTC and note is not None


@pytest.mark.parametrize("start", ["0", "-5", "x", ""])
def test_no_epoch(start: str) -> None:
    """Absent, or no time."""
    assert Header.read(f"; UnixStartTime: {start}\n".encode()).epoch() == (None, None)


def test_an_epoch_that_no_calendar_knows() -> None:
    """It is passed over, and said so."""
    epoch, note = Header.read(b"; UnixStartTime: 999999999999999999\n").epoch()
    assert (
        epoch is None and note is not None and note.startswith("UnixStartTime is 999999999999999999: no time")
    )


def test_an_epoch_that_is_no_number() -> None:
    """A date is not read as its year; thousands may have commas."""
    epoch, note = Header.read(b"; UnixStartTime: 2026-03-02\n").epoch()
    assert epoch is None and note is not None and '"2026-03-02"' in note
    commas = START.replace("843480031", "843,480,031") + "; TimeZoneString: Europe/Stockholm\n"
    assert Header.read(commas.encode()).epoch() == (STOCKHOLM, None)


def test_months_begin_at_local_midnight() -> None:
    """Also across the end of the summer time, when Stockholm's clocks go back an hour."""
    october = month_window(STOCKHOLM, "1996-10")
    assert october is not None
    first, last = october
    assert first == 7 * 86_400 + 10 * 3600 - 31
    assert last - first == 31 * 86_400 + 3600
    assert month_name(STOCKHOLM, first) == month_name(STOCKHOLM, last - 1) == "1996-10"
    assert month_name(STOCKHOLM, first - 1) == "1996-09"
    assert month_name(STOCKHOLM, last) == "1996-11"


def test_an_epoch_without_a_zone() -> None:
    """Its clock knows no summer."""
    assert month_window(datetime(1996, 6, 3, 8), "1996-07") == (
        28 * 86_400 - 8 * 3600,
        59 * 86_400 - 8 * 3600,
    )


@pytest.mark.parametrize(
    "text", ["", "1996", "1996-13", "1996-00", "96-10", "1996-10-01", "0000-01", "9999-01", " 1996-10"]
)
def test_what_is_no_month(text: str) -> None:
    """Four digits, a dash, 01 to 12."""
    assert month_window(STOCKHOLM, text) is None


def test_months_past_the_calendar() -> None:
    """There is no month then."""
    assert month_starts(STOCKHOLM, 0, 2**61) is None
    assert month_name(STOCKHOLM, 2**61) == ""


@given(st.integers(0, 10**9), st.integers(0, 10**8))
def test_every_instant_is_in_its_month(first: int, more: int) -> None:
    """The beginnings ascend, the first is not after the first instant, and the calendar agrees."""
    starts = month_starts(STOCKHOLM, first, first + more)
    assert starts is not None
    assert list(starts) == sorted(set(starts))
    assert starts[0] <= first and starts[-1] <= first + more
    assert month_name(STOCKHOLM, first) == month_name(STOCKHOLM, starts[0])
    assert month_window(STOCKHOLM, month_name(STOCKHOLM, first + more))[0] == starts[-1]  # type: ignore[index]
