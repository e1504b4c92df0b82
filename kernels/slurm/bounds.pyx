"""The limits on an entry: which of them keeps it from a start (docs/slurm-cycle.md, section 11)."""

from shadowtime.kernels.core.types cimport seconds_t
from shadowtime.kernels.slurm.departures cimport Departures
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.occupancy cimport Held

from shadowtime.kernels.slurm.amounts import asked, held as held_of
from shadowtime.kernels.slurm.nodeset import members
from shadowtime.kernels.slurm.records import Excess, Measure

# Looked up once: the class of an enumeration takes its time to find a member.
cdef object JOBS = Measure.JOBS, HELD = Measure.HELD, MOST = Measure.MOST, MINUTES = Measure.MINUTES
cdef object LEAST = Measure.LEAST, MOST_MINUTES = Measure.MOST_MINUTES, BY_NODE = Measure.BY_NODE


cdef object too_wide(object entry):
    """The limit that allows fewer nodes than an entry asks for, whoever holds nodes; None for none."""
    for place, limit in enumerate(entry.limits):
        if limit.resource == "node" and limit.what in (HELD, MOST) and entry.wish.least > limit.bound:
            return Excess(place, entry.wish.least)
    return None


cdef object full_of_jobs(Departures departures, object entry):
    """The limit on an entry that as many jobs reach as run; None for none."""
    for place, limit in enumerate(entry.limits):
        if limit.what == JOBS:
            run = len(departures.scoped.get(limit.scope, ()))
            if run >= limit.bound:
                return Excess(place, 1, run)
    return None


cdef object over_limit(object cluster, Departures departures, object entry, seconds_t seconds, NodeSet chosen, bint added):
    """The first limit that does not let an entry have these nodes for so many seconds; None if all do.

    `added`: they are added to those held, not united with them.
    """
    for place, limit in enumerate(entry.limits):
        excess = _over(cluster, departures, entry, seconds, place, limit, chosen, added)
        if excess is not None:
            return excess
    return None


cdef object _over(object cluster, Departures departures, object entry, seconds_t seconds,
                  object place, object limit, NodeSet chosen, bint added):
    cdef Held other
    cdef NodeSet nodes
    if limit.what == JOBS:
        return None
    resource, used = limit.resource, None
    if resource == "node":
        mine = chosen.count()
    else:
        mine = asked(cluster, resource, entry, members(chosen.number()))
    if limit.what == LEAST:
        return Excess(place, mine) if mine < limit.bound else None
    if limit.what == MOST_MINUTES:
        mine *= seconds // 60
    elif limit.what == BY_NODE:
        mine = -(-mine // chosen.count())
    elif limit.what == MINUTES:
        others = departures.scoped.get(limit.scope, ())
        left = [max(0, other.end - departures.now) // 60 for other in others]
        used = sum([held_of(cluster, resource, other.holder) * time for other, time in zip(others, left)])
        mine *= seconds // 60
    elif limit.what == HELD:
        others = departures.scoped.get(limit.scope, ())
        if resource == "node":
            nodes = NodeSet(chosen.length)
            for other in others:
                nodes.join(other.nodes)
            used = nodes.count()
            if not added:
                nodes.join(chosen)
                mine = nodes.count() - used
                if not mine:
                    return None
        else:
            used = sum([held_of(cluster, resource, other.holder) for other in others])
    return Excess(place, mine, used) if mine + (used or 0) > limit.bound else None
