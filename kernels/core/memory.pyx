"""Memory for columns."""

from libc.stdlib cimport realloc


cdef void *resized(void *column, size_t size) except NULL nogil:
    """A column of another size in bytes, with what it held. MemoryError if there is no room; the column stays as it was."""
    cdef void *grown = realloc(column, size)
    if grown == NULL:
        with gil:
            raise MemoryError
    return grown
