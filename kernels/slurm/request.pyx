"""What an entry asks for, as the planner's compiled part has it.

Numbers beyond 2^22 CPUs, 2^40 mebibytes, 2^52 devices and 2^56 seconds count as these: no product overflows 64 bits.
"""

cimport cython

from shadowtime.kernels.slurm.nodeset cimport set_of


@cython.final
cdef class Request:
    """The request of an entry, with the nodes that it may have (docs/slurm-cycle.md, section 6)."""


cdef int64_t bounded(object number, int64_t most) except? -1:
    return min(number, most)


cdef Request request_of(object entry, object nodes, dict kinds, dict capped):
    """Return the request of an entry. `kinds`: (name, type) -> number of the kind of device; `capped`: partition -> its number."""
    cdef Request made
    cdef object wish = entry.wish
    cdef Py_ssize_t count = len(nodes.cpus)
    if wish.kept:
        made = wish.kept[0]
        if made.nodes is nodes and made.partition == (entry.partition, entry.nodes) and made.kinds == kinds \
                and made.partitions == capped:
            return made
    made = Request()
    made.nodes, made.partition, made.kinds, made.partitions = nodes, (entry.partition, entry.nodes), kinds, capped
    made.least = bounded(wish.least, MOST_MEMORY)
    made.most = bounded(wish.most, MOST_MEMORY)
    made.wanted = bounded(wish.wanted, MOST_MEMORY)
    made.cpus = bounded(wish.cpus, MOST_MEMORY)
    made.cpus_per_task = bounded(wish.cpus_per_task, MOST_CPUS)
    made.tasks_per_node = bounded(wish.tasks_per_node, MOST_CPUS)
    made.least_cpus = bounded(wish.least_cpus, MOST_MEMORY)
    made.memory_per_cpu = bounded(wish.memory_per_cpu, MOST_MEMORY)
    made.memory_per_node = bounded(wish.memory_per_node, MOST_MEMORY)
    made.tasks = bounded(wish.tasks, MOST_MEMORY)
    made.capped = capped.get(entry.partition, -1)
    made.most_cpus = 0 if wish.most_cpus is None else bounded(wish.most_cpus, MOST_CPUS)
    made.exclusive, made.by_user = wish.exclusive, wish.by_user
    made.contiguous = wish.contiguous
    made.required = set_of(count, wish.required)
    made.required_nodes = [node for node in range(count) if made.required.has(node)] if wish.required else []
    made.members = set_of(count, entry.nodes)
    made.candidates = set_of(count, entry.nodes & nodes.up & ~wish.excluded)
    made.alternatives = [None if each == -1 else set_of(count, each) for each in wish.alternatives]
    made.terms = [(bounded(least, MOST_MEMORY), set_of(count, each)) for each, least in wish.terms]
    made.devices = tuple(
        (bounded(wanted, MOST_DEVICES), tuple(number for (other, its), number in kinds.items() if other == name and kind in ("", its)))
        for (name, kind), wanted in wish.devices.items()
    )
    made.wants_devices = len(made.devices) > 0
    made.licenses = frozenset(wish.licenses)
    wish.kept[:] = [made]
    return made


cdef Request narrowed(Request whole, int64_t least, int64_t wanted, int64_t most):
    """Return the same request for other numbers of nodes."""
    cdef Request made = Request()
    made.least, made.wanted, made.most = least, wanted, most
    made.cpus, made.cpus_per_task, made.tasks_per_node = whole.cpus, whole.cpus_per_task, whole.tasks_per_node
    made.least_cpus, made.tasks, made.most_cpus, made.capped = whole.least_cpus, whole.tasks, whole.most_cpus, whole.capped
    made.memory_per_cpu, made.memory_per_node = whole.memory_per_cpu, whole.memory_per_node
    made.exclusive, made.contiguous, made.by_user = whole.exclusive, whole.contiguous, whole.by_user
    made.wants_devices, made.devices, made.licenses = whole.wants_devices, whole.devices, whole.licenses
    made.required, made.required_nodes, made.candidates = whole.required, whole.required_nodes, whole.candidates
    made.alternatives, made.terms = whole.alternatives, []
    return made
