"""Compare forecasts of captures with the cycles that slurmctld then logged.

    python -m tests.session.slurm.beside_log slurmctld.log CAPTURES [--each]

CAPTURES is a folder of captured folders; the log has DebugFlags=Backfill,HetJob and SlurmctldDebug=debug2, in
UTC. For each complete cycle the last capture before it is planned at the second of the cycle. A cycle is
quiet if no job was submitted, started or ended between the capture and the cycle, and the priorities of the
jobs are still those of the capture: there the two must agree.
slurmctld reads the clock again for each try: a row of a cycle in which the second changes may also be that of
the plan at the last second of the cycle.
A row is compared with the same try of the same job in the same partition, and must come in the same order. A
job that is skipped for Slurm's own reason is not tried here: slurmctld may try it, but neither plan nor start
it. Rows are counted apart by whether the forecast marks them.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path

import attrs

from shadowtime.console.session.slurm import ForecastRow, forecast_of
from shadowtime.console.session.slurm.guard.reasons import BELIEVED
from shadowtime.scenarios.slurm import Capture, read_capture

BEGIN = re.compile(r"_attempt_backfill: (?:BACKFILL: )?beginning$")
DONE = re.compile(r"_attempt_backfill: (?:BACKFILL: )?completed testing")
JOB = r"JobId=(\d+(?:_(?:\d+|\*)|\+\d+)?)(?:\(\d+\))?"
TEST = re.compile(rf"test for {JOB} Prio=(\d+) Partition=(\S+) Reservation=")
PLANNED = re.compile(rf"{JOB} to start at (\S+), end at (\S+) on nodes (\S+) in partition")
STARTED = re.compile(rf"_start_job: (?:[A-Z]+: )?Started {JOB} in \S+ on (\S+)")
CHANGED = re.compile(
    r"sched: Allocate|_job_complete: |job_signal|_start_job: |Killing|_slurm_rpc_submit_batch_job: JobId|"
    r"Time limit exhausted|cleanup_completing"
)
LIMITED = "limit on jobs"
BROKEN = re.compile(r"system state changed, breaking out")


@attrs.frozen
class Logged:
    """A row of a cycle as slurmctld logged it."""

    job: str
    partition: str
    priority: int = 0
    outcome: str = "skipped"
    start: int | None = None
    end: int | None = None
    nodes: str = ""


@attrs.frozen
class Cycle:
    """A complete cycle."""

    begun: int
    line: int
    rows: tuple[Logged, ...]
    until: int
    """Its last second."""
    broken: bool
    """Whether it ended because something changed meanwhile."""


@attrs.frozen
class Difference:
    """A row that differs; `marked` as the forecast marks it."""

    text: str
    marked: bool


@attrs.frozen
class Compared:
    """One cycle beside the forecast of the capture before it."""

    begun: int
    age: int
    quiet: bool
    rows: int
    marked: int
    """How many of the rows are of jobs that the forecast marks."""
    differences: tuple[Difference, ...]


def moment(line: str) -> int | None:
    """Return the second of a line of the log."""
    found = re.match(r"\[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)", line)
    return None if found is None else seconds(found[1])


def seconds(text: str) -> int:
    """Return the second of an instant of the log."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def cycles(lines: Sequence[str]) -> Iterator[Cycle]:
    """Yield the complete cycles of a log."""
    begin: int | None = None
    for place, line in enumerate(lines):
        if BEGIN.search(line):
            begin = place
        elif begin is not None and DONE.search(line):
            inside = lines[begin:place]
            begun, until = moment(lines[begin]), moment(line)
            assert begun is not None and until is not None
            yield Cycle(begun, begin, tuple(_rows(inside)), until, any(map(BROKEN.search, inside)))
            begin = None


def _rows(lines: Sequence[str]) -> list[Logged]:
    rows: list[Logged] = []
    for line in lines:
        if found := TEST.search(line):
            rows.append(Logged(found[1], found[3], int(found[2])))
        elif not rows:
            continue
        elif found := PLANNED.search(line):
            start, end = seconds(found[2]), seconds(found[3])
            rows[-1] = attrs.evolve(rows[-1], outcome="planned", start=start, end=end, nodes=found[4])
        elif found := STARTED.search(line):
            # A component is planned at now, and starts after the last row.
            of = next(i for i in reversed(range(len(rows))) if _job(rows[i].job) == _job(found[1]))
            rows[of] = attrs.evolve(rows[of], outcome="started", start=moment(line), end=None, nodes=found[2])
        elif "after current backfill window" in line and "StartTime" in line:
            rows[-1] = attrs.evolve(rows[-1], outcome="beyond window")
    return rows


Flat = tuple[str, str, str, int | None, int | None, str]
Try = tuple[str, str, int]
"""A job, a partition, and which try of the two in the cycle."""


