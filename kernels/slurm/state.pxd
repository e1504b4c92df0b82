"""What a backfill cycle changes, and the reservations of the operator."""

cimport cython

from shadowtime.kernels.core.types cimport int64_t, seconds_t
from shadowtime.kernels.slurm.departures cimport Departures
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.profile cimport Profile


@cython.final
cdef class Booked:
    cdef seconds_t begin, end, noted_end
    cdef NodeSet nodes
    cdef bint all_nodes, maintenance, flexible, any_nodes


@cython.final
cdef class State:
    cdef readonly object cluster
    cdef readonly seconds_t now
    cdef public seconds_t steady        # before this instant the tries since it was set find what they have found
    cdef readonly seconds_t stands      # before this instant the jobs and the rules are as they are now
    cdef readonly list reserved         # (begin, end, NodeSet) of each reservation of the plan
    cdef readonly bint full
    cdef object rules
    cdef int64_t release
    cdef Py_ssize_t nodes
    cdef seconds_t resolution, window, end
    cdef Profile profile
    cdef Departures departures
    cdef bint shared                    # whether other cycles may begin with them
    cdef NodeSet closed                 # to the rest of a main pass
    cdef list lines                     # the sets of nodes that are configured alike
    cdef list booked                    # the reservations of the operator
    cdef readonly list begun            # (index of the entry, Holder) of each start
    cdef dict moved                     # array -> the place of its tasks that still wait, once one has started
    cdef Py_ssize_t length              # of the list of jobs
    cdef readonly list preempted        # indexes of the holders that are requeued or cancelled
    cdef readonly object together
    cdef bint apart                     # whether some job that runs shares its nodes with no other user

    cdef int own(self) except -1
    cdef seconds_t _standing(self) except? -1
    cdef void hold(self, seconds_t until) noexcept
    cdef int reserve(self, seconds_t at, seconds_t end, NodeSet nodes, object licenses) except -1
    cdef seconds_t _floor(self, seconds_t time) noexcept
    cdef seconds_t _ceil(self, seconds_t time) noexcept
    cdef Py_ssize_t _take_place(self, object job) except -1
