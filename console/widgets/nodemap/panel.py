"""The node map: the machine at one instant, one letter a node, with zoom, colouring, cursor and selection."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session.facts import Snapshot
from shadowtime.console.widgets.frame.letters import letters_of
from shadowtime.console.widgets.frame.looks import palette_of
from shadowtime.console.widgets.frame.pen import Penned, strip
from shadowtime.console.widgets.frame.space import Need, Space
from shadowtime.console.widgets.nodemap.cells import Cells
from shadowtime.console.widgets.nodemap.pictures import Canvas
from shadowtime.console.widgets.nodemap.scene import Colouring, JobFacts, NodeScene, never, nobody, view
from shadowtime.console.widgets.nodemap.torus_layout import Torus
from shadowtime.console.widgets.nodemap.words import legend, status
from shadowtime.console.widgets.nodemap.zoom import LETTERS, best, zooms
from shadowtime.console.words import NODES, Unit

COLUMNS = 41
"""Cells of a row of 32 letters with what stands before it."""
TALL = 6
"""Lines from which a map that does not need them all leaves one for the legend under it."""
UNDER, MOST = 2, 4
"""Lines of the status and the legend under the map; at most, where blank ones are left."""


class _OnNode(Message):
    """Something about the node at the cursor of a map, and the job that owns it."""

    def __init__(self, node_map: "NodeMap", job_index: int, node: int) -> None:
        super().__init__()
        self.node_map = node_map
        self.job_index = job_index
        self.node = node

    @property
    def control(self) -> "NodeMap":
        return self.node_map


class NodeMap(Penned, ScrollView, can_focus=True, inherit_bindings=False):
    """The node map. `show` gives it a snapshot; `colouring` and `selected` may be set at any time.

    It zooms by itself so that the whole machine is in sight, until the operator zooms. A `torus` is drawn
    plane by plane.
    """

    DEFAULT_CSS = """
    NodeMap { width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1, 0)", "Node left", show=False, id="map.left"),
        Binding("right", "move(1, 0)", "Node right", show=False, id="map.right"),
        Binding("up", "move(0, -1)", "Node up", show=False, id="map.up"),
        Binding("down", "move(0, 1)", "Node down", show=False, id="map.down"),
        Binding(
            "enter",
            "open",
            "Open node",
            show=False,
            id="map.pick",
            tooltip="All about the node at the cursor",
        ),
        Binding("z", "zoom(1)", "Nearer", show=False, id="zoom_in", tooltip="Fewer nodes, more of each"),
        Binding("Z", "zoom(-1)", "Farther", show=False, id="zoom_out", tooltip="More nodes, less of each"),
        Binding("v", "colour", "Colouring", show=False, id="colouring", tooltip="What the colours mean"),
    ]

    colouring: reactive[Colouring] = reactive(Colouring.STATE, repaint=False)
    """What letters and colours mean."""
    selected: reactive[int | None] = reactive(None, repaint=False)
    """Index of the job that stands out, if any."""
    cursor: reactive[int | None] = reactive(None, repaint=False)
    """Node under the cursor; None until it is first moved."""

    class Picked(_OnNode):
        """The operator picked the job that owns the node at the cursor."""

    class Opened(_OnNode):
        """The operator wants the page of the node at the cursor; the job is its owner, -1 without one."""

    class Recaptioned(Message):
        """Colouring or zoom changed, and with it the caption."""

        def __init__(self, node_map: "NodeMap", caption: str) -> None:
            super().__init__()
            self.node_map = node_map
            self.caption = caption

        @property
        def control(self) -> "NodeMap":
            return self.node_map

    def __init__(
        self,
        *,
        torus: Torus | None = None,
        unit: Unit = NODES,
        names: Sequence[str] = (),
        id: str | None = None,
    ) -> None:
        """`names` are those of nodes that have other names than their numbers."""
        super().__init__(id=id)
        self._torus = torus
        self._unit = unit if torus is None else torus.unit
        self._names = names
        self._zooms = zooms(torus, names)
        self._snapshot: Snapshot | None = None
        self._before: memoryview | None = None
        self._jobs = JobFacts()
        self._chosen = False
        """Whether the operator chose what colours mean."""
        self._zoom: int | None = None
        self._canvas: Canvas | None = None
        self._words: list[Cells] = [[], []]

    def show(
        self,
        snapshot: Snapshot,
        *,
        states: Mapping[int, str] | None = None,
        label: Callable[[int], str] = str,
        user: Callable[[int], str] = nobody,
        start: Callable[[int], int | None] = never,
        end: Callable[[int], int | None] = never,
        clock: Clock = ELAPSED,
    ) -> None:
        """Show a snapshot. All else is by job index: state letter (running where missing), the label of its
        id, its user, and the seconds when its run started and when it is expected to end."""
        earlier, self._snapshot = self._snapshot, snapshot
        self._jobs = JobFacts({} if states is None else states, label, user, start, end, clock)
        if earlier is None or earlier.nodes != snapshot.nodes:
            self._before = self._canvas = self._zoom = self.cursor = None
            self._fit()
            return
        if (earlier.number, earlier.owners) != (snapshot.number, snapshot.owners):
            self._before = view(earlier.owners) if earlier.number == snapshot.number - 1 else None
        self._repaint()

    @property
    def space(self) -> Space:
        """Rows of letters for all nodes, and the words below."""
        zoom, nodes = self._zooms[LETTERS], 1 if self._snapshot is None else self._snapshot.nodes

        def lines(columns: int) -> Need:
            rows = max(TALL, zoom(nodes, min(columns, 2 * COLUMNS), 1).lines + UNDER)
            return Need(TALL, rows, rows)

        return Space(Need(34, COLUMNS, 2 * COLUMNS), lines(COLUMNS), lines)

    def filled(self, columns: int, lines: int) -> int:
        """How many lines the map fills in so many columns and lines, with the words below."""
        if self._snapshot is None:
            return lines
        room = max(1, lines - UNDER)
        picture = self._zooms[self._zoom_for(columns, room)](self._snapshot.nodes, columns, room)
        return min(room, picture.lines) + UNDER

    @property
    def caption(self) -> str:
        """What is shown, for a title: `by state, one letter a node`."""
        what = self.colouring.value
        if self._canvas is None:
            return what
        name = self._unit.fill(self._canvas.picture.name)
        return f"{what}, {name.replace('letter', 'digit') if self._counted else name}"

    @property
    def _counted(self) -> bool:
        """Whether ages or ends are written, as steps of a scale."""
        return self.colouring in (Colouring.AGE, Colouring.END)

    def action_move(self, right: int, down: int) -> None:
        """Move the cursor; the first move puts it on the first node of the selected job, or on node 0."""
        if self._canvas is None:
            return
        if self.cursor is not None:
            self.cursor = self._canvas.picture.moved(self.cursor, right, down)
            return
        owners = self._canvas.scene.owners.tolist()
        self.cursor = owners.index(self.selected) if self.selected in owners else 0

    def action_pick(self) -> None:
        """Say which job owns the node at the cursor, if one does."""
        if self._canvas is None or self.cursor is None:
            return
        owner = self._canvas.picture.owner_at(self.cursor, self._canvas.scene)
        if owner >= 0:
            self.post_message(self.Picked(self, owner, self.cursor))

    def action_open(self) -> None:
        """Say that the page of the node at the cursor is wanted."""
        if self._canvas is not None and self.cursor is not None:
            owner = self._canvas.picture.owner_at(self.cursor, self._canvas.scene)
            self.post_message(self.Opened(self, owner, self.cursor))

    def action_zoom(self, nearer: int) -> None:
        """Zoom one step nearer (1) or farther (-1)."""
        if self._snapshot is None:
            return
        now = self._zoom_for(self.size.width, self._room)
        self._zoom = max(0, min(len(self._zooms) - 1, now + nearer))
        self._fit()

    def action_colour(self) -> None:
        self.colour_by(self.colouring.following)

    def colour_by(self, colouring: Colouring) -> None:
        self._chosen = True
        self.colouring = colouring

    def suggest(self, colouring: Colouring) -> None:
        """Let colours mean something until the operator chooses."""
        if not self._chosen and colouring is not self.colouring:
            self.colouring = colouring

    def watch_colouring(self) -> None:
        self._fit()

    def watch_selected(self) -> None:
        self._repaint()

    def watch_cursor(self) -> None:
        self._keep_in_sight()
        self._repaint()

    def on_resize(self, event: events.Resize) -> None:
        self._fit()

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if self._canvas is None or at is None or at.y >= self._room:
            return
        nodes = self._canvas.picture.nodes_at(at.x, at.y + self.scroll_offset.y)
        if nodes is not None:
            self.cursor = nodes.start
            self.action_pick()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self.is_mounted:
            self._repaint()

    def render_line(self, y: int) -> Strip:
        """One line of the panel: of the map, or of the words under it."""
        if self._canvas is None:
            return strip([], self.size.width, self.pen.base)
        under = y - self.size.height + len(self._words)
        cells = self._words[under] if under >= 0 else self._canvas.line(y + self.scroll_offset.y)
        return strip(cells, self.size.width, self._canvas.scene.base)

    @property
    def _room(self) -> int:
        """Lines for the map itself: under it stand the status, and the legend where there is room for it."""
        return max(1, self.size.height - (UNDER if self.size.height >= TALL else 1))

    def _zoom_for(self, columns: int, room: int) -> int:
        if self._zoom is not None:
            return self._zoom
        nodes = self._snapshot.nodes if self._snapshot else 1
        zoom = best(nodes, max(1, columns), room, self._zooms)
        # Several digits a node have no number of a job among them, and read as several nodes.
        several = zoom == LETTERS + 1 and self._torus is None
        return LETTERS if several and self._counted else zoom

    def _fit(self) -> None:
        """Choose the picture for the size of the panel, and make room for all its lines."""
        if self._snapshot is None or not self.size:
            return
        zoom = self._zoom_for(self.size.width, self._room)
        picture = self._zooms[zoom](self._snapshot.nodes, self.size.width, self._room)
        self._canvas = Canvas(picture, self._make_scene(self._snapshot))
        self.virtual_size = Size(self.size.width, picture.lines + self.size.height - self._room)
        self._recaption()
        self._keep_in_sight()
        self._repaint()
        self.refresh()

    def _recaption(self) -> None:
        if self.is_mounted:
            self.post_message(self.Recaptioned(self, self.caption))

    def _keep_in_sight(self) -> None:
        if self.cursor is None or self._canvas is None:
            return
        line, top = self._canvas.picture.line_of(self.cursor), self.scroll_offset.y
        if not top <= line < top + self._room:
            self.scroll_to(y=line if line < top else line - self._room + 1, animate=False)

    def _make_scene(self, snapshot: Snapshot) -> NodeScene:
        return NodeScene(
            owners=view(snapshot.owners),
            time=snapshot.time,
            jobs=self._jobs,
            changed=snapshot.changed,
            before=self._before,
            colouring=self.colouring,
            selected=self.selected,
            cursor=self.cursor,
            palette=palette_of(self.app),
            letters=letters_of(self).held,
            base=self.pen.base,
            torus=self._torus,
            unit=self._unit,
            draining=snapshot.draining,
            names=self._names if len(self._names) == snapshot.nodes else (),
        )

    def _repaint(self) -> None:
        """Make the scene anew, and refresh the lines in sight that come out different."""
        if self._canvas is None or self._snapshot is None:
            return
        top, room = self.scroll_offset.y, self._room
        stale = self._canvas.renew(self._make_scene(self._snapshot), range(top, top + room))
        words, height = self._under(), self.size.height
        if len(words) != len(self._words):
            self.refresh()
        first = height - len(words)
        under = (first + at for at, cells in enumerate(words) if cells not in self._words[at : at + 1])
        lines = [*(line - top for line in stale), *under]
        self._words = words
        self.refresh_lines_at(lines)

    def _under(self) -> list[Cells]:
        assert self._canvas is not None
        scene, picture, width = self._canvas.scene, self._canvas.picture, self.size.width
        sharing = None if scene.cursor is None else picture.nodes_with(scene.cursor)
        if self.size.height <= self._room:
            return []
        lines = min(MOST, max(self.size.height - self._room, self.size.height - picture.lines)) - 1
        head = status(scene, width, sharing)
        if lines:
            return [[(head, scene.base)], *legend(scene, picture, width, lines)]
        (beside,) = legend(scene, picture, max(0, width - cell_len(head) - 3))
        return [[(f"{head}   " if beside else head, scene.base), *beside]]
