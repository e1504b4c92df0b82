"""Impact and advice: what is typed as the work that answers it, and what is found as lines of a page."""

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from attrs import evolve

from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session import SessionError
from shadowtime.console.session.impact.advice import Advice, AdviceWork, Advised
from shadowtime.console.session.impact.impact import Impact, ImpactWork
from shadowtime.console.session.impact.outlook import Outlook
from shadowtime.console.session.impact.rows import JobChange
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.table.columns import Column, Layout, layout, widths
from shadowtime.console.words import count
from shadowtime.console.words import impact as words

PAYERS = 3
"""The jobs that pay most, named for the advice under the cursor."""
RANKS = {"size": 4, "before": 3, "after": 2, "user": 1}
"""Columns that are left out where there is no room for all, the highest first."""
MOST_USERS, FEW_USERS, NARROW = 6, 2, 64
"""Users whose sums stand above the rows, and on a page of so many cells."""
Cells = tuple[str, ...]
"""The texts of a row."""
ADVISE = re.compile(r"(?:(?P<job>\d+(?:_(?:\d+|\*))?)(?:\s+by\b)?(?!\S)|by\b)?\s*(?P<by>.*)")


def impact_head(impact: Impact, width: int, clock: Clock = ELAPSED, note: str = "") -> Sequence[Line]:
    """Return what actions change, in sum and for each user, and the headings of the rows."""
    lines = wrap(note, width, "dim") if note else []
    lines += [line for text in words.report(impact, clock) for line in wrap(text, width, "strong")]
    lines += wrap(words.marked(impact), width, "dim") if words.marked(impact) else []
    if not impact.rows:
        return lines
    return [*lines, *_users(impact, width), [], [("  ", "text"), *impact_headings(impact, width - 2, clock)]]


def impact_headings(impact: Impact, width: int, clock: Clock = ELAPSED) -> Line:
    return _table(impact, width, clock)[0].heading()


def _users(impact: Impact, width: int) -> Iterator[Line]:
    """What moves for each user, for whom it is worst first; of fewer where rows would have no room."""
    most = MOST_USERS if width > NARROW else FEW_USERS
    users = [(f"user {user}", what) for user, what in words.by_user(impact)]
    indent = max((len(user) for user, _ in users[:most]), default=0) + 2
    for user, what in users[:most]:
        yield from fact(user, what, width, indent)
    if len(users) > most:
        yield from wrap(f"and {count(len(users) - most, 'more user')}", width, "dim")


def impact_rows(impact: Impact, width: int, clock: Clock = ELAPSED) -> Sequence[Line]:
    """Return the jobs whose start or end moves, the largest delay first."""
    table, texts = _table(impact, width, clock)
    return [table.line(text, _role(row, impact)) for row, text in zip(impact.rows, texts, strict=True)]


def _role(row: JobChange, impact: Impact) -> str:
    return "strong" if row.job in impact.acted else "text"


def _table(impact: Impact, width: int, clock: Clock) -> tuple[Layout[Cells], Sequence[Cells]]:
    """Return the table in a width, and the cells of each row: without years if that makes room."""
    columns = [
        Column[Cells](
            name.upper(),
            RANKS.get(name, 0),
            itemgetter(place),
            name != "user",
            20,
            least=len(name) + (place > 1),
        )
        for place, name in enumerate(words.headings(impact))
    ]
    for written in (clock, evolve(clock, yearless=True)):
        texts = [words.cells(row, written) for row in impact.rows]
        wide = widths(columns, texts)
        if sum(wide) + len(wide) - 1 <= width:
            break
    return layout(columns, wide, width, wide[-1]).packed(wide[-1]), texts


def advice_head(found: Advised, width: int, clock: Clock = ELAPSED, note: str = "") -> Sequence[Line]:
    """Return a note, when the job starts if nothing is done, and whether anything helps."""
    return [
        *(wrap(note, width, "dim") if note else []),
        *wrap(words.advised(found, clock), width, "strong"),
        [],
    ]


def advice_rows(found: Advised, width: int, clock: Clock = ELAPSED) -> Sequence[Sequence[Line]]:
    """Return of each piece of advice what to do, and below it the start and what it costs."""
    return [
        [
            *wrap(words.request(advice) if advice.asks else words.what_to_do(advice), width, "key", indent=2),
            *wrap(words.outcome(advice, clock), width, "text", [("  ", "text")], 2),
        ]
        for advice in found.advice
    ]


def advice_above(found: Advised, place: int, width: int) -> Sequence[Line]:
    """Return the heading above the first piece of advice that is for the user of the job."""
    asks = [each.asks for each in found.advice]
    if True not in asks or asks.index(True) != place:
        return ()
    return [*([[]] if place else []), *wrap(words.could_ask(found), width, "strong")]


def advice_below(
    advice: Advice, by: int, width: int, clock: Clock = ELAPSED, named: bool = True
) -> Sequence[Line]:
    """Return a piece of advice in full: what to do, if it is to be `named`, then what, and who pays.

    The row of one that is not to be named has its start and its cost: only odds are added.
    """
    do, start, cost = words.advice_cells(advice, clock)
    most = [words.pays(row) for row in words.payers(advice, PAYERS)]
    odds = words.advice_odds(advice, by, clock)
    begun = f"{do}: starts at" if named else "it starts at"
    texts = [f"{begun} {start}{f' at the limits, {odds}' if odds else ''}; {cost}"] if named or odds else []
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
