"""Numbers drawn by hashing what they are for: no number depends on the one before."""

from libc.math cimport exp
from libc.stdint cimport int64_t, uint64_t


cdef enum:              # what a number is for
    BOOTSTRAP = 1
    DRAW = 2
    WEEKS = 3


cdef extern from *:
    """
    #include <stdint.h>

    /* In C: it overflows on purpose, which a checked build forbids. */
    static inline uint64_t shadowtime_mix(uint64_t x) {
        x += 0x9E3779B97F4A7C15ull;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
        return x ^ (x >> 31);
    }
    """
    uint64_t mix "shadowtime_mix"(uint64_t x) noexcept nogil


cdef inline uint64_t stream(uint64_t seed, uint64_t sample) noexcept nogil:
    """What all numbers of a sample begin with."""
    return mix(mix(seed) ^ sample)


cdef inline double uniform(uint64_t of_sample, uint64_t purpose, uint64_t a, uint64_t b) noexcept nogil:
    """A number above 0 and below 1."""
    cdef uint64_t word = mix(mix(mix(of_sample ^ purpose) ^ a) ^ b)
    return (<double> (word >> 11) + 0.5) / 9007199254740992.0


cdef inline int periods(uint64_t of_sample, int64_t most) noexcept nogil:
    """How many periods ago the arrivals of a sample were submitted: 1 to `most`, and to 8."""
    cdef int last = <int> min(8, max(1, most)), w
    cdef double whole = 0.0, total = 0.0, wanted
    for w in range(1, last + 1):
        whole += exp(-(<double> (w - 1)) / 4.0)
    wanted = uniform(of_sample, WEEKS, 0, 0) * whole
    for w in range(1, last):
        total += exp(-(<double> (w - 1)) / 4.0)
        if total > wanted:
            return w
    return last
