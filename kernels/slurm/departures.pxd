"""When the running jobs leave."""

from shadowtime.kernels.core.types cimport int64_t, seconds_t
from shadowtime.kernels.slurm.choice cimport Choice
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.occupancy cimport Held, Occupancy
from shadowtime.kernels.slurm.request cimport Request
from shadowtime.kernels.slurm.vacating cimport Vacating

cdef struct Given:
    Py_ssize_t node
    int64_t cpus


cdef class Found:
    cdef seconds_t at
    cdef bint overdue           # jobs past their end were thought away for it
    cdef bint stays             # the job would not start there now
    cdef NodeSet nodes
    cdef Given *given
    cdef Py_ssize_t count


cdef class Departures:
    cdef seconds_t now
    cdef int64_t release, linear
    cdef bint busy_first, licensed   # licensed: a start waits for licences
    cdef readonly list held     # Held, by when they leave, then by place
    cdef list by_gone           # Held, by when rule 2 of section 5 has them away
    cdef Py_ssize_t cut         # so many of them are away
    cdef list others            # who is away or suspended beside them
    cdef seconds_t overdue      # when the first job past its end is gone, FOREVER without one
    cdef bint straight          # whether all jobs are gone when they leave
    cdef readonly list indexed  # Held, in the order of the cluster
    cdef readonly dict scoped   # the count of a limit -> the Held that are in it
    cdef seconds_t next_end     # the first end of a job
    cdef Occupancy occupancy
    cdef NodeSet open           # the nodes that have a free CPU while every job is present
    cdef Choice choice
    cdef Vacating emptied, opened   # when nodes are empty, and have a free CPU; None: not asked for yet
    cdef object holders, rules, capped  # that they were made of
    cdef unsigned long thread                    # in which: another one may not begin with them

    cdef int _note(self, Held held) except -1
    cdef void _add(self, Held held) noexcept
    cdef bint stands_for(self, cluster) except -1
    cdef bint has_room(self, Request request) except -1
    cdef NodeSet vacated(self, Request request, seconds_t instant)
    cdef int start(self, object holder, Py_ssize_t place) except -1
    cdef void restore(self) noexcept
    cdef int preempt(self, list victims) except -1
    cdef Found earliest(self, Request request, NodeSet available, seconds_t since, seconds_t later, list away)
    cdef Found immediate(self, Request request, NodeSet available, bint in_full)
    cdef Found beside(self, Request request, NodeSet available, list suspended, list away)
    cdef void _cut(self, seconds_t until) noexcept
    cdef Py_ssize_t _first(self, seconds_t until) noexcept
    cdef Found _choose(self, Request request, NodeSet available, bint capped, NodeSet busy, seconds_t at)
    cdef int _remove(self, list away, seconds_t until) except -1
    cdef Found _in_steps(self, Request request, NodeSet available, seconds_t since, seconds_t later, list away)
    cdef bint _counts(self, Held held, Request request, NodeSet available, seconds_t since) except -1
    cdef NodeSet _in_use(self)
    cdef seconds_t _wider(self, seconds_t width, seconds_t needed) noexcept
    cdef seconds_t _moment(self, list gone, NodeSet nodes)


cdef Departures departures_of(cluster)
