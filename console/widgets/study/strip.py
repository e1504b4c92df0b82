"""Strips of dots: ours over the published value, an item of a paper a row, the band shaded."""

from collections.abc import Iterator, Sequence

from shadowtime.console.session.lab.judging.data import Data, data_of
from shadowtime.console.session.lab.judging.verdicts import Found
from shadowtime.console.session.lab.papers import place_of
from shadowtime.console.widgets.picture.svg import number
from shadowtime.console.widgets.report.parts import Html, text
from shadowtime.console.widgets.study.axis import Axis, named

WIDE, ROW, TOP = 720.0, 20.0, 40.0
LEFT, RIGHT = 180.0, 16.0
COLOURS = {
    Data.OWN: "#0072b2",
    Data.CLEANED: "#009e73",
    Data.MODEL: "#e69f00",
    Data.TEXT: "#cc79a7",
    Data.STAND_IN: "#8a8a8a",
}
LETTERS = 20
"""Of the name of an item."""
TICKS = (0.25, 0.5, 0.8, 1.0, 1.25, 2.0, 4.0)
"""What is beyond the first or the last lies there, and is hollow."""

Places = dict[tuple[str, float], list[tuple[float, Data, str]]]


def strip(paper: str, found: Sequence[Found]) -> Html:
    """Return the strip of a paper; '' if it publishes no value whose ratio has a meaning."""
    places = _places(found)
    if not places:
        return Html("")
    high = TOP + ROW * len(places) + 8
    axis = Axis(TICKS[0], TICKS[-1], LEFT, WIDE - RIGHT, logarithmic=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(WIDE)} {number(high)}" role="img">',
        f"<title>{text(f'{paper}: ours over the published value')}</title>",
        *_legend(places),
        *_ticks(axis, high),
    ]
    for row, (item, within) in enumerate(
        sorted(places, key=lambda place: (place_of(paper, place[0]), place))
    ):
        parts += _row(axis, TOP + ROW * (row + 0.5), item, within, places[item, within])
    return Html("\n".join((*parts, "</svg>")))


def _places(found: Sequence[Found]) -> Places:
    """The ratios of every item, by the band that they are judged by."""
    places: Places = {}
    for each in found:
        for table in each.tables:
            published = table.table
            if not published.source.is_judged or published.in_points:
                continue
            data = data_of(each.experiment, published.source, published.view.grid)
            for line in table.lines:
                if line.ratio is not None:
                    at = ", ".join(filter(None, (published.view.title, line.row, line.column)))
                    own = places.setdefault((published.source.item, published.within), [])
                    own.append((line.ratio, data, f"{at}: {line.ratio:.2f}, {data}, {line.verdict}"))
    return places


def _legend(places: Places) -> Iterator[str]:
    x = LEFT
    shown = {data for dots in places.values() for _, data, _ in dots}
    for data, colour in COLOURS.items():
        if data in shown:
            yield f'<circle cx="{number(x)}" cy="10" r="4" fill="{colour}"/>'
            yield f'<text x="{number(x + 8)}" y="14">{text(data)}</text>'
            x += 24 + 7 * len(data)


def _ticks(axis: Axis, high: float) -> Iterator[str]:
    for tick in TICKS:
        x = number(axis.at(tick))
        yield f'<path class="axis" d="M{x} {number(TOP - 4)}V{number(high - 4)}"/>'
        yield f'<text x="{x}" y="{number(TOP - 8)}" text-anchor="middle">{named(tick)}</text>'


def _row(
    axis: Axis, y: float, item: str, within: float, dots: Sequence[tuple[float, Data, str]]
) -> Iterator[str]:
    left, right = axis.at(max(1 - within, axis.low)), axis.at(1 + within)
    short = item if len(item) <= LETTERS else item[: LETTERS - 1] + "…"
    said = text(f"{short}, {100 * within:g} %")
    band = f'x="{number(left)}" y="{number(y - 8)}" width="{number(max(right - left, 1.0))}" height="16"'
    yield f'<rect class="area" {band} opacity="0.6"/>'
    yield f'<text x="{number(LEFT - 10)}" y="{number(y + 4)}" text-anchor="end">{said}</text>'
    for ratio, data, about in dots:
        fill = COLOURS[data] if axis.low <= ratio <= axis.high else "none"
        at = f'cx="{number(axis.at(ratio))}" cy="{number(y)}" r="3.5"'
        look = f'fill="{fill}" fill-opacity="0.7" stroke="{COLOURS[data]}"'
        yield f"<circle {at} {look}><title>{text(about)}</title></circle>"
