"""The columns of the queue: what stands in each, and which of them a width has room for. Pure text.

Columns grow and vanish with the workload (a log without users shows no user column), not with the rows in
sight, so that nothing jumps while the operator scrolls or steps. A column of what a policy keeps for its jobs
comes when the first job has it, and stays.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, runtime_checkable

import attrs

from shadowtime.console import words
from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.session.facts import ASIDE, Row
from shadowtime.console.session.jobs.fields import LIKELY, QUEUE
from shadowtime.console.widgets.frame.ink import PROMISED
from shadowtime.console.widgets.frame.letters import Held, letter
from shadowtime.console.widgets.metrics.gangster_text import executed
from shadowtime.console.widgets.table.columns import BASE, WHATEVER_IS_LEFT, Column, FieldLook, columns_of
from shadowtime.console.words.phrases import base as zyx

Says = Callable[[Row], str]
"""The text or the role of a job."""
LOOKS = 1050
"""Jobs so far apart have the same letter and hue: 50 letters, 7 hues, 3 attributes without colour."""
SECONDS = re.compile(r"(?<=\d\d:\d\d):\d\d$")
"""The seconds of an instant at the end of a text."""
SHARE = re.compile(r"(?<=\d) of (?=\d)")
"""Between how many nodes are free and how many are needed."""
STALE = "~"
"""Behind an instant that was predicted at another event."""
UNKNOWN = "..."
"""A start that is still being predicted."""
NEVER = frozenset(("out_of_service", "no_block"))
"""Reasons of jobs that cannot start with the nodes that are in service."""
OWN_WORDS = "own_words"
"""The reason of a policy that gives a sentence of its own."""
MAY_WAIT_FOR_OPERATOR = frozenset((OWN_WORDS, "being_saved"))
"""Reasons of jobs that may wait for the operator: of a policy in its own words, and of a suspended job."""
REASON_LEAST = 16
REASON_SHARE = 5
"""Cells of the column of reasons for which others give way, and the same as a share of a wide queue."""
REASON_FEWEST, REASON_ROOM = 7, 48
"""Cells of that column where starts have room first, at least, and those of a queue with room for both."""


@attrs.frozen
class Shape:
    """What the columns' widths depend on, fixed for one case."""

    id: int
    user: int
    klass: int
    size: int
    clock: int
    odds: bool = True
    """Whether there may be likely starts."""

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
class At:
    """What the lines of a queue depend on beside their rows."""

    shape: Shape
    unit: words.Unit
    number: int = 0
    """The event that is shown: a prediction of another one is marked."""
    letters: Held = attrs.field(factory=dict)
    promised: bool = True
    """Whether what the policy promises stands beside a start."""

    @property
    def columns(self) -> tuple[Column[Row], ...]:
        """Every column of the workload, from left to right: what stands in none is not shown."""
        sign = Column[Row](
            "", 0, lambda row: letter(self.letters, row.index), most=1, least=1, role=_job_role
        )
        columns = columns_of(QUEUE, None, {}, self._looks())
        shown = (each for each in columns if self.shape.odds or each.name not in LIKELY)
        # Starts that stand alone have seconds where reasons leave room for them.
        return (sign, *(each if each.name != "starts" else self._alone(each) for each in shown))

    def _alone(self, column: Column[Row]) -> Column[Row]:
        return column if self.promised else attrs.evolve(column, most=column.least)

    def _looks(self) -> Mapping[str, FieldLook[Row]]:
        shape, clock, number = self.shape, self.unit.clock, self.number
        wide = len(clock.brief(0)) if clock.dated else shape.clock
        minute = wide - len(":00") + len(STALE)

        def look(text: Says, least: int, stands: bool = True, role: Says = _base) -> FieldLook[Row]:
            return FieldLook(text, role, least, stands)

        def start_role(row: Row) -> str:
            return _start_role(row, number)

        def quantile(name: str) -> FieldLook[Row]:
            return look(
                lambda row: odds(row, name, number, clock), minute, False, lambda row: _odds_role(row, number)
            )

        return {
            "id": look(lambda row: row.called, shape.id),
            "user": look(lambda row: row.user, max(4, shape.user), bool(shape.user)),
            "class": look(lambda row: row.klass, max(5, shape.klass), bool(shape.klass)),
            "state": look(lambda row: row.state, 1, role=lambda row: f"state:{row.state}"),
            "size": look(lambda row: f"{row.size:,}", shape.size),
            "submit": look(lambda row: clock.brief(row.submit), wide),
            "wait": look(lambda row: words.duration(row.wait), 6),
            "base": look(base, 4, False),
            "wire": look(lambda row: whole(row, "wire"), 1, False),
            "priority": look(priority, 7, False),
            "limit": look(lambda row: words.duration(row.estimate), 6),
            "done": look(done, 4, False),
            "starts": FieldLook(
                lambda row: starts(row, number, clock.brief, self.promised),
                start_role,
                wide + 5 if self.promised else minute,
                True,
                lambda row, room: starts(
                    row, number, clock.brief if room >= wide else clock.minute, self.promised
                ),
            ),
            "in": look(
                countdown,
                6,
                role=lambda row: (_odds_role if row.likely is not None else _start_role)(row, number),
            ),
            "likely": quantile("likely"),
            "by": quantile("late"),
            "change": look(lambda row: words.slip(row.change), 7, False, _change_role),
            "ends": look(lambda row: ends(row, number, clock), wide + 1, False),
            "stops": look(stops, 3, False),
            "slip": look(lambda row: words.slip(row.slip), 7, role=_slip_role),
            "slack": look(slack, 6, False),
            "reason": FieldLook(
                # Beside starts that stand alone it needs room for its shortest form only.
                lambda row: reason(row, WHATEVER_IS_LEFT if self.promised else 0, self.unit),
                fitted=lambda row, room: reason(row, room, self.unit),
            ),
        }


