"""The scene: the machine at one instant, and the cell (letter and style) for each owner of a node.

Owners are int32, as in a snapshot: the index of a job, -1 idle, -2 down. The scene adds -3: idle, and freed
by the last event; and -4: busy, and down when its job leaves it. Cells are made when
an owner is first met, so a scene costs nothing for jobs that are not in sight.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Self

import attrs
from rich.style import Style

from shadowtime.console.clock import DAY, ELAPSED, HOUR, MINUTE, Clock
from shadowtime.console.widgets.frame.letters import Held, letter
from shadowtime.console.widgets.frame.looks import (
    DOWN,
    DRAINING,
    IDLE,
    Depth,
    Look,
    Palette,
    chosen_look,
    job_look,
    late_look,
    look,
    ramp_look,
    user_look,
)
from shadowtime.console.widgets.nodemap.cells import Cell
from shadowtime.console.widgets.nodemap.torus_layout import Torus
from shadowtime.console.words import NODES, Unit

NO_JOB, NODE_DOWN, FREED, LEAVING = -1, -2, -3, -4


STEPS = (MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY)
STEP_NAMES = ("<1m", "<10m", "<1h", "<4h", "<12h", "<1d", "<2d", "<7d", "7d+")

CHANGED = Style(bold=True, underline=True)
SELECTED, BOLD = Style(reverse=True), Style(bold=True)


class Cycle(Enum):
    """Values of which a key chooses the next one."""

    @property
    def following(self) -> Self:
        """The next one; after the last the first."""
        members = list(type(self))
        return members[(members.index(self) + 1) % len(members)]


class Colouring(Cycle):
    """What letters and colours mean; the value is the title that says so."""

    STATE = "by state"
    JOB = "by job"
    USER = "by user"
    AGE = "by age"
    END = "by predicted end"


def nobody(index: int) -> str:
    """Return the user of an unknown job."""
    return "-"


def never(index: int) -> int | None:
    """Return the instant of an unknown job."""
    return None


@attrs.frozen
class JobFacts:
    """What the map may ask about a job, by its index: state letter, label, user, seconds of start and end."""

    states: Mapping[int, str] = attrs.field(factory=dict)
    label: Callable[[int], str] = str
    user: Callable[[int], str] = nobody
    start: Callable[[int], int | None] = never
    end: Callable[[int], int | None] = never
    clock: Clock = ELAPSED

    def state(self, index: int) -> str:
        """Return the state letter of a job that owns nodes; R by default."""
        return self.states.get(index, "R")


@attrs.define
class NodeScene:
    """One instant of a machine: owners (int32[nodes]), who they are, what stands out, and the styles.

    `before` holds the owners one event ago, where that is known: nodes freed since then stand out. `torus`
    is the shape of the machine unless it is flat, `unit` what its owners are counted in.
    """

    owners: memoryview
    time: int = 0
    jobs: JobFacts = attrs.field(factory=JobFacts)
    changed: frozenset[int] = frozenset()
    before: memoryview | None = None
    colouring: Colouring = Colouring.STATE
    selected: int | None = None
    cursor: int | None = None
    palette: Palette = attrs.field(factory=Palette)
    letters: Held = attrs.field(factory=dict)
    base: Style = attrs.field(factory=Style)
    torus: Torus | None = None
    unit: Unit = NODES
    draining: frozenset[int] = frozenset()
    names: Sequence[str] = ()
    ink: "Ink" = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ink = Ink(self)
        if self.torus is not None:
            self.unit = self.torus.unit

    def name(self, node: int) -> str:
        """The name of a node, by default its number."""
        return self.names[node] if self.names else str(node)

    def row(self, nodes: range) -> list[int]:
        """The owners of these nodes, with -3 where the last event freed one, and -4 for one that drains.

        Of the selected job the owner stays: it is found where it is.
        """
        now = self._owners(nodes)
        if self.draining:
            return [
                LEAVING if node in self.draining and owner != self.selected else owner
                for node, owner in zip(nodes, now, strict=True)
            ]
        return now

    def _owners(self, nodes: range) -> list[int]:
        among = slice(nodes.start, nodes.stop, nodes.step)
        now = self.owners[among].tolist()
        if self.before is None or now == (then := self.before[among].tolist()):
            return now
        return [
            FREED if owner == NO_JOB and owner != was else owner for owner, was in zip(now, then, strict=True)
        ]

    def look_of_none(self, owner: int) -> Look:
        return look({NODE_DOWN: DOWN, LEAVING: DRAINING}.get(owner, IDLE), self.palette)

    @property
    def marked(self) -> Style:
        """What the selected job stands out by: the colour that it has in a chart, else in reverse."""
        return SELECTED if self.palette.depth is Depth.NONE else chosen_look(self.palette).style + BOLD

    def is_changed(self, owner: int) -> bool:
        """Whether the last event touched this owner (or freed the node)."""
        return owner == FREED or owner in self.changed


class Ink(dict[int, Cell]):
    """Owner -> cell, filled as owners are met.

    A machine of jobs of one node meets thousands of owners in a frame: all on the way to a cell is cached.
    """

    def __init__(self, scene: NodeScene) -> None:
        super().__init__()
        self._scene = scene
        self._look = _COLOURINGS[scene.colouring]

    def __missing__(self, owner: int) -> Cell:
        scene = self._scene
        look = self._look(scene, owner) if owner >= 0 else scene.look_of_none(owner)
        marked = scene.marked if owner == scene.selected else None
        cell = self[owner] = _cell(look, scene.base, scene.is_changed(owner), marked)
        return cell


@lru_cache(4096)
def _cell(look: Look, base: Style, changed: bool, marked: Style | None) -> Cell:
    """The letter, and the one style object that stands for these; equal cells are the same object."""
    style = base + look.style
    if changed:
        style += CHANGED
    return look.letter, style if marked is None else style + marked


def view(owners: bytes | memoryview) -> memoryview:
    """Owners as int32[nodes], a view of the snapshot's bytes."""
    return memoryview(owners).cast("B").cast("i")


def _by_state(scene: NodeScene, job: int) -> Look:
    return look(scene.jobs.state(job), scene.palette)


def _by_job(scene: NodeScene, job: int) -> Look:
    return job_look(job, scene.palette, letter(scene.letters, job))


def _by_user(scene: NodeScene, job: int) -> Look:
    return user_look(scene.jobs.user(job), scene.palette)


def _by_age(scene: NodeScene, job: int) -> Look:
    start = scene.jobs.start(job)
    return _UNKNOWN if start is None else ramp_look(bisect_right(STEPS, scene.time - start), scene.palette)


def _by_end(scene: NodeScene, job: int) -> Look:
    end = scene.jobs.end(job)
    if end is None:
        return _UNKNOWN
    if end < scene.time:
        return late_look(scene.palette)
    return ramp_look(bisect_right(STEPS, end - scene.time), scene.palette)


_UNKNOWN = Look("?", Style.null())

_COLOURINGS: Mapping[Colouring, Callable[[NodeScene, int], Look]] = {
    Colouring.STATE: _by_state,
    Colouring.JOB: _by_job,
    Colouring.USER: _by_user,
    Colouring.AGE: _by_age,
    Colouring.END: _by_end,
}
