"""The picture: the five panels of the console, and what is painted on them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import chain

import attrs
from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.screens.composed.panels import CHART, EVENTS, METRICS, NODES, QUEUE, PanelArrangement
from shadowtime.console.screens.composed.space import Group
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.gantt import GanttChart
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.session.facts import ASIDE, Snapshot
from shadowtime.console.session.likely.starts import ENDED
from shadowtime.console.widgets.events.panel import EventPanel
from shadowtime.console.widgets.frame.letters import letters_of
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.matrix.panel import MatrixPanel
from shadowtime.console.widgets.metrics.panel import MetricsPanel
from shadowtime.console.widgets.metrics.text import measures
from shadowtime.console.widgets.nodemap.panel import NodeMap
from shadowtime.console.widgets.nodemap.scene import Colouring
from shadowtime.console.widgets.nodemap.torus_layout import Torus
from shadowtime.console.widgets.queue.columns import Shape
from shadowtime.console.widgets.queue.panel import Queue
from shadowtime.console.words import likely

COLOURINGS = {each.name.lower(): each for each in Colouring}
"""What the node map can be by, as it is typed."""
GROUP = Group((Group((QUEUE, EVENTS)), Group((CHART, NODES, METRICS))), beside=True, flipped=True)
"""The panels: charts on the left, the jobs and what happens on the right."""
OF_FEW_JOBS = Group((Group((QUEUE, EVENTS, METRICS)), Group((CHART, NODES))), beside=True, flipped=True)
"""The same where so few jobs leave room for the metrics below them."""
FEW, MANY = 4, 50
"""Running jobs that a map by job is worth, and that have letters of their own."""


def explained(promises: Collection[str]) -> str:
    """What the words behind predicted starts stand for: `exp: expected   guar: guaranteed`."""
    return "   ".join(f"{short}: {name}" for name, short in words.PROMISES.items() if name in promises)


def rows_free(snapshot: Snapshot, unit: words.Unit) -> str:
    """Return in one line why jobs that take turns have no nodes to come free, and how many each row has."""
    matrix = snapshot.matrix
    shares = () if matrix is None else matrix.utilizations
    rows = [f"row {row} {round((1 - share) * snapshot.nodes):,}" for row, share in enumerate(shares)]
    free = (
        f"free {unit.several}: {', '.join(rows[:8])}{', ...' if len(rows) > 8 else ''}"
        if rows
        else "no row is used"
    )
    return f"jobs take turns here: every row has all {unit.several} when its turn comes; {free}"


class MachinePicture:
    """Paints the panels. `chosen` is the job looked at, `numbers` are the panels that may be used.

    `queue_caption` makes the caption of the queue from the usual one; `below` and `laid_out` are those of the
    arrangement.
    """

    def __init__(
        self,
        screen: Screen[None],
        desk: Desk,
        *,
        chosen: Callable[[], int | None],
        numbers: Callable[[], tuple[int, ...]],
        queue_caption: Callable[[str], str],
        below: Callable[[int, Collection[int]], int],
        laid_out: Callable[[bool], None],
        say: Callable[[str, str], None],
    ) -> None:
        self._screen, self._desk = screen, desk
        self._chosen = chosen
        self._numbers = numbers
        self._queue_caption = queue_caption
        self._say = say
        self._order: Sequence[int] = ()
        self._unknown = ""
        """Of how many jobs it is not known yet whether, or where, they are in the order."""
        self._turning = desk.snapshot.matrix is not None
        case = desk.case
        columns, machine = case.columns, case.scenario.machine
        last = columns.submit[-1] if len(columns.submit) else 0
        few = len(columns.submit) <= ENDED
        shape = Shape.of(columns.id, columns.user, columns.klass, case.nodes, last)
        shape = attrs.evolve(shape, odds=not few)
        self.queue = Queue(shape, desk.rows, desk.unit, id="queue")
        self.queue.all_rows = len(columns.submit)
        self.map = NodeMap(torus=Torus.of(machine), unit=desk.unit, id="nodemap")
        self.events = EventPanel(desk.events, desk.unit, id="events")
        self._matrix = MatrixPanel(desk.unit, id="matrix")
        self._metrics = MetricsPanel(desk.unit, id="metrics")
        self.chart = GanttChart(
            screen,
            desk.session,
            desk.unit,
            free=lambda: not desk.busy,
            label=self._label,
            row=desk.row,
        )
        panels = {
            1: Panel(1, "NODE MAP", self.map),
            2: Panel(2, "QUEUE", self.queue),
            3: Panel(3, "MATRIX", self._matrix) if self._turning else Panel(3, "GANTT", self.chart.panel),
            4: Panel(4, "EVENTS", self.events),
            5: Panel(5, "METRICS", self._metrics),
        }
        panels[5].caption("since event 1")
        groups = (OF_FEW_JOBS, GROUP) if few else (GROUP,)
        self.panels = PanelArrangement(
            screen, panels, groups, numbers=numbers, below=below, laid_out=laid_out, say=say
        )

    @cached_property
    def _users(self) -> Sequence[str]:
        return self._desk.case.columns.user

    def _label(self, index: int) -> str:
        return str(self._desk.session.id_of(index))

    def paint(self) -> None:
        desk, shot = self._desk, self._desk.snapshot
        self._show_queue()
        self.map.suggest(self._colouring())
        self.map.show(
            shot,
            states=shot.holding,
            label=self._label,
            user=self._users.__getitem__,
            start=desk.start_of,
            end=desk.end_of,
            clock=desk.clock,
        )
        if shot.matrix is not None:
            self._matrix.show(shot, desk.columns, self._label, self._users.__getitem__)
        self.paint_chart()
        self._show_metrics()
        self.paint_chosen()
        self.panels.fit()

    def _show_metrics(self) -> None:
        desk, shot = self._desk, self._desk.snapshot
        self._metrics.show(
            shot.metrics,
            desk.session.trend(),
            measures(desk.session.preempts),
            lambda: [
                *words.status(shot.status, shot.time, shot.nodes, desk.unit),
                *likely.metrics(desk.session.forecasts.latest_likely),
            ],
        )

    def _show_queue(self) -> None:
        desk = self._desk
        self._order, unknown, shot = desk.order(), desk.unknown, desk.snapshot
        letters_of(self._screen).give(chain(shot.running, shot.holding, shot.waiting))
        self._unknown = f", not known of {unknown:,} yet" if unknown else ""
        nothing = (
            f"no job matches {desk.filter!r}; Esc shows all" if desk.filter else "nobody waits, nobody runs"
        )
        self.queue.nothing = (
            f"working: {desk.filter!r} is not known of {unknown:,} jobs yet" if unknown else nothing
        )
        self.queue.show(desk.snapshot, self._order, desk.selected, desk.sorting.name, desk.sorting.reverse)

    def _colouring(self) -> Colouring:
        """By job if the machine is busy and its jobs can be told apart: by state it would be one block."""
        shot = self._desk.snapshot
        # A held or suspended job is on no node.
        on_nodes = any(state not in ASIDE for state in shot.holding.values())
        apart = FEW <= len(shot.running) <= MANY and not on_nodes and not self._turning
        busy = (shot.nodes - shot.metrics.free_nodes) * 4 >= shot.nodes * 3
        return Colouring.JOB if apart and busy else Colouring.STATE

    def use(self, unit: words.Unit) -> None:
        """Write the numbers of the machine in a unit, and instants by its clock, on every panel."""
        for panel in (self.queue, self.events, self._matrix, self._metrics, self.chart.panel):
            panel.use(unit)

    def look(self) -> None:
        self.queue.place_on(self._desk.selected)
        self.paint_chosen()

    def paint_predictions(self) -> None:
        desk = self._desk
        desk.forget_rows()
        if desk.foreseen:
            self._show_queue()
            self.paint_captions()
        self.queue.freshen()
        self.explain_queue()
        if desk.session.forecasts.likely is not None:
            self._show_metrics()
        self.events.choose(self._desk.choice(self._chosen()))
        self.paint_chart()

    def explain_queue(self) -> None:
        """Explain the words behind predicted starts in sight, and how likely starts have held."""
        odds = likely.standing(self._desk.session.forecasts.latest_likely)
        self.panels.panels[2].foot("   ".join(filter(None, (odds, explained(self.queue.promises)))))

    def paint_chart(self) -> None:
        """Paint the bars if they are seen: they cost what others do not."""
        if not self._turning and self.panels.seen(3):
            self.chart.show(self._desk.snapshot, self._chosen())

    def paint_chosen(self) -> None:
        self.map.selected = self._chosen()
        if self._turning:
            self._matrix.place(self._chosen())
        elif self.panels.seen(3):
            self.chart.panel.place(self._chosen())
        self.events.show(self._desk.snapshot, self._desk.choice(self._chosen()))
        self.paint_captions()

    def paint_captions(self) -> None:
        """Say in the titles of the panels what they show."""
        snapshot = self._desk.snapshot
        queue = ", ".join(words.tallied(snapshot, self._desk.unit, "waiting", "running", "holding"))
        shown = f", {len(self._order):,} match {self._desk.filter!r}" if self._desk.filter else ""
        if not self._desk.sorting.plain:
            shown += f", {self._desk.sorting}"
        shown += self._unknown
        # What is looked for is more than how many there are: that is in the lines below, too.
        whole = not shown or len(queue + shown) <= self._room(2)
        queue = queue + shown if whole else shown.removeprefix(", ")
        self.panels.panels[2].caption(self._queue_caption(queue))
        self.caption_chart()
        self.panels.panels[4].caption(f"at event {snapshot.number:,}")
        self.caption_map()

    def caption_map(self) -> None:
        """Say in the title of the node map what it shows."""
        self._caption(1, self.map.caption)

    def caption_chart(self) -> None:
        """Say in the title of the Gantt chart, or of the matrix, what it shows."""
        self._caption(3, self._matrix.caption if self._turning else self.chart.panel.caption)

    def _caption(self, number: int, words: str) -> None:
        """Put words after the title of a panel; up to the first comma if there is no room for all."""
        self.panels.panels[number].caption(words if len(words) <= self._room(number) else words.split(",")[0])

    def _room(self, number: int) -> int:
        """The cells behind the title of a panel."""
        panel = self.panels.panels[number]
        return panel.size.width - len(f"[{number}] {panel.title}") - 6

    def in_sight(self) -> Sequence[int]:
        """The jobs whose slip is wanted."""
        chosen = self._chosen()
        return list(
            dict.fromkeys([*self.queue.in_sight, *([] if chosen is None else [chosen]), *self._desk.slipping])
        )

    @property
    def node(self) -> int | None:
        """The node under the cursor of the node map, if that panel is in use."""
        if self.panels.used != 1 or self.map.cursor is None:
            return None
        return self.map.cursor // self._desk.case.scenario.machine.node_size

    @property
    def nodes(self) -> int:
        return self._desk.case.nodes // self._desk.case.scenario.machine.node_size

    def point(self, node: int) -> None:
        self.panels.show(1)
        self.map.cursor = node * self._desk.case.scenario.machine.node_size

    def views(self) -> Mapping[str, Callable[[], None]]:
        """Return what the third panel can show, by name."""
        return {
            "availability": lambda: self._view("availability", ahead=True),
            "gantt": lambda: self._view("gantt", ahead=False),
        }

    def _view(self, name: str, ahead: bool) -> None:
        """Show the free nodes from now on, or the bars. Unknown if there is no such thing here."""
        panel = self.panels.panels[3]
        if 3 not in self._numbers():
            raise Unknown("what is to come is not shown here")
        if self._turning:
            raise Unknown(rows_free(self._desk.snapshot, self._desk.unit))
        self.chart.view(ahead)
        panel.title = name.upper()
        self.panels.show(3)
        self.caption_chart()

    def colour(self) -> None:
        self.panels.bring(1)
        self.map.action_colour()
        self._say(f"the node map is coloured by {self.map.colouring.value.removeprefix('by ')}", "dim")

    def map_by(self, name: str) -> None:
        """Show the node map, coloured by a property if one is named. Unknown if there is no such property."""
        found = COLOURINGS.get(name)
        if name and found is None:
            raise Unknown(f"there is no map by {name!r}; expected one of {', '.join(COLOURINGS)}")
        self.panels.show(NODES)
        if found is not None:
            self.map.colour_by(found)

    def zoom(self, step: int) -> None:
        """Look closer at the nodes, or see more of the machine."""
        self.panels.bring(1)
        self.map.action_zoom(step)
        self._say(f"node map: {self.map.caption}", "dim")
