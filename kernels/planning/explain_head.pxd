"""What there is to say of waiting jobs where the head of the queue has a reservation."""

from shadowtime.kernels.core.types cimport nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World


cdef object blocked_head(World world, Py_ssize_t head, seconds_t late)
cdef object behind_head(World world, Py_ssize_t at, Py_ssize_t head, seconds_t length, seconds_t late)
cdef object reserved_head(World world, Py_ssize_t head, seconds_t shadow, nodes_t extra)
cdef object behind_reservation(World world, Py_ssize_t at, Py_ssize_t head, seconds_t length, seconds_t shadow, nodes_t extra)
