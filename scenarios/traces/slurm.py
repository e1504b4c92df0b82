"""How Slurm's accounting writes durations, numbers, job ids and states (the manuals of sacct and sbatch)."""

import re

import attrs

from shadowtime.scenarios.errors import shown

NO_LIMIT = frozenset(
    ("", "UNLIMITED", "INFINITE", "PARTITION_LIMIT", "INVALID", "NONE", "UNKNOWN", "N/A", "NA", "NAN", "NAT")
)
"""What stands where there is no duration or number, in capitals; the last three are those of R and pandas."""

_CLOCK = re.compile(r"(?:(\d{1,12}):)?(\d{1,12}):(\d{1,12})(?:\.(\d+))?", re.ASCII)
# With days the rest begins with hours. The words are those of pandas.
_DAYS = re.compile(r"(\d{1,12})(?:-| days? )(\d{1,12})(?::(\d{1,12})(?::(\d{1,12})(?:\.(\d+))?)?)?", re.ASCII)
_COUNT = re.compile(r"(\d{1,30})(?:\.(\d{1,30}))?([KMGT]?)", re.ASCII | re.IGNORECASE)
_JOB = re.compile(r"(\d+)(?:_(?:(\d+)|\[([^\]]*)\]))?(?:\+(\d+))?(?:\.([^|]+))?", re.ASCII)
_UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def parse_duration(text: str) -> int | None:
    """Return the seconds of `[HH:]MM:SS` or `D-HH[:MM[:SS]]`, or None for no duration.

    A fraction of a second is rounded, halves up. ValueError for anything else.
    """
    text = text.strip()
    if found := _CLOCK.fullmatch(text):
        days, parts = 0, found.groups()
    elif found := _DAYS.fullmatch(text):
        days, parts = int(found[1]), found.groups()[1:]
    elif text.upper() in NO_LIMIT:
        return None
    else:
        raise ValueError(f"{shown(text)} is no duration; expected [D-]HH:MM:SS")
    hours, minutes, seconds = (int(part or 0) for part in parts[:3])
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds + ((parts[3] or "0") >= "5")


def parse_count(text: str) -> int | None:
    """Return a number of nodes or processors, `4096` or `4K` (units of 1024), or None."""
    if text.isascii() and text.isdigit() and len(text) <= 30:
        return int(text)
    if found := _COUNT.fullmatch(text.strip()):
        whole, part, unit = found.groups()
        return int(float(f"{whole}.{part or 0}") * 1024 ** _UNITS[unit.upper()])
    if text.strip().upper() in NO_LIMIT:
        return None
    raise ValueError(f"{shown(text)} is no number; expected one such as 4096 or 4K")


def parse_resources(text: str) -> dict[str, int]:
    """The processors and nodes among trackable resources: `billing=4,cpu=4,mem=8G,node=1`."""
    pairs = (part.partition("=") for part in text.split(","))
    return {
        key: count
        for key, _, value in pairs
        if key in ("cpu", "node") and (count := parse_count(value)) is not None
    }


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
        raise ValueError(f"{shown(text)} is no job id; expected one such as 4711, 4711_7 or 4711.batch")
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
    (
        "PENDING",
        "RUNNING",
        "SUSPENDED",
        "REQUEUE_HOLD",
        "REQUEUE_FED",
        "SPECIAL_EXIT",
        "RESV_DEL_HOLD",
        "RESIZING",
        "STOPPED",
        "SIGNALING",
        "STAGE_OUT",
        "COMPLETING",
        "CONFIGURING",
        "POWER_UP_NODE",
    )
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
    "RD": "RESV_DEL_HOLD",
    "RF": "REQUEUE_FED",
    "RH": "REQUEUE_HOLD",
    "RQ": "REQUEUED",
    "RS": "RESIZING",
    "RV": "REVOKED",
    "S": "SUSPENDED",
    "SE": "SPECIAL_EXIT",
    "SI": "SIGNALING",
    "SO": "STAGE_OUT",
    "ST": "STOPPED",
    "TO": "TIMEOUT",
}


def parse_state(text: str) -> str:
    """The state as one word: `CANCELLED by 1001`, `CANCELLED+`, `CANCEL+` and `CA` are CANCELLED.

    ValueError for an unknown one.
    """
    begun, cut, _ = text.partition(" ")[0].upper().partition("+")
    word = _SHORT.get(begun, begun)
    if word in STATES or word in UNFINISHED:
        return word
    # sacct cuts what is wider than its column, and marks that with a plus.
    if cut and len(whole := [name for name in (*STATES, *UNFINISHED) if name.startswith(begun)]) == 1:
        return whole[0]
    raise ValueError(f"{shown(text)} is no state of a job; expected one such as COMPLETED or TIMEOUT")
