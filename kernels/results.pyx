"""What happened to each job: 64 bytes a job, written once.

Going back in time does not clear anything: whoever reads asks the world first whether the event has happened yet. A
run from an earlier copy writes the same values again.
"""

cimport cython
from libc.stdlib cimport calloc, free


@cython.final
cdef class Results:
    def __cinit__(self, Py_ssize_t first, Py_ssize_t count):
        """Results of jobs first .. first + count - 1; a forecast has only those of the jobs it meets."""
        self.first = first
        self.count = count
        self._room = <Result *> calloc(max(count, 1), sizeof(Result))
        if self._room == NULL:
            raise MemoryError
        self.of = self._room - first

    def __dealloc__(self):
        free(self._room)
