"""Starts now beside some of the running jobs only: who is preempted, and rows of jobs that take turns."""

from shadowtime.kernels.slurm.departures cimport Departures, Found
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.request cimport Request

cdef Found sharing(Departures departures, Request request, NodeSet available, object entry)
cdef Found preempting(Departures departures, Request request, NodeSet available, object entry, list gone, list victims)
