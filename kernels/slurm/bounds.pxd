"""The limits on an entry."""

from shadowtime.kernels.core.types cimport seconds_t
from shadowtime.kernels.slurm.departures cimport Departures
from shadowtime.kernels.slurm.nodeset cimport NodeSet

cdef object too_wide(object entry)
cdef object full_of_jobs(Departures departures, object entry)
cdef object over_limit(object cluster, Departures departures, object entry, seconds_t seconds, NodeSet chosen, bint added)
