"""The sentences of the report of a captured cluster."""

from collections.abc import Iterator

from shadowtime.console.clock import duration
from shadowtime.console.session.report.cluster import ClusterReport
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.standing import USERS
from shadowtime.console.words.phrases import count
from shadowtime.console.words.report.machine import per_cent
from shadowtime.console.words.units import Unit


def nature(board: Board, taken: str) -> str:
    """Return what is recorded and what is simulated; `taken` is when the capture was taken."""
    return (
        f"Recorded: the queue and the accounting of the Slurm cluster {board.cluster}, captured {taken}."
        " Starts that are still to come, and the waits under another policy, are simulated."
    )


def summary(report: ClusterReport, unit: Unit) -> Iterator[str]:
    """Yield how busy the cluster was, and how long jobs waited."""
    if report.window is not None:
        busy = sum(each.busy * (each.end - each.begin) for each in report.stretches)
        share = busy / (report.cpus * len(report.window))
        fullest = max(report.stretches, key=lambda each: each.longest)
        yield (
            f"From {unit.instant(report.window.start)} to the capture jobs held {per_cent(share)} of the"
            f" CPUs; at most {count(fullest.longest, 'job')} waited at once, around"
            f" {unit.instant(fullest.begin)}."
        )
    found = report.waits[USERS].all
    if found is not None:
        yield (
            f"Of the {count(found.jobs, 'job')} that are over half had waited at most"
            f" {duration(found.median)} and nine in ten at most {duration(found.late)}; the mean wait was"
            f" {duration(found.mean)}."
        )


def long_wait(row: PlanRow, now: int) -> str:
    """Return which job waits, and for how long."""
    return f"Job {row.job} of user {row.user} has waited {duration(now - row.submit)}"


HOW = (
    "CPUs and waits of the last weeks are those of the accounting: of jobs that have started, and of the"
    " queue. A wait lasts from when a job could first start to its start.",
    "Why a job waits is what the plan of the next backfill cycle says at the capture.",
    "Likely starts are found from samples of what may come; at the limits every job runs to its limit.",
    "The slowdown is the bounded one: response over runtime, which counts as 10 s at least.",
)
"""How the figures are meant."""
