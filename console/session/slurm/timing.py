"""When main passes and backfill cycles come on a cluster over time (docs/slurm-cycle.md, section 13)."""

from collections.abc import Callable, Iterator

from shadowtime.console.session.slurm.moments import Due, PassKind
from shadowtime.scenarios.slurm import Capture

SECOND = 10**6
"""Microseconds."""
STILL = 3
"""So many times `bf_resolution` after a change a cycle finds nothing new: the grid moves nothing more."""


class Timing:
    """What has changed, and what is due. Instants are whole seconds; a cycle is counted in microseconds.

    A cycle comes every `bf_interval` while entries wait, even if nothing has changed. `_until` is when
    such a cycle can no longer find anything new: then it is counted, and not run.
    """

    def __init__(self, capture: Capture, now: int) -> None:
        self._cost = capture.entry_cost
        self._read(capture, now)
        self._until = self._restless
        self._minutes = any("TRESRunMins" in name for limits in capture.limits for name, _ in limits)
        self._counting = 0
        """Until when jobs have minutes left that a limit counts."""
        for job in capture.jobs:
            if job.holding:
                self.count_minutes(job.end)
        self._asked: int | None = None
        self._passed = now - self._delay
        self._whole_after = now + self._interval
        self._cycle_after = SECOND * now
        self._cycle_changed = self._pass_changed = True
        self._steady = 0
        """Before this instant a cycle finds what the last one found, unless something changes."""

    def _read(self, capture: Capture, now: int) -> None:
        """Take the parameters of a cluster."""
        settings = capture.settings
        self._delay, self._interval = settings.batch_delay, settings.sched_interval
        self._backfill = settings.backfills
        self._between = SECOND * settings.backfill.interval
        self._grid = STILL * settings.backfill.resolution
        self._age = settings.backfill.min_age_reserve
        self._restless = max(_restless(capture, now), default=0)
        self.reserve(capture)

    def reserve(self, capture: Capture) -> None:
        """Take the reservations of a cluster: time alone changes what a cycle finds near them."""
        window = 60 * capture.settings.backfill.window
        self._spans = [
            (each.begin - window, each.end + self._grid) for each in capture.reservations if not each.floats
        ]

    def configure(self, capture: Capture, now: int, begun: bool) -> None:
        """The cluster has other parameters: the next pass and cycle are counted from the last ones.

        Unless the run has begun, the first cycle comes at once all the same.
        """
        interval, between = self._interval, self._between
        self._read(capture, now)
        self._until = max(self._until, self._restless)
        self._whole_after += self._interval - interval
        self._cycle_after += (self._between - between) * begun

    def change(self) -> None:
        """Something has changed."""
        self._cycle_changed = self._pass_changed = True
        self._steady = 0

    def settle(self, until: int) -> None:
        """Before an instant a cycle finds what the last one has found."""
        self._steady = until

    def stir(self, now: int) -> None:
        """A job ends: a cycle in this second finds something new, but none comes for it."""
        self._until = max(self._until, now + 1)

    def count_minutes(self, end: int) -> None:
        """A job runs until an end: if a limit counts what is left of it, time alone lets others start."""
        if self._minutes:
            self._counting = max(self._counting, end + 1)

    def grow_old(self, eligible: int) -> None:
        """A job comes: until it has the least age for a reservation time alone changes what a cycle finds."""
        if self._age:
            self._restless = max(self._restless, eligible + self._age + 1)

    def ask_for_pass(self, now: int) -> None:
        """Nodes may have come free, or jobs into the queue."""
        if self._asked is None:
            self._asked = now

    def ask_at_once(self, now: int) -> None:
        """The nodes of preempted jobs are free: the pass comes in this second."""
        self._asked, self._passed = now - 1, now - self._delay

    def next(self, entries: int) -> Due:
        """When the cycle and the whole pass come next, with so many entries in the queue."""
        return Due(
            self._cycle_after,
            self._whole_after,
            self._cycle_changed,
            self._pass_changed or self._whole_after < self._counting,
            cycle_period=self._between + self._cost * entries if entries else 0,
            pass_period=self._interval,
        )

    def due(self, now: int, entries: Callable[[], int]) -> Iterator[int]:
        """The seconds in which a pass or a cycle is due, if nothing changes before."""
        if self._asked is not None:
            yield max(self._asked + 1, self._passed + self._delay)
        if self._interval and (self._pass_changed or self._whole_after < self._counting):
            yield self._whole_after
        if self._backfill:
            at = self._cycle_after // SECOND
            if at < self._steady and not self._cycle_changed:
                period = self._between + self._cost * entries()
                turns = -(-(SECOND * self._steady - self._cycle_after) // period)
                at = (self._cycle_after + turns * period) // SECOND
            if self._cycle_changed or (self._moves(at) and (at > now or entries() > 0)):
                yield at
            yield from (begin for begin, _ in self._spans if begin > now)

    def take_pass(self, now: int) -> PassKind | None:
        """Begin the pass that is due now, if one is; a whole pass without a change is only counted."""
        asked = self._asked is not None and self._asked < now
        whole = self._interval > 0 and now >= self._whole_after
        if not whole and not (asked and now >= self._passed + self._delay):
            return None
        idle = not asked and not self._pass_changed and now >= self._counting
        if whole:
            self._whole_after, self._pass_changed = now + self._interval, False
        if asked:
            self._asked = None
        self._passed = now
        if idle:
            return None
        return PassKind.WHOLE if whole else PassKind.QUICK

    def cycle_due(self, now: int) -> bool:
        """Whether a cycle begins now if entries wait, and after a change even if none does."""
        wanted = self._cycle_changed or (self._steady <= now and self._moves(now))
        return self._backfill and wanted and self._cycle_after < SECOND * (now + 1)

    def take_cycle(self, now: int, entries: int) -> bool | None:
        """Begin a cycle over so many entries. Whether anything has changed since the last one.

        None: there is no cycle, as nothing waits, and nothing has changed.
        """
        changed = self._cycle_changed
        if not entries and not changed:
            return None
        if changed:
            self._until = max(self._restless, now + self._grid)
        self._cycle_changed = False
        self._count_cycle(max(self._cycle_after, SECOND * now), entries)
        return changed

    def pass_over(self, now: int, entries: Callable[[], int]) -> None:
        """Count the whole passes before now, and while entries wait the cycles: they find nothing new."""
        if self._interval and self._whole_after < now:
            self._passed = now - 1 - (now - 1 - self._whole_after) % self._interval
            self._whole_after = self._passed + self._interval
        if self._backfill and not self._cycle_changed and self._cycle_after < SECOND * now:
            waiting = entries()
            while waiting and self._cycle_after < SECOND * now:
                self._count_cycle(self._cycle_after, waiting)

    def _moves(self, at: int) -> bool:
        """Whether time alone can change what a cycle finds."""
        return at < max(self._until, self._counting) or any(begin <= at < end for begin, end in self._spans)

    def _count_cycle(self, began: int, entries: int) -> None:
        self._cycle_after = began + self._between + self._cost * entries


def _restless(capture: Capture, now: int) -> Iterator[int]:
    """Until when time alone changes what a cycle finds: jobs past their end, young jobs."""
    age = capture.settings.backfill.min_age_reserve
    if capture.settings.over_time_limit is None:
        late = (job for job in capture.jobs if job.holding and job.end <= now)
        yield from (now + 60 * (job.limit or 0) + 1 for job in late)
    if age:
        yield from (job.eligible + age + 1 for job in capture.jobs if job.waiting)
