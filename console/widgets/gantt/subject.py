"""What a Gantt chart is of: bars over time, where they stand, and the names of nodes and jobs."""

from typing import TYPE_CHECKING, Protocol, Union

import attrs

from shadowtime.console.words import Unit

if TYPE_CHECKING:
    from shadowtime.console.session.facts import Row, Snapshot
    from shadowtime.console.session.jobs.bars import Bars
    from shadowtime.console.session.slurm.charting.bars import BarJob, BarsStand, ClusterBars

# Modules of clusters are not loaded for the chart of a machine.
Charted = Union["Bars", "ClusterBars"]
"""Bars over time."""
ChartStand = Union["Snapshot", "BarsStand"]
"""Where the bars stand."""
Charting = Union["Row", "BarJob"]
"""A job under the chart."""


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
