"""The workload of the T3D at Livermore in 1996 (`livermore`), as Feitelson & Jette 1997 sum it up.

**Reconstruction.** From the paper (section 4.7: three weeks with 2659 interactive jobs of 44.5 and 1328
batch jobs of 289.4 million processor-seconds): the share of interactive jobs, how many jobs come in a day,
and the mean area of each kind; that sizes are powers of two, of interactive jobs up to 64 processors; that
these may run for two hours, the jobs of the common batch queues for four, and those of the long queue for 40
(no job is of that queue unless `batch_long_share` says so). The rest is a choice, each
part a named constant or described here: the numbers of jobs by size (SIZES), the shapes of the runtimes
(STAGES: three exponential stages, stretched together until the areas are those of the paper), the users,
and the times of submission: interactive work mostly from 8 to 18 o'clock on weekdays, batch jobs at all
hours.

Second 0 is a Monday, 00:00. The jobs come within the time that the paper's jobs a day give them; the machine
has at least 2 processors, and no job is larger.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import floor, log
from random import Random
from typing import NamedTuple

from shadowtime.scenarios.models.constants import Livermore
from shadowtime.scenarios.models.feitelson import select
from shadowtime.scenarios.models.generated import REPORTED_EVERY, Generated, Progress
from shadowtime.scenarios.traces.labels import Labels
from shadowtime.scenarios.workload import Workload

CLASSES = ("interactive", "batch")
SIZES: Mapping[str, Mapping[int, float]] = {
    "interactive": {2: 0.08, 4: 0.12, 8: 0.25, 16: 0.20, 32: 0.25, 64: 0.10},
    "batch": {2: 0.02, 4: 0.04, 8: 0.12, 16: 0.17, 32: 0.30, 64: 0.22, 128: 0.11, 256: 0.02},
}
"""The share of the jobs of a class that have a size."""
STAGES: Mapping[str, Sequence[tuple[float, float]]] = {
    "interactive": ((0.5, 20), (0.3, 300), (0.2, 1800)),
    "batch": ((0.3, 600), (0.4, 3600), (0.3, 9000)),
}
"""Weights and means, in seconds, of the stages of the runtimes, before they are stretched."""
SHORT = 900
"""The time limit (s) of the short batch queues for jobs of more than 64 processors."""
LARGEST_LONG = 64
"""Processors of a job of the long queue at most, before the gang scheduler came (section 4.6)."""
HALVINGS = 40


class Draft(NamedTuple):
    """A job before its runtime is settled."""

    submit: int
    code: int
    size: int
    raw: float
    user: int
    careful: bool
    """Whether its user asks for a short queue where that is enough."""
    longest: int
    """Seconds that it may run."""


def livermore(
    jobs: int, nodes: int, constants: Livermore, *, seed: int = 1, progress: Progress | None = None
) -> Generated:
    """So many jobs for a machine of so many processors, in order of submission.

    The same arguments give the same jobs. Estimates are the time limits that their users would ask for.
    ValueError where the machine has a single processor.
    """
    if nodes < 2:
        raise ValueError("its least job needs 2 processors, and the machine has 1")
    drafts = _drafts(jobs, nodes, constants, seed, progress)
    areas = (constants.interactive_area, constants.batch_area)
    stretches = [_stretch([d for d in drafts if d.code == code], areas[code]) for code in (0, 1)]
    runtimes = array("q", (_runtime(d.raw * stretches[d.code], d.longest) for d in drafts))
    estimates = (_estimate(d, runtime) for d, runtime in zip(drafts, runtimes, strict=True))
    workload = Workload.modelled(
        submit=(draft.submit for draft in drafts),
        runtime=runtimes,
        size=(draft.size for draft in drafts),
        estimate=estimates,
        user=Labels(
            array("q", (draft.user for draft in drafts)),
            tuple(f"user{number}" for number in range(1, int(constants.users) + 1)),
        ),
        klass=Labels(array("q", (draft.code for draft in drafts)), CLASSES),
        notes=("livermore is a reconstruction: the published counts and areas, the rest is our own",),
    )
    return Generated(workload)


def _drafts(jobs: int, nodes: int, constants: Livermore, seed: int, progress: Progress | None) -> list[Draft]:
    # Only random() gives the same numbers in every Python.
    draw = Random(seed).random
    span = max(1, floor(jobs * constants.interarrival))
    hours = [weights_of_hours(span, code, constants) for code in (0, 1)]
    users = list(accumulate(1 / rank for rank in range(1, int(constants.users) + 1)))
    sizes = [{n: share for n, share in SIZES[name].items() if n <= nodes} for name in CLASSES]
    found = []
    for done in range(jobs):
        if progress is not None and done % REPORTED_EVERY == 0:
            progress(done, jobs)
        code = 0 if draw() < constants.interactive_share else 1
        hour = _select(hours[code], draw())
        submit = min(span - 1, 3600 * hour + floor(3600 * draw()))
        size = list(sizes[code])[_select(list(accumulate(sizes[code].values())), draw())]
        shares = list(accumulate(weight for weight, _ in STAGES[CLASSES[code]]))
        mean = STAGES[CLASSES[code]][_select(shares, draw())][1]
        raw = -mean * log(1.0 - draw())
        user, careful = _select(users, draw()), draw() < 0.5
        longest = (constants.interactive_longest, constants.batch_longest)[code]
        # Without long jobs the sequence of numbers is the one without them.
        if (
            constants.batch_long_share
            and code
            and size <= LARGEST_LONG
            and draw() < constants.batch_long_share
        ):
            raw *= constants.batch_long_longest / longest
            longest = constants.batch_long_longest
        found.append(Draft(submit, code, size, raw, user, careful, int(longest)))
    return sorted(found)


def weights_of_hours(span: int, code: int, constants: Livermore) -> list[float]:
    """The sums of the weights of the hours: how many jobs of a class come in each."""

    def weight(hour: int) -> float:
        weekday, clock = hour // 24 % 7 < 5, hour % 24
        if weekday and 8 <= clock < 18:
            return 1.0
        return constants.batch_elsewhen if code else constants.interactive_elsewhen

    return list(accumulate(weight(hour) for hour in range(-(-span // 3600))))


def _select(sums: Sequence[float], u: float) -> int:
    return select(sums, u) - 1


def _runtime(seconds: float, longest: int) -> int:
    return max(1, min(longest, floor(seconds + 0.5)))


def _stretch(drafts: Sequence[Draft], area: float) -> float:
    """By what the runtimes of these jobs are multiplied to have a mean area, as near as the longest lets."""

    def mean(stretch: float) -> float:
        return sum(d.size * _runtime(d.raw * stretch, d.longest) for d in drafts) / len(drafts)

    if not drafts:
        return 1.0
    return _solved(mean, area)


def _solved(rising: Callable[[float], float], goal: float) -> float:
    low, high = 0.0, 64.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if rising(middle) < goal:
            low = middle
        else:
            high = middle
    return high


def _estimate(draft: Draft, runtime: int) -> int:
    return SHORT if draft.code and draft.size > 64 and runtime <= SHORT and draft.careful else draft.longest
