"""A simulation: a value that one function advances."""

from shadowtime.kernels.core.jobs cimport Jobs
from shadowtime.kernels.core.results cimport Results
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.operator.steering cimport Steering
from shadowtime.kernels.policies.policy cimport Policy


cdef class State:
    cdef char *bytes


cdef class Copy:
    """The moving state at one event."""
    cdef State state
    cdef char *bytes            # those of the state
    cdef Jobs jobs
    cdef Steering steering      # of its run
    cdef readonly size_t size
    cdef readonly int64_t event
    cdef readonly seconds_t now
    cdef Results results        # those of its run: what it may be restored to has the same


cdef class Simulation:
    cdef World world
    cdef readonly Policy policy         # the one in force
    cdef Policy base                    # the one at the beginning: the kind of it, not its state
    cdef int32_t in_force               # the number of the policy: `at.in_force`, as of when it was last looked at
    cdef job_t last_arrival     # one past the last job that will be submitted

    cdef int64_t _run(self, seconds_t until, int64_t events, bint decisive) except -1 nogil
    cdef int _put_in_force(self) except -1
    cdef Simulation _another(self, bint forecasting, Steering steering, Jobs jobs=*, Results results=*)
    cdef int _save_into(self, Copy copy) except -1
    cdef int _load_from(self, Copy copy) except -1
    cdef job_t _check(self, object job) except -1


cdef class Forecast:
    cdef Simulation simulation
    cdef readonly int64_t event
    cdef object _waiting
