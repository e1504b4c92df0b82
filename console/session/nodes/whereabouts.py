"""Where a job is: the nodes that it holds, that it held last, or that it is expected on."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import attrs

from shadowtime.console.session.facts import IDLE
from shadowtime.console.session.nodes.lists import whole_nodes
from shadowtime.console.session.run import Run
from shadowtime.console.session.travel.scout import Scout
from shadowtime.console.session.work import PIECE, Cancellable
from shadowtime.kernels.charts.chances import Chances
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError
from shadowtime.scenarios.nodes import NodeRanges


@attrs.frozen
class Holder:
    """Who has some of the nodes last before a job gets them."""

    job: int
    """By id."""
    nodes: NodeRanges
    until: int
    """When it leaves them, by its estimate."""
    runs: bool = True
    """Whether it runs now; else it is expected there before the job."""


@attrs.frozen
class Idle:
    """Nodes that are idle now, and who comes to them first before a waiting job would end there.

    Nobody, if all idle nodes together are fewer than the job asks for: then that alone keeps it off.
    """

    nodes: NodeRanges
    count: int
    """How many of what jobs ask for: processors, if those are asked for."""
    job: int | None = None
    """By id; None: nobody comes."""
    at: int | None = None
    """When it comes."""


@attrs.frozen
class Whereabouts:
    """Nodes that a job held, or is expected on from an instant."""

    nodes: NodeRanges
    since: int | None = None
    """When it is expected there; None for nodes that it held last."""
    holders: tuple[Holder, ...] = ()
    """Who runs there before it, or is expected to, the last to leave first."""
    likely: NodeRanges | None = None
    """The nodes that it has in more than half of the samples of what may come; None if that is not known."""
    idle: tuple[Idle, ...] = ()
    """What is idle now, by who comes first. Empty if enough of it stays free for long enough: then something
    else keeps the job off it.
    """


class WhereaboutsWork(Cancellable):
    """Finds the nodes of a job that holds no nodes now, in any thread; cancelled, `run` returns None."""

    def __init__(self, run: Run, index: int) -> None:
        self._index = index
        self._asks = run.case.columns.size[index]
        self._estimate = run.simulation.terms(index).get("left", run.case.columns.estimate[index])
        self._size = run.case.scenario.machine.node_size
        self._state = run.simulation.state(index)
        self._finished = run.simulation.finish_event(index)
        self._places = run.trajectory.tape.marks()
        over = self._state == "F"
        self._simulation = run.simulation.fork() if over else run.simulation.expected()
        self._before = None if over else run.simulation.expected()
        self._ids = run.case.columns.id
        odds = run.likely.at(run.number)
        self._chances = None if odds is None else odds.chances

    def run(self) -> Whereabouts | None:
        """Return where the job was or is expected; None if it never is anywhere, or that is not known."""
        # What a policy fails at here, the forecast of this event reports.
        with suppress(PolicyError):
            return self._held_last() if self._state == "F" else self._expected()
        return None

    def _held_last(self) -> Whereabouts | None:
        if self._finished is None:
            return None
        simulation = Scout(self._simulation).at_event(self._places, self._finished - 1)
        return self._found(simulation, None)

    def _expected(self) -> Whereabouts | None:
        simulation = self._simulation
        while not simulation.nodes_of(self._index):
            if not self._goes_on(simulation):
                return None
        holders, idle = self._before_it(simulation.nodes_of(self._index))
        return self._found(simulation, simulation.now, holders, idle)

    def _goes_on(self, simulation: Simulation) -> bool:
        """Run to the next decision; is there one, and is the answer still wanted?

        Where jobs take turns, to the next event: a job has nodes in its row before it is decided to start.
        """
        if self._cancelled:
            return False
        turns = simulation.pass_turns()
        events = 1 if simulation.policy.turns else PIECE
        return bool(simulation.run(events=events, decisions=1) or turns)

    def _before_it(self, stretches: Sequence[tuple[int, int]]) -> tuple[tuple[Holder, ...], tuple[Idle, ...]]:
        """Run once more, and see who has these nodes last, and who comes first to those that are idle now.

        Whoever comes to a node comes by a decision.
        """
        simulation = self._before
        assert simulation is not None
        now = simulation.now
        here = {*simulation.running(), *simulation.held()}
        idle = dict.fromkeys(unit for unit, owner in enumerate(simulation.owners()) if owner == IDLE)
        enough = len(idle) >= self._asks
        comers: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        units = [unit for first, count in stretches for unit in range(first, first + count)]
        last: dict[int, tuple[int, int]] = {}
        while not simulation.nodes_of(self._index):
            owners = simulation.owners()
            for unit in units:
                if owners[unit] >= 0:
                    end = simulation.end_of(owners[unit])
                    last[unit] = (simulation.now if end is None else end, owners[unit])
            if enough and simulation.now < now + self._estimate:
                for unit in [unit for unit in idle if owners[unit] >= 0]:
                    del idle[unit]
                    comers[simulation.now, owners[unit]].append((unit, 1))
            if not self._goes_on(simulation):
                break
        by_job: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for unit, held in last.items():
            by_job[held].append((unit, 1))
        holders = tuple(
            Holder(self._ids[job], whole_nodes(sorted(by_job[end, job]), self._size), end, job in here)
            for end, job in sorted(by_job, key=lambda held: (-held[0], held[1]))
        )
        # Where jobs take turns, a node is idle for a turn only.
        asks_more = len(idle) < self._asks and simulation.now > now and not simulation.policy.turns
        return holders, tuple(self._idle(idle, comers)) if asks_more else ()

    def _idle(
        self, free: Iterable[int], comers: Mapping[tuple[int, int], Sequence[tuple[int, int]]]
    ) -> Iterator[Idle]:
        """Yield what is idle now: first what nobody comes to, then by who comes first."""
        if left := [(unit, 1) for unit in free]:
            yield Idle(whole_nodes(left, self._size), len(left))
        for (at, job), units in sorted(comers.items()):
            yield Idle(whole_nodes(units, self._size), len(units), self._ids[job], at)

    def _found(
        self,
        simulation: Simulation,
        since: int | None,
        holders: tuple[Holder, ...] = (),
        idle: tuple[Idle, ...] = (),
    ) -> Whereabouts | None:
        nodes = whole_nodes(simulation.nodes_of(self._index), self._size)
        if not nodes:
            return None
        if since is None or self._chances is None:
            return Whereabouts(nodes, since, holders, idle=idle)
        likely = whole_nodes(_in_most(self._chances, self._index), self._size)
        return Whereabouts(nodes, since, holders, likely, idle)


def _in_most(chances: Chances, job: int) -> list[tuple[int, int]]:
    """The units that a job has in more than half of the samples, each by itself."""
    found = Counter[int]()
    for of, first, count, *_ in chances.made.rows():
        if of == job:
            found.update(range(first, first + count))
    return [(unit, 1) for unit, times in sorted(found.items()) if 2 * times > chances.samples]
