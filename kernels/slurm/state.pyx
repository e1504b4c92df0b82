"""What a backfill cycle changes: the profile, who runs, and what is reserved (docs/slurm-cycle.md, section 4)."""

from shadowtime.kernels.core.types cimport FOREVER, seconds_t
from shadowtime.kernels.slurm.bounds cimport full_of_jobs
from shadowtime.kernels.slurm.departures cimport Departures, departures_of
from shadowtime.kernels.slurm.nodeset cimport NodeSet, set_of
from shadowtime.kernels.slurm.occupancy cimport Held, Occupancy
from shadowtime.kernels.slurm.profile cimport Profile
from shadowtime.kernels.slurm.request cimport FAR, Request, bounded, request_of

from shadowtime.kernels.slurm.together import Together


cdef class Booked:
    """A reservation of the operator, as the tries read it."""

    def __cinit__(self, each, Py_ssize_t nodes):
        self.begin, self.end, self.noted_end = bounded(each.begin, FAR), bounded(each.end, FAR), bounded(each.noted_end, FAR)
        self.nodes = set_of(nodes, each.nodes)
        self.all_nodes, self.maintenance = each.all_nodes, each.maintenance
        self.flexible, self.any_nodes = each.flexible, each.any_nodes


cdef class State:
    """What a cycle changes: the profile, who runs, and whether the table of records is full."""

    def __cinit__(self, cluster):
        rules = cluster.rules
        self.cluster, self.rules, self.release = cluster, rules, rules.release
        self.nodes = len(cluster.nodes.cpus)
        self.resolution, self.window = bounded(rules.resolution, FAR), bounded(rules.window, FAR)
        self.departures, self.shared = departures_of(cluster), True
        self.lines = [set_of(self.nodes, line) for line in cluster.nodes.lines]
        self.booked = [Booked(each, self.nodes) for each in cluster.reservations]
        self.begun, self.preempted = [], []
        self.again(cluster.now)
        self.closed = NodeSet((self.nodes + 63) // 64)
        self.apart = any([holder.by_user for holder in cluster.holders])
        self.moved, self.length = {}, len(cluster.places)
        if rules.running_job_reserve or rules.licenses:
            for holder in cluster.holders:
                taken = holder.licenses if rules.licenses else {}
                whole = set_of(self.nodes, holder.nodes) if holder.exclusive else None
                self.profile.reserve(self.now, self._ceil(bounded(holder.leaves, FAR)), whole, taken)
        self.stands = self._standing()

    def again(self, now):
        """Begin a cycle at another instant, before `stands`, after one that has started and preempted nobody."""
        licenses = dict(self.cluster.licenses) if self.rules.licenses else {}
        self.now = self.departures.now = now
        self.end, self.steady = self._floor(self.now + self.window), FOREVER
        self.together = Together(self.release == 2205)
        up = set_of(self.nodes, self.cluster.nodes.up)
        self.profile = Profile(self._floor(self.now), self.end, up, licenses, self.resolution)
        self.reserved, self.full = [], False

    cdef int own(self) except -1:
        """Jobs start or are preempted: what other cycles begin with stays as it is."""
        if self.shared:
            self.departures, self.shared = Departures(self.cluster), False
            self.departures.now = self.now
        return 0

    def may_start(self, entry):
        """Return whether an entry could start now, whatever is reserved; True where that is not clear at once."""
        cdef Occupancy occupancy
        cdef Request request
        if entry.component or entry.shares > 1 or entry.suspends or entry.preempts:
            return True
        if not entry.starts:
            return False
        occupancy = self.departures.occupancy
        request = request_of(entry, self.cluster.nodes, occupancy.kinds, occupancy.capped)
        return bool(request.terms) or self.departures.has_room(request)

    cdef seconds_t _standing(self) except? -1:
        """Until when time alone moves neither who runs, nor what holds for all entries: now if it does at once."""
        cdef Held held
        cdef seconds_t found = self.departures.overdue
        if self.rules.running_job_reserve or self.rules.licenses or found != FOREVER:
            return self.now
        for held in self.departures.held:
            found = min(found, held.end, held.leaves, held.gone)
        return max(found, self.now)

    cdef void hold(self, seconds_t until) noexcept:
        """What has been found holds until an instant at the latest: then a comparison with now has another outcome."""
        self.steady = min(self.steady, until)

    cdef int reserve(self, seconds_t at, seconds_t end, NodeSet nodes, object licenses) except -1:
        """Reserve nodes for a job that starts at an instant. The profile begins and ends later as time goes on."""
        self.hold(self._floor(at))
        if at >= self.end:
            self.hold(at - self.window)
        if end >= self.end:
            self.hold(end - self.window + (self.resolution if end == self.end else 0))
        self.reserved.append((self._floor(at), end, nodes))
        return self.profile.reserve(self._floor(at), end, nodes, licenses)

    @property
    def records(self):
        """How many records the profile has, and how many it has had with those that were merged."""
        return self.profile.count, self.profile.records

    def repeat(self, reserved):
        """Reserve what an entry has reserved in the cycle before: (begin, end, NodeSet) of each."""
        for begin, end, nodes in reserved:
            self.profile.reserve(begin, end, <NodeSet> nodes, {})
        self.reserved += reserved

    cdef seconds_t _floor(self, seconds_t time) noexcept:
        return time - time % self.resolution

    cdef seconds_t _ceil(self, seconds_t time) noexcept:
        return self._floor(time + self.resolution - 1)

    cdef Py_ssize_t _take_place(self, object job) except -1:
        """The place of a job that starts: a task has that of its array, and the others go to the end."""
        cdef Py_ssize_t place
        place = self.moved[job] if job in self.moved else self.cluster.places[job]
        self.moved[job] = self.length
        self.length += 1
        return place

    def lacks_licenses(self, entry):
        """Return whether the licences of an entry are not free now: other reservations in its time keep theirs."""
        cdef Held held
        wanted = entry.wish.licenses
        if not wanted:
            return False
        free = dict(self.cluster.licenses)
        for held in self.departures.held:
            for name, count in held.holder.licenses.items():
                free[name] = free.get(name, 0) - count
        for index, each in enumerate(self.cluster.reservations):
            if index == entry.reservation or not each.licenses or each.end <= self.now:
                continue
            if each.begin >= self.now + entry.limit:
                self.hold(each.begin - bounded(entry.limit, FAR) + 1)
            else:
                for name, count in each.licenses.items():
                    free[name] = free.get(name, 0) - count
        return any([free.get(name, 0) < count for name, count in wanted.items()])

    def full_of_jobs(self, entry):
        """Return the limit on an entry that as many jobs reach as run; None for none."""
        return full_of_jobs(self.departures, entry)

    def close(self, nodes):
        """Use these nodes no more in this main pass."""
        self.closed.join(set_of(self.nodes, nodes))
