"""A captured cluster and its queue as the kernel takes them: nodes by index, sets as whole numbers."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import overload

import attrs

from shadowtime.console.session.slurm.devices import parse_devices
from shadowtime.console.session.slurm.features import alternatives, meets, terms
from shadowtime.console.session.slurm.limits import Limits
from shadowtime.console.session.slurm.preemption import Preemption
from shadowtime.console.session.slurm.queue import MOST_GONE, Waiting
from shadowtime.kernels.slurm.nodeset import numbered
from shadowtime.kernels.slurm.records import (
    UNKNOWN,
    Cluster,
    Entry,
    Holder,
    Limit,
    Measure,
    Nodes,
    Reservation,
    Rules,
    Take,
    Wish,
)
from shadowtime.scenarios.slurm import Capture, Job, Node, Partition, Share
from shadowtime.scenarios.slurm.config import parse_licenses

YEAR = 365 * 24 * 60
"""Minutes of a job without any limit."""
FIRST = 1 << 33
"""Taken from the weight of a node that goes before all others."""


def problem(capture: Capture, entries: Sequence[Waiting], now: int) -> Cluster:
    """Return the cluster as it stands now."""
    made = Problem(capture)
    found = made.cluster(entries, now, capture.jobs)
    made.listed = None  # It leads back to the problem.
    return found


def reserved_licenses(text: str) -> dict[str, int]:
    """Return the licences of a reservation; none if the list is not one of local licences."""
    try:
        return parse_licenses(text)
    except ValueError:
        return {}


class _Entries(Sequence[Entry]):
    """The entries of a queue, each made when it is asked for: most passes and cycles end before the last."""

    def __init__(self, queued: Sequence[Waiting], make: Callable[[Waiting], Entry]) -> None:
        self._queued, self._make = queued, make
        self._made: list[Entry] = []

    def __len__(self) -> int:
        return len(self._queued)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        while len(self._made) <= place:
            self._made.append(self._make(self._queued[len(self._made)]))
        return self._made[place]

    def __iter__(self) -> Iterator[Entry]:
        """Iterate over the entries in order."""
        made = self._made
        return iter(made) if len(made) == len(self._queued) else self._missing(made)

    def _missing(self, made: list[Entry]) -> Iterator[Entry]:
        """Yield the entries in order, of which some are not made yet."""
        for place, waiting in enumerate(self._queued):
            if place == len(made):
                made.append(self._make(waiting))
            yield made[place]


class Problem:
    """A captured cluster whose jobs come and go: what does not change is made once.

    One thread may ask at a time; another one asks a fork.
    """

    def __init__(self, capture: Capture) -> None:
        partitions = capture.partitions
        self.capture = capture
        self.index = {node.name: place for place, node in enumerate(capture.nodes)}
        self.masks = {each.name: self.mask(each.nodes) for each in partitions}
        """Partition -> its nodes."""
        self.whole = {each.name: each.exclusive for each in partitions}
        """Partition -> whether its jobs take whole nodes."""
        self.single = {each.name: each.exclusive_user for each in partitions}
        """Partition -> whether its nodes go to one user at a time."""
        self.numbers = {each.name: place for place, each in enumerate(capture.reservations)}
        """Reservation -> its index."""
        self.weights = {each.name: each.billing for each in partitions if each.billing}
        """Partition -> what it bills."""
        self.capped = tuple(each.name for each in partitions if each.most_cpus_per_node is not None)
        """The partitions whose jobs may not have all CPUs of a node."""
        self.parted = any(job.het_job for job in capture.jobs)
        """Whether some job has components."""
        self.limits, self.preemption = Limits(capture), Preemption(capture)
        self.shape, self.rules = self.nodes(), rules(capture)
        self.lasts = not self.preemption.on and not any(each.floats for each in capture.reservations)
        """Whether time alone changes nothing of a cluster but the instant."""
        self.reserved = tuple(self.reservations(capture.taken))
        """The reservations, at first."""
        self.made: dict[tuple[int, str, int, int | None], Entry] = {}
        """Entries by job, partition, eligible time (a requeued job has another one) and limit."""
        self.fitting: dict[tuple[int, int], int] = {}
        """Memory and CPUs that a job asks for by node -> the nodes that have as much, as configured."""
        self.listed: tuple[Sequence[Waiting], Sequence[Entry]] | None = None
        """The last queue, and its entries."""
        self.of_holders: list[Job] = []
        self.all_holders: tuple[Holder, ...] = ()
        """The last jobs that held nodes, and what they held."""
        self.next_end = 0
        """The first end of these."""
        self.held: dict[int, tuple[tuple[Share, ...], Holder]] = {}
        """Holders by job, with the shares that they were made of."""

    def fork(self) -> "Problem":
        """Return the same cluster for another thread, which may ask at the same time."""
        other = copy(self)
        # The planner keeps what it works on with the nodes and with the entries, not with the holders.
        other.shape, other.made, other.listed = attrs.evolve(self.shape), {}, None
        other.held, other.next_end = dict(self.held), 0
        return other

    def mask(self, names: Iterable[str]) -> int:
        """The set of these nodes; names of no node are ignored."""
        return numbered([self.index[name] for name in names if name in self.index], len(self.capture.nodes))

    def cluster(
        self,
        entries: Sequence[Waiting],
        now: int,
        jobs: Sequence[Job],
        holding: list[Job] | None = None,
    ) -> Cluster:
        """The cluster with these entries and jobs; `holding`: those that hold nodes, if that is known."""
        capture = self.capture
        holding = [job for job in jobs if job.holding] if holding is None else holding
        sizes = Counter(job.het_job for job in jobs if job.het_job and job.waiting) if self.parted else {}
        return Cluster(
            now=now,
            nodes=self.preferring(self.limits.gathered(holding)),
            holders=self.holders(holding, now),
            entries=_Entries(
                entries,
                lambda waiting: self.component(self.preempting(waiting, holding, now), sizes),
            )
            if self.parted or self.preemption.on
            else self.plain(entries),
            reservations=self.reserved if self.lasts else tuple(self.reservations(now)),
            rules=self.rules,
            licenses=capture.settings.licenses,
            places={job.id: place for place, job in enumerate(jobs)},
            weights=self.weights,
            greatest_billing=capture.settings.greatest_billing,
            capped=self.capped,
        )

    def plain(self, entries: Sequence[Waiting]) -> Sequence[Entry]:
        """The entries of a queue without preemption and without components; of the same queue again."""
        if self.listed is None or self.listed[0] is not entries:
            self.listed = entries, _Entries(entries, self.entry)
        return self.listed[1]

    def holders(self, holding: list[Job], now: int) -> tuple[Holder, ...]:
        """What the jobs hold that hold nodes; of the same jobs again, until one is past its end."""
        if now < self.next_end and holding == self.of_holders:
            return self.all_holders
        if len(self.held) > 2 * len(holding) + MOST_GONE:
            self.held = {job.id: self.held[job.id] for job in holding if job.id in self.held}
        ends = {job.id: job.end for job in holding if job.het_job} if self.parted else {}
        self.all_holders = tuple([self.holder(job, now, ends.get(job.het_job, 0)) for job in holding])
        self.of_holders, self.next_end = holding, min([job.end for job in holding], default=0)
        return self.all_holders

    def forget(self, first: int) -> None:
        """Forget the entries of jobs whose ids are `first` or above."""
        for key in [key for key in self.made if key[0] >= first]:
            del self.made[key]

    def preempting(self, waiting: Waiting, holding: Sequence[Job], now: int) -> Entry:
        """An entry, with the jobs that it may preempt."""
        made = self.entry(waiting)
        if not self.preemption.on:
            return made
        suspends, preempts = self.preemption.victims(waiting, holding, now)
        return attrs.evolve(made, suspends=suspends, preempts=preempts) if suspends or preempts else made

    def nodes(self) -> Nodes:
        nodes = self.capture.nodes
        return Nodes(
            cpus=tuple(node.cores * node.threads for node in nodes),
            threads=tuple(node.threads for node in nodes),
            memory=tuple(node.memory for node in nodes),
            weight=tuple(node.weight for node in nodes),
            devices=tuple(parse_devices(node.devices) for node in nodes),
            up=self.mask(node.name for node in nodes if node.up),
            lines=self.lines() if self.limits.on else (),
        )

    def lines(self) -> tuple[int, ...]:
        """The sets of nodes that are configured alike."""
        found: dict[Node, int] = {}
        for place, node in enumerate(self.capture.nodes):
            alike = attrs.evolve(node, name="", states=(), reason="", allocated=0, reason_by="", reason_at=0)
            found[alike] = found.get(alike, 0) | 1 << place
        return tuple(found.values())

    def preferring(self, first: Iterable[str]) -> Nodes:
        """The nodes, of which these are taken first."""
        lighter = {self.index[name] for name in first}
        if not lighter:
            return self.shape
        weight = self.shape.weight
        found = (each - FIRST * (place in lighter) for place, each in enumerate(weight))
        return attrs.evolve(self.shape, weight=tuple(found))

    def reservations(self, now: int) -> Iterable[Reservation]:
        """The reservations; one that floats stays as far ahead as in the capture."""
        for each in self.capture.reservations:
            moved = each.moved(now)
            yield Reservation(
                each.begin + moved,
                each.end + moved,
                self.mask(each.nodes),
                all_nodes="ALL_NODES" in each.flags,
                maintenance="MAINT" in each.flags,
                flexible=each.flexible,
                any_nodes=each.any_nodes,
                licenses=reserved_licenses(each.licenses),
                noted_end=each.end,
            )

    def component(self, entry: Entry, sizes: Mapping[int, int]) -> Entry:
        """An entry; of a component with how many of its job wait."""
        count = sizes.get(entry.component, 0)
        return entry if entry.components == count else attrs.evolve(entry, components=count)

    def holder(self, job: Job, now: int, ends_with: int = 0) -> Holder:
        """What a job holds, and until when. `ends_with`: the end of the first component of its job, or 0."""
        shares, made = self.held.get(job.id, ((), None))
        if made is None or shares is not job.shares or made.end != job.end:
            made = self.new_holder(job, now)
            self.held[job.id] = job.shares, made
        if made.ends_with != ends_with:
            made = attrs.evolve(made, ends_with=ends_with)
        return made if job.end > now else attrs.evolve(made, leaves=self.leaves(job, now))

    def new_holder(self, job: Job, now: int) -> Holder:
        return Holder(
            end=job.end,
            leaves=self.leaves(job, now),
            takes={self.index[share.node]: self.take(share) for share in job.shares},
            nodes=self.mask(share.node for share in job.shares),
            exclusive=job.request.exclusive or self.whole[job.partitions[0]],
            user=job.user,
            licenses=parse_licenses(job.request.licenses),
            partition=job.partitions[0],
            job=job.id,
            scopes=self.limits.scopes(job, job.partitions[0]),
            by_user=job.request.exclusive_user or self.single[job.partitions[0]],
        )

    def take(self, share: Share) -> Take:
        threads = self.capture.nodes[self.index[share.node]].threads
        return Take(share.cores * threads, share.memory, parse_devices(share.devices))

    def leaves(self, job: Job, now: int) -> int:
        """When a running job is thought to be gone."""
        return leaves(self.capture, job, now)

    def entry(self, waiting: Waiting) -> Entry:
        """An entry as it stands alone; of one and the same it is kept."""
        kept = waiting.kept
        of, made = kept[0] if kept else (None, None)
        if made is None or of is not self.shape:
            made = self.known_entry(waiting)
            # In one step: a fork may ask for the same at the same time.
            kept[:] = [(self.shape, made)]
        return made

    def known_entry(self, waiting: Waiting) -> Entry:
        """An entry, made of what is known of its job."""
        key = waiting.job.id, waiting.partition.name, waiting.job.eligible, waiting.job.limit
        if key not in self.made:
            self.made[key] = self.new_entry(waiting)
        made, compared = self.made[key], self.rules.min_prio_reserve > 0
        priority = waiting.priority if compared else made.priority
        if (made.tries, made.starts, made.priority) == (waiting.tries, waiting.starts, priority):
            return made
        made = attrs.evolve(made, tries=waiting.tries, starts=waiting.starts, priority=priority)
        self.made[key] = made
        return made

    def new_entry(self, waiting: Waiting) -> Entry:
        job, partition = waiting.job, waiting.partition
        whole = next((bound for bound in (job.limit, partition.most_minutes) if bound is not None), YEAR)
        limit = job.least_limit if 0 < job.least_limit < whole and not job.deadline else whole
        return Entry(
            job=job.id,
            user=job.user,
            partition=partition.name,
            nodes=self.masks[partition.name],
            priority=waiting.priority,
            eligible=job.eligible,
            reservation=self.numbers.get(job.reservation, UNKNOWN) if job.reservation else None,
            tries=waiting.tries,
            limit=60 * limit,
            whole_limit=60 * whole,
            wish=self.wish(job, partition),
            starts=waiting.starts,
            plans=waiting.plans,
            shares=partition.shares if partition.forced else 1,
            association=job.association,
            limits=self.limits.on_size(job, partition.name),
            near=self.limits.near(job, partition.name),
            scopes=self.limits.scopes(job, partition.name),
            component=job.het_job,
            deadline=job.deadline if job.least_limit else 0,
            least_limit=60 * job.least_limit,
        )

    def wish(self, job: Job, partition: Partition) -> Wish:
        request = job.request
        least = request.least_nodes
        most = min(filter(None, (request.most_nodes, partition.most_nodes)), default=len(self.index))
        if request.tasks and not request.tasks_per_node:
            most = min(most, max(request.tasks, least))
        widest = (each.bound for each in self.limits.on_size(job, partition.name) if of_nodes(each))
        most = max(min(most, *widest, len(self.index)), least)
        given = min(request.most_nodes, most) if request.nodes_wanted else 0
        large = self.large(request.memory_per_node, request.least_cpus_per_node)
        counted = terms(request)
        texts = ("",) if counted else alternatives(request.features)
        return Wish(
            least=least,
            most=most,
            wanted=given or least,
            cpus=request.cpus,
            cpus_per_task=max(1, request.cpus_per_task),
            tasks_per_node=request.tasks_per_node,
            least_cpus=request.least_cpus_per_node,
            memory_per_cpu=request.memory_per_cpu,
            memory_per_node=request.memory_per_node,
            exclusive=partition.exclusive or request.exclusive,
            contiguous=request.contiguous,
            required=self.mask(request.required_nodes),
            excluded=self.mask(request.excluded_nodes),
            alternatives=tuple(self.having(text) & large for text in texts)
            if all(name in self.index for name in request.required_nodes)
            else (),
            devices=parse_devices(request.devices_per_node),
            licenses=parse_licenses(request.licenses),
            by_user=request.exclusive_user or partition.exclusive_user,
            terms=tuple((self.having(text), count) for text, count in counted),
            tasks=request.tasks,
            most_cpus=partition.most_cpus_per_node,
        )

    def large(self, memory: int, cpus: int) -> int:
        """The nodes that have as configured what a job asks for by node; -1 for all of them."""
        wanted = memory, cpus
        if wanted not in self.fitting:
            fits = [
                node.memory >= memory and node.cores * node.threads >= cpus for node in self.capture.nodes
            ]
            self.fitting[wanted] = -1 if all(fits) else self.chosen(fits)
        return self.fitting[wanted]

    def chosen(self, each: Iterable[bool]) -> int:
        """The set of the nodes for which this is true, in the order of the nodes."""
        return numbered([place for place, one in enumerate(each) if one], len(self.capture.nodes))

    def having(self, text: str) -> int:
        if not text:
            return -1
        meet = meets(text)
        return self.chosen(meet(node.features) for node in self.capture.nodes)


def leaves(capture: Capture, job: Job, now: int) -> int:
    """Return when a running job is thought to be gone."""
    settings = capture.settings
    if job.end > now:
        return job.end
    if settings.over_time_limit is None:
        return now + 60 * (job.limit or 0)
    return max(now + 1, job.end + settings.kill_wait + settings.over_time_limit)


def of_nodes(limit: Limit) -> bool:
    """Return whether a limit bounds how many nodes a job may have."""
    return limit.resource == "node" and limit.what in (Measure.HELD, Measure.MOST)


def rules(capture: Capture) -> Rules:
    settings, limits = capture.settings, capture.settings.backfill
    given = {
        **{name: each for name, each in attrs.asdict(limits).items() if name in attrs.fields_dict(Rules)},
        "window": 60 * limits.window,
    }
    return Rules(
        release=int(capture.generation.rules.replace(".", "")),
        most_records=limits.node_space_size or limits.max_job_test,
        memory_counts=any("MEMORY" in word for word in settings.select_parameters),
        whole_cores=not any(word.startswith("CR_CPU") for word in settings.select_parameters),
        **given,
    )
