"""The order of a column: which rows come first by its values."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, qsort

from array import array


cdef struct Place:
    int64_t value
    int64_t row


cdef int _by_value(const void *a, const void *b) noexcept nogil:
    cdef const Place *x = <const Place *> a
    cdef const Place *y = <const Place *> b
    if x.value != y.value:
        return -1 if x.value < y.value else 1
    return -1 if x.row < y.row else (1 if x.row > y.row else 0)


def order_of(const int64_t[::1] values):
    """The rows of a column of int64, the least value first; of equal values the first row first.

    Without a Python object a row: a column that ascends costs nothing, any other an array of int64.
    """
    cdef Py_ssize_t i, count = values.shape[0]
    cdef bint ascending = True
    cdef Place *places
    cdef int64_t[::1] to
    with nogil:
        for i in range(1, count):
            if values[i] < values[i - 1]:
                ascending = False
                break
    if ascending:
        return range(count)
    places = <Place *> malloc(count * sizeof(Place))
    if places == NULL:
        raise MemoryError
    try:
        with nogil:
            for i in range(count):
                places[i] = Place(values[i], i)
            qsort(places, count, sizeof(Place), &_by_value)
        rows = array("q", [0]) * count
        to = rows
        for i in range(count):
            to[i] = places[i].row
    finally:
        free(places)
    return rows
