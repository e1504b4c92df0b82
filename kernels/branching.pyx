"""Runs with the same past: what was done up to an event must be the same in both."""

from kernels.clock cimport ACTION
from kernels.types cimport int32_t, seconds_t


cdef bint is_past(seconds_t time, int kind, const Position *at) noexcept nogil:
    """Whether an event of that kind would have come before the last one."""
    return time < at.now or (time == at.now and kind < at.last_kind)


cdef int agree(Steering mine, Steering steering, const Position *at) except -1:
    """ValueError where a state that `mine` led to could not have come about by `steering`."""
    cdef int32_t timed = at.timed, numbered = at.numbered, changes = at.changes
    if mine is None and timed + numbered + changes == 0:
        mine = Steering()
    if steering is None:
        steering = Steering()
    if mine is None or not steering.agrees(mine, timed, numbered, changes):
        raise ValueError(f"what was done up to event {at.event} is not what happened in this run")
    if at.event == 0:
        return 0
    if numbered < steering.numbers and steering.numbered[numbered].after < at.event:
        raise ValueError(f"event {steering.numbered[numbered].after} is followed by an action; "
                         f"this run is at event {at.event} already")
    if timed < steering.times and is_past(steering.timed[timed].time, ACTION, at):
        raise ValueError(f"an action at {steering.timed[timed].time} s; this run is at {at.now} s already")
    if changes < steering.count and is_past(steering.changes[changes].time, steering.changes[changes].kind, at):
        raise ValueError(f"an outage at {steering.changes[changes].time} s; this run is at {at.now} s already")
    return 0
