"""The notations of Slurm's accounting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios.traces.slurm import (
    STATES,
    UNFINISHED,
    JobName,
    parse_count,
    parse_duration,
    parse_job,
    parse_resources,
    parse_state,
)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:00:00", 0),
        ("01:02:03", 3723),
        ("2-01:02:03", 176_523),
        ("365-00:00:00", 31_536_000),
        ("05:07", 307),
        ("00:01.250", 1),
        ("00:01.5", 2),
        ("90:00", 5400),
        ("1-12", 129_600),
        ("1-12:00", 129_600),
        ("2-00:30", 174_600),
        ("0-04", 14_400),
        ("1 days 02:00:00", 93_600),
        ("0 days 00:00:00.500000", 1),
        ("NA", None),
        ("UNLIMITED", None),
        ("Partition_Limit", None),
        ("INVALID", None),
        ("", None),
    ],
)
def test_durations(text: str, seconds: int | None) -> None:
    """Days, hours, minutes and seconds, or a word for none."""
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["1h", "1:2:3:4", "-1:00:00", "01:00:00:", "abc", "1-", "30", "9" * 5000 + ":00"]
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ValueError, match="no duration"):
        parse_duration(text)


@given(st.integers(0, 10**7))
def test_every_duration_comes_back(seconds: int) -> None:
    """What Slurm writes for a number of seconds is read as that number."""
    days, rest = divmod(seconds, 86_400)
    clock = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    assert parse_duration(f"{days}-{clock}" if days else clock) == seconds


@pytest.mark.parametrize(
    ("text", "count"), [("64", 64), ("4K", 4096), ("1.5K", 1536), ("2m", 2 << 20), ("", None), ("0", 0)]
)
def test_numbers(text: str, count: int | None) -> None:
    """Large numbers may have a unit of 1024."""
    assert parse_count(text) == count


def test_trackable_resources() -> None:
    """Processors and nodes; memory and accelerators are passed over, whatever their notation."""
    assert parse_resources("billing=4,cpu=64,gres/gpu:a100=2,mem=250.5G,node=2") == {"cpu": 64, "node": 2}
    assert parse_resources("") == {}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4711", JobName("4711", None, False)),
        ("4711.batch", JobName("4711", "batch", False)),
        ("4711_7", JobName("4711_7", None, False)),
        ("4711_7.extern", JobName("4711_7", "extern", False)),
        ("4711_7.0", JobName("4711_7", "0", False)),
        ("4711+1", JobName("4711+1", None, False)),
        ("4711+1.0", JobName("4711+1", "0", False)),
        ("4711_[8-20%4]", JobName("4711_[8-20%4]", None, True)),
        ("4711_[3,5]", JobName("4711_[3,5]", None, True)),
    ],
)
def test_job_ids(text: str, name: JobName) -> None:
    """Arrays, steps, jobs of unlike parts, and the tasks that have not begun."""
    assert parse_job(text) == name


@pytest.mark.parametrize("text", ["", "abc", "12_", "12.", "12 13"])
def test_what_is_no_job_id_is_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ValueError, match="no job id"):
        parse_job(text)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("CANCELLED by 1001", "CANCELLED"),
        ("CANCELLED+", "CANCELLED"),
        ("CA", "CANCELLED"),
        ("Timeout", "TIMEOUT"),
        ("OUT_OF_ME+", "OUT_OF_MEMORY"),
        ("RH", "REQUEUE_HOLD"),
        ("SPECIAL_EXIT", "SPECIAL_EXIT"),
    ],
)
def test_states(text: str, state: str) -> None:
    """Long, short, cut off, or with whoever did it."""
    assert parse_state(text) == state


def test_no_state_is_both_over_and_not() -> None:
    """A job that is over has a status in a log."""
    assert not STATES.keys() & UNFINISHED


@pytest.mark.parametrize("text", ["WEIRD", "RE+", "+", ""])
def test_what_is_no_state_is_refused(text: str) -> None:
    """Nor the beginning of two."""
    with pytest.raises(ValueError, match="no state"):
        parse_state(text)


@pytest.mark.parametrize("text", ["9" * 400 + "K", "9" * 5000, "4X", "-4"])
def test_what_is_no_number_is_refused(text: str) -> None:
    """However many digits it has."""
    with pytest.raises(ValueError, match="no number"):
        parse_count(text)
