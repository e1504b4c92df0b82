"""Starts now beside some of the running jobs only (docs/slurm-cycle.md, section 17)."""

from shadowtime.kernels.slurm.departures cimport Departures, Found
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.occupancy cimport Held
from shadowtime.kernels.slurm.request cimport Request


cdef Found sharing(Departures departures, Request request, NodeSet available, object entry):
    """A start in the first row of the entry's partition with room, beside the jobs of other partitions."""
    cdef Found found
    if entry.shares < 2 or entry.wish.exclusive:
        return None
    mates = [held for held in departures.held if _takes_turns((<Held> held).holder, entry.partition)]
    mates.sort(key=_by_first_node)
    rows = [[] for _row in range(entry.shares)]
    shape = departures.occupancy.nodes
    for held in mates:
        holder = (<Held> held).holder
        for row in rows:
            if _fits(shape, row, holder):
                row.append(held)
                break
        else:
            rows[0].append(held)
    for row in rows:
        found = departures.beside(request, available, [held for held in mates if held not in row], [])
        if found is not None:
            return found
    return None


def _takes_turns(holder, partition):
    return holder.partition == partition and not holder.exclusive and holder.nodes


def _by_first_node(held):
    holder = (<Held> held).holder
    return (holder.nodes & -holder.nodes).bit_length(), -holder.nodes.bit_count(), holder.job


def _fits(shape, row, holder):
    """Whether a row has the CPUs of a job."""
    for node, take in holder.takes.items():
        used = take.cpus
        for held in row:
            there = (<Held> held).holder.takes.get(node)
            used += there.cpus if there is not None else 0
        if used > shape.cpus[node]:
            return False
    return True


cdef Found preempting(Departures departures, Request request, NodeSet available, object entry, list gone, list victims):
    """A start for which others are suspended, or requeued or cancelled: the indexes of these go to `victims`.

    `gone`: the indexes of those that are preempted already.
    """
    cdef Found found
    suspended = [departures.indexed[index] for index in entry.suspends]
    if suspended:
        found = departures.beside(request, available, suspended, [])
        if found is not None:
            return found
    candidates = [index for index in entry.preempts if index not in gone]
    first = _round(departures, request, available, suspended, candidates)
    if first is None:
        return None
    nodes, away = (<Found> first[0]).nodes.number(), first[1]
    last = away.pop()
    others = sorted(away, key=lambda index: -_common(departures, index, nodes))
    second = _round(departures, request, available, suspended, [last, *others])
    nodes = (<Found> second[0]).nodes.number()
    victims.extend([index for index in second[1] if _common(departures, index, nodes)])
    return second[0]


def _common(Departures departures, Py_ssize_t index, nodes):
    """How many of the nodes a job holds."""
    return ((<Held> departures.indexed[index]).holder.nodes & nodes).bit_count()


def _round(Departures departures, Request request, NodeSet available, suspended, candidates):
    """Think the candidates away, one after the other, until the job fits: the start, and those thought away."""
    cdef Found found
    away = []
    taken = []
    for index in candidates:
        away.append(departures.indexed[index])
        taken.append(index)
        found = departures.beside(request, available, suspended, away)
        if found is not None:
            return found, taken
    return None
