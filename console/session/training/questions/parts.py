"""What the parts of an explanation say of jobs: which one they are about, and when it starts."""

from collections.abc import Iterator

from shadowtime.console.session.facts import Decision, Event, Row
from shadowtime.console.session.training.facts import (
    Answer,
    Because,
    Foreseen,
    InForce,
    LeftOut,
    Moved,
    Step,
    Waits,
    Would,
)

OWN = ("reserved", "planned", "turn", "at")
"""The numbers of a reason to wait that are the start of the job itself."""


def about(part: Because, later: Answer) -> bool:
    """Whether a part is about the job of a later question."""
    if isinstance(part, Step | LeftOut | InForce | Event):
        return False
    return (part.id if isinstance(part, Row) else part.job) == later.question.job


def decides(part: Because, later: Answer, kinds: frozenset[str]) -> bool:
    """Whether a part is a decision of some kinds about a job that answers a later question."""
    return isinstance(part, Decision) and part.kind in kinds and part.job in later.right


def moments(part: Because) -> Iterator[tuple[int | None, int]]:
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
