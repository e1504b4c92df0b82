"""The priorities of jobs in each of their partitions, of `sprio`."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.slurm.documents import find, read_text
from shadowtime.scenarios.slurm.errors import broken

TITLES = "JOBID", "PARTITION", "PRIORITY"


def read_priorities(folder: Path) -> Mapping[int, Mapping[str, int]]:
    """Return job -> partition -> priority; nothing without a table of `sprio`."""
    path = find(folder, ["sprio.txt"])
    head, *rows = read_text(path).replace(",", " ").splitlines() or [""] if path is not None else [""]
    titles = head.split()
    found: dict[int, dict[str, int]] = defaultdict(dict)
    if path is None or not set(TITLES).issubset(titles):
        return found
    places = [titles.index(title) for title in TITLES]
    for number, row in enumerate(rows, 2):
        words = row.split()
        job, partition, priority = (words[place] if place < len(words) else "" for place in places)
        if not (job.isdecimal() and priority.isdecimal()):
            raise broken(
                path,
                f"the row is {shown(row.strip())}; expected a job, a partition and a priority",
                "",
                number,
            )
        found[int(job)][partition] = int(priority)
    return found
