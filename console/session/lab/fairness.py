"""How fair a schedule is: jobs that later ones overtake, and how alike users fare."""

from collections.abc import Mapping, Sequence


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


def fairness(
    submits: Sequence[int], starts: Sequence[int], users: Mapping[str, Mapping[str, float]]
) -> dict[str, float | None]:
    """Return `overtaken`, and `users`: `jain` of the mean bounded slowdowns of the users."""
    slowdowns = [table["mean_bounded_slowdown"] for table in users.values()]
    return {"overtaken": overtaken(submits, starts), "users": jain(slowdowns)}
