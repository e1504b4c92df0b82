"""The choices beside the right answer: wrong ones of the same instant, near enough to be thought over.

Each carries the misconception that it stands for."""

from collections.abc import Mapping, Sequence
from typing import Any

from shadowtime.console.session.facts import Decision
from shadowtime.console.session.training import mistakes, statements
from shadowtime.console.session.training.facts import Choices, Happening, Mistaken, Value
from shadowtime.console.session.training.scene import Scene

MOST = 4
"""Choices at most: one is right."""
STATES = "NRWOSioHF"
"""The states that are offered, the usual ones first."""


def jobs(scene: Scene, right: Sequence[int], here: bool) -> Choices:
    """Waiting jobs: the head, the smallest, the shortest, the next in the queue; nobody if few wait.

    If the pass of this instant settles the answer (`here`), jobs that ran before are among them, too.
    """
    columns = scene.case.columns
    waiting = dict.fromkeys((*scene.waiting(), *(scene.after.waiting() if here else ())))
    queue = [job for job in waiting if scene.id(job) not in right]
    favoured = [
        *((job, "head" if job in scene.before.waiting()[:1] else "queued") for job in queue[:1]),
        *((job, "smallest") for job in sorted(queue, key=columns.size.__getitem__)[:1]),
        *((job, "shortest") for job in sorted(queue, key=columns.estimate.__getitem__)[:1]),
        *((job, "queued") for job in queue),
    ]
    found: dict[Value, Mistaken] = {}
    for index, rank in favoured:
        found.setdefault(scene.id(index), mistakes.of_job(scene, index, rank, here))
    wrong = _some(found, right)
    return _choices(right[0], wrong if len(wrong) > 1 else {**wrong, None: Mistaken("took_nobody")})


def running(scene: Scene, right: Sequence[Value]) -> Choices:
    """Jobs that run before the pass, the last started first; others that have nodes; and nobody."""
    last_first = scene.ids((*reversed(scene.before.running()), *scene.before.held()))
    wrong = [job for job in dict.fromkeys(last_first) if job not in right][: MOST - 2]
    offered: list[Value] = [*wrong, *(() if right[0] is None else (None,))]
    return _choices(right[0], {value: mistakes.of_preempted(right, value) for value in offered})


def times(scene: Scene, index: int, right: int | None, within: int = 0) -> Choices:
    """Instants at which something else is due: this one, ends of running jobs, starts of others."""
    ends = (scene.after.end_of(job) for job in scene.after.running())
    foreseen = (scene.prediction(job) for job in scene.waiting())
    length = scene.case.columns.estimate[index]
    found = {scene.now, *ends, *(made.time for made in foreseen if made is not None)}
    due = [time for time in found if time is not None and time >= scene.now]
    if right is None:
        job = scene.id(index)
        return _choices(None, {at: Mistaken("starts_never", job, at) for at in sorted(due)[: MOST - 1]})
    due.sort(key=lambda time: (abs(time - right), time))
    spare = (right + length, scene.now + length, right + 2 * length)
    near = (time for time in (*due, *spare) if abs(time - right) > within)
    return _choices(right, _some({at: mistakes.of_time(scene, index, right, at) for at in near}, [right]))


def events(scene: Scene, right: Sequence[Value]) -> Choices:
    """The ends of other jobs on the machine, the end of the time slot, nothing."""
    after = scene.after
    ends = sorted(after.running(), key=lambda job: (after.end_of(job) or 0, job))
    found: list[Happening | None] = [("finish", scene.id(job)) for job in (*ends, *after.held())]
    found[2:] = [*([("switch_slot", None)] if scene.sliced else []), None, ("submit", None), *found[2:]]
    return _choices(right[0], _some({value: mistakes.of_event(scene, value) for value in found}, right))


def states(scene: Scene, right: str) -> Choices:
    """Waiting, running, and what else this policy may make of a job."""
    after = scene.after
    seen = {after.state(job) for job in range(after.submitted)}
    wanted = {"N", "R", "F", *seen, *("W" if scene.sliced else "")}
    wanted |= {"O"} if scene.preempts else set()
    letters = {letter: mistakes.of_state(right, letter) for letter in STATES if letter in wanted}
    return _choices(right, _some(letters, [right]))


def waits(scene: Scene, index: int, right: str) -> Choices:
    """Reasons to wait that are false of this job here."""
    return _choices(right, _some(_reasons(statements.false_to_wait(scene, index)), [right]))


def starts(scene: Scene, job: int, made: Decision) -> Choices:
    """Reasons to run that are false of this job."""
    code = made.reason.code
    return _choices(code, _some(_reasons(statements.false_to_run(scene, job, made)), [code]))


def among(right: Value, wrong: Mapping[Any, Mistaken]) -> Choices:
    """The right answer with the first of the wrong ones, as many as there is room for."""
    return _choices(right, _some(wrong, [right]))


def _reasons(false: Mapping[str, str]) -> dict[Value, Mistaken]:
    return {code: Mistaken(why) for code, why in false.items()}


def _some(values: Mapping[Any, Mistaken], right: Sequence[Value]) -> dict[Value, Mistaken]:
    """The first of the values that are not right, as many as there is room for."""
    return dict([it for it in values.items() if it[0] not in right][: MOST - 1])


def _choices(right: Value, wrong: Mapping[Value, Mistaken]) -> Choices:
    """The choices in the order of their values, nobody and never last; a seed shuffles them."""
    offered = sorted({right, *wrong}, key=lambda value: (value is None, _rank(value)))
    return Choices(tuple(offered), {value: why for value, why in wrong.items() if value != right})


def _rank(value: Any) -> Any:
    if isinstance(value, tuple):
        return (value[0], -1 if value[1] is None else value[1])
    return str(STATES.index(value)) if isinstance(value, str) and value in STATES else value
