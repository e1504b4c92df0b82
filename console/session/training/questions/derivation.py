"""A start derived step by step: who ends when, how many nodes are free then, who starts before.

The steps are read from a run in which every job lasts as long as its estimate and no other job comes.
They are given if jobs share the space of a flat machine and no job is stopped for another; elsewhere the
count of free nodes does not decide.
"""

from collections import deque
from collections.abc import Sequence

from shadowtime.console.session.facts import Event
from shadowtime.console.session.training.facts import Because, LeftOut, Step
from shadowtime.console.session.training.scene import STARTING, Scene

MOST = 6
"""Steps that are shown: the last ones, behind a mark if there are more."""


def happens(scene: Scene, index: int, start: int) -> tuple[Because, ...]:
    """Return what happens from now to the start of a job, by index, where free nodes alone do not decide."""
    if scene.shared or start <= scene.now:
        return ()
    ahead, found, seen = scene.expected(), deque[Event](maxlen=MOST), 0
    while ahead.start_of(index) is None and ahead.step():
        event = scene.event_of(ahead)
        if event is not None and event.kind != "pass" and event.time > scene.now:
            found.append(event)
            seen += 1
    return _marked(found, seen) if ahead.start_of(index) == start else ()


def steps(scene: Scene, index: int, start: int) -> tuple[Because, ...]:
    """Return the steps from now to the start of a job, by index; none if they do not lead to `start`."""
    if not scene.shared or start <= scene.now:
        return ()
    ahead = scene.expected()
    found, seen = deque([Step(scene.now, (), ahead.free)], MOST), 1
    time, ended, free = scene.now, list[int](), ahead.free
    while ahead.start_of(index) is None and ahead.step():
        event = scene.event_of(ahead)
        if event is None:
            continue
        if event.time != time:
            time, ended = event.time, []
        if event.kind != "pass":
            ended += [event.job] if event.kind == "finish" and event.job is not None else []
            free = ahead.free
            continue
        started = tuple(
            (made.job, scene.size_of(made.job))
            for made in event.decisions
            if made.kind in STARTING and made.job is not None
        )
        found.append(Step(time, tuple(ended), free, started))
        seen += 1
        free = ahead.free
    return _marked(found, seen) if ahead.start_of(index) == start else ()


def _marked(found: Sequence[Because], seen: int) -> tuple[Because, ...]:
    """The last of so many parts, behind a mark of how many are left out before them."""
    return (LeftOut(seen - len(found)), *found) if seen > len(found) else tuple(found)
