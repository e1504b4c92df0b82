"""The Ousterhout matrix as text: time slots down, processors across, and the running jobs above them.

A job is drawn with its letter over its columns. The sign after the letter shows the rest without any colour:
the letter again if the job runs in its own row, `+` if it runs beside another row as an alternate, `-`
if it waits for its turn. A cell of several nodes shows the job that has some of them, and `*` if two jobs or
more do.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import attrs
from rich.style import Style

from shadowtime.console import words
from shadowtime.console.session import Matrix, format_duration
from shadowtime.console.widgets.frame.ink import flowed, printable
from shadowtime.console.widgets.frame.letters import Held, letter
from shadowtime.console.widgets.frame.looks import IDLE, Palette, look, quiet
from shadowtime.console.widgets.nodemap.cells import Cells, joined, percent
from shadowtime.console.widgets.nodemap.scene import CHANGED, SELECTED, nobody

Runs = Sequence[tuple[int, int]]
"""The columns of a job: the first of each run, and how many."""

NO_JOB, SEVERAL = -1, -2
ALTERNATE, WAITING, MIXED = "+", "-", "*"
WIDEST_NODE = 4
"""Cells that one node takes at most."""
ROOMY = 50
"""Cells from which shares are shown to a tenth of a per cent."""
HEAD = 2
"""Lines above the rows: the numbers of the nodes, and who runs now."""


@attrs.frozen
class Scale:
    """How many nodes a cell stands for, or how many cells a node takes; one of them is 1."""

    nodes: int
    per: int
    wide: int

    @staticmethod
    def of(nodes: int, room: int) -> "Scale":
        """The largest picture in so many cells. Nodes a cell are a power of two, as blocks are."""
        per = 1
        while -(-nodes // per) > max(room, 1):
            per *= 2
        return Scale(nodes, per, min(WIDEST_NODE, max(1, room // nodes)) if per == 1 else 1)

    @property
    def cells(self) -> int:
        """Cells of the whole machine."""
        return -(-self.nodes // self.per) * self.wide

    def covered(self, first: int, count: int) -> range:
        """The cells of so many nodes from the first on."""
        return range(first // self.per * self.wide, ((first + count - 1) // self.per + 1) * self.wide)

    def node(self, cell: int) -> int:
        """The first node of a cell."""
        return cell // self.wide * self.per

    def ruler(self) -> str:
        """The numbers of nodes, each over its cell, as close as they can be read."""
        step = self.wide
        while step <= len(str(self.nodes - 1)):
            step *= 2
        numbers = (str(self.node(cell)).ljust(step) for cell in range(0, self.cells, step))
        return "".join(numbers)[: self.cells + step - 1].rstrip()


def never(index: int) -> Runs:
    """Return the columns of an unknown job."""
    return ()


@attrs.frozen
class MatrixJobs:
    """What the matrix may ask about a job, by its index: its columns, the label of its id, its user."""

    columns: Callable[[int], Runs] = never
    label: Callable[[int], str] = str
    user: Callable[[int], str] = nobody


@attrs.define
class MatrixScene:
    """The matrix at one instant, who owns each node (int32, as in a snapshot), and what stands out."""

    matrix: Matrix
    owners: memoryview
    time: int = 0
    pending: bool = False
    """Whether the pass of this instant has still to decide who runs."""
    jobs: MatrixJobs = attrs.field(factory=MatrixJobs)
    running: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    selected: int | None = None
    palette: Palette = attrs.field(factory=Palette)
    letters: Held = attrs.field(factory=dict)
    base: Style = attrs.field(factory=Style)
    unit: words.Unit = words.NODES
    _rows: Mapping[int, int] = attrs.field(init=False)
    _styles: dict[int, Style] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._rows = {job: number for number, row in enumerate(self.matrix.rows) for job in row}

    def row_of(self, job: int | None) -> int | None:
        return None if job is None else self._rows.get(job)

    def fill(self, job: int) -> str:
        if job not in self.running:
            return WAITING
        return letter(self.letters, job) if self._rows.get(job) == self.matrix.current else ALTERNATE

    def style(self, owner: int) -> Style:
        """How a job (or an idle or a mixed cell) is drawn: by its state, and by what stands out."""
        found = self._styles.get(owner)
        if found is None:
            found = self._styles[owner] = self._style(owner)
        return found

    def _style(self, owner: int) -> Style:
        if owner == NO_JOB:
            return self.base + look(IDLE, self.palette).style
        if owner == SEVERAL:
            return self.base + quiet(self.palette)
        runs = owner in self.running
        style = self.base + look("R" if runs else "W", self.palette).style
        if runs:
            style += Style(bold=True)
        if owner in self.changed:
            style += CHANGED
        return style + SELECTED if owner == self.selected else style


@attrs.define
class MatrixPicture:
    """A scene in so many cells of width. A label, the cells of the nodes, and a share make a line."""

    scene: MatrixScene
    width: int

    @cached_property
    def label(self) -> int:
        """Cells before the nodes."""
        return 2 + max(3, len(str(len(self.scene.matrix.rows) - 1)))

    @cached_property
    def share(self) -> int:
        """Cells behind the nodes."""
        return 8 if self.width >= ROOMY else 5

    @cached_property
    def scale(self) -> Scale:
        """How the nodes fit between the two."""
        return Scale.of(len(self.scene.owners), self.width - self.label - self.share)

    def percentage(self, share: float) -> str:
        """Return a share of the nodes, with a decimal if there is room."""
        short = percent(round(1e6 * share), 1_000_000)
        return words.per_cent(share) if self.share == 8 else short

    def heading(self) -> Cells:
        """The numbers of the nodes."""
        faint = self.scene.base + quiet(self.scene.palette)
        ruler = self.scale.ruler()
        room = self.scale.cells + self.share - len(ruler)
        used = "used".rjust(room) if room > len("used") else ""
        return [("row".rjust(self.label - 1) + " ", faint), (ruler, faint), (used, faint)]

    def now(self, share: float) -> Cells:
        """Who runs now, node by node."""
        owners, scale = self.scene.owners, self.scale
        found: list[int] = []
        for first in range(0, scale.nodes, scale.per):
            here = {owner for owner in owners[first : first + scale.per] if owner >= 0}
            found += [SEVERAL if len(here) > 1 else next(iter(here), NO_JOB)] * scale.wide
        return self._line("now", found, (), self.percentage(share))

    def row(self, number: int) -> Cells:
        scene, scale = self.scene, self.scale
        found = [NO_JOB] * scale.cells
        chosen: list[int] = []
        for job in scene.matrix.rows[number]:
            for first, count in scene.jobs.columns(job):
                for at in scale.covered(first, count):
                    found[at] = job if found[at] in (NO_JOB, job) else SEVERAL
                    if job == scene.selected:
                        chosen.append(at)
        return self._line(str(number), found, chosen, self.percentage(scene.matrix.utilizations[number]))

    def _line(self, name: str, found: Sequence[int], chosen: Iterable[int], share: str) -> Cells:
        scene = self.scene
        current = name == str(scene.matrix.current)
        style = scene.base + (Style(bold=True) if current or name == "now" else quiet(scene.palette))
        cells: Cells = [((">" if current else " ") + name.rjust(self.label - 2) + " ", style)]
        shown, before = set(chosen), NO_JOB
        for place, owner in enumerate(found):
            look_of = scene.style(owner)
            if owner == SEVERAL and place in shown:
                look_of += SELECTED
            cells.append((self._letter(owner, before), look_of))
            before = owner
        return [*joined(cells, scene.base), (share.rjust(self.share), style)]

    def _letter(self, owner: int, before: int) -> str:
        if owner < 0:
            return IDLE if owner == NO_JOB else MIXED
        return letter(self.scene.letters, owner) if owner != before else self.scene.fill(owner)

    def job_at(self, number: int, column: int) -> int | None:
        """The job of a row at a column of the panel; the first of several."""
        cell = column - self.label
        for job in self.scene.matrix.rows[number]:
            runs = self.scene.jobs.columns(job)
            if any(cell in self.scale.covered(first, count) for first, count in runs):
                return job
        return None


# The words under the rows.


def under(picture: MatrixPicture, lines: int) -> list[Cells]:
    """What stands under the rows, in so many lines at most: the job looked at, the turns, the signs."""
    scene, width = picture.scene, picture.width
    kinds = (
        (turns(picture), scene.base),
        (chosen_words(scene), scene.base + Style(bold=True)),
        (signs(picture), scene.base + quiet(scene.palette)),
    )
    found: list[Cells] = [[(text, style)] for texts, style in kinds for text in flowed(texts, width)]
    return found[:lines]


def turns(picture: MatrixPicture) -> list[str]:
    """How the rows take turns, and what a cell is."""
    matrix, scale = picture.scene.matrix, picture.scale
    rows = words.count(len(matrix.rows), "row")
    found = [f"mean of {rows} {words.per_cent(matrix.utilization)}"] if matrix.rows else ["no rows"]
    if matrix.next_switch is not None:
        ahead = words.duration(matrix.next_switch - picture.scene.time)
        found.append(f"next switch {picture.scene.unit.instant(matrix.next_switch)}, in {ahead}")
    elif picture.scene.pending:
        found.append("the pass of this instant comes first")
    elif matrix.rows:
        found.append("a single row: no switch")
    found.append(f"quantum {format_duration(matrix.quantum)}")
    found.append(f"{matrix.switches:,} switch{'' if matrix.switches == 1 else 'es'}")
    return [*found, f"{scale.per:,} {picture.scene.unit.several} a cell"] if scale.per > 1 else found


def signs(picture: MatrixPicture) -> list[str]:
    found = ["aa runs", "a+ runs as an alternate", "a- waits for its turn", ". idle"]
    return [*found, "* several jobs"] if picture.scale.per > 1 else found


def chosen_words(scene: MatrixScene) -> list[str]:
    """The job looked at: whose it is, where it stands, whether it runs; nothing without one."""
    job, row = scene.selected, scene.row_of(scene.selected)
    if job is None:
        return []
    of = f"job {printable(scene.jobs.label(job))}{words.of_user(scene.jobs.user(job))}"
    if row is None:
        return [of, "is in no row"]
    runs = scene.jobs.columns(job)
    held = ", ".join(f"{first}-{first + count - 1}" if count > 1 else f"{first}" for first, count in runs)
    return [of, f"row {row}, {scene.unit.several} {held}", _standing(scene, job, row)]


def _standing(scene: MatrixScene, job: int, row: int) -> str:
    matrix = scene.matrix
    if job in scene.running:
        return "runs in its row" if row == matrix.current else f"runs beside row {matrix.current}"
    if row == matrix.current:
        return "its turn begins with the pass of this instant"
    if matrix.current is None or matrix.next_switch is None:
        return "waits for its turn"
    away = (row - matrix.current - 1) % len(matrix.rows)
    return f"waits, its turn is at {scene.unit.instant(matrix.next_switch + away * matrix.quantum)}"
