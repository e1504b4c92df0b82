"""The jobs that are known at an instant, as the rows that runtimes and arrivals are drawn from.

docs/forecast.md, "On a Slurm cluster". Instants and durations are seconds.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from shadowtime.console.session.slurm.sampling import Unit
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.likely.recorded import Recorded
from shadowtime.scenarios.slurm import Capture, Job
from shadowtime.scenarios.slurm.accounted.records import Accounted

RAN = frozenset(("COMPLETED", "FAILED", "TIMEOUT", "OUT_OF_MEMORY"))
"""How a job ends that has shown its runtime. One that was cancelled, preempted or struck has not."""
AT_LIMIT = "TIMEOUT"
NO_LIMIT = 365 * 24 * 60
"""Minutes of a job without any limit."""
MOST_LIMIT = 0xFFFFFFFF
"""Minutes: Slurm's numbers have 32 bits."""
MOST_CPUS = 0x7FFFFFFE


@attrs.frozen
class LikelyRow:
    """A job that has started, or waits."""

    came: int
    """When it was submitted, or eligible if that was later."""
    name: tuple[int, int, int]
    """Its id, its start and its task: the order of those that came at once."""
    user: str
    cpus: int
    limit: int
    model: Job | Accounted
    start: int | None = None
    runtime: int | None = None
    """Of one that has ended and shown its runtime."""
    end: int = 0
    unit: int | None = None
    """Which unit of the sampler it is; None for one that is over."""
    suspended: int = 0
    """Of one that runs: the seconds since its start for which it was suspended."""


class LikelyRows:
    """All rows at an instant, in the order in which they came, and what is drawn from them."""

    def __init__(self, capture: Capture, now: int, units: Sequence[Unit]) -> None:
        limit = _limits({each.name: each.most_minutes for each in capture.partitions})
        found = (*_over(capture, now, limit), *_alive(units, now, limit))
        self.of = tuple(sorted(found, key=lambda row: (row.came, row.name)))
        places = range(len(self.of))
        started = sorted(
            (place for place in places if self.of[place].start is not None),
            key=lambda place: (self.of[place].start, place),
        )
        ended = sorted(
            (place for place in places if self.of[place].runtime is not None),
            key=lambda place: (self.of[place].end, place),
        )
        self.ended = len(ended)
        """How many have shown their runtimes."""
        running = [place for place in reversed(started) if self.of[place].unit is not None]
        waiting = sorted(
            (place for place in places if self.of[place].start is None),
            key=lambda place: (-_priority(self.of[place]), place),
        )
        self._drawn = [self.of[place] for place in (*running, *waiting)]
        self._recorded = Recorded(
            _table(self.of),
            now,
            started=started,
            ended=ended,
            running=running,
            progress=[now - (self.of[place].start or 0) - self.of[place].suspended for place in running],
            waiting=waiting,
        )

    def runtimes(self, seed: int, sample: int) -> list[int]:
        """Draw the runtime of each unit, of a running one from its start on, suspended or not."""
        drawn = self._recorded.runtimes(seed=seed, sample=sample)
        found = [1] * len(drawn)
        for row, runtime in zip(self._drawn, drawn, strict=True):
            assert row.unit is not None
            found[row.unit] = row.suspended + runtime
        return found

    def arrivals(self) -> Iterator[tuple[int, LikelyRow, int]]:
        """Yield when a job comes, which comes again, and its runtime: of the sample that was drawn last."""
        while (found := self._recorded.arrival()) is not None:
            at, row, runtime = found
            yield at, self.of[row], runtime


def _over(capture: Capture, now: int, limit: "Limit") -> Iterator[LikelyRow]:
    """The runs that are over, of the accounting and of jobs that are still shown.

    What comes later than `now` is not known.
    """
    alive = {job.id for job in capture.jobs if not job.over}
    runs = capture.past.jobs if capture.past else ()
    listed = {each.id for each in runs if each.start <= now}
    shown = (accounted(job) for job in capture.jobs if job.over and job.begin and job.id not in listed)
    for each in (*runs, *shown):
        over = each.end is not None and each.end <= now
        if max(each.start, each.submit) > now or (each.id in alive and not over):
            continue
        most, runtime = limit(each.limit, each.partition), None
        if over and each.state in RAN:
            runtime = most if each.state == AT_LIMIT else min(most, max(1, each.elapsed))
        yield LikelyRow(
            came=max(each.submit, each.eligible),
            name=(each.id, each.start, 0),
            user=each.user,
            cpus=min(each.cpus, MOST_CPUS),
            limit=most,
            model=each,
            start=each.start,
            runtime=runtime,
            end=each.end or 0,
        )


def accounted(job: Job) -> Accounted:
    """A job that is over as the accounting has it."""
    asked = job.request
    return Accounted(
        id=job.id,
        user=job.user,
        account=job.account,
        partition=next(iter(job.partitions), ""),
        qos=job.qos,
        limit=job.limit,
        cpus=asked.cpus_wanted or asked.cpus,
        nodes=asked.least_nodes,
        given=asked.cpus,
        memory=asked.memory_per_node * asked.least_nodes or asked.memory_per_cpu * asked.cpus,
        devices=asked.devices_in_all,
        submit=job.submit,
        eligible=min(job.begin, max(job.submit, job.eligible)),
        start=job.begin,
        end=job.end or None,
        elapsed=max(0, job.end - job.begin),
        state=job.states[0],
    )


def _alive(units: Sequence[Unit], now: int, limit: "Limit") -> Iterator[LikelyRow]:
    for place, unit in enumerate(units):
        job = unit.job
        start = None if job.waiting else min(job.begin, now)
        most = limit(job.limit, next(iter(job.partitions), ""))
        yield LikelyRow(
            came=min(now if start is None else start, max(job.submit, job.eligible)),
            name=(job.id, start or 0, unit.task or 0),
            user=job.user,
            cpus=max(1, min(job.request.cpus_wanted or job.request.cpus, MOST_CPUS)),
            limit=most,
            model=job,
            start=start,
            unit=place,
            suspended=0 if start is None else _suspended(job, start, now, most),
        )


Limit = Callable[[int | None, str], int]


def _limits(most: Mapping[str, int | None]) -> Limit:
    """How many seconds a job may run, by its own limit in minutes and its partition."""

    def limit(own: int | None, partition: str) -> int:
        bounds = (own, most.get(partition), NO_LIMIT)
        return 60 * min(MOST_LIMIT, max(1, next(bound for bound in bounds if bound is not None)))

    return limit


def _suspended(job: Job, start: int, now: int, limit: int) -> int:
    """For how long a job was suspended since its start: by so much Slurm has moved its end."""
    return min(now - start, max(0, job.end - start - limit))


def _priority(row: LikelyRow) -> int:
    return row.model.priority if isinstance(row.model, Job) else 0


def _table(rows: Sequence[LikelyRow]) -> Jobs:
    users: dict[str, int] = {}
    return Jobs(
        submit=array("q", [row.came for row in rows]),
        runtime=array("q", [row.limit if row.runtime is None else row.runtime for row in rows]),
        estimate=array("q", [row.limit for row in rows]),
        size=array("q", [row.cpus for row in rows]),
        user=array("q", [users.setdefault(row.user, len(users)) for row in rows]),
    )
