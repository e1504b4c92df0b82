"""The rule of backfilling past one reservation (Feitelson & Weil 1998, Figure 2; docs/schedulers.md, section 2)."""

from shadowtime.kernels.core.types cimport nodes_t, seconds_t


cdef inline bint may_pass(nodes_t size, seconds_t length, nodes_t free, seconds_t left, nodes_t extra) noexcept nogil:
    """Whether a job may start before the blocked head: it fits now, and ends by the shadow time or within the extra nodes.

    `left` is how long it is until the shadow time, `extra` how many nodes the head leaves then. With the least size
    and the least length of several jobs: whether any of them may.
    """
    return size <= free and (length <= left or size <= extra)
