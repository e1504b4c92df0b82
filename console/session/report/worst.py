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

WORST = 30
"""Jobs that are asked why they waited."""
LOOKS = 100
"""Instants of a wait at which its reason is asked for: the first at the submission, after the pass."""


@attrs.frozen
class Look:
    """Why a job waits at an instant; without a reason if it holds nodes."""

    at: int
    reason: Reason | None


@attrs.frozen
class ReasonKind:
    """A kind of reason: how many looks have it, and one of them, the middle one, as an example."""

    looks: int
    example: Look


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
    after: Sequence[int]
    """The jobs that ended at the instant of its start."""

    @property
    def start(self) -> int:
        return self.submit + self.wait

    def kinds(self) -> Sequence[ReasonKind]:
        """Return the kinds of its reasons by code, the one that most looks have first, then the earlier."""
        by_code: dict[str, list[Look]] = {}
        for look in self.looks:
            by_code.setdefault("" if look.reason is None else look.reason.code, []).append(look)
        kinds = (ReasonKind(len(looks), looks[len(looks) // 2]) for looks in by_code.values())
        return sorted(kinds, key=lambda kind: -kind.looks)

    def behind(self) -> Mapping[int, float]:
        """Return for how many seconds it waited behind which job, as far as its reasons name one."""
        heads: Counter[int] = Counter()
        for look in self.looks:
            head = None if look.reason is None else look.reason.numbers.get("head")
            if isinstance(head, int):
                heads[head] += 1
        return {head: count * self.wait / len(self.looks) for head, count in heads.items()}


def together(waits: Iterable[LongWait]) -> list[list[LongWait]]:
    """Group waits: with the first of its group each waited behind the same jobs for half of its time.

    Half is of the longer wait of the two. The order of the waits is kept.
    """
    groups: list[list[LongWait]] = []
    for wait in waits:
        own = wait.behind()
        for group in groups:
            other = group[0].behind()
            common = sum(min(own[head], other[head]) for head in own.keys() & other.keys())
            if common and 2 * common >= max(wait.wait, group[0].wait):
                group.append(wait)
                break
        else:
            groups.append([wait])
    return groups


def longest_waits(case: Case, starts: Sequence[int], window: range) -> Sequence[int]:
    """Return the jobs of a window that waited longest, by index, the longest first; all of them waited."""
    submits = case.columns.submit
    waits = (
        (submit - starts[index], index)
        for index, submit in enumerate(submits)
        if submit in window and starts[index] not in (NONE, submit)
    )
    return [index for _, index in nsmallest(WORST, waits)]


def explained(
    case: Case, starts: Sequence[int], ends: Sequence[int], jobs: Sequence[int], progress: Progress
) -> list[LongWait]:
    """Return why these jobs waited; one run, from its beginning to the last of their starts.

    `starts` and `ends` are those of all jobs.
    """
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
            [columns.id[other] for other, end in enumerate(ends) if end == starts[index] and other != index],
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
