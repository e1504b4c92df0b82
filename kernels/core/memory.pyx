"""Memory for columns, bytes of copies, and the place of a job in rows by job."""

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
    cdef void *made = realloc(column, size)
    if made == NULL:
        with gil:
            raise MemoryError
    return made


cdef void *grown(void *column, Py_ssize_t *room, Py_ssize_t wanted, size_t width) except NULL nogil:
    """A column with room for `wanted` rows of `width` bytes: as it is, or twice as long if its `room` is less. Errors as above."""
    if wanted > room[0] or column == NULL:
        wanted = 2 * max(wanted, 1)
        column = resized(column, wanted * width)
        room[0] = wanted
    return column


cdef Py_ssize_t place_of(const void *rows, Py_ssize_t count, size_t width, job_t job) noexcept nogil:
    """The first of some rows that is not of an earlier job. Each has `width` bytes and begins with its job; they ascend."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) >> 1
        if (<const job_t *> (<const char *> rows + middle * width))[0] < job:
            low = middle + 1
        else:
            high = middle
    return low
