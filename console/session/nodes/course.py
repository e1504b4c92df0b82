"""The course of one node: who was on it, who is, who is expected there, and when it is free."""

from collections.abc import Iterable, Sequence

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.facts import DOWN
from shadowtime.console.session.files.replay import Replay
from shadowtime.console.session.jobs.names import FOREVER
from shadowtime.console.session.nodes.lists import units_of
from shadowtime.console.session.nodes.watch import Stay, Watch, empty_at, holders
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.work import Work
from shadowtime.scenarios import Action
from shadowtime.scenarios.nodes import joined
from shadowtime.scenarios.values import Outage

Span = tuple[int, int]
"""From an instant up to, and without, another."""


@attrs.frozen
class NodeCourse:
    """One node, seen from one event. Jobs are by index; the future is that of an expected run."""

    node: int
    event: int
    time: int
    down: bool
    draining: bool
    here: tuple[Stay, ...]
    """Who holds the node now, with the expected ends."""
    past: tuple[Stay, ...]
    """Who held it before, in order of the starts; of very many the latest."""
    forgotten: int
    """Stays that were before these."""
    expected: tuple[Stay, ...]
    """Who is expected there, in order of the starts."""
    end: int
    """When the last job of the machine is expected to end."""
    free: Span | None
    """The longest time that nobody is on the node, before the expected end."""
    gap: Span | None
    """The longest such time before the last job on it, or the last outage."""
    free_from: int | None
    """When nobody is expected on the node any more; None if it is down for good."""
    empty: int | None
    """When the node is empty if it is drained now; None if that is not known."""
    outages: tuple[Outage, ...]
    """The outages of the scenario, past and known."""
    actions: tuple[Action, ...]
    """What has been done to the node."""

    @property
    def busy_share(self) -> float | None:
        """The share of the time from the first of these stays up to now that a job held the node."""
        stays = [*self.past, *self.here]
        first = min((stay.start for stay in stays), default=self.time)
        if self.time <= first:
            return None
        spans = [(stay.start, self.time if stay.end is None else min(stay.end, self.time)) for stay in stays]
        return sum(stop - start for start, stop in joined(spans)) / (self.time - first)


class NodeWork(Work[NodeCourse]):
    """Finds the course of a node at an event.

    The past is kept: of two works of the same node on the same course the second replays only what is new.
    """

    def __init__(self, run: Run, node: int, before: "NodeWork | None" = None) -> None:
        """SessionError if there is no such node. `before` is a work of the same node."""
        machine = run.case.scenario.machine
        if not 0 <= node < machine.nodes:
            raise SessionError(f"there is no node {node}; the machine has the nodes 0 to {machine.nodes - 1}")
        self.node = node
        self.event = run.number
        self._case = run.case
        self._units = units_of(node, machine.node_size)
        self._here = run.simulation.fork()
        self._expected = run.simulation.expected()
        self._empty = empty_at(run, ((node, node + 1),))
        self._known = run.simulation
        self._watch: Watch
        if before is not None and before._known is run.simulation:
            self._watch = before._watch
        else:
            self._watch = Watch(Replay.of(run).begun(), self._units)

    def _found(self, progress: Progress) -> NodeCourse:
        here = self._here
        if self._watch.forgotten and self._watch.simulation.event > self.event:
            # What it knows begins too late for a look back.
            self._watch = Watch(self._case.simulation(), self._units)
        self._watch.run(self.event, self._halt, progress)
        seen = [stay.seen_at(self.event) for stay in self._watch.stays() if stay.began <= self.event]
        present = frozenset(holders(here, self._units))
        past = tuple(stay for stay in seen if stay.end is not None)
        since = {stay.job: stay for stay in seen if stay.end is None}
        ahead = Watch(self._expected, self._units)
        ahead.run(None, self._halt)
        stays = tuple(ahead.stays())
        now_here = [stay for stay in stays if stay.job in present and stay.began == self.event]
        later = tuple(stay for stay in stays if stay not in now_here)
        outages = tuple(
            outage
            for outage in self._case.scenario.outages
            if any(first <= self.node < stop for first, stop in outage.nodes)
        )
        down = here.owners()[self._units.start] == DOWN
        free_from = self._free_from(stays, outages, down)
        return NodeCourse(
            node=self.node,
            event=self.event,
            time=here.now,
            down=down,
            draining=bool(frozenset(here.draining()) & frozenset(self._units)),
            here=tuple(
                attrs.evolve(stay, start=since[stay.job].start) if stay.job in since else stay
                for stay in now_here
            ),
            past=past,
            forgotten=self._watch.forgotten,
            expected=later,
            end=self._expected.now,
            free=self._longest(stays, outages, down, self._expected.now),
            gap=self._longest(stays, outages, down, free_from),
            free_from=free_from,
            empty=self._empty,
            outages=outages,
            actions=self._done_to_it(),
        )

    def _done_to_it(self) -> tuple[Action, ...]:
        """Return the actions on this node that have been tried so far."""
        here, node = self._here, self.node
        return tuple(
            action
            for action in self._case.scenario.actions
            if any(first <= node < stop for first, stop in action.nodes)
            and (here.now >= action.at if action.at is not None else here.event > (action.after or 0))
        )

    def _taken(
        self, stays: Sequence[Stay], outages: Iterable[Outage], down: bool, end: int
    ) -> Sequence[Span]:
        """Return when the node is taken, from now up to an instant."""
        now = self._here.now
        spans = [(stay.start, end if stay.end is None else stay.end) for stay in stays]
        spans += [(outage.start, end if outage.until is None else outage.until) for outage in outages]
        if down:
            ends = [outage.until for outage in outages if outage.start <= now < (outage.until or end + 1)]
            spans.append((now, max((until or end for until in ends), default=end)))
        ahead = ((max(start, now), min(stop, end)) for start, stop in spans)
        return joined(span for span in ahead if span[0] < span[1])

    def _longest(
        self, stays: Sequence[Stay], outages: Sequence[Outage], down: bool, until: int | None
    ) -> Span | None:
        """Return the longest time up to an instant, or the expected end, that the node is not taken."""
        now, end = self._here.now, self._expected.now if until is None else until
        edges = [now]
        for start, stop in self._taken(stays, outages, down, end):
            edges += [start, stop]
        edges.append(end)
        gaps = [(start, stop) for start, stop in zip(edges[::2], edges[1::2], strict=True) if start < stop]
        return max(gaps, key=lambda gap: (gap[1] - gap[0], -gap[0]), default=None)

    def _free_from(self, stays: Sequence[Stay], outages: Sequence[Outage], down: bool) -> int | None:
        last = max((stop for _, stop in self._taken(stays, outages, down, FOREVER)), default=self._here.now)
        return None if last == FOREVER else last
