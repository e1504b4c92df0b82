"""Checkpoint-based backfilling."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.preemption cimport Preemption
from shadowtime.kernels.policies.policy cimport Policy


cdef struct CheckpointState:
    seconds_t reserve   # the reserve time: when the blocked head fits by predicted ends; FOREVER where none is known
    job_t head          # the blocked head; NONE when there is none
    nodes_t extra       # nodes free at the reserve time beyond the head's need
    int64_t padding


cdef class Checkpoint(Policy):
    cdef CheckpointState state
    cdef int64_t share          # what of an estimate a job is predicted to take, in millionths
    cdef seconds_t threshold    # shorter estimates are believed
    cdef seconds_t delay        # from a preemption to the head's run: the memory of those who stopped is saved
    cdef seconds_t extend       # without progress at the head of a restarted run: its memory is loaded
    cdef int64_t most           # how often a job is stopped; 0: no limit
    cdef int64_t each           # microseconds to save a node; 0: `delay` and `extend` hold for every job
    cdef int64_t group          # nodes that are saved one after another, through one I/O node
    cdef Preemption preemption  # scratch

    cdef seconds_t _cut(self, seconds_t estimate) noexcept nogil
    cdef seconds_t _saving(self, int64_t size) noexcept nogil
    cdef seconds_t _restart(self, int64_t size) noexcept nogil
    cdef seconds_t _delay(self, World world) noexcept nogil
    cdef bint _protected(self, World world, Py_ssize_t at) noexcept nogil
    cdef seconds_t _lead(self, World world, Py_ssize_t at) noexcept nogil
    cdef seconds_t _prediction(self, World world, Py_ssize_t at) noexcept nogil
    cdef int _arrivals(self, World world) except -1 nogil
    cdef int32_t _assign(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _start_heads(self, World world) except -1 nogil
    cdef bint _preempt_for_head(self, World world) except -1 nogil
    cdef int _scan(self, World world, Py_ssize_t begin) except -1 nogil
    cdef int _backfill(self, World world, Py_ssize_t at) except -1 nogil
