"""Fair share beside a recorded cluster: `python -m tests.oracles.slurm.runs.shares FOLDER...`.

A folder has `capture` (as `shadowtime capture` writes it), `jobs.json` (`squeue -a -t all --json` at the
end), `slurmctld.log` (with DebugFlags=Priority) and `sprio.txt`: tables of `sprio -l`, each after a line of
`=== ` and the second.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.slurm.priorities.standing import charged, with_calculation, with_standing
from shadowtime.scenarios.slurm import Capture, Job, Share, read_capture
from tests.oracles.slurm.over_time import OverTime

_CALCULATION = re.compile(r"^\[(\S+?)\.\d+\].*Decay factor over", re.MULTILINE)
BOUNDS = 2, 5, 30, 60
"""Seconds between our starts and the recorded ones."""


@attrs.frozen
class Record:
    """A recorded cluster: the capture, when priorities were calculated, when jobs started and ended."""

    capture: Capture
    calculations: Sequence[int]
    spans: Mapping[int, tuple[int, int]]
    jobs: Mapping[int, Job]
    """Those that ran: what they held."""
    tables: Sequence[tuple[float, str]]


def read(folder: Path) -> Record:
    """Read a record."""
    capture = read_capture(folder / "capture")
    log = (folder / "slurmctld.log").read_text(encoding="utf-8", errors="replace")
    instants = (datetime.fromisoformat(each).replace(tzinfo=UTC) for each in _CALCULATION.findall(log))
    calculations = [int(each.timestamp()) for each in instants]
    last = max(each for each in calculations if each <= capture.taken)
    shown = json.loads((folder / "jobs.json").read_text(encoding="utf-8"))["jobs"]
    ran = [job for job in shown if number(job["start_time"]) and "PENDING" not in job["job_state"]]
    text = (folder / "sprio.txt").read_text(encoding="utf-8")
    tables = [each.partition("\n") for each in text.split("=== ")[1:]]
    return Record(
        capture=with_calculation(attrs.evolve(capture, calculated=last), last),
        calculations=[each for each in calculations if each > capture.taken],
        spans={job["job_id"]: (number(job["start_time"]), number(job["end_time"])) for job in ran},
        jobs={job["job_id"]: held(capture, job) for job in ran},
        tables=[(float(at), table) for at, _, table in tables],
    )


def number(value: Any) -> int:
    """A number, plain or with `set` and `infinite`."""
    return int(value["number"] if isinstance(value, dict) else value)


def held(capture: Capture, shown: Mapping[str, Any]) -> Job:
    """A job with what it held, all on one node."""
    known = {job.id: job for job in capture.jobs}
    resources = dict(word.split("=") for word in shown["tres_alloc_str"].split(","))
    memory = float(resources["mem"][:-1]) * {"M": 1, "G": 1024}[resources["mem"][-1]]
    [own] = [
        each.id
        for each in capture.associations
        if (each.account, each.user) == (shown["account"], shown["user_name"])
    ]
    return attrs.evolve(
        known.get(shown["job_id"], capture.jobs[0]),
        id=shown["job_id"],
        states=("RUNNING",),
        partitions=(shown["partition"],),
        qos=shown["qos"],
        association=own,
        begin=number(shown["start_time"]),
        nodes=(capture.nodes[0].name,),
        shares=(Share(capture.nodes[0].name, int(resources["cpu"]), int(memory), ""),),
    )


def points(record: Record) -> Iterator[int]:
    """Ours less the points of fair share that `sprio` showed after each calculation, job by job."""
    capture, spans = record.capture, record.spans
    share = capture.settings.fair_share
    assert share is not None
    waits = {job.id: job for job in capture.jobs if job.waiting}
    for now in range(capture.taken + 1, record.calculations[-1] + 1):
        for job, (_, end) in spans.items():
            if end == now:
                capture = charged(capture, record.jobs[job], now)
        runs = {job for job, (begin, end) in spans.items() if begin < now < end}
        still = {job for job in waits if job not in spans or spans[job][0] >= now}
        jobs = [record.jobs[job] if job in runs else waits[job] for job in sorted(runs | still)]
        capture = attrs.evolve(capture, jobs=tuple(jobs))
        before, capture = capture.standing, with_standing(capture, now)
        if capture.standing is before:
            continue
        table = next((text for at, text in record.tables if now + 1 < at < now + 50), "")
        for row in table.splitlines()[1:]:
            words = row.split()
            shown = waits.get(int(words[0]))
            if shown is not None and capture.standing is not None:
                yield round(share.weight * capture.standing.factors[shown.association]) - int(words[8])


def starts(record: Record, moves: bool) -> tuple[int, list[int]]:
    """How many waiting jobs were recorded to start, and by how many seconds each of ours is off.

    Given is how long each job lasts. `moves`: fair share moves.
    """
    capture = record.capture
    if not moves:
        settings = attrs.evolve(capture.settings, fair_share=None)
        capture = attrs.evolve(capture, settings=settings, standing=None)
    spans = record.spans
    over_time = OverTime(
        capture,
        capture.taken,
        lambda job, start: start + spans[job][1] - spans[job][0] if job in spans else None,
    )
    for job in capture.jobs:
        if job.holding:
            over_time.ends[job.id] = max(spans[job.id][1], capture.taken)
    expected = [job.id for job in capture.jobs if job.waiting and job.id in spans]
    events = over_time.run(max(spans[job][0] for job in expected))
    found = {int(each.job): each.at for each in events if each.what in ("main pass", "backfill")}
    return len(expected), [abs(found[job] - spans[job][0]) for job in expected if job in found]


def main() -> None:
    """Print the points and the starts of each folder."""
    for folder in map(Path, sys.argv[1:]):
        record = read(folder)
        off = Counter(points(record))
        print(f"{folder.name}: {off[0]} of {off.total()} points of fair share are those of sprio", flush=True)
        for moves in (True, False):
            count, late = starts(record, moves)
            near = " ".join(f"{sum(each <= bound for each in late):4}" for bound in BOUNDS)
            print(f"  fair share {'moves' if moves else 'stays'}: {near} of {count} starts", flush=True)


if __name__ == "__main__":
    main()
