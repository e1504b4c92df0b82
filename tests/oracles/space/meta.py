"""PBAS and WBAS of Talby and Feitelson (2005): which scheduler has the machine is decided again and again.

Decided here, where the text is silent: a run ends when nothing comes, waits or runs on the real machine, and
a switch at that very instant still counts. Slowdowns are whole millionths. A frame of the history before a
switch counts as what the candidate did then. WBAS with two equal schedulers has only one: nothing is ever
handed over or planned anew. flex.py describes how Flex takes over.
"""

from collections.abc import Callable
from inspect import signature
from typing import NamedTuple

from tests.oracles.jobs import Job
from tests.oracles.space.candidates import MAKERS, Candidate, scheduler_of
from tests.oracles.space.virtual import Machine, State

FLEX: Candidate = ("flex", {})
MAUI: Candidate = ("maui", {"windows": "widest"})


class MetaOutcome(NamedTuple):
    """The start of every job, and the changes: the instant of each and who takes over.

    Of PBAS the place in the list of candidates; of WBAS 0 for wide and 1 for narrow.
    """

    starts: list[int]
    switches: list[tuple[int, int]]


class Frame(NamedTuple):
    """What a candidate's machine did from one switch instant to the next."""

    busy: int
    """Node-seconds."""
    completed: list[tuple[int, int]]
    """(job, start) of the jobs that ended."""


class Meta:
    """The real machine, which is that of the active candidate, and what both meta-policies do with it."""

    def __init__(self, jobs: list[Job], nodes: int, candidates: list[Candidate], active: int) -> None:
        self.jobs = jobs
        self.machines = [Machine(State(jobs, nodes), scheduler_of(candidate)) for candidate in candidates]
        self.active = active
        self.switches: list[tuple[int, int]] = []

    @property
    def real(self) -> Machine:
        """The machine on which the jobs really run."""
        return self.machines[self.active]

    def live(self) -> list[Machine]:
        """The machines on which anything happens at all."""
        raise NotImplementedError

    def choice(self, now: int) -> int:
        """The candidate that is to be active from this switch instant on."""
        raise NotImplementedError

    def switch(self, now: int) -> None:
        """Hand a copy of the real state to the candidate chosen, if it is another one."""
        chosen = self.choice(now)
        if chosen != self.active:
            self.machines[chosen].overwrite(self.real.state.copy(), now)
            self.active = chosen
            self.switches.append((now, chosen))

    def play(self, next_switch: int, frame: int) -> MetaOutcome:
        """The whole run. In an instant: completions, the switch, submissions, then the passes."""
        starts: dict[int, int] = {}
        coming = list(range(len(self.jobs)))
        while coming or self.real.state.waiting or self.real.state.running:
            times = [next_switch, self.jobs[coming[0]].submit if coming else None]
            times += [machine.next_event() for machine in self.live()]
            now = min(time for time in times if time is not None)
            for machine in self.live():
                machine.complete(now)
            if now == next_switch:
                self.switch(now)
                next_switch += frame
            while coming and self.jobs[coming[0]].submit == now:
                index = coming.pop(0)
                for machine in self.live():
                    machine.submit(index, now)
            for machine in self.live():
                machine.schedule(now)
            starts.update(self.real.state.running)
        return MetaOutcome([starts[index] for index in range(len(self.jobs))], self.switches)


