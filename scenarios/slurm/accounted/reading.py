"""The jobs of `sacct.txt` (docs/slurm-cycle.md, section 15)."""

from datetime import tzinfo
from pathlib import Path

from shadowtime.scenarios.errors import ScenarioError
from shadowtime.scenarios.slurm.accounted.records import Accounted, Past, ordered
from shadowtime.scenarios.slurm.documents import find, read_text
from shadowtime.scenarios.slurm.fields import MOST
from shadowtime.scenarios.text.gate import printable
from shadowtime.scenarios.traces.calendar import Calendar
from shadowtime.scenarios.traces.sacct import INSTANTS, Cells
from shadowtime.scenarios.traces.sacct_layout import SacctLayout
from shadowtime.scenarios.traces.slurm import (
    parse_count,
    parse_duration,
    parse_job,
    parse_resources,
    parse_state,
)

FILE = "sacct.txt"


def read_past(folder: Path, zone: tzinfo) -> Past | None:
    """Return the jobs that have started; None without the file. CaptureError if it is no text.

    Rows of steps and of jobs that have not started say nothing. What cannot be read is named alone: no
    plan needs it.
    """
    path = find(folder, [FILE])
    if path is None:
        return None
    head, *lines = read_text(path).splitlines() or [""]
    try:
        layout = SacctLayout.read(head, None, None, str(path), 1)
    except ScenarioError as error:
        return Past(fault=printable(error.faults[0].message))
    calendar, found, faults = Calendar(zone), [], []
    for number, line in enumerate(lines, 2):
        try:
            job = _job(line, layout, calendar)
        except ValueError as error:
            faults.append(f"line {number}: {error}")
            continue
        if job is not None:
            found.append(job)
    return Past(ordered(found), len(faults), printable(faults[0]) if faults else "")


def _job(line: str, layout: SacctLayout, calendar: Calendar) -> Accounted | None:
    """The job of a row; None for a step, and for a job that has not started. ValueError."""
    cells = layout.split(line)
    if cells is None:
        raise ValueError(layout.miscounted(line))
    cell = Cells(cells, layout.places)
    if cell.read(parse_job, "jobid").step is not None:
        return None
    state = cell.read(parse_state, "state")
    submit, eligible, start, end = (cell.read(calendar.seconds, name) for name in INSTANTS)
    if start is None or submit is None or (end is not None and end < start):
        return None
    suspended = cell.read(parse_duration, "suspended") or 0
    minutes = cell.read(parse_count, "timelimitraw")
    resources = cell.any("reqtres")
    wanted, given = (cell.read(parse_resources, name) for name in ("reqtres", "alloctres"))
    numbers = (cell.read(parse_count, "jobidraw") or 0, minutes or 0, *wanted.values(), *given.values())
    if any(number >= MOST for number in numbers):
        raise ValueError(f"has {max(numbers)}; expected less than {MOST}")
    if minutes is not None and minutes >= 1 << 32:
        raise ValueError(f"has the limit {minutes}; expected minutes below 2^32")
    return Accounted(
        id=numbers[0],
        user=cell.any("user"),
        account=cell.any("account"),
        partition=cell.any("partition"),
        qos=cell.any("qos"),
        limit=minutes,
        cpus=wanted.get("cpu", 1),
        nodes=wanted.get("node", 1),
        given=max(wanted.get("cpu", 1), given.get("cpu", 1)),
        memory=_memory(resources),
        devices=",".join(part for part in resources.split(",") if part.startswith("gres/")),
        submit=submit,
        eligible=min(start, max(submit, eligible or submit)),
        start=start,
        end=end,
        elapsed=0 if end is None else max(0, end - start - suspended),
        state=state,
    )


def _memory(resources: str) -> int:
    """MB of `billing=4,cpu=4,mem=8G,node=1`; 0 without any. ValueError."""
    text = next((part[4:] for part in resources.split(",") if part.startswith("mem=")), "0")
    count = parse_count(text) or 0
    return count if text[-1:].isdigit() else count >> 20
