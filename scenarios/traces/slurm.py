"""How Slurm's accounting writes durations, numbers, instants, job ids and states (the manual of sacct)."""

import re
from datetime import datetime, tzinfo

import attrs

NO_LIMIT = frozenset(("", "UNLIMITED", "PARTITION_LIMIT", "INVALID", "NONE", "UNKNOWN"))
"""What stands where there is no duration, in capitals."""
NO_INSTANT = frozenset(("", "UNKNOWN", "NONE", "N/A", "0"))

_DURATION = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)(?:\.\d+)?", re.ASCII)
_DAYS_HOURS = re.compile(r"(\d+)-(\d+)", re.ASCII)
_COUNT = re.compile(r"(\d+)(?:\.(\d+))?([KMGT]?)", re.ASCII | re.IGNORECASE)
_JOB = re.compile(r"(\d+)(?:_(?:(\d+)|\[([^\]]*)\]))?(?:\+(\d+))?(?:\.([^|]+))?", re.ASCII)
_UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def parse_duration(text: str) -> int | None:
    """Return the seconds of `[D-]HH:MM:SS[.fraction]`, `MM:SS` or `D-HH`, without fractions, or None.

    ValueError for anything else.
    """
    if found := _DURATION.fullmatch(text):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    if found := _DAYS_HOURS.fullmatch(text):
        return (int(found[1]) * 24 + int(found[2])) * 3600
    if text.strip().upper() in NO_LIMIT:
        return None
    raise ValueError(f"{text!r} is no duration; expected [D-]HH:MM:SS")


def parse_count(text: str) -> int | None:
    """Return a number of nodes or processors, `4096` or `4K` (units of 1024), or None."""
    if text.isascii() and text.isdigit():
        return int(text)
    if found := _COUNT.fullmatch(text.strip()):
        whole, part, unit = found.groups()
        return int(float(f"{whole}.{part or 0}") * 1024 ** _UNITS[unit.upper()])
    if text.strip().upper() in NO_LIMIT:
        return None
    raise ValueError(f"{text!r} is no number; expected one such as 4096 or 4K")


def parse_resources(text: str) -> dict[str, int]:
    """The processors and nodes among trackable resources: `billing=4,cpu=4,mem=8G,node=1`."""
    pairs = (part.partition("=") for part in text.split(","))
    return {
        key: count
        for key, _, value in pairs
        if key in ("cpu", "node") and (count := parse_count(value)) is not None
    }


@attrs.define
class Calendar:
    """Instants as seconds since 1970, of texts in a zone's local time. It remembers the hours it has met."""

    zone: tzinfo
    _hours: dict[str, int] = attrs.field(factory=dict, init=False)

    def seconds(self, text: str) -> int | None:
        """Seconds of `2026-03-01T12:00:00` or of a bare number of seconds; None for none.

        An hour that the clock shows twice is the first of the two. ValueError for anything else.
        """
        if len(text) == 19 and text[13] == text[16] == ":":
            hour = self._hours.get(text[:13])
            if hour is None:
                hour = self._hours[text[:13]] = self._read(text[:13] + ":00:00", text)
            minutes, seconds = text[14:16], text[17:19]
            if minutes.isdigit() and seconds.isdigit() and minutes < "60" and seconds <= "60":
                return hour + int(minutes) * 60 + int(seconds)
        if text.strip().upper() in NO_INSTANT:
            return None
        if text.isascii() and text.isdigit() and len(text) <= 11:
            return int(text)
        return self._read(text, text)

    def _read(self, text: str, shown: str) -> int:
        try:
            return int(datetime.fromisoformat(text).replace(tzinfo=self.zone).timestamp())
        except (ValueError, OverflowError):
            raise ValueError(f"{shown!r} is no instant; expected 2026-03-01T12:00:00") from None


@attrs.frozen
class JobName:
    """A job's id, taken apart: `4711_7` is task 7 of an array, `4711+1` a part of a job of unlike parts."""

    text: str
    """Without the step."""
    step: str | None
    """`batch`, `extern`, `0`, ...; None for the job itself."""
    unborn: bool
    """Whether it stands for the tasks of an array that have not begun: `4711_[8-20%4]`."""


def parse_job(text: str) -> JobName:
    """Take an id apart. ValueError where it is none."""
    found = _JOB.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no job id; expected one such as 4711, 4711_7 or 4711.batch")
    job, task, tasks, part, step = found.groups()
    name = job + (f"_{task}" if task else f"_[{tasks}]" if tasks is not None else "")
    return JobName(name + (f"+{part}" if part else ""), step, tasks is not None)


STATES = {
    "COMPLETED": 1,
    "FAILED": 0,
    "TIMEOUT": 0,
    "OUT_OF_MEMORY": 0,
    "NODE_FAIL": 0,
    "BOOT_FAIL": 0,
    "DEADLINE": 0,
    "LAUNCH_FAILED": 0,
    "RECONFIG_FAIL": 0,
    "REQUEUED": 0,
    "REVOKED": 5,
    "PREEMPTED": 5,
    "CANCELLED": 5,
}
"""State of a job that is over -> its status in a log: 1 done, 0 failed, 5 cancelled."""
UNFINISHED = frozenset(
    ("PENDING", "RUNNING", "SUSPENDED", "REQUEUE_HOLD", "RESIZING", "STOPPED", "COMPLETING", "CONFIGURING")
)
_SHORT = {
    "BF": "BOOT_FAIL",
    "CA": "CANCELLED",
    "CD": "COMPLETED",
    "CF": "CONFIGURING",
    "CG": "COMPLETING",
    "DL": "DEADLINE",
    "F": "FAILED",
    "NF": "NODE_FAIL",
    "OOM": "OUT_OF_MEMORY",
    "PD": "PENDING",
    "PR": "PREEMPTED",
    "R": "RUNNING",
    "RQ": "REQUEUED",
    "RS": "RESIZING",
    "RV": "REVOKED",
    "S": "SUSPENDED",
    "TO": "TIMEOUT",
}


def parse_state(text: str) -> str:
    """The state as one word: `CANCELLED by 1001`, `CANCELLED+` and `CA` are CANCELLED.

    ValueError for an unknown one.
    """
    word = text.split(" ", 1)[0].rstrip("+").upper()
    word = _SHORT.get(word, word)
    if word in STATES or word in UNFINISHED:
        return word
    raise ValueError(f"{text!r} is no state of a job; expected one such as COMPLETED or TIMEOUT")
