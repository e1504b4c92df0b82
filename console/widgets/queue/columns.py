"""The columns of the queue: what stands in each, and which of them a width has room for. Pure text.

Columns grow and vanish with the workload (a log without users shows no user column), not with the rows in
sight, so that nothing jumps while the operator scrolls or steps. A column of what a policy keeps for its jobs
comes when the first job has it, and stays.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Protocol, runtime_checkable

import attrs

from shadowtime.console import words
from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session.facts import ASIDE, Row
from shadowtime.console.widgets.frame.ink import PROMISED, Piece, cell
from shadowtime.console.widgets.frame.looks import job_letter
from shadowtime.console.widgets.metrics.gangster_text import executed
from shadowtime.console.words.phrases import base as zyx

LOOKS = 1050
"""Jobs so far apart have the same letter and hue: 50 letters, 7 hues, 3 attributes without colour."""
SECONDS = re.compile(r"(?<=\d\d:\d\d):\d\d$")
"""The seconds of an instant at the end of a text."""
UNKNOWN = "..."
"""A start that is still being predicted."""
NEVER = frozenset(("out_of_service", "no_block"))
"""Reasons of jobs that cannot start with the nodes that are in service."""
OWN_WORDS = "own_words"
"""The reason of a policy that gives a sentence of its own."""
MAY_WAIT_FOR_OPERATOR = frozenset((OWN_WORDS, "being_saved"))
"""Reasons of jobs that may wait for the operator: of a policy in its own words, and of a suspended job."""
COUNTDOWN = "countdown"
"""The term of the column that says how long it is until a job starts: it is asked for, no policy keeps it."""
REASON_LEAST = 16
REASON_SHARE = 5
"""Cells of the column of reasons for which others give way, and the same as a share of a wide queue."""


@attrs.frozen
class Shape:
    """What the columns' widths depend on, fixed for one case."""

    id: int
    user: int
    klass: int
    size: int
    clock: int

    @staticmethod
    def of(ids: Sequence[int], users: Sequence[str], classes: Sequence[str], nodes: int, end: int) -> "Shape":
        """The shape of a workload whose last instant is about `end`; O(jobs)."""
        return Shape(
            id=max(4, len(str(max(ids, default=0)))),
            user=min(10, _longest(users)),
            klass=min(11, _longest(classes)),
            size=max(4, len(f"{nodes:,}")),
            clock=len(words.clock(end)),
        )


def _longest(labels: Sequence[str]) -> int:
    """The length of the longest label. A log makes its texts one by one: 0.6 s for SDSC-BLUE's."""
    found = labels.distinct() if isinstance(labels, Distinct) else set(labels)
    return max(map(len, found), default=0)


@runtime_checkable
class Distinct(Protocol):
    """A column that knows which texts occur in it."""

    def distinct(self) -> Collection[str]:
        """Return each text once."""


@attrs.frozen
class Column:
    """One column: `key` is what the session sorts by, empty where it cannot; `rank` 0 is never dropped.

    `term` names what a policy keeps for a job, in a column that is there only where one does.
    """

    title: str
    key: str
    width: int
    rank: int
    text: Callable[[Row, int], str]
    right: bool = False
    term: str = ""


