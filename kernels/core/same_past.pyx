"""Runs with the same past: what was done up to an event must be the same in both."""

from shadowtime.kernels.core.clock cimport ACTION
from shadowtime.kernels.core.types cimport int32_t, int64_t, seconds_t


cdef bint is_past(seconds_t time, int kind, const Position *at) noexcept nogil:
    """Whether an event of that kind would have come before the last one; numbered actions have no turn of their own."""
    return time < at.now or (time == at.now and kind + 1 < at.passed)


cdef int64_t last_numbered(Steering steering, int32_t numbered) noexcept nogil:
    """The event of the last of so many numbered actions, 0 for none."""
    cdef int64_t event = 0
    cdef int32_t i
    for i in range(numbered):
        event = max(event, steering.numbered[i].after) + 1
    return event


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
    if (numbered < steering.numbers
            and max(steering.numbered[numbered].after, last_numbered(steering, numbered)) < at.event):
        raise ValueError(f"event {steering.numbered[numbered].after} is followed by an action; "
                         f"this run is at event {at.event} already")
    if timed < steering.times and is_past(steering.timed[timed].time, ACTION, at):
        raise ValueError(f"an action at {steering.timed[timed].time} s; this run is at {at.now} s already")
    if changes < steering.count and is_past(steering.changes[changes].time, steering.changes[changes].kind, at):
        raise ValueError(f"an outage at {steering.changes[changes].time} s; this run is at {at.now} s already")
    return 0
