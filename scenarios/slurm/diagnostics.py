"""What `sdiag` says of the backfill cycles of a cluster: how long they take, and when the last one began."""

import re
from pathlib import Path

from shadowtime.scenarios.slurm.documents import find, read_json, read_text
from shadowtime.scenarios.slurm.fields import document

_MEANS = re.compile(
    r"^Backfilling stats$.*?^\tMean cycle: +(\d{1,12})$.*?^\tDepth Mean: +(\d{1,12})$",
    re.ASCII | re.DOTALL | re.MULTILINE,
)

_LAST = re.compile(r"^\tLast cycle when: .*\((\d{1,12})\)$", re.ASCII | re.MULTILINE)


def read_last_cycle(folder: Path) -> int:
    """Return when the last cycle began, in seconds since 1970; 0 if no file says it.

    CaptureError if `sdiag.json` is no JSON, or has no number where one is expected.
    """
    if path := find(folder, ["sdiag.json"]):
        return document(read_json(path), str(path)).record("statistics").number("bf_when_last_cycle")
    path = find(folder, ["sdiag.txt"])
    found = path and _LAST.search(read_text(path))
    return int(found[1]) if found else 0


def read_entry_cost(folder: Path) -> int:
    """Return the microseconds that a cycle takes for an entry of the queue; 0 if no file says it.

    CaptureError if `sdiag.json` is no JSON, or has no number where one is expected.
    """
    if path := find(folder, ["sdiag.json"]):
        statistics = document(read_json(path), str(path)).record("statistics")
        taken, depth = statistics.number("bf_cycle_mean"), statistics.number("bf_depth_mean")
    elif (path := find(folder, ["sdiag.txt"])) and (found := _MEANS.search(read_text(path))):
        taken, depth = int(found[1]), int(found[2])
    else:
        return 0
    return taken // depth if depth else 0
