"""The time bar as text: `1,284/9,310 |▅▆▇o▃▂▁··a··| 13.8% 0d 06:12:44`, or `busy  |▅▆▇o▃▂▁··a··| at 13.8%`.

Between the bars stands the run, from its first event to its last: utilization as height up to the cursor
`o`, the same but dimmed ahead of it as far as it is known, dots where it is not, and letters where marks
are. Where there is room, lanes below have the length of the queue, and what happened when, with a legend
beside it: `X` nodes fail, `+` they are back, `a` the operator acted, `!` a breakpoint was met, and the marks.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Union

import attrs
from rich.style import Style

from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.widgets.frame.looks import Palette, look, quiet
from shadowtime.console.widgets.nodemap.cells import Cells, joined

EIGHTHS = "▁▂▃▄▅▆▇█"
CURSOR, UNKNOWN = "o", "·"
NARROWEST, LABELLED, EXPLAINED = 10, 40, 120
"""Cells of the bar below which the numbers beside it give way, and from which it has a label; cells of the
line from which the signs below it have a legend."""
BUSY, QUEUE, EVENTS = "busy  ", "queue ", "events"
"""What the height of a lane stands for, or what is in it."""
SIGNS = {"X": "down", "+": "up", "a": "act", "!": "break"}
"""What the signs of the lane of what happened stand for."""


if TYPE_CHECKING:
    from shadowtime.console.session.facts import Sample
    from shadowtime.console.session.slurm.charting.load import Load

BarSample = Union["Sample", "Load"]
"""How a machine, or a cluster, stands after one event."""


@attrs.frozen
class BarCourse:
    """A run and the cursor in it: event number, events in all (None while unknown), seconds on the clock.

    `samples` are all that are known, in order of event, ahead of the cursor too; marks: letter -> event.
    `numbers` asks for event number and clock beside the bar.
    """

    number: int = 0
    total: int | None = None
    time: int = 0
    samples: Sequence[BarSample] = ()
    marks: Mapping[str, int] = attrs.field(factory=dict)
    numbers: bool = True
    clock: Clock = ELAPSED
    incidents: Sequence[tuple[int, str]] = ()
    """What happened from outside: instants, each with its letter."""
    events: Sequence[tuple[int, str]] = ()
    """The same by event."""
    low: bool = False
    """Whether there is no room for lanes below the bar."""

    @property
    def happened(self) -> bool:
        """Whether there is anything to show in the lane of what happened."""
        return bool(self.struck or self.events or self.marks)

    @property
    def struck(self) -> Sequence[tuple[int, str]]:
        """The incidents as far as the run is known: none of those to come is given away."""
        last = self.samples[-1].time if self.samples else 0
        return [(time, sign) for time, sign in self.incidents if time < last]

    @property
    def legend(self) -> str:
        """The signs in that lane, and what they stand for; empty if there is no room for it."""
        seen = () if self.low else {sign for _, sign in (*self.struck, *self.events)}
        return "".join(f"  {sign} {name}" for sign, name in SIGNS.items() if sign in seen)[1:]

    @property
    def scale(self) -> int:
        """The event at the right end of the bar; while the total is unknown, a fifth of the bar is open."""
        if self.total is not None:
            return max(1, self.total)
        known = max(self.number, self.samples[-1].number if self.samples else 0)
        return max(1, known + known // 4)


def bar_line(width: int, course: BarCourse, palette: Palette, base: Style) -> Cells:
    """The whole line; where it is narrow, first the percentage gives way, then the event number."""
    before, after = sides(width, course)
    room = width - len(before) - len(after) - 2
    close = "|" if course.total is not None else "?"
    return [(before + "|", base), *bar(room, course, palette, base), (close + after, base)]


def queue_line(width: int, course: BarCourse, palette: Palette, base: Style) -> Cells:
    """The lane of the queue's length under the bar; the longest of its samples stands beside it."""
    before, after = sides(width, course)
    samples, room = course.samples, width - len(before) - len(after) - 2
    if room < 1 or not samples:
        return []
    lengths = _kept_lengths(_Asked(len(samples), samples[-1], course.scale, room, samples))
    most = max((length for length in lengths if length is not None), default=0)
    here = cell_of(course.number, course.scale, room)
    past, ahead = base + look("N", palette).style, base + quiet(palette)
    cells: Cells = [
        (" " if not length else _height(length / most), past if at < here else ahead)
        for at, length in enumerate(lengths)
    ]
    cells[here] = (cells[here][0], base + Style(bold=True, reverse=True))
    sides_of = (f" top {most:,}", f" {most:,}", "")
    side = next(text for text in sides_of if len(text) <= len(after))
    label = QUEUE if before == BUSY else " " * len(before)
    return [(label + "|", base), *joined(cells, base), ("|" + side, base)]


