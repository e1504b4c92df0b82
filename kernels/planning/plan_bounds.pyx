"""Lower bounds of the anchor points in a plan that only grows.

Jobs fall into classes by size and length. The anchor point of the least job of a class, with its least size and least length,
bounds the anchor points of all jobs of the class from below. Placements only take room away, so a bound holds until the plan is
begun anew, and is raised from where it was. The search for a job then begins near its place: 52,000 generated jobs, 50,000 of them
waiting at once, take 1.3 s under SJF, against 3.2 s without bounds. Logs whose queues are shorter gain and lose nothing.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memset

from shadowtime.kernels.core.memory cimport resized

cdef extern from *:
    int leading_zeros "__builtin_clzll"(unsigned long long) noexcept nogil


cdef inline Py_ssize_t class_of(int64_t value, int bits) noexcept nogil:
    """The class of a value from 1 on: 1 << bits classes an octave, and a class for each value where an octave has fewer."""
    cdef int octave = 63 - leading_zeros(value)
    if octave <= bits:
        return <Py_ssize_t> value
    return ((octave - bits) << bits) + <Py_ssize_t> (value >> (octave - bits))


cdef inline int64_t least_of(Py_ssize_t klass, int bits) noexcept nogil:
    """The least value of a class."""
    cdef Py_ssize_t octave = klass >> bits, width = (<Py_ssize_t> 1) << bits
    if octave <= 1:
        return klass
    return (<int64_t> (width + (klass & (width - 1)))) << (octave - 1)


@cython.final
cdef class PlanBounds:
    def __dealloc__(self):
        free(self.of)

    cdef int begin(self, Profile profile, nodes_t nodes) except -1 nogil:
        """A plan begins: the profile has the running jobs only. `nodes` is the size of the machine."""
        cdef Py_ssize_t sizes = class_of(nodes, 3) + 1
        if self.sizes < sizes:
            self.of = <Bound *> resized(self.of, sizes * LENGTHS * sizeof(Bound))
            memset(self.of, 0, sizes * LENGTHS * sizeof(Bound))
            self.sizes = sizes
        self.since = profile.version
        return 0

    cdef seconds_t least(self, Profile profile, nodes_t size, seconds_t length, seconds_t limit) noexcept nogil:
        """A job of that size and length has no anchor point before this; what is `limit` or later may be too low."""
        cdef Py_ssize_t wide = class_of(size, 3), lasting = min(class_of(length, 2), LENGTHS - 1)
        cdef Bound *bound = &self.of[wide * LENGTHS + lasting]
        if bound.version < self.since:
            bound.start = profile.time[profile.first]
        elif bound.version == profile.version or bound.start >= limit:
            return bound.start
        bound.start = min(limit, profile.whole(bound.start, limit, <nodes_t> least_of(wide, 3), least_of(lasting, 2)))
        bound.version = profile.version
        return bound.start
