"""Nodes go out of service, and come back (docs/steering.md, Nodes).

A node that is down belongs to nobody; one that is to go down still belongs to a job, or to jobs with columns on it, and goes
when they leave it. Both have their bit in `machine.down`.
"""

from shadowtime.kernels.core.clock cimport NODE_DOWN
from shadowtime.kernels.core.decisions cimport PREEMPT, RELEASE, SWITCH
from shadowtime.kernels.core.occupancy cimport recount
from shadowtime.kernels.core.results cimport STRUCK
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport NONE, job_t, seconds_t, uint64_t
from shadowtime.kernels.core.world cimport NODES_FREED
from shadowtime.kernels.operator.kept cimport is_kept
from shadowtime.kernels.operator.steering cimport CHECKPOINT_IT, KILL_IT, Span

from shadowtime.kernels.core.decisions import reason

cdef int NODES_DOWN = reason("nodes_down", "nodes", "leaving")
cdef int NODES_BACK = reason("nodes_back", "nodes", "covered", "kept")
cdef int STRUCK_KILLED = reason("struck_killed", "size", "lost")
cdef int STRUCK_REQUEUED = reason("struck_requeued", "size", "done", "lost")


cdef nodes_t count_marked(World world, const Range *ranges, int32_t count) noexcept nogil:
    """How many of some nodes are down or to go down."""
    cdef nodes_t node, found = 0
    cdef int32_t k
    for k in range(count):
        for node in range(ranges[k].first, ranges[k].first + ranges[k].count):
            found += world.machine.is_down(node)
    return found


cdef nodes_t count_down(World world, const Range *ranges, int32_t count) except -1:
    """How many of some nodes are down."""
    cdef nodes_t node, found = 0
    cdef int32_t k
    world.repairs.learn(world.machine, world.at.changes)
    world.repairs.mark_held(world.running, world.machine)
    for k in range(count):
        for node in range(ranges[k].first, ranges[k].first + ranges[k].count):
            found += world.machine.is_down(node) and not world.repairs.is_held(node)
    return found


cdef nodes_t count_kept(World world, const Range *ranges, int32_t count) noexcept nogil:
    """How many of some nodes the operator keeps out of service."""
    cdef nodes_t node, found = 0
    cdef int32_t k
    for k in range(count):
        for node in range(ranges[k].first, ranges[k].first + ranges[k].count):
            found += is_kept(world.machine, node)
    return found


cdef void keep(World world, const Range *ranges, int32_t count, bint kept) noexcept nogil:
    """The operator keeps nodes out of service, whatever outage ends; or does so no longer."""
    cdef nodes_t node
    cdef int32_t k
    cdef uint64_t bit
    cdef uint64_t *bits = world.machine.down + world.machine.words
    for k in range(count):
        for node in range(ranges[k].first, ranges[k].first + ranges[k].count):
            bit = (<uint64_t> 1) << (node & 63)
            if kept:
                bits[node >> 6] |= bit
            else:
                bits[node >> 6] &= ~bit


cdef int take_out(World world, Policy policy, const Range *ranges, int32_t count, bint strikes) except -1:
    """Nodes go down, those of jobs as soon as they are left; with `strikes` the jobs on them are struck."""
    cdef nodes_t node, marked = 0, nodes = 0, before = count_down(world, ranges, count)
    cdef int32_t k, slot
    for k in range(count):
        for node in range(ranges[k].first, ranges[k].first + ranges[k].count):
            if world.machine.is_down(node):
                continue
            marked += 1
            world.machine.down[node >> 6] |= (<uint64_t> 1) << (node & 63)
            world.machine.downs += 1
            if not world.sliced and world.machine.is_idle(0, node, 1):
                world.machine.idle[node >> 6] &= ~((<uint64_t> 1) << (node & 63))
                world.at.free -= 1
    recount(world)
    if not strikes:
        nodes = count_down(world, ranges, count) - before
        return world.decisions.add(SWITCH, NONE, NODES_DOWN, marked, marked - nodes)
    for k in range(count):
        nodes += ranges[k].count
    # Those of struck jobs go at once.
    world.decisions.add(SWITCH, NONE, NODES_DOWN, nodes - before)
    # In order of the table; a struck job may leave its slot to nobody else, so the slots stay what they are.
    struck = sorted([(world.running.slots[slot].job, slot) for slot in range(world.running.used)
                     if is_hit(world, slot, ranges, count)])
    for _, slot in struck:
        strike(world, policy, slot)
    return 0


