"""How exact a run over time is, by recorded run: `python -m tests.oracles.slurm.runs.agreement`.

`SHADOWTIME_ORACLES` names the folder of the records.
"""

from collections.abc import Iterator
from pathlib import Path

import attrs

from shadowtime.scenarios.slurm import Capture
from tests.oracles.slurm.over_time import EndOf, OverTime
from tests.oracles.slurm.runs.dynamic import Run, folder, read_run, whole_run

SHARES = (0.8, 0.9, 1.0, 1.1, 1.2)
"""Of the time that an entry took in the record."""


def recorded_end(run: Run) -> EndOf:
    """A job ends when it was recorded to end; one that starts after that, as long after as it lasted."""

    def end_of(job: int, start: int) -> int:
        recorded = run.jobs[job]
        return recorded.end if recorded.end > start else start + recorded.runtime

    return end_of


def lateness(run: Run, capture: Capture, end_of: EndOf, cycles: frozenset[int] | None = None) -> list[int]:
    """Seconds by which each job starts after its recorded start."""
    begin = min(job.submit for job in run.jobs.values()) - 10
    over_time = OverTime(capture, begin, end_of)
    over_time.cycles = cycles
    events = over_time.run(max(job.end for job in run.jobs.values()) + 10)
    starts = [event for event in events if event.what in ("main pass", "backfill")]
    assert len(starts) == len(run.jobs)
    return [event.at - run.jobs[int(event.job)].start for event in starts]


def own_cycles(run: Run, share: float) -> list[int]:
    """Lateness with cycles of its own; an entry takes a share of the time that it took in the record."""
    capture = whole_run(run, "sched/backfill")
    slower = attrs.evolve(capture, entry_cost=int(share * capture.entry_cost))
    return lateness(run, slower, lambda job, start: start + run.jobs[job].runtime)


def recorded_cycles(run: Run) -> list[int]:
    """Lateness with the recorded cycles and ends."""
    cycles = frozenset(int(at) for at in run.cycles)
    return lateness(run, whole_run(run, "sched/backfill"), recorded_end(run), cycles)


def mean_wait(run: Run) -> float:
    """The mean of the recorded waits."""
    return sum(job.start - job.submit for job in run.jobs.values()) / len(run.jobs)


def row(name: str, run: Run, late: list[int]) -> str:
    """How many starts are within 2, 5 and 30 seconds, the greatest lateness, and the mean waits."""
    near = " ".join(f"{sum(abs(seconds) <= bound for seconds in late):4}" for bound in (2, 5, 30))
    recorded = mean_wait(run)
    mean = recorded + sum(late) / len(late)
    return f"{name:32} {near} of {len(late)} {max(map(abs, late)):6} s {mean:8.0f} s {recorded:8.0f} s"


def lines(builtin: Path, backfill: Path) -> Iterator[str]:
    """The table."""
    yield f"{'':32}  2 s  5 s 30 s        farthest  mean wait   recorded"
    run = read_run(builtin)
    yield row(
        "builtin, recorded ends", run, lateness(run, whole_run(run, "sched/builtin"), recorded_end(run))
    )
    run = read_run(backfill)
    yield row("backfill, recorded ends, cycles", run, recorded_cycles(run))
    for share in SHARES:
        cost = share * whole_run(run, "").entry_cost / 1000
        yield row(f"backfill, {cost:.2f} ms an entry", run, own_cycles(run, share))
    yield row("backfill, no time an entry", run, own_cycles(run, 0.0))


def main() -> None:
    """Print the table."""
    builtin, backfill = folder("24.11.5/builtin-1"), folder("24.11.5/backfill-1")
    if builtin is None or backfill is None:
        raise SystemExit("no recorded runs; expected their folder in SHADOWTIME_ORACLES")
    for line in lines(builtin, backfill):
        print(line, flush=True)


if __name__ == "__main__":
    main()
