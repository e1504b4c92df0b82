"""Whether a part of an explanation answers a later question of the lesson."""

from collections.abc import Iterator

from shadowtime.console.session.facts import Decision, Event, Row
from shadowtime.console.session.training.facts import (
    Answer,
    Because,
    Bound,
    Foreseen,
    InForce,
    Moved,
    OnCluster,
    Placed,
    Step,
    Waits,
    Would,
)
from shadowtime.console.session.training.scene import STARTING
from shadowtime.console.session.training.subjects.reviews import REVIEWING

KINDS = {"next_start": STARTING, "preempted": frozenset(("preempt",))}
"""The decisions that answer a question for jobs."""
SUBJECTS = frozenset(("row", "nodes", "limit", "in_force", "delayed", "remedy"))
"""The questions about places, limits, reviews and actions."""
OWN = ("reserved", "planned", "turn", "at")
"""The numbers of a reason to wait that are the start of the job itself."""


def reveals(part: Because, now: int, later: Answer) -> bool:
    """Whether a part of what is shown at `now` names the job of a later question with its right answer."""
    if isinstance(part, OnCluster):
        return _reveals_plan(part, later)
    ask, job, same = later.question.ask, later.question.job, now == later.time
    if isinstance(part, Event):
        return ask == "next_event" and part.time > later.time and (part.kind, part.job) in later.right
    if ask in KINDS:
        decided = isinstance(part, Decision) and same and part.kind in KINDS[ask] and part.job in later.right
        starts = isinstance(part, Foreseen | Step) and ask == "next_start"
        return decided or (
            starts and any(it in later.right and at >= later.time for it, at in _moments(part))
        )
    if ask == "start_time":
        return _decides(part, later, same) or any(
            it == job and at in later.right for it, at in _moments(part)
        )
    if ask == "next_event":
        return False
    if ask in SUBJECTS:
        return _gives_subject(part, later, same)
    about = same and not isinstance(part, Step) and _job(part) == job
    if ask == "state":
        return about or any(it == job and at >= later.time for it, at in _moments(part))
    return about and isinstance(part, Decision | Waits) and part.reason.code in later.right


def _reveals_plan(part: OnCluster, later: Answer) -> bool:
    """Whether a fact of a cluster answers a later question about it."""
    question = later.question
    about = part.job == question.job and part.do == question.do
    match question.ask:
        case "not_running":
            return about and part.code == "cause"
        case "planned_start":
            named = part.job == question.job and question.do in ("", part.do)
            return named and any(at in later.right for at in part.numbers.values())
        case "planned_nodes":
            holder = str(part.numbers.get("who", "")).partition("_")[0]
            named = about or (part.do == question.do and holder == str(question.job))
            return named and part.numbers.get("nodes") in later.right
        case "sooner":
            return part.code == "change" and part.do in later.offered
        case "put_off":
            return part.code == "change" and part.do == question.do
        case _:
            return False


def _gives_subject(part: Because, later: Answer, same: bool) -> bool:
    """Whether a part answers a later question about a place, a limit, a review or an action."""
    question = later.question
    match part:
        case Placed():
            known = (
                part.row is not None if question.ask == "row" else bool(part.nodes) or part.base is not None
            )
            return same and question.ask in ("row", "nodes") and part.job == question.job and known
        case Bound():
            return same and question.ask == "limit" and part.job == question.job
        case Moved() | Would():
            return (
                same and question.ask in ("delayed", "remedy") and bool(part.do) and part.do in later.offered
            )
        case Decision():
            placed = question.ask in ("row", "nodes", "limit") and part.job == question.job
            return same and (placed or (question.ask == "in_force" and part.kind in REVIEWING))
        case Waits():
            return same and question.ask == "limit" and part.job == question.job
        case _:
            return False


def _decides(part: Because, later: Answer, same: bool) -> bool:
    """Whether a decision is the start that is asked for, or has its instant beside the job as the head."""
    if not isinstance(part, Decision):
        return False
    started = same and part.job == later.question.job and later.time in later.right
    numbers = part.reason.numbers
    heads = numbers.get("head") == later.question.job
    return started or (heads and any(at in later.right for at in numbers.values() if at != later.time))


def _job(part: Because) -> int | None:
    """The job that a part is about."""
    return part.id if isinstance(part, Row) else None if isinstance(part, Step | InForce) else part.job


def _moments(part: Because) -> Iterator[tuple[int | None, int]]:
    """The jobs that a part names, each with the instants at which it says that it starts."""
    match part:
        case Foreseen():
            yield part.job, part.prediction.time
        case Moved() if part.what == "start" and part.before is not None:
            yield part.job, part.before
        case Would() if not part.do and part.start is not None:
            yield part.job, part.start
        case Step():
            yield from ((job, part.time) for job, _ in part.started)
        case Waits():
            numbers = part.reason.numbers
            # The shadow time is that of the head: of this job, unless another one is named as the head.
            own = OWN if "head" in numbers else (*OWN, "shadow")
            yield from ((part.job, at) for name in own if isinstance(at := numbers.get(name), int))
            head, shadow = numbers.get("head"), numbers.get("shadow")
            if isinstance(head, int) and isinstance(shadow, int):
                yield head, shadow
        case Row() if part.start is not None:
            yield part.id, part.start
        case _:
            return
