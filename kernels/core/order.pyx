"""The order of a column: which rows come first by its values."""

from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memcpy

from array import array
from bisect import bisect_right

from shadowtime.kernels.core.types cimport int32_t, int64_t


cdef void _merge(
    const int64_t *values, const int32_t *rows, int32_t *to, Py_ssize_t begin, Py_ssize_t middle, Py_ssize_t end,
) noexcept nogil:
    """Merge two ordered stretches of rows; of equal values those of the first stretch come first."""
    cdef Py_ssize_t left = begin, right = middle, at
    if middle >= end or values[rows[middle - 1]] <= values[rows[middle]]:
        memcpy(to + begin, rows + begin, (end - begin) * sizeof(int32_t))
        return
    for at in range(begin, end):
        if left < middle and (right >= end or values[rows[left]] <= values[rows[right]]):
            to[at] = rows[left]
            left += 1
        else:
            to[at] = rows[right]
            right += 1


def order_of(const int64_t[::1] values):
    """The rows of a column of int64, the least value first; of equal values the first row first.

    A column that ascends costs nothing. Any other costs 4 bytes a row, and 4 more meanwhile: a sort of Python's takes
    twenty times as many.
    """
    cdef Py_ssize_t count = values.shape[0], i, begin, width = 1
    cdef int32_t[::1] rows, to
    for i in range(1, count):
        if values[i] < values[i - 1]:
            break
    else:
        return range(count)
    found, spare = array("i", [0]) * count, array("i", [0]) * count
    rows = found
    for i in range(count):
        rows[i] = <int32_t> i
    while width < count:
        rows, to = found, spare
        with nogil:
            begin = 0
            while begin < count:
                _merge(&values[0], &rows[0], &to[0], begin, min(begin + width, count), min(begin + 2 * width, count))
                begin += 2 * width
        found, spare = spare, found
        width *= 2
        # A long column takes a second or more.
        PyErr_CheckSignals()
    return found


def least(list values, Py_ssize_t count):
    """The places of so many values, the least first; of equal values the first place first. None is no value."""
    cdef list kept = [], places = []
    cdef Py_ssize_t place, at
    for place, value in enumerate(values):
        if value is None or not count or (len(kept) == count and not value < kept[count - 1]):
            continue
        at = bisect_right(kept, value)
        kept.insert(at, value)
        places.insert(at, place)
        del kept[count:], places[count:]
    return places
