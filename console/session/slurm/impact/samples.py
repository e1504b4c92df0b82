"""A cluster in samples of what may come, each with and without something done (docs/forecast.md)."""

from collections.abc import Mapping, Sequence
from functools import partial
from threading import Lock

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.odds import LikelyMoves
from shadowtime.console.session.impact.rows import MIDDLE, Times, likely_change
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.starts import SHOWN
from shadowtime.console.session.progress import Step
from shadowtime.console.session.slurm.impact.following import Doing, Names, make
from shadowtime.console.session.slurm.likely.odds import ClusterOdds, JobOdds
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.work import Halt, check
from shadowtime.scenarios.slurm import Capture

SAMPLES = 25


@attrs.frozen
class Done:
    """A cluster at the instant, in which something is done."""

    cluster: OverTime
    """With what is done at once."""
    later: Sequence[tuple[int, Doing]] = ()
    """What is done at the end of a second, in order."""
    back: Sequence[Doing] = ()
    """What is done once the job that is waited for has started."""


@attrs.frozen
class Shown:
    """The likely starts that are shown at the instant, by job; and the levels of their odds."""

    levels: Sequence[float] = SHOWN
    starts: Mapping[str, JobOdds] = attrs.field(factory=dict)

    def likely(self, name: str) -> float | None:
        """Return the likely start of a job that waits; None if none is shown."""
        odds = self.starts.get(name)
        return None if odds is None else NEVER if odds.likely is None else float(odds.likely)


SAMPLED = Shown()
"""Nothing is shown: the samples are taken as they are."""


class Samples:
    """Samples from one instant on; made one at a time, in any thread."""

    def __init__(
        self, here: OverTime, names: Names, former: Capture, takes_turns: bool, shown: Shown = SAMPLED
    ) -> None:
        """`names` are the jobs of all runs; `former` has the jobs that are over."""
        self._shown = shown
        self._here, self._names, self._former, self._takes_turns = here.fork(), names, former, takes_turns
        self._draws = ClusterOdds(here.capture, here.now)
        self.absent = self._draws.absent
        """Why there are no odds; empty if there are some."""
        self._before: Mapping[int, Sequence[float]] | None = None
        self._lock = Lock()

    def odds(
        self, done: Done, before: Times, after: Times, halt: Halt, step: Step, awaited: str = ""
    ) -> LikelyMoves:
        """Return how far jobs move; `before`, `after` are the two expected runs. Broken.

        `awaited` names the job after whose start `done.back` is done. `step` is called with how many samples
        are left.
        """
        # One that is broken off may not have come to the end of its sample yet.
        with self._lock:
            if self._before is None:
                self._before = self._sampled(
                    Done(self._here), before, halt, lambda left: step(SAMPLES + left)
                )
            found = self._sampled(done, after, halt, step, awaited)
        never = [NEVER] * SAMPLES
        waits = {unit.name: unit.job.waiting for unit in self._draws.units}
        moved = {
            place: likely_change(
                self._before.get(place, never),
                found.get(place, never),
                waits[name],
                self._shown.levels[1] if waits[name] else MIDDLE,
                self._shown.likely(name),
            )
            for name, place in self._names.named
        }
        return LikelyMoves(moved, SAMPLES)

    def _sampled(
        self, done: Done, limits: Times, halt: Halt, step: Step, awaited: str = ""
    ) -> Mapping[int, Sequence[float]]:
        """When each job that starts, or ends, at the limits does so in each sample."""
        waiting, running, first = {}, {}, frozenset[tuple[int, int | None]]()
        for unit in self._draws.units:
            place = self._names.places.get(unit.name, -1)
            if unit.name == awaited:
                first = frozenset([unit.key])
            if unit.job.waiting and place in limits.starts:
                waiting[place] = unit.key
            elif not unit.job.waiting and place in limits.ends and not self._takes_turns:
                running[place] = unit.job.id
        pause = partial(check, halt)
        found: dict[int, list[float]] = {place: [] for place in (*waiting, *running)}
        for number in range(SAMPLES):
            run = self._draws.begun(done.cluster, number)
            for at, doing in done.later:
                _finish_second(run, at, halt)
                self._do(run, doing)
            if done.back:
                run.follow(first, pause)
                _finish_second(run, run.now, halt)
                for doing in done.back if first <= run.starts.keys() else ():
                    self._do(run, doing)
            again = {(job.id, None) for job in run.capture.jobs if job.waiting} & {
                (id_, None) for id_ in running.values()
            }
            run.follow({*waiting.values(), *again}, pause)
            ends = {**run.ended, **run.ends}
            for place, key in waiting.items():
                found[place].append(run.starts.get(key, NEVER))
            for place, id_ in running.items():
                found[place].append(ends.get(id_, NEVER))
            step(SAMPLES - number - 1)
        return found

    def _do(self, run: OverTime, doing: Doing) -> None:
        """Do it if it can still be done: a job may have started, or be over, in a sample."""
        try:
            make(run, doing, self._former)
        except SessionError:
            return


def _finish_second(run: OverTime, at: int, halt: Halt) -> None:
    for _ in run.moments(at):
        check(halt)
