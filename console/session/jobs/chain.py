"""The chain of a waiting job: what happens until it starts, in the run in which every job runs to its limit.

`docs/operating.md` says what a link is.
"""

from collections.abc import Iterator
from itertools import pairwise

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import ASIDE, DOWN, WAITING, Reason
from shadowtime.console.session.likely.starts import LikelyStarts
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.work import PIECE, Work, check
from shadowtime.kernels.core.decision_view import DecisionView
from shadowtime.kernels.core.simulation import Simulation

START, WAITS, SWITCH = "start", "waits", "switch"
BEGINS = frozenset(("starts", "backfilled", START))
PLANS = frozenset(("reserve", "move", "release", "refuse", "keep"))
"""Decisions that give nobody nodes and take none."""


@attrs.frozen
class Link:
    """What changes the nodes that are free, or what keeps the job off free ones. Instants are seconds."""

    at: int
    """In the run at the limits."""
    kind: str
    """Of another job: `ends`, `leaves`, `starts`, `backfilled` or `returns`. Of nodes: `down`, `up`.

    Of a reservation of the operator: `reserved`, `lifted`. Of the policy: `switch`. Of the job itself:
    `waits`, a rule keeps it off free nodes; `assigned`, it has nodes and does not run yet; `start`.
    """
    change: int
    """Nodes that come free; below 0 those that are taken."""
    free: int | None
    """Those that are free afterwards; None if jobs take turns."""
    job: str = ""
    """Whose link it is, a job or a reservation; empty for nobody's."""
    reason: Reason | None = None
    """The rule of `waits`; what is decided by `switch`; what moves a planned `start`."""
    nodes: str = ""
    """The nodes of a cluster that it changes, by name; empty where they have no names."""
    likely: int | None = None
    """The likely start or end; None if that is not known."""


@attrs.frozen
class Chain:
    """All links from an instant up to the start of a job."""

    job: str
    needs: int
    """Nodes that it asks for."""
    now: int
    free: int | None
    """Nodes that are free now; None if jobs take turns."""
    links: tuple[Link, ...]

    @property
    def start(self) -> int | None:
        """When the job starts at the limits; None for never."""
        return self.links[-1].at if self.links and self.links[-1].kind == START else None


@attrs.frozen
class Step:
    """The links of one instant, or of several that have no lines of their own."""

    links: tuple[Link, ...]

    @property
    def at(self) -> int:
        """The instant, of several the first."""
        return self.links[0].at

    @property
    def until(self) -> int:
        """The last instant."""
        return self.links[-1].at

    @property
    def gained(self) -> int:
        """Nodes that come free."""
        return sum(link.change for link in self.links if link.change > 0)

    @property
    def taken(self) -> int:
        """Nodes that are taken, by others than the job when it starts; not above 0."""
        return sum(link.change for link in self.links if link.change < 0 and link.kind != START)

    @property
    def free(self) -> int | None:
        """What is free afterwards; at the start, what is free for the job."""
        last = self.links[-1]
        return last.free if last.free is None or last.kind != START else last.free - last.change


def steps(chain: Chain, most: int | None = None) -> tuple[Step, ...]:
    """Return a chain by instant, in at most so many steps, 3 at least: those in between are one step."""
    links = chain.links
    changes = (place for place, (one, other) in enumerate(pairwise(links), 1) if one.at != other.at)
    edges = sorted({0, *changes, len(links)})
    if most is not None and len(edges) > most + 1:
        first = (most - 1) // 3
        edges = [*edges[: first + 1], *edges[first - most :]]
    return tuple(Step(links[begin:end]) for begin, end in pairwise(edges))


