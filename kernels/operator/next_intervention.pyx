"""What comes next of the actions and outages of a run; asked only of worlds that are steered.

A forecast knows of nothing but the ends of the outages that had begun before it, and an expected run of no other outages.
"""

from shadowtime.kernels.core.clock cimport ACTION, NODE_UP
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.operator.steering cimport as_numbered, as_timed

cdef extern from "limits.h":
    long long LLONG_MAX


cdef int32_t next_change(World world) noexcept nogil:
    """The next beginning or end of an outage, NONE where there is none."""
    cdef int32_t i = world.at.changes
    if world.forecasting or world.expecting:
        while i < world.steering.count and not (
                world.steering.changes[i].kind == NODE_UP
                and world.steering.spans[world.steering.changes[i].outage].down < world.repairs.foreseen):
            i += 1
    return i if i < world.steering.count else NONE


cdef bint intervene(World world, seconds_t *time, int32_t *kind, int32_t *item) noexcept nogil:
    """Put what comes next in the place of another event, if it comes before; True where nothing else can."""
    cdef int32_t i
    cdef seconds_t at
    if not world.forecasting:
        i = world.at.numbered
        if i < world.steering.numbers and world.steering.numbered[i].after <= world.at.event:
            time[0] = world.at.now
            kind[0] = ACTION
            item[0] = as_numbered(i)
            return True
        i = world.at.timed
        if i < world.steering.times:
            at = world.steering.timed[i].time
            if at < time[0] or (at == time[0] and ACTION < kind[0]):
                time[0] = at
                kind[0] = ACTION
                item[0] = as_timed(i)
    i = next_change(world)
    if i != NONE:
        at = world.steering.changes[i].time
        if at < time[0] or (at == time[0] and world.steering.changes[i].kind < kind[0]):
            time[0] = at
            kind[0] = world.steering.changes[i].kind
            item[0] = i
    return False


cdef seconds_t next_steered(World world) noexcept nogil:
    """The next instant at which it says that something happens, FOREVER for none."""
    cdef seconds_t next = FOREVER
    cdef int32_t i = next_change(world)
    if i != NONE:
        next = world.steering.changes[i].time
    if not world.forecasting and world.at.timed < world.steering.times:
        next = min(next, world.steering.timed[world.at.timed].time)
    return next


cdef int64_t events_before_action(World world) noexcept nogil:
    """How many events there are, at most, before an action that goes by their number."""
    if world.forecasting or world.at.numbered == world.steering.numbers:
        return LLONG_MAX
    return world.steering.numbered[world.at.numbered].after - world.at.event
