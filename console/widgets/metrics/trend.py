"""Trends in braille: two samples a cell across, four dots a line up. Numbers in, lines of text out."""

from collections.abc import Sequence
from itertools import pairwise

_LEFT = (0x40, 0x04, 0x02, 0x01)
_RIGHT = (0x80, 0x20, 0x10, 0x08)
_BLANK = 0x2800

Value = float | None


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
