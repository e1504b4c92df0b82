"""The bars of a cluster: what was held, what is held to its limit, what is planned, and what nobody may use.

Up to the last event that is known a start is that of the cluster over time, later that of the plan.
"""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from shadowtime.console.session.facts import LikelyStart, Prediction
from shadowtime.console.session.jobs.bars import (
    DOWN,
    EXPECTED,
    NODES_DOWN,
    PREDICTED,
    RESERVED,
    RESERVED_FIRST,
    WHOLE,
    Lanes,
    Viewport,
)
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.charting.holdings import SUSPENDED, Holding, Holdings, NodeRows, Part
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.kernels.charts.bars import Stretches, stretches
from shadowtime.kernels.charts.cells import Grid
from shadowtime.scenarios.slurm import Capture, format_hosts
from shadowtime.scenarios.text.gate import printable

FAR = 50 * 365 * 24 * 3600
"""Seconds from now on beyond which an end is none: a job without a limit."""
PLANNED = frozenset(("planned", "started"))
Held = tuple[int, int, int, int, int | None, str, int]
"""As `stretches` takes it."""


@attrs.frozen
class BarJob:
    """A job as the chart names it."""

    index: int
    id: str
    user: str
    size: int
    """Nodes."""
    state: str
    start: int | None = None
    end: int | None = None
    estimate: int = 0
    """Seconds of its limit."""
    predicted: Prediction | None = None
    likely: LikelyStart | None = None

    @property
    def waits(self) -> bool:
        return self.state == PREDICTED


@attrs.frozen
class BarsStand:
    """Where the bars stand."""

    nodes: int
    time: int
    changed: frozenset[int]
    """The jobs whose nodes the last event changed, by index."""


def unplanned(now: int, capture: Capture) -> Board:
    """Return the board of a cluster of which no plan is made."""
    return Board(now, "", "", "", rows=(), nodes=(), running=(), caveats=(), capture=capture)


class _Named:
    """The jobs that have bars, by index."""

    def __init__(self, names: Iterable[tuple[int, str]]) -> None:
        self.names = dict(names)
        self._places = {name: index for index, name in self.names.items()}
        self._next = max(self.names, default=-1) + 1

    def index(self, name: str) -> int:
        found = self._places.get(name)
        if found is None:
            found = self._places[name] = self._next
            self.names[found] = name
            self._next += 1
        return found


