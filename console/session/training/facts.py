"""What a drill asks and answers, as data; `console.words` turns it into language."""

from collections.abc import Callable

import attrs

from console.session.facts import Decision, Event, Prediction, Reason, Row
from scenarios import Question

Happening = tuple[str, int | None]
"""A kind of event and the id of its job."""
Value = int | str | Happening | None
"""An answer: a job's id, an instant, a state's letter, a reason's code, an event; None: nobody, never."""

POINTS = 3
"""What a question is worth."""
HINTS = 2
"""Hints that there are for each question; each costs a point."""


@attrs.frozen
class Waits:
    """A job waits, for a reason."""

    job: int
    reason: Reason


@attrs.frozen
class Foreseen:
    """When a job starts as far as is known at an instant."""

    job: int
    prediction: Prediction
    now: int


@attrs.frozen
class TurnsOut:
    """When jobs really start in this run, if that is not what could be known."""

    jobs: tuple[int, ...]
    time: int


@attrs.frozen
class Step:
    """An instant on the way to a start: who ends, how many nodes are free then, who starts."""

    time: int
    ended: tuple[int, ...]
    free: int
    """Idle nodes before anybody starts at this instant."""
    started: tuple[tuple[int, int], ...] = ()
    """Id and size of each job that starts."""


Because = Decision | Event | Row | Waits | Foreseen | Step
"""A part of an explanation: a decision, an event, where a job stands, why it waits, when it starts."""


@attrs.frozen(eq=False)
class Answer:
    """The answer to a question, computed at its moment, with what explains it."""

    question: Question
    time: int
    right: tuple[Value, ...]
    """Every right answer; one at least."""
    offered: tuple[Value, ...]
    """The choices in the order in which they are shown; exactly one of them is right."""
    because: tuple[Because, ...]
    against: Callable[[Value], tuple[Because, ...]]
    """What is to be said of a wrong answer."""
    starts: bool = False
    """Of a question for a reason: whether it is the reason why the job runs, not why it waits."""
    foreseen: bool = False
    """Whether the answer is what can be known at the moment, not what must happen."""
    pending: bool = True
    """Whether the scheduling pass of the instant is still to come."""
    turns_out: TurnsOut | None = None
    """What the run does instead of what could be known; shown after the lesson."""

    @property
    def shown(self) -> Value:
        """The right answer among those offered."""
        return next(value for value in self.offered if value in self.right)

    def holds(self, value: Value) -> bool:
        """Whether an answer is right: one of the right ones, or an instant as near as the question says."""
        if self.question.ask == "start_time" and isinstance(value, int):
            near = self.question.within
            return any(isinstance(right, int) and abs(value - right) <= near for right in self.right)
        return value in self.right
