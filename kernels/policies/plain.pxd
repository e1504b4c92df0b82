"""Policies in plain Python."""

from shadowtime.kernels.core.types cimport job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.profile cimport Profile
from shadowtime.kernels.policies.policy cimport Policy


cdef class MachineView:
    """What a policy in Python sees of a machine, for the time of one call."""
    cdef World world            # None when the call is over
    cdef unsigned long thread   # that of the call
    cdef set starting           # rows of the jobs that start when the pass is over
    cdef set stopping           # rows of the jobs that stop then
    cdef seconds_t waking       # when it asked for another pass, FOREVER for never
    cdef bint closed            # this is no pass
    cdef readonly nodes_t free  # idle nodes, but for those of jobs that start in this pass

    cdef World seen(self)
    cdef World open(self)
    cdef Py_ssize_t _waiting(self, World world, job) except -1


cdef class PlanView:
    """An availability profile to plan with."""
    cdef Profile profile
    cdef readonly seconds_t now
    cdef readonly nodes_t nodes


cdef class PlainPolicy(Policy):
    cdef object __weakref__
    cdef readonly object kind   # the class that was given
    cdef object author          # the object that decides, of a class from elsewhere
    cdef dict overdue           # what has not returned, and how that is said; its twins know it too
    cdef bytes memory           # what it remembers, as JSON
    cdef Py_ssize_t length      # bytes of that
    cdef bint stale             # whether the object may have another

    cdef int _pass(self, World world) except -1
    cdef int _stop(self, World world, set stopping) except -1
    cdef int _start(self, World world, set started) except -1
    cdef int _requeue(self, World world, set stopped) except -1
    cdef int _remember(self) except -1
    cdef int _recall(self) except -1
