"""The sentences of the report of a captured cluster."""

from collections.abc import Iterator

from shadowtime.console.clock import duration
from shadowtime.console.session.report.accounted import AccountedWait
from shadowtime.console.session.report.cluster import ClusterReport
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.standing import USERS
from shadowtime.console.session.slurm.ledger.errors import ForecastClass
from shadowtime.console.session.texts import printable
from shadowtime.console.words.phrases import count, per_cent
from shadowtime.console.words.plan import reason_words
from shadowtime.console.words.report.machine import largest
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


def waited(found: AccountedWait) -> str:
    job = found.job
    others = f"{count(found.alike, 'other job')} of that user that could start there in that second"
    alike = f", the longest wait beside {others}" if found.alike else ""
    return (
        f"Job {job.id} of user {printable(job.user)} waited {duration(found.wait)} in partition"
        f" {printable(job.partition)} for {count(job.given, 'CPU')}{alike}"
    )


def meanwhile(found: AccountedWait, unit: Unit) -> Iterator[str]:
    """Yield why a job waited so long: Slurm's reasons, who held the CPUs, who came later and began first."""
    looks = sum(found.reasons.values())
    for reason, times in sorted(found.reasons.items(), key=lambda each: (-each[1], each[0])):
        meant = f"{printable(reason)}{reason_words(reason)}"
        yield f"Slurm's reason in {times} of {count(looks, 'capture')}: {meant}."
    named = largest(found.holders)
    shares = f"; the largest shares: {named}" if named else ""
    yield f"Meanwhile jobs held {per_cent(found.busy)} of the CPUs of the cluster, on average{shares}."
    if found.passed:
        yield f"{count(found.passed, 'job')} of its partition came later and started before it."
    yield f"It started at {unit.instant(found.job.start)}."


def forecast(found: ForecastClass) -> str:
    if found.ours.median is None:
        return "No job with an earlier forecast has started yet."
    halves = [f"half of {count(found.settled, 'forecast')} are at most {duration(found.ours.median)} off"]
    if found.likely.median is not None and found.ours_beside.median is not None:
        halves = [
            f"half of {count(found.odds, 'likely start')} are at most {duration(found.likely.median)} off",
            f"at the limits half are at most {duration(found.ours_beside.median)} off",
        ]
        if found.slurm_beside.median is not None:
            halves.append(f"half of Slurm's own at most {duration(found.slurm_beside.median)}")
    return f"Of earlier forecasts {', '.join(halves)}."


def long_wait(row: PlanRow, now: int) -> str:
    """Return which job waits, and for how long."""
    return f"Job {row.job} of user {row.user} has waited {duration(now - row.submit)}"


HOW = (
    "CPUs and waits of the last weeks are those of the accounting: of jobs that have started, and of the"
    " queue. A wait lasts from when a job could first start to its start.",
    "Why a job waits is what the plan of the next backfill cycle says at the capture.",
    "Likely starts are found from samples of what may come; at the limits every job runs to its limit.",
    "An earlier forecast is compared with the start of its job, if a later capture shows it. Its errors are"
    " medians, of the forecasts with a likely start for which Slurm showed a start, too.",
    "The slowdown is the bounded one: response over runtime, which counts as 10 s at least.",
)
"""How the figures are meant."""
