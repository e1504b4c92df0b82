"""What happened to each job: 64 bytes a job, written once in each course of events.

Going back in time does not clear anything: whoever reads asks the world first whether the event has happened yet. A
run from an earlier copy writes the same values again. Another course of events has results of its own.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memcpy

from shadowtime.kernels.core.memory cimport zeros


@cython.final
cdef class Results:
    def __cinit__(self, Py_ssize_t first, Py_ssize_t count):
        """Results of jobs first .. first + count - 1; a forecast has only those of the jobs it meets."""
        self.first = first
        self.count = count
        self._room = <Result *> zeros(count, sizeof(Result))
        self.of = self._room - first
        self.refused = {}

    def __dealloc__(self):
        free(self._room)

    cdef Results until(self, int64_t event):
        """Results of another course of events, that is the same up to an event: cleared of everything after it."""
        cdef Results other = Results(self.first, self.count)
        cdef Py_ssize_t job
        cdef Result *result
        memcpy(other._room, self._room, self.count * sizeof(Result))
        for job in range(self.first, self.first + self.count):
            result = &other.of[job]
            if result.submit_event > event:
                result.submit_event = 0
            if result.start_event > event:
                result.start_event = 0
            if result.finish_event > event:
                result.finish_event = 0
            if result.was_promised > event:
                result.was_promised = 0
        other.refused = {item: refusal for item, refusal in self.refused.items() if refusal[0] <= event}
        return other
