from kernels.core.decisions cimport Decision, Decisions

cdef class Decided:
    """What one event decided, frozen."""
    cdef Decision *made         # Decision[count]
    cdef readonly Py_ssize_t count

cdef Decided frozen(Decisions decisions)