def compare(
    cycle: Cycle, rows: Sequence[ForecastRow], later: Sequence[ForecastRow] = ()
) -> tuple[Difference, ...]:
    """Return the rows that differ; `later` is the plan at the last second of the cycle."""
    ours, theirs = _tries(map(_ours, rows)), _tries(map(_theirs, cycle.rows))
    last = _tries(map(_ours, later)) if cycle.until > cycle.begun else {}
    marked = marked_jobs(rows)
    believed = {_job(row.job_id) for row in rows if row.note.startswith(BELIEVED)}
    # slurmctld logs no row of an entry that a count of a limit keeps out during the cycle.
    kept = {key for key, row in zip(ours, rows, strict=True) if row.note == LIMITED} - theirs.keys()
    own = [key for key in ours if key[0] not in believed and key not in kept]
    log = [key for key in theirs if key[0] not in believed or theirs[key][2] in ("planned", "started")]
    blocks = SequenceMatcher(None, own, log, autojunk=False).get_matching_blocks()
    placed = {key for block in blocks for key in own[block.a : block.a + block.size]}
    found = []
    for key in dict.fromkeys((*log, *own)):
        one, other = ours.get(key), theirs.get(key)
        same = one == other or _started_late(one, other) or (other is not None and last.get(key) == other)
        if not same or key not in placed:
            where = "" if key in placed or one is None or other is None else " (another place)"
            found.append(Difference(f"ours {one}, slurmctld's {other}{where}", key[0] in marked))
    return tuple(found)


def marked_jobs(rows: Sequence[ForecastRow]) -> set[str]:
    """Return the jobs with a row that is marked."""
    return {_job(row.job_id) for row in rows if row.marks}


def _job(name: str) -> str:
    """The name of a job; of a task that of its array."""
    return name.partition("_")[0]


def _tries(rows: Iterable[Flat]) -> dict[Try, Flat]:
    """The rows by try, in their order."""
    count: Counter[tuple[str, str]] = Counter()
    found: dict[Try, Flat] = {}
    for row in rows:
        count[row[:2]] += 1
        found[(*row[:2], count[row[:2]])] = row
    return found


def _ours(row: ForecastRow) -> Flat:
    end = row.end if row.outcome == "planned" else None
    start = row.start if row.outcome in ("planned", "started") else None
    return _job(row.job_id), row.partition, row.outcome, start, end, row.nodes if start else ""


def _theirs(row: Logged) -> Flat:
    return _job(row.job), row.partition, row.outcome, row.start, row.end, row.nodes


def _started_late(one: Flat | None, other: Flat | None) -> bool:
    """A start may be logged a few seconds after the cycle began."""
    if one is None or other is None or one[2] != "started" or other[2] != "started":
        return False
    assert one[3] is not None and other[3] is not None
    return (*one[:3], *one[4:]) == (*other[:3], *other[4:]) and 0 <= other[3] - one[3] <= 2


def beside(log: Path, folder: Path) -> list[Compared]:
    """Return each complete cycle that has a capture before it, after the cycle before."""
    lines = log.read_text(errors="replace").splitlines()
    captures = sorted((read_capture(each) for each in folder.iterdir() if each.is_dir()), key=_taken)
    found, last = [], 0
    for cycle in cycles(lines):
        before = [capture for capture in captures if last <= capture.taken < cycle.begun]
        last = cycle.begun
        if not before or cycle.broken:
            continue
        capture = before[-1]
        plan = forecast_of(capture, cycle.begun)
        later = forecast_of(capture, cycle.until).rows if cycle.until > cycle.begun else ()
        quiet = _quiet(lines, capture.taken, cycle) and _same_priorities(capture, cycle)
        marked = marked_jobs(plan.rows)
        found.append(
            Compared(
                cycle.begun,
                cycle.begun - capture.taken,
                quiet,
                len(cycle.rows),
                sum(_job(row.job) in marked for row in cycle.rows),
                compare(cycle, plan.rows, later),
            )
        )
    return found


def _taken(capture: Capture) -> int:
    return capture.taken


def _quiet(lines: Sequence[str], since: int, cycle: Cycle) -> bool:
    """Whether nothing changed from the second of the capture to the cycle."""
    for line in reversed(lines[: cycle.line]):
        at = moment(line)
        if at is not None and at < since:
            return True
        if CHANGED.search(line):
            return False
    return True


def _same_priorities(capture: Capture, cycle: Cycle) -> bool:
    """Whether no priority was calculated anew. Those that the capture does not have are not compared."""
    known = {
        (_job(job.shown), name): job.priority_by_partition.get(name, job.priority)
        for job in capture.jobs
        for name in job.partitions
        if len(job.partitions) == 1 or name in job.priority_by_partition
    }
    rows = ((_job(row.job), row.partition, row.priority) for row in cycle.rows)
    return all(known.get((job, name), priority) == priority for job, name, priority in rows)


def totals(compared: Sequence[Compared]) -> Mapping[bool, Counter[str]]:
    """Return the counts of quiet and of other cycles."""
    found: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for each in compared:
        marked = sum(row.marked for row in each.differences)
        found[each.quiet].update(
            {
                "cycles": 1,
                "rows": each.rows,
                "marked": each.marked,
                "unmarked that differ": len(each.differences) - marked,
                "marked that differ": marked,
            }
        )
    return found


def main() -> None:
    """Print a line for each cycle, and the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("log", type=Path)
    parser.add_argument("captures", type=Path)
    parser.add_argument("--each", action="store_true", help="print each row that differs")
    options = parser.parse_args()
    compared = beside(options.log, options.captures)
    for each in compared:
        state = "quiet" if each.quiet else "changed"
        print(f"cycle {each.begun}: capture {each.age} s before, {state}, {each.rows} rows,", end=" ")
        print(f"{len(each.differences)} differ")
        for row in each.differences if options.each else ():
            print("   ", "~" if row.marked else " ", row.text)
    for quiet, counts in totals(compared).items():
        print("quiet cycles:" if quiet else "other cycles:", dict(counts))


if __name__ == "__main__":
    main()
