"""Memory for columns."""

from libc.stdlib cimport calloc, realloc


cdef void *zeros(Py_ssize_t count, size_t width) except NULL nogil:
    """A new column of so many rows of `width` bytes, all zero. MemoryError if there is no room."""
    cdef void *made = calloc(max(count, 1), width)
    if made == NULL:
        with gil:
            raise MemoryError
    return made


cdef void *resized(void *column, size_t size) except NULL nogil:
    """A column of another size in bytes, with what it held. MemoryError if there is no room; the column stays as it was."""
    cdef void *grown = realloc(column, size)
    if grown == NULL:
        with gil:
            raise MemoryError
    return grown


cdef void *grown(void *column, Py_ssize_t *room, Py_ssize_t wanted, size_t width) except NULL nogil:
    """A column with room for `wanted` rows of `width` bytes: as it is, or twice as long if its `room` is less. Errors as above."""
    if wanted > room[0] or column == NULL:
        wanted = 2 * max(wanted, 1)
        column = resized(column, wanted * width)
        room[0] = wanted
    return column