def happened_line(width: int, course: BarCourse, palette: Palette, base: Style) -> Cells:
    """The lane of what happened when, under the bar."""
    before, after = sides(width, course)
    room = width - len(before) - len(after) - 2
    if room < 1:
        return []
    cells: Cells = [(" ", base)] * room
    struck, acted = base + look("X", palette).style, base + Style(bold=True)
    times = [sample.time for sample in course.samples]
    for time, letter in course.struck:
        number = course.samples[bisect_right(times, time)].number
        cells[cell_of(number, course.scale, room)] = (letter, struck)
    for number, letter in course.events:
        cells[cell_of(number, course.scale, room)] = (letter, acted)
    for letter, number in course.marks.items():
        cells[cell_of(number, course.scale, room)] = (letter[:1], base + Style(bold=True, underline=True))
    label = EVENTS if before == BUSY else " " * len(before)
    legend = course.legend if len(course.legend) <= len(after) else ""
    return [(label + "|", base), *joined(cells, base), ("|", base), (legend, base + quiet(palette))]


def sides(width: int, course: BarCourse) -> tuple[str, str]:
    """What stands left and right of the bar, ends of the bar not counted."""
    total = "?" if course.total is None else f"{course.total:,}"
    count, hands = f"{course.number:,}/{total} ", f" {course.clock.format(course.time)}"
    share = f" {100 * course.number / course.total:.1f}%" if course.total else ""
    if course.numbers:
        choices = [(count, share + hands), (count, hands), ("", hands)]
    else:
        at = share and f" at{share}"
        # Where there is room the legend of the lane of what happened has it.
        explained = [(BUSY, at.ljust(len(course.legend)))] if width >= EXPLAINED else []
        choices = [*explained, (BUSY, at), ("", share)]
    for before, after in choices:
        if width - len(before) - len(after) - 2 >= (LABELLED if before == BUSY else NARROWEST):
            return before, after
    return "", ""


def bar(width: int, course: BarCourse, palette: Palette, base: Style) -> Cells:
    """The run in so many cells."""
    if width < 1:
        return []
    past, ahead = base + look("R", palette).style, base + quiet(palette)
    here = cell_of(course.number, course.scale, width)
    samples = course.samples
    heights = _kept_shares(
        _Asked(len(samples), samples[-1] if samples else None, course.scale, width, samples)
    )
    cells: Cells = [
        (UNKNOWN, ahead) if share is None else (_height(share), past if at < here else ahead)
        for at, share in enumerate(heights)
    ]
    cells[here] = (CURSOR, base + Style(bold=True, reverse=True))
    for letter, number in course.marks.items():
        at = cell_of(number, course.scale, width)
        cells[at] = (letter[:1], base + Style(bold=True, reverse=at == here, underline=at != here))
    return joined(cells, base)


@attrs.frozen
class _Asked:
    """Samples, identified by their count and the last one: they only ever grow."""

    count: int
    last: BarSample | None
    scale: int
    width: int
    samples: Sequence[BarSample] = attrs.field(eq=False)


@lru_cache(4)
def _kept_shares(asked: _Asked) -> Sequence[float | None]:
    """`shares`, kept from the last time: the cursor moves with every key, samples come seldom."""
    return shares(asked.samples, asked.scale, asked.width)


@lru_cache(4)
def _kept_lengths(asked: _Asked) -> Sequence[int | None]:
    """The length of the queue in each cell: the longest of its samples; None past them all."""
    found: list[int | None] = []
    samples, last = asked.samples, 0
    for at in range(asked.width):
        first = last
        last = bisect_right(samples, asked.scale * (at + 1) / asked.width, lo=last, key=_number)
        among = samples[first:last] or (samples[first - 1 : first] if first < len(samples) else ())
        found.append(max((sample.queue_length for sample in among), default=None))
    return found


def shares(samples: Sequence[BarSample], scale: int, width: int) -> list[float | None]:
    """Utilization in each cell: the mean of its samples, or the last one before; None past them all."""
    known: list[float | None] = []
    last = bisect_right(samples, 0, key=_number)
    for at in range(width):
        first, last = last, bisect_right(samples, scale * (at + 1) / width, lo=last, key=_number)
        if first == last and (first == len(samples) or first == 0):
            known.append(None if first else (samples[0].utilization_now if samples else None))
        else:
            among = samples[first:last] or samples[first - 1 : first]
            known.append(sum(sample.utilization_now or 0 for sample in among) / len(among))
    return known


def _number(sample: BarSample) -> int:
    return sample.number


def cell_of(number: int, scale: int, width: int) -> int:
    return max(0, min(width - 1, number * width // scale))


def event_at(cell: int, scale: int, width: int) -> int:
    """The first event that stands in a cell."""
    return -(-cell * scale // width)


def _height(share: float) -> str:
    return EIGHTHS[max(0, min(7, round(share * 8) - 1))]
