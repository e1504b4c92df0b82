"""The dependencies of waiting jobs, as far as the list of jobs itself shows that they are satisfied.

`squeue` goes on listing a job that is over, and shows the dependencies on it as unfulfilled until the next
pass or cycle looks at them: 22.05.8 planned a job a second after a list that had it dependent.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import attrs

from shadowtime.scenarios.slurm.records import Job

SINGLETON = "singleton(unfulfilled)"
"""A term of a dependency: on the jobs of the same name and user."""
_NAMED = re.compile(r"(afterok|afterany):(\d+)(?:_(\d+|\*))?\(unfulfilled\)")


def namesakes(jobs: Iterable[Job]) -> Mapping[tuple[str, str], Sequence[Job]]:
    """Return the jobs that are not over by name and user, in their order."""
    found: dict[tuple[str, str], list[Job]] = defaultdict(list)
    for job in jobs:
        if not job.over:
            found[job.name, job.user].append(job)
    return found


def precedes(other: Job, job: Job) -> bool:
    """Whether a singleton waits for another job of its name and user: submitted before, or holding nodes."""
    number = other.array.job if other.array else other.id
    return other.id != job.id and (number < job.id or other.holding)


def is_alone(job: Job, peers: Iterable[Job]) -> bool:
    """Whether a singleton waits for no job of its name and user. What an array waits for is not known."""
    return job.array is None and not any(precedes(each, job) for each in peers)


def with_satisfied(jobs: Sequence[Job], taken: int) -> tuple[Job, ...]:
    """Return the jobs without the terms of dependencies that the list shows to be satisfied.

    `afterok` and `afterany` of a job, an array or a task, and `singleton`. `taken` is when the list was
    read, in seconds since 1970: from then on a job grows older that depends on nothing any more.
    """
    if not any("(unfulfilled)" in job.dependency for job in jobs):
        return tuple(jobs)
    named: dict[int, list[Job]] = defaultdict(list)
    for job in jobs:
        for number in {job.id, job.array.job if job.array else job.id}:
            named[number].append(job)
    peers = namesakes(jobs)

    def left(job: Job) -> Job:
        others = peers.get((job.name, job.user), ())
        terms = [term for term in job.dependency.split(",") if not _is_satisfied(job, term, named, others)]
        dependency = ",".join(terms)
        if dependency == job.dependency:
            return job
        since = job.accrued_since or (0 if terms else taken)
        return attrs.evolve(job, dependency=dependency, accrued_since=since)

    return tuple(map(left, jobs))


def _is_satisfied(job: Job, term: str, named: Mapping[int, Sequence[Job]], peers: Iterable[Job]) -> bool:
    if term == SINGLETON:
        return is_alone(job, peers)
    found = _NAMED.fullmatch(term)
    if found is None:
        return False
    kind, number, task = found.groups()
    awaited = named.get(int(number), ())
    if task is not None and task != "*":
        awaited = [each for each in awaited if each.array and each.array.task == int(task)]
    return bool(awaited) and all(
        each.over and (kind == "afterany" or "COMPLETED" in each.states) for each in awaited
    )
