from shadowtime.kernels.core.decisions cimport Decision, Decisions

cdef class DecisionView:
    """What one event decided, frozen."""
    cdef Decision *made         # Decision[count]
    cdef readonly Py_ssize_t count

cdef DecisionView frozen(Decisions decisions)
