"""The sentences of the report of a log or a scenario."""

from collections.abc import Iterator

from shadowtime.console.clock import duration
from shadowtime.console.session.likely.score import ALL, Score
from shadowtime.console.session.report.machine import MachineReport
from shadowtime.console.session.report.waits import Waits
from shadowtime.console.session.report.worst import LOOKS, LongWait
from shadowtime.console.words.deciding import decision
from shadowtime.console.words.phrases import count
from shadowtime.console.words.units import Unit
from shadowtime.console.words.waiting import waits

MOST_HOLDERS = 3
"""Users that are named as those who held the machine."""
LEAST_SHARE = 0.05
"""The share of the machine from which on a user is named."""


def per_cent(share: float) -> str:
    """`70.4 %`."""
    return f"{100 * share:.1f} %"


def summary(report: MachineReport, unit: Unit) -> Iterator[str]:
    """Yield sentences: utilization, waits, the worst wait, forecasts."""
    window, fullest = report.window, report.fullest
    yield (
        f"From {unit.instant(window.start)} to {unit.instant(window.stop - 1)} jobs ran on"
        f" {per_cent(report.utilization)} of the machine; at most {count(fullest.longest, 'job')} waited"
        f" at once, around {unit.instant(fullest.begin)}."
    )
    yield waited(report.waits.all)
    if report.worst:
        first = report.worst[0]
        yield (
            f"Job {first.id} of user {first.user or 'unknown'} waited longest, {duration(first.wait)}:"
            f" {most_of_the_time(first, unit)}"
        )
    else:
        yield "No job had to wait."
    yield forecast(report.scores.get(ALL))


def waited(found: Waits | None) -> str:
    """Return how long jobs waited."""
    if found is None:
        return "No job that was submitted in this time starts."
    return (
        f"Of the {count(found.jobs, 'job')} submitted in this time half waited at most"
        f" {duration(found.median)} and nine in ten at most {duration(found.late)}; the mean wait was"
        f" {duration(found.mean)}."
    )


def forecast(score: Score | None) -> str:
    """Return how good forecasts were."""
    if score is None:
        return "No job waited long enough for a forecast."
    return (
        f"Half of {score.forecasts:,} forecasts were at most {duration(score.likely_error)} off the start"
        f" that came, and {100 * score.coverage:.0f} % of the starts lay between the two bounds, where 80 %"
        f" should; the start at the limits was {duration(score.expected_error)} off."
    )


def most_of_the_time(wait: LongWait, unit: Unit) -> str:
    """Return the reason that held for the most part of a wait."""
    found = wait.longest_reason()
    if found is None:
        return "it had its place on the machine and did not run."
    reason, looks = found
    every = len(wait.looks)
    share = "all the time" if looks == every else f"for {100 * looks / every:.0f} % of the time"
    return f"{share}, {waits(wait.id, reason, unit)}."


def why(wait: LongWait, unit: Unit) -> Iterator[str]:
    """Yield why a job waited so long, and what started it, in sentences."""
    first = wait.looks[0].reason
    found = wait.longest_reason()
    if first is not None and (found is None or first.code != found[0].code):
        yield f"When it came, {waits(wait.id, first, unit)}."
    yield most_of_the_time(wait, unit)[:1].upper() + most_of_the_time(wait, unit)[1:]
    named = [
        f"user {user or 'unknown'} {per_cent(share)}"
        for user, share in wait.holders[:MOST_HOLDERS]
        if share >= LEAST_SHARE
    ]
    if named:
        yield f"Meanwhile, in the mean, these held the machine: {', '.join(named)}."
    if wait.passed:
        yield f"{count(wait.passed, 'job')} that came later started before it."
    if wait.decision is not None:
        yield f"Then {decision(wait.decision, unit)}."


def long_wait(wait: LongWait, unit: Unit) -> str:
    """Return which job waited, and how long."""
    return (
        f"Job {wait.id} of user {wait.user or 'unknown'} waited {duration(wait.wait)}:"
        f" {unit.sized(wait.size)} for up to {duration(wait.estimate)}, submitted {unit.instant(wait.submit)}"
    )


HOW = (
    "A wait lasts from the submission of a job to its first start, also where that is later than the window.",
    f"Why a job waited is asked at {LOOKS} instants of its wait at even distances, the first being its"
    " submission.",
    "A forecast is the likely start of a waiting job, from what was known at that moment; the start at the"
    " limits is that at which every job runs to its estimate.",
    "The slowdown is the bounded one: response over runtime, which counts as 10 s at least.",
)
"""How the figures are meant."""
