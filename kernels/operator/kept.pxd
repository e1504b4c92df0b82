"""Which nodes the operator keeps out of service until `up`, whatever outage ends (docs/steering.md, Nodes)."""

from shadowtime.kernels.core.machine cimport Machine
from shadowtime.kernels.core.types cimport nodes_t


cdef inline bint is_kept(Machine machine, nodes_t node) noexcept nogil:
    """Whether the operator keeps a node out of service: its bit is in the second half of `down`."""
    return (machine.down[machine.words + (node >> 6)] >> (node & 63)) & 1
