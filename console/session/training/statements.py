"""Which reasons are false of a job at its moment: only those are offered as wrong answers.

docs/training.md says of each reason when it is false. A reason whose truth is not settled by what is computed
here is not offered.
"""

from collections.abc import Mapping

from console.session.facts import Decision, Value
from console.session.training.scene import DOWN, Scene

PASSED = frozenset(("ends_by_shadow", "within_extra", "predicted_by_shadow", "fits_out_of_order"))
"""Reasons to run of jobs that passed the head."""
ROWS = frozenset(("its_row", "as_alternate"))


def false_to_wait(scene: Scene, index: int) -> tuple[str, ...]:
    """Return the reasons to wait that are false of a job, by index, after the pass; the likeliest first."""
    after = scene.after
    queue, size = after.waiting(), scene.case.columns.size[index]
    queued, heads = index in queue, bool(queue) and queue[0] == index
    fits, policy = size <= after.free, scene.policy
    behind = queued and not heads
    false = {
        # Under time slots "free" depends on the row that is meant.
        "head_blocked": not heads or (fits and not scene.sliced),
        "no_room": heads or (fits and not scene.sliced),
        "would_delay_head": heads or (not fits and not scene.sliced) or (behind and _harmless(scene, index)),
        "behind_head": policy.passes,
        "reserved": policy.reserves == "nobody" or (policy.reserves == "head" and behind),
        "no_row": not scene.sliced or after.state(index) == "W",
        "behind_no_row": not scene.sliced or not behind,
        "waits_for_row": not scene.sliced,
        "on_hold": after.state(index) not in "HS",
        "out_of_service": size <= sum(owner != DOWN for owner in after.owners()),
        "too_large": size <= after.nodes,
    }
    return tuple(code for code, wrong in _ordered(false, scene.sliced).items() if wrong)


def false_to_run(scene: Scene, job: int, made: Decision) -> tuple[str, ...]:
    """Return the reasons to run that are false of a job, by id, that started as `made`; likeliest first."""
    code, policy = made.reason.code, scene.policy
    here = scene.passed is not None and made in scene.passed.decisions
    stopped = here and any(one.kind == "preempt" for one in scene.decisions(frozenset(("preempt",))))
    false = {
        "head_fits": code in PASSED
        or (here and _behind(scene, job))
        or (code in ROWS and not _came(scene, job)),
        "ends_by_shadow": code == "head_fits" or code in ROWS or _later(made, "end", "shadow"),
        "within_extra": code == "head_fits" or code in ROWS or code == "ends_by_shadow",
        "reservation_due": policy.reserves == "nobody" or (policy.reserves == "head" and code in PASSED),
        "after_preemption": not scene.preempts or (here and not stopped),
        "its_row": not scene.sliced or code == "as_alternate",
        "as_alternate": not scene.sliced or code == "its_row",
        "operator": not scene.case.scenario.actions,
    }
    return tuple(it for it, wrong in _ordered(false, scene.sliced).items() if wrong and it != code)


def _harmless(scene: Scene, index: int) -> bool:
    """Whether it is certain that the head starts no later if this job starts now: by the rule of EASY.

    Only if the head, or nobody, has a reservation, jobs share space, and all nodes are in service.
    """
    if not scene.policy.reserves or not scene.shared or not scene.whole:
        return False
    after, columns = scene.after, scene.case.columns
    head, free = after.waiting()[0], after.free
    ends = sorted((max(after.end_of(job) or 0, scene.now + 1), columns.size[job]) for job in after.running())
    shadow = next((end for end, _ in ends if _free_by(end, free, ends) >= columns.size[head]), None)
    if shadow is None:
        return False
    extra = _free_by(shadow, free, ends) - columns.size[head]
    return scene.now + columns.estimate[index] <= shadow or columns.size[index] <= extra


def _free_by(end: int, free: int, ends: list[tuple[int, int]]) -> int:
    return free + sum(size for time, size in ends if time <= end)


def _behind(scene: Scene, job: int) -> bool:
    """Whether a job that stood before this one in the queue still waits after the pass."""
    queue, waiting = list(scene.before.waiting()), set(scene.after.waiting())
    index = scene.case.index_of(job)
    return index in queue and any(other in waiting for other in queue[: queue.index(index)])


def _came(scene: Scene, job: int) -> bool:
    """Whether a job stood in the queue before the pass."""
    return scene.case.index_of(job) in scene.before.waiting()


def _later(made: Decision, one: str, other: str) -> bool:
    """Whether a number of a reason is greater than another; both are known."""
    first, second = made.reason.numbers.get(one), made.reason.numbers.get(other)
    if made.reason.code != "within_extra":
        return False
    return _known(first) and _known(second) and first > second  # type: ignore[operator]


def _known(value: Value) -> bool:
    return isinstance(value, int)


def _ordered(false: Mapping[str, bool], sliced: bool) -> Mapping[str, bool]:
    """Where jobs take turns, the reasons about rows come first."""
    rows = [code for code in false if "row" in code or code == "as_alternate"]
    first = rows if sliced else []
    return {code: false[code] for code in (*first, *(code for code in false if code not in first))}
