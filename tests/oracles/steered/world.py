"""The machine, the jobs and their states, and what each change of a state does, whoever asks for it.

A node is out when it was drained or downed and is not back: down when nobody has it, draining while somebody
does. A job has nodes from its start to its end; under `gang`, from its placing, also while it does not run.
"""

from dataclasses import dataclass, field

from tests.oracles.jobs import Job
from tests.oracles.steered.case import Case, Fate, Outage, Stretch

OVER = ("F", "C", "K")


@dataclass
class Record:
    """What has become of one job so far."""

    left: int
    """Seconds of progress to go."""
    state: str = ""
    """None before its submission."""
    priority: int = 0
    ran: bool = False
    start: int | None = None
    finish: int | None = None
    preemptions: int = 0
    entered: int = 0
    """When it last entered the queue."""
    wait: int = 0
    nodes: tuple[int, ...] = ()
    since: int = 0
    """When it got those nodes."""
    held: list[Stretch] = field(default_factory=list)


class World:
    """The machine and its jobs at an instant."""

    def __init__(self, case: Case) -> None:
        self.jobs: list[Job] = case.jobs
        self.nodes, self.on_failure, self.interval = case.nodes, case.on_failure, case.interval
        self.now = 0
        self.stalled_until = 0  # nobody makes progress before this instant
        self.records = [Record(left=job.runtime) for job in case.jobs]
        self.running: list[int] = []  # in the order in which their runs began
        self.placed: list[int] = []  # the jobs that have nodes
        self.out: set[int] = set()
        self.kept: set[int] = set()  # those of them that the operator keeps out, whatever outage ends
        self.outages: list[Outage] = []  # those that have begun and are not over
        self.wasted = 0  # node-seconds of progress that failures undid

    # Jobs

    def queue(self) -> list[int]:
        """The waiting jobs: highest priority first, equals by arrival."""
        waiting = [job for job, record in enumerate(self.records) if record.state in ("N", "O")]
        return sorted(waiting, key=lambda job: (-self.records[job].priority, job))

    def done(self, job: int) -> int:
        """Seconds of progress that a job has."""
        return self.jobs[job].runtime - self.records[job].left

    def estimate(self, job: int) -> int:
        """What is left of a job's estimate, a second at least."""
        return max(1, self.jobs[job].estimate - self.done(job))

    def enqueue(self, job: int) -> None:
        """A job enters the queue, at its place."""
        record = self.records[job]
        record.state, record.entered = ("O" if record.ran else "N"), self.now

    def give(self, job: int, nodes: tuple[int, ...]) -> None:
        """A job gets nodes and leaves the queue; it does not run yet, and waits on where it never ran."""
        record = self.records[job]
        record.state, record.nodes, record.since = "W", nodes, self.now
        self.placed.append(job)
        if record.ran:
            record.wait += self.now - record.entered

    def run(self, job: int) -> None:
        """A job that has nodes begins a run, its first or another."""
        record = self.records[job]
        if not record.ran:
            record.wait += self.now - record.entered
        record.state, record.ran = "R", True
        if record.start is None:
            record.start = self.now
        self.running.append(job)

    def leave(self, job: int, state: str) -> None:
        """A job leaves its nodes, if it has any; those that are out are down from now on."""
        record = self.records[job]
        if record.nodes and record.since < self.now:
            record.held.append(Stretch(record.since, self.now, record.nodes))
        if record.state in ("N", "O", "H") or (record.state == "W" and not record.ran):
            record.wait += self.now - record.entered
        record.nodes, record.state = (), state
        for jobs in (self.placed, self.running):
            if job in jobs:
                jobs.remove(job)

    def strike(self, job: int) -> None:
        """A failure ends a job that has nodes, as the machine would have it."""
        record = self.records[job]
        kept = self.done(job) // self.interval * self.interval if self.on_failure == "checkpoint" else 0
        self.wasted += (self.done(job) - kept) * self.jobs[job].size
        if self.on_failure == "kill":
            self.leave(job, "K")
            record.finish = self.now
            return
        self.leave(job, "")
        record.left = self.jobs[job].runtime - kept
        self.enqueue(job)

    def advance(self, until: int) -> None:
        """Time goes on and those who run make progress."""
        progress = max(0, until - max(self.now, self.stalled_until))
        for job in self.running:
            self.records[job].left -= progress
        self.now = until

    # Nodes

    def holders(self, node: int) -> list[int]:
        """The jobs that have a node, waiting or running: one at most, but under `gang`."""
        return [job for job in sorted(self.placed) if node in self.records[job].nodes]

    def idle(self) -> list[int]:
        """The nodes that are in service and that nobody has, ascending."""
        held = {node for job in self.placed for node in self.records[job].nodes}
        return [node for node in range(self.nodes) if node not in self.out and node not in held]

    def down(self) -> list[int]:
        """The nodes that are out and that nobody has."""
        return [node for node in sorted(self.out) if not self.holders(node)]

    def draining(self) -> list[int]:
        """The nodes that are out as soon as their jobs have left them."""
        return [node for node in sorted(self.out) if self.holders(node)]

    def owners(self) -> list[int]:
        """For each node the job that runs on it, -1 where none does, -2 where it is down."""
        owners = [-1] * self.nodes
        for node in self.down():
            owners[node] = -2
        for job in self.running:
            for node in self.records[job].nodes:
                owners[node] = job
        return owners

    def back(self, node: int) -> int | None:
        """When a node that is out is known to be back: at the end of the last outage that covers it now."""
        if node in self.kept:
            return None
        ends = [outage.until for outage in self.outages if node in outage.nodes]
        known = [end for end in ends if end is not None]
        return max(known) if known and len(known) == len(ends) else None

    def put_out(self, nodes: tuple[int, ...], struck: bool) -> None:
        """Nodes go out of service; with `struck`, the jobs that have one of them do not run on."""
        self.out |= set(nodes)
        if struck:
            for job in sorted({job for node in nodes for job in self.holders(node)}):
                self.strike(job)

    def begin(self, outage: Outage) -> None:
        """An outage begins."""
        self.outages.append(outage)
        self.put_out(outage.nodes, outage.kill)

    def end(self, outage: Outage) -> None:
        """An outage is over: its nodes are back, but for those that another covers or the operator keeps."""
        self.outages.remove(outage)
        covered = {node for other in self.outages for node in other.nodes}
        self.out -= set(outage.nodes) - covered - self.kept

    def coming(self) -> list[int]:
        """When each node that is not idle now comes free, as far as it is known."""
        times, ending = [], [list[int]() for _ in range(self.nodes)]
        for job in self.running:
            for node in self.records[job].nodes:
                ending[node].append(self.now + self.estimate(job))
        for node, ends in enumerate(ending):
            back = self.back(node) if node in self.out else self.now
            if back is not None and (ends or node in self.out):
                times.append(max([back, *ends]))
        return times

    def fates(self) -> list[Fate]:
        """What has become of every job."""
        return [
            Fate(record.start, record.finish, record.state, record.preemptions, record.wait, record.held)
            for record in self.records
        ]
