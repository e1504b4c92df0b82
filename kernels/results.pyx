"""What happened to each job: one cache line a job, written once.

Going back in time does not clear anything: whoever reads asks the world first whether the event has happened yet. A
run from an earlier copy writes the same values again.
"""

cimport cython
from libc.stdlib cimport calloc, free


@cython.final
cdef class Results:
    def __cinit__(self, Py_ssize_t count):
        # Pages that a short forecast never touches cost nothing: they are zero without being written.
        self.count = count
        self.of = <Result *> calloc(max(count, 1), sizeof(Result))
        if self.of == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.of)
