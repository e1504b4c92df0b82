"""The sentences of the report of a log or a scenario, and its words for kinds of reasons."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from shadowtime.console.clock import duration
from shadowtime.console.session import Case
from shadowtime.console.session.facts import Reason
from shadowtime.console.session.likely.score import ALL, Score
from shadowtime.console.session.report.machine import MachineReport
from shadowtime.console.session.report.waits import WaitSummary
from shadowtime.console.session.report.worst import LOOKS, LongWait, ReasonKind
from shadowtime.console.session.texts import printable
from shadowtime.console.words.phrases import count, per_cent, say
from shadowtime.console.words.policies import changed, policy_name
from shadowtime.console.words.units import Unit

MOST_HOLDERS = 3
"""Users that are named as those who held the machine."""
MOST_OTHERS = 8
"""Jobs that are named as those that waited with another one."""
LEAST_SHARE = 0.05
"""The share of the machine from which on a user is named."""
FIRST = "it was the first of the queue, and too few {units} were free"
SHORT = "too few {units} were free for as long as it may run"
LIMIT = "more {units} would have been in use than the limit"
QUEUE = "too many jobs were with the scheduler already"

KINDS: Mapping[str, str] = {
    "head_blocked": FIRST,
    "head_reserved": f"{FIRST} before its reservation",
    "head_waits_for_nodes": "it was the first of the queue, and too few {units} were in service",
    "behind_head": "an earlier job had to start first",
    "enough_passed": "an earlier job had to start first: enough jobs had passed it",
    "no_room": "it was not backfilled: too few {units} were free",
    "would_delay_head": "it was not backfilled: it would have delayed an earlier job",
    "would_delay_reserved": "it was not backfilled: it would have delayed a job that has a reservation",
    "reserved": f"it waited for its reservation: {SHORT}",
    "planned": f"it was planned to start later: {SHORT}",
    "planned_by_deadline": f"it was planned to start later, by its deadline: {SHORT}",
    "missed_turn": "enough {units} were free, but its reservation had not been moved yet",
    "pass_pending": "the scheduler had not looked at it yet",
    "about_to_run": "it had its {units}, and the jobs stopped for it were being saved",
    "not_enough_to_stop": f"{FIRST}, even if jobs had been stopped for it",
    "no_room_now": "too few {units} were free",
    "too_large_for_prime": "it was too large for prime time",
    "too_long_for_prime": "it was too long for prime time",
    "prime_reserve": "prime time kept the free {units} for shorter jobs",
    "scan_ended": "the scheduler looks at no job behind the first one that has no room",
    "waited_ends_scan": "an earlier job had waited so long that no job might pass it",
    "waits_for_row": "jobs took turns, and it was not its turn",
    "operator_places": "the operator had not placed it",
    "no_row": "no turn had enough {units} for it",
    "behind_no_row": "no turn had enough {units} for an earlier job",
    "left_waiting": "the policy had not chosen it",
    "own_words": "the policy kept it waiting for a reason of its own",
    "on_hold": "the operator held it",
    "out_of_service": "too few {units} were in service",
    "no_block": "no block of {units} side by side was whole",
    "block_reserved": "its block was reserved, and another job was still in it",
    "block_clearing": "its block was being cleared",
    "over_job_limit": "it was larger than any job may be",
    "over_system_limit": f"{LIMIT} of the machine",
    "over_class_limit": f"{LIMIT} of its class",
    "over_large_limit": f"{LIMIT} of large jobs",
    "reserved_for": "a more important job had a claim to its block",
    "still_undisturbed": "the jobs in its way might not be disturbed yet",
    "nothing_lower": "no less important job was in its way",
    "no_free_block": "no block of its size was free",
    "wire_beside": "a job beside its block had the barrier wire",
    "nqs_user": f"{QUEUE}: those of its user",
    "nqs_queue_user": f"{QUEUE}: those of its user from its queue",
    "nqs_run": QUEUE,
    "nqs_queue_run": f"{QUEUE}: those of its queue",
    "nqs_processors": f"{LIMIT} of the queueing system",
    "nqs_aggregate": f"{LIMIT} of its queue",
    "being_loaded": "it was being loaded",
    "being_saved": "it was being saved",
    "suspended": "the operator had suspended it",
}
"""What follows `for 54 % of the wait`, for each reason."""

NEEDS = "it needs {needs:nodes}, {free:are} free"
SHORTLY = "it needs {needs:nodes}, and {short_free:only} free at {short_at:time}"
EXAMPLES: Mapping[str, str] = {
    "would_delay_head": "it might have run until {end:time}, and job {head} was to start at {shadow:time}",
    "would_delay_reserved": "it might have run until {end:time} and delayed job {head} or another job",
    "behind_head": "job {head} was first and needed {head_needs:nodes}, {free:are} free",
    "no_room": f"{NEEDS}, and job {{head}} is before it",
}
"""The numbers of one instant, if they are not those of `NEEDS` or `SHORTLY`."""


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
        f" {per_cent(score.coverage, 0)} of the cases; it should in 80 %."
    )


def main_reason(wait: LongWait, unit: Unit) -> str:
    """Return the kind of reason that held for the largest share of a wait, without numbers."""
    kind = wait.kinds()[0]
    by = f"by {count(len(wait.looks), 'instant')}"
    return f"{_share(kind, wait)}, {by}, {kind_of(kind.example.reason, unit)}."


def _called(wait: LongWait, noun: str = "job") -> str:
    return f"{noun} {wait.id}{f' of user {wait.user}' if wait.user else ''}"


def _share(kind: ReasonKind, wait: LongWait) -> str:
    return f"for {per_cent(kind.looks / len(wait.looks), 0)} of the wait"


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
    if named := largest(wait.holders):
        yield f"Meanwhile these users held the largest shares of the machine, on average: {named}."
    if wait.passed:
        yield f"{count(wait.passed, 'job')} that came later started before it."
    yield started(wait, unit)


def largest(holders: Sequence[tuple[str, float]]) -> str:
    """Return the users with the largest shares, and these; empty for none."""
    return ", ".join(
        f"user {printable(user)} {per_cent(share)}"
        for user, share in holders[:MOST_HOLDERS]
        if user and share >= LEAST_SHARE
    )


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


def kind_of(reason: Reason | None, unit: Unit) -> str:
    """Return the kind of a reason in words; None is that of a job that had its nodes."""
    if reason is None:
        return unit.fill("it had its {units} and did not run")
    known = KINDS.get(reason.code)
    return (
        f"the policy gave the reason {reason.code.replace('_', ' ')}" if known is None else unit.fill(known)
    )


def example_of(reason: Reason | None, at: int, unit: Unit) -> str:
    """Return the numbers of a reason at its instant `at`; empty if it has none that help."""
    if reason is None:
        return ""
    numbers = {key: value for key, value in reason.numbers.items() if value is not None}
    short_at = numbers.get("short_at")
    if isinstance(short_at, int) and short_at <= at and "short_free" in numbers:
        numbers["free"] = numbers.pop("short_free")
    for sentence, asks in (
        (EXAMPLES.get(reason.code, ""), ()),
        (SHORTLY, ("needs", "short_free", "short_at")),
        (NEEDS, ("needs", "free")),
    ):
        if sentence and all(key in numbers for key in asks):
            return say(sentence, {**reason.numbers, **numbers}, unit)
    return ""
