"""The text of the page of users: a table of users, or of classes, with what they use and how they fare."""

from collections.abc import Sequence

import attrs

from shadowtime.console import words
from shadowtime.console.session.facts import Row
from shadowtime.console.session.jobs.users import USAGE, Share, Usage
from shadowtime.console.session.table.field import Kind
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import Line, printable, wrap
from shadowtime.console.widgets.table.columns import FieldLook, Layout, columns_of, layout, widths, written
from shadowtime.console.words import likely

HOUR = 3600
WHOLE = 10_000
"""Node-hours of the machine from which those of its users are whole numbers."""
MEANING = (
    "RUN and WAIT are jobs now, {mark}-RUN and {mark}-WAIT their {units}. {mark}-HOURS are those in which"
    " jobs ran so far, SHARE what they are of the machine since the first submission. WAITED is the mean wait"
    " until the first start, SLOWDOWN the mean bounded slowdown of the ended jobs."
)


def meaning(unit: words.Unit) -> str:
    return MEANING.format(mark=unit.one.upper(), units=unit.several)


def users_table(
    usage: Usage, shares: Sequence[Share], klass: bool, unit: words.Unit, width: int, order: Order
) -> Layout[Share]:
    """Return the table of users, or of classes, in a width; the column of the order stays."""

    def share(one: Share) -> str:
        part = usage.share(one)
        return "" if part is None else words.per_cent(part)

    def slowdown(one: Share) -> str:
        return "" if one.mean_slowdown is None else f"{one.mean_slowdown:,.2f}"

    places = 0 if usage.capacity > WHOLE * HOUR else 1
    looks = {
        "user": FieldLook[Share](lambda one: printable(one.name) or "-", lambda _: "strong"),
        "used": FieldLook[Share](lambda one: f"{one.used / HOUR:,.{places}f}"),
        "share": FieldLook[Share](share),
        "slowdown": FieldLook[Share](slowdown),
    }
    write = {**written(unit.clock.format), Kind.NUMBER: "{:,}".format}
    first, *others = columns_of(USAGE, usage, write, looks)
    columns = [attrs.evolve(first, title="CLASS" if klass else first.title)]
    for each in others:
        title, rank = each.title.format(mark=unit.one.upper()), 0 if each.name == order.name else each.rank
        columns.append(attrs.evolve(each, title=title, rank=rank))
    wide = widths(columns, shares)
    # The arrow of the order may need a cell more.
    return layout(columns, wide, width, wide[-1] + 1, order.name, order.reverse).packed(wide[-1])


def odds_lines(rows: Sequence[Row], number: int, width: int, unit: words.Unit) -> list[Line]:
    """The likely starts of jobs, one below the other, at an event."""
    found: list[Line] = []
    for row in rows:
        if row.likely is not None:
            old = "" if row.likely.event == number else f" (as of event {row.likely.event:,})"
            odds = likely.odds(row.likely, row.now, unit.clock)
            text = f"job {row.id}, {unit.sized(row.size)}: {odds}{old}"
            found += wrap(text, width, "text", [("    ", "text")], 6)
    return found
