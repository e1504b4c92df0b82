"""What happened to each job: written once, shared by all runners of one run."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, seconds_t, uint8_t


cpdef enum Left:
    # How a job that is over has left.
    COMPLETED
    CANCELLED
    STRUCK


cdef struct Result:
    # Events are numbered from 1: a number of 0 says that it has not happened, as far as this run has been.
    int64_t submit_event
    int64_t start_event
    int64_t finish_event
    seconds_t start         # first start; true once start_event is
    seconds_t finish        # true once finish_event is
    seconds_t promised      # the first start that its policy promised; true once was_promised is
    int32_t preemptions     # true once finish_event is
    uint8_t backfilled      # 1: it started while an earlier job waited
    uint8_t left            # a Left; true once finish_event is
    uint8_t padding[2]
    int64_t was_promised    # the event in which its policy promised it a start; 0 for never


cdef class Results:
    cdef readonly Py_ssize_t first  # the first job that has a row
    cdef readonly Py_ssize_t count
    cdef Result *of             # of[job] for job in first .. first + count - 1; 64 bytes each
    cdef Result *_room
    cdef dict refused               # {item of an action: (event, policy, reason)}, where it was refused

    cdef Results until(self, int64_t event)