OF_JOB: dict[str, Callable[[int, int], int]] = {
    "response": lambda response, _: response,
    "wait": lambda response, runtime: response - runtime,
    "slowdown": lambda response, runtime: 1_000_000 * response // runtime,
    "bounded_slowdown": lambda response, runtime: max(1_000_000, 1_000_000 * response // max(10, runtime)),
}
"""What a metric says of one job, by its response and its runtime; less is better."""


class Pbas(Meta):
    """Every candidate runs, the inactive ones on virtual machines of their own."""

    def __init__(
        self, jobs: list[Job], nodes: int, candidates: list[Candidate], metric: str, kept: int = 1
    ) -> None:
        super().__init__(jobs, nodes, candidates, active=0)
        self.metric, self.kept = metric, kept
        self.frames: list[list[Frame]] = [[] for _ in candidates]

    def live(self) -> list[Machine]:
        """All of them."""
        return self.machines

    def merit(self, frames: list[Frame]) -> float | None:
        """What the metric says of some frames of a candidate, more being better."""
        if self.metric == "utilization":
            return sum(frame.busy for frame in frames)
        values = []
        for frame in frames:
            for index, start in frame.completed:
                job = self.jobs[index]
                values.append(OF_JOB[self.metric](start + job.runtime - job.submit, job.runtime))
        return -sum(values) / len(values) if values else None

    def choice(self, now: int) -> int:
        """The best one in the last frames; at equal merit the active one, then the first listed."""
        for machine, frames in zip(self.machines, self.frames, strict=True):
            frames.append(Frame(machine.busy, machine.completed))
            machine.busy, machine.completed = 0, []
        merits = [self.merit(frames[-self.kept :]) for frames in self.frames]
        known = [merit for merit in merits if merit is not None]
        if len(known) < len(merits) or known[self.active] == max(known):
            return self.active
        return known.index(max(known))


class Wbas(Meta):
    """Only the active scheduler runs; the sizes of the jobs that come decide which one that is."""

    def __init__(
        self, jobs: list[Job], nodes: int, wide: Candidate, narrow: Candidate, frame: int, maf: int
    ) -> None:
        super().__init__(jobs, nodes, [wide, narrow], active=1)
        self.frame, self.maf = frame, maf

    def live(self) -> list[Machine]:
        """The real one."""
        return [self.real]

    def choice(self, now: int) -> int:
        """Wide if the jobs of the last frame were larger than those of the longer past."""
        came = [job for job in self.jobs if job.submit < now]
        last = [job.size for job in came if job.submit >= now - self.frame]
        if not last:
            return self.active
        average = average_size([job.size for job in came], self.maf)
        return 0 if average < sum(last) / len(last) else 1


def average_size(sizes: list[int], maf: int) -> float:
    """AP after jobs of these sizes: a plain mean up to `maf` jobs, then one that forgets slowly."""
    average = 0.0
    for count, size in enumerate(sizes, 1):
        average += (size - average) / min(count, maf)
    return average


def equal(first: Candidate, second: Candidate) -> bool:
    """Whether two candidates are the same scheduler, defaults filled in."""

    def filled(candidate: Candidate) -> tuple[str, dict[str, object]]:
        name, parameters = candidate
        bound = signature(MAKERS[name]).bind(**parameters)
        bound.apply_defaults()
        return name, bound.arguments

    return filled(first) == filled(second)


def pbas(
    jobs: list[Job],
    nodes: int,
    candidates: tuple[Candidate, ...] | list[Candidate] = (FLEX, MAUI),
    frame: int = 604800,
    metric: str = "utilization",
    phase: int = 0,
    history: int = 0,
) -> MetaOutcome:
    """Performance-based adaptive scheduling: the candidate that did best in the recent past is active.

    Switches are at t0 + phase + k * frame, t0 the first submission, 0 <= phase < frame; none at t0 itself.
    `metric` is "utilization" (busy node-seconds), or one of `OF_JOB` (means over completed jobs). `history`
    is the time that is compared, a multiple of `frame`; 0 is one frame.
    """
    first = jobs[0].submit + (phase or frame)
    return Pbas(jobs, nodes, list(candidates), metric, history // frame or 1).play(first, frame)


def wbas(
    jobs: list[Job],
    nodes: int,
    wide: Candidate = FLEX,
    narrow: Candidate = MAUI,
    frame: int = 86400,
    maf: int = 7500,
) -> MetaOutcome:
    """Workload-based adaptive scheduling: `wide` while the jobs come larger than they used to, else `narrow`.

    Switches are at t0 + k * frame, t0 the first submission; the first frame belongs to `narrow`.
    """
    if equal(wide, narrow):
        return Pbas(jobs, nodes, [narrow], "utilization").play(jobs[0].submit + frame, frame)
    return Wbas(jobs, nodes, wide, narrow, frame, maf).play(jobs[0].submit + frame, frame)
