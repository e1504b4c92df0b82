"""Features with counts."""

from shadowtime.kernels.core.types cimport seconds_t
from shadowtime.kernels.slurm.departures cimport Departures, Found
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.request cimport Request


cdef Found by_terms(Departures departures, Request request, NodeSet available, seconds_t since, seconds_t later)
