"""Which reasons are true of a job, from docs/training.md and docs/schedulers.md alone: nodes never fail.

A situation holds plain lists. `True` and `False` are certain; a reason that is not named is not judged.
"""

from typing import NamedTuple

RESERVES = {
    "fcfs": "nobody",
    "easy": "head",
    "maui": "head",
    "conservative": "all",
    # A planned start may count as a reservation: that is not certain to be false.
    **dict.fromkeys(("flex", "sjf", "ljf", "dynp", "ivs"), "all"),
}
"""Who has a reservation; Maui with one reservation and without weights is EASY."""
REPLANNED = ("sjf", "ljf", "dynp", "ivs")
"""The policies of section 4."""


class Known(NamedTuple):
    """A job: what it needs, and its estimate."""

    size: int
    estimate: int


class Situation(NamedTuple):
    """A machine after a scheduling pass."""

    policy: str
    nodes: int
    now: int
    jobs: dict[int, Known]
    queue: list[int]
    running: list[tuple[int, int]]
    """A job and its end by estimate."""


def idle(here: Situation) -> int:
    return here.nodes - sum(here.jobs[job].size for job, _ in here.running)


def head_starts(here: Situation, also: int | None = None) -> int:
    """When the head fits, second by second, if `also` starts now; by the estimates alone."""
    running = [*here.running]
    if also is not None:
        running.append((also, here.now + here.jobs[also].estimate))
    ends = sorted({max(end, here.now + 1) for _, end in running})
    for time in [here.now, *ends]:
        busy = sum(here.jobs[job].size for job, end in running if max(end, here.now + 1) > time)
        if here.nodes - busy >= here.jobs[here.queue[0]].size:
            return time
    raise AssertionError("the head is larger than the machine")


def true_to_wait(here: Situation, job: int) -> dict[str, bool]:
    """What is true of a job that waits."""
    head, fits = here.queue[0] == job, here.jobs[job].size <= idle(here)
    # With an order of its own "the queue" is that order, or that of arrival: either reading may be meant.
    either = here.policy in REPLANNED
    return {
        "head_blocked": (head or either) and not fits,
        "no_room": (not head or either) and not fits,
        "would_delay_head": not head and fits and head_starts(here, job) > head_starts(here),
        "behind_head": here.policy == "fcfs",
        "reserved": RESERVES[here.policy] == "all" or (RESERVES[here.policy] == "head" and head),
        # Sections 4 and 6: whoever waits after the pass is planned for later.
        "planned": here.policy in REPLANNED,
        "planned_by_deadline": here.policy == "flex",
        # Jobs are numbered as they come.
        "arrival_order": not any(other > job for other, _ in here.running),
        "no_row": False,
        "behind_no_row": False,
        "waits_for_row": False,
        "on_hold": False,
        "out_of_service": False,
        "too_large": here.jobs[job].size > here.nodes,
    }


def true_to_run(before: Situation, after: Situation, job: int) -> dict[str, bool]:
    """What is true of a job that the pass starts; `before` and `after` are the machine around the pass."""
    if before.policy in ("conservative", "flex", *REPLANNED):
        ahead = before.queue[: before.queue.index(job)]
        code = "planned_now" if before.policy in REPLANNED else "reservation_due"
        # Whoever leaves a job before it waiting was not the head, unless another order is meant.
        head = before.policy in REPLANNED or not set(ahead) & set(after.queue)
        return _runs(head_fits=head, **{code: True})
    here = before._replace(queue=list(before.queue), running=list(before.running))
    while here.jobs[here.queue[0]].size <= idle(here):
        first = here.queue.pop(0)
        if first == job:
            # A head of EASY that has waited starts at its reservation: that is not certain to be false.
            return _runs(head_fits=True, reservation_due=here.policy != "fcfs")
        here.running.append((first, here.now + here.jobs[first].estimate))
    shadow = head_starts(here)
    for other in here.queue[1:]:
        size, end = here.jobs[other].size, here.now + here.jobs[other].estimate
        if size > idle(here):
            continue
        if end <= shadow or head_starts(here, other) == shadow:
            if other == job:
                return _runs(ends_by_shadow=end <= shadow, within_extra=end > shadow)
            here.running.append((other, end))
    raise AssertionError(f"job {job} does not start")


def _runs(**true: bool) -> dict[str, bool]:
    names = ("head_fits", "ends_by_shadow", "within_extra", "reservation_due", "planned_now")
    never = ("after_preemption", "its_row", "as_alternate", "operator")
    return {name: true.get(name, False) for name in (*names, *never)}