def columns(shape: Shape, clock: Clock = ELAPSED) -> tuple[Column, ...]:
    """Every column of a workload, from left to right; the reason comes after them and takes the rest."""
    wide = len(clock.brief(0)) if clock.dated else shape.clock
    found = (
        Column("", "", 1, 0, lambda row, _: job_letter(row.index)),
        Column("JOB", "id", shape.id, 0, lambda row, _: row.called, right=True),
        Column("USER", "user", max(4, shape.user) if shape.user else 0, 5, lambda row, _: row.user),
        Column("CLASS", "class", max(5, shape.klass) if shape.klass else 0, 8, lambda row, _: row.klass),
        Column("S", "state", 1, 1, lambda row, _: row.state),
        Column("SIZE", "size", shape.size, 2, lambda row, _: f"{row.size:,}", right=True),
        Column("SUBMIT", "submit", wide, 9, lambda row, _: clock.brief(row.submit), right=True),
        Column("WAIT", "wait", 6, 4, lambda row, _: words.duration(row.wait), right=True),
        Column("BASE", "", 4, 3, lambda row, _: base(row), right=True, term="base"),
        Column("W", "", 1, 4, lambda row, _: whole(row, "wire"), right=True, term="wire"),
        Column("PRIO", "", 7, 5, lambda row, _: priority(row), right=True, term="priority"),
        Column("EST", "estimate", 6, 6, lambda row, _: words.duration(row.estimate), right=True),
        Column("DONE", "", 4, 3, lambda row, _: done(row), right=True, term="done"),
        Column("STARTS", "starts", wide + 5, 3, lambda row, number: starts(row, number, clock)),
        Column("STARTS IN", "", 9, 2, countdown, right=True, term=COUNTDOWN),
        Column("ENDS", "", wide + 1, 3, lambda row, number: ends(row, number, clock), term="ends"),
        Column("PRE", "", 3, 4, lambda row, _: f"{row.preemptions}", right=True, term="ends"),
        Column("PRE", "", 3, 5, lambda row, _: f"{row.preemptions}", right=True, term="wire"),
        Column("SLIP", "slip", 7, 7, lambda row, _: words.slip(row.slip), right=True),
        Column("SLACK", "", 6, 4, lambda row, _: slack(row), right=True, term="slack_left"),
    )
    return tuple(column for column in found if column.width)


