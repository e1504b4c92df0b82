"""Impact and advice: what is typed as the work that answers it, and what is found as lines of a page."""

import re
from collections.abc import Iterator, Sequence

from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session import SessionError
from shadowtime.console.session.impact.advice import Advice, AdviceWork, Advised
from shadowtime.console.session.impact.impact import Impact, ImpactWork
from shadowtime.console.session.impact.outlook import Outlook
from shadowtime.console.session.impact.rows import JobChange
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, fact, width_of, wrap
from shadowtime.console.words import count
from shadowtime.console.words import impact as words

PAYERS = 3
"""The jobs that pay most, named for the advice under the cursor."""
GAP = 2
LEFT_OUT = ("size", "before", "after")
"""Columns that are left out where there is no room for all, the first first."""
MOST_USERS = 6
"""Users whose sums stand above the rows."""
ADVISE = re.compile(r"(?:(?P<job>\d+(?:_(?:\d+|\*))?)(?:\s+by\b)?(?!\S)|by\b)?\s*(?P<by>.*)")


def impact_head(impact: Impact, width: int, clock: Clock = ELAPSED, note: str = "") -> Sequence[Line]:
    """Return what actions change, in sum and for each user, and the headings of the rows."""
    lines = wrap(note, width, "dim") if note else []
    lines += [line for text in words.report(impact, clock) for line in wrap(text, width, "strong")]
    lines += wrap(words.marked(impact), width, "dim") if words.marked(impact) else []
    if not impact.rows:
        return lines
    return [*lines, *_users(impact, width), [], [("  ", "text"), *impact_headings(impact, width, clock)]]


def impact_headings(impact: Impact, width: int, clock: Clock = ELAPSED) -> list[Piece]:
    headings, widths = [name.upper() for name in words.headings(impact)], _widths(impact, clock, width)
    return _row(headings, widths, _gap(widths, width), "head")


def _users(impact: Impact, width: int) -> Iterator[Line]:
    """What moves for each user, for whom it is worst first."""
    users = [(f"user {user}", what) for user, what in words.by_user(impact)]
    indent = max((len(user) for user, _ in users[:MOST_USERS]), default=0) + 2
    for user, what in users[:MOST_USERS]:
        yield from fact(user, what, width, indent)
    if len(users) > MOST_USERS:
        yield from wrap(f"and {count(len(users) - MOST_USERS, 'more user')}", width, "dim")


def impact_rows(impact: Impact, width: int, clock: Clock = ELAPSED) -> Sequence[Line]:
    """Return the jobs whose start or end moves, the largest delay first."""
    widths = _widths(impact, clock, width)
    gap = _gap(widths, width)
    return [_row(words.cells(row, clock), widths, gap, _role(row, impact)) for row in impact.rows]


def _role(row: JobChange, impact: Impact) -> str:
    return "strong" if row.job in impact.acted else "text"


def _widths(impact: Impact, clock: Clock, width: int) -> list[int]:
    """Return the widths of the columns, 0 for those without which the rows are not cut."""
    headings = words.headings(impact)
    table = [headings, *(words.cells(row, clock) for row in impact.rows)]
    widths = [max(len(row[place]) for row in table) for place in range(len(headings))]
    for name in LEFT_OUT if impact.odds.samples else LEFT_OUT[:1]:
        if _wide(widths, 1) > width:
            widths[headings.index(name)] = 0
    return widths


def _gap(widths: Sequence[int], width: int) -> int:
    """Return the blanks between columns: fewer if the rows would be cut."""
    return GAP if _wide(widths, GAP) <= width else 1


def _wide(widths: Sequence[int], gap: int) -> int:
    return 2 + sum(widths) + gap * (sum(map(bool, widths)) - 1)


def _row(cells: Sequence[str], widths: Sequence[int], gap: int, role: str) -> list[Piece]:
    left = words.HEADINGS.index("user")
    parts = [
        cell(text, width, right=place != left)
        for place, (text, width) in enumerate(zip(cells, widths, strict=True))
        if width
    ]
    return [((" " * gap).join(parts), role)]


def advice_head(found: Advised, width: int, clock: Clock = ELAPSED, note: str = "") -> Sequence[Line]:
    """Return a note, when the job starts if nothing is done, and whether anything helps."""
    return [
        *(wrap(note, width, "dim") if note else []),
        *wrap(words.advised(found, clock), width, "strong"),
        [],
    ]


def advice_rows(found: Advised, width: int, clock: Clock = ELAPSED) -> Sequence[Line]:
    """Return what would help, a line each: what to do before what it costs."""
    table = [
        (words.request(advice) if advice.asks else do, start, cost)
        for advice in found.advice
        for do, start, cost in [words.advice_cells(advice, clock)]
    ]
    wide = min(max((len(do) for do, _, _ in table), default=0), max(10, width // 2))
    lines: list[Line] = []
    for do, start, cost in table:
        line: list[Piece] = [(cell(do, wide) + "  ", "key"), (f"{start}  ", "strong")]
        room = max(1, width - width_of(line))
        short = cost if len(cost) <= room else cost.replace(" in all", "")
        lines.append([*line, (cell(short, room), "text")])
    return lines


def advice_above(found: Advised, place: int, width: int) -> Sequence[Line]:
    """Return the heading above the first piece of advice that is for the user of the job."""
    asks = [each.asks for each in found.advice]
    if True not in asks or asks.index(True) != place:
        return ()
    return [*([[]] if place else []), *wrap(words.could_ask(found), width, "strong")]


def advice_below(advice: Advice, by: int, width: int, clock: Clock = ELAPSED) -> Sequence[Line]:
    """Return the advice under the cursor in full: what to do, then what, and who pays most."""
    do, start, cost = words.advice_cells(advice, clock)
    most = [words.pays(row) for row in words.payers(advice, PAYERS)]
    odds = words.advice_odds(advice, by, clock)
    texts = [f"{do}: starts at {start}{f' at the limits, {odds}' if odds else ''}; {cost}"]
    texts += [f"who pays most: {', '.join(most)}"] if most else []
    return [line for text in texts for line in wrap(text, width, "dim")]


def impact_work(outlook: Outlook, rest: str) -> ImpactWork:
    """Return the work of a typed `impact`; several actions have `;` between them. SessionError."""
    actions = [text.strip() for text in rest.split(";") if text.strip()]
    if not actions:
        raise SessionError("the impact of what? expected an action, as in impact hold 31")
    return ImpactWork(outlook, actions)


def advice_work(outlook: Outlook, rest: str, chosen: int | None = None) -> AdviceWork:
    """Return the work of a typed `advise`: `[JOB] [by TIME]`. SessionError.

    `chosen` (an id) is the job if none is named; without a deadline it is to start now.
    """
    found = ADVISE.fullmatch(rest.strip())
    assert found is not None
    job = chosen if found["job"] is None else outlook.number_called(found["job"])
    if job is None:
        raise SessionError("advice for which job? expected a waiting job, as in advise 31 by +2h")
    return AdviceWork(outlook, job, found["by"])
