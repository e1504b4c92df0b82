"""The choices beside the right answer: wrong ones of the same instant, near enough to be thought over."""

from collections.abc import Iterable, Sequence
from typing import Any

from console.session.facts import Decision
from console.session.training import statements
from console.session.training.facts import Happening, Value
from console.session.training.scene import Scene

MOST = 4
"""Choices at most: one is right."""
STATES = "NRWOSioHF"
"""The states that are offered, the usual ones first."""


def jobs(scene: Scene, right: Sequence[int], here: bool) -> tuple[Value, ...]:
    """Waiting jobs: the head, the smallest, the shortest, the next in the queue; nobody if few wait.

    If the pass of this instant settles the answer (`here`), jobs that ran before are among them, too.
    """
    columns = scene.case.columns
    waiting = dict.fromkeys((*scene.waiting(), *(scene.after.waiting() if here else ())))
    queue = [job for job in waiting if scene.id(job) not in right]
    favoured = [
        *queue[:1],
        *sorted(queue, key=columns.size.__getitem__)[:1],
        *sorted(queue, key=columns.estimate.__getitem__)[:1],
        *queue,
    ]
    wrong = _some(scene.ids(favoured), right)
    return _with(right[0], wrong if len(wrong) > 1 else [*wrong, None])


def running(scene: Scene, right: Sequence[Value]) -> tuple[Value, ...]:
    """Jobs that run before the pass, the last started first; others that have nodes; and nobody."""
    last_first = scene.ids((*reversed(scene.before.running()), *scene.before.held()))
    wrong = _some(last_first, right)[: MOST - 2]
    return _with(right[0], wrong if right[0] is None else [*wrong, None])


def times(scene: Scene, index: int, right: int | None, within: int = 0) -> tuple[Value, ...]:
    """Instants at which something else is due: this one, ends of running jobs, starts of others."""
    ends = (scene.after.end_of(job) for job in scene.after.running())
    foreseen = (scene.prediction(job) for job in scene.waiting())
    length = scene.case.columns.estimate[index]
    found = {scene.now, *ends, *(made.time for made in foreseen if made is not None)}
    due = [time for time in found if time is not None and time >= scene.now]
    if right is None:
        return _with(None, sorted(due)[: MOST - 1])
    due.sort(key=lambda time: (abs(time - right), time))
    spare = (right + length, scene.now + length, right + 2 * length)
    return _with(right, _some((time for time in (*due, *spare) if abs(time - right) > within), [right]))


def events(scene: Scene, right: Sequence[Value]) -> tuple[Value, ...]:
    """The ends of other jobs on the machine, the end of the time slot, nothing."""
    after = scene.after
    ends = sorted(after.running(), key=lambda job: (after.end_of(job) or 0, job))
    found: list[Happening | None] = [("finish", scene.id(job)) for job in (*ends, *after.held())]
    found[2:] = [*([("switch_slot", None)] if scene.sliced else []), None, *found[2:]]
    return _with(right[0], _some(found, right))


def states(scene: Scene, right: str) -> tuple[Value, ...]:
    """Waiting, running, and what else this policy may make of a job."""
    after = scene.after
    seen = {after.state(job) for job in range(after.submitted)}
    wanted = {"N", "R", "F", *seen, *("W" if scene.sliced else "")}
    wanted |= {"O"} if scene.preempts else set()
    return _with(right, _some([letter for letter in STATES if letter in wanted], [right]))


def waits(scene: Scene, index: int, right: str) -> tuple[Value, ...]:
    """Reasons to wait that are false of this job here."""
    return _with(right, _some(statements.false_to_wait(scene, index), [right]))


def starts(scene: Scene, job: int, made: Decision) -> tuple[Value, ...]:
    """Reasons to run that are false of this job."""
    return _with(made.reason.code, _some(statements.false_to_run(scene, job, made), [made.reason.code]))


def _some(values: Iterable[Any], right: Sequence[Value]) -> list[Any]:
    """The first of the values that are not right, each once, as many as there is room for."""
    return [value for value in dict.fromkeys(values) if value not in right][: MOST - 1]


def _with(right: Value, wrong: Sequence[Any]) -> tuple[Value, ...]:
    """The choices in the order of their values, nobody and never last; a seed shuffles them."""
    return tuple(sorted({right, *wrong}, key=lambda value: (value is None, _rank(value))))


def _rank(value: Any) -> Any:
    if isinstance(value, tuple):
        return (value[0], -1 if value[1] is None else value[1])
    return STATES.find(value) if isinstance(value, str) and len(value) == 1 else value