def chosen(every: Sequence[Column], width: int, terms: Collection[str] = ()) -> tuple[Column, ...]:
    """The columns that fit beside a reason in `width` cells, the least wanted dropped first.

    Of those that show what a policy keeps, only the ones of `terms` are wanted.
    """
    kept = [column for column in every if not column.term or column.term in terms]
    while _rest(kept, width) < max(REASON_LEAST, width // REASON_SHARE + 1):
        last = max(kept, key=lambda column: column.rank)
        if last.rank == 0:
            break
        kept.remove(last)
    return tuple(kept)


def starts(row: Row, number: int, clock: Clock = ELAPSED) -> str:
    """The predicted start: `0d 00:05:00 exp`, or `guar`anteed; a stale one is `0d 00:05:00~exp`."""
    if row.state in ASIDE:
        return "-"
    if row.predicted is None:
        return clock.brief(row.start) if row.start is not None and not row.waits else unknown(row)
    stale = "~" if row.predicted.event != number else " "
    promise = words.PROMISES.get(row.predicted.promise, "")
    return f"{clock.brief(row.predicted.time)}{stale}{promise:<4}"


def countdown(row: Row, number: int) -> str:
    """How long it is until a job starts: `in 1h02m`, or `now`; empty if it does not wait."""
    if row.predicted is None:
        return unknown(row) if row.waits and row.state not in ASIDE else ""
    return words.ahead(row.predicted.time - row.now)


def unknown(row: Row) -> str:
    """What stands for a start that is not predicted: `never`, `-` if nobody knows, `...` if it is sought."""
    if row.reason is None:
        return UNKNOWN
    if row.reason.code in NEVER:
        return "never"
    if row.unforeseen:
        return "-" if row.reason.code in MAY_WAIT_FOR_OPERATOR else "never"
    return "-" if "shadow" in row.reason.numbers and row.reason.numbers["shadow"] is None else UNKNOWN


def ends(row: Row, number: int, clock: Clock = ELAPSED) -> str:
    """The predicted end of a job that takes turns: `0d 01:20:00`; a stale one is `0d 01:20:00~`."""
    if row.predicted_end is None:
        return clock.brief(row.end) if row.state == "F" and row.end is not None else "..."
    return f"{clock.brief(row.predicted_end.time)}{'' if row.predicted_end.event == number else '~'}"


def slack(row: Row) -> str:
    """How far the planned start may still move back."""
    left = row.terms.get("slack_left")
    return words.duration(left) if isinstance(left, int) else ""


def done(row: Row) -> str:
    """The share of its estimate that a job has done, where the policy keeps it."""
    if "done" not in row.terms:
        return ""
    progress, left = executed(row, row.now), row.terms.get("left")
    if not isinstance(left, int):
        left = row.estimate - (progress or 0)
    if progress is None or progress + left <= 0:
        return ""
    return f"{100 * progress // (progress + left)}%"


def base(row: Row) -> str:
    """Return the base of a job's block on the torus: Z, Y, X."""
    at = row.terms.get("base")
    return zyx(at) if isinstance(at, int) else ""


def whole(row: Row, name: str) -> str:
    """Return a number that the policy keeps for a job."""
    value = row.terms.get(name)
    return f"{value}" if isinstance(value, int) else ""


def priority(row: Row) -> str:
    """The priority by which the queue goes."""
    value = row.terms.get("priority")
    return f"{value:,.6g}"[:7] if isinstance(value, int | float) else ""


def reason(row: Row, room: int, unit: words.Unit) -> str:
    """The last column: why it waits, or until when it runs; what is too long goes without a word.

    An instant that even then has no room goes without its seconds: the whole of it is in the panel of events.
    """
    if row.reason is None and not row.waits and row.predicted_end is not None:
        text = "runs" if row.state == "R" else words.state(row.state, unit)
    elif row.reason is None and not row.waits:
        ends = "ended" if row.state == "F" else "ends by"
        text = f"{ends} {unit.clock.brief(row.end)}" if row.end is not None else words.state(row.state, unit)
    else:
        text = words.brief(row.reason, row.now, unit)
    if len(text) > room:
        text = text.removesuffix(" free")
        for word in ("ends ", "runs ", "only ", "turn "):
            text = text.removeprefix(word)
        if row.reason is not None and row.reason.code == OWN_WORDS:
            text = text.partition(": ")[0]
    return text if len(text) <= room else SECONDS.sub("", text)


def heading(shown: Sequence[Column], width: int, sort: str, reverse: bool) -> list[Piece]:
    """The line of titles; the sorted one carries an arrow."""
    line: list[Piece] = [(" ", "head")]
    for column in shown:
        sorted_here = column.key == sort and bool(sort)
        arrow = " " if not sorted_here else "↑" if reverse else "↓"
        # The arrow may take the blank behind the column: a title of its width is not cut for it.
        title = (
            cell(column.title, column.width, right=True) + arrow
            if column.right
            else cell(column.title + arrow, column.width + 1)
        )
        line.append((title, "key" if sorted_here else "head"))
    return [*line, (cell("REASON", _rest(shown, width)), "head")]


def line(
    row: Row,
    shown: Sequence[Column],
    width: int,
    number: int,
    unit: words.Unit,
    *,
    changed: bool = False,
    cursor: bool = False,
) -> list[Piece]:
    """One job at event `number`: a stale prediction is marked, and what the last event changed stands out."""
    base = "now" if changed else ("dim" if row.state == "R" else "text")
    pieces: list[Piece] = [(">" if cursor else " ", "key")]
    for column in shown:
        text = cell(column.text(row, number), column.width, column.right)
        role = _role(column, row, number, base)
        # What changed is underlined, and an underlined gap would look like more.
        pieces += [(text, role), (" ", "text")] if role == "now" else [(text + " ", role)]
    room = _rest(shown, width)
    return [*pieces, (cell(reason(row, room, unit), room), base)]


def _rest(shown: Sequence[Column], width: int) -> int:
    return width - 1 - sum(column.width + 1 for column in shown)


def _role(column: Column, row: Row, number: int, base: str) -> str:
    if column.key == "state":
        return f"state:{row.state}"
    if column.title == "":
        # Looks repeat: so few of them are kept as styles, however many jobs there are.
        return f"job:{row.index % LOOKS}"
    if (column.key == "starts" or column.term == COUNTDOWN) and row.predicted is not None:
        if row.predicted.event != number:
            return "stale"
        return PROMISED.get(row.predicted.promise, base)
    if column.key == "slip" and row.slip:
        return "bad" if row.slip > 0 else "good"
    return base
