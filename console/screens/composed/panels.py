"""The panels of a console: which of them is in use, and how large it is."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from textual.containers import Container
from textual.events import Resize
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import Layout, WidgetPlacement
from textual.screen import Screen
from textual.widget import Widget

from shadowtime.console.screens.composed.space import Group, Sharing
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.frame.space import UNLIMITED, Need, Space

NODES, QUEUE, CHART, EVENTS, METRICS, RUNNING, WHY = range(1, 8)
"""The numbers of the panels, over a machine and over a cluster. The queue of a cluster is its plan."""
AROUND = 4
"""Lines around the panels of most consoles."""
ALONE = 100
"""Columns below which the queue has no panel beside it."""
SIZES = ("every panel has its usual size", "this panel is larger", "this panel has the whole screen")
"""What is said of a panel that was made larger so many times."""


class Shared(Layout):
    """Puts panels where a function says, given the room that the lines below leave them."""

    name = "shared"

    def __init__(self, regions: Callable[[Size], Mapping[int, Region]]) -> None:
        self._regions = regions

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> list[WidgetPlacement]:
        parent.pre_layout(self)
        panels = {child.number: child for child in children if isinstance(child, Panel)}
        lines = [child for child in children if not isinstance(child, Panel)]
        room = max(0, size.height - sum(map(height_of, lines)))
        return [
            WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, widget)
            for widget, region in (
                *_below(lines, room, size.width),
                *(
                    (panels[number], region)
                    for number, region in self._regions(Size(size.width, room)).items()
                    if number in panels
                ),
            )
        ]


def _below(lines: Sequence[Widget], at: int, width: int) -> Iterator[tuple[Widget, Region]]:
    for line in lines:
        height = height_of(line)
        yield line, Region(0, at, width, height)
        at += height


def height_of(line: Widget) -> int:
    """Return how many lines a widget has that is one of the lines below the panels."""
    height = line.styles.height
    return 1 if height is None else int(height.value)


class PanelArea(Container):
    """Panels, and lines below them. `resized` is called when it has another size."""

    def __init__(
        self, *widgets: Widget, regions: Callable[[Size], Mapping[int, Region]], resized: Callable[[], None]
    ) -> None:
        super().__init__(*widgets, id="panels")
        self._resized, self._shared = resized, Shared(regions)

    @property
    def layout(self) -> Layout:
        """The layout of the panels, which no style sheet changes."""
        return self._shared

    def on_resize(self, _: Resize) -> None:
        self._resized()


class PanelArrangement:
    """The panels of the first group that has room for all of them, else of the last, and which are seen.

    `numbers` are those that may be used, `below` returns how many of so many lines stand under the panels if
    these are seen, and `laid_out` hears that a panel is in use, and whether any has moved. `around` lines are
    taken to stand around the panels until that is known: then all are laid out anew if it was wrong.
    """

    def __init__(
        self,
        screen: Screen[None],
        panels: Mapping[int, Panel],
        groups: Sequence[Group],
        *,
        numbers: Callable[[], tuple[int, ...]],
        below: Callable[[int, Collection[int]], int],
        laid_out: Callable[[bool], None],
        say: Callable[[str, str], None],
        around: int = AROUND,
    ) -> None:
        self._around = around
        self.panels = panels
        self.used = QUEUE
        self.enlarged = 0
        """How large the panel in use is: 0 as usual, 1 larger, 2 the whole screen."""
        self.shown: frozenset[int] = frozenset((QUEUE,))
        self._regions: Mapping[int, Region] = {}
        self._needs: Sequence[tuple[Need, Need, bool]] = ()
        self._area: PanelArea | None = None
        self._recent = [QUEUE]
        self._screen = screen
        self._groups, self._group = groups, groups[-1]
        self._numbers = numbers
        self._below = below
        self._laid_out = laid_out
        self._say = say

    def area(self, *lines: Widget) -> PanelArea:
        """Return the widget in which the panels stand, above some lines."""
        self._area = PanelArea(
            *self.panels.values(), *lines, regions=self._regions_of_shown, resized=self.lay_out
        )
        return self._area

    @property
    def height(self) -> int:
        """How many lines the panels and the lines below them have."""
        return self._size.height

    @property
    def needed(self) -> int:
        """How many lines the queue has content for where it stands alone, else UNLIMITED."""
        alone = self.used == QUEUE and self._size.width < ALONE
        return self.panels[QUEUE].space.lines.most if alone else UNLIMITED

    def filled(self, lines: int) -> int:
        """How many of so many lines the panel in use fills where it is seen alone, else all."""
        return self.panels[self.used].filled(self._size.width, lines) if self.alone else lines

    def seen(self, number: int) -> bool:
        """Whether a panel is seen where the one in use is."""
        return number in self.shown

    @property
    def alone(self) -> bool:
        """Whether the panel in use is the only one that is seen."""
        return len(self.shown) == 1

    def choose(self, number: int) -> None:
        if number in self._numbers():
            self.show(number)

    def show(self, number: int) -> None:
        self.use(number)
        self.lay_out()
        self.panels[number].body.focus()

    def use(self, number: int) -> None:
        """A panel that is seen is the one in use."""
        self.used = number
        self._recent = [number, *(each for each in self._recent if each != number)]

    def bring(self, number: int) -> None:
        """Put a panel in use if it would not be seen otherwise."""
        if not self.seen(number):
            self.show(number)

    def next(self) -> None:
        self._turn(1)

    def previous(self) -> None:
        self._turn(-1)

    def _turn(self, step: int) -> None:
        numbers = self._numbers()
        self.show(numbers[(numbers.index(self.used) + step) % len(numbers)])

    def resize(self, step: int) -> None:
        wanted = min(2, max(0, self.enlarged + step))
        if self.alone and not self.enlarged:
            self._say("this screen has room for one panel at a time", "warn")
        elif wanted == self.enlarged:
            self._say(SIZES[wanted], "dim")
        else:
            self.enlarged = wanted
            if wanted == 1 and not self._gains():
                self.enlarged += step
            self.lay_out()
            self._say(SIZES[self.enlarged], "dim")

    def _gains(self) -> bool:
        """Whether a larger panel in use takes more than usual: the others may have nothing to give."""
        larger = self._arranged()[self.used].area
        self.enlarged = 0
        usual = self._arranged()[self.used].area
        self.enlarged = 1
        return larger > usual

    def usual_size(self) -> bool:
        """Give every panel its usual size; whether one had another."""
        before, self.enlarged = self.enlarged, 0
        if before:
            self.lay_out()
        return bool(before)

    def lay_out(self) -> None:
        """Give every panel its place and its size, and paint what is seen."""
        before, self._regions = self._regions, self._arranged()
        moved = self._regions != before
        if moved:
            self._move()
        self._laid_out(moved)
        # What is seen for the first time has been measured only then.
        if moved and self._arranged() != self._regions:
            self._regions = self._arranged()
            self._move()
            self._laid_out(True)

    def fit(self) -> None:
        """Lay out anew if the panels have other needs than before, and other places for that."""
        spaces = [panel.space for panel in self.panels.values()]
        needs = [(space.columns, space.lines, space.empty) for space in spaces]
        if needs != self._needs and self._regions and self._arranged() != self._regions:
            self.lay_out()
        self._needs = needs

    def _arranged(self) -> Mapping[int, Region]:
        # What has a panel of its own needs no lines below the panels: this is tried first.
        found = self._fitting(self.panels)
        return found if EVENTS in found else self._fitting(())

    def _move(self) -> None:
        self.shown = frozenset(self._regions)
        for number, panel in self.panels.items():
            panel.display = self.seen(number)
        # A widget keeps the places of its own children until one of them asks for others.
        self.panels[self.used].refresh(layout=True)

    def _fitting(self, seen: Collection[int]) -> Mapping[int, Region]:
        """The places of the panels above the lines that there are if so many of them are seen."""
        width, height = self._size
        room = Size(width, max(0, height - self._below(height, seen)))
        for group in self._groups:
            self._group = group
            found = self._sharing().regions(room)
            if len(found) == len(self._numbers()):
                break
        return found

    @property
    def _size(self) -> Size:
        """The room of the panels and of the lines below them."""
        if self._area is not None and self._area.size:
            return self._area.size
        width, height = self._screen.app.size
        return Size(width, max(0, height - self._around))

    def _regions_of_shown(self, size: Size) -> Mapping[int, Region]:
        return self._sharing(self.shown).regions(size)

    def _sharing(self, only: Collection[int] | None = None) -> Sharing:
        seen = (self.used,) if self.enlarged == 2 else {*self._numbers(), *(only or ())}
        spaces = {number: self._space(number) for number in self.panels if number in seen}
        full = {number: each for number, each in spaces.items() if number == self.used or not each.empty}
        return Sharing(self._group, full, self._recent, only)

    def _space(self, number: int) -> Space:
        """What a panel needs; all that is left over goes to one that was made larger."""
        space = self.panels[number].space
        if self.enlarged != 1:
            return space
        if number == self.used:
            return Space(_grown(space.columns), _grown(space.lines))
        return Space(_kept(space.columns), _kept(space.lines))


def _grown(need: Need) -> Need:
    return Need(need.least, UNLIMITED, UNLIMITED)


def _kept(need: Need) -> Need:
    return Need(need.least, need.least, need.least)
