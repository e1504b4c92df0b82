"""What happens next, and doing it: the functions that advance a world under a policy (docs/schedulers.md, section 0).

The order of an instant is that of the event kinds. There is one exception: a policy that changes its mind in the
light of all that has come (dynP, IVS) does so right before the pass, as an event of its own, so that one sees the
change first and then what follows from it.

Nearly every event is one of three: a job ends, a job comes, a pass. `go_on` does these in one loop, from functions that
the compiler puts into it, and leaves every other event to its caller.
"""

from shadowtime.kernels.core.clock cimport (
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
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, nodes_t
from shadowtime.kernels.core.world cimport Position
from shadowtime.kernels.operator.next_intervention cimport intervene
from shadowtime.kernels.operator.operator_actions cimport act
from shadowtime.kernels.operator.outages cimport change, finish_leaving


cdef inline Next foreseen(World world, job_t last_arrival) noexcept nogil:
    """The first of what is known to come: of completions and transfers, the policy's timer, and submissions."""
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
    return to


cdef inline Next or_pass(World world, Policy policy, Next to) noexcept nogil:
    """The same, or the pass of this instant, or a review of the schedulers, where that comes before."""
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


cdef Next steered(World world, Policy policy, Next to) noexcept nogil:
    """The same where an operator acts, or nodes fail."""
    return to if intervene(world, &to.time, &to.kind, &to.item) else or_pass(world, policy, to)


cdef inline Next earliest(World world, Policy policy, job_t last_arrival) noexcept nogil:
    """The next event: the earliest; at equal times the lowest kind, ties by creation."""
    cdef Next to = foreseen(world, last_arrival)
    # By value, and in functions of their own: in the loop of `go_on` it stays in registers.
    return steered(world, policy, to) if world.steered else or_pass(world, policy, to)


cdef Next upcoming(World world, Policy policy, job_t last_arrival) noexcept nogil:
    """The next event."""
    return earliest(world, policy, last_arrival)


cdef job_t happens_to(World world, Next to) noexcept nogil:
    """The job of an event to come, NONE where it is no single job's."""
    if to.kind <= LOADED:
        return world.running.slots[to.item].job
    if to.kind == ACTION:
        return world.steering.record(to.item).job
    return to.item if to.kind > NODE_UP else NONE


cdef inline void begin(World world, const Next *to, job_t job, bint unread=False) noexcept nogil:
    """An event begins: time passes, and the event is the last one; `unread`: nobody will see what it decides."""
    world.at.event += 1
    world.decisions.count = 0
    world.decisions.unread = unread
    if to.time != world.at.now:
        world.advance(to.time)
    world.at.last_time = to.time
    world.at.last_kind = to.kind
    world.at.last_job = job


cdef inline int end_job(World world, Policy policy, const Next *to) except -1 nogil:
    """A running job, which gives all its nodes back, ends."""
    cdef Active *active = &world.running.slots[to.item]
    cdef job_t job = active.job
    cdef nodes_t size = active.size
    cdef seconds_t limit = active.run_start + active.lead + max(world.jobs.estimate[job] - active.done, 1)
    begin(world, to, job)
    world.at.passed = max(world.at.passed, to.kind + 1)
    world.at.pass_due = 1
    world.heap.pop()
    world.finish(to.item)
    return policy.completed(world, job, size, limit)


cdef inline int take_in(World world, const Next *to) except -1 nogil:
    """The next job of the trace comes."""
    begin(world, to, to.item)
    world.at.passed = max(world.at.passed, SUBMIT + 1)
    world.at.pass_due = 1
    return world.submit()


cdef inline int make_pass(World world, Policy policy, const Next *to, bint unread) except -1 nogil:
    begin(world, to, NONE, unread)
    world.at.passed = max(world.at.passed, PASS + 1)
    world.at.pass_due = 0
    policy.schedule(world)
    world.at.seen = world.at.arrivals
    world.at.changed = 0
    return 0


cdef int64_t go_on(World world, Policy policy, job_t last_arrival, seconds_t until, int64_t events, Next *then) except -1 nogil:
    """Do so many events up to `until`, as long as they are of the usual kinds; returns how many, and in `then` the next one."""
    cdef int64_t done = 0
    cdef Next to
    while True:
        to = earliest(world, policy, last_arrival)
        if done >= events or to.kind == NONE or to.time > until:
            break
        if to.kind == PASS:
            if policy.may_fail:
                break
            # It is not the last event of this run where a job is still to come in it.
            make_pass(world, policy, &to, done + 1 < events and world.at.arrivals < last_arrival
                      and world.jobs.submit[world.at.arrivals] <= until)
        elif to.kind == SUBMIT:
            take_in(world, &to)
        elif to.kind <= KILL and not world.running.slots[to.item].leaving:
            end_job(world, policy, &to)
        else:
            break
        done += 1
    then[0] = to
    return done


cdef int apply(World world, Policy policy, Next to) except -1 nogil:
    """Do one event."""
    if to.kind == PASS and policy.may_fail:
        return careful_pass(world, policy)
    return happen(world, policy, &to)


cdef int careful_pass(World world, Policy policy) except -1 with gil:
    """A pass of somebody else's code: where it raises, the pass is still to come."""
    cdef Position before = world.at
    cdef Next to = upcoming(world, policy, world.at.arrivals)
    try:
        return happen(world, policy, &to)
    except BaseException:
        world.at = before
        raise


cdef int happen(World world, Policy policy, const Next *to) except -1 nogil:
    if to.kind == PASS:
        return make_pass(world, policy, to, False)
    if to.kind == SUBMIT:
        return take_in(world, to)
    if to.kind <= KILL and not world.running.slots[to.item].leaving:
        return end_job(world, policy, to)
    begin(world, to, happens_to(world, to[0]))
    if to.kind == SWITCH_POLICY and world.at.switch_at > to.time:
        # It came right before the pass, when all else had.
        world.at.passed = max(world.at.passed, PASS)
    elif to.kind != ACTION or to.item % 2 == 0:
        world.at.passed = max(world.at.passed, to.kind + 1)
    if to.kind == SWITCH_POLICY:
        if policy.turn(world):
            world.at.pass_due = 1
        return 0
    if BOUNDARY <= to.kind <= UNDISTURBED:
        world.at.due = FOREVER
        if policy.timer_rang(world, to.kind, to.item):
            world.at.pass_due = 1
        return 0
    if to.kind == ACTION or to.kind == NODE_DOWN or to.kind == NODE_UP:
        return steer(world, policy, to)
    world.at.pass_due = 1
    if to.kind == SWITCH_SLOT:
        world.at.due = FOREVER
        policy.turn(world)
        return 0
    world.heap.pop()
    return apply_to_slot(world, policy, to)


cdef int steer(World world, Policy policy, const Next *to) except -1 with gil:
    """The operator acts, or an outage begins or ends."""
    return act(world, policy, to.item) if to.kind == ACTION else change(world, policy, to.item)


cdef int apply_to_slot(World world, Policy policy, const Next *to) except -1 nogil:
    """What happens to one active job: it ends and leaves nodes that go down, or its memory has been moved."""
    cdef Active *active = &world.running.slots[to.item]
    if to.kind <= KILL:
        with gil:
            return finish_leaving(world, policy, to.item)
    if to.kind == SWAPPED_OUT:
        world.tally.wasted += <double> (to.time - active.since) * active.size
        active.state = c'O'
        active.since = to.time
        world.vacate(to.item)
        return policy.swapped_out(world, to.item)
    if to.kind == SWAPPED_IN or to.kind == LOADED:
        if to.kind == SWAPPED_IN:
            world.tally.wasted += <double> (to.time - active.since) * active.size
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
    world.decisions.unread = False
    world.advance(time)
    world.at.last_time = time
    world.at.last_kind = ACTION
    world.at.last_job = job
    world.at.pass_due = 1
    policy.operate(world, verb, job, to)
    return None
