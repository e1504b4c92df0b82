"""The text of the page of users: a table of users, or of classes, with what they use and how they fare."""

from collections.abc import Sequence

from console import words
from console.session.jobs.users import Share, Usage
from console.widgets.frame.ink import Line, cell, printable

HOUR = 3600
WHOLE = 10_000
"""Node-hours of the machine from which those of its users are whole numbers."""
COLUMNS = ("user", "running", "nodes", "waiting", "wants", "ended", "used", "share", "wait", "slowdown")
"""The columns of the table, in order."""
TITLES = {
    "user": "USER",
    "running": "RUN",
    "nodes": "{mark}-RUN",
    "waiting": "WAIT",
    "wants": "{mark}-WAIT",
    "ended": "ENDED",
    "used": "{mark}-HOURS",
    "share": "SHARE",
    "wait": "WAITED",
    "slowdown": "SLOWDOWN",
}
"""What stands above each column; the mark is that of the unit of the machine."""
MEANING = (
    "RUN and WAIT are jobs now, {mark}-RUN and {mark}-WAIT their {units}. {mark}-HOURS are those in which"
    " jobs ran so far, SHARE what they are of the machine since the first submission. WAITED is the mean wait"
    " until the first start, SLOWDOWN the mean bounded slowdown of the ended jobs."
)


def title_of(column: str, klass: bool, unit: words.Unit) -> str:
    """What stands above a column."""
    mark = "PE" if unit is words.PE else "NODE"
    return "CLASS" if klass and column == "user" else TITLES[column].format(mark=mark)


def meaning(unit: words.Unit) -> str:
    """What the columns are."""
    mark = "PE" if unit is words.PE else "NODE"
    return MEANING.format(mark=mark, units=unit.several)


def heading(widths: Sequence[int], sort: str, reverse: bool, klass: bool, unit: words.Unit) -> Line:
    """The line of titles; the sorted one has an arrow."""
    line = []
    for column, width in zip(COLUMNS, widths, strict=True):
        arrow = ("↑" if (column == "user") is not reverse else "↓") if column == sort else " "
        title = title_of(column, klass, unit)
        text = cell(title + arrow, width + 1) if column == "user" else cell(title, width, right=True) + arrow
        line.append((text, "key" if column == sort else "head"))
    return line


def cells(share: Share, usage: Usage) -> tuple[str, ...]:
    """What stands in the columns of one user."""
    part = usage.share(share)
    return (
        printable(share.name) or "-",
        f"{share.running:,}",
        f"{share.holds:,}",
        f"{share.waiting:,}",
        f"{share.wants:,}",
        f"{share.ended:,}",
        f"{share.used / HOUR:,.0f}" if usage.capacity > WHOLE * HOUR else f"{share.used / HOUR:,.1f}",
        "-" if part is None else f"{100 * part:.1f} %",
        "-" if share.mean_wait is None else words.duration(share.mean_wait),
        "-" if share.mean_slowdown is None else f"{share.mean_slowdown:,.2f}",
    )


def widths_of(rows: Sequence[Sequence[str]], klass: bool, unit: words.Unit) -> list[int]:
    """How wide each column is."""
    titles = [title_of(column, klass, unit) for column in COLUMNS]
    wide = [max(map(len, texts)) for texts in zip(titles, *rows, strict=True)]
    return [min(wide[0], 16), *wide[1:]]


def row_line(texts: Sequence[str], widths: Sequence[int]) -> Line:
    """One user."""
    first, *others = zip(texts, widths, strict=True)
    return [
        (cell(first[0], first[1]) + " ", "strong"),
        *((cell(text, width, right=True) + " ", "text") for text, width in others),
    ]
