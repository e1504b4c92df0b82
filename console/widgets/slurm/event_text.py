"""What happened on a stepped cluster, in a line and in full. Pure text."""

from functools import partial

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm import Happening, Moment, Started
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.words.cluster import events

INDENT = 10


def event_text(moment: Moment | None, dates: Dates, begin: int) -> str:
    """Return what happened, in one line that can be cut at its end; `begin` is the instant of the capture."""
    return events.happened(moment, partial(dates.brief, now=begin))


def event_lines(
    moment: Moment | None, number: int, board: Board, dates: Dates, begin: int, width: int
) -> list[Line]:
    """Return everything about a moment; `board` is that of its position."""
    if moment is None:
        return list(wrap(event_text(None, dates, begin), width, "strong"))
    of_queue = moment.what in events.PASSES
    heading = events.name(moment) if of_queue else event_text(moment, dates, begin)
    lines: list[Line] = list(wrap(f"event {number}: {heading}", width, "strong"))
    ahead = duration(moment.at - begin)
    lines += fact("at", f"{dates.whole(moment.at)}, {ahead} after the capture", width, INDENT)
    for each in moment.started:
        lines += fact("starts", _start(moment, each, board, dates, begin), width, INDENT)
    if of_queue:
        if not moment.started:
            lines += fact("starts", "nobody", width, INDENT)
        lines += fact("tried", events.tried(moment), width, INDENT)
        for what, job in moment.closed:
            lines += fact("closed", events.closed(what, job, board), width, INDENT)
        if moment.stopped:
            label = "ended by" if moment.what is Happening.BACKFILL else "bound by"
            lines += fact(label, events.parameter(moment.stopped, board), width, INDENT)
        lines += fact("when", events.WHEN[moment.kind], width, INDENT)
    return lines


def _start(moment: Moment, started: Started, board: Board, dates: Dates, begin: int) -> str:
    text = events.started(started, moment.at, partial(dates.brief, now=begin))
    rows = [row for row in board.rows if row.job == started.waited_as and row.outcome == "started"]
    row = next((row for row in rows if row.nodes == started.nodes), None)
    passed = ""
    if row is not None and board.begun:
        passed = events.passed(board, row, partial(dates.brief, now=board.now))
    return f"{text}; {passed}" if passed else text
