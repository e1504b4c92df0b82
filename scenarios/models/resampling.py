"""Other samples of a workload: users drawn anew, submissions moved a little, what users wait for."""

from array import array
from collections.abc import Mapping
from heapq import heappop, heappush
from random import Random

import attrs

from shadowtime.scenarios.times import HOUR
from shadowtime.scenarios.traces.labels import Labels
from shadowtime.scenarios.traces.months import month_starts
from shadowtime.scenarios.traces.rows import group_by
from shadowtime.scenarios.workload import Workload

WEEK = 168 * HOUR
THINK = HOUR // 3
"""The longest think time of a session (Zakay & Feitelson 2013)."""


def shaken(workload: Workload, within: int, seed: int) -> Workload:
    """Return the workload with each submission moved by at most `within` seconds, and none before second 0.

    The distances are whole seconds, all alike likely (Tsafrir, Ouaknine & Feitelson 2007). Months stay.
    """
    random, wide = Random(seed), 2 * within + 1
    submits = [max(0, submit - within + int(wide * random.random())) for submit in workload.submit]
    return workload.taken(sorted((submit, row) for row, submit in enumerate(submits)))


def resampled(workload: Workload, seed: int) -> Workload:
    """Return as many users as the workload has, drawn with replacement, each moved by whole weeks.

    A user's jobs keep their order, weekday and hour; what passes the end of the last week comes at the
    beginning (Zakay & Feitelson 2014). Jobs are numbered anew, and a user who is drawn again is another one.
    ValueError if a job has no user.
    """
    rows = dict[str, list[int]]()
    for row, user in enumerate(workload.user):
        rows.setdefault(user, []).append(row)
    if "" in rows:
        raise ValueError("resample needs the user of each job; the workload does not name them all")
    random, users = Random(seed), list(rows)
    first = workload.submit[0] if users else 0
    weeks = (workload.submit[-1] - first) // WEEK + 1 if users else 1
    drawn = list[tuple[int, int, int]]()
    for copy in range(len(users)):
        user = users[int(len(users) * random.random())]
        shift = WEEK * int(weeks * random.random())
        for row in rows[user]:
            drawn.append((first + (workload.submit[row] - first + shift) % (weeks * WEEK), row, copy))
    drawn.sort()
    found = workload.taken([(submit, row) for submit, row, _ in drawn])
    copies = [copy for _, _, copy in drawn]
    return attrs.evolve(
        found,
        id=array("q", range(1, len(found) + 1)),
        user=Labels.of(f"{name}.{copy + 1}" for name, copy in zip(found.user, copies, strict=True)),
        after=None if found.after is None else _followed(found, copies),
        group=_months(found),
        rows=len(found) + sum(found.dropped.values()),
        notes=(*found.notes, f"{len(users):,} users are drawn with replacement (seed {seed})"),
    )


def _followed(found: Workload, copies: list[int]) -> "array[int]":
    """The new number of the job that each follows in the same copy; -1 where that comes later now."""
    assert found.after is not None
    numbers = {(job, copy): row + 1 for row, (job, copy) in enumerate(zip(found.id, copies, strict=True))}
    after = (numbers.get((before, copy), -1) for before, copy in zip(found.after, copies, strict=True))
    return array("q", (number if number <= row else -1 for row, number in enumerate(after)))


def _months(found: Workload) -> "array[int] | None":
    if found.group is None or found.epoch is None or not len(found):
        return found.group
    starts = month_starts(found.epoch, found.submit[0], found.submit[-1])
    return group_by(found.submit, starts) if starts else None


def fed_back(workload: Workload, waits: Mapping[tuple[int, int], int]) -> Workload:
    """Return the workload in which a job waits for the job of its user that ended last before it, by the log.

    It does if it was submitted at most 20 minutes after that end; the time between is its think time. `waits`
    are those of the log, by id and submission.
    """
    pending, ended = dict[str, list[tuple[int, int]]](), dict[str, tuple[int, int]]()
    after, think = array("q"), array("q")
    columns = workload.id, workload.submit, workload.runtime, workload.user
    for job, submit, runtime, user in zip(*columns, strict=True):
        mine = pending.setdefault(user, []) if user else []
        while mine and mine[0][0] <= submit:
            # The later end comes later; of equal ends the higher number.
            ended[user] = heappop(mine)
        end, before = ended.get(user, (-1, 0))
        follows = before > 0 and submit - end <= THINK
        after.append(before if follows else -1)
        think.append(submit - end if follows else 0)
        if (wait := waits.get((job, submit))) is not None:
            heappush(mine, (submit + wait + runtime, job))
    return attrs.evolve(workload, after=after, think=think)
