"""The pass of the T3D's gang scheduler: first those that have waited too long, then all the others.

Where the text leaves room, these are the choices:
- The order of the jobs is taken when pass 1 begins, and anew when pass 2 begins.
- With a reservation of lower priority standing, each way to serve a job that has waited too long has its own
  test of the limits: beside the reserved job for a free block, in its place for the other ways. So a job that
  the limits do not let stand beside the reserved one may still take its place.
- A job that loses the reservation gives its wire back before the one that takes its place is given one.
- The jobs that run in a block are saved in order of submission.
- The reserved job, when strict limits keep it out, keeps its reservation, and nobody is saved for it.
"""

from tests.oracles.torus.floor import Floor
from tests.oracles.torus.machine import Block


def make_pass(floor: Floor) -> None:
    """One pass, after all events of an instant."""
    for job in list(floor.assigned):
        floor.unassign(job)
    review_reservation(floor)
    overdue = [job for job in waiting(floor) if floor.has_waited_too_long(job)]
    for job in in_order(floor, overdue):
        if job == floor.reservation:
            serve_reserved(floor, job)
        elif floor.reservation is None or floor.priority(floor.reservation) < floor.priority(job):
            serve_overdue(floor, job)
    others = [job for job in waiting(floor) if job != floor.reservation]
    for job in in_order(floor, others):
        serve(floor, job)


def waiting(floor: Floor) -> list[int]:
    """All waiting jobs in order of submission."""
    return [job for job, record in enumerate(floor.records) if record.waits]


def in_order(floor: Floor, jobs: list[int]) -> list[int]:
    """Jobs in the order in which a pass serves them."""
    return sorted(
        jobs,
        key=lambda job: (
            -floor.priority(job),
            job != floor.reservation,
            floor.records[job].since,
            job,
        ),
    )


def review_reservation(floor: Floor) -> None:
    """Step 0: drop the reservation if its job no longer deserves it, or its block cannot be cleared."""
    job = floor.reservation
    if job is None:
        return
    block = floor.records[job].block
    assert block is not None
    if not floor.has_waited_too_long(job) or not can_be_cleared(floor, block, job):
        floor.unassign(job)


def can_be_cleared(floor: Floor, block: Block, job: int) -> bool:
    """Whether a job may have all that run or are loaded in a block preempted, sooner or later."""
    return all(
        floor.may_be_preempted(other) and floor.priority(other) <= floor.priority(job)
        for other in floor.occupants(block, "iR")
    )


def may_be_served(floor: Floor, job: int, loser: int | None) -> bool:
    """The limits of pass 1 for a job, when `loser` has lost the reservation to it."""
    if not floor.fits_system(job, loser):
        return False
    return not floor.rules.strict_limits or floor.fits_class(job, loser)


def clear(floor: Floor, block: Block, by: int) -> None:
    """Save every job that runs in a block and whose do-not-disturb time is over."""
    for job in floor.occupants(block, "R"):
        if floor.now >= floor.undisturbed_until(job):
            floor.preempt(job, by)


def serve_reserved(floor: Floor, job: int) -> None:
    """Pass 1 for the job with the reservation."""
    reserved = floor.records[job].block
    assert reserved is not None
    if not may_be_served(floor, job, None):
        return
    if floor.is_idle(reserved) and reserved in floor.considered(job):
        floor.load(job, reserved)
        return
    elsewhere = floor.best_fit(job, floor.is_free)
    if elsewhere is not None:
        floor.load(job, elsewhere)
    else:
        clear(floor, reserved, job)


def serve_overdue(floor: Floor, job: int) -> None:
    """Pass 1 for another job, while no reservation stands or one for a job of lower priority."""
    loser = floor.reservation
    block = floor.best_fit(job, floor.is_free)
    if block is not None and may_be_served(floor, job, None):
        floor.load(job, block)
        return
    if not may_be_served(floor, job, loser):
        return
    block = floor.best_fit(job, floor.is_idle)
    if block is not None:
        if loser is not None:
            floor.unassign(loser)
        floor.load(job, block)
        return
    clearable = [place for place in floor.considered(job) if can_be_cleared(floor, place, job)]
    if not clearable:
        return
    if loser is not None:
        floor.unassign(loser)
    block = min(clearable, key=floor.cost)
    floor.assign(job, block)
    floor.reservation = job
    clear(floor, block, job)


def serve(floor: Floor, job: int) -> None:
    """Pass 2 for a job without the reservation."""
    if not floor.fits_system(job, None) or not floor.fits_class(job, None):
        return
    block = floor.best_fit(job, floor.is_free)
    if block is not None:
        floor.load(job, block)
        return
    clearable = [place for place in floor.considered(job) if can_be_cleared_now(floor, place, job)]
    if clearable:
        block = min(clearable, key=floor.cost)
        floor.assign(job, block)
        floor.assigned.append(job)
        clear(floor, block, job)


def can_be_cleared_now(floor: Floor, block: Block, job: int) -> bool:
    """Whether nobody else is to get a block, and all in it are being saved or may be saved at once."""
    return (
        floor.is_unclaimed(block)
        and not floor.occupants(block, "i")
        and all(
            floor.may_be_preempted(other)
            and floor.priority(other) < floor.priority(job)
            and floor.now >= floor.undisturbed_until(other)
            for other in floor.occupants(block, "R")
        )
    )