def _base(_: Row) -> str:
    return BASE


def _job_role(row: Row) -> str:
    # Looks repeat: so few of them are kept as styles, however many jobs there are.
    return f"job:{row.index % LOOKS}"


def _start_role(row: Row, number: int) -> str:
    if row.predicted is None:
        return BASE
    return "stale" if row.predicted.event != number else PROMISED.get(row.predicted.promise, BASE)


def _odds_role(row: Row, number: int) -> str:
    return BASE if row.likely is None or row.likely.event == number else "stale"


def _slip_role(row: Row) -> str:
    return _moved_role(row.slip)


def _change_role(row: Row) -> str:
    return _moved_role(row.change)


def _moved_role(by: int | None) -> str:
    return "bad" if by and by > 0 else "good" if by else BASE


def least_reason(width: int) -> int:
    """Return for how many cells of the column of reasons other columns give way."""
    return max(REASON_LEAST, width // REASON_SHARE + 1)


def least_start(width: int) -> int:
    """Return the same where starts have room before reasons."""
    return max(REASON_FEWEST, width // 4) if width < REASON_ROOM else least_reason(width)


def starts(row: Row, number: int, write: Callable[[int], str] = ELAPSED.brief, promised: bool = True) -> str:
    """The predicted start: `0d 00:05:00 exp`, or `guar`anteed; a stale one is `0d 00:05:00~exp`.

    Unless `promised` it is the instant alone, with the mark of a stale one.
    """
    if row.state in ASIDE:
        return "-"
    if row.predicted is None:
        return write(row.start) if row.start is not None and not row.waits else unknown(row)
    stale = STALE if row.predicted.event != number else " "
    promise = words.PROMISES.get(row.predicted.promise, "")
    text = f"{write(row.predicted.time)}{stale}{promise:<4}"
    return text if promised else text[:-4].rstrip()


def odds(row: Row, name: str, number: int, clock: Clock = ELAPSED) -> str:
    """A quantile of the likely starts of a job: `0d 06:13`, of another event `0d 06:13~`, or `never`.

    Empty if there are none.
    """
    if row.likely is None:
        return ""
    at = getattr(row.likely, name)
    return ("never" if at is None else clock.minute(at)) + STALE * (row.likely.event != number)


def countdown(row: Row) -> str:
    """How long it is until a job starts, by its likely start if that is known: `1h02m`, or `now`.

    Empty if it does not wait.
    """
    if row.likely is not None:
        if row.likely.likely is None:
            return "never"
        left = row.likely.likely - row.now
    elif row.predicted is None:
        return unknown(row) if row.waits and row.state not in ASIDE else ""
    else:
        left = row.predicted.time - row.now
    return words.duration(left) if left > 0 else "now"


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
    """The predicted end of a job that takes turns: `0d 01:20:00`; a stale one is `0d 01:20:00~`.

    Of a job that is stored it is the end by its estimate as long as it runs, else `-`: nobody knows.
    """
    if row.predicted_end is None and not (row.state == "F" or "wire" in row.terms):
        return ""
    if row.predicted_end is None:
        return "-" if row.waits or row.end is None else clock.brief(row.end)
    return f"{clock.brief(row.predicted_end.time)}{'' if row.predicted_end.event == number else '~'}"


def slack(row: Row) -> str:
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
    value = row.terms.get(name)
    return f"{value}" if isinstance(value, int) else ""


def stops(row: Row) -> str:
    """How often a job was stopped, where jobs take turns or are saved."""
    turns = row.predicted_end is not None or "wire" in row.terms
    return f"{row.preemptions}" if turns or row.preemptions else ""


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
    elif row.reason is None and not row.waits and row.end is not None:
        ends = "ended" if row.state == "F" else "ends by"
        text = f"{ends} {unit.clock.brief(row.end)}"
        if len(text.removeprefix("ends ")) > room:
            # The nearest minute, as in the line of those that run: one end has no two minutes.
            text = f"{ends} {unit.clock.minute(row.end)}"
    elif row.reason is None and not row.waits:
        text = words.state(row.state, unit)
    else:
        text = words.brief(row.reason, row.now, unit)
    if len(text) > room:
        text = text.removesuffix(" free")
        for word in ("ended ", "ends ", "needs ", "runs ", "only ", "turn "):
            text = text.removeprefix(word)
        if row.reason is not None and row.reason.code == OWN_WORDS:
            text = text.partition(": ")[0]
    text = text if len(text) <= room else SHARE.sub("/", SECONDS.sub("", text))
    if len(text) <= room or row.reason is not None or row.waits or row.end is None or row.start is None:
        return text
    # Where it started stands beside it; of one that runs it is known what day it is.
    over = row.state == "F"
    day, _, time = unit.clock.minute(row.end).rpartition(" ")
    same = unit.clock.minute(row.start if over else row.now).startswith(day)
    return f"{'to' if over else 'by'} {time if same else day}"
