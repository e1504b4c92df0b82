"""What another policy does to the waits of the same jobs: the difference, and whether it is more than chance.

The jobs of one user on one day come together, so it is the days of submission that count as independent.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum

import attrs

from shadowtime.console.session.lab.intervals import Value, ratio_of

DAY = 86400


class Verdict(StrEnum):
    """What a difference of waits shows."""

    SHORTER = "shorter"
    LONGER = "longer"
    SAME = "the same"
    UNDECIDED = "undecided"


@attrs.frozen
class Pair:
    """One job under both policies, in seconds."""

    user: str
    submit: int
    wait: int
    other: int


@attrs.frozen
class Paired:
    """The waits of some jobs under both policies, in seconds."""

    jobs: int
    mean: float
    other: float
    """The means under the one and under the other policy."""
    change: Value
    """The mean of the differences, the other less the one, with its interval at 90 %."""

    @property
    def verdict(self) -> Verdict:
        """Whether the other waits are shorter or longer, as far as the interval shows it."""
        mean, half = self.change.mean, self.change.half
        if half is None:
            return Verdict.UNDECIDED
        if not mean and not half:
            return Verdict.SAME
        if abs(mean) <= half:
            return Verdict.UNDECIDED
        return Verdict.LONGER if mean > 0 else Verdict.SHORTER


def paired(pairs: Iterable[Pair]) -> tuple[Paired | None, Mapping[str, Paired]]:
    """Return the difference of all jobs, and that of each user; None without a job."""
    users: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for pair in pairs:
        sums = users[pair.user][pair.submit // DAY]
        sums[0] += 1
        sums[1] += pair.wait
        sums[2] += pair.other
    every: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for days in users.values():
        for day, sums in days.items():
            every[day] = [a + b for a, b in zip(every[day], sums, strict=True)]
    found = {user: _of_days(days) for user, days in users.items()}
    return _of_days(every) if every else None, found


def _of_days(days: Mapping[int, list[int]]) -> Paired:
    ordered = [days[day] for day in sorted(days)]
    counts = [jobs for jobs, _, _ in ordered]
    jobs = sum(counts)
    return Paired(
        jobs,
        sum(wait for _, wait, _ in ordered) / jobs,
        sum(other for _, _, other in ordered) / jobs,
        ratio_of([other - wait for _, wait, other in ordered], counts),
    )
