"""The metrics panel as text: what the policy goes by, then which metrics, in which order, with which unit."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import attrs
from rich.style import Style

from shadowtime.console.clock import duration
from shadowtime.console.widgets.frame.ink import Piece, fact, width_of
from shadowtime.console.widgets.frame.looks import Palette, look, quiet
from shadowtime.console.widgets.nodemap.cells import Cells
from shadowtime.console.words import NODES, Unit, per_cent

_LEFT = (0x40, 0x04, 0x02, 0x01)
_RIGHT = (0x80, 0x20, 0x10, 0x08)
_BLANK = 0x2800

Value = float | None


def ratio(value: float) -> str:
    """A pure number, with as many decimals as matter: `3.41`, `22.0`, `1,284`."""
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def jobs(value: float) -> str:
    """A count of jobs: `1,204 jobs`."""
    return f"{value:,.0f} {'job' if value == 1 else 'jobs'}"


def a_node(value: float) -> str:
    """A number for each node, for `Unit.fill`: `0.25 a {unit}`."""
    return f"{ratio(value)} a {{unit}}"


def times(value: float) -> str:
    """A ratio that multiplies a runtime: `3.41 x`."""
    return f"{ratio(value)} x"


@attrs.frozen
class Measure:
    """One metric: its field in `Metrics` or `Load`, its titles, its text, its largest possible value.

    Titles and what is written may have places for the unit of the machine.
    """

    field: str
    short: str
    long: str
    written: Callable[[float], str]
    top: float | None = None

    def value(self, metrics: object) -> float | None:
        """The value; None where there is none."""
        found: float | None = getattr(metrics, self.field)
        return found

    def title(self, room: int, roomy: bool) -> str:
        """What it is called in so many cells; written out if there is much room."""
        return self.long if roomy else self.short

    def text(self, metrics: object, unit: Unit) -> str:
        """The value with its unit; "-" where there is none."""
        value = self.value(metrics)
        return "-" if value is None else unit.fill(self.written(value))


MEASURES = (
    Measure("utilization_now", "util now", "utilization now", per_cent, top=1.0),
    Measure("utilization", "util so far", "utilized so far", per_cent, top=1.0),
    Measure("queue_length", "queue", "queue length", jobs),
    Measure("mean_wait", "mean wait", "mean wait", duration),
    Measure("mean_bounded_slowdown", "bnd slowdown", "bounded slowdown", times),
    Measure("running", "running", "running", jobs),
    Measure("mean_response", "response", "mean response", duration),
    Measure("mean_slowdown", "slowdown", "mean slowdown", times),
    Measure("backfill_ratio", "backfilled", "backfilled", per_cent, top=1.0),
    Measure("lost_capacity", "lost", "lost capacity", per_cent, top=1.0),
    Measure("mean_prediction_error", "pred. error", "prediction error", duration),
)
"""In order of importance: where the panel is small, the first ones are in sight."""
PREEMPTION = (
    Measure("preempt_ratio", "preempted", "jobs preempted", per_cent, top=1.0),
    Measure("checkpoints_per_node_day", "ckpts a day", "checkpoints/day", a_node),
    Measure("wasted_ratio", "wasted", "{unit} time wasted", per_cent, top=1.0),
)
"""Those of a policy that preempts, before the others."""


def measures(preempts: bool) -> tuple[Measure, ...]:
    return (*MEASURES[:5], *PREEMPTION, *MEASURES[5:]) if preempts else MEASURES


LABEL, LONGEST_LABEL = 11, 12
"""Cells for what a fact of the policy is called, and those that a longer name may have beside its value."""
VALUE, GAP = 11, 2
USUAL = 8
"""Cells that hardly a value is longer than: what is left of its column a title may have."""
NARROWEST, WIDEST, BROADEST = 34, 60, 100
"""Cells of a column: at least, at most, and at most if there is height for tall trends."""
BARE = 26
"""Cells of a column without trends, at least."""
WIDE = 36
"""Cells beside a value from which a low trend has its top behind it."""
MOST = "↑"
"""Stands before what the top of a trend stands for."""
TALL = 4
"""Lines of a tall trend."""
ROOMY = 44
"""Cells a column from which titles are written out."""


@attrs.frozen
class Arrangement:
    """Where `count` measures stand: so many columns of so many cells, each measure so many lines tall."""

    columns: int
    width: int
    tall: int
    count: int
    drawn: bool = True
    """Whether there are trends beside the values."""

    @property
    def rows(self) -> int:
        return -(-self.count // self.columns)

    @property
    def lines(self) -> int:
        return self.rows * self.tall

    @property
    def title(self) -> int:
        """Cells for a title, more of them where nothing is drawn behind the value."""
        if not self.drawn:
            return max(12, min(self.width - VALUE - 2, 20))
        return 16 if self.width >= ROOMY else 12

    @property
    def peak(self) -> int:
        """Cells behind a trend for what its top stands for; a tall trend has room for that in front."""
        return VALUE + 1 if self.tall == 1 and self._beside >= WIDE else 0

    @property
    def trend(self) -> int:
        """Cells for a trend."""
        return self._beside - self.peak

    @property
    def _beside(self) -> int:
        return max(0, self.width - self.title - VALUE - 2)


def arranged(width: int, height: int, count: int = len(MEASURES), drawn: bool = True) -> Arrangement:
    """The fewest columns, none wider than WIDEST, that show all measures; if none do, as many as stay
    readable. Values that no trends are `drawn` beside have a line each, and one column if the height allows.

    Trends take the height that is left; tall ones leave a line for the axis. If all can be tall, columns are
    as wide as BROADEST.
    """
    most = max(1, (width + GAP) // ((NARROWEST if drawn else BARE) + GAP))
    broad = max(1, -(-width // BROADEST)) if drawn else 1
    roomy = not drawn or TALL * -(-count // broad) <= height
    fewest = broad if roomy else min(most, max(1, -(-width // WIDEST)))
    fitting = (columns for columns in range(fewest, most) if -(-count // columns) <= height)
    rows = -(-count // next(fitting, most))
    columns = -(-count // rows)
    width = (width - GAP * (columns - 1)) // columns
    tall = height // rows if drawn else 1
    tall = max(1, tall if tall <= TALL else (height - 1) // rows)
    return Arrangement(columns, width, tall, count, drawn)


@attrs.frozen
class Trend:
    """A trend as drawn: its lines, the top one first, and the value that its top stands for, if any.

    Without a largest possible value that is the largest of all samples, which no mean of several reaches.
    """

    lines: Sequence[str]
    top: float | None


def trends(
    samples: Sequence[object], arrangement: Arrangement, shown: Sequence[Measure] = MEASURES
) -> Mapping[str, Trend]:
    """The trend of each measure, as wide as the arrangement leaves room for; blank where none is drawn."""
    return {
        measure.field: _trend(measure, samples if arrangement.drawn else (), arrangement) for measure in shown
    }


def _trend(measure: Measure, samples: Sequence[object], arrangement: Arrangement) -> Trend:
    values = [measure.value(at) for at in samples]
    known = [value for value in values if value is not None]
    top = max(known) if known and measure.top is None else measure.top
    return Trend(braille(values, arrangement.trend, arrangement.tall, high=top), top if known else None)


def status_lines(facts: Sequence[tuple[str, str]], width: int, palette: Palette, base: Style) -> list[Cells]:
    """Return the status of the policy, and a rule below; empty without facts.

    Facts stand side by side where that takes fewer lines; one that is too long for that has its own.
    """
    styles = {"dim": base + quiet(palette), "text": base + Style(bold=True)}
    label = max((LABEL, *(len(name) for name, _ in facts if len(name) <= LONGEST_LABEL)))
    found = min((_beside(facts, width, label + 1, columns) for columns in (1, 2, 3, 4)), key=len)
    lines = [[(text, styles[role]) for text, role in line] for line in found]
    return [*lines, [("─" * width, styles["dim"])]] if lines else []


def _beside(facts: Sequence[tuple[str, str]], width: int, indent: int, columns: int) -> list[list[Piece]]:
    """The lines of facts in so many columns."""
    cell = (width - GAP * (columns - 1)) // columns
    lines: list[list[Piece]] = []
    taken = columns
    for name, text in facts:
        made = fact(name, text, cell, indent)
        if len(made) > 1 or cell <= indent:
            lines, taken = [*lines, *fact(name, text, width, indent)], columns
        elif taken < columns:
            blank = (cell + GAP) * taken - width_of(lines[-1])
            lines[-1] += [(" " * blank, "dim"), *made[0]]
            taken += 1
        else:
            lines, taken = [*lines, *made], 1
    return lines


@attrs.frozen
class Table:
    """What the panel shows: the metrics, their trends as drawn, where they stand, and the styles."""

    metrics: object
    drawn: Mapping[str, Trend]
    arrangement: Arrangement
    palette: Palette
    base: Style
    shown: Sequence[Measure] = MEASURES
    unit: Unit = NODES

    def line(self, number: int) -> Cells:
        """One line of the panel; title and value stand on the first line of a measure, beside its trend.

        What the top of the trend stands for is below the value of a tall one, else behind it.
        """
        row, part = divmod(number, self.arrangement.tall)
        cells: Cells = []
        for measure in self.shown[row :: self.arrangement.rows]:
            if cells:
                cells.append((" " * GAP, self.base))
            cells += self._measure(measure, part)
        return cells

    def lines(self, since: int, until: int) -> list[Cells]:
        """All lines, and right below the last trend of each column the events that its ends stand for."""
        at, found = self.arrangement, [self.line(number) for number in range(self.arrangement.lines)]
        axis = self._axis(since, until)
        last = at.count - (at.columns - 1) * at.rows
        whole = at.columns if last == at.rows else at.columns - 1
        if axis and whole < at.columns:
            found[last * at.tall] += [(" " * GAP, self.base), *axis]
        gap: Cells = [(" " * GAP, self.base)]
        return [*found, [*axis, *(gap + axis) * (whole - 1)] if axis else []]

    def _axis(self, since: int, until: int) -> Cells:
        """The line below a trend; none where there is no room."""
        before, trend = self.arrangement.title + VALUE + 2, self.arrangement.trend
        last = f"{until:,}"
        first = next((text for text in (f"event {since:,}", f"{since:,}") if len(text + last) < trend), "")
        if not first or since == until:
            return []
        # The word may stand left of the trend: the number is below its end then, too.
        label = ("" if first[0] == "e" else "event ").rjust(before) + first + last.rjust(trend - len(first))
        return [(label.ljust(self.arrangement.width), self.base + quiet(self.palette))]

    def _measure(self, measure: Measure, part: int) -> Cells:
        title, value, top, before = "", "", "", self.arrangement.title + 1 + VALUE
        if not part:
            value = measure.text(self.metrics, self.unit)
            room = before - max(USUAL, len(value)) - 1
            bare = not self.arrangement.drawn and len(measure.long) <= room
            title = self.unit.fill(measure.title(room, bare or self.arrangement.width >= ROOMY))
        trend, faint = self.drawn[measure.field], self.base + quiet(self.palette)
        if trend.top is not None and part == min(1, self.arrangement.tall - 1):
            # A crowded trend may be drawn before the newest value has come.
            most = max(trend.top, measure.value(self.metrics) or 0)
            text = self.unit.fill(measure.written(most))
            top = f"{MOST} {text if len(text) + 2 <= VALUE else text.split()[0]}"
        name = f"{title:<{self.arrangement.title}} "
        cells = [
            (name, faint),
            (
                f"{top if part else value:>{before - len(name)}} ",
                faint if part else self.base + Style(bold=value != "-"),
            ),
            (trend.lines[part], self.base + look("R", self.palette).style),
        ]
        return [*cells, (f" {top:<{VALUE}}", faint)] if self.arrangement.peak else cells


def braille(values: Sequence[Value], width: int, lines: int = 1, high: Value = None) -> list[str]:
    """A filled curve over values at equal distances, as `lines` strings of `width` cells, the top one first.

    The newest stands at the right. Many values are averaged to two a cell; few are as broad as the room lets
    them be. The least of 0 and the values shows one dot, so that zero differs from no value, which is blank;
    `high` defaults to the largest value. The uppermost dots stay blank: the curve below another one does not
    run into it.
    """
    points = resampled(values, 2 * width)
    known = [value for value in points if value is not None]
    if not known or width < 1 or lines < 1:
        return [" " * max(0, width)] * max(0, lines)
    bottom = min(0.0, *known)
    top = max(known) if high is None else high
    heights = [_dots(value, bottom, top, 4 * lines - 1) for value in points]
    return [
        "".join(
            _cell(heights[2 * column], heights[2 * column + 1], 4 * (lines - 1 - line))
            for column in range(width)
        )
        for line in range(lines)
    ]


def resampled(values: Sequence[Value], count: int) -> list[Value]:
    """Exactly `count` values: means of neighbours where there are more, each several times where fewer."""
    ends = [len(values) * at // max(1, count) for at in range(count + 1)]
    return [_mean(values[since : max(until, since + 1)]) for since, until in pairwise(ends)]


def _mean(values: Sequence[Value]) -> Value:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _dots(value: Value, bottom: float, top: float, most: int) -> int:
    """How many dots stand for a value: none for no value, else 1 to `most`."""
    if value is None:
        return 0
    if top <= bottom:
        return 1
    share = min(1.0, max(0.0, (value - bottom) / (top - bottom)))
    return 1 + round(share * (most - 1))


def _cell(left: int, right: int, below: int) -> str:
    """One braille letter: two columns of dots, of which `below` lie under this line."""
    dots = sum(_LEFT[: max(0, min(4, left - below))]) + sum(_RIGHT[: max(0, min(4, right - below))])
    return chr(_BLANK + dots) if dots else " "
