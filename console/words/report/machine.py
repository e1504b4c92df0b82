"""The sentences of the report of a log or a scenario."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from shadowtime.console.clock import duration
from shadowtime.console.session import Case
from shadowtime.console.session.likely.score import ALL, Score
from shadowtime.console.session.report.machine import MachineReport
from shadowtime.console.session.report.waits import WaitSummary
from shadowtime.console.session.report.worst import LOOKS, LongWait, ReasonKind
from shadowtime.console.words.phrases import count
from shadowtime.console.words.policies import changed, policy_name
from shadowtime.console.words.report.kinds import example_of, kind_of
from shadowtime.console.words.units import Unit

MOST_HOLDERS = 3
"""Users that are named as those who held the machine."""
MOST_OTHERS = 8
"""Jobs that are named as those that waited with another one."""
LEAST_SHARE = 0.05
"""The share of the machine from which on a user is named."""


def per_cent(share: float) -> str:
    """`70.4 %`."""
    return f"{100 * share:.1f} %"


def file_of(case: Case) -> str:
    """Return the name of the file of a case, without its folder."""
    return Path(case.scenario.log or case.scenario.path).name


def policy_of(case: Case) -> str:
    """Return the policy of a case, with the parameters that differ from the defaults."""
    chosen = ", ".join(f"{name} = {value}" for name, value in changed(case.policy, case.parameters).items())
    return f"{policy_name(case.policy, case.name)}{f', {chosen}' if chosen else ''}"


def nature(report: MachineReport) -> str:
    """Return what the figures are: those of a simulation; with the recorded mean wait, if it is known."""
    first = f"Simulated: the jobs of {file_of(report.case)} under {policy_of(report.case)}."
    simulated = report.waits.all
    if report.recorded is None or simulated is None or report.waits.left:
        return f"{first} What users really waited is not in this report."
    return (
        f"{first} What users really waited is not in this report, but for the mean: the log records"
        f" {duration(report.recorded)}, and the simulation has {duration(simulated.mean)}."
    )


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
        yield f"{_called(first, 'Job')} waited longest, {duration(first.wait)}: {main_reason(first, unit)}"
    else:
        yield "No job had to wait."
    yield forecast(report.scores.get(ALL))


def waited(found: WaitSummary | None) -> str:
    if found is None:
        return "No job that was submitted in this time starts."
    return (
        f"Of the {count(found.jobs, 'job')} submitted in this time half waited at most"
        f" {duration(found.median)} and nine in ten at most {duration(found.late)}; the mean wait was"
        f" {duration(found.mean)}."
    )


def forecast(score: Score | None) -> str:
    if score is None:
        return "No job waited long enough for a forecast."
    return (
        f"Half of {score.forecasts:,} forecasts were at most {duration(score.likely_error)} off the start"
        f" that came; if every job is expected to run to its limit, half are at most"
        f" {duration(score.expected_error)} off. The start came between the two bounds of the forecast in"
        f" {100 * score.coverage:.0f} % of the cases; it should in 80 %."
    )


def main_reason(wait: LongWait, unit: Unit) -> str:
    """Return the kind of reason that held for the largest share of a wait, without numbers."""
    kind = wait.kinds()[0]
    by = f"by {count(len(wait.looks), 'instant')}"
    return f"{_share(kind, wait)}, {by}, {kind_of(kind.example.reason, unit)}."


def _called(wait: LongWait, noun: str = "job") -> str:
    return f"{noun} {wait.id}{f' of user {wait.user}' if wait.user else ''}"


def _share(kind: ReasonKind, wait: LongWait) -> str:
    return f"for {100 * kind.looks / len(wait.looks):.0f} % of the wait"


ASKED = (
    f"The reasons are those at {LOOKS} instants of each wait, the first at the submission, at even distances;"
    " of a shorter wait, at each second. The shares of the wait are shares of these instants. A backfilled"
    " job is one that starts before a job that was submitted earlier."
)


def why(wait: LongWait, unit: Unit) -> Iterator[str]:
    """Yield why a job waited so long, and what started it, in sentences."""
    for kind in wait.kinds():
        share = _share(kind, wait)
        example = example_of(kind.example.reason, kind.example.at, unit)
        numbers = f" For example at {unit.instant(kind.example.at)}: {example}." if example else ""
        yield f"{share[:1].upper()}{share[1:]} {kind_of(kind.example.reason, unit)}.{numbers}"
    named = [
        f"user {user} {per_cent(share)}"
        for user, share in wait.holders[:MOST_HOLDERS]
        if user and share >= LEAST_SHARE
    ]
    if named:
        yield f"Meanwhile these users held the largest shares of the machine, on average: {', '.join(named)}."
    if wait.passed:
        yield f"{count(wait.passed, 'job')} that came later started before it."
    yield started(wait, unit)


def started(wait: LongWait, unit: Unit) -> str:
    ended = wait.after
    jobs = f"job {ended[0]}" if len(ended) == 1 else count(len(ended), "job")
    after = f", when {jobs} ended" if ended else ""
    numbers = "" if wait.decision is None else example_of(wait.decision.reason, wait.start, unit)
    verb = "was backfilled" if wait.decision is not None and wait.decision.kind == "backfill" else "started"
    return f"It {verb} at {unit.instant(wait.start)}{after}{': ' if numbers else ''}{numbers}."


def others(group: Sequence[LongWait], unit: Unit) -> str:
    """Return the jobs that waited with the first one of a group; empty if it is alone."""
    named = ", ".join(
        f"{_called(wait)} ({unit.sized(wait.size)}, {duration(wait.wait)})"
        for wait in group[1 : 1 + MOST_OTHERS]
    )
    more = len(group) - 1 - MOST_OTHERS
    if more > 0:
        named += f", and {count(more, 'job')} more of those that waited longest"
    return f"Behind the same jobs at the same time waited: {named}." if named else ""


def long_wait(wait: LongWait, unit: Unit) -> str:
    return (
        f"{_called(wait, 'Job')} waited {duration(wait.wait)}:"
        f" {unit.sized(wait.size)} for up to {duration(wait.estimate)}, submitted {unit.instant(wait.submit)}"
    )


HOW = (
    "A wait lasts from the submission of a job to its first start, also where that is later than the window.",
    "A forecast is the likely start of a waiting job, from what was known at that moment; at the"
    " limits every job runs to its estimate.",
    "The slowdown is the bounded one: response over runtime, which counts as 10 s at least.",
)
"""How the figures are meant."""
