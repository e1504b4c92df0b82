"""What a simulation tells of itself in columns and sums: owners of nodes, tallies, results of all jobs."""

from array import array

from shadowtime.kernels.core.results cimport CANCELLED, Result
from shadowtime.kernels.core.types cimport DOWN, NONE, int32_t, job_t, nodes_t
from shadowtime.kernels.operator.steering cimport as_numbered, as_timed

RESULTS = ("start", "finish", "backfilled", "preemptions", "first_promise")


cdef object known(int64_t event, int64_t value):
    """A value that an event of this run settled; None where nobody of this run has been there."""
    return value if event else None


cdef object waiting_of(World world):
    # Every key of a screen asks for all of them: with 10,000 jobs waiting a list on the way costs 0.5 ms, this 0.01.
    cdef Py_ssize_t at, count = 0
    cdef int32_t[::1] view
    if world.queue.live == 0:
        return array("i")
    jobs = array("i", [NONE]) * world.queue.live
    view = jobs
    for at in range(world.queue.first, world.queue.tail):
        if world.queue.job[at] != NONE:
            view[count] = world.queue.job[at]
            count += 1
    return jobs


cdef object running_of(World world):
    cdef int32_t slot
    order = []
    for slot in range(world.running.used):
        if world.running.slots[slot].job != NONE and world.running.slots[slot].state == c'R':
            order.append((world.running.slots[slot].order, world.running.slots[slot].job))
    return array("i", [job for _, job in sorted(order)])


cdef object held_of(World world):
    cdef int32_t slot
    jobs = [world.running.slots[slot].job for slot in range(world.running.used)
            if world.running.slots[slot].job != NONE and world.running.slots[slot].state != c'R'
            and world.queue.find(world.running.slots[slot].job) == NONE]
    return array("i", sorted(jobs))


cdef object owners_of(World world):
    cdef int32_t slot, extent
    cdef nodes_t node
    owned = array("i", [NONE]) * world.nodes
    cdef int32_t[::1] view = owned
    for node in range(world.nodes):
        if world.machine.is_down(node):
            view[node] = DOWN
    if world.sliced and world.machine.downs:
        for node in draining_of(world):
            view[node] = NONE
    for slot in range(world.running.used):
        extent = world.running.slots[slot].extents
        if world.running.slots[slot].job == NONE or (world.sliced and world.running.slots[slot].state != c'R'):
            continue
        while extent != NONE:
            for node in range(world.machine.extents[extent].base,
                              world.machine.extents[extent].base + world.machine.extents[extent].count):
                view[node] = world.running.slots[slot].job
            extent = world.machine.extents[extent].next
    return owned


cdef object draining_of(World world):
    cdef nodes_t node
    if world.machine.downs == 0:
        return array("i")
    world.repairs.learn(world.machine, world.at.changes)
    world.repairs.mark_held(world.running, world.machine)
    return array("i", [node for node in range(world.nodes)
                       if world.machine.is_down(node) and world.repairs.is_held(node)])


cdef object tally_of(World world, Policy policy):
    sums = dict(world.tally)
    sums["nodes"] = world.nodes
    sums["busy_nodes"] = world.at.busy
    sums["free_nodes"] = world.at.free
    sums["queue_length"] = world.queue.live + world.at.awaited
    sums["running"] = world.running.in_progress()
    sums["utilization_slots"] = policy.slots_utilization(world)
    sums["now"] = world.at.now
    sums["submitted"] = world.at.arrivals
    sums["first_submit"] = world.jobs.submit[0] if world.jobs.count else 0
    sums["last_submit"] = world.jobs.submit[world.at.arrivals - 1] if world.at.arrivals else sums["first_submit"]
    months = range(world.jobs.groups)
    return sums, [world.month_wait[i] for i in months], [world.month_started[i] for i in months]


cdef enum:
    # The columns of results, as RESULTS names them.
    START
    FINISH
    BACKFILLED
    PREEMPTIONS
    FIRST_PROMISE


cdef int64_t result_of(World world, job_t job, int which) noexcept nogil:
    """One result of a job, as far as this run has been."""
    cdef Result *result = &world.results.of[job]
    cdef int state
    cdef int32_t slot
    if which == FIRST_PROMISE:
        return result.promised if 0 < result.was_promised <= world.at.event else NONE
    state = world.state_of(job)
    if which == FINISH:
        return result.finish if state == c'F' and result.finish_event and result.left != CANCELLED else NONE
    if which == PREEMPTIONS:
        slot = world.slot_of(job) if state else NONE
        if slot != NONE:
            return world.running.slots[slot].preemptions
        return result.preemptions if state == c'F' and result.finish_event else 0
    if state and world.has_started(job) and result.start_event:
        return result.start if which == START else result.backfilled
    return NONE if which == START else 0


cdef object results_of(World world, tuple names):
    return {name: column_of(world, RESULTS.index(name)) for name in names or RESULTS}


cdef object result_row(World world, job_t job):
    return tuple([result_of(world, job, which) for which in range(len(RESULTS))])


cdef object column_of(World world, int which):
    cdef job_t job, count = <job_t> world.results.count
    made = array("q", [0]) * count
    cdef int64_t[::1] view = made
    with nogil:
        for job in range(count):
            view[job] = result_of(world, job, which)
    return made


cdef list places_of(World world):
    """Where each action stands among all, by its item: none where there is no action of that item."""
    cdef Py_ssize_t count = 2 * len(world.steering.interventions)
    cdef list places = [None] * count
    timed = numbered = 0
    for place, action in enumerate(world.steering.interventions):
        if action.after is None:
            places[as_timed(timed)] = place
            timed += 1
        else:
            places[as_numbered(numbered)] = place
            numbered += 1
    return places


cdef object refused_of(World world):
    found = sorted((refusal, item) for item, refusal in world.results.refused.items() if refusal[0] <= world.at.event)
    places = places_of(world) if found else []
    return [(places[item], event, policy, *reason) for (event, policy, reason), item in found]


cdef object classes_of(World world):
    cdef int32_t i
    places = places_of(world) if world.overrides.count else []
    return {world.overrides.of[i].job: places[world.overrides.of[i].by] for i in range(world.overrides.count)
            if world.overrides.of[i].classed}
