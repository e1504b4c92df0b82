"""Features with counts: a choice for each of them, and one for the nodes that are left (docs/slurm-cycle.md, section 9)."""


from shadowtime.kernels.core.memory cimport resized
from shadowtime.kernels.core.types cimport FOREVER, int64_t, seconds_t
from shadowtime.kernels.slurm.departures cimport Departures, Found, Given
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.request cimport Request, narrowed


cdef Found by_terms(Departures departures, Request request, NodeSet available, seconds_t since, seconds_t later):
    """The latest of the starts of the features, with the nodes of all choices.

    `since` FOREVER: now, beside all running jobs.
    """
    cdef NodeSet left = available.copy(), having
    cdef Found found, made
    cdef list all_found = []
    cdef int64_t count, chosen = 0
    for nodes in request.alternatives:
        if nodes is not None:
            left.keep(<NodeSet> nodes)
    for count, meeting in request.terms:
        having = left.copy()
        having.keep(<NodeSet> meeting)
        found = _ask(departures, narrowed(request, count, count, request.most), having, since, later)
        if found is None:
            break
        all_found.append(found)
        chosen += found.count
        left.drop(found.nodes)
    if not all_found:
        return None
    made = _together(all_found)
    made.stays = len(all_found) < len(request.terms) or chosen > request.most
    made.stays |= not request.exclusive and departures.release != 2205
    if chosen >= request.least:
        return made
    found = _ask(
        departures,
        narrowed(request, request.least - chosen, max(request.least, request.wanted) - chosen, request.most - chosen),
        left, since, later,
    )
    if found is None:
        return None
    all_found.append(found)
    cdef seconds_t at = made.at
    cdef bint stays = made.stays or found.at > departures.now
    made = _together(all_found)
    made.at, made.stays = at, stays
    return made


cdef Found _ask(Departures departures, Request part, NodeSet nodes, seconds_t since, seconds_t later):
    """One choice among some nodes; None if they are too few."""
    if not nodes.holds(part.least):
        return None
    if since == FOREVER:
        return departures.immediate(part, nodes, False)
    return departures.earliest(part, nodes, since, later, [])


cdef Found _together(list starts):
    """One start with the nodes of all, at the latest of them."""
    cdef Found made = Found(), each
    cdef Py_ssize_t i, size = 0
    for each in starts:
        size += each.count
    made.given = <Given *> resized(NULL, max(size, 1) * sizeof(Given))
    made.nodes = (<Found> starts[0]).nodes.copy()
    for each in starts:
        made.at = max(made.at, each.at)
        made.overdue |= each.overdue
        made.nodes.join(each.nodes)
        for i in range(each.count):
            made.given[made.count] = each.given[i]
            made.count += 1
    return made
