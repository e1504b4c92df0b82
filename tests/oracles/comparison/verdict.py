"""The naive verdict: exact fractions, one job at a time, from docs/operating.md alone."""

from collections.abc import Sequence
from fractions import Fraction
from statistics import mean, median, stdev
from typing import Any

Job = tuple[str, int, int | None, int | None]
"""The user, the submission, and the start in each of two lanes."""


def measured(jobs: Sequence[Job], since: int | None, until: int | None) -> list[Job]:
    """The jobs that were submitted in the window and start in both lanes."""
    found: list[Job] = []
    for user, submit, one, other in jobs:
        early = since is not None and submit < since
        late = until is not None and submit > until
        if not early and not late and one is not None and other is not None:
            found.append((user, submit, one, other))
    return found


def waits(jobs: Sequence[Job], user: str | None = None) -> dict[str, Any]:
    """The figures of some measured jobs; of none there are none."""
    mine = [job for job in jobs if user is None or job[0] == user]
    first = [one - submit for _, submit, one, _ in mine if one is not None]
    second = [other - submit for _, submit, _, other in mine if other is not None]
    pairs = list(zip(first, second, strict=True))
    return {
        "jobs": len(mine),
        "means": [Fraction(sum(each), len(each)) for each in (first, second)],
        "medians": [median(first), median(second)],
        "longest": [max(first), max(second)],
        "better": sum(1 for one, other in pairs if other < one),
        "worse": sum(1 for one, other in pairs if other > one),
    }


def bounds(jobs: Sequence[Job]) -> tuple[float, float] | None:
    """The bounds of the change by twenty stretches in order of submission; None below 400 jobs."""
    if len(jobs) < 400:
        return None
    means = []
    for number in range(20):
        mine = [job for place, job in enumerate(jobs) if _stretch(place, len(jobs)) == number]
        changes = [
            Fraction(other - one) for _, _, one, other in mine if one is not None and other is not None
        ]
        means.append(float(mean(changes)))
    if len(set(means)) == 1:
        return means[0], means[0]
    middle = mean(means)
    products = [(means[place] - middle) * (means[place + 1] - middle) for place in range(19)]
    alike = min(0.9, max(0.0, sum(products) / (19 * stdev(means) ** 2)))
    reach = 2.093 * stdev(means) / 20**0.5 * ((1 + alike) / (1 - alike)) ** 0.5
    return middle - reach, middle + reach


def _stretch(place: int, count: int) -> int:
    """The stretch of a job: the last one that begins at its place or before."""
    return max(number for number in range(20) if number * count // 20 <= place)
