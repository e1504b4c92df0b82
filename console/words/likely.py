"""Likely starts in words."""

from collections.abc import Iterator

from shadowtime.console.session import Row, format_duration
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.facts import LikelyStart
from shadowtime.console.session.likely.starts import ENDED, Record
from shadowtime.console.words.phrases import NEVER

HEADINGS = ("job", "user", "size", "waited", "likely", "9 in 10 by", "1 in 10 before", "at the limits")
NUMBERS = ("job", "size", "waited", "likely", "9 in 10 by", "1 in 10 before", "at the limits")
FEWEST = 20
"""Settled forecasts from which on it is worth saying how many have held."""


def cells(row: Row, clock: Clock) -> tuple[str, ...]:
    """Return the cells of a waiting job below `HEADINGS`."""
    likely = row.likely
    odds = (
        ("", "", "")
        if likely is None
        else tuple(
            NEVER if at is None else clock.format(at) for at in (likely.likely, likely.late, likely.early)
        )
    )
    expected = NEVER if row.unforeseen else "" if row.predicted is None else clock.format(row.predicted.time)
    return (row.called, row.user, str(row.size), format_duration(row.wait), *odds, expected)


def sentence(likely: LikelyStart, clock: Clock) -> str:
    """Return a likely start as a sentence."""
    if likely.likely is None:
        return "likely never"
    late = "it may never start" if likely.late is None else f"9 in 10 by {clock.brief(likely.late)}"
    early = "" if likely.early is None else f", 1 in 10 before {clock.brief(likely.early)}"
    doubt = "" if likely.calibrated else " (not calibrated yet)"
    return f"likely {clock.brief(likely.likely)}; {late}{early}{doubt}"


def record_words(record: Record | None, waiting: int) -> Iterator[str]:
    """Yield how earlier forecasts have held, or why there are no odds."""
    if record is None:
        if waiting:
            yield f"no likely starts: fewer than {ENDED} jobs have ended, so there is no history"
    elif record.settled < FEWEST:
        yield f"likely starts are not calibrated yet: fewer than {FEWEST} earlier forecasts are settled"
    else:
        yield f"{100 * record.held / record.settled:.0f} % of the last {record.settled:,} such forecasts held"
