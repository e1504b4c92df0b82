"""Who has which nodes, found anew: after nodes were marked, or when time was sliced and is not any more, or is now."""

from shadowtime.kernels.core.types cimport NONE, int32_t, nodes_t, uint64_t


cdef int recount(World world) except -1:
    """After nodes were marked or unmarked: how many each job takes with it, and how many are idle."""
    cdef int32_t slot
    cdef nodes_t leaving
    if world.sliced:
        world.count_idle()
        return 0
    for slot in range(world.running.used):
        if world.running.slots[slot].job == NONE or world.running.slots[slot].extents == NONE:
            continue
        leaving = world.machine.leaving(world.running.slots[slot].extents) if world.machine.downs else 0
        if leaving != world.running.slots[slot].leaving:
            relist(world, slot, leaving)
    return 0


cdef int settle(World world) except -1:
    """Which nodes are idle follows from who has them; where time is sliced all that counts is how many are."""
    cdef int32_t slot
    cdef nodes_t node
    cdef bint idle
    world.repairs.learn(world.machine, world.at.changes)
    if world.sliced:
        for slot in range(world.running.used):
            if world.running.slots[slot].job != NONE and world.running.slots[slot].leaving:
                relist(world, slot, 0)
    else:
        world.repairs.mark_held(world.running, world.machine)
        for node in range(world.nodes):
            idle = not world.machine.is_down(node) and not world.repairs.is_held(node)
            if idle:
                world.machine.idle[node >> 6] |= (<uint64_t> 1) << (node & 63)
            else:
                world.machine.idle[node >> 6] &= ~((<uint64_t> 1) << (node & 63))
        world.machine.lowest[0] = 0
    world.count_idle()
    return recount(world)


cdef int relist(World world, int32_t slot, nodes_t leaving) except -1:
    """So many of the nodes of a job go down when it leaves them: its ending brings the others."""
    cdef bint listed = world.running.slots[slot].listed
    if listed:
        world.running.delist(slot)
    world.running.slots[slot].leaving = leaving
    if listed:
        world.running.enlist(slot)
    return 0
