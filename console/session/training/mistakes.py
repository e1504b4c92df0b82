"""Which misconception a wrong choice stands for: computed at the moment at which the choice is made.

A misconception is a code; `console/words/mistakes.py` has a sentence for each. The sentence says what is
wrong with the choice, and is true of this choice at this moment.
"""

from collections.abc import Sequence

from shadowtime.console.session.training.facts import Mistaken, Value
from shadowtime.console.session.training.scene import Scene


def first(*why: tuple[bool, str]) -> str:
    """Return the misconception of the first condition that holds; empty if nothing is certainly false."""
    return next((code for holds, code in why if holds), "")


def of_job(scene: Scene, index: int, rank: str, here: bool) -> Mistaken:
    """Return why a job, by index, does not start next; `rank` is what makes it tempting.

    If the pass of this instant settles the answer (`here`), a job larger than what is free before it is out.
    """
    job = scene.id(index)
    large = scene.shared and here and scene.case.columns.size[index] > scene.before.free
    return Mistaken("larger_than_free" if large else f"took_{rank}", job)


def of_time(scene: Scene, index: int, right: int, time: int) -> Mistaken:
    """Return why a job, by index, does not start at an instant but at `right`."""
    columns, after, job = scene.case.columns, scene.after, scene.id(index)
    size, length = columns.size[index], columns.estimate[index]
    if time == scene.now:
        free = after.free if right > time else scene.before.free
        code = "not_now" if not scene.shared else "fits_not_now" if size > free else "may_not_now"
        return Mistaken(code, job, time)
    started_then = _who_starts(scene, index, time)
    ends = [it for it in after.running() if after.end_of(it) == time]
    if ends and scene.shared and time < right:
        given = sum(columns.size[it] for it in after.running() if (after.end_of(it) or 0) <= time)
        code = "too_few_then" if after.free + given < size else "others_before_it"
        return Mistaken(code, job, time)
    if started_then is not None:
        return Mistaken("start_of_another", started_then, time)
    if ends:
        return Mistaken("end_of_another" if time < right else "waits_too_long", scene.id(ends[0]), time)
    if time == scene.now + length:
        return Mistaken("end_if_started_now", job, time)
    return Mistaken("its_own_end" if time == right + length else "started_before", job, time)


def _who_starts(scene: Scene, index: int, time: int) -> int | None:
    """The id of another waiting job that is predicted to start at an instant."""
    for other in scene.waiting():
        made = scene.prediction(other)
        if other != index and made is not None and made.time == time:
            return scene.id(other)
    return None


def of_event(scene: Scene, value: Value) -> Mistaken:
    """Return why something is not the next event."""
    if not isinstance(value, tuple):
        return Mistaken("something_is_due")
    kind, job = value
    if kind == "switch_slot":
        return Mistaken("slot_ends_later")
    if kind == "submit":
        return Mistaken("no_job_comes")
    runs = job is not None and scene.case.index_of(job) in scene.after.running()
    return Mistaken("ends_later" if runs else "does_not_run", job)


def of_preempted(right: Sequence[Value], value: Value) -> Mistaken:
    """Return why a job, by id, or nobody is not preempted next."""
    if value is None:
        return Mistaken("somebody_is_stopped")
    job = value if isinstance(value, int) else None
    return Mistaken("nobody_is_stopped" if right[0] is None else "keeps_its_nodes", job)


def of_state(right: str, value: str) -> Mistaken:
    """Return what a wrong letter overlooks of a job in the state `right`."""
    if value in ("N", "W") and right == "R":
        return Mistaken("has_nodes_already")
    if value == "R":
        return Mistaken("does_not_run_yet" if right in ("N", "W", "H") else "runs_no_more")
    return Mistaken(f"state_{value}" if value in STATES else "other_state")


STATES = "NWiSoOHF"
"""The letters whose meaning alone says why they are wrong."""