class ChainWork(Work[Chain | None]):
    """Finds the chain of a job: None for one that does not wait, or that waits for the operator."""

    def __init__(self, run: Run, index: int) -> None:
        self.known = run.simulation
        """Whose moment it is."""
        self.event, self.index = run.number, index
        self._names, self._case = run.names, run.case
        state = run.simulation.state(index)
        # The expected run has results of its own for the whole table: that takes a while where it is long.
        self._here = run.simulation.fork() if state in WAITING - ASIDE else None

    def _found(self, progress: Progress) -> Chain | None:
        if self._here is None:
            return None
        simulation = self._here.expected()
        free = None if simulation.policy.turns else simulation.free
        needs, now = self._case.columns.size[self.index], simulation.now
        return Chain(self._called(self.index), needs, now, free, tuple(self._links(simulation, free)))

    def _called(self, job: int) -> str:
        return str(self._case.columns.ids[job])

    def _links(self, simulation: Simulation, free: int | None) -> Iterator[Link]:
        """Step to the start of the job, or to the end, and yield what happens."""
        stays, rule, steps = Stays(simulation), "", 0
        while True:
            if not simulation.pending:
                reason = self._rule(simulation, free)
                code = "" if reason is None else reason.code
                if code not in ("", rule):
                    yield Link(simulation.now, WAITS, 0, free, self._called(self.index), reason)
                rule = code
            if steps % PIECE == 0:
                check(self._halt)
            steps += 1
            # In the turns that are passed over a job that has its nodes may go on.
            passed = not simulation.nodes_of(self.index) and simulation.pass_turns()
            if not passed and not simulation.step():
                return
            for link in self._happened(simulation, stays):
                free = None if free is None else free + link.change
                yield attrs.evolve(link, free=free)
                if link.kind == START:
                    return

    def _rule(self, simulation: Simulation, free: int | None) -> Reason | None:
        """Return why the job does not start, unless fewer nodes are free than it asks for."""
        few = free is not None and free < self._case.columns.size[self.index]
        if few and not simulation.nodes_of(self.index):
            return None
        explained = simulation.explain(self.index)
        return None if explained is None else self._names.reason(simulation, *explained)

    def _happened(self, simulation: Simulation, stays: "Stays") -> Iterator[Link]:
        """Yield what the last event changed; what is free is not counted yet."""
        now, decided = simulation.now, simulation.decisions()
        for place in decided.jobless():
            kind, _, code, numbers = decided[place]
            if kind == SWITCH:
                yield Link(now, SWITCH, 0, None, reason=self._names.reason(simulation, code, numbers))
        changes = stays.changes(simulation, decided)
        runs = simulation.state(self.index) == "R"
        for job, change in changes:
            if job == DOWN:
                yield Link(now, "down" if change < 0 else "up", change, None)
            elif job != self.index or change > 0:
                yield Link(now, self._kind(simulation, decided, job, change), change, None, self._called(job))
            elif not runs:
                yield Link(now, "assigned", change, None, self._called(job))
        if runs:
            yield Link(now, START, min(dict(changes).get(self.index, 0), 0), None, self._called(self.index))

    @staticmethod
    def _kind(simulation: Simulation, decided: DecisionView, job: int, change: int) -> str:
        if change > 0:
            return "ends" if simulation.state(job) == "F" else "leaves"
        if simulation.start_of(job) not in (None, simulation.now):
            return "returns"
        kinds = {decided[place][0] for place in decided.about(job)}
        return "backfilled" if "backfill" in kinds else "starts"


class Stays:
    """Who has how many nodes while a simulation goes on."""

    def __init__(self, simulation: Simulation) -> None:
        jobs = (*simulation.running(), *simulation.held())
        self._held = {job: _count(simulation, job) for job in jobs}
        self._down = simulation.owners().count(DOWN)
        self._outages = bool(self._down or simulation.draining())

    def changes(self, simulation: Simulation, decided: DecisionView) -> list[tuple[int, int]]:
        """Return who has come to nodes (below 0) and left them with the last event, with how many.

        First those who leave, by row, then nodes that go down or come back, then those who come, by row.
        """
        assert simulation.last is not None
        touched = {decided[place][1] for kind, _, places, _ in decided.groups(len(decided))
                   if kind not in PLANS for place in places}  # fmt: skip
        left: list[tuple[int, int]] = []
        came: list[tuple[int, int]] = []
        for job in sorted(touched | {simulation.last[2]} - {-1}):
            before, after = self._held.get(job, 0), _count(simulation, job)
            if before != after:
                self._held[job] = after
                (left if after < before else came).append((job, before - after))
        if self._outages:
            down = simulation.owners().count(DOWN)
            if down != self._down:
                left.append((DOWN, self._down - down))
                self._down = down
        return [*left, *came]


def _count(simulation: Simulation, job: int) -> int:
    return sum(count for _, count in simulation.nodes_of(job))


def with_likely(chain: Chain, answer: LikelyStarts, case: Case) -> Chain:
    """Return a chain with the likely instants of its links, of starts and ends, as far as they are known."""

    def instant(link: Link) -> int | None:
        index = case.index_of(case.id_called(link.job)) if link.job else None
        if index is None or link.kind == "ends":
            return None if index is None else answer.ends.get(index)
        start = answer.starts.get(index) if link.kind in BEGINS else None
        return None if start is None else start.likely

    return attrs.evolve(chain, links=tuple(attrs.evolve(link, likely=instant(link)) for link in chain.links))
