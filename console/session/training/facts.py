"""What a drill asks and answers, as data; `shadowtime.console.words` turns it into language."""

from collections.abc import Callable, Mapping

import attrs

from shadowtime.console.session.facts import Decision, Event, Prediction, Reason, Row
from shadowtime.scenarios import Question
from shadowtime.scenarios.nodes import NodeRanges

Happening = tuple[str, int | None]
"""A kind of event and the id of its job."""
Value = int | str | Happening | None
"""An answer: a job's id, an instant, a state's letter, a reason's code, an event, a row, nodes, the name of a
limit or a scheduler, an action; None: nobody, never, no limit."""

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


@attrs.frozen
class LeftOut:
    """Where the way to a start is cut: so many steps, or events, stand before the next part."""

    steps: int


@attrs.frozen
class Mistaken:
    """The misconception that a wrong choice stands for."""

    code: str
    """Its name; `shadowtime.console.words` has its sentence."""
    job: int | None = None
    time: int | None = None
    """The instant that the choice names."""


@attrs.frozen
class Read:
    """Where the screen shows the answer to a question: the kind of question, and the numbers beside it."""

    code: str
    numbers: Mapping[str, int | str]
    job: int | None = None


@attrs.frozen
class Placed:
    """Where a job is: its nodes, the base of its block of the torus, its row of the matrix."""

    job: int
    nodes: NodeRanges
    """The nodes that it holds; empty if it only has a claim to its block, or if only its row is meant."""
    base: int | None
    row: int | None


@attrs.frozen
class Packed:
    """What the packing of the matrix compared when it gave a job its place, and the rule by which it did."""

    job: int
    packing: str
    """buddy, first or best."""
    needs: int
    """Nodes: of a block of buddy its width."""
    rows: tuple[tuple[int, int, int], ...]
    """Of buddy the block of each row that loads least: the row, its first node, its load. Of the others each
    row with its free nodes, and 0."""
    new: bool
    """Whether no row had room, and one was added: the last of `rows`."""


@attrs.frozen
class Bound:
    """A limit and a job: whether what the job needs and what others have in use is more than it allows."""

    job: int
    limit: str
    needs: int
    in_use: int
    most: int

    @property
    def exceeded(self) -> bool:
        """Whether the limit holds the job back."""
        return self.needs + self.in_use > self.most


@attrs.frozen
class InForce:
    """Which scheduler, or which order of the queue, a review keeps or puts in force."""

    name: str
    waiting: int
    mean_estimate: int | None
    """Of the waiting jobs, in seconds; None if the scheduler does not look at it."""


@attrs.frozen
class Moved:
    """What an action does to a job: its expected start, or its end if it runs, before and after."""

    do: str
    job: int
    what: str
    before: int | None
    after: int | None


@attrs.frozen
class Would:
    """When a job would start after an action; `refused` is why the action cannot be done."""

    do: str
    job: int
    start: int | None
    refused: str = ""


@attrs.frozen
class OnCluster:
    """A fact of a captured cluster, or of the plan of its next cycle."""

    code: str
    """Which fact: planned, alone, holder, cause, slurm, change, unmoved, or points."""
    job: int | None
    """The job by number."""
    numbers: Mapping[str, int | str]
    """Instants in seconds since 1970, names, nodes."""
    do: str = ""
    """The change after which it holds; empty for the cluster as it is."""


Because = (
    Decision
    | Event
    | Row
    | Waits
    | Foreseen
    | Step
    | LeftOut
    | Mistaken
    | Read
    | Placed
    | Packed
    | Bound
    | InForce
    | Moved
    | Would
    | OnCluster
)
"""A part of an explanation: a decision, an event, how a job stands, waits or starts, a mistake, a limit."""


@attrs.frozen
class Choices:
    """The choices of a question, and the misconception that each of the wrong ones stands for."""

    offered: tuple[Value, ...]
    mistakes: Mapping[Value, Mistaken]


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
    """What is to be said of a wrong answer, beside the misconception."""
    mistakes: Mapping[Value, Mistaken] = attrs.field(factory=dict)
    """The misconception that each wrong choice stands for."""
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
        near = self.question.within
        if near and isinstance(value, int):
            return any(isinstance(right, int) and abs(value - right) <= near for right in self.right)
        return value in self.right
