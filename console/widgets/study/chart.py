"""Charts as SVG: lines, bars in groups, stacked bars, points; published values are hollow marks."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from shadowtime.console.session import SessionError
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.lab.reproduce import BARS, LINES, POINTS, STACKED
from shadowtime.console.widgets.picture.svg import number
from shadowtime.console.widgets.report.parts import Html, text
from shadowtime.console.widgets.study.axis import Axis, named

WIDE, HIGH = 720.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 12.0, 30.0, 46.0
LEGEND = 150.0
LETTER = 6.5
"""The width of a letter of a label."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b8a900")
"""Okabe & Ito 2008: everybody can tell them apart."""
DASHES = ("", "6 3", "6 3 1 3", "2 2", "9 2 2 2")
"""Of lines: nothing is known by its colour alone."""
SHARE = 0.8
"""The part of the room of a label that its bars take."""


@attrs.frozen
class Dot:
    """A value at a place of the x axis, with half of its interval."""

    x: float
    y: float
    half: float = 0.0


@attrs.frozen
class Series:
    """A line, or the bars of one colour."""

    name: str
    dots: Sequence[Dot]
    published: Sequence[Dot] = ()


@attrs.frozen
class Chart:
    """A picture of some series; in a notebook it is shown as it is."""

    series: Sequence[Series]
    title: str = ""
    x_title: str = ""
    y_title: str = ""
    labels: Sequence[str] = ()
    """The names of the places 0, 1, 2, ...; without them the x axis has numbers."""
    form: str = LINES
    """One of `FORMS` (scenarios/experiment.py)."""
    logarithmic: bool = False
    logarithmic_x: bool = False
    rule: float | None = None
    """Where a dotted line is drawn."""

    def svg(self) -> Html:
        return Html("\n".join(_Drawn(self).parts()))

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, `.svg`. SessionError: another ending. OSError: nothing is written."""
        if Path(path).suffix.lower() != ".svg":
            raise SessionError(f"{path} would be an SVG; expected a name that ends in .svg")
        with written_whole(path) as stream:
            stream.write(f"{self.svg()}\n")

    def _repr_svg_(self) -> str:
        """Return what a notebook shows."""
        return self.svg()


class _Drawn:
    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        bars = chart.form in (BARS, STACKED)
        right = WIDE - RIGHT - (LEGEND if self._named else 0.0)
        dots = [dot for series in chart.series for dot in (*series.dots, *series.published)]
        ends = [end for dot in dots for end in (dot.y - dot.half, dot.y + dot.half)]
        if chart.form == STACKED:
            ends = list(_heights(chart.series).values())
        if chart.rule is not None:
            ends.append(chart.rule)
        self._y = Axis.over(ends, HIGH - BOTTOM, TOP, chart.logarithmic, ground=bars)
        if chart.labels:
            self._x = Axis(-0.5, len(chart.labels) - 0.5, LEFT, right)
        else:
            self._x = Axis.over([dot.x for dot in dots], LEFT, right, chart.logarithmic_x)

    @property
    def _named(self) -> bool:
        return any(series.name for series in self._chart.series)

    def parts(self) -> Iterator[str]:
        chart = self._chart
        yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(WIDE)} {number(HIGH)}"'
        yield f' role="img" font-family="sans-serif" font-size="11"><title>{text(chart.title)}</title>'
        yield _label(chart.title, LEFT, 14, "start")
        yield from self._axes()
        if chart.rule is not None:
            yield _path(f"M{number(LEFT)} {number(self._y.at(chart.rule))}H{number(self._x.end)}", "2 3")
        below = dict[float, float]()
        for place, series in enumerate(chart.series):
            colour = COLOURS[place % len(COLOURS)]
            if chart.form in (BARS, STACKED):
                yield from self._bars(series, place, colour, below)
            else:
                yield from self._line(series, place, colour)
            for dot in series.published:
                yield self._mark(dot, colour, hollow=True)
            if self._named:
                y = TOP + 6 + 15 * place
                yield _box(self._x.end + 10, y - 4, 9, 9, colour)
                yield _label(series.name, self._x.end + 24, y + 4, "start")
        yield "</svg>"

    def _axes(self) -> Iterator[str]:
        chart, x, y = self._chart, self._x, self._y
        for value in y.ticks():
            yield _path(f"M{number(LEFT)} {number(y.at(value))}H{number(x.end)}")
            yield _label(named(value), LEFT - 5, y.at(value) + 4, "end")
        ticks = range(len(chart.labels)) if chart.labels else x.ticks()
        places = [(place, chart.labels[int(place)] if chart.labels else named(place)) for place in ticks]
        last = 0.0
        for place, said in places:
            half = LETTER * len(said) / 2
            if x.at(place) - half >= last:
                yield _label(said, x.at(place), HIGH - BOTTOM + 15, "middle")
                last = x.at(place) + half + LETTER
        yield _label(chart.x_title, (LEFT + x.end) / 2, HIGH - 10, "middle")
        middle = number((TOP + HIGH - BOTTOM) / 2)
        turned = f'transform="translate(12 {middle}) rotate(-90)" text-anchor="middle" fill="currentColor"'
        yield f"<text {turned}>{text(chart.y_title)}</text>"

    def _line(self, series: Series, place: int, colour: str) -> Iterator[str]:
        if self._chart.form != POINTS:
            corners = "L".join(f"{number(self._x.at(d.x))} {number(self._y.at(d.y))}" for d in series.dots)
            dash = f' stroke-dasharray="{dashes}"' if (dashes := DASHES[place % len(DASHES)]) else ""
            yield f'<path d="M{corners}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>'
        for dot in series.dots:
            yield self._mark(dot, colour)
            yield from self._interval(dot, self._x.at(dot.x), colour)

    def _bars(self, series: Series, place: int, colour: str, below: dict[float, float]) -> Iterator[str]:
        stacked = self._chart.form == STACKED
        wide = SHARE / (1 if stacked else len(self._chart.series))
        for dot in series.dots:
            left = dot.x - SHARE / 2 + (0 if stacked else place * wide)
            ground = below.get(dot.x, 0.0) if stacked else 0.0
            below[dot.x] = ground + dot.y
            begin, end = self._x.at(left), self._x.at(left + wide)
            top, foot = sorted((self._y.at(ground + dot.y), self._y.at(ground)))
            yield _box(begin, top, end - begin, foot - top, colour)
            if not stacked:
                yield from self._interval(dot, (begin + end) / 2, "currentColor")

    def _interval(self, dot: Dot, x: float, colour: str) -> Iterator[str]:
        if dot.half:
            low, high = (number(self._y.at(dot.y + side * dot.half)) for side in (-1, 1))
            yield f'<path d="M{number(x)} {low}V{high}" stroke="{colour}"/>'

    def _mark(self, dot: Dot, colour: str, hollow: bool = False) -> str:
        fill, radius = ("none", 4.5) if hollow else (colour, 2.5)
        at = f'cx="{number(self._x.at(dot.x))}" cy="{number(self._y.at(dot.y))}" r="{radius}"'
        return f'<circle {at} fill="{fill}" stroke="{colour}"/>'


def _heights(series: Sequence[Series]) -> Mapping[float, float]:
    heights = dict[float, float]()
    for each in series:
        for dot in each.dots:
            heights[dot.x] = heights.get(dot.x, 0.0) + dot.y
    return heights


def _label(said: str, x: float, y: float, anchor: str) -> str:
    at = f'x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" fill="currentColor"'
    return f"<text {at}>{text(said)}</text>"


def _box(x: float, y: float, wide: float, high: float, colour: str) -> str:
    at = f'x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}"'
    return f'<rect {at} fill="{colour}"/>'


def _path(d: str, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ' opacity="0.25"'
    return f'<path d="{d}" fill="none" stroke="currentColor"{dashed}/>'
