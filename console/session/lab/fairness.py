"""How fair a schedule is: who is overtaken, or starts later than under FCFS, and how alike users fare."""

from collections.abc import Sequence

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.travel.moments import NONE


def overtaken(submits: Sequence[int], starts: Sequence[int]) -> float:
    """Return the share of jobs that a job submitted later started before; 0 without jobs.

    `submits` ascend. The order of submission is the seniority of Avi-Itzhak & Levy 2004 (On measuring
    fairness in queues): strict FCFS never violates it. What is submitted at the same instant has no order.
    """
    passed, earliest, of_instant = 0, None, None
    for job in range(len(submits) - 1, -1, -1):
        if job + 1 < len(submits) and submits[job + 1] > submits[job] and of_instant is not None:
            earliest = of_instant if earliest is None else min(earliest, of_instant)
            of_instant = None
        passed += earliest is not None and earliest < starts[job]
        of_instant = starts[job] if of_instant is None else min(of_instant, starts[job])
    return passed / max(len(submits), 1)


def jain(values: Sequence[float]) -> float | None:
    """Return the index of Jain, Chiu & Hawe 1984: 1 if all values are equal, 1/n if all but one are 0.

    None without values, and if all are 0.
    """
    squares = len(values) * sum(value * value for value in values)
    return sum(values) ** 2 / squares if squares else None


def later(case: Case, jobs: Sequence[int], starts: Sequence[int]) -> float | None:
    """Return the share of some jobs, by row, that start later than under strict FCFS, without backfilling.

    FCFS runs the same jobs on the same machine. None where it cannot, and of a closed loop, whose submissions
    follow from the schedule.
    """
    if case.columns.after is not None:
        return None
    try:
        strict = case.steered(()).under("fcfs").simulation()
    except SessionError:
        return None
    strict.run()
    first = strict.results()["start"]
    return sum(NONE < first[job] < starts[job] for job in jobs) / max(len(jobs), 1)
