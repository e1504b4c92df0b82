"""What a Gantt chart is of: bars over time, where they stand, and the names of nodes and jobs."""

from collections.abc import Sequence
from typing import Protocol

import attrs

from shadowtime.console.session.facts import LikelyStart, Prediction
from shadowtime.console.session.jobs.bars import Lanes, Viewport
from shadowtime.console.words import Unit


class Charted(Protocol):
    """Bars over time."""

    @property
    def stale(self) -> bool:
        """Whether those that are expected are as they were at another event."""

    @property
    def likely(self) -> bool:
        """Whether a bar from now on is as strong as it is likely."""

    @property
    def unplaced(self) -> int:
        """Jobs that are expected and are not drawn."""

    @property
    def soon(self) -> int:
        """The instant up to which it is worth looking by itself."""

    @property
    def last(self) -> int:
        """The last end."""

    def first(self) -> int:
        """Return the instant at which the bars begin."""

    def gaps(self, window: Viewport) -> Sequence[tuple[int, int]]:
        """Return the parts of a window's past of which nothing is known."""

    def lanes(self, window: Viewport, chosen: int | None = None) -> Lanes:
        """Return who has each cell of a window; what is likely of a chosen job before all else."""


class ChartStand(Protocol):
    """Where the bars stand."""

    @property
    def nodes(self) -> int:
        """Nodes of the machine."""

    @property
    def time(self) -> int:
        """The instant."""

    @property
    def changed(self) -> frozenset[int]:
        """The jobs that the last event touched, by index."""


class Charting(Protocol):
    """A job under the chart."""

    @property
    def index(self) -> int:
        """Its index."""

    @property
    def id(self) -> int | str:
        """As it is named."""

    @property
    def user(self) -> str:
        """Whose it is."""

    @property
    def size(self) -> int:
        """Nodes."""

    @property
    def state(self) -> str:
        """The letter of its state."""

    @property
    def waits(self) -> bool:
        """Whether it waits."""

    @property
    def start(self) -> int | None:
        """When it started."""

    @property
    def end(self) -> int | None:
        """When it ended, or ends at the latest."""

    @property
    def estimate(self) -> int:
        """Seconds for which a job that is to start is expected to run."""

    @property
    def predicted(self) -> Prediction | None:
        """When it is to start."""

    @property
    def likely(self) -> LikelyStart | None:
        """When it is likely to start."""


class NodeAxis(Protocol):
    """The names of the nodes, by their places in the chart."""

    @property
    def width(self) -> int:
        """Cells of the longest label."""

    def label(self, nodes: range) -> str:
        """Return what stands before the row of these nodes."""

    def named(self, nodes: range) -> str:
        """Return the names of these nodes."""


@attrs.frozen
class Numbered:
    """Nodes that have numbers."""

    nodes: int

    @property
    def width(self) -> int:
        """Cells of the longest number; four at least."""
        return max(4, len(str(max(0, self.nodes - 1))))

    def label(self, nodes: range) -> str:
        """Return the first number."""
        return str(nodes.start)

    def named(self, nodes: range) -> str:
        """Return the numbers: `16-31`."""
        return str(nodes.start) if len(nodes) == 1 else f"{nodes.start}-{nodes.stop - 1}"


@attrs.frozen
class Terms:
    """The words of a chart: what a job runs to at the latest, and the signs of nodes that nobody may use."""

    latest: str = "estimate"
    signs: tuple[str, ...] = ("/ down",)
    nodes: tuple[str, str] | None = None
    """The words for one and several of the rows, where jobs may be counted in another unit."""

    def rows(self, unit: Unit) -> tuple[str, str]:
        """Return the words for one and several rows of a chart whose jobs are counted in a unit."""
        return self.nodes or (unit.one, unit.several)


OF_A_CLUSTER = Terms("limit", ("/ drained or down", ": reserved"), ("node", "nodes"))
