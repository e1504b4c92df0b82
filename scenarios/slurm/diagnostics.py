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


def read_diagnostics(folder: Path) -> tuple[int, int]:
    """Return the microseconds that a cycle takes for an entry of the queue, and when the last cycle began.

    The latter in seconds since 1970; 0 for what no file says. CaptureError if `sdiag.json` is no JSON, or has
    no number where one is expected.
    """
    if path := find(folder, ["sdiag.json"]):
        statistics = document(read_json(path), str(path)).record("statistics")
        taken, depth = statistics.number("bf_cycle_mean"), statistics.number("bf_depth_mean")
        last = statistics.number("bf_when_last_cycle")
    else:
        text = read_text(path) if (path := find(folder, ["sdiag.txt"])) else ""
        means, begun = _MEANS.search(text), _LAST.search(text)
        taken, depth = (int(means[1]), int(means[2])) if means else (0, 0)
        last = int(begun[1]) if begun else 0
    return taken // depth if depth else 0, last
