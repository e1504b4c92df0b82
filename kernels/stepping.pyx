"""What happens next, and doing it: the two functions that advance a world under a policy (policies.md, section 0).

The order of an instant is that of the event kinds. There is one exception: a policy that changes its mind in the
light of all that has come (dynP, IVS) does so right before the pass, as an event of its own, so that one sees the
change first and then what follows from it.
"""

from kernels.acting cimport act
from kernels.clock cimport (
    ACTION,
    BOUNDARY,
    KILL,
    LOADED,
    NODE_DOWN,
    NODE_UP,
    PASS,
    SUBMIT,
    SWAPPED_IN,
    SWAPPED_OUT,
    SWITCH_POLICY,
    SWITCH_SLOT,
    UNDISTURBED,
)
from kernels.running cimport Active
from kernels.steered cimport intervene
from kernels.types cimport FOREVER, NONE, nodes_t
from kernels.upkeep cimport change, finish_leaving
from kernels.world cimport Position


cdef Next upcoming(World world, Policy policy, job_t last_arrival) noexcept nogil:
    """The next event: the earliest; at equal times the lowest kind, ties by creation."""
    cdef Next to
    to.time = FOREVER
    to.kind = NONE
    to.item = NONE
    if world.heap.count:
        to.time = world.heap.entries[0].time
        to.kind = world.heap.entries[0].kind
        to.item = world.heap.entries[0].item
    if world.at.due < to.time or (world.at.due == to.time < FOREVER and world.at.due_kind < to.kind):
        to.time = world.at.due
        to.kind = world.at.due_kind
        to.item = world.at.due_job
    if world.at.arrivals < last_arrival and world.jobs.submit[world.at.arrivals] < to.time:
        to.time = world.jobs.submit[world.at.arrivals]
        to.kind = SUBMIT
        to.item = world.at.arrivals
    if world.steered and intervene(world, &to.time, &to.kind, &to.item):
        return to
    if world.at.pass_due and to.time > world.at.now:
        to.time = world.at.now
        to.kind = SWITCH_POLICY if policy.decides and policy.has_turned(world) else PASS
        to.item = NONE
    # A review of the schedulers goes on only as long as anything else does.
    if world.at.switch_at <= to.time and to.kind != NONE and (world.at.switch_at < to.time or SWITCH_POLICY < to.kind):
        to.time = world.at.switch_at
        to.kind = SWITCH_POLICY
        to.item = NONE
    return to


cdef job_t happens_to(World world, Next to) noexcept nogil:
    """The job of an event to come, NONE where it is no single job's."""
    if to.kind <= LOADED:
        return world.running.slots[to.item].job
    if to.kind == ACTION:
        return world.steering.deed(to.item).job
    return to.item if to.kind > NODE_UP else NONE


cdef int apply(World world, Policy policy, Next to) except -1 nogil:
    """Do one event."""
    if to.kind == PASS and policy.may_fail:
        with gil:
            return careful_pass(world, policy)
    return happen(world, policy, to)


cdef int careful_pass(World world, Policy policy) except -1:
    """A pass of somebody else's code: where it raises, the pass is still to come."""
    cdef Position before = world.at
    try:
        return happen(world, policy, upcoming(world, policy, world.at.arrivals))
    except BaseException:
        world.at = before
        raise


cdef int happen(World world, Policy policy, Next to) except -1 nogil:
    world.at.event += 1
    world.decisions.count = 0
    world.advance(to.time)
    if to.kind == SWITCH_POLICY and world.at.switch_at > to.time:
        # It came right before the pass, when all else had.
        world.at.passed = max(world.at.passed, PASS)
    elif to.kind != ACTION or to.item % 2 == 0:
        world.at.passed = max(world.at.passed, to.kind + 1)
    world.at.last_time = to.time
    world.at.last_kind = to.kind
    world.at.last_job = happens_to(world, to)
    if to.kind == PASS:
        world.at.pass_due = 0
        policy.schedule(world)
        world.at.seen = world.at.arrivals
        world.at.freed = 0
        return 0
    if to.kind == SWITCH_POLICY:
        if policy.turn(world):
            world.at.pass_due = 1
        return 0
    if BOUNDARY <= to.kind <= UNDISTURBED:
        world.at.due = FOREVER
        if policy.rang(world, to.kind, to.item):
            world.at.pass_due = 1
        return 0
    if to.kind == ACTION:
        with gil:
            return act(world, policy, to.item)
    if to.kind == NODE_DOWN or to.kind == NODE_UP:
        with gil:
            return change(world, policy, to.item)
    world.at.pass_due = 1
    if to.kind == SUBMIT:
        return world.submit()
    if to.kind == SWITCH_SLOT:
        world.at.due = FOREVER
        policy.turn(world)
        return 0
    world.heap.pop()
    return apply_to_slot(world, policy, to)


cdef int apply_to_slot(World world, Policy policy, Next to) except -1 nogil:
    """What happens to one active job: it ends, or its memory has been moved."""
    cdef Active *active = &world.running.slots[to.item]
    cdef job_t job = active.job
    cdef nodes_t size = active.size
    cdef seconds_t limit
    if to.kind <= KILL:
        if active.leaving:
            with gil:
                return finish_leaving(world, policy, to.item)
        limit = world.limit(to.item)
        world.finish(to.item)
        return policy.completed(world, job, size, limit)
    if to.kind == SWAPPED_OUT:
        world.tally.wasted += <double> (to.time - active.since) * size
        active.state = c'O'
        active.since = to.time
        world.vacate(to.item)
        return policy.swapped_out(world, to.item)
    if to.kind == SWAPPED_IN or to.kind == LOADED:
        if to.kind == SWAPPED_IN:
            world.tally.wasted += <double> (to.time - active.since) * size
        return world.run(to.item)
    return 0


cdef object operate(World world, Policy policy, seconds_t time, int verb, job_t job, int64_t to):
    """What the operator does to a job at an instant, now or later, before whose actions nothing is left to happen.

    None, and it is done, an event like any other; or the reason why it cannot be, and nothing has changed.
    """
    refusal = policy.refusal(world, verb, job, to)
    if refusal is not None:
        return refusal
    world.at.event += 1
    world.decisions.count = 0
    world.advance(time)
    world.at.last_time = time
    world.at.last_kind = ACTION
    world.at.last_job = job
    world.at.pass_due = 1
    policy.operate(world, verb, job, to)
    return None
