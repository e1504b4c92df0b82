"""The kinds of reasons to wait, as a report words them: what was so for a while, without numbers."""

from collections.abc import Mapping

from shadowtime.console.session.facts import Reason
from shadowtime.console.words.phrases import say
from shadowtime.console.words.units import Unit

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
