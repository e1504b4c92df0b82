"""What is said of moves in time: where there is no way on, and what a search of the course found."""

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.course.worst import LARGEST_QUEUE, LONGEST_WAIT, LOST, Worst
from shadowtime.console.words.phrases import count
from shadowtime.console.words.units import Unit


@attrs.frozen
class Ends:
    """The sentences of a view."""

    forward: str
    back: str
    next_decision: str
    previous_decision: str


ENDS = Ends(
    "this is the end: nothing is left to happen",
    "this is the beginning",
    "no job starts after this",
    "no job started before this",
)
"""What the console says."""
OF_LANES = Ends(
    "this is the end of every lane",
    "this is the beginning",
    "no job starts after this in any lane",
    "no job started before this in any lane",
)
"""What the compare view says."""
OF_CLUSTERS = Ends(
    "this is the end: no job waits that can start",
    "this is the capture",
    "no job starts any more",
    "no job starts before",
)
"""What the console over a cluster says."""


def found(moment: str, worst: Worst, label: str, unit: Unit) -> str:
    """Return what is worst at a moment; `label` is the id of the job that it is about."""
    if moment == LONGEST_WAIT:
        waited = f"{duration(worst.value)} ({worst.value:,} s)"
        return f"the longest wait: job {label} has waited {waited}, and starts"
    if moment == LARGEST_QUEUE:
        return f"the largest queue: {count(worst.value, 'job')}"
    if moment == LOST:
        hours = worst.value / 3600
        return (
            f"the most capacity lost at a stretch: {hours:,.0f} {unit.one}-hours are idle in the next"
            f" {duration(worst.lasts)}, while a job waits that would fit"
        )
    return "the first preemption"


def nothing(sought: str, forward: bool) -> str:
    """Return that no event has what was sought: a condition or a kind; empty for any breakpoint."""
    where = "after" if forward else "before"
    if not sought:
        return f"no event {where} this one stops at a breakpoint"
    return f"{sought}: no such event {where} this one"


MISSED = {
    LONGEST_WAIT: "no job waits in the whole course",
    LARGEST_QUEUE: "no job waits in the whole course",
    LOST: "no capacity is lost in the whole course: nothing that fits ever waits",
}


def missed(moment: str) -> str:
    """Return that a course has no such moment."""
    return MISSED.get(moment, "no job is preempted in the whole course")


PUT_OFF_COLUMNS = ("JOB", "USER", "SIZE", "TIMES", "FURTHEST", "WHEN", "SLIP")
PUT_OFF_ORDERS = {
    "most": "furthest at one instant first",
    "times": "most often first",
    "slip": "largest slip first: from the first predicted start to the last, or to the start",
}


def put_off_title(events: int | None) -> str:
    return "JOBS PUT OFF" + ("" if events is None else f"  in the last {count(events, 'event')}")


def were_put_off(jobs: int, shown: int, order: str) -> str:
    """Return how many jobs were put off, and which are listed."""
    if not jobs:
        return "no predicted start became later"
    listed = f"; {shown:,} of them" if shown < jobs else ""
    return f"the predicted start of {count(jobs, 'job')} became later{listed}, {PUT_OFF_ORDERS[order]}"


def put_off_here(job: int, seconds: int) -> str:
    return f"job {job} is put off by {duration(seconds)} here, further than at any other instant"
