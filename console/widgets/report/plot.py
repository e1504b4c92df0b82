"""A curve over time as SVG: steps above an axis of instants, with a dashed line at a value."""

from collections.abc import Iterator, Sequence
from math import ceil

import attrs

from shadowtime.console.clock import DAY, Clock
from shadowtime.console.session.clock import DATED
from shadowtime.console.widgets.gantt.scale import STEPS
from shadowtime.console.widgets.picture.svg import number
from shadowtime.console.widgets.report.parts import Html, text
from shadowtime.console.words.phrases import per_cent

WIDE, HIGH = 720.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 10.0, 12.0, 24.0
LETTER = 7.0
"""The width of a letter of a label."""
LEVELS = 4
"""Lines across the picture, at most."""
MONTH = 28 * DAY


@attrs.frozen
class Curve:
    """Values of equal stretches of time."""

    edges: Sequence[int]
    """The instants between the stretches, one more than there are values."""
    values: Sequence[float]
    top: float
    """The upper end of the axis."""
    per_cent: bool
    """Whether values are shares."""
    mark: float
    """Where a dashed line is drawn."""
    said: str
    """What stands at that line."""

    def x(self, instant: float) -> float:
        begin, end = self.edges[0], self.edges[-1]
        return LEFT + (WIDE - LEFT - RIGHT) * (instant - begin) / (end - begin)

    def y(self, value: float) -> float:
        return TOP + (HIGH - TOP - BOTTOM) * (1 - min(value, self.top) / self.top)


def plot(curve: Curve, clock: Clock, title: str) -> Html:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(WIDE)} {number(HIGH)}" role="img">',
        f"<title>{text(title)}</title>",
        *_levels(curve),
        *_area(curve),
        *_instants(curve, clock),
        *_mark(curve),
        "</svg>",
    ]
    return Html("\n".join(parts))


def ceiling(value: float) -> float:
    """Return the upper end of an axis for a largest value: the next multiple of its step."""
    step = step_for(value)
    return max(step, -(-value // step) * step)


def step_for(value: float) -> float:
    """Return the step between the lines across a picture: 1, 2 or 5 times a power of ten, at least 1."""
    power = 1
    while True:
        for times in (1, 2, 5):
            if times * power * LEVELS >= value:
                return float(times * power)
        power *= 10


def _levels(curve: Curve) -> Iterator[str]:
    step = 0.25 if curve.per_cent else step_for(curve.top)
    for place in range(int(curve.top / step + 0.5) + 1):
        value = place * step
        y = number(curve.y(value))
        said = per_cent(value, 0) if curve.per_cent else f"{value:,.0f}"
        yield f'<path class="axis" d="M{number(LEFT)} {y}H{number(WIDE - RIGHT)}"/>'
        yield f'<text x="{number(LEFT - 6)}" y="{y}" dy="4" text-anchor="end">{text(said)}</text>'


def _area(curve: Curve) -> Iterator[str]:
    corners, before = "", ""
    for place, value in enumerate(curve.values):
        begin, end = number(curve.x(curve.edges[place])), number(curve.x(curve.edges[place + 1]))
        y = number(curve.y(value))
        corners += f"V{y}H{end}" if before not in ("", y) else f"H{end}" if before else f"{begin} {y}H{end}"
        before = y
    left, right, ground = number(LEFT), number(WIDE - RIGHT), number(curve.y(0))
    yield f'<path class="area" d="M{left} {ground}L{corners}L{right} {ground}z"/>'
    yield f'<path class="edge" d="M{corners}"/>'


def _mark(curve: Curve) -> Iterator[str]:
    y = curve.y(curve.mark)
    yield f'<path class="mark" d="M{number(LEFT)} {number(y)}H{number(WIDE - RIGHT)}"/>'
    low = y + 14 if y < TOP + 14 else y - 4
    place = f'x="{number(WIDE - RIGHT - 4)}" y="{number(low)}" text-anchor="end"'
    yield f'<text class="said" {place}>{text(curve.said)}</text>'


def _instants(curve: Curve, clock: Clock) -> Iterator[str]:
    last = 0.0
    for instant, said in _labels(curve, clock):
        x = curve.x(instant)
        half = LETTER * len(said) / 2
        yield f'<path class="axis" d="M{number(x)} {number(curve.y(0))}v4"/>'
        if x - half >= last and x + half <= WIDE:
            yield f'<text x="{number(x)}" y="{number(HIGH - 6)}" text-anchor="middle">{text(said)}</text>'
            last = x + half + LETTER


def _labels(curve: Curve, clock: Clock) -> Iterator[tuple[int, str]]:
    """Yield round instants with their names: days, times of day; of a calendar over many months, months."""
    begin, end = curve.edges[0], curve.edges[-1]
    room = (WIDE - LEFT - RIGHT) / (end - begin)
    letters = len(clock.minute(begin)) + 1
    longest = STEPS[-1] * max(1, ceil(LETTER * letters / (STEPS[-1] * room)))
    step = next(
        (each for each in STEPS if each * room >= LETTER * (letters - 6 * (each % DAY == 0))), longest
    )
    if clock.dated and step > MONTH // 4:
        yield from _months(begin, end, clock)
        return
    early = clock.since_midnight
    for instant in range(-(-(begin + early) // step) * step - early, end + 1, step):
        said = clock.minute(instant)
        yield instant, said.partition(" ")[0] if step % DAY == 0 else said


def _months(begin: int, end: int, clock: Clock) -> Iterator[tuple[int, str]]:
    day = DATED.fullmatch(clock.format(begin))
    if day is None:
        return
    year, month = map(int, day["date"].split("-")[:2])
    while (instant := clock.parse(f"{year:04}-{month:02}-01")) <= end:
        if instant >= begin:
            yield instant, f"{year:04}-{month:02}"
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
