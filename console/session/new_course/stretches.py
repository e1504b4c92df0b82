"""Stretches of a log in which much waited, each as the values of a scenario that begins in the midst of it.

What runs at the first instant has begun as the log records it, or else as EASY starts it; it runs for the
rest of its runtime. What waits then comes a second later, in the order of its submission.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import attrs

from shadowtime.console.session.case import Case
from shadowtime.scenarios import format_duration
from shadowtime.scenarios.models.constants import YEAR
from shadowtime.scenarios.traces.recorded import recorded_waits
from shadowtime.scenarios.traces.swf import open_log

HOUR = 3600
LENGTHS = 12 * HOUR, 4 * HOUR, HOUR
"""Seconds of a stretch; of a log with very many jobs the shorter ones."""
LEAST, MOST = 20, 300
"""Jobs of a stretch: fewer are no queue, more cannot be seen through."""


@attrs.frozen
class Stretch:
    """A part of a log: what waited in it, and the jobs that run, wait or come in it, by row."""

    begin: int
    """Seconds of the log's clock."""
    length: int
    rows: Sequence[int]


def starts_of(case: Case, path: Path) -> "array[int]":
    """Return when each job of a log started, by row: as recorded, else under EASY. ScenarioError.

    A recorded start after the last submission and the last end under EASY is not used.
    """
    columns, waits = case.columns, recorded_waits(open_log(path), case.columns)
    simulation = case.simulation()
    simulation.run()
    simulated = simulation.results("start", "finish")
    last = max((*columns.submit[-1:], *simulated["finish"]), default=0)
    rows = zip(columns.id, columns.submit, simulated["start"], strict=True)
    recorded = ((at + waits.get((job, at), last + 1), start) for job, at, start in rows)
    return array("q", (at if at <= last else start for at, start in recorded))


def stretches(case: Case, starts: Sequence[int]) -> Iterator[Stretch]:
    """Yield stretches of a log, first that in which the most node-seconds were waited for."""
    columns = case.columns
    for length in LENGTHS:
        waited = Counter[int]()
        for at, start, size in zip(columns.submit, starts, columns.size, strict=True):
            # Runtimes may be longer than any log: what waits for one is counted for a year.
            until = min(start, at + YEAR)
            for place in range(at // length, max(until - 1, at) // length + 1):
                inside = min(until, (place + 1) * length) - max(at, place * length)
                waited[place] += size * max(0, inside)
        found = False
        for place, much in waited.most_common(MOST):
            stretch = _stretch(case, starts, place * length, length)
            if much and LEAST <= len(stretch.rows) <= MOST and _fits(case, starts, stretch):
                found = True
                yield stretch
        if found:
            return


def _stretch(case: Case, starts: Sequence[int], begin: int, length: int) -> Stretch:
    columns = case.columns
    rows = [
        row
        for row, at in enumerate(columns.submit)
        if at < begin + length and (at > begin or starts[row] + columns.runtime[row] > begin)
    ]
    # The order of the file decides among jobs of one second.
    rows.sort(key=lambda row: (_submit(case, starts, begin, row), starts[row] if starts[row] <= begin else 0))
    return Stretch(begin, length, rows)


def _fits(case: Case, starts: Sequence[int], stretch: Stretch) -> bool:
    """Whether the machine has room for all that runs at the begin: records and sizes may disagree."""
    columns = case.columns
    held = sum(columns.size[row] for row in stretch.rows if starts[row] <= stretch.begin)
    return held <= case.nodes


def _submit(case: Case, starts: Sequence[int], begin: int, row: int) -> int:
    at = case.columns.submit[row]
    return 0 if starts[row] <= begin else 1 if at <= begin else at - begin + 1


def values_of(case: Case, starts: Sequence[int], stretch: Stretch, anonymous: bool) -> dict[str, object]:
    """Return the machine, the policy and the jobs of a stretch, as a scenario file has them.

    Users are those of the log; `anonymous`: they are numbered anew.
    """
    columns, begin, users = case.columns, stretch.begin, dict[str, str]()
    jobs = []
    for row in stretch.rows:
        done = max(0, begin - starts[row])
        rest = max(1, columns.runtime[row] - done)
        user = columns.user[row]
        if user and anonymous:
            user = users.setdefault(user, f"user{len(users) + 1}")
        jobs.append(
            {
                "id": columns.id[row],
                "size": columns.size[row],
                "submit": _submit(case, starts, begin, row),
                "runtime": rest,
                "estimate": max(rest, columns.estimate[row] - done),
                **({"user": user} if user else {}),
                **({"queue": columns.queue[row]} if columns.queue[row] else {}),
            }
        )
    epoch = columns.epoch
    dated = {"epoch": f"{epoch + timedelta(seconds=begin):%Y-%m-%d %H:%M:%S}"} if epoch else {}
    return {"machine": {"nodes": case.nodes, **dated}, "policy": {"name": case.policy}, "job": jobs}


def title_of(case: Case, stretch: Stretch) -> str:
    """Return what a stretch is called: the instant of the log at which it begins."""
    epoch = case.columns.epoch
    when = f"{epoch + timedelta(seconds=stretch.begin):%Y-%m-%d %H:%M}" if epoch else f"{stretch.begin} s"
    return f"{case.scenario.path.name.partition('.swf')[0]} from {when}, {format_duration(stretch.length)}"
