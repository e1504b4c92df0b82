"""The longest waits of a window, and why each job waited: what was so at even distances of its wait."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import Decision, Reason
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.travel.moments import NONE

WORST = 10
LOOKS = 24
"""Instants of a wait at which its reason is asked for: the first at the submission, after the pass."""


@attrs.frozen
class Look:
    """Why a job waits at an instant; without a reason if it holds nodes."""

    at: int
    reason: Reason | None


@attrs.frozen
class LongWait:
    """A job that waited long."""

    index: int
    id: int
    user: str
    size: int
    estimate: int
    submit: int
    wait: int
    passed: int
    """Jobs that were submitted later, and started before it."""
    looks: Sequence[Look]
    holders: Sequence[tuple[str, float]]
    """Who had most of the machine at the looks: users with their share of all nodes, the largest first."""
    decision: Decision | None
    """What started it."""

    @property
    def start(self) -> int:
        """When it started."""
        return self.submit + self.wait

    def longest_reason(self) -> tuple[Reason, int] | None:
        """Return the reason that most looks have, as the middle one gives it, and how many have it."""
        reasons = [look.reason for look in self.looks if look.reason is not None]
        counts = Counter(reason.code for reason in reasons)
        if not counts:
            return None
        code, count = counts.most_common(1)[0]
        return [reason for reason in reasons if reason.code == code][count // 2], count


def longest_waits(case: Case, starts: Sequence[int], window: range) -> Sequence[int]:
    """Return the jobs of a window that waited longest, by index, the longest first; all of them waited."""
    submits = case.columns.submit
    waits = (
        (submit - starts[index], index)
        for index, submit in enumerate(submits)
        if submit in window and starts[index] not in (NONE, submit)
    )
    return [index for _, index in nsmallest(WORST, waits)]


def explained(case: Case, starts: Sequence[int], jobs: Sequence[int], progress: Progress) -> list[LongWait]:
    """Return why these jobs waited; one run, from its beginning to the last of their starts."""
    run = Run(case)
    simulation, columns = run.simulation.fork(), case.columns
    looks: dict[int, list[Look]] = {index: [] for index in jobs}
    held: dict[int, Counter[str]] = {index: Counter() for index in jobs}
    decisions: dict[int, Decision | None] = {}
    moments = sorted(_moments(columns.submit, starts, jobs))
    for number, (at, starting, index) in enumerate(moments):
        progress(number, len(moments))
        if starting:
            while simulation.start_of(index) is None and simulation.step():
                pass
            event = run.names.last_event(simulation)
            made = () if event is None else event.decisions
            decisions[index] = next((each for each in made if each.job == columns.id[index]), None)
            continue
        simulation.run(until=at)
        looks[index].append(Look(at, run.reasons.of(simulation, index)))
        for job in simulation.running():
            held[index][columns.user[job]] += columns.size[job]
    return [
        LongWait(
            index,
            columns.id[index],
            columns.user[index],
            columns.size[index],
            columns.estimate[index],
            columns.submit[index],
            starts[index] - columns.submit[index],
            _passed(starts, columns.submit, index),
            looks[index],
            _shares(held[index], len(looks[index]) * case.nodes),
            decisions.get(index),
        )
        for index in jobs
    ]


def _moments(
    submits: Sequence[int], starts: Sequence[int], jobs: Iterable[int]
) -> Iterable[tuple[int, bool, int]]:
    """Yield the instants of the looks, and those of the starts, with the job."""
    for index in jobs:
        submit, wait = submits[index], starts[index] - submits[index]
        for at in dict.fromkeys(submit + wait * look // LOOKS for look in range(LOOKS)):
            yield at, False, index
        yield starts[index], True, index


def _passed(starts: Sequence[int], submits: Sequence[int], index: int) -> int:
    """Count the jobs of later rows that start before a job."""
    start, later = starts[index], 0
    for other in range(index + 1, len(starts)):
        if submits[other] >= start:
            break
        later += NONE != starts[other] < start
    return later


def _shares(held: Mapping[str, int], whole: int) -> Sequence[tuple[str, float]]:
    most = sorted(held.items(), key=lambda each: (-each[1], each[0]))
    return [(user, nodes / whole) for user, nodes in most]
