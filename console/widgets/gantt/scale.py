"""The scales of a Gantt chart: seconds a column, nodes a row, what of it is seen, and the clock above."""

from bisect import bisect_left, bisect_right

import attrs

from shadowtime.console.clock import DAY, ELAPSED, HOUR, MINUTE, Clock
from shadowtime.console.session.jobs.bars import Viewport

SPANS = (
    *(1, 2, 3, 5, 10, 15, 20, 30, 40),
    *(MINUTE * k // 2 for k in (2, 3, 4, 6, 8, 10, 12, 15, 20, 24, 30, 40, 60, 80)),
    *(HOUR * k // 2 for k in (2, 3, 4, 6, 8, 12, 16, 24)),
    *(DAY * k for k in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)),
)
"""Seconds that a column may stand for, each at most about half as many again as the one before."""
STEPS = (
    *(1, 2, 5, 10, 20, 30),
    *(MINUTE * k for k in (1, 2, 5, 10, 20, 30)),
    *(HOUR * k for k in (1, 2, 4, 6, 12)),
    *SPANS[-11:],
)
"""Seconds from one instant above the columns to the next."""
ROWS = tuple(sorted(k << n for n in range(22) for k in (1, 3, 5)))
"""Nodes that a row may stand for: 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, ..."""


def span_for(seconds: int, columns: int) -> int:
    """The least span of a column at which so many seconds are seen."""
    return SPANS[min(bisect_left(SPANS, -(-seconds // max(1, columns))), len(SPANS) - 1)]


@attrs.frozen
class Scale:
    """What is seen of a machine of `nodes` nodes in so many rows and columns.

    `top` is the first row that is seen, counted from node 0; `since` is a multiple of the span.
    """

    nodes: int
    rows: int
    columns: int
    per: int = 1
    top: int = 0
    span: int = 1
    since: int = 0

    @property
    def until(self) -> int:
        return self.since + self.span * self.columns

    @property
    def lines(self) -> int:
        return -(-self.nodes // self.per)

    @property
    def farthest(self) -> int:
        """The least number of nodes a row at which the whole machine is seen."""
        return ROWS[bisect_left(ROWS, -(-self.nodes // max(1, self.rows)))]

    @property
    def window(self) -> Viewport:
        return Viewport(self.top * self.per, self.per, self.rows, self.since, self.span, self.columns)

    def whole(self) -> "Scale":
        """The same with all nodes in sight."""
        return attrs.evolve(self, per=self.farthest, top=0)

    def nearer(self, steps: int, node: int) -> "Scale":
        """About half the nodes a row (1), or twice as many (-1), around a node."""
        place = bisect_left(ROWS, self.per // 2 if steps > 0 else self.per * 2)
        made = attrs.evolve(self, per=min(ROWS[place], self.farthest))
        return made.at_line(node // made.per - self.rows // 2)

    def at_line(self, top: int) -> "Scale":
        """The same from another row on, as far as there are rows."""
        return attrs.evolve(self, top=max(0, min(top, self.lines - self.rows)))

    def fitted(self, since: int, until: int) -> "Scale":
        """The same with all of a stretch of time in sight, and a little of what comes before and after."""
        margin = max(1, (until - since) // 50)
        return attrs.evolve(self, span=span_for(until - since + 2 * margin, self.columns - 1)).at(
            since - margin
        )

    def at(self, since: int) -> "Scale":
        return attrs.evolve(self, since=since // self.span * self.span)

    def zoomed(self, steps: int, around: int) -> "Scale":
        """About half the span (1), or twice as long (-1); the instant `around` stays in its column."""
        near, far = bisect_right(SPANS, self.span // 2) - 1, bisect_left(SPANS, self.span * 2)
        span = SPANS[max(0, near) if steps > 0 else min(far, len(SPANS) - 1)]
        column = (around - self.since) // self.span
        return attrs.evolve(self, span=span).at(around - column * span)

    def panned(self, columns: int) -> "Scale":
        return self.at(self.since + columns * self.span)

    def column_of(self, instant: int) -> int:
        """The column in which an instant lies; it may be out of sight."""
        return (instant - self.since) // self.span

    def nodes_of(self, row: int) -> range:
        first = (self.top + row) * self.per
        return range(first, min(first + self.per, self.nodes))

    def _wide(self, step: int, clock: Clock) -> int:
        """Columns that an instant above the chart takes, with the blank behind it."""
        longest = max(map(len, (clock.brief(self.since), clock.brief(self.until))))
        return longest + 1 - (9 if step % DAY == 0 else 0 if step % MINUTE else 3)

    def ruler(self, clock: Clock = ELAPSED) -> str:
        """The clock above the columns: instants over the columns that begin with them."""
        last = STEPS[-1]
        step = next(
            (step for step in STEPS if step >= self._wide(step, clock) * self.span and not step % self.span),
            -(-self._wide(last, clock) * self.span // last) * last,
        )
        text, day, early = "", "", clock.since_midnight
        for instant in range(-(-(self.since + early) // step) * step - early, self.until, step):
            named = clock.brief(instant).partition(" ")
            longer = text.ljust(self.column_of(instant)) + _instant(named[0], named[2], step, day)
            if len(longer) > self.columns:
                break
            text, day = longer, named[0]
        return text


def _instant(days: str, hands: str, step: int, day: str) -> str:
    """An instant as short as can be: the day only where it is a new one."""
    if step % DAY == 0:
        return days
    hands = hands if step % MINUTE else hands[:5]
    return hands if day == days else f"{days} {hands}"
