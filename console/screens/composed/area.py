"""The middle of a console: the panels that share it, and below them the lines that stand there, too."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from textual.containers import Container
from textual.events import Resize
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import Layout, WidgetPlacement
from textual.widget import Widget

from shadowtime.console.widgets.frame.panel import Panel


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
