"""What an entry asks for, as the planner's compiled part has it."""

from shadowtime.kernels.core.types cimport int64_t
from shadowtime.kernels.slurm.nodeset cimport NodeSet

cdef enum:
    MOST_CPUS = 4194304

cdef extern from *:
    """
    #define SHADOWTIME_MOST_MEMORY ((int64_t)1 << 40)
    #define SHADOWTIME_MOST_DEVICES ((int64_t)1 << 52)
    #define SHADOWTIME_FAR ((int64_t)1 << 56)
    """
    const int64_t MOST_MEMORY "SHADOWTIME_MOST_MEMORY"    # MiB
    const int64_t MOST_DEVICES "SHADOWTIME_MOST_DEVICES"  # devices can be bytes of a disk
    const int64_t FAR "SHADOWTIME_FAR"


cdef class Request:
    cdef int64_t least, most, wanted, cpus, cpus_per_task, tasks_per_node, least_cpus
    cdef int64_t tasks, most_cpus           # most_cpus: what the jobs of the partition together may have of a node
    cdef Py_ssize_t capped                  # which of the capped partitions it is, -1 for another
    cdef int64_t memory_per_cpu, memory_per_node
    cdef bint exclusive, contiguous, wants_devices, by_user
    cdef NodeSet required, candidates       # candidates: of the partition, up, and not excluded
    cdef NodeSet members                    # of the partition
    cdef list required_nodes, alternatives  # alternatives: NodeSet, None for every node
    cdef list terms                         # (count, NodeSet) of each feature with a count
    cdef tuple devices                      # (count, numbers of the kinds that serve)
    cdef object licenses                    # their names
    cdef object nodes, partition, kinds, partitions     # that it was made for
    cdef NodeSet near                       # the nodes that go before others of the same weight; None for none


cdef Request request_of(object entry, object nodes, dict kinds, dict capped)
cdef Request narrowed(Request whole, int64_t least, int64_t wanted, int64_t most)
cdef int64_t bounded(object number, int64_t most) except? -1