cdef bint is_hit(World world, int32_t slot, const Range *ranges, int32_t count) noexcept nogil:
    """Whether a job has one of those nodes, or a column on it."""
    cdef int32_t k
    if world.running.slots[slot].job == NONE:
        return False
    for k in range(count):
        if world.machine.is_hit(world.running.slots[slot].extents, ranges[k].first, ranges[k].count):
            return True
    return False


cdef int strike(World world, Policy policy, int32_t slot) except -1:
    """A node of a job fails: the job is over, or waits again with what it keeps of its progress."""
    cdef Active *active = &world.running.slots[slot]
    cdef job_t job = active.job
    cdef nodes_t size = active.size
    cdef seconds_t kept = 0, lost
    world.at.awaited -= active.awaited
    active.awaited = 0
    world.evict(slot)
    policy.left(world, job)
    if world.steering.failure == CHECKPOINT_IT:
        kept = active.done // world.steering.checkpoint_interval * world.steering.checkpoint_interval
    lost = active.done - kept
    world.tally.wasted += <double> lost * size
    if world.steering.failure == KILL_IT:
        world.decisions.add(RELEASE, job, STRUCK_KILLED, size, lost)
        policy.gone(world, job, slot)
        return world.leave(job, slot, STRUCK)
    active.done = kept
    active.lead = active.predicted = active.ahead = 0
    active.preemptable = 0
    world.decisions.add(PREEMPT, job, STRUCK_REQUEUED, size, kept, lost)
    if active.started:
        active.queued = world.at.now
    return policy.come_back(world, slot)


cdef int bring_back(World world, const Range *ranges, int32_t count, bint covered_too) except -1:
    """Nodes are in service again; of those that an outage covers or the operator keeps, only if `covered_too`."""
    cdef nodes_t node, freed = 0, covered = 0, kept = 0
    cdef int32_t k
    world.repairs.learn(world.machine, world.at.changes)
    world.repairs.mark_held(world.running, world.machine)
    for k in range(count):
        for node in range(ranges[k].first, ranges[k].first + ranges[k].count):
            if not world.machine.is_down(node):
                continue
            if not covered_too and is_kept(world.machine, node):
                kept += 1
                continue
            if not covered_too and world.repairs.is_covered(node):
                covered += 1
                continue
            freed += 1
            world.machine.down[node >> 6] &= ~((<uint64_t> 1) << (node & 63))
            world.machine.downs -= 1
            if not world.sliced and not world.repairs.is_held(node):
                world.machine.idle[node >> 6] |= (<uint64_t> 1) << (node & 63)
                world.machine.lowest[0] = min(world.machine.lowest[0], <Py_ssize_t> (node >> 6))
                world.at.free += 1
    recount(world)
    return world.decisions.add(SWITCH, NONE, NODES_BACK, freed, covered, kept)


cdef int change(World world, Policy policy, int32_t item) except -1:
    """An outage begins, or is over."""
    cdef const Span *span = &world.steering.spans[world.steering.changes[item].outage]
    cdef const Range *ranges = &world.steering.ranges[span.begin]
    world.at.changes = item + 1
    if world.steering.changes[item].kind == NODE_DOWN:
        take_out(world, policy, ranges, span.end - span.begin, span.kill)
    else:
        bring_back(world, ranges, span.end - span.begin, False)
    world.at.changed |= NODES_FREED
    world.at.pass_due = 1
    return policy.disturbed(world)


cdef int finish_leaving(World world, Policy policy, int32_t slot) except -1:
    """A job ends of whose nodes some go down now; what was known of their return stays true."""
    cdef Active *active = &world.running.slots[slot]
    cdef job_t job = active.job
    cdef nodes_t left = active.size - active.leaving, node
    cdef seconds_t limit = world.limit(slot)
    cdef int32_t extent = active.extents
    returns = []
    if world.repairs.known_at != world.at.changes:
        world.repairs.learn(world.machine, world.at.changes)
    while extent != NONE:
        for node in range(world.machine.extents[extent].base,
                          world.machine.extents[extent].base + world.machine.extents[extent].count):
            if (world.machine.is_down(node) and not is_kept(world.machine, node)
                    and world.repairs.returns[node] < limit):
                returns.append(world.repairs.returns[node])
        extent = world.machine.extents[extent].next
    world.finish(slot)
    policy.completed(world, job, left, limit)
    for at in returns:
        policy.freed(world, max(<seconds_t> at, world.at.now + 1), limit, 1)
    return 0
