"""The text of the page of users: a table of users, or of classes, with what they use and how they fare."""

from collections.abc import Mapping, Sequence

from shadowtime.console import words
from shadowtime.console.session.jobs.users import Share, Usage
from shadowtime.console.widgets.frame.ink import Line, cell, printable

HOUR = 3600
WHOLE = 10_000
"""Node-hours of the machine from which those of its users are whole numbers."""
COLUMNS = ("user", "running", "nodes", "waiting", "wants", "ended", "used", "share", "wait", "slowdown")
"""The columns of the table, in order."""
SPARED = ("wants", "nodes", "ended")
"""Those that give way in a narrow page, the first one first."""
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
    return "CLASS" if klass and column == "user" else TITLES[column].format(mark=unit.one.upper())


def meaning(unit: words.Unit) -> str:
    """What the columns are."""
    return MEANING.format(mark=unit.one.upper(), units=unit.several)


def heading(widths: Mapping[str, int], sort: str, reverse: bool, klass: bool, unit: words.Unit) -> Line:
    """The line of titles; the sorted one has an arrow."""
    line = []
    for column, width in widths.items():
        arrow = ("↑" if (column == "user") is not reverse else "↓") if column == sort else " "
        title = title_of(column, klass, unit)
        text = cell(title + arrow, width + 1) if column == "user" else cell(title, width, right=True) + arrow
        line.append((text, "key" if column == sort else "head"))
    return line


def cells(share: Share, usage: Usage) -> dict[str, str]:
    """What stands in the columns of one user."""
    part = usage.share(share)
    texts = (
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
    return dict(zip(COLUMNS, texts, strict=True))


def widths_of(
    rows: Sequence[Mapping[str, str]], klass: bool, unit: words.Unit, room: int | None = None, sort: str = ""
) -> dict[str, int]:
    """How wide each column is; in a page of `room` cells only those that fit, and the sorted one."""
    widths = {
        column: max([len(title_of(column, klass, unit)), *(len(row[column]) for row in rows)])
        for column in COLUMNS
    }
    widths["user"] = min(widths["user"], 16)
    for column in SPARED:
        if room is not None and sum(widths.values()) + len(widths) > room and column != sort:
            del widths[column]
    return widths


def row_line(texts: Mapping[str, str], widths: Mapping[str, int]) -> Line:
    """One user."""
    return [
        (cell(texts[column], width, right=column != "user") + " ", "strong" if column == "user" else "text")
        for column, width in widths.items()
    ]