class ClusterBars:
    """The bars of a cluster at the position of its board: what `GanttPanel` draws."""

    stale = likely = False
    unplaced = 0

    def __init__(
        self, history: History, board: Board, names: Iterable[tuple[int, str]] = (), second_0: int = 0
    ) -> None:
        """Stand at the capture. `names` have indexes already; instants count from `second_0`."""
        self.rows = NodeRows.of(history.capture)
        self.holdings = Holdings(history, self.rows)
        self._board, self._position, self._zero = board, 0, second_0
        self._jobs = _Named(names)
        self._planned: dict[int, PlanRow] = {}
        self._plans: list[tuple[PlanRow, int, int]] = []
        """The rows of the plan that are drawn, each with its start and its end."""
        self._latest: dict[int, Holding] = {}
        """Index of a job -> what it holds, or held last."""
        self._first: tuple[Stretches, Stretches] | None = None
        self._first_ended = 0
        self._parts: list[tuple[Stretches, int | None, int | None]] | None = None
        """What is drawn: from an instant on, up to another one."""
        self._ends: list[int] = []

    # Where it stands.

    def look(self, board: Board, position: int) -> None:
        """Stand at a position of the history, which has a board."""
        before = self.holdings.position
        self.holdings.follow()
        if board is not self._board or (position, self.holdings.position) != (self._position, before):
            self._board, self._position, self._parts = board, position, None

    @property
    def nodes(self) -> int:
        return len(self.rows.names)

    @property
    def _now(self) -> int:
        """Seconds since 1970."""
        return self._board.now

    @property
    def time(self) -> int:
        return self._now - self._zero

    def stand(self) -> BarsStand:
        at, position = self._now, self._position
        found = (held for held in self.holdings if position and (held.begun == position or held.until == at))
        changed = frozenset(self._jobs.index(held.job.shown) for held in found)
        return BarsStand(self.nodes, self.time, changed)

    def present(self, board: Board) -> Iterator[tuple[int, str]]:
        """Yield the indexes of the jobs that a later board still has, with their names."""
        names = {job.shown for job in board.capture.jobs} | {row.job for row in board.rows}
        return ((index, name) for index, name in self._jobs.names.items() if name in names)

    def index(self, name: str) -> int:
        """Return the index of a job, whether it has bars or not."""
        return self._jobs.index(name)

    def label(self, index: int) -> str:
        """Return the name of a job, or of a reservation."""
        if index <= RESERVED_FIRST:
            return self._board.capture.reservations[RESERVED_FIRST - index].name
        return self._jobs.names[index]

    def job(self, index: int) -> BarJob | None:
        self._made()
        zero, row, held = self._zero, self._planned.get(index), self._latest.get(index)
        if row is not None and row.start is not None:
            length, found = self._length(row), Prediction(row.start - zero, "planned", self._position)
            return BarJob(index, row.job, row.user, row.size, PREDICTED, None, None, length, found)
        if held is None:
            return None
        job, end = held.job, held.end
        size = len(job.nodes)
        if held.begun > self._position:
            length, found = (end or held.since) - held.since, Prediction(held.since - zero, "expected", 0)
            return BarJob(index, job.shown, job.user, size, PREDICTED, None, None, length, found)
        over = held.until is not None and held.until <= self._now
        state, start = "F" if over else held.kind, (job.begin or held.since) - zero
        return BarJob(index, job.shown, job.user, size, state, start, None if end is None else end - zero)

    def table(self) -> Iterator[tuple[object, ...]]:
        """Yield all bars as `BARS` of the tables: held, to come, and what nobody may use."""
        self._made()
        for held in self.holdings:
            job, kind = held.job, "held" if held.begun <= self._position else "expected"
            yield kind, job.shown, printable(job.user), format_hosts(job.nodes), held.since, held.end
        for row, start, end in self._plans:
            yield "planned", row.job, row.user, row.nodes, start, end
        for _, place, _, since, *_ in self._out():
            yield "out", "", "", self.rows.names[place], since, None
        for each in self._board.capture.reservations:
            moved = each.moved(self._now)
            nodes = format_hosts(each.nodes)
            yield "reserved", printable(each.name), "", nodes, each.begin + moved, each.end + moved

    # What is drawn.

    def first(self) -> int:
        """The begin of the job that has run longest, at the latest the capture."""
        return min((held.since for held in self.holdings.first), default=self.holdings.begin) - self._zero

    @property
    def last(self) -> int:
        """The last end that is drawn; at least now."""
        self._made()
        ends = (end for end in self._ends if end < self._now + FAR)
        return max(self._now, max(ends, default=0)) - self._zero

    @property
    def soon(self) -> int:
        """The instant up to which it is worth looking by itself: as far as what is held now lasts, thrice."""
        now = self._now
        held = [
            end
            for each in self.holdings
            if each.begun <= self._position and (end := each.end) is not None and now < end < now + FAR
        ]
        return min(self.last, now - self._zero + 3 * (max(held) - now)) if held else self.last

    def gaps(self, _: Viewport) -> Sequence[tuple[int, int]]:
        """Return the parts of the past that are not known: none."""
        return ()

    def lanes(self, window: Viewport, _: int | None = None) -> Lanes:
        since = window.since + self._zero
        grid = Grid(self.nodes, window.first, window.per, window.rows, since, window.span, window.columns)
        for part, low, high in self._made():
            grid.add(part, low, high)
        grid.fill()
        return Lanes(grid, window)

    def _made(self) -> list[tuple[Stretches, int | None, int | None]]:
        if self._parts is None:
            self._parts = self._make()
        return self._parts

    def _make(self) -> list[tuple[Stretches, int | None, int | None]]:
        now = self._now
        if self._first is None or self._first_ended != self.holdings.ended:
            self._first, self._first_ended = self._of_first(), self.holdings.ended
        later = [held for held in self.holdings.later if held.begun <= self._position]
        ahead = [held for held in self.holdings.later if held.begun > self._position]
        self._latest = {self._jobs.index(held.job.shown): held for held in (*self.holdings.first, *later)}
        for held in ahead:
            index = self._jobs.index(held.job.shown)
            before = self._latest.get(index)
            if before is None or (before.until is not None and before.until <= now):
                self._latest[index] = held
        self._ends = [end for held in self.holdings if (end := held.end) is not None]
        past, running = self._first
        return [
            (past, None, now),
            (running, now, None),
            (stretches(self._held(later, "")), None, now),
            (stretches(self._held(later, EXPECTED)), now, None),
            (stretches(self._held(ahead, PREDICTED)), now, None),
            (stretches(self._plan(ahead)), now, None),
            (stretches(self._out()), now, None),
            (stretches(self._reservations()), None, None),
        ]

    def _of_first(self) -> tuple[Stretches, Stretches]:
        first = self.holdings.first
        return stretches(self._held(first, "")), stretches(self._held(first, EXPECTED))

    def _held(self, found: Sequence[Holding], kind: str) -> Iterator[Held]:
        """What is held, as what it is or, with a kind, as that."""
        for held in found:
            job, shown = self._jobs.index(held.job.shown), kind or held.kind
            if held.kind == SUSPENDED and kind == EXPECTED:
                shown = SUSPENDED
            for first, count, share in held.parts:
                yield job, first, count, held.since, held.end, shown, share

    def _plan(self, ahead: Sequence[Holding]) -> Iterator[Held]:
        """What is planned beyond what is known of the cluster over time."""
        known = self.holdings.known_to if self.holdings.position else 0
        begun = {held.job.shown for held in ahead} | {held.waited_as for held in ahead}
        self._planned, self._plans = {}, []
        for row in self._board.rows:
            start = row.start
            if start is None or start <= known or row.outcome not in PLANNED or row.job in begun:
                continue
            if row.order is None or (self._board.begun and row.outcome == "started"):
                continue
            job = self._jobs.index(row.job)
            self._planned.setdefault(job, row)
            end = start + self._length(row)
            self._ends.append(end)
            self._plans.append((row, start, end))
            for first, count, share in self._parts_of(row):
                yield job, first, count, start, end, PREDICTED, share

    def _length(self, row: PlanRow) -> int:
        if row.end is not None and row.start is not None and row.end > row.start:
            return row.end - row.start
        return row.limit or FAR

    def _parts_of(self, row: PlanRow) -> Sequence[Part]:
        job = self._board.jobs.get(row.job)
        alone = job is not None and job.request.exclusive
        return self.rows.listed(row.nodes, 1 << 40 if alone else row.cpus)

    def _out(self) -> Iterator[Held]:
        """The nodes that take no job, from the end of their last one on."""
        out = {
            place: self._now
            for node in self._board.capture.nodes
            if not node.up and (place := self.rows.places.get(node.name)) is not None
        }
        for held in self.holdings if out else ():
            if held.begun <= self._position and (end := held.end) is not None:
                for place in (
                    place for first, count, _ in held.parts for place in range(first, first + count)
                ):
                    if place in out:
                        out[place] = max(out[place], end)
        for place, since in out.items():
            # A part less than whole: of a row that a job has half of, the job is shown.
            yield NODES_DOWN, place, 1, since, None, DOWN, WHOLE - 1

    def _reservations(self) -> Iterator[Held]:
        for place, each in enumerate(self._board.capture.reservations):
            moved = each.moved(self._now)
            hosts = ",".join(each.nodes)
            for first, count, _ in self.rows.listed(hosts, 0) if hosts else ():
                yield RESERVED_FIRST - place, first, count, each.begin + moved, each.end + moved, RESERVED, 1
